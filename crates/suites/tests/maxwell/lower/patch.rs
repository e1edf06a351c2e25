//! Tessellation programs as translators get them.

use super::translated;
use crate::assembled::assemble;
use shisa_diag::Limits;
use shisa_ir::{Binding, Division, DivisionOutput, Domain, Op, Spacing};
use shisa_maxwell::container::Sph;
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Drawing, Options, Program, ShaderStage};
use shisa_translate::{Code, Form, GlslVersion, ShaderModel, SpirvVersion, Target};

const GLSL: Target = Target::Glsl(GlslVersion::Core450);

fn staged(stage: ShaderStage, fields: &[&str], lines: &[&str]) -> Staged {
    let mut header = Sph::new(stage).unwrap();
    for field in fields {
        header.set(&format!(" {field}"), 0).unwrap();
    }
    let drawing = Some(Drawing::new(stage, Some(header), Options::DEFAULT));
    let lines: Vec<&str> = lines.iter().copied().chain(["EXIT"]).collect();
    Staged::new(Program { stage, drawing, ..assemble(&lines) })
}

fn control(lines: &[&str]) -> Staged {
    let fields = [
        "ThreadsPerInputPrimitive 3",
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[0] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[1] xyzw",
    ];
    staged(ShaderStage::TessellationControl, &fields, lines)
}

fn evaluation(lines: &[&str]) -> Staged {
    let fields = [
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW PrimitiveId",
        "ImapGenericVector[0] xyzw",
        "ImapSystemValuesC TessEvaluationPointU TessEvaluationPointV",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
    ];
    staged(ShaderStage::TessellationEvaluation, &fields, lines)
}

fn text(staged: &Staged) -> String {
    translated(staged, Target::Spirv(SpirvVersion::V1_3));
    match translated(staged, GLSL).0.code {
        Code::Text(text) => text,
        Code::Words(_) => panic!("not a text"),
    }
}

fn has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}\n{text}");
    }
}

/// As uam passes a vertex on and sets the levels.
const PASS: [&str; 7] = [
    "S2R R4, SR_INVOCATION_ID",
    "ISBERD R5, [R4]",
    "ALD.128 R0, a[0x70], R5",
    "AST.128 a[0x70], R0",
    "ISETP.EQ.AND P0, PT, R4, RZ, PT",
    "@P0 AST.P a[0x4], R1",
    "@P0 AST.P a[0x10], R2",
];

#[test]
fn a_control_program_stores_its_vertex_and_the_levels() {
    let staged = control(&PASS);
    let (_, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings, []);
    let bindings = |all: &[shisa_ir::Io]| all.iter().map(|io| io.binding).collect::<Vec<_>>();
    assert_eq!(bindings(&interface.vertex_outputs), [Binding::Position]);
    assert_eq!(bindings(&interface.patch_outputs), [Binding::OuterLevel, Binding::InnerLevel]);
    assert_eq!(bindings(&interface.inputs), [Binding::InvocationIndex]);
    has(
        &text(&staged),
        &[
            "layout(vertices = 3) out;",
            "uint invocation = uint(gl_InvocationID);",
            "gl_TessLevelOuter[1] = ",
            "gl_TessLevelInner[0] = ",
            "gl_out[gl_InvocationID].gl_Position = vec4(own_position.xy",
        ],
    );
    for target in
        [Target::Wgsl, Target::Hlsl(ShaderModel::V5_1), Target::Msl, Target::Glsl(GlslVersion::Es310)]
    {
        let (func, tree, interface, _) = staged.lower(&Limits::default()).unwrap();
        let program =
            shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
        let refused = shisa_translate::translate(&program, target, &Default::default(), &Limits::default());
        assert_eq!(refused.unwrap_err()[0].code, "translate-stage");
    }
}

/// Of six components from the levels on, two are levels, two do not exist, and two are the first vector's.
#[test]
fn components_that_a_patch_does_not_have_are_dropped() {
    let staged = control(&[
        "AST.P.128 a[0x10], R0",
        "AST.P.64 a[0x18], R2",
        "ALD.O.P.96 R4, a[0x18]",
        "AST.P a[0x30], R5",
        "AST.P a[0x34], R6",
    ]);
    let (func, _, interface, _) = staged.lower(&Limits::default()).unwrap();
    let bindings: Vec<Binding> = interface.patch_outputs.iter().map(|io| io.binding).collect();
    assert_eq!(bindings, [Binding::InnerLevel, Binding::PatchLocation(0), Binding::PatchLocation(1)]);
    let all = func.blocks.iter().flat_map(|b| &b.body);
    let stores = all.filter(|v| matches!(func.nodes.op(**v), Op::Store { .. })).count();
    assert_eq!(stores, 4, "two levels and two components");
    // The second component that is loaded does not exist: it is zero.
    has(&text(&staged), &["gl_TessLevelInner[1] = "]);
}

