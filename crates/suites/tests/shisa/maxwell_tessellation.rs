//! Draw calls of Maxwell programs with patches.
use crate::maxwell_chain::{
    FRAGMENT, GEOMETRY, Stage, VERTEX, codes, equals_programs_alone, input, pixel, ran,
};
use serde_json::{Value, json};
use shisa::data::NoTrace;
use shisa::ir::{Division, DivisionOutput, Domain, Spacing};
use shisa::{File, Isa, Program, Settings};

/// Passes on the vertices of its patch. The levels are in bank 3.
const CONTROL: Stage<'_> = (
    "TESSELLATION_INIT",
    &[
        "ThreadsPerInputPrimitive 3",
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[2] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[2] xyzw",
    ],
    "S2R R2, SR_INVOCATION_ID\nISBERD R3, [R2]\nALD.128 R4, a[0x70], R3\nAST.128 a[0x70], R4\n\
     ALD.128 R8, a[0xa0], R3\nAST.128 a[0xa0], R8\n\
     MOV R12, c[0x3][0x0]\nMOV R13, c[0x3][0x4]\nMOV R14, c[0x3][0x8]\nMOV R15, c[0x3][0xc]\n\
     MOV R16, c[0x3][0x10]\nMOV R17, c[0x3][0x14]\nAST.P.128 a[0x0], R12\nAST.P.64 a[0x10], R16",
);

const EVALUATION: (&str, &[&str]) = (
    "TESSELLATION",
    &[
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[2] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[2] xyzw",
    ],
);

/// The code of a program that weighs the vertices of a triangle with w, u and v.
fn weighing() -> String {
    let mut lines: Vec<String> =
        vec!["S2R R0, SR_LANEID".into(), "ALD.O.64 R2, a[0x2f0], R0".into(), "FADD R4, -R2, 1".into()];
    lines.extend(["FADD R4, R4, -R3".into()]);
    (20..28).for_each(|register| lines.push(format!("MOV R{register}, RZ")));
    for (vertex, weight) in [(0, 4), (1, 2), (2, 3)] {
        lines.push(format!("MOV32I R1, {vertex:#x}"));
        lines.extend(["ALD.128 R8, a[0x70], R1".into(), "ALD.128 R12, a[0xa0], R1".into()]);
        let each = |n: u32| format!("FFMA R{}, R{}, R{weight}, R{}", 20 + n, 8 + n, 20 + n);
        lines.extend((0..8).map(each));
    }
    lines.extend(["AST.128 a[0x70], R20".into(), "AST.128 a[0xa0], R24".into()]);
    lines.join("\n")
}

/// The words of levels in hexadecimal.
fn words(levels: [f32; 6]) -> String {
    levels.iter().flat_map(|level| level.to_le_bytes()).map(|byte| format!("{byte:02x}")).collect()
}

/// The triangle of the other tests as a patch with a control program.
fn controlled(levels: [f32; 6]) -> Value {
    let mut input = input();
    input["draw"]["topology"] = json!("patches");
    input["stages"]["tessellation-control"] = json!({ "constants": { "3": words(levels) } });
    input
}

/// The same without a control program.
fn uncontrolled(levels: [f32; 6]) -> Value {
    let mut input = input();
    input["draw"]["topology"] = json!("patches");
    input["draw"]["levels"] = json!({ "outer": levels[..4], "inner": levels[4..] });
    input
}

