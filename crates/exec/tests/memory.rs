//! Accesses to memory and operations between lanes, on every level.

use crate::common::{block, compiled, edge, function, in_order, levels_of_code, program, runners};
use shisa_diag::{Diagnostic, Limits};
use shisa_exec::{Attribute, Coding, Environment, MemoryAccess, Outputs, Program, Runner, Slot};
use shisa_ir::scalar::lanes::{Words, exchange};
use shisa_ir::{
    Atomic, Binary, Block, BlockId, Builder, Combine, Convert, Edge, End, File, FileId, FileKind, FloatRule,
    Func, LaneOp, Lanes, Mask, Nodes, Op, Reg, Scalar, Space, Stmt, Swizzle, Tree, Type, Value, WAVE,
};
use std::collections::BTreeMap;

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 64, scalar: Scalar::I32 }
}

static FILES: [File; 2] = [file("in", FileKind::Input), file("out", FileKind::Output)];

const INPUTS: u16 = 4;

const fn reg(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

const fn slot(reg: Reg, units: u16) -> Slot {
    Slot { reg, units, offset: 0, stride: units as usize, step: 1 }
}

/// Units of the input: the lane's number, three times the number, a scattered number, and whether the lane is odd.
fn given(lane: usize, unit: u16) -> u32 {
    let lane = lane as u32;
    [lane, 3 * lane, lane.wrapping_mul(0x9e37_79b9), lane & 1][usize::from(unit)]
}

/// Bytes by space and address, which are zero at first, and what was accessed.
#[derive(Default)]
struct Bytes {
    memory: BTreeMap<(Space, u64), u8>,
    accesses: Vec<(&'static str, Space, Lanes)>,
}

impl Bytes {
    fn new(space: Space, bytes: impl IntoIterator<Item = u8>) -> Bytes {
        let memory = (0..).zip(bytes).map(|(address, byte)| ((space, address), byte)).collect();
        Bytes { memory, accesses: Vec::new() }
    }

    fn word(&self, space: Space, address: u64) -> u32 {
        u32::from_le_bytes([0, 1, 2, 3].map(|i| self.byte(space, address + i)))
    }

    fn byte(&self, space: Space, address: u64) -> u8 {
        self.memory.get(&(space, address)).copied().unwrap_or(0)
    }
}

/// Calls `f` with the lane, the number of the word and the address of each word, or part of a word.
fn each(access: &MemoryAccess<'_>, words: usize, mut f: impl FnMut(usize, usize, u64)) {
    let [low, high] = access.address;
    for lane in (0..WAVE).filter(|lane| access.lanes >> lane & 1 != 0) {
        let address = u64::from(low[lane]) | u64::from(high[lane]) << 32;
        (0..words).for_each(|word| f(lane, word, address + (word * access.bytes.min(4)) as u64));
    }
}

impl Environment for Bytes {
    fn load(&mut self, access: &MemoryAccess<'_>, values: &mut [Words]) -> Result<(), Diagnostic> {
        self.accesses.push(("load", access.space, access.lanes));
        values.as_flattened_mut().fill(0xdead_beef);
        each(access, values.len(), |lane, word, address| {
            let bits = self.word(access.space, address);
            values[word][lane] = bits & (u32::MAX >> (32 - 8 * access.bytes.min(4)));
        });
        Ok(())
    }

    fn store(&mut self, access: &MemoryAccess<'_>, values: &[Words]) -> Result<(), Diagnostic> {
        self.accesses.push(("store", access.space, access.lanes));
        each(access, values.len(), |lane, word, address| {
            for (i, byte) in values[word][lane].to_le_bytes().into_iter().enumerate().take(access.bytes) {
                self.memory.insert((access.space, address + i as u64), byte);
            }
        });
        Ok(())
    }

    fn load_lane(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        to: &mut [u8],
    ) -> Result<(), Diagnostic> {
        self.accesses.push(("load", space, 1 << lane));
        (address..).zip(to).for_each(|(address, to)| *to = self.byte(space, address));
        Ok(())
    }

    fn store_lane(&mut self, space: Space, lane: usize, address: u64, from: &[u8]) -> Result<(), Diagnostic> {
        self.accesses.push(("store", space, 1 << lane));
        self.memory.extend((address..).zip(from).map(|(address, byte)| ((space, address), *byte)));
        Ok(())
    }
}

fn levels(program: &Program) -> impl Iterator<Item = Runner> {
    runners(program.clone()).into_iter().map(|(_, runner)| runner)
}

/// Runs lanes, and returns `units` outputs of each.
fn run(
    runner: &mut Runner,
    (lanes, units): (usize, u16),
    memory: &mut Bytes,
) -> Result<Vec<Vec<u32>>, Diagnostic> {
    let data: Vec<u32> = (0..lanes).flat_map(|lane| (0..INPUTS).map(move |unit| given(lane, unit))).collect();
    let mut got = vec![0; lanes * usize::from(units)];
    let mut outputs = Outputs { slots: &[slot(reg(1, 0), units)], data: &mut got };
    let attribute = Attribute { slot: slot(reg(0, 0), INPUTS), data: &data };
    runner.run_with(lanes, &[attribute], &mut outputs, &mut [], memory)?;
    Ok(got.chunks(units.into()).map(<[u32]>::to_vec).collect())
}

fn input(b: &mut Builder<'_>, unit: u16) -> Value {
    b.read(reg(0, unit), Swizzle::IDENTITY, Type::I32)
}

/// An address of so many bytes a lane.
fn address(b: &mut Builder<'_>, bytes: i32) -> Value {
    let (lane, bytes) = (input(b, 0), b.i32(bytes));
    b.binary(Binary::IMul, lane, bytes)
}

/// The low and the high word of a 64-bit value.
fn words_of(b: &mut Builder<'_>, a: Value) -> Value {
    b.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a }, Scalar::I32.by(2))
}

