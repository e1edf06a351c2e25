//! Draw calls: several Maxwell programs of graphics stages, one after the other.
use crate::maxwell_stage::assembled;
use serde_json::{Map, Value, json};
use shisa::data::{LatestSteps, NoTrace};
use shisa::{File, Isa, Language, Program, Result, RunOptions, Settings};

/// A stage: the name in headers, fields of the header, and the code.
pub(crate) type Stage<'a> = (&'a str, &'a [&'a str], &'a str);

pub(crate) const VERTEX: Stage<'_> = (
    "VERTEX",
    &[
        "ImapGenericVector[0] xyzw",
        "ImapGenericVector[1] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[2] xyzw",
    ],
    "ALD.128 R0, a[0x80]\nAST.128 a[0x70], R0\nALD.128 R4, a[0x90]\nAST.128 a[0xa0], R4",
);

/// Three components of the vector, each interpolated by another rule.
pub(crate) const FRAGMENT: Stage<'_> = (
    "PIXEL",
    &[
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[2] perspective.x screen-linear.y constant.z",
        "OmapTarget[0] xyzw",
    ],
    "IPA.PASS R4, a[0x7c], RZ\nMUFU.RCP R4, R4\nIPA R0, a[0xa0], R4\nIPA.PASS R1, a[0xa4], RZ\n\
     IPA.CONSTANT R2, a[0xa8], RZ\nIPA.PASS R3, a[0x7c], RZ",
);

/// Outputs the vertices of its triangle in their order, with the number of the run added to the attribute.
pub(crate) const GEOMETRY: Stage<'_> = (
    "GEOMETRY",
    &[
        "ThreadsPerInputPrimitive 2",
        "OutputTopology TRIANGLESTRIP",
        "MaxOutputVertexCount 3",
        "StreamOutMask 0x1",
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[2] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[2] xyzw",
    ],
    "MOV R0, RZ\nMOV R3, RZ\nS2R R2, SR_INVOCATION_ID\nI2F.F32.U32 R2, R2\nISBERD R4, [R3]\n\
     ALD.128 R8, a[0x70], R4\nALD.128 R12, a[0xa0], R4\nFADD R12, R12, R2\nFADD R14, R14, R2\n\
     AST.128 a[0x70], R8, R0\nAST.128 a[0xa0], R12, R0\nOUT.EMIT R0, R0, RZ\nIADD R3, R3, 0x1\n\
     ISETP.LT.AND P0, PT, R3, 0x3, PT\n@P0 BRA 0x30",
);

pub(crate) fn vertex(position: [f32; 4], value: [f32; 4]) -> Value {
    json!({ "in": { "generic0": position, "generic1": value } })
}

/// A triangle that covers a picture of 4 by 4 pixels, of which one corner is three times as far as the others.
pub(crate) fn input() -> Value {
    let vertices = [
        vertex([-1.0, -1.0, 0.0, 1.0], [0.0, 0.0, 5.0, 9.0]),
        vertex([9.0, -3.0, 0.75, 3.0], [4.0, 4.0, 6.0, 9.0]),
        vertex([-1.0, 3.0, 0.0, 1.0], [0.0, 0.0, 7.0, 9.0]),
    ];
    json!({
        "draw": { "topology": "triangles", "viewport": { "width": 4, "height": 4 } },
        "stages": { "vertex": { "vertices": vertices } },
    })
}