#[test]
fn a_divided_triangle_is_drawn_as_the_whole_one() {
    let source = weighing();
    let evaluation = (EVALUATION.0, EVALUATION.1, &*source);
    let levels = [3.0, 2.5, 1.0, 7.0, 4.0, 7.0];
    let whole = ran(&[VERTEX, FRAGMENT], &input());
    let with_control = ran(&[VERTEX, CONTROL, evaluation, FRAGMENT], &controlled(levels));
    let without = ran(&[VERTEX, evaluation, FRAGMENT], &uncontrolled(levels));
    equals_programs_alone(&[VERTEX, CONTROL, evaluation, FRAGMENT], &with_control);
    equals_programs_alone(&[VERTEX, evaluation, FRAGMENT], &without);
    for output in [&with_control, &without] {
        let patch = &output["stages"]["tessellation-evaluation"]["patches"][0];
        let points = patch["points"].as_array().unwrap();
        // The edges have 3, 3 and 1 segments; the interior has three concentric points and the centre.
        assert_eq!(points.len(), 7 + 6 + 1);
        assert_eq!(patch["patch"]["tess_level_outer"], "40400000 40200000 3f800000 40e00000");
        assert_eq!(output["drawn"]["target0"].as_array().unwrap().len(), 16);
        for at in 0..16 {
            let [got, want] = [output, &whole].map(|output| pixel(output, at % 4, at / 4));
            // The values on the screen between vertices depend on where the vertices are; the third component is that of the
            // last vertex of each triangle.
            for component in [0, 3] {
                assert!((got[component] - want[component]).abs() < 1e-4, "{got:?} {want:?}");
            }
        }
    }
    assert_eq!(with_control["drawn"], without["drawn"]);
}

#[test]
fn a_geometry_program_has_the_primitives_of_patches() {
    let source = weighing();
    let stages = [VERTEX, CONTROL, (EVALUATION.0, EVALUATION.1, &*source), GEOMETRY, FRAGMENT];
    let output = ran(&stages, &controlled([1.0, 1.0, 1.0, 0.0, 2.0, 0.0]));
    equals_programs_alone(&stages, &output);
    assert_eq!(output["stages"]["geometry"]["primitives"].as_array().unwrap().len(), 3);
}

#[test]
fn patches_have_their_own_levels_and_size() {
    let source = weighing();
    let evaluation = (EVALUATION.0, EVALUATION.1, &*source);
    let mut input = uncontrolled([2.0; 6]);
    // Two patches of four vertices and a vertex that is left out.
    let vertices = input["stages"]["vertex"]["vertices"].as_array().unwrap().clone();
    input["stages"]["vertex"]["vertices"] = vertices.iter().cycle().take(9).cloned().collect();
    input["draw"]["patch"] = json!(4);
    input["draw"]["division"] = json!({ "domain": "quads", "spacing": "fractional_odd", "output": "points" });
    let output = ran(&[VERTEX, evaluation, FRAGMENT], &input);
    let patches = output["stages"]["tessellation-evaluation"]["patches"].as_array().unwrap();
    let counts = |key: &str| patches.iter().map(|p| p[key].as_array().unwrap().len()).collect::<Vec<_>>();
    assert_eq!((counts("vertices"), counts("points")), (vec![4, 4], vec![16, 16]));
    // Most points are outside of the picture.
    let drawn = output["stages"]["fragment"]["pixels"].as_array().unwrap();
    assert!((1..16).contains(&drawn.len()), "{}", drawn.len());
    // An outer level of 0 discards each patch.
    input["draw"]["levels"]["outer"] = json!([1, 1, 1, 0]);
    let output = ran(&[VERTEX, evaluation, FRAGMENT], &input);
    assert_eq!(output["stages"]["fragment"]["pixels"], json!([]));
    // A triangle has no fourth edge, and a patch is not divided by default.
    input["draw"]["division"] = json!({});
    input["draw"]["levels"] = json!({ "outer": [1, 1, 1, 0] });
    let output = ran(&[VERTEX, evaluation], &input);
    let patches = &output["stages"]["tessellation-evaluation"]["patches"];
    assert_eq!(patches[1]["points"], json!([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]));
}

