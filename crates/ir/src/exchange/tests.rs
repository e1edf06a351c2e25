//! Exchange by operations of subgroups: a small interpreter of 32 lanes runs what remains.

use super::*;
use crate::testing::FILES;
use shisa_diag::Limits;

const LANES: usize = WAVE;
/// A word that varies widely between lanes.
const SPREAD: u32 = 2_654_435_769;

const NATIVE: Workgroup = Workgroup { index: Reg::new(FileId(0), 0), lanes: 64, shared: 12, subgroups: true };

/// A function that computes `%3` from the lane's number `%0` and the word `%2`.
fn function(line: &str) -> Func {
    let text = format!(
        "b0:\n%0: i32 = read i:0 xxxx\n%1: i32 = const {SPREAD}\n%2: i32 = imul %0 %1\n%3: {line}\nexit\n"
    );
    parse_func(&text, FILES, &Limits::default()).unwrap()
}

/// The words of 32 lanes after an exchange by operations of subgroups.
fn exchanged(line: &str) -> [u64; LANES] {
    let mut func = function(line);
    // A store shows the result.
    let result = Value(3);
    let store =
        func.nodes.push(Op::Store { space: Space::Local, address: result, value: result }, Type::NONE, 0);
    func.blocks[0].body.push(store);
    verify(&func).unwrap();
    assert_eq!(exchange(&mut func, NATIVE).unwrap(), NATIVE.shared, "{line} needs no memory");
    verify(&func).unwrap();
    interpret(&func)
}

fn interpret(func: &Func) -> [u64; LANES] {
    let mut values = vec![[0u64; LANES]; func.nodes.list.len()];
    let (mut block, mut stored) = (0, [0; LANES]);
    loop {
        for &v in &func.blocks[block].body {
            let ty = func.nodes.ty(v);
            let kind = |v: Value| func.nodes.ty(v).scalar;
            let votes = |a: Value, values: &[[u64; LANES]]| {
                values[a.index()].iter().rev().fold(0, |votes, vote| votes << 1 | vote & 1)
            };
            let all = values.clone();
            for lane in 0..LANES {
                let at = |v: Value| all[v.index()][lane];
                values[v.index()][lane] = match func.nodes.op(v) {
                    Op::Const(bits) => bits,
                    Op::Read { .. } => lane as u64,
                    Op::Binary { op, rule, a, b } => scalar::binary(op, rule, kind(a), at(a), at(b)),
                    Op::Convert { op, rule, a } => scalar::convert(op, rule, kind(a), ty.scalar, at(a)),
                    Op::Ternary { op, rule, a, b, c } => {
                        scalar::ternary(op, rule, ty.scalar, at(a), at(b), at(c))
                    }
                    Op::Lane { op: LaneOp::Fetch, a, b } => all[a.index()][at(b) as usize],
                    Op::Lane { op: LaneOp::Ballot, a, .. } => votes(a, &all),
                    Op::Lane { op: LaneOp::Any, a, .. } => u64::from(votes(a, &all) != 0),
                    Op::Lane { op: LaneOp::All, a, .. } => u64::from(votes(a, &all) == u32::MAX.into()),
                    Op::Store { space: Space::Local, value, .. } => {
                        stored[lane] = at(value);
                        0
                    }
                    other => panic!("no operation of subgroups: {other:?}"),
                };
            }
        }
        let edge = match &func.blocks[block].end {
            End::Jump(edge) => edge,
            End::Branch { cond, yes, no } => {
                let first = values[cond.index()][0];
                assert!(values[cond.index()].iter().all(|c| *c == first), "lanes diverge");
                if first != 0 { yes } else { no }
            }
            _ => return stored,
        };
        let given: Vec<_> = edge.args.iter().map(|a| values[a.index()]).collect();
        for (param, given) in func.blocks[edge.to.index()].params.iter().zip(given) {
            values[param.index()] = given;
        }
        block = edge.to.index();
    }
}

