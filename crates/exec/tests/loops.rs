//! Loops that lanes leave one after the other: what a lane computed last is preserved while others run on, on every level
//! and in machine code. Masked writes and memory have limits.

use crate::common::{block, edge, in_order, program, runners};
use shisa_diag::Limits;
use shisa_exec::{Attribute, Outputs, Program, Slot};
use shisa_ir::{
    Binary, Builder, End, File, FileId, FileKind, FloatModel, FloatRule, Func, Mask, Nodes, Op, Reg, Scalar,
    Swizzle, Tree, Type, Value,
};

const FOUR: Type = Type { scalar: Scalar::I32, count: 4 };

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 256, scalar: Scalar::I32 }
}

static FILES: [File; 2] = [file("in", FileKind::Input), file("out", FileKind::Output)];

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

const fn slot(reg: Reg, units: u16) -> Slot {
    Slot { reg, units, offset: 0, stride: units as usize, step: 1 }
}

/// A loop that counts down the first register of the input. `body` makes the values of an iteration with the counter, and
/// returns the registers that are written past the loop.
fn counting(body: impl FnOnce(&mut Builder<'_>, Value) -> Vec<(Reg, Value)>) -> (Func, Tree) {
    let rule = FloatRule::IEEE;
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let counter = b.read(reg(0, 0), Swizzle::IDENTITY, FOUR);
    let param = b.push(Op::Param, FOUR);
    let outputs = body(&mut b, param);
    let one = b.i32(1);
    let ones = b.join(&[one; 4]);
    let next = b.push(Op::Binary { op: Binary::ISub, rule, a: param, b: ones }, FOUR);
    let (number, zero) = (b.component(param, 0), b.i32(0));
    let cond =
        b.push(Op::Binary { op: Binary::INe, rule, a: number, b: zero }, Binary::INe.result(Type::I32));
    let written = nodes.list.len() as u32;
    let mut b = Builder::new(&mut nodes, 0);
    outputs.into_iter().for_each(|(reg, value)| b.write(reg, Mask::ALL, value));
    let end = nodes.list.len() as u32;
    let again = End::Branch { cond, yes: edge(1, vec![next]), no: edge(2, Vec::new()) };
    let blocks = vec![
        block(Vec::new(), 0..1, End::Jump(edge(1, vec![counter]))),
        block(vec![param], 2..written, again),
        block(Vec::new(), written..end, End::Exit),
    ];
    in_order(Func { files: &FILES, nodes, blocks })
}

fn add(b: &mut Builder<'_>, x: Value, y: Value) -> Value {
    b.push(Op::Binary { op: Binary::IAdd, rule: FloatRule::IEEE, a: x, b: y }, FOUR)
}

/// A loop that counts down its input and writes the sums of so many registers with the counter; the sums are used past
/// the loop.
fn counted(count: u16) -> (Func, Tree) {
    counting(|b, counter| {
        let sum = |n| {
            let value = b.read(reg(0, 4 * n), Swizzle::IDENTITY, FOUR);
            (reg(1, 4 * n), add(b, value, counter))
        };
        (0..count).map(sum).collect()
    })
}

/// The lowest limit that a program of [`counted`] needs, and the message below it.
fn least(count: u16, limits: impl Fn(u64) -> Limits) -> (u64, String) {
    let (func, tree) = counted(count);
    let made = |limit| Program::new(&func, &tree, FloatModel::F32, &limits(limit)).map(|_| ());
    let mut below = 0;
    let mut enough = 1 << 32;
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if made(middle).is_ok() { enough = middle } else { below = middle }
    }
    let refused = made(below).expect_err("a limit below the least");
    assert_eq!(refused.code, "limit-exceeded");
    (enough, refused.message)
}

/// With few registers the sums are in registers of the processor, with many in memory.
#[test]
fn lanes_that_left_a_loop_keep_their_results() {
    for count in [1, 2, 9] {
        let units = 4 * count;
        let program = program(&counted(count));
        for lanes in [1, 7, 16, 130u32] {
            // The first unit is the number of iterations, which neighbours do not share.
            let unit =
                |lane: u32, n: u32| if n == 0 { lane * 5 % 7 } else { lane.wrapping_mul(0x9e37_79b9) ^ n };
            let data: Vec<u32> =
                (0..lanes).flat_map(|lane| (0..u32::from(units)).map(move |n| unit(lane, n))).collect();
            // In the last iteration the first component of the counter is zero.
            let last = |row: &[u32], c: usize| row[c].wrapping_sub(row[0]);
            let want: Vec<u32> = data
                .chunks(units.into())
                .flat_map(|row| (0..row.len()).map(|n| row[n].wrapping_add(last(row, n % 4))))
                .collect();
            for (name, mut runner) in runners(program.clone()) {
                let mut got = vec![0; want.len()];
                let mut outputs = Outputs { slots: &[slot(reg(1, 0), units)], data: &mut got };
                let attribute = Attribute { slot: slot(reg(0, 0), units), data: &data };
                runner
                    .run(lanes as usize, &[attribute], &mut outputs, &mut [])
                    .unwrap_or_else(|d| panic!("{d}"));
                assert_eq!(got, want, "{name}: {count} registers, {lanes} lanes");
            }
        }
    }
}

