//! Arrays that each lane has for itself: the compute form reads them after the inputs of its lane. Without a device the test
//! says so and passes.

use crate::common::*;
use shisa_ir::*;
use shisa_translate::execute::{Device, Register, Resources};
use shisa_translate::*;

const fn file(name: &'static str, kind: FileKind, units: u16) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units, scalar: Scalar::F32 }
}

static FILES: &[File] = &[
    file("va", FileKind::Input, 8),
    file("a", FileKind::Uniform, 12),
    file("b", FileKind::Uniform, 8),
    file("op", FileKind::Output, 4),
    file("v", FileKind::Output, 8),
];
/// Registers of the two inputs and of the arrays.
const INPUTS: usize = 2;
const FIRST: u16 = 3;
const SECOND: u16 = 2;

/// Outputs the first input, the register of `a` that the second input selects plus that of `b`, and the last of `b`.
fn case() -> Case {
    let mut case = Case::new(Stage::Vertex, FILES);
    case.interface.inputs =
        vec![io("va0", 0, 0, 4, Binding::Location(0)), io("va1", 0, 1, 4, Binding::Location(1))];
    case.interface.outputs = vec![
        io("op", 3, 0, 4, Binding::Position),
        io("v0", 4, 0, 4, Binding::Location(0)),
        io("v1", 4, 1, 4, Binding::Location(1)),
    ];
    for (name, of, registers) in [("a", 1, FIRST), ("b", 2, SECOND)] {
        let array = UniformArray::new(name, FileId(of), registers);
        case.interface.uniforms.push(UniformArray { per_lane: true, indirect: true, ..array });
    }
    let block = case.block(|b| {
        let (position, selected) = (input(b, 0), input(b, 1));
        output(b, 3, position);
        let number = b.component(selected, 0);
        let index = b.convert(Convert::FloatToSigned, number, Scalar::I32);
        let mut row = |of| {
            let op = Op::ReadAt { file: FileId(of), base: 0, stride: 4, index, swizzle: Swizzle::IDENTITY };
            b.push(op, F4)
        };
        let (x, y) = (row(1), row(2));
        let sum = b.fadd(x, y);
        output(b, 4, sum);
        let last = b.read(Reg::new(FileId(2), 4 * (SECOND - 1)), Swizzle::IDENTITY, F4);
        b.write(Reg::new(FileId(4), 4), Mask::ALL, last);
    });
    case.tree.body = vec![Stmt::Block(block), Stmt::Exit];
    case
}

#[test]
fn each_lane_reads_its_own_arrays() {
    let options = Options { form: Form::Compute, ..Options::default() };
    let number = |lane: usize, register: usize| (100 * lane + 10 * register) as f32;
    let lanes: Vec<Vec<Register>> = (0..70)
        .map(|lane| {
            let mut registers: Vec<Register> = (0..INPUTS + usize::from(FIRST + SECOND))
                .map(|register| [0.0, 1.0, 2.0, 3.0].map(|c: f32| (c + number(lane, register)).to_bits()))
                .collect();
            registers[1] = [((lane % 2) as f32).to_bits(); 4];
            registers
        })
        .collect();
    for (words, target) in [
        (false, Target::Wgsl),
        (true, Target::Spirv(SpirvVersion::V1_3)),
        (true, Target::Spirv(SpirvVersion::V1_5)),
    ] {
        let device =
            Device::open().and_then(|d| if words { d.with_words(shisa_passthrough::module) } else { Ok(d) });
        let Ok(device) = device.map_err(|e| println!("skipped: {e}")) else { return };
        let translated = case().translate(target, &options).unwrap_or_else(|e| panic!("{target:?}: {e:#?}"));
        let got = device.lanes(&translated, Resources::default(), &lanes).unwrap_or_else(|e| panic!("{e}"));
        for (lane, got) in got.iter().enumerate() {
            let outputs = got.outputs.iter().map(|register| register.map(f32::from_bits)).collect::<Vec<_>>();
            let of = |register: usize, c: usize| c as f32 + number(lane, register);
            let (first, second) = (INPUTS + lane % 2, INPUTS + usize::from(FIRST) + lane % 2);
            let want = [
                [0, 1, 2, 3].map(|c| of(0, c)),
                [0, 1, 2, 3].map(|c| of(first, c) + of(second, c)),
                [0, 1, 2, 3].map(|c| of(INPUTS + usize::from(FIRST + SECOND) - 1, c)),
            ];
            assert_eq!(outputs, want, "{target:?} lane {lane}");
        }
    }
}
