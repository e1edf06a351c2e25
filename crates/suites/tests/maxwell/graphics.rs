//! Values of instructions of graphics stages.

use crate::assembled::assemble;
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoObserver};
use shisa_ir::{Binding, Interpolation, Reg, Space, Stage};
use shisa_maxwell::container::Sph;
use shisa_maxwell::{
    ATTRIBUTES, COMPONENTS, Drawing, OUTPUTS, Options, PATCH, PIXEL, PREDICATES, PixelOutput, PixelRegister,
    Program, REGISTERS, Sequencer, ShaderStage, interface, lift,
};

/// The attributes of a patch, which invocations share.
#[derive(Default)]
struct Shared(Vec<u8>);

impl Environment for Shared {
    fn load(&mut self, space: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        assert_eq!(space, Space::Shared);
        self.0.resize(0x400, 0);
        bytes.copy_from_slice(&self.0[address as usize..][..bytes.len()]);
        Ok(())
    }

    fn store(&mut self, space: Space, _: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        assert_eq!(space, Space::Shared);
        self.0.resize(0x400, 0);
        self.0[address as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }
}

fn header(stage: ShaderStage, fields: &[&str]) -> Sph {
    let mut header = Sph::new(stage).unwrap();
    fields.iter().for_each(|field| header.set(&format!(" {field}"), 0).unwrap());
    header
}

fn program(stage: ShaderStage, header: Option<Sph>, lines: &[&str]) -> Program {
    let drawing = Drawing::new(stage, header, Options::DEFAULT);
    let kind = if stage == ShaderStage::Fragment { Stage::Fragment } else { Stage::Vertex };
    let lines: Vec<&str> = lines.iter().copied().chain(["EXIT"]).collect();
    Program { stage: kind, drawing: Some(drawing), ..assemble(&lines) }
}

/// What four lanes have in registers after a program: inputs are the register, and its bits in each lane.
fn run(program: &Program, inputs: &[(Reg, [u32; 4])], outputs: &[Reg]) -> Vec<[u32; 4]> {
    let lifted = lift(program).unwrap_or_else(|faults| panic!("{faults:?}"));
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 8, 15);
    for (reg, bits) in inputs {
        (0..4).for_each(|lane| machine.set_input(*reg, lane, bits[lane]).unwrap());
    }
    machine.run(&mut Shared::default(), &mut NoObserver, &Limits::default()).unwrap();
    let of = |reg: &Reg| [0, 1, 2, 3].map(|lane| machine.register(*reg, lane).unwrap());
    outputs.iter().map(of).collect()
}

fn refusal(stage: ShaderStage, line: &str) -> Option<&'static str> {
    lift(&program(stage, None, &[line])).err().map(|faults| faults[0].code)
}

const fn r(n: u16) -> Reg {
    Reg::new(REGISTERS, n)
}

const fn a(address: u16) -> Reg {
    Reg::new(ATTRIBUTES, address / 4)
}

const fn o(address: u16) -> Reg {
    Reg::new(OUTPUTS, address / 4)
}

fn bits(of: [f32; 4]) -> [u32; 4] {
    of.map(f32::to_bits)
}

const SAME: fn(f32) -> [u32; 4] = |v| [v.to_bits(); 4];

/// Two pixels of a row, two rows: an attribute with the slopes 2 and 4, and 1 / w of 0.5.
const PLANE: [f32; 4] = [1.0, 3.0, 5.0, 7.0];

fn pixel(header: Option<Sph>, lines: &[&str]) -> [u32; 4] {
    let inputs = [
        (a(0x84), bits(PLANE)),
        (a(0x7c), SAME(0.5)),
        (a(0x70), bits([0.5, 1.5, 0.5, 1.5])),
        (a(0x3fc), [1, 0, 1, 0]),
    ];
    run(&program(ShaderStage::Fragment, header, lines), &inputs, &[r(0)])[0]
}