fn write(b: &mut Builder<'_>, unit: u16, count: u8, value: Value) {
    b.write(reg(1, unit), Mask((1 << count) - 1), value);
}

#[test]
fn components_of_all_sizes_are_loaded() {
    let function = function(&FILES, |b| {
        let at = address(b, 16);
        for (unit, scalar) in [(0, Scalar::I8), (1, Scalar::I16), (2, Scalar::I1)] {
            let small = b.load(Space::Shared, at, Type { scalar, count: 1 });
            let word = b.convert(Convert::ZeroExtend, small, Scalar::I32);
            write(b, unit, 1, word);
        }
        let four = b.load(Space::Shared, at, Scalar::I32.by(4));
        write(b, 4, 4, four);
    });
    for (name, mut runner) in runners(program(&function)) {
        let bytes: Vec<u8> = (0..16 * 40u32).map(|i| (i * 7 + i / 256) as u8).collect();
        let mut memory = Bytes::new(Space::Shared, bytes);
        for (lane, got) in run(&mut runner, (40, 8), &mut memory).unwrap().into_iter().enumerate() {
            let word = |n: u64| memory.word(Space::Shared, 16 * lane as u64 + 4 * n);
            assert_eq!(got[..3], [word(0) & 0xff, word(0) & 0xffff, word(0) & 1], "{name}, lane {lane}");
            assert_eq!(got[4..], [0, 1, 2, 3].map(word), "{name}, lane {lane}");
        }
        // Lanes 0 to 31 load, then the last eight.
        let first: [Lanes; 2] = [Lanes::MAX, 0xff];
        assert_eq!(memory.accesses[..2], first.map(|lanes| ("load", Space::Shared, lanes)), "{name}");
        assert_eq!(memory.accesses.len(), 4 * 40usize.div_ceil(WAVE), "{name}");
    }
}

