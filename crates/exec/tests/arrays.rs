//! Arrays of the caller that end with the last unit that a run needs, and arrays that are shorter.

use crate::common::{self, runners};
use shisa_diag::Limits;
use shisa_exec::{Attribute, Outputs, Program, Runner, Slot};
use shisa_ir::{Binary, File, FileId, FileKind, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type};

const UNITS: u16 = 8;
/// What the program adds to every unit.
const ADDED: u32 = 0x100;

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: UNITS, scalar: Scalar::I32 }
}

static FILES: &[File] =
    &[file("in", FileKind::Input), file("out", FileKind::Output), file("c", FileKind::Uniform)];

const fn slot(file: u8, unit: u16, units: u16, [offset, stride, step]: [usize; 3]) -> Slot {
    Slot { reg: Reg::new(FileId(file), unit), units, offset, stride, step }
}

/// Each unit of the output is that of the input, and a number.
fn program() -> Program {
    let four = Type { scalar: Scalar::I32, count: 4 };
    common::program(&common::function(FILES, |b| {
        let added = b.i32(ADDED as i32);
        let added = b.join(&[added; 4]);
        for unit in [0, 4] {
            let read = b.read(Reg::new(FileId(0), unit), Swizzle::IDENTITY, four);
            let sum = b.push(Op::Binary { op: Binary::IAdd, rule: FloatRule::IEEE, a: read, b: added }, four);
            b.write(Reg::new(FileId(1), unit), Mask::ALL, sum);
        }
    }))
}

/// Number of elements that the slot needs for so many lanes.
fn length(slot: &Slot, lanes: usize) -> usize {
    match (lanes, usize::from(slot.units)) {
        (0, _) | (_, 0) => 0,
        (lanes, units) => slot.offset + (lanes - 1) * slot.stride + (units - 1) * slot.step + 1,
    }
}

fn layouts(file: u8, lanes: usize) -> Vec<Slot> {
    let of = |unit, units, layout| slot(file, unit, units, layout);
    vec![
        of(0, 4, [0, 4, 1]),
        of(0, 4, [3, 5, 1]),
        of(4, 4, [0, 9, 1]),
        of(0, 3, [0, 3, 1]),
        of(4, 3, [2, 4, 1]),
        of(1, 3, [0, 4, 1]),
        of(0, 8, [0, 8, 1]),
        of(0, 6, [1, 7, 1]),
        of(5, 1, [0, 1, 1]),
        of(0, 8, [0, 1, lanes]),
        of(0, 4, [5, 12, 3]),
    ]
}

#[test]
fn arrays_end_with_the_last_unit() {
    for (name, mut runner) in runners(program()) {
        for lanes in [1, 3, 15, 16, 17, 31, 33, 127, 128, 129, 160, 260] {
            for (input, output) in layouts(0, lanes)
                .iter()
                .flat_map(|input| layouts(1, lanes).into_iter().map(move |output| (*input, output)))
            {
                let data: Vec<u32> = (1..=length(&input, lanes) as u32).collect();
                let mut got = vec![7; length(&output, lanes)];
                let mut want = got.clone();
                for (lane, n) in (0..lanes).flat_map(|lane| (0..output.units).map(move |n| (lane, n))) {
                    let unit = output.reg.unit + n;
                    let given = unit.checked_sub(input.reg.unit).filter(|n| *n < input.units);
                    let read =
                        |n: u16| data[input.offset + lane * input.stride + usize::from(n) * input.step];
                    want[output.offset + lane * output.stride + usize::from(n) * output.step] =
                        given.map_or(0, read) + ADDED;
                }
                let mut outputs = Outputs { slots: &[output], data: &mut got };
                let attribute = Attribute { slot: input, data: &data };
                runner
                    .run(lanes, &[attribute], &mut outputs, &mut [])
                    .unwrap_or_else(|d| panic!("{name}: {d}"));
                assert_eq!(got, want, "{name}: {lanes} lanes, {input:?} to {output:?}");
                assert_eq!(runner.left_chunks(), 0, "{name}");
            }
        }
    }
}

/// The message of a refusal with its note; nothing is written.
fn refusal(lanes: usize, input: Option<(Slot, usize)>, output: (Slot, usize)) -> Option<(String, String)> {
    let data = vec![1; input.map_or(0, |(_, length)| length)];
    let attributes: Vec<Attribute<'_>> =
        input.iter().map(|(slot, _)| Attribute { slot: *slot, data: &data }).collect();
    let mut got = vec![7; output.1];
    let mut outputs = Outputs { slots: &[output.0], data: &mut got };
    let refused = program().runner().run(lanes, &attributes, &mut outputs, &mut []).err()?;
    assert_eq!(refused.code, "exec-attribute");
    assert!(got.iter().all(|element| *element == 7));
    Some((refused.message.clone(), refused.notes.join("; ")))
}