#[test]
fn interpolation_follows_the_header() {
    let with = |how: &str| {
        let map = format!("ImapGenericVector[0] {how}.y");
        Some(header(ShaderStage::Fragment, &[&map, "ImapSystemValuesB PositionX PositionW"]))
    };
    let line = ["IPA.PASS R0, a[0x84], RZ"];
    assert_eq!(pixel(with("perspective"), &line), bits(PLANE.map(|v| v * 0.5)));
    assert_eq!(pixel(with("screen-linear"), &line), bits(PLANE));
    assert_eq!(pixel(with("constant"), &["IPA.CONSTANT R0, a[0x84], RZ"]), bits(PLANE));
    // The header has no such component.
    let other = Some(header(ShaderStage::Fragment, &["ImapGenericVector[0] perspective.x"]));
    assert_eq!(pixel(other, &line), [0; 4]);
    // The factor that compilers compute is w.
    let times_w = ["IPA.PASS R1, a[0x7c], RZ", "MUFU.RCP R1, R1", "IPA R0, a[0x84], R1"];
    assert_eq!(pixel(with("perspective"), &times_w), bits(PLANE));
    // A factor multiplies what is linear on the screen, too.
    let factor = ["MOV32I R1, 0x40400000", "IPA R0, a[0x84], R1"];
    assert_eq!(pixel(with("screen-linear"), &factor), bits(PLANE.map(|v| v * 3.0)));
    assert_eq!(pixel(with("screen-linear"), &["IPA.PASS.SAT R0, a[0x84], RZ"]), SAME(1.0));
    // `.SC` is what the header states.
    let state = ["MOV32I R1, 0x40000000", "IPA.SC R0, a[0x84], R1"];
    assert_eq!(pixel(with("perspective"), &state), bits(PLANE));
    assert_eq!(pixel(with("constant"), &state), bits(PLANE));
    assert_eq!(refusal(ShaderStage::Fragment, state[1]), Some("lift-interpolation"));
}

#[test]
fn without_a_header_instructions_show_how_they_interpolate() {
    assert_eq!(pixel(None, &["IPA.PASS R0, a[0x84], RZ"]), bits(PLANE));
    let factor = ["MOV32I R1, 0x40000000", "IPA R0, a[0x84], R1"];
    assert_eq!(pixel(None, &factor), bits(PLANE));
    assert_eq!(pixel(None, &["IPA.PASS R0, a[0x70], RZ"]), bits([0.5, 1.5, 0.5, 1.5]));
    assert_eq!(pixel(None, &["IPA.CONSTANT R0, a[0x3fc], RZ"]), [!0, 0, !0, 0]);
}

#[test]
fn offsets_move_the_point_within_the_pixel() {
    let moved = |word: &str, line: &str| pixel(None, &[&format!("MOV32I R1, {word}"), line]);
    let line = "IPA.PASS.OFFSET R0, a[0x84], RZ, R1";
    // A quarter to the right, then half a pixel up. Bits 12 to 15 of each half do not count.
    assert_eq!(moved("0x400", line), bits(PLANE.map(|v| v + 0.5)));
    assert_eq!(moved("0x8000400", line), bits(PLANE.map(|v| v + 0.5 - 2.0)));
    assert_eq!(moved("0xf800f400", line), bits(PLANE.map(|v| v + 0.5 - 2.0)));
    // What is constant has no slope.
    let flat = Some(header(ShaderStage::Fragment, &["ImapGenericVector[0] constant.y"]));
    let line = "IPA.CONSTANT.OFFSET R0, a[0x84], RZ, R1";
    assert_eq!(pixel(flat, &["MOV32I R1, 0x400", line]), bits(PLANE));
    assert_eq!(pixel(None, &["IPA.PASS.CENTROID R0, a[0x84], RZ"]), bits(PLANE));
}

#[test]
fn a_register_holds_the_address_of_an_interpolated_attribute() {
    let map = "ImapGenericVector[0] perspective.y";
    let head = Some(header(ShaderStage::Fragment, &[map, "ImapSystemValuesB PositionX PositionW"]));
    let line = "IPA.IDX.PASS R0, a[R2], RZ, PT";
    assert_eq!(pixel(head, &["MOV32I R2, 0x84", line]), bits(PLANE.map(|v| v * 0.5)));
    assert_eq!(pixel(head, &["MOV32I R2, 0x70", line]), bits([0.5, 1.5, 0.5, 1.5]));
    // The header has no such attribute.
    assert_eq!(pixel(head, &["MOV32I R2, 0x80", line]), [0; 4]);
    assert_eq!(refusal(ShaderStage::Fragment, "IPA.IDX R0, a[R0], RZ, P1"), Some("lift-interpolation"));
    assert_eq!(refusal(ShaderStage::Fragment, "IPA.INVALID R0, a[0x80], RZ"), Some("lift-interpolation"));
    assert_eq!(refusal(ShaderStage::Fragment, "IPA R0, a[0x82], RZ"), Some("lift-attribute"));
}