/// The lanes of a patch run together; runs of a stage wait for each other.
#[test]
fn outputs_of_other_runs_are_waited_for() {
    let staged = control(&[
        "S2R R4, SR_INVOCATION_ID",
        "S2R R5, SR_LANEID",
        "IADD R5, R5, -R4",
        "ALD.128 R0, a[0x80], R4",
        "AST.128 a[0x90], R0",
        "IADD R6, R5, 0x1",
        "ALD.O R7, a[0x94], R6",
        "ALD.O R8, a[0x98], R5",
        "FADD R7, R7, R8",
        "AST.P a[0x40], R7",
    ]);
    let (func, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings, []);
    assert_eq!(interface.patch_outputs[0].binding, Binding::PatchLocation(2));
    let barriers = func.blocks.iter().flat_map(|b| &b.body).filter(|v| func.nodes.op(**v) == Op::Barrier);
    assert_eq!(barriers.count(), 1);
    let text = text(&staged);
    has(
        &text,
        &["store_outputs();\n    barrier();", "layout(location = 2) patch out vec4 patch_out_patch2_;"],
    );
    let main = text.find("void main()").unwrap();
    assert!(text.find("barrier();").unwrap() > main, "{text}");
}

#[test]
fn waiting_in_control_flow_is_refused() {
    let staged = control(&[
        "S2R R4, SR_INVOCATION_ID",
        "ALD R0, a[0x80], R4",
        "AST a[0x90], R0",
        "ISETP.EQ.AND P0, PT, R4, RZ, PT",
        "@!P0 EXIT",
        "ALD.O R7, a[0x90], R4",
        "AST.P a[0x40], R7",
    ]);
    let (func, tree, interface, _) = staged.lower(&Limits::default()).unwrap();
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    let refused = shisa_translate::translate(&program, GLSL, &Default::default(), &Limits::default());
    assert_eq!(refused.unwrap_err()[0].code, "translate-lanes");
}

/// As uam interpolates the vertices of a patch.
const INTERPOLATE: [&str; 10] = [
    "S2R R6, SR_LANEID",
    "ALD.O.64 R4, a[0x2f0], R6",
    "MOV R7, 0x1",
    "ALD.128 R0, a[0x70], RZ",
    "ALD R8, a[0x80], R7",
    "ALD.P R9, a[0x24]",
    "ALD.P R10, a[0x4]",
    "FADD R0, R0, R4",
    "FADD R1, R9, R10",
    "AST.128 a[0x70], R0",
];

#[test]
fn an_evaluation_program_reads_the_domain_and_the_patch() {
    let staged = evaluation(&INTERPOLATE);
    let (_, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings.iter().map(|d| d.code).collect::<Vec<_>>(), ["translate-division"]);
    let bindings: Vec<Binding> = interface.inputs.iter().map(|io| io.binding).collect();
    assert_eq!(bindings, [Binding::DomainPosition, Binding::OuterLevel, Binding::PatchLocation(0)]);
    has(
        &text(&staged),
        &[
            "layout(triangles, equal_spacing, ccw) in;",
            "gl_TessCoord.xy",
            "vec4(gl_TessLevelOuter[0], gl_TessLevelOuter[1]",
            "layout(location = 0) patch in vec4 stage_patch0",
            "gl_in[vertex].gl_Position",
            "gl_Position = ",
        ],
    );
    for target in [Target::Wgsl, Target::Hlsl(ShaderModel::V5_1), Target::Msl] {
        assert_eq!(translated(&staged, target).0.reflection.form, Form::Compute);
    }
}

/// As uam reads it: through the first vertex.
#[test]
fn the_number_of_the_primitive_belongs_to_no_vertex() {
    for vertex in ["MOV R7, RZ", "S2R R7, SR_LANEID"] {
        let staged = evaluation(&[vertex, "ISBERD R7, [R7]", "ALD R0, a[0x60], R7", "AST a[0x70], R0"]);
        let (_, _, interface, _) = staged.lower(&Limits::default()).unwrap();
        assert_eq!(interface.inputs[0].binding, Binding::PrimitiveIndex);
        has(&text(&staged), &["uint(gl_PrimitiveID)"]);
    }
}

#[test]
fn the_host_states_how_patches_are_divided() {
    let (domain, spacing, output) = (Domain::Quads, Spacing::FractionalOdd, DivisionOutput::Points);
    let staged = Staged { division: Some(Division { domain, spacing, output }), ..evaluation(&INTERPOLATE) };
    assert_eq!(staged.lower(&Limits::default()).unwrap().3, []);
    has(&text(&staged), &["layout(quads, fractional_odd_spacing, point_mode) in;"]);
}