#[test]
fn constants_are_loaded_once_a_run() {
    let function = function(&FILES, |b| {
        let (fixed, lane) = (b.i32(8), address(b, 4));
        for (unit, at) in [(0, fixed), (1, lane)] {
            let value = b.load(Space::Constant(3), at, Type::I32);
            write(b, unit, 1, value);
        }
    });
    let program = program(&function);
    assert!(program.uses_environment());
    for (name, mut runner) in runners(program) {
        for factor in [2, 3] {
            // A run has the contents that the constants have at its time.
            let bytes = (0..200u32).flat_map(|i| (factor * i).to_le_bytes());
            let mut memory = Bytes::new(Space::Constant(3), bytes);
            for (lane, got) in run(&mut runner, (64, 2), &mut memory).unwrap().into_iter().enumerate() {
                assert_eq!(got, [2 * factor, lane as u32 * factor], "{name}");
            }
            let lanes = memory.accesses.iter().map(|(_, _, lanes)| *lanes).collect::<Vec<_>>();
            let all = lanes[1..].iter().map(|lanes| lanes.count_ones()).sum::<u32>();
            assert_eq!((lanes[0], all, lanes.len()), (1, 64, 1 + 64 / WAVE), "{name}");
        }
    }
}

#[test]
fn wide_addresses_carry() {
    let function = function(&FILES, |b| {
        let (low, high) = (b.i32(-4), b.i32(5));
        let pair = b.join(&[low, high]);
        let base = b.pair(pair, Scalar::I64);
        let eight = b.push(Op::Const(8), Scalar::I64.by(1));
        let at = b.binary(Binary::IAdd, base, eight);
        let value = input(b, 1);
        b.store(Space::Global, at, value);
        let there = b.load(Space::Global, at, Type::I32);
        write(b, 0, 1, there);
        let words = words_of(b, at);
        write(b, 2, 2, words);
    });
    for mut runner in levels(&program(&function)) {
        let mut memory = Bytes::default();
        let got = run(&mut runner, (2, 4), &mut memory).unwrap();
        // The last lane's store is the last.
        assert_eq!(got, [[3, 0, 4, 6]; 2]);
        assert_eq!(memory.word(Space::Global, 0x6_0000_0004), 3);
    }
}

#[test]
fn stores_of_later_waves_follow_those_of_earlier_ones() {
    // Each wave adds one to a word that all waves share.
    let function = function(&FILES, |b| {
        let zero = b.i32(0);
        let before = b.load(Space::Global, zero, Type::I32);
        let one = b.i32(1);
        let after = b.iadd(before, one);
        b.store(Space::Global, zero, after);
        write(b, 0, 1, before);
    });
    for mut runner in levels(&program(&function)) {
        let mut memory = Bytes::default();
        let got = run(&mut runner, (130, 1), &mut memory).unwrap();
        assert!(got.iter().enumerate().all(|(lane, got)| got[0] == lane as u32 / 32), "{got:?}");
        assert_eq!(memory.word(Space::Global, 0), 5);
    }
}

#[test]
fn killed_lanes_store_nothing() {
    let function = function(&FILES, |b| {
        let (at, odd, one) = (address(b, 4), input(b, 3), b.i32(1));
        let dead = b.binary(Binary::IEq, odd, one);
        b.kill(dead);
        b.store(Space::Global, at, one);
        let (value, zero) = (b.i32(9), b.i32(1024));
        let op = Op::Atomic {
            op: Atomic::Combine(Binary::IAdd),
            space: Space::Global,
            address: zero,
            value,
            expected: value,
        };
        b.push(op, Type::I32);
        // The result of the atomic operation has no use, its effect counts.
        write(b, 0, 1, one);
    });
    for mut runner in levels(&program(&function)) {
        let mut memory = Bytes::default();
        run(&mut runner, (48, 1), &mut memory).unwrap();
        for lane in 0..48 {
            assert_eq!(memory.word(Space::Global, 4 * lane), u32::from(lane % 2 == 0), "lane {lane}");
        }
        assert_eq!(memory.word(Space::Global, 1024), 24 * 9);
    }
}