#[test]
fn pixels_end_with_the_outputs_in_registers() {
    let head = header(
        ShaderStage::Fragment,
        &["OmapTarget[0] xz", "OmapTarget[2] y", "OmapSampleMask 1", "OmapDepth 1"],
    );
    let lines =
        ["MOV32I R0, 0x10", "MOV32I R1, 0x11", "MOV32I R2, 0x12", "MOV32I R3, 0x13", "MOV32I R4, 0x14"];
    let code = program(ShaderStage::Fragment, Some(head), &lines);
    let target = |number, component| PixelOutput::Target { number, component };
    let places = [target(0, 0), target(0, 2), target(2, 1), PixelOutput::SampleMask, PixelOutput::Depth];
    let regs = places.map(|output| Reg::new(OUTPUTS, output.unit()));
    assert_eq!(run(&code, &[], &regs), [0x10, 0x11, 0x12, 0x13, 0x14].map(|word| [word; 4]));
    let outputs = interface(&code, &lift(&code).unwrap()).outputs;
    let found: Vec<_> = outputs.iter().map(|io| (&*io.name, io.used.0, io.binding)).collect();
    let expected = [
        ("target0", 5, Binding::Location(0)),
        ("target2", 2, Binding::Location(2)),
        ("sample_mask", 1, Binding::SampleMask),
        ("depth", 1, Binding::Depth),
    ];
    assert_eq!(found, expected);
    // Lanes that end early have the outputs of that moment.
    let early = ["MOV32I R0, 0x1", "ISETP.EQ.AND P0, PT, R5, RZ, PT", "@P0 EXIT", "MOV32I R0, 0x2"];
    let code = program(ShaderStage::Fragment, None, &early);
    assert_eq!(run(&code, &[(r(5), [0, 1, 0, 1])], &[o(0)]), [[1, 2, 1, 2]]);
}

#[test]
fn inputs_of_pixels_have_names_and_bindings() {
    let map = [
        "ImapGenericVector[1] screen-linear.xy",
        "ImapGenericVector[2] constant.x",
        "ImapGenericVector[0] perspective.w",
        "ImapSystemValuesB PositionW",
    ];
    let head = header(ShaderStage::Fragment, &map);
    let lines = [
        "IPA R0, a[0x8c], R1",
        "IPA.PASS R0, a[0x94], RZ",
        "IPA.CONSTANT R0, a[0xa0], RZ",
        "IPA.CONSTANT R0, a[0x3fc], RZ",
        "PIXLD.COVMASK R0, [RZ]",
    ];
    let code = program(ShaderStage::Fragment, Some(head), &lines);
    let inputs = interface(&code, &lift(&code).unwrap()).inputs;
    let found: Vec<_> = inputs.iter().map(|io| (&*io.name, io.used.0, io.binding)).collect();
    let varying = |location, interpolation| Binding::Varying {
        location,
        interpolation,
        sampling: shisa_ir::Sampling::Centre,
    };
    let expected = [
        ("position", 8, Binding::PixelPosition),
        ("generic0", 8, Binding::Location(0)),
        ("generic1", 2, varying(1, Interpolation::Linear)),
        ("generic2", 1, varying(2, Interpolation::Flat)),
        ("front_facing", 1, Binding::FrontFacing),
        ("coverage", 1, Binding::SampleMask),
    ];
    assert_eq!(found, expected);
}

#[test]
fn attributes_of_vertices_are_loaded_and_stored() {
    let lines = ["ALD.128 R4, a[0x80]", "AST.128 a[0x70], R4", "ALD.64 R8, a[0x2f8]", "AST a[0x98], R9"];
    let inputs = [(a(0x84), [1, 2, 3, 4]), (a(0x8c), [5; 4]), (a(0x2fc), [6, 7, 8, 9])];
    let code = program(ShaderStage::Vertex, None, &lines);
    let outputs = run(&code, &inputs, &[o(0x74), o(0x7c), o(0x98)]);
    assert_eq!(outputs, [[1, 2, 3, 4], [5; 4], [6, 7, 8, 9]]);
    let found = interface(&code, &lift(&code).unwrap());
    let names = |list: &[shisa_ir::Io]| list.iter().map(|io| String::from(&*io.name)).collect::<Vec<_>>();
    assert_eq!(names(&found.inputs), ["generic0", "instance", "vertex"]);
    assert_eq!(names(&found.outputs), ["position", "generic1"]);
    assert_eq!(found.outputs[1].used.0, 4);
}

