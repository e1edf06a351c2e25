//! The largest programs that the engine and machine code accept: files that are read by a computed index, registers of
//! inputs and outputs, masked writes, memory and code.

use crate::common::{self, levels_of_code};
use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Attribute, Outputs, Program, Slot};
use shisa_ir::{
    Binary, Builder, File, FileId, FileKind, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type, Value,
};

const FOUR: Type = Type { scalar: Scalar::I32, count: 4 };
/// Registers of which machine code has an array.
const ARRAYS: u16 = 16;

const fn file(kind: FileKind, units: u16) -> File {
    File { name: "file", kind, unit_bits: 32, units_per_register: 4, units, scalar: Scalar::I32 }
}

const INPUT: File = file(FileKind::Input, 256);
const OUTPUT: File = file(FileKind::Output, 256);

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

const fn slot(reg: Reg, units: u16) -> Slot {
    Slot { reg, units, offset: 0, stride: units as usize, step: 1 }
}

/// The level of machine code on this processor, if it has one.
fn machine_code(program: &mut Program) -> Option<Result<(), Diagnostic>> {
    let level = levels_of_code().next()?;
    Some(program.add_machine_code_for(level, &Limits::default()))
}

/// A program of one block.
fn program(files: &'static [File], build: impl FnOnce(&mut Builder<'_>)) -> Result<Program, Diagnostic> {
    common::compiled(&common::function(files, build))
}

/// The row at the index in the first input.
fn row(b: &mut Builder<'_>, file: u8) -> Value {
    let index = b.read(reg(0, 0), Swizzle::IDENTITY, Type::I32);
    let (file, swizzle) = (FileId(file), Swizzle::IDENTITY);
    b.push(Op::ReadAt { file, base: 0, stride: 4, index, swizzle }, FOUR)
}

/// What the program computes for these inputs, each of so many units.
fn outputs(
    program: &Program,
    uniforms: &[(Reg, Vec<u32>)],
    (units, data): (u16, &[u32]),
    of: u16,
) -> Vec<u32> {
    let mut runner = program.runner();
    for (first, units) in uniforms {
        runner.set_uniforms(*first, units);
    }
    let lanes = data.len() / usize::from(units);
    let mut got = vec![0; lanes * usize::from(of)];
    let mut outputs = Outputs { slots: &[slot(reg(1, 0), of)], data: &mut got };
    let attribute = Attribute { slot: slot(reg(0, 0), units), data };
    runner.run(lanes, &[attribute], &mut outputs, &mut []).unwrap_or_else(|d| panic!("{d}"));
    got
}

#[test]
fn files_of_4096_units_are_read_by_a_computed_index() {
    static MOST: [File; 3] = [INPUT, OUTPUT, file(FileKind::Uniform, 4096)];
    static MORE: [File; 3] = [INPUT, OUTPUT, file(FileKind::Uniform, 4097)];
    let of = |files| {
        program(files, |b| {
            let row = row(b, 2);
            b.write(reg(1, 0), Mask::ALL, row);
        })
    };
    let refused = of(&MORE).map(|_| ()).unwrap_err();
    assert_eq!(refused.code, "exec-unsupported");
    assert_eq!(
        refused.message,
        "the batch engine does not support more than 4096 uniforms that are read by a computed index"
    );
    let mut program = of(&MOST).unwrap_or_else(|d| panic!("{d}"));
    let uniforms = [(reg(2, 0), (1..=4096).collect())];
    let indices = [0, 1, 1022, 1023, 1024, 2047, 2048, 4096, 0x4000_0000, u32::MAX];
    let want: Vec<u32> = indices
        .iter()
        .flat_map(|index| [0, 1, 2, 3].map(|n| if *index < 1024 { 4 * index + n + 1 } else { 0 }))
        .collect();
    assert_eq!(outputs(&program, &uniforms, (1, &indices), 4), want);
    if let Some(made) = machine_code(&mut program) {
        made.unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(outputs(&program, &uniforms, (1, &indices), 4), want, "machine code");
    }
}

