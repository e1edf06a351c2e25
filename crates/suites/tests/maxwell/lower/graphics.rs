//! Vertex and pixel programs as translators get them.

use super::{translated, wgsl};
use crate::assembled::assemble;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Binding, Interface, Interpolation, Op, Sampling, Scalar, Stage};
use shisa_maxwell::container::Sph;
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Drawing, Options, Program, ShaderStage};
use shisa_translate::{Code, GlslVersion, Output, ShaderModel, Target};

/// A program of a stage whose header has these fields.
fn staged(stage: ShaderStage, fields: &[&str], lines: &[&str]) -> Staged {
    let mut header = Sph::new(stage).unwrap();
    fields.iter().for_each(|field| header.set(&format!(" {field}"), 0).unwrap());
    let drawing = Some(Drawing::new(stage, Some(header), Options::DEFAULT));
    let kind = if stage == ShaderStage::Fragment { Stage::Fragment } else { Stage::Vertex };
    let lines: Vec<&str> = lines.iter().copied().chain(["EXIT"]).collect();
    Staged::new(Program { stage: kind, drawing, ..assemble(&lines) })
}

fn vertex(fields: &[&str], lines: &[&str]) -> Staged {
    staged(ShaderStage::Vertex, fields, lines)
}

/// A pixel program whose only target has one component, R0.
fn pixel(fields: &[&str], lines: &[&str]) -> Staged {
    let fields: Vec<&str> = fields.iter().copied().chain(["OmapTarget[0] x"]).collect();
    staged(ShaderStage::Fragment, &fields, lines)
}

fn lowered(staged: &Staged) -> (shisa_ir::Func, Interface, Vec<Diagnostic>) {
    let (func, _, interface, warnings) = staged.lower(&Limits::default()).unwrap();
    (func, interface, warnings)
}

fn text(staged: &Staged, target: Target) -> String {
    match translated(staged, target).0 {
        Output { code: Code::Text(text), .. } => text,
        _ => panic!("not a text"),
    }
}

const GLSL: Target = Target::Glsl(GlslVersion::Core450);
const HLSL: Target = Target::Hlsl(ShaderModel::V5_1);

fn has(func: &shisa_ir::Func, is: impl Fn(Op) -> bool) -> bool {
    func.blocks.iter().flat_map(|b| &b.body).any(|v| is(func.nodes.op(*v)))
}

#[test]
fn attributes_are_locations() {
    let staged = vertex(
        &[
            "ImapGenericVector[1] xyzw",
            "OmapGenericVector[3] xy",
            "OmapSystemValuesB PositionX PositionY PositionZ PositionW",
        ],
        &["ALD.128 R0, a[0x90]", "AST.128 a[0x70], R0", "AST.64 a[0xb0], R2"],
    );
    let (_, interface, warnings) = lowered(&staged);
    let bindings = |all: &[shisa_ir::Io]| all.iter().map(|io| io.binding).collect::<Vec<_>>();
    assert_eq!(bindings(&interface.inputs), [Binding::Location(1)]);
    assert_eq!(bindings(&interface.outputs), [Binding::Position, Binding::Location(3)]);
    assert_eq!(warnings, []);
    let text = wgsl(&staged);
    assert!(text.contains("@location(1) generic1_in: vec4<f32>"), "{text}");
    assert!(text.contains("@builtin(position) position: vec4<f32>"), "{text}");
}

/// The host provides what a program uses as integers in a format of integers.
#[test]
fn attributes_of_integers_are_found_by_their_use() {
    for (line, scalar) in [("IADD R0, R0, 0x1", Scalar::I32), ("FADD R0, R0, 1", Scalar::F32)] {
        let staged = vertex(
            &["ImapGenericVector[0] x", "OmapGenericVector[0] x"],
            &["ALD R0, a[0x80]", line, "AST a[0x80], R0"],
        );
        assert_eq!(lowered(&staged).1.inputs[0].scalar, scalar, "{line}");
    }
}