/// Each component of a sum is written for the lanes that run.
#[test]
fn masked_writes_are_bounded() {
    for count in [30, 60] {
        let least = least(count, |limit| Limits { instructions: limit as usize, ..Limits::default() });
        assert_eq!(least.0, 4 * u64::from(count));
        assert!(least.1.starts_with("masked writes"), "{}", least.1);
    }
}

#[test]
fn memory_of_a_batch_is_bounded() {
    for count in [1, 30] {
        let program = program(&counted(count));
        let least = least(count, |limit| Limits { memory: limit as usize, ..Limits::default() });
        assert_eq!(least.0, program.working_set() as u64);
        assert!(least.1.starts_with("bytes of a batch"), "{}", least.1);
        // Inputs and sums are slabs of 128 lanes, all of them in use in the loop.
        let slabs = program.working_set() / (128 * size_of::<u32>());
        assert!(slabs >= 8 * usize::from(count), "{slabs} slabs");
    }
}

/// A program whose lanes take one of two sides, each of which writes all outputs, as both do in a simplified program.
fn sides() -> (Func, Tree) {
    let rule = FloatRule::IEEE;
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let value = b.read(reg(0, 0), Swizzle::IDENTITY, FOUR);
    let (number, one) = (b.component(value, 0), b.i32(1));
    let bit = b.push(Op::Binary { op: Binary::And, rule, a: number, b: one }, Type::I32);
    let cond = b.push(Op::Binary { op: Binary::IEq, rule, a: bit, b: one }, Binary::IEq.result(Type::I32));
    let mut ends = vec![nodes.list.len() as u32];
    for side in [1, 2] {
        let mut b = Builder::new(&mut nodes, 0);
        let factor = b.i32(10 * side);
        let factor = b.join(&[factor; 4]);
        let product = b.push(Op::Binary { op: Binary::IMul, rule, a: value, b: factor }, FOUR);
        b.write(reg(1, 0), Mask::ALL, product);
        let zero = b.i32(0);
        let zero = b.join(&[zero; 4]);
        for register in [1, 2] {
            b.write(reg(1, 4 * register), Mask::ALL, if i32::from(register) == side { value } else { zero });
        }
        ends.push(nodes.list.len() as u32);
    }
    let blocks = vec![
        block(Vec::new(), 0..ends[0], End::Branch { cond, yes: edge(1, vec![]), no: edge(2, vec![]) }),
        block(Vec::new(), ends[0]..ends[1], End::Exit),
        block(Vec::new(), ends[1]..ends[2], End::Exit),
    ];
    in_order(Func { files: &FILES, nodes, blocks })
}

#[test]
fn lanes_write_what_their_side_says() {
    let program = program(&sides());
    for lanes in [1, 9, 16, 200u32] {
        let data: Vec<u32> = (0..lanes).flat_map(|lane| [lane * 7 / 3, lane, lane + 1, lane + 2]).collect();
        let want: Vec<u32> = data
            .chunks(4)
            .flat_map(|row| {
                let odd = row[0] & 1 != 0;
                let first = row.iter().map(move |x| x * if odd { 10 } else { 20 });
                let of = move |side: bool| row.iter().map(move |x| if odd == side { *x } else { 0 });
                first.chain(of(true)).chain(of(false))
            })
            .collect();
        for (name, mut runner) in runners(program.clone()) {
            let mut got = vec![0; want.len()];
            let mut outputs = Outputs { slots: &[slot(reg(1, 0), 12)], data: &mut got };
            let attribute = Attribute { slot: slot(reg(0, 0), 4), data: &data };
            runner.run(lanes as usize, &[attribute], &mut outputs, &mut []).unwrap_or_else(|d| panic!("{d}"));
            assert_eq!(got, want, "{name}: {lanes} lanes");
        }
    }
}

/// A loop that counts down its first input. Each iteration adds so many values of its own, each of which only the next one
/// uses, before it uses the counter, whose sum with them is written past the loop.
fn chained(length: u32) -> (Func, Tree) {
    counting(|b, counter| {
        let value = b.read(reg(0, 4), Swizzle::IDENTITY, FOUR);
        let chain = (0..length).fold(value, |sum, _| add(b, sum, value));
        vec![(reg(1, 0), add(b, chain, counter))]
    })
}

/// The values of one iteration share memory, and do not replace the counter, which is used after them.
#[test]
fn values_of_an_iteration_share_memory() {
    let of = |length| program(&chained(length));
    assert_eq!(of(4).working_set(), of(40).working_set());
    let length = 9;
    let data: Vec<u32> =
        (0..50u32).flat_map(|lane| [lane % 6, 3, 5, 7].into_iter().chain(lane..lane + 4)).collect();
    let want: Vec<u32> = data
        .chunks(8)
        .flat_map(|row| (0..4).map(|c| (row[4 + c] * (length + 1)).wrapping_add(row[c].wrapping_sub(row[0]))))
        .collect();
    for (name, mut runner) in runners(of(length)) {
        let mut got = vec![0; want.len()];
        let mut outputs = Outputs { slots: &[slot(reg(1, 0), 4)], data: &mut got };
        let attribute = Attribute { slot: slot(reg(0, 0), 8), data: &data };
        runner.run(50, &[attribute], &mut outputs, &mut []).unwrap_or_else(|d| panic!("{d}"));
        assert_eq!(got, want, "{name}");
    }
}