#[test]
fn machine_code_reads_four_files_by_a_computed_index() {
    const UNIFORM: File = file(FileKind::Uniform, 16);
    static FILES: [File; 7] = [INPUT, OUTPUT, UNIFORM, UNIFORM, UNIFORM, UNIFORM, UNIFORM];
    for count in [4, 5u8] {
        let mut program = program(&FILES, |b| {
            for n in 0..count {
                let row = row(b, 2 + n);
                b.write(reg(1, 4 * u16::from(n)), Mask::ALL, row);
            }
        })
        .unwrap_or_else(|d| panic!("{d}"));
        let uniforms: Vec<(Reg, Vec<u32>)> = (0..count)
            .map(|n| (reg(2 + n, 0), (0..16).map(|unit| 100 * u32::from(n) + unit).collect()))
            .collect();
        let want: Vec<u32> = [3, 0, 4, 2]
            .iter()
            .flat_map(|index| (0..u32::from(count)).flat_map(move |n| [0, 1, 2, 3].map(|c| (n, index, c))))
            .map(|(n, index, c)| if *index < 4 { 100 * n + 4 * index + c } else { 0 })
            .collect();
        let got = |program: &Program| outputs(program, &uniforms, (1, &[3, 0, 4, 2]), 4 * u16::from(count));
        assert_eq!(got(&program), want);
        match machine_code(&mut program) {
            Some(made) if count <= 4 => made.unwrap_or_else(|d| panic!("{d}")),
            Some(made) => assert_eq!(made.unwrap_err().code, "exec-unsupported"),
            None => {}
        }
        assert_eq!(got(&program), want, "machine code");
    }
}

/// A program that is one function loads and stores up to 16 registers by itself.
#[test]
fn machine_code_has_arrays_for_sixteen_registers() {
    static FILES: [File; 2] = [INPUT, OUTPUT];
    for (inputs, outputs_of) in [(ARRAYS, ARRAYS), (ARRAYS + 1, 1), (1, ARRAYS + 1)] {
        let mut program = program(&FILES, |b| {
            let values: Vec<Value> =
                (0..inputs).map(|n| b.read(reg(0, 4 * n), Swizzle::IDENTITY, FOUR)).collect();
            let rule = FloatRule::IEEE;
            let add =
                |b: &mut Builder<'_>, x, y| b.push(Op::Binary { op: Binary::IAdd, rule, a: x, b: y }, FOUR);
            let sum = values[1..].iter().fold(values[0], |sum, value| add(b, sum, *value));
            for n in 0..outputs_of {
                let value = values[usize::from(n) % values.len()];
                let value = add(b, sum, value);
                b.write(reg(1, 4 * n), Mask::ALL, value);
            }
        })
        .unwrap_or_else(|d| panic!("{d}"));
        let units = 4 * inputs;
        let data: Vec<u32> = (0..40 * u32::from(units)).map(|n| n.wrapping_mul(0x9e37_79b9)).collect();
        let lane = |row: &[u32]| -> Vec<u32> {
            let sum = |c: usize| row.iter().skip(c).step_by(4).fold(0u32, |sum, x| sum.wrapping_add(*x));
            let value = |n: u16, c: usize| row[4 * usize::from(n % inputs) + c];
            (0..outputs_of).flat_map(|n| [0, 1, 2, 3].map(|c| sum(c).wrapping_add(value(n, c)))).collect()
        };
        let want: Vec<u32> = data.chunks(units.into()).flat_map(lane).collect();
        let got = |program: &Program| outputs(program, &[], (units, &data), 4 * outputs_of);
        assert_eq!(got(&program), want);
        // Other programs are pieces.
        machine_code(&mut program).into_iter().for_each(|made| made.unwrap_or_else(|d| panic!("{d}")));
        assert_eq!(got(&program), want, "machine code");
    }
}