/// A read that spans the vertex, the instance and what is no input of the stage.
#[test]
fn reads_of_several_inputs_are_split() {
    let fields = ["ImapSystemValuesC InstanceId VertexId", "OmapGenericVector[0] xyzw"];
    let staged = vertex(&fields, &["ALD.128 R0, a[0x2f0]", "AST.128 a[0x80], R0"]);
    let (_, interface, _) = lowered(&staged);
    let bindings: Vec<_> = interface.inputs.iter().map(|io| io.binding).collect();
    assert_eq!(bindings, [Binding::InstanceIndex, Binding::VertexIndex]);
    let text = wgsl(&staged);
    assert!(text.contains("vec4<f32>(0f, 0f, "), "{text}");
}

#[test]
fn computed_addresses_are_choices() {
    let fields = ["ImapGenericVector[0] xy", "ImapSystemValuesC VertexId", "OmapGenericVector[0] x"];
    let staged =
        vertex(&fields, &["ALD R1, a[0x2fc]", "AL2P R2, R1, 0x80", "ALD.PHYS R0, a[R2]", "AST a[0x80], R0"]);
    let (func, ..) = lowered(&staged);
    assert!(!has(&func, |op| matches!(op, Op::ReadAt { .. })));
    assert!(wgsl(&staged).contains("select("), "{}", wgsl(&staged));
}

/// Compilers multiply attribute / w by w, which they compute from 1 / w.
#[test]
fn attributes_are_not_divided_by_w() {
    let staged = pixel(
        &["ImapGenericVector[0] perspective.x", "ImapSystemValuesB PositionW"],
        &["IPA.PASS R4, a[0x7c], RZ", "MUFU.RCP R4, R4", "IPA R0, a[0x80], R4"],
    );
    let (func, interface, _) = lowered(&staged);
    assert_eq!(interface.inputs.iter().map(|io| io.binding).collect::<Vec<_>>(), [Binding::Location(0)]);
    assert!(!has(&func, |op| matches!(op, Op::Unary { .. } | Op::Binary { .. })), "{func:?}");
}

#[test]
fn interpolation_is_that_of_the_header_and_the_instructions() {
    for (field, line, interpolation, sampling) in [
        ("constant.x", "IPA.CONSTANT R0, a[0x80], RZ", Interpolation::Flat, Sampling::Centre),
        ("screen-linear.x", "IPA.PASS R0, a[0x80], RZ", Interpolation::Linear, Sampling::Centre),
        ("screen-linear.x", "IPA.PASS.CENTROID R0, a[0x80], RZ", Interpolation::Linear, Sampling::Centroid),
    ] {
        let field = format!("ImapGenericVector[0] {field}");
        let (_, interface, warnings) = lowered(&pixel(&[&field], &[line]));
        let varying = Binding::Varying { location: 0, interpolation, sampling };
        assert_eq!(interface.inputs[0].binding, varying, "{line}");
        assert_eq!(warnings, []);
    }
    let both = ["IPA.PASS R0, a[0x80], RZ", "IPA.PASS.CENTROID R1, a[0x80], RZ", "FADD R0, R0, R1"];
    let (_, interface, warnings) = lowered(&pixel(&["ImapGenericVector[0] screen-linear.x"], &both));
    assert!(matches!(interface.inputs[0].binding, Binding::Varying { sampling: Sampling::Centre, .. }));
    assert_eq!(warnings[0].code, "translate-centroid");
}

/// As nouveau's code generator writes derivatives.
#[test]
fn differences_in_a_quad_are_derivatives() {
    for (lane, signs, expected) in [
        ("0x1", "PNNPPNNP", ["dpdxFine(", "(t2,"]),
        ("0x2", "PNPNNPNP", ["dpdyFine(", "(t2,"]),
        ("0x1", "NPPNNPPN", ["dpdxFine(", "= -t2;"]),
    ] {
        let exchange = format!("SHFL.BFLY PT, R1, R0, {lane}, 0x1c03");
        let sum = format!("FSWZADD.NDV R0, R1, R0, {signs}");
        let staged =
            pixel(&["ImapGenericVector[0] screen-linear.x"], &["IPA.PASS R0, a[0x80], RZ", &exchange, &sum]);
        let (_, _, warnings) = lowered(&staged);
        assert_eq!(warnings, [], "{signs}");
        let text = wgsl(&staged);
        assert!(expected.iter().all(|part| text.contains(part)), "{expected:?}: {text}");
    }
    // The values of the lanes are added.
    let staged = pixel(
        &["ImapGenericVector[0] screen-linear.x"],
        &["IPA.PASS R0, a[0x80], RZ", "SHFL.BFLY PT, R1, R0, 0x1, 0x1c03", "FSWZADD R0, R1, R0, PPPPPPPP"],
    );
    assert_eq!(lowered(&staged).2[0].code, "translate-lanes");
}