#[test]
fn shorter_arrays_are_refused() {
    for lanes in [1, 16, 50] {
        for (input, output) in layouts(0, lanes).into_iter().zip(layouts(1, lanes)) {
            let (needed, of_output) = (length(&input, lanes), length(&output, lanes));
            assert_eq!(refusal(lanes, Some((input, needed)), (output, of_output)), None);
            let short = |slot: &Slot, needed: usize| {
                let (unit, file, length) = (slot.reg.unit, slot.reg.file.0, needed - 1);
                Some((
                    format!("the array of unit {unit} of register file {file} has {length} elements"),
                    format!("{lanes} lanes need {needed}"),
                ))
            };
            let refused = refusal(lanes, Some((input, needed - 1)), (output, of_output));
            assert_eq!(refused, short(&input, needed));
            let refused = refusal(lanes, Some((input, needed)), (output, of_output - 1));
            assert_eq!(refused, short(&output, of_output));
        }
    }
    // Without lanes or units an array has no end.
    assert_eq!(refusal(0, None, (slot(1, 0, 8, [100, 8, 1]), 0)), None);
    assert_eq!(refusal(9, None, (slot(1, 0, 0, [100, 8, 1]), 0)), None);
    for layout in [[usize::MAX, 8, 1], [0, usize::MAX, 1], [0, 8, usize::MAX], [usize::MAX - 8, 8, 1]] {
        let (_, note) = refusal(9, None, (slot(1, 0, 8, layout), 100)).unwrap_or_default();
        assert_eq!(note, "9 lanes need more elements than memory can have", "{layout:?}");
    }
}

#[test]
fn registers_are_those_of_the_kind() {
    let good = (slot(1, 0, 8, [0, 8, 1]), 8);
    let none = |kind: &str, unit, file, units| {
        Some((
            format!("{units} units from unit {unit} of register file {file} on are no {kind} registers"),
            String::new(),
        ))
    };
    for (file, unit, units) in
        [(0, 0, 9), (0, 8, 1), (0, 4, 5), (1, 0, 4), (2, 0, 4), (3, 0, 4), (0, u16::MAX, 2)]
    {
        let refused = refusal(1, Some((slot(file, unit, units, [0, 8, 1]), 100)), good);
        assert_eq!(refused, none("input", unit, file, units));
    }
    assert_eq!(refusal(1, Some((slot(0, 0, 8, [0, 8, 1]), 8)), good), None);
    for (file, unit, units) in [(1, 0, 9), (1, 8, 1), (0, 0, 4), (2, 0, 4), (3, 0, 4), (1, u16::MAX, 2)] {
        let refused = refusal(1, None, (slot(file, unit, units, [0, 8, 1]), 100));
        assert_eq!(refused, none("output", unit, file, units));
    }
}

/// Of attributes with common units the first counts, whether a row of the others is in one piece or not.
#[test]
fn the_first_attribute_of_a_unit_counts() {
    const LANES: usize = 40;
    let data = |first: u32| (first..first + 8 * LANES as u32).collect::<Vec<_>>();
    let (some, all) = (data(1000), data(5000));
    let whole = slot(0, 0, 8, [0, 8, 1]);
    for part in [
        slot(0, 2, 2, [0, 2, 1]),
        slot(0, 3, 2, [1, 3, 1]),
        slot(0, 0, 4, [0, 4, 1]),
        slot(0, 5, 1, [2, 4, 1]),
    ] {
        for part_first in [true, false] {
            let mut attributes = [(part, &some), (whole, &all)];
            if !part_first {
                attributes.reverse();
            }
            let attributes = attributes.map(|(slot, data)| Attribute { slot, data });
            let want: Vec<u32> = (0..LANES)
                .flat_map(|lane| (0..UNITS).map(move |unit| (lane, unit)))
                .map(|(lane, unit)| {
                    let own = unit.checked_sub(part.reg.unit).filter(|n| *n < part.units && part_first);
                    let read = |n: u16| some[part.offset + lane * part.stride + usize::from(n) * part.step];
                    own.map_or(all[lane * 8 + usize::from(unit)], read) + ADDED
                })
                .collect();
            for (name, mut runner) in runners(program()) {
                let mut got = vec![0; want.len()];
                let mut outputs = Outputs { slots: &[slot(1, 0, 8, [0, 8, 1])], data: &mut got };
                runner
                    .run(LANES, &attributes, &mut outputs, &mut [])
                    .unwrap_or_else(|d| panic!("{name}: {d}"));
                assert_eq!(got, want, "{name}: {part:?}, first: {part_first}");
            }
        }
    }
}

/// Lanes that do not exist need no instructions: a limit that suffices leaves no chunk.
#[test]
fn the_least_limit_leaves_no_chunk() {
    for lanes in [1, 7, 16, 50] {
        let run = |runner: &mut Runner, run_steps| {
            runner.set_limits(Limits { run_steps, ..Limits::default() });
            let mut data = vec![0; 8 * lanes];
            let mut outputs = Outputs { slots: &[slot(1, 0, 8, [0, 8, 1])], data: &mut data };
            runner.run(lanes, &[], &mut outputs, &mut []).is_ok()
        };
        for ((name, mut first), (_, mut second)) in runners(program()).into_iter().zip(runners(program())) {
            // Refusals make a runner avoid machine code, so that another one runs with the limit.
            let least = (0..10_000).find(|most| run(&mut first, *most)).expect("a limit suffices");
            assert!(run(&mut second, least), "{name}: {lanes} lanes");
            assert_eq!(second.left_chunks(), 0, "{name}: {lanes} lanes");
        }
    }
}