/// Each operation yields what its definition says of 32 active lanes.
#[test]
fn subgroups_yield_what_the_operations_state() {
    let word = |lane: usize| SPREAD.wrapping_mul(lane as u32);
    let all = || (0..LANES).map(word);
    let quad = |lane: usize| (lane & !3..(lane & !3) + 4).map(word);
    type Wanted<'a> = &'a dyn Fn(usize) -> u32;
    let cases: &[(&str, Wanted<'_>)] = &[
        ("i32 = fetch %2 %1", &word), // beyond the last lane: the lane's own
        ("i32 = shuffle %2 %2", &|lane| if word(lane) < 32 { word(word(lane) as usize) } else { word(lane) }),
        ("i32 = shuffle_xor %2 %0", &|_| word(0)),
        ("i32 = quad_or %2 %2", &|lane| quad(lane).fold(0, |all, v| all | v)),
        ("i32 = combine_iadd %2", &|_| all().fold(0, u32::wrapping_add)),
        ("i32 = combine_umin %2", &|_| all().min().unwrap()),
        ("i32 = combine_smax %2", &|_| all().map(|v| v as i32).max().unwrap() as u32),
        ("i32 = combine_xor %2", &|_| all().fold(0, |x, v| x ^ v)),
    ];
    for (line, wanted) in cases {
        let got = exchanged(line);
        for (lane, got) in got.into_iter().enumerate() {
            assert_eq!(got, u64::from(wanted(lane)), "{line}, lane {lane}");
        }
    }
}

/// Votes stay votes.
#[test]
fn subgroups_vote() {
    for (op, ty) in [("any", "i1"), ("all", "i1"), ("ballot", "i32")] {
        let line = format!("i1 = slt %2 %0\n%4: {ty} = {op} %3 %3");
        let mut func = function(&line);
        let before = print_func(&func);
        exchange(&mut func, NATIVE).unwrap();
        assert_eq!(print_func(&func), before);
    }
}

/// Waves that are not full use shared memory, whatever the target has.
#[test]
fn parts_of_waves_use_shared_memory() {
    for (lanes, bytes) in [(64, 12), (32, 12), (40, 12 + 64 * 4), (1, 12 + 32 * 4)] {
        let mut func = function("i32 = quad_or %2 %2");
        let got = exchange(&mut func, Workgroup { lanes, ..NATIVE }).unwrap();
        assert_eq!(got, bytes, "workgroups of {lanes}");
        let barriers = func.blocks.iter().flat_map(|b| &b.body);
        let barriers = barriers.filter(|v| func.nodes.op(**v) == Op::Barrier).count();
        assert_eq!(barriers > 0, bytes > 12, "workgroups of {lanes}");
    }
}

/// A value of any width passes through the words of its lane's slot.
#[test]
fn shared_memory_has_room_for_each_kind() {
    let memory = Workgroup { subgroups: false, ..NATIVE };
    for (kind, words, lines) in [
        ("i32", 1, "i32 = iadd %2 %0"),
        ("f32", 1, "f32 = bits %2"),
        ("i16", 1, "i16 = truncate %2"),
        ("f16", 1, "i16 = truncate %2\n%4: f16 = bits %3"),
        ("i64", 2, "i64 = zero_extend %2"),
        ("f64", 2, "i64 = zero_extend %2\n%4: f64 = bits %3"),
    ] {
        let last = 2 + lines.lines().count();
        let mut func = function(&format!("{lines}\n%{}: {kind} = shuffle %{last} %0", last + 1));
        verify(&func).unwrap();
        let bytes = exchange(&mut func, memory).unwrap();
        assert_eq!(bytes, memory.shared + memory.lanes * words * 4, "{kind}");
        verify(&func).unwrap();
    }
}

/// A branch on the value that `condition` defines last, and an operation across lanes in its first block.
fn guarded(condition: &str) -> Func {
    let next = 2 + condition.lines().count();
    let last = next - 1;
    let text = format!(
        "b0:
           %0: i32 = read i:0 xxxx
           %1: i32 = const 1
           {condition}
           branch %{last} b1 b2
         b1:
           %{next}: i32 = combine_iadd %0
           jump b2
         b2:
           exit
        "
    );
    parse_func(&text, FILES, &Limits::default()).unwrap()
}

/// Lanes that a branch separates exchange nothing; waves of a workgroup may branch apart.
#[test]
fn lanes_of_a_wave_must_arrive_together() {
    let mut divergent = guarded("%2: i1 = slt %0 %1");
    assert_eq!(exchange(&mut divergent, NATIVE).unwrap_err().code, "exchange-divergent");
    // A vote is the same in all lanes of its wave, but not in all waves.
    let vote = "%2: i1 = slt %0 %1\n%3: i1 = any %2 %2";
    exchange(&mut guarded(vote), NATIVE).unwrap();
    let memory = Workgroup { subgroups: false, ..NATIVE };
    assert_eq!(exchange(&mut guarded(vote), memory).unwrap_err().code, "exchange-divergent");
}