/// What the header does not have is neither loaded nor stored.
#[test]
fn the_header_decides_which_attributes_exist() {
    let head = header(ShaderStage::Vertex, &["ImapGenericVector[0] xw", "OmapGenericVector[0] yz"]);
    let lines = [
        "ALD.128 R0, a[0x80]",
        "MOV32I R4, 0x5",
        "MOV R5, R4",
        "MOV R6, R4",
        "MOV R7, R4",
        "AST.128 a[0x80], R4",
    ];
    let inputs = [0x80, 0x84, 0x88, 0x8c].map(|address| (a(address), [9; 4]));
    let regs = [r(0), r(1), r(2), r(3), o(0x80), o(0x84), o(0x88), o(0x8c)];
    let found = run(&program(ShaderStage::Vertex, Some(head), &lines), &inputs, &regs);
    assert_eq!(found, [9, 0, 0, 9, 0, 5, 5, 0].map(|word| [word; 4]));
}

#[test]
fn registers_hold_addresses_of_attributes() {
    let lines =
        ["AL2P P1, R2, R3, 0x4", "ALD.PHYS.64 R4, a[R2]", "AST.PHYS.64 a[R2], R4", "ALD.O.PHYS R6, a[R2]"];
    let inputs =
        [(r(3), [0x80, 0x90, 0x3f8, 0x3fc]), (a(0x84), [1; 4]), (a(0x88), [2; 4]), (a(0x94), [3; 4])];
    let regs = [r(2), r(4), r(5), r(6), o(0x84), o(0x88), o(0x94), Reg::new(PREDICATES, 1)];
    let found = run(&program(ShaderStage::Vertex, None, &lines), &inputs, &regs);
    assert_eq!(found[0], [0x84, 0x94, 0x3fc, 0x400]);
    assert_eq!(found[1..3], [[1, 3, 0, 0], [2, 0, 0, 0]]);
    assert_eq!(found[3..7], [[1, 3, 0, 0], [1, 0, 0, 0], [2, 0, 0, 0], [0, 3, 0, 0]]);
    assert_eq!(found[7], [0, 0, 0, 1]);
    assert_eq!(refusal(ShaderStage::Vertex, "ALD R0, a[0x1]"), Some("lift-attribute"));
    assert_eq!(refusal(ShaderStage::Vertex, "ALD.128 R0, a[0x3f8]"), Some("lift-attribute"));
}

#[test]
fn vertices_of_a_primitive_have_numbers() {
    let lines = ["ISBERD R2, [R3]", "ALD.64 R4, a[0x80], R2", "ALD R6, a[0x60]"];
    let at = |vertex: u16, address: u16| Reg::new(ATTRIBUTES, vertex * COMPONENTS + address / 4);
    let inputs = [
        (r(3), [0, 1, 2, 31]),
        (at(0, 0x80), [10; 4]),
        (at(1, 0x80), [11; 4]),
        (at(2, 0x84), [12; 4]),
        (at(31, 0x80), [13; 4]),
        (at(0, 0x60), [7; 4]),
    ];
    let code = program(ShaderStage::Geometry, None, &lines);
    let found = run(&code, &inputs, &[r(4), r(5), r(6)]);
    assert_eq!(found, [[10, 11, 0, 13], [0, 0, 12, 0], [7; 4]]);
    assert_eq!(refusal(ShaderStage::Geometry, "ISBERD.O.PRIM R4, [R28]"), Some("lift-vertices"));
    assert_eq!(refusal(ShaderStage::Geometry, "ALD.O R0, a[0x80]"), Some("lift-attribute"));
}