#[test]
fn atomic_operations_change_one_lane_after_the_other() {
    let function = function(&FILES, |b| {
        let (zero, value) = (b.i32(0), input(b, 1));
        let op = Atomic::Combine(Binary::IAdd);
        let atomic =
            |op, value, expected| Op::Atomic { op, space: Space::Shared, address: zero, value, expected };
        let old = b.push(atomic(op, value, value), Type::I32);
        write(b, 0, 1, old);
    });
    for mut runner in levels(&program(&function)) {
        let mut memory = Bytes::default();
        let mut sum = 0;
        for (lane, got) in run(&mut runner, (70, 1), &mut memory).unwrap().into_iter().enumerate() {
            assert_eq!(got, [sum], "lane {lane}");
            sum += given(lane, 1);
        }
        assert_eq!(memory.word(Space::Shared, 0), sum);
    }
}

#[test]
fn atomic_operations_may_have_64_bits() {
    let function = function(&FILES, |b| {
        let (zero, low) = (b.i32(0), b.i32(-1));
        let high = input(b, 0);
        let value = b.join(&[low, high]);
        let value = b.pair(value, Scalar::I64);
        let op = Atomic::Combine(Binary::IAdd);
        let op = Op::Atomic { op, space: Space::Shared, address: zero, value, expected: value };
        let old = b.push(op, Scalar::I64.by(1));
        let words = words_of(b, old);
        write(b, 0, 2, words);
    });
    for mut runner in levels(&program(&function)) {
        let mut memory = Bytes::default();
        let mut sum = 0u64;
        for (lane, got) in run(&mut runner, (40, 2), &mut memory).unwrap().into_iter().enumerate() {
            assert_eq!(got, [sum as u32, (sum >> 32) as u32], "lane {lane}");
            sum = sum.wrapping_add((lane as u64) << 32 | 0xffff_ffff);
        }
    }
}

#[test]
fn lanes_of_a_wave_see_each_other() {
    let ops = [LaneOp::Any, LaneOp::All, LaneOp::Ballot, LaneOp::Shuffle, LaneOp::ShuffleXor];
    let function = function(&FILES, |b| {
        let (a, other) = (input(b, 2), input(b, 1));
        for (unit, op) in (0..).zip(ops) {
            let votes = matches!(op, LaneOp::Any | LaneOp::All | LaneOp::Ballot);
            let odd = input(b, 3);
            let vote = b.convert(Convert::Truncate, odd, Scalar::I1);
            let a = if votes { vote } else { a };
            let ty = if matches!(op, LaneOp::Any | LaneOp::All) { Type::BOOL } else { Type::I32 };
            let result = b.push(Op::Lane { op, a, b: other }, ty);
            let result =
                if ty == Type::BOOL { b.convert(Convert::ZeroExtend, result, Scalar::I32) } else { result };
            write(b, unit, 1, result);
        }
        let sum = Combine { op: Binary::IAdd, quad: true, before: true };
        let sum = b.combine(sum, a);
        write(b, ops.len() as u16, 1, sum);
    });
    for mut runner in levels(&program(&function)) {
        let lanes = 90;
        let got = run(&mut runner, (lanes, ops.len() as u16 + 1), &mut Bytes::default()).unwrap();
        for first in (0..lanes).step_by(WAVE) {
            let count = (lanes - first).min(WAVE);
            let active = if count == WAVE { Lanes::MAX } else { (1 << count) - 1 };
            let unit = |unit: u16| -> Words { std::array::from_fn(|lane| given(first + lane, unit)) };
            for (n, op) in ops.into_iter().enumerate() {
                let votes = matches!(op, LaneOp::Any | LaneOp::All | LaneOp::Ballot);
                let mut want = [0; WAVE];
                exchange(op, active, &mut want, &unit(if votes { 3 } else { 2 }), &unit(1));
                for lane in 0..count {
                    assert_eq!(got[first + lane][n], want[lane], "{op:?}, lane {}", first + lane);
                }
            }
            for lane in 0..count {
                let before = (lane / 4 * 4..lane).fold(0u32, |sum, l| sum.wrapping_add(given(first + l, 2)));
                assert_eq!(got[first + lane][ops.len()], before, "lane {}", first + lane);
            }
        }
    }
}