fn ran_with(stages: &[Stage<'_>], input: &Value, settings: &Settings) -> shisa::Result<Value> {
    let codes = codes(stages);
    let programs: Vec<Program<'_>> =
        codes.iter().map(|code| File::open(code, settings).unwrap().program(1).unwrap()).collect();
    Program::run_stages(&programs, &input.to_string(), &mut NoTrace)
}

/// The settings, as a DKSH, state the division where the draw call does not.
#[test]
fn the_draw_call_states_parts_of_the_division_of_the_program() {
    let source = weighing();
    let stages = [VERTEX, (EVALUATION.0, EVALUATION.1, &*source)];
    let mut settings = Settings::new().isa(Isa::Maxwell);
    let (domain, spacing) = (Domain::Quads, Spacing::FractionalEven);
    settings.maxwell.division = Some(Division { domain, spacing, output: DivisionOutput::Points });
    let points = |input: &Value, settings: &Settings| {
        let output = ran_with(&stages, input, settings).unwrap();
        output["stages"]["tessellation-evaluation"]["patches"][0]["points"].as_array().unwrap().len()
    };
    let mut input = uncontrolled([3.0; 6]);
    assert_eq!(points(&input, &settings), 25);
    input["draw"]["division"] = json!({ "spacing": "equal" });
    assert_eq!(points(&input, &settings), 16);
    assert_eq!(points(&input, &Settings::new().isa(Isa::Maxwell)), 12);
}

#[test]
fn patches_of_another_form_are_refused() {
    let source = weighing();
    let evaluation = (EVALUATION.0, EVALUATION.1, &*source);
    type Change = fn(&mut Value);
    let cases: [(&[Stage<'_>], Change, &str); 9] = [
        (
            &[VERTEX, CONTROL],
            |_| (),
            "a tessellation control program needs a tessellation evaluation program",
        ),
        (&[VERTEX], |_| (), "patches need a tessellation evaluation program"),
        (&[VERTEX, evaluation], |v| v["draw"]["topology"] = json!("points"), "program needs \"patches\""),
        (&[VERTEX, evaluation], |v| v["draw"]["patch"] = json!(0), "a patch has 1 to 32"),
        (&[VERTEX, evaluation], |v| v["draw"]["patch"] = json!(33), "a patch has 1 to 32"),
        (
            &[VERTEX, evaluation],
            |v| v["draw"]["division"] = json!({ "domain": "cubes" }),
            "\"cubes\" is not a domain; known are isolines, triangles, quads",
        ),
        (
            &[VERTEX, evaluation],
            |v| v["draw"]["division"] = json!({ "output": "lines" }),
            "patches of the domain triangles do not form lines",
        ),
        (&[VERTEX, evaluation], |v| v["draw"]["division"] = json!({ "shape": 1 }), "draw.division.shape"),
        (&[VERTEX, evaluation], |v| v["draw"]["levels"] = json!({ "outer": [1] }), "length 1"),
    ];
    for (stages, change, message) in cases {
        let mut input = uncontrolled([1.0; 6]);
        change(&mut input);
        let refused = ran_with(stages, &input, &Settings::new().isa(Isa::Maxwell)).unwrap_err();
        assert!(refused.to_string().contains(message), "{refused}");
    }
}

/// A patch of the largest number of vertices is one; the points count against the limit of memory.
#[test]
fn patches_have_limits() {
    let source = weighing();
    let stages = [VERTEX, (EVALUATION.0, EVALUATION.1, &*source)];
    let mut input = uncontrolled([64.0; 6]);
    input["draw"]["patch"] = json!(32);
    let vertices = input["stages"]["vertex"]["vertices"].as_array().unwrap().clone();
    input["stages"]["vertex"]["vertices"] = vertices.iter().cycle().take(32).cloned().collect();
    let refused = |memory: usize| {
        let mut settings = Settings::new().isa(Isa::Maxwell);
        settings.limits.memory = memory;
        ran_with(&stages, &input, &settings).err().map(|e| e.to_string())
    };
    // 3169 points, each with 32 vertices of 8 components.
    let bytes = 3169 * 64 * (1 + 32 * 9);
    assert_eq!(refused(bytes), None);
    assert!(refused(bytes - 1).is_some_and(|text| text.contains("bytes of points of patches")));
}
