//! Attributes and results in arrays of every layout, killed lanes and limits, on every level and in machine code.

use crate::common::{self, runners};
use shisa_diag::Limits;
use shisa_exec::{Attribute, Outputs, Program, Slot};
use shisa_ir::{Binary, File, FileId, FileKind, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 8, scalar: Scalar::I32 }
}

static FILES: &[File] = &[file("in", FileKind::Input), file("out", FileKind::Output)];
/// A lane whose fifth unit has this number is killed.
const KILLED: u32 = 7;

/// The second register is the sum of both that are read, the first is the second of them.
fn program() -> Program {
    common::program(&common::function(FILES, |b| {
        let four = Type { scalar: Scalar::I32, count: 4 };
        let [first, second] = [0, 4].map(|unit| b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, four));
        let rule = FloatRule::IEEE;
        let sum = b.push(Op::Binary { op: Binary::IAdd, rule, a: first, b: second }, four);
        let (number, known) = (b.component(second, 0), b.i32(KILLED as i32));
        let killed = Op::Binary { op: Binary::IEq, rule, a: number, b: known };
        let cond = b.push(killed, Binary::IEq.result(Type::I32));
        b.push(Op::Kill { cond }, Type::NONE);
        b.write(Reg::new(FileId(1), 0), Mask::ALL, second);
        b.write(Reg::new(FileId(1), 4), Mask::ALL, sum);
    }))
}

const fn slot(file: u8, unit: u16, units: u16, [offset, stride, step]: [usize; 3]) -> Slot {
    Slot { reg: Reg::new(FileId(file), unit), units, offset, stride, step }
}

/// The input unit of a lane: that of the first attribute that has it, or zero.
fn given(attributes: &[Attribute<'_>], unit: u16, lane: usize) -> u32 {
    let slots = attributes.iter().map(|a| (a.slot, a.data));
    let mut having = slots.filter(|(s, _)| (s.reg.unit..s.reg.unit + s.units).contains(&unit));
    having
        .next()
        .map_or(0, |(s, data)| data[s.offset + lane * s.stride + usize::from(unit - s.reg.unit) * s.step])
}

#[test]
fn arrays_may_have_any_layout() {
    const LANES: usize = 300;
    let data: Vec<u32> = (0..8 * LANES as u32 + 40).map(|n| n.wrapping_mul(0x9e37_79b9) >> 24 & 15).collect();
    let inputs: [&[Slot]; 8] = [
        &[slot(0, 0, 8, [0, 8, 1])],
        &[slot(0, 0, 4, [0, 4, 1]), slot(0, 4, 4, [3, 5, 1])],
        &[slot(0, 0, 8, [0, 1, LANES])],
        &[slot(0, 4, 3, [0, 3, 1])],
        &[slot(0, 0, 3, [1, 4, 1]), slot(0, 5, 2, [0, 2, 1])],
        // Two attributes have the same units.
        &[slot(0, 4, 4, [9, 4, 1]), slot(0, 0, 8, [0, 8, 1])],
        &[slot(0, 4, 4, [0, 0, 1])],
        &[],
    ];
    let outputs: [&[Slot]; 6] = [
        &[slot(1, 0, 8, [0, 8, 1])],
        &[slot(1, 0, 4, [0, 8, 1]), slot(1, 4, 4, [4, 8, 1])],
        &[slot(1, 0, 8, [0, 1, LANES])],
        &[slot(1, 2, 4, [0, 6, 1])],
        // The rows of lanes overlap.
        &[slot(1, 4, 4, [0, 3, 1])],
        &[slot(1, 0, 1, [5, 2, 1])],
    ];
    for (name, mut runner) in runners(program()) {
        for lanes in [1, 15, 16, 17, 63, LANES] {
            for (slots, results) in inputs.iter().flat_map(|i| outputs.iter().map(move |o| (*i, *o))) {
                let attributes: Vec<Attribute<'_>> =
                    slots.iter().map(|slot| Attribute { slot: *slot, data: &data }).collect();
                let value = |unit: u16, lane| match unit {
                    0..4 => given(&attributes, unit + 4, lane),
                    _ => given(&attributes, unit - 4, lane).wrapping_add(given(&attributes, unit, lane)),
                };
                let mut want = vec![99; 8 * LANES];
                for lane in 0..lanes {
                    for s in results {
                        for n in 0..s.units {
                            want[s.offset + lane * s.stride + usize::from(n) * s.step] =
                                value(s.reg.unit + n, lane);
                        }
                    }
                }
                let (mut got, mut killed) = (vec![99; 8 * LANES], vec![false; lanes]);
                let mut outputs = Outputs { slots: results, data: &mut got };
                runner.run(lanes, &attributes, &mut outputs, &mut killed).unwrap_or_else(|d| panic!("{d}"));
                assert_eq!(got, want, "{name}: {lanes} lanes, {slots:?} to {results:?}");
                let dead: Vec<bool> = (0..lanes).map(|lane| given(&attributes, 4, lane) == KILLED).collect();
                assert_eq!(killed, dead, "{name}: {lanes} lanes, {slots:?}");
            }
        }
    }
}

/// Every engine counts the same instructions: those of a lane, and those of all.
#[test]
fn limits_are_those_of_the_instructions() {
    const LANES: usize = 50;
    let mut all: Vec<[u64; 2]> = Vec::new();
    for (name, mut runner) in runners(program()) {
        let mut least = |limits: &dyn Fn(u64) -> Limits| {
            let mut passes = |most: u64| {
                runner.set_limits(limits(most));
                let mut data = vec![0; 8 * LANES];
                let mut outputs = Outputs { slots: &[slot(1, 0, 8, [0, 8, 1])], data: &mut data };
                runner.run(LANES, &[], &mut outputs, &mut []).map_err(|d| d.code)
            };
            let least = (0..100_000).find(|most| passes(*most).is_ok()).expect("no limit suffices");
            assert_eq!(passes(least - 1), Err("limit-exceeded"), "{name}");
            least
        };
        let lane = least(&|lane_steps| Limits { lane_steps, ..Limits::default() });
        let run = least(&|run_steps| Limits { run_steps, ..Limits::default() });
        assert_eq!(run, lane * LANES as u64, "{name}");
        all.push([lane, run]);
    }
    assert!(all.iter().all(|limits| *limits == all[0]), "{all:?}");
}