/// A function in which lanes with an odd number go through a block that the others do not.
fn branching(divided: impl FnOnce(&mut Builder<'_>), after: impl FnOnce(&mut Builder<'_>)) -> (Func, Tree) {
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    let odd = input(&mut b, 3);
    let cond = b.convert(Convert::Truncate, odd, Scalar::I1);
    let first = nodes.list.len() as u32;
    divided(&mut Builder::new(&mut nodes, 0));
    let second = nodes.list.len() as u32;
    after(&mut Builder::new(&mut nodes, 0));
    let end = nodes.list.len() as u32;
    let edge = |to| Edge { to: BlockId(to), args: Vec::new() };
    let block =
        |body: std::ops::Range<u32>, end| Block { params: Vec::new(), body: body.map(Value).collect(), end };
    let blocks = vec![
        block(0..first, End::Branch { cond, yes: edge(1), no: edge(2) }),
        block(first..second, End::Jump(edge(2))),
        block(second..end, End::Exit),
    ];
    let body = (0..3).map(|n| Stmt::Block(BlockId(n))).collect();
    (Func { files: &FILES, nodes, blocks }, Tree { vars: Vec::new(), body })
}

fn ballot(b: &mut Builder<'_>, unit: u16) {
    let one = b.push(Op::Const(1), Type::BOOL);
    let zero = b.i32(0);
    let lanes = b.push(Op::Lane { op: LaneOp::Ballot, a: one, b: zero }, Type::I32);
    write(b, unit, 1, lanes);
}

#[test]
fn an_operation_between_lanes_needs_all_that_have_not_ended() {
    let alone = branching(|b| ballot(b, 0), |_| {});
    let together = branching(|_| {}, |b| ballot(b, 0));
    for (function, refused) in [(alone, true), (together, false)] {
        for mut runner in levels(&program(&function)) {
            match run(&mut runner, (40, 1), &mut Bytes::default()) {
                Err(d) => assert!(refused && d.code == "exec-divergent", "{d}"),
                Ok(got) => {
                    assert!(!refused);
                    assert!(got[..32].iter().all(|got| got[0] == Lanes::MAX));
                    assert!(got[32..].iter().all(|got| got[0] == 0xff));
                }
            }
        }
    }
}

#[test]
fn an_operation_that_sees_all_registers_needs_whole_waves() {
    let function = function(&FILES, |b| {
        let (a, other) = (input(b, 2), b.i32(5));
        let value = b.push(Op::Lane { op: LaneOp::Fetch, a, b: other }, Type::I32);
        write(b, 0, 1, value);
    });
    for mut runner in levels(&program(&function)) {
        let got = run(&mut runner, (64, 1), &mut Bytes::default()).unwrap();
        assert!(got.iter().enumerate().all(|(lane, got)| got[0] == given(lane / 32 * 32 + 5, 2)));
        let refused = run(&mut runner, (63, 1), &mut Bytes::default()).unwrap_err();
        assert_eq!(refused.code, "exec-divergent");
    }
}

#[test]
fn memory_is_refused_without_an_environment() {
    struct None;
    impl Environment for None {}
    let function = function(&FILES, |b| {
        let at = input(b, 0);
        let value = b.load(Space::Shared, at, Type::I32);
        b.store(Space::Global, at, value);
    });
    let program = program(&function);
    assert_eq!(
        program.runner().run(1, &[], &mut Outputs { slots: &[], data: &mut [] }, &mut []).unwrap_err().code,
        "exec-environment"
    );
    let refused =
        program.runner().run_with(1, &[], &mut Outputs { slots: &[], data: &mut [] }, &mut [], &mut None);
    assert!(refused.unwrap_err().message.contains("Shared"));
}