#[test]
fn invocations_of_a_patch_share_outputs() {
    let control = ShaderStage::TessellationControl;
    // Each invocation stores its number, then loads that of the next one.
    let lines = ["AST a[0x80], R2", "ALD.O R4, a[0x80], R3", "@P0 AST.P a[0x20], R2", "ALD.O.P R5, a[0x20]"];
    let inputs = [(r(2), [10, 11, 12, 13]), (r(3), [1, 2, 3, 0]), (Reg::new(PREDICATES, 0), [0, 0, 1, 0])];
    let found = run(&program(control, None, &lines), &inputs, &[r(4), r(5)]);
    assert_eq!(found, [[11, 12, 13, 10], [12; 4]]);
    let evaluation = ShaderStage::TessellationEvaluation;
    let lines = ["ALD.O.64 R4, a[0x2f0], R2", "ALD.P R6, a[0x20]"];
    let inputs = [
        (r(2), [0, 1, 2, 3]),
        (a(0x2f0), [1, 2, 3, 4]),
        (a(0x2f4), [5, 6, 7, 8]),
        (Reg::new(PATCH, 8), [9; 4]),
    ];
    let found = run(&program(evaluation, None, &lines), &inputs, &[r(4), r(5), r(6)]);
    assert_eq!(found, [[1, 2, 3, 4], [5, 6, 7, 8], [9; 4]]);
    assert_eq!(refusal(evaluation, "AST.P a[0x20], R2"), Some("lift-attribute"));
    assert_eq!(refusal(evaluation, "ALD.O.P R2, a[0x20]"), Some("lift-attribute"));
    assert_eq!(refusal(ShaderStage::TessellationControl, "ALD.O.P R2, a[0x20]"), None);
}

#[test]
fn pixels_have_samples() {
    let unit = |register: PixelRegister, n: u16| Reg::new(PIXEL, register.unit() + n);
    let lines = [
        "PIXLD R0, [RZ]",
        "PIXLD.COVMASK R1, [RZ]",
        "PIXLD.MY_INDEX R2, [RZ]",
        "PIXLD.CENTROID_OFFSET R3, [RZ]",
        "PIXLD.OFFSET R4, [R5+0x1]",
    ];
    let inputs = [
        (unit(PixelRegister::Samples, 0), [4; 4]),
        (unit(PixelRegister::Coverage, 0), [5, 6, 7, 8]),
        (unit(PixelRegister::Sample, 0), [1; 4]),
        (unit(PixelRegister::CentroidOffset, 0), [2; 4]),
        (unit(PixelRegister::Offsets, 1), [21; 4]),
        (unit(PixelRegister::Offsets, 2), [22; 4]),
        (r(5), [0, 1, 0, 1]),
    ];
    let found = run(&program(ShaderStage::Fragment, None, &lines), &inputs, &[r(0), r(1), r(2), r(3), r(4)]);
    assert_eq!(found, [[4; 4], [5, 6, 7, 8], [1; 4], [2; 4], [21, 22, 21, 22]]);
    for line in
        ["PIXLD.COVERED R0, [RZ]", "PIXLD.COVMASK R0, [R1]", "PIXLD.INVALID0 R0, [RZ]", "PIXLD R0, P0, [RZ]"]
    {
        assert_eq!(refusal(ShaderStage::Fragment, line), Some("lift-pixel"), "{line}");
    }
}

/// An instruction for which the header has no flag does nothing: it neither stores nor writes its destination.
#[test]
fn the_header_drops_what_it_does_not_permit() {
    let lines = ["MOV32I R4, 0x7", "DADD R4, R2, R2", "STG.E [R2], R4", "LDL R4, [R6]", "KIL"];
    let head = header(ShaderStage::Fragment, &["OmapTarget[0] x"]);
    let code = program(ShaderStage::Fragment, Some(head), &lines);
    assert_eq!(run(&code, &[], &[r(4)]), [[7; 4]]);
    let lifted = lift(&code).unwrap();
    assert!(
        !lifted
            .nodes
            .list
            .iter()
            .any(|n| matches!(n.op, shisa_ir::Op::Kill { .. } | shisa_ir::Op::Store { .. }))
    );
    let allowed = header(ShaderStage::Fragment, &["KillsPixels 1", "DoesGlobalStore 1", "DoesLoadOrStore 1"]);
    let lifted = lift(&program(ShaderStage::Fragment, Some(allowed), &lines)).unwrap();
    let ops = |of: fn(&shisa_ir::Op) -> bool| lifted.nodes.list.iter().filter(|n| of(&n.op)).count();
    assert_eq!(ops(|op| matches!(op, shisa_ir::Op::Kill { .. } | shisa_ir::Op::Store { .. })), 2);
}
