//! Geometry programs as translators get them.

use super::Staged;
use super::tests::translated;
use crate::container::Sph;
use crate::tests::assemble;
use crate::{Drawing, Options, Program, ShaderStage};
use alloc::{string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::{Binding, Op, Stage, Strips, Topology};
use shisa_translate::{Code, Form, GlslVersion, Output, ShaderModel, SpirvVersion, Target};

const GLSL: Target = Target::Glsl(GlslVersion::Core450);
const SPIRV: Target = Target::Spirv(SpirvVersion::V1_3);

/// A geometry program whose header has these fields, and more that most tests need.
fn geometry(fields: &[&str], lines: &[&str]) -> Staged {
    let mut header = Sph::new(ShaderStage::Geometry).unwrap();
    let common = [
        "OutputTopology TRIANGLESTRIP",
        "MaxOutputVertexCount 4",
        "StreamOutMask 1",
        "ThreadsPerInputPrimitive 1",
        "ImapSystemValuesB PositionX PositionY PositionZ PositionW",
        "ImapGenericVector[0] xyzw",
        "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        "OmapGenericVector[1] xyzw",
    ];
    for field in common.iter().chain(fields) {
        header.set(&alloc::format!(" {field}"), 0).unwrap();
    }
    let drawing = Some(Drawing::new(ShaderStage::Geometry, Some(header), Options::DEFAULT));
    let lines: Vec<&str> = lines.iter().copied().chain(["EXIT"]).collect();
    Staged::new(Program { stage: Stage::Geometry, drawing, ..assemble(&lines) })
}

fn text(staged: &Staged, target: Target) -> String {
    let output = translated(staged, target).0;
    match output.code {
        Code::Text(text) => text,
        Code::Words(_) => panic!("not a text"),
    }
}

fn output(staged: &Staged, target: Target) -> Output {
    translated(staged, target).0
}

fn codes(staged: &Staged) -> Vec<&'static str> {
    let (.., warnings) = staged.lower(&Limits::default()).unwrap();
    warnings.iter().map(|d| d.code).collect()
}

fn refusal(staged: &Staged) -> &'static str {
    staged.lower(&Limits::default()).unwrap_err()[0].code
}

/// Stores the position of a vertex and emits it.
const PASS: [&str; 5] = [
    "MOV R0, RZ",
    "MOV R9, 0x1",
    "ALD.128 R4, a[0x70], R9",
    "AST.128 a[0x70], R4, R0",
    "OUT.EMIT R0, R0, RZ",
];