#[test]
fn what_memory_cannot_do_is_refused() {
    let refusal = |build: &dyn Fn(&mut Builder<'_>)| {
        let d = compiled(&function(&FILES, |b| build(b))).map(|_| ()).unwrap_err();
        assert_eq!(d.code, "exec-unsupported");
        d.message
    };
    let wide = refusal(&|b| {
        let at = input(b, 0);
        b.load(Space::Shared, at, Scalar::F64.by(3));
    });
    assert!(wide.contains("64 bits"), "{wide}");
    let outputs = refusal(&|b| {
        let at = input(b, 0);
        b.store(Space::Outputs, at, at);
    });
    assert!(outputs.contains("outputs"), "{outputs}");
    let rule = FloatRule::IEEE;
    let vector = refusal(&|b| {
        let a = b.push(Op::Const(8), Scalar::F64.by(2));
        b.push(Op::Binary { op: Binary::FAdd, rule, a, b: a }, Scalar::F64.by(2));
    });
    assert!(vector.contains("64-bit"), "{vector}");
}

#[test]
fn doubles_are_computed_by_their_definition() {
    let rule = FloatRule::IEEE;
    // Machine code takes the program that stores nothing.
    let doubles = |stores: bool| {
        function(&FILES, |b| {
            // A double of the lane's numbers, near one, and the double after it.
            let (low, lane) = (input(b, 2), input(b, 0));
            let one = b.i32(0x3ff0_0000);
            let high = b.iadd(lane, one);
            let pair = b.join(&[low, high]);
            let x = b.pair(pair, Scalar::F64);
            let third = b.push(Op::Const((1.0f64 / 3.0).to_bits()), Scalar::F64.by(1));
            let sum = b.push(Op::Binary { op: Binary::FAdd, rule, a: x, b: third }, Scalar::F64.by(1));
            let product = b.fma(x, sum, third);
            let less = b.binary(Binary::FLt, product, sum);
            let chosen = b.select(less, sum, product);
            let both = b.join(&[chosen, x]);
            let swapped = b.swizzle(both, Swizzle::from_slice(&[1, 0]), 2);
            let second = b.component(swapped, 1);
            let words = words_of(b, second);
            write(b, 0, 2, words);
            let single = b.convert(Convert::Float, x, Scalar::F32);
            write(b, 2, 1, single);
            let at = address(b, 8);
            if stores {
                b.store(Space::Global, at, swapped);
            }
            let again = b.load(Space::Global, at, Scalar::F64.by(1));
            let words = words_of(b, again);
            write(b, 4, 2, words);
        })
    };
    let stored = program(&doubles(true));
    let all = runners(stored).into_iter().map(|runner| (runner, true));
    let all = all.chain(runners(program(&doubles(false))).into_iter().map(|runner| (runner, false)));
    for ((name, mut runner), stores) in all {
        let mut memory = Bytes::default();
        for (lane, got) in run(&mut runner, (40, 6), &mut memory).unwrap().into_iter().enumerate() {
            let x = f64::from_bits(u64::from(0x3ff0_0000 + lane as u32) << 32 | u64::from(given(lane, 2)));
            let sum = x + 1.0 / 3.0;
            let product = x.mul_add(sum, 1.0 / 3.0);
            let chosen = if product < sum { sum } else { product };
            let words = |x: f64| [x.to_bits() as u32, (x.to_bits() >> 32) as u32];
            assert_eq!(got[..2], words(chosen), "{name}, lane {lane}");
            assert_eq!(got[2], (x as f32).to_bits(), "{name}, lane {lane}");
            let loaded = if stores { words(x) } else { [0; 2] };
            assert_eq!(got[4..6], loaded, "{name}, lane {lane}");
        }
    }
}