pub(crate) fn codes(stages: &[Stage<'_>]) -> Vec<Vec<u8>> {
    stages.iter().map(|(stage, fields, source)| assembled(stage, fields, source)).collect()
}

/// Runs stages for a draw call; input and output match the schema.
pub(crate) fn run(stages: &[Stage<'_>], input: &Value) -> Result<Value> {
    let root: Value =
        serde_json::from_str(include_str!("../../../../docs/schema/maxwell-run.schema.json")).unwrap();
    let codes = codes(stages);
    let settings = Settings::new().isa(Isa::Maxwell);
    let programs: Vec<Program<'_>> =
        codes.iter().map(|code| File::open(code, &settings).unwrap().program(1).unwrap()).collect();
    let output = Program::run_stages(&programs, &input.to_string(), &mut NoTrace)?;
    for value in [input, &output] {
        assert_eq!(crate::schema::faults(&root, &root, value, ""), [""; 0]);
    }
    Ok(output)
}

pub(crate) fn ran(stages: &[Stage<'_>], input: &Value) -> Value {
    run(stages, input).unwrap_or_else(|e| panic!("{e}"))
}

/// Why a draw call is refused.
pub(crate) fn refused(stages: &[Stage<'_>], input: &Value) -> String {
    run(stages, input).unwrap_err().to_string()
}

/// A value without results.
fn without_results(value: &Value) -> Value {
    match value {
        Value::Object(object) => {
            let inputs =
                object.iter().filter(|(key, _)| !["out", "killed", "executed"].contains(&key.as_str()));
            Value::Object(
                inputs.map(|(key, value)| (key.clone(), without_results(value))).collect::<Map<_, _>>(),
            )
        }
        Value::Array(list) => list.iter().map(without_results).collect(),
        other => other.clone(),
    }
}

/// Runs the program of each stage alone on its part of the result of a draw call: the results must be the same.
pub(crate) fn equals_programs_alone(stages: &[Stage<'_>], output: &Value) {
    let all = output["stages"].as_object().unwrap();
    assert_eq!(all.len(), stages.len());
    for code in codes(stages) {
        let file = File::open(&code, &Settings::new().isa(Isa::Maxwell)).unwrap();
        let entry = file.program(1).unwrap();
        let name = entry.entry().unwrap().stage.unwrap().name();
        let alone = file.run_json(&without_results(&all[name]).to_string(), RunOptions::new()).unwrap();
        assert_eq!(alone, all[name], "{name}");
        let settings = Settings::new().isa(Isa::Maxwell);
        crate::compute_engines::agree(&code, &settings, &without_results(&all[name]), &alone);
    }
}

/// The components of a pixel of a picture.
pub(crate) fn pixel(output: &Value, x: usize, y: usize) -> Vec<f32> {
    let text = output["drawn"]["target0"][4 * y + x].as_str().unwrap();
    text.split(' ').map(|word| f32::from_bits(u32::from_str_radix(word, 16).unwrap())).collect()
}

#[test]
fn a_fragment_program_has_what_the_vertex_program_wrote() {
    let stages = [FRAGMENT, VERTEX];
    let output = ran(&stages, &input());
    equals_programs_alone(&stages, &output);
    // At the centre of column 2 the right corner has 5/16 of the triangle on the screen: 1 / w goes from 1 to 1/3.
    let reciprocal = 1.0 - 5.0 / 16.0 * 2.0 / 3.0;
    let expected = [4.0 * 5.0 / 16.0 / 3.0 / reciprocal, 4.0 * 5.0 / 16.0, 7.0, reciprocal];
    for (got, want) in pixel(&output, 2, 1).iter().zip(expected) {
        assert!((got - want).abs() < 1e-5, "{got} {want}");
    }
    // The right edge of the triangle leaves the picture in the middle of its height.
    assert!(output["drawn"]["target0"].as_array().unwrap().iter().all(|words| words != "-"));
}

#[test]
fn a_geometry_program_is_between_vertices_and_pixels() {
    let stages = [VERTEX, GEOMETRY, FRAGMENT];
    let output = ran(&stages, &input());
    equals_programs_alone(&stages, &output);
    // Both runs cover all pixels; the second one is drawn over the first.
    assert_eq!(output["stages"]["fragment"]["pixels"].as_array().unwrap().len(), 2);
    let [plain, raised] = [ran(&[VERTEX, FRAGMENT], &input()), output].map(|output| pixel(&output, 1, 2));
    assert!((plain[0] + 1.0 - raised[0]).abs() < 1e-5, "{plain:?} {raised:?}");
    assert_eq!((plain[1], plain[2] + 1.0, plain[3]), (raised[1], raised[2], raised[3]));
}

#[test]
fn pixels_outside_of_a_triangle_only_help() {
    // Each pixel adds 1 to a counter in memory, and returns the slope of an attribute.
    let source = "IPA.PASS R4, a[0x7c], RZ\nIPA.PASS R0, a[0xa4], RZ\nSHFL.BFLY PT, R1, R0, 0x1, 0x1c03\n\
                  FADD R1, R1, -R0\nMOV R2, c[0x0][0x730]\nMOV R3, c[0x0][0x734]\nMOV32I R5, 0x1\nRED.E.ADD [R2], R5";
    let fields = [FRAGMENT.1, &["DoesGlobalStore 1", "DoesLoadOrStore 1"]].concat();
    let mut input = input();
    let corners = [[-1.0, 1.0], [-1.0, 0.0], [0.0, 1.0]];
    input["stages"]["vertex"]["vertices"] =
        corners.map(|[x, y]| vertex([x, y, 0.5, 1.0], [0.0, x, 0.0, 0.0])).into_iter().collect();
    input["stages"]["fragment"]["resources"] = json!([{ "kind": "ssbo", "binding": 0, "data": "AAAAAA==" }]);
    let output = ran(&[VERTEX, ("PIXEL", &fields, source)], &input);
    let fragment = &output["stages"]["fragment"];
    let covered = fragment["pixels"][0]["covered"].as_array().unwrap();
    assert_eq!(covered, &[true, false, false, false].map(Value::from));
    assert_eq!(fragment["resources"][0]["expected"], "AQAAAA==");
    assert_eq!(pixel(&output, 0, 0)[1], 0.5);
    assert_eq!(output["drawn"]["target0"][1], "-");
}

#[test]
fn indices_and_points_are_drawn() {
    let mut input = input();
    input["draw"]["topology"] = json!("points");
    input["draw"]["indices"] = json!([1, 0]);
    let vertices = [[-0.75, 0.75], [0.25, -0.25]];
    input["stages"]["vertex"]["vertices"] =
        vertices.map(|[x, y]| vertex([x, y, 0.5, 1.0], [x, y, x, 0.0])).into_iter().collect();
    let output = ran(&[VERTEX, FRAGMENT], &input);
    assert_eq!(pixel(&output, 0, 0), [-0.75, 0.75, -0.75, 1.0]);
    assert_eq!(pixel(&output, 2, 2), [0.25, -0.25, 0.25, 1.0]);
    let drawn = output["drawn"]["target0"].as_array().unwrap().iter().filter(|words| *words != "-");
    assert_eq!(drawn.count(), 2);
    let first = &output["stages"]["fragment"]["pixels"][0];
    assert_eq!((&first["x"], &first["y"]), (&json!(2), &json!(2)));
}

/// A corner that is not in front of the eye leads to all pixels of the picture; here all are past the far plane.
#[test]
fn pixels_that_are_not_covered_count_against_the_limit() {
    let mut input = input();
    let corner = |x: f32| vertex([x, 9.0, 5.0, 1.0], [0.0; 4]);
    let triangle = [corner(-1.0), corner(1.0), vertex([0.0, -30.0, 5.0, -1.0], [0.0; 4])];
    input["stages"]["vertex"]["vertices"] = (0..4).flat_map(|_| triangle.clone()).collect();
    let settings = |memory| {
        let mut settings = Settings::new().isa(Isa::Maxwell);
        settings.limits.memory = memory;
        settings
    };
    let codes = codes(&[VERTEX, FRAGMENT]);
    let run = |settings: &Settings| {
        let programs: Vec<Program<'_>> =
            codes.iter().map(|code| File::open(code, settings).unwrap().program(1).unwrap()).collect();
        Program::run_stages(&programs, &input.to_string(), &mut NoTrace)
    };
    // Four times a picture of 16 pixels.
    assert!(run(&settings(4 * 16 * 256)).is_ok());
    let refused = run(&settings(4 * 16 * 256 - 1)).unwrap_err();
    assert!(refused.to_string().contains("bytes of pixels"), "{refused}");
}

/// The numbers of columns and rows are added to the position.
#[test]
fn pixels_may_be_far_from_the_corner() {
    let code = assembled(FRAGMENT.0, FRAGMENT.1, FRAGMENT.2);
    let file = File::open(&code, &Settings::new().isa(Isa::Maxwell)).unwrap();
    let input = json!({ "pixels": { "x": u64::MAX, "y": u64::MAX, "width": 2, "height": 1 } });
    assert!(file.run_json(&input.to_string(), RunOptions::new()).is_ok());
}

#[test]
fn draw_calls_of_another_form_are_refused() {
    type Change = fn(&mut Value);
    let cases: [(&[Stage<'_>], Change, &str); 10] = [
        (&[VERTEX, FRAGMENT], |v| v["draw"]["viewport"]["height"] = json!(0), "the viewport has no pixels"),
        (&[VERTEX, FRAGMENT], |v| v["draw"]["viewport"]["width"] = json!(u64::MAX), "bytes of pixels"),
        (&[FRAGMENT], |_| (), "a draw call begins with a vertex program"),
        (&[VERTEX, VERTEX], |_| (), "two programs are of the stage vertex"),
        (&[VERTEX], |v| v["draw"]["topology"] = json!("quads"), "there is no topology \"quads\""),
        (&[VERTEX], |v| v["draw"]["indices"] = json!([3]), "index 3 of 3 vertices"),
        (
            &[VERTEX],
            |v| v["stages"]["pixel"] = json!({}),
            "an input for pixel, and no program is of this stage",
        ),
        (&[VERTEX], |v| v["stages"] = json!({}), "a vertex program runs for vertices"),
        (&[VERTEX, FRAGMENT], |v| v["draw"] = json!({ "topology": "triangles" }), "needs a viewport"),
        (&[VERTEX], |v| v["draw"]["shape"] = json!(1), "\"draw.shape\" is not a known key"),
    ];
    for (stages, change, message) in cases {
        let mut input = input();
        change(&mut input);
        let codes = codes(stages);
        let settings = Settings::new().isa(Isa::Maxwell);
        let programs: Vec<Program<'_>> =
            codes.iter().map(|code| File::open(code, &settings).unwrap().program(1).unwrap()).collect();
        let error = Program::run_stages(&programs, &input.to_string(), &mut NoTrace).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn steps_name_the_stage_of_their_program() {
    let codes = codes(&[VERTEX, GEOMETRY, FRAGMENT]);
    let settings = Settings::new().isa(Isa::Maxwell);
    let programs: Vec<Program<'_>> =
        codes.iter().map(|code| File::open(code, &settings).unwrap().program(1).unwrap()).collect();
    let mut steps = LatestSteps::new(usize::MAX);
    Program::run_stages(&programs, &input().to_string(), &mut steps).unwrap();
    let mut stages: Vec<_> = steps.take(None).iter().map(|step| step.stage).collect();
    stages.dedup();
    assert_eq!(stages, [Some("vertex"), Some("geometry"), Some("fragment")]);
    // A program alone is of no draw call.
    let vertex = json!({ "vertices": [{}] }).to_string();
    programs[0].run_traced(&vertex, &mut steps).unwrap();
    assert!(steps.take(None).iter().all(|step| step.stage.is_none()));
}

/// Why programs do not run as stages of a draw call, with the help.
fn not_together(programs: &[Program<'_>]) -> (&'static str, String) {
    let refused = Program::run_stages(programs, &input().to_string(), &mut NoTrace).unwrap_err();
    let found = &refused.diagnostics[0];
    (found.code, format!("{}; {}", found.message, found.help.join("; ")))
}

#[test]
fn programs_that_are_no_stages_of_one_draw_call_are_refused() {
    let code = assembled(VERTEX.0, VERTEX.1, VERTEX.2);
    let vertex = File::open(&code, &Settings::new().isa(Isa::Maxwell)).unwrap().program(1).unwrap();
    let text = "// maxwell\n.chip sm_53\n.code \"main\"\nEXIT ; {3f:-:-:-:f}\n";
    let bytes = shisa::assemble(text, Language::Maxwell, &Settings::default()).unwrap().bytes;
    let bare = File::open(&bytes, &Settings::new().isa(Isa::Maxwell)).unwrap().program(1).unwrap();
    let (code, text) = not_together(&[vertex.clone(), bare.clone()]);
    assert!(code == "program-isa" && text.contains("is of no graphics stage"), "{text}");
    assert_eq!(not_together(&[]), ("run-input", "there are no programs; ".to_owned()));
    let source = include_bytes!("../../../../examples/fog.frag.agal");
    let agal = File::open(source, &Settings::new()).unwrap().program(1).unwrap();
    let (code, text) = not_together(&[vertex.clone(), agal.clone()]);
    assert_eq!(
        (code, &*text),
        ("program-isa", "this is a program of agal, and the first one is of maxwell; ")
    );
    let (code, text) = not_together(&[agal, vertex]);
    assert_eq!(code, "not-built");
    assert!(text.contains("programs of these instruction sets run together: maxwell"), "{text}");
}
