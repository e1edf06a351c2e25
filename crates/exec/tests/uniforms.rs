//! Uniforms that a program reads by their number: each unit of each file has its value, and instructions on them run again
//! when one changes.

use crate::common::{self, levels_of_code};
use shisa_diag::Limits;
use shisa_exec::{Attribute, HostLevel, Outputs, Program, Slot};
use shisa_ir::{Binary, File, FileId, FileKind, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type};

const FOUR: Type = Type { scalar: Scalar::I32, count: 4 };

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 8, scalar: Scalar::I32 }
}

static FILES: &[File] = &[
    file("in", FileKind::Input),
    file("out", FileKind::Output),
    file("a", FileKind::Uniform),
    file("b", FileKind::Uniform),
];

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

/// The input times the product of the second register of each file, and the sum of those.
fn program() -> Program {
    let rule = FloatRule::IEEE;
    common::program(&common::function(FILES, |b| {
        let [input, x, y] = [reg(0, 0), reg(2, 4), reg(3, 4)].map(|reg| b.read(reg, Swizzle::IDENTITY, FOUR));
        let mut two = |op, a, c| b.push(Op::Binary { op, rule, a, b: c }, FOUR);
        let (product, sum) = (two(Binary::IMul, x, y), two(Binary::IAdd, x, y));
        let scaled = two(Binary::IMul, input, product);
        b.write(reg(1, 0), Mask::ALL, scaled);
        b.write(reg(1, 4), Mask::ALL, sum);
    }))
}

#[test]
fn units_have_the_values_of_their_file() {
    const LANES: usize = 21;
    let mut program = program();
    // Products and sums of uniforms run once a call, not once a lane.
    assert_eq!(program.size(), (8, 4));
    let slot = |file, units: u16| Slot { reg: reg(file, 0), units, offset: 0, stride: units.into(), step: 1 };
    let data: Vec<u32> = (0..4 * LANES as u32).collect();
    let judge = |program: &Program, level: Option<HostLevel>| {
        let mut runner = program.runner();
        assert!(level.is_none_or(|level| runner.set_level(level)));
        let mut units = [[0u32; 8]; 2];
        let changes: [(u8, u16, &[u32]); 6] = [
            (2, 0, &[1, 2, 3, 4, 5, 6, 7, 8]),
            (3, 4, &[10, 11, 12, 13]),
            (3, 6, &[20]),
            (2, 7, &[30, 31, 32]),
            (2, 0, &[9, 9, 9]),
            (0, 4, &[77, 77, 77, 77]),
        ];
        for (file, first, values) in changes {
            runner.set_uniforms(reg(file, first), values);
            if let Some(units) = usize::from(file).checked_sub(2).and_then(|file| units.get_mut(file)) {
                units.iter_mut().skip(first.into()).zip(values).for_each(|(to, from)| *to = *from);
            }
            let want: Vec<u32> = data
                .chunks(4)
                .flat_map(|row| {
                    let scaled = (0..4).map(|c| row[c] * units[0][4 + c] * units[1][4 + c]);
                    scaled.chain((0..4).map(|c| units[0][4 + c] + units[1][4 + c]))
                })
                .collect();
            let mut got = vec![0; want.len()];
            let mut outputs = Outputs { slots: &[slot(1, 8)], data: &mut got };
            runner
                .run(LANES, &[Attribute { slot: slot(0, 4), data: &data }], &mut outputs, &mut [])
                .unwrap_or_else(|d| panic!("{d}"));
            assert_eq!(got, want, "{level:?}, file {file}, units from {first} on");
        }
    };
    for level in HostLevel::ALL.into_iter().filter(|level| level.is_available()) {
        judge(&program, Some(level));
    }
    for level in levels_of_code() {
        program.add_machine_code_for(level, &Limits::default()).unwrap_or_else(|d| panic!("{d}"));
        judge(&program, None);
    }
}