/// Lanes of a group that do not load keep their values, and so do those of other groups: with AVX2 two share a chunk.
#[test]
fn lanes_that_do_not_load_keep_their_values() {
    let rule = FloatRule::IEEE;
    let mut nodes = Nodes::default();
    let mut b = Builder::new(&mut nodes, 0);
    // Each lane loads as often as the lowest bits of its number state.
    let (number, three) = (input(&mut b, 0), b.i32(3));
    let times = b.binary(Binary::And, number, three);
    let start = input(&mut b, 2);
    let before = nodes.list.len() as u32;
    let mut b = Builder::new(&mut nodes, 0);
    let (left, value) = (b.push(Op::Param, Type::I32), b.push(Op::Param, Type::I32));
    let zero = b.i32(0);
    let more = b.push(Op::Binary { op: Binary::INe, rule, a: left, b: zero }, Type::BOOL);
    let condition = nodes.list.len() as u32;
    let mut b = Builder::new(&mut nodes, 0);
    let at = address(&mut b, 4);
    let loaded = b.load(Space::Global, at, Type::I32);
    let one = b.i32(1);
    let (next, sum) = (b.binary(Binary::ISub, left, one), b.iadd(value, loaded));
    let body = nodes.list.len() as u32;
    let mut b = Builder::new(&mut nodes, 0);
    write(&mut b, 0, 1, value);
    let end = nodes.list.len() as u32;
    let blocks = vec![
        block(Vec::new(), 0..before, End::Jump(edge(1, vec![times, start]))),
        block(
            vec![left, value],
            before + 2..condition,
            End::Branch { cond: more, yes: edge(2, vec![]), no: edge(3, vec![]) },
        ),
        block(Vec::new(), condition..body, End::Jump(edge(1, vec![next, sum]))),
        block(Vec::new(), body..end, End::Exit),
    ];
    let function = in_order(Func { files: &FILES, nodes, blocks });
    for (name, mut runner) in runners(program(&function)) {
        let word = |n: u32| n.wrapping_mul(0x0101_0301);
        let mut memory = Bytes::new(Space::Global, (0..150).flat_map(|n| word(n).to_le_bytes()));
        for (lane, got) in run(&mut runner, (150, 1), &mut memory).unwrap().into_iter().enumerate() {
            let loaded = word(lane as u32).wrapping_mul(lane as u32 & 3);
            assert_eq!(got, [given(lane, 2).wrapping_add(loaded)], "{name}, lane {lane}");
        }
        let all = memory.accesses.iter().map(|(_, _, lanes)| lanes.count_ones()).sum::<u32>();
        assert_eq!(all, (0..150).map(|lane| lane & 3).sum::<u32>(), "{name}");
    }
}

/// A piece of code is made if it has enough instructions; a program without any has no machine code.
#[test]
fn pieces_have_as_many_instructions_as_the_caller_wants() {
    for level in levels_of_code() {
        for (sums, shortest) in [(0, 1), (1, 1), (2, 3), (3, 3), (4, 5), (5, 5)] {
            let mut program = program(&function(&FILES, |b| {
                let at = input(b, 0);
                let loaded = b.load(Space::Global, at, Type::I32);
                let sum = (0..sums).fold(loaded, |sum, _| b.iadd(sum, at));
                b.store(Space::Global, at, sum);
            }));
            assert_eq!(program.size(), (0, sums + 2));
            let made = program.add_machine_code_for(Coding { level, shortest }, &Limits::default());
            assert_eq!(made.is_ok(), sums >= shortest, "{made:?}");
            assert_eq!(program.machine_code().is_some(), made.is_ok());
            assert!(made.err().is_none_or(|refused| refused.message.contains("follow each other")));
        }
        assert_eq!(Coding::from(level), Coding { level, shortest: Coding::SHORTEST });
    }
}