#[test]
fn other_exchange_is_that_of_a_warp_of_one_lane() {
    let staged = pixel(
        &["ImapGenericVector[0] screen-linear.x"],
        &[
            "IPA.PASS R0, a[0x80], RZ",
            "SHFL.IDX PT, R1, R0, 0x3, 0x1f",
            "FADD R0, R0, R1",
            "VOTE.ALL R2, P0, PT",
        ],
    );
    let (func, _, warnings) = lowered(&staged);
    assert_eq!(warnings.iter().map(|d| d.code).collect::<Vec<_>>(), ["translate-lanes"]);
    assert!(!has(&func, |op| matches!(op, Op::Lane { .. })));
}

#[test]
fn samples_are_one() {
    let (_, _, warnings) = lowered(&pixel(&[], &["PIXLD R0, [RZ]"]));
    assert_eq!(warnings[0].code, "translate-samples");
    let mask = pixel(&["OmapSampleMask 1"], &["PIXLD.COVMASK R1, [RZ]", "MOV R0, RZ"]);
    let (_, interface, warnings) = lowered(&mask);
    assert_eq!(warnings, []);
    assert_eq!(interface.inputs[0].binding, Binding::SampleMask);
    assert!(text(&mask, GLSL).contains("gl_SampleMask[0] = int("), "{}", text(&mask, GLSL));
    assert!(text(&mask, HLSL).contains("SV_Coverage"));
}

/// The position in the window; in HLSL its last component is w.
#[test]
fn positions_have_one_over_w() {
    let staged = pixel(&["ImapSystemValuesB PositionW"], &["IPA.PASS R0, a[0x7c], RZ"]);
    assert_eq!(lowered(&staged).1.inputs[0].binding, Binding::PixelPosition);
    assert!(text(&staged, HLSL).contains("1.0 / "), "{}", text(&staged, HLSL));
    assert!(!text(&staged, GLSL).contains("1.0 / "));
}

#[test]
fn systems_of_vertices_have_the_languages_names() {
    let fields = [
        "OmapSystemValuesB RtArrayIndex ViewportIndex PointSize",
        "OmapSystemValuesC ClipDistance0 ClipDistance1",
    ];
    let all =
        vertex(&fields, &["AST a[0x64], R0", "AST a[0x68], R1", "AST a[0x6c], R2", "AST.64 a[0x2c0], R2"]);
    let glsl = text(&all, GLSL);
    for name in ["gl_Layer = int(", "gl_ViewportIndex = int(", "gl_PointSize = ", "gl_ClipDistance[2]"] {
        assert!(glsl.contains(name), "{name}: {glsl}");
    }
    let hlsl = text(&all, HLSL);
    for name in ["SV_RenderTargetArrayIndex", "SV_ViewportArrayIndex", "SV_ClipDistance0"] {
        assert!(hlsl.contains(name), "{name}: {hlsl}");
    }
    let codes: Vec<_> = translated(&all, HLSL).0.warnings.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["translate-points"]);
    let msl = text(&all, Target::Msl);
    for name in ["render_target_array_index", "viewport_array_index", "point_size", "clip_distance"] {
        assert!(msl.contains(name), "{name}: {msl}");
    }
    let fewer = vertex(&fields, &["AST a[0x6c], R2", "AST.64 a[0x2c0], R2"]);
    let text = wgsl(&fewer);
    assert!(text.starts_with("enable clip_distances;") && !text.contains("point_size:"), "{text}");
}