#[test]
fn vertices_are_inputs_of_the_stage() {
    let staged = geometry(&[], &PASS);
    let (func, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings.iter().map(|d| d.code).collect::<Vec<_>>(), ["translate-primitive"]);
    let shape = interface.geometry.unwrap();
    assert_eq!((shape.vertices, shape.attributes, shape.start), (2, 1, Some(0)));
    let strips = Strips { topology: Topology::Triangles, most: 4, invocations: 1, streams: 1 };
    assert_eq!(shape.strips, Some(strips));
    assert_eq!(interface.vertex_inputs[0].binding, Binding::Position);
    let emits = func
        .blocks
        .iter()
        .flat_map(|b| &b.body)
        .filter(|v| matches!(func.nodes.op(**v), Op::EmitVertex { .. }));
    assert_eq!(emits.count(), 1);
    let text = text(&staged, GLSL);
    for part in [
        "layout(lines) in;",
        "layout(triangle_strip, max_vertices = 1) out;",
        "gl_in[vertex].gl_Position",
        "vertex_positionof(uint(1))",
        "EmitVertex();",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    output(&staged, SPIRV);
}

/// As uam reads a vertex in a loop over the vertices of a triangle.
const LOOP: [&str; 11] = [
    "MOV R0, RZ",
    "MOV R8, RZ",
    "loop:",
    "ISBERD R9, [R8]",
    "ALD.128 R4, a[0x80], R9",
    "AST.128 a[0x90], R4, R0",
    "OUT.EMIT R0, R0, RZ",
    "IADD R8, R8, 0x1",
    "ISETP.LT.AND P0, PT, R8, 0x3, PT",
    "@P0 BRA {loop}",
    "OUT.CUT R0, R0, RZ",
];

#[test]
fn vertices_with_computed_numbers_are_indices() {
    let staged = geometry(&[], &LOOP);
    let text = text(&staged, GLSL);
    for part in [
        "layout(triangles) in;",
        "layout(triangle_strip, max_vertices = 4) out;",
        "layout(location = 0) in vec4 _vs2fs_location0[];",
        "if (vertex_count < 4u) {",
        "EndPrimitive();",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(!text.contains("stage_"), "{text}");
    output(&staged, SPIRV);
    let kernel = translated(&staged, Target::Wgsl).0;
    let shape = kernel.reflection.geometry.as_ref().unwrap();
    assert_eq!((kernel.reflection.form, shape.max_vertices), (Form::Compute, 4));
    // The count, and for each vertex one output and how it goes on.
    assert_eq!(kernel.reflection.lanes.unwrap().output_stride, 1 + 4 * 2);
}

#[test]
fn the_host_states_the_primitive() {
    let stated = Staged { primitive: Some(6), ..geometry(&[], &LOOP) };
    assert_eq!(codes(&stated), [""; 0]);
    assert!(text(&stated, GLSL).contains("layout(triangles_adjacency) in;"));
    // The number of vertices that the hardware passes is that of the primitive.
    let lines = ["MOV R0, RZ", "S2R R4, SR_INVOCATION_INFO", "AST a[0x90], R4, R0", "OUT.EMIT R0, R0, RZ"];
    let stated = Staged { primitive: Some(4), ..geometry(&[], &lines) };
    let (func, ..) = stated.lower(&Limits::default()).unwrap();
    assert!(func.nodes.list.iter().any(|node| node.op == Op::Const(4 << 16)), "{func:?}");
}

#[test]
fn runs_of_a_primitive_and_numbers_are_inputs() {
    let lines = [
        "MOV R0, RZ",
        "S2R R4, SR_INVOCATION_ID",
        "ALD R5, a[0x60]",
        "IADD R4, R4, R5",
        "AST a[0x90], R4, R0",
        "OUT.EMIT R0, R0, RZ",
    ];
    let staged = geometry(&["ThreadsPerInputPrimitive 3", "ImapSystemValuesB PrimitiveId"], &lines);
    let (.., interface, _) = staged.lower(&Limits::default()).unwrap();
    let bindings: Vec<Binding> = interface.inputs.iter().map(|io| io.binding).collect();
    assert_eq!(bindings, [Binding::PrimitiveIndex, Binding::InvocationIndex]);
    let text = text(&staged, GLSL);
    for part in ["layout(points, invocations = 3) in;", "uint(gl_PrimitiveIDIn)", "uint(gl_InvocationID)"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    output(&staged, SPIRV);
    for target in [Target::Wgsl, Target::Hlsl(ShaderModel::V5_1), Target::Msl] {
        assert_eq!(output(&staged, target).reflection.form, Form::Compute);
    }
}

#[test]
fn streams_but_the_first_make_a_kernel() {
    let lines = ["MOV R0, RZ", "AST a[0x90], R0, R0", "OUT.EMIT R0, R0, 0x2"];
    let staged = geometry(&["StreamOutMask 5", "OutputTopology POINTLIST"], &lines);
    for target in [GLSL, SPIRV] {
        let made = output(&staged, target);
        assert_eq!(made.reflection.form, Form::Compute);
        assert_eq!(made.warnings[0].code, "translate-geometry-stream");
        assert_eq!(made.reflection.geometry.unwrap().strips.unwrap().streams, 5);
    }
}

/// What the hardware demands of the state of emission is proven, since nothing computes the state.
#[test]
fn the_state_of_emission_is_passed_on() {
    for lines in [
        &["OUT.EMIT R0, RZ, RZ", "OUT.EMIT R0, RZ, RZ"][..],
        &["MOV R0, RZ", "OUT.EMIT R1, R0, RZ"],
        &["MOV R0, RZ", "OUT.EMIT R0, R0, RZ", "AST a[0x90], R4, R4"],
    ] {
        assert_eq!(refusal(&geometry(&[], lines)), "translate-emission", "{lines:?}");
    }
    let fine = ["OUT.EMIT R4, RZ, RZ", "MOV R0, R4"];
    assert_eq!(codes(&geometry(&[], &fine)), [""; 0]);
    assert_eq!(refusal(&geometry(&["IsFastGs 1"], &fine)), "translate-stage");
}

/// A guard is a condition of the emission.
#[test]
fn emission_obeys_its_predicate() {
    let lines = [
        "MOV R0, RZ",
        "S2R R4, SR_INVOCATION_ID",
        "ISETP.EQ.AND P0, PT, R4, 0x1, PT",
        "AST a[0x90], R4, R0",
        "@P0 OUT.EMIT_THEN_CUT R0, R0, RZ",
    ];
    let staged = geometry(&["ThreadsPerInputPrimitive 2"], &lines);
    let text = text(&staged, GLSL);
    let condition = text.find("if (").unwrap();
    assert!(condition < text.rfind("emit_vertex(").unwrap(), "{text}");
    output(&staged, SPIRV);
}
