//! Geometry programs as translators get them.

use super::translated;
use crate::assembled::assemble;
use shisa_diag::Limits;
use shisa_ir::{Binding, Op, Stage, Strips, Topology};
use shisa_maxwell::container::Sph;
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Drawing, Options, Program, ShaderStage};
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
        header.set(&format!(" {field}"), 0).unwrap();
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

/// Vertices for the streams 2, 1 (which is not enabled) and 0.
const STREAMS: [&str; 5] = [
    "MOV R0, RZ",
    "AST a[0x90], R0, R0",
    "OUT.EMIT R0, R0, 0x2",
    "OUT.EMIT R0, R0, 0x1",
    "OUT.EMIT_THEN_CUT R0, R0, 0x4",
];

#[test]
fn points_have_streams_in_glsl() {
    let staged = geometry(&["StreamOutMask 5", "OutputTopology POINTLIST"], &STREAMS);
    let text = text(&staged, GLSL);
    for part in ["layout(location = 2, stream = 2) out vec4", "EmitStreamVertex(2);", "EmitStreamVertex(0);"]
    {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for part in ["EmitStreamVertex(1)", "EmitVertex()", "EndPrimitive()", "stream = 1"] {
        assert!(!text.contains(part), "{part}\n{text}");
    }
    // A computed number chooses among the streams that are enabled.
    let computed = ["MOV R0, RZ", "S2R R4, SR_INVOCATION_ID", "AST a[0x90], R4, R0", "OUT.EMIT R0, R0, R4"];
    let fields = ["StreamOutMask 5", "OutputTopology POINTLIST", "ThreadsPerInputPrimitive 4"];
    let staged = geometry(&fields, &computed);
    let text = self::text(&staged, GLSL);
    assert!(text.contains("EmitStreamVertex(0);") && text.contains("EmitStreamVertex(2);"), "{text}");
    assert_eq!(instructions(&staged, EMIT_STREAM_VERTEX), 2);
}

const END_PRIMITIVE: u32 = 219;
const EMIT_STREAM_VERTEX: u32 = 220;
const END_STREAM_PRIMITIVE: u32 = 221;

/// How many instructions of a kind a program has in SPIR-V.
fn instructions(staged: &Staged, opcode: u32) -> usize {
    let Code::Words(words) = output(staged, SPIRV).code else { panic!("not words") };
    let (mut rest, mut count) = (&words[5..], 0);
    while let Some(first) = rest.first() {
        count += usize::from(first & 0xffff == opcode);
        rest = &rest[(first >> 16) as usize..];
    }
    count
}

/// A strip ends in the other streams where a vertex goes to one, also to one that is not enabled.
#[test]
fn strips_end_in_all_streams() {
    let strips = |topology: &str| geometry(&["StreamOutMask 5", topology], &STREAMS);
    let staged = strips("OutputTopology LINESTRIP");
    let made = output(&staged, SPIRV);
    let geometry = made.reflection.geometry.unwrap();
    assert_eq!((made.reflection.form, geometry.strips.unwrap().streams), (Form::Stage, 5));
    let outputs: Vec<_> = geometry.stream_outputs.iter().map(|o| (o.stream, o.output, o.location)).collect();
    assert_eq!(outputs, (0..made.reflection.outputs.len()).map(|n| (2, n, 2 + n as u32)).collect::<Vec<_>>());
    let counts =
        [EMIT_STREAM_VERTEX, END_STREAM_PRIMITIVE, END_PRIMITIVE].map(|op| instructions(&staged, op));
    // One stream ends before each of the vertices for 2 and 0, two before that for 1, and two after the last.
    assert_eq!(counts, [2, 6, 0]);
    let points = strips("OutputTopology POINTLIST");
    assert_eq!([EMIT_STREAM_VERTEX, END_STREAM_PRIMITIVE].map(|op| instructions(&points, op)), [2, 0]);
}

#[test]
fn streams_of_strips_make_a_kernel_in_glsl() {
    for (target, topology) in [(GLSL, "LINESTRIP"), (Target::Glsl(GlslVersion::Es310), "POINTLIST")] {
        let staged = geometry(&["StreamOutMask 5", &format!("OutputTopology {topology}")], &STREAMS);
        let made = output(&staged, target);
        assert_eq!(made.reflection.form, Form::Compute);
        assert_eq!(made.warnings[0].code, "translate-geometry-stream");
        assert!(made.reflection.geometry.unwrap().stream_outputs.is_empty());
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
}

/// A fast program outputs each vertex of its primitive with what the program stored.
#[test]
fn fast_programs_pass_vertices() {
    let fields = ["IsFastGs 1", "OmapSystemValuesB RtArrayIndex PositionX PositionY PositionZ PositionW"];
    let lines = ["MOV R4, 0x3", "AST a[0x64], R4", "OUT.EMIT R0, R0, RZ", "MOV R0, 0x63"];
    let staged = geometry(&fields, &lines);
    let (.., interface, warnings) = staged.lower(&Limits::default()).unwrap();
    assert_eq!(warnings.iter().map(|d| d.code).collect::<Vec<_>>(), ["translate-primitive"]);
    let strips = Strips { topology: Topology::Triangles, most: 3, invocations: 1, streams: 1 };
    assert_eq!(interface.geometry.unwrap().strips, Some(strips));
    let outputs: Vec<Binding> = interface.outputs.iter().map(|io| io.binding).collect();
    assert_eq!(outputs, [Binding::Layer, Binding::Position, Binding::Location(1)]);
    let text = text(&staged, GLSL);
    assert_eq!(text.matches(" emit_vertex(").count(), 1 + 3, "{text}");
    for part in [
        "layout(triangles) in;",
        "layout(triangle_strip, max_vertices = 3) out;",
        "vertex_positionof(uint(2))",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    output(&staged, SPIRV);
    let made = output(&staged, Target::Wgsl);
    assert_eq!(made.reflection.form, Form::Compute);
    for (vertices, topology) in [(1, Topology::Points), (2, Topology::Lines)] {
        let staged = Staged { primitive: Some(vertices), ..staged.clone() };
        let (.., interface, warnings) = staged.lower(&Limits::default()).unwrap();
        assert_eq!(warnings, []);
        assert_eq!(interface.geometry.unwrap().strips.unwrap().topology, topology);
    }
    assert_eq!(refusal(&Staged { primitive: Some(6), ..staged }), "translate-geometry-input");
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