#[test]
fn systems_of_pixels_have_the_languages_names() {
    let fields = [
        "ImapSystemValuesB PrimitiveId RtArrayIndex",
        "ImapSystemValuesC ClipDistance0 PointSpriteS PointSpriteT",
    ];
    let of = |address: &str| pixel(&fields, &[&format!("IPA.CONSTANT R0, a[{address}], RZ")]);
    assert!(text(&of("0x60"), GLSL).contains("gl_PrimitiveID"));
    assert!(wgsl(&of("0x60")).starts_with("enable primitive_index;"));
    assert!(text(&of("0x64"), GLSL).contains("uint(gl_Layer)"), "{}", text(&of("0x64"), GLSL));
    let point = pixel(&fields, &["IPA.PASS R0, a[0x2e0], RZ"]);
    assert!(text(&point, GLSL).contains("gl_PointCoord"));
    let (output, _) = translated(&point, Target::Wgsl);
    assert_eq!(output.warnings[0].code, "translate-points");
}

/// Languages compare with textures of two dimensions, and their offsets are constants.
#[test]
fn texture_operations_have_the_form_of_languages() {
    let compared = pixel(&[], &["TEX.LZ.DC R0, R2, 0x28, 1D, 0x1"]);
    assert!(wgsl(&compared).contains("texture_depth_2d"), "{}", wgsl(&compared));
    let fields = ["ImapGenericVector[0] constant.x"];
    let offset = pixel(&fields, &["IPA.CONSTANT R4, a[0x80], RZ", "TLD4.R.AOFFI R0, R2, R4, 0x28, 2D, 0x1"]);
    let text = wgsl(&offset);
    assert!(text.contains("textureGather(") && text.contains("textureDimensions("), "{text}");
    let raw = pixel(&[], &["SULD.D.2D.IGN R0, [R2], 0x28"]);
    let text = wgsl(&raw);
    assert!(text.contains("texture_2d<u32>") && text.contains("textureLoad"), "{text}");
}

#[test]
fn workgroups_belong_to_compute_programs() {
    for (line, what) in [
        ("BAR.SYNC 0x0", "`BAR` waits at a barrier of the workgroup"),
        ("BAR.SYNCALL", "`BAR` waits at a barrier of the workgroup"),
        ("B2R.RESULT R0", "`B2R` reads the result of a barrier of the workgroup"),
        ("LDS R0, [R1]", "`LDS` accesses the memory of the workgroup"),
        ("STS [R1], R0", "`STS` accesses the memory of the workgroup"),
        ("ATOMS.ADD R0, [R1], R2", "`ATOMS` accesses the memory of the workgroup"),
    ] {
        let lines = ["MOV R1, c[0x3][0x0]", line, "AST a[0x70], R0"];
        for (staged, stage) in [
            (vertex(&["OmapSystemValuesB PositionX"], &lines), "vertex"),
            (
                staged(ShaderStage::TessellationControl, &["OmapSystemValuesB PositionX"], &lines),
                "tessellation-control",
            ),
        ] {
            let faults = staged.lower(&Limits::default()).unwrap_err();
            let found: Vec<_> = faults.iter().map(|d| (d.code, d.message.as_str())).collect();
            let text = format!("{what}, and a {stage} program has none");
            assert_eq!(found, [("translate-stage", text.as_str())], "{line}");
        }
    }
}

/// Each output that the header has may be the one that a register names; no other one is written.
#[test]
fn stores_at_computed_addresses_are_choices() {
    let fields = ["OmapSystemValuesB PositionX PositionY", "OmapGenericVector[2] xw"];
    let staged = vertex(&fields, &["MOV R1, c[0x3][0x0]", "AST.PHYS.64 a[R1], R2"]);
    let (_, interface, _) = lowered(&staged);
    let outputs: Vec<_> = interface.outputs.iter().map(|io| (&*io.name, io.used.0)).collect();
    assert_eq!(outputs, [("position", 0b11), ("generic2", 0b1001)]);
    text(&staged, GLSL);
}
