use super::*;
use crate::testing::FILES;
use alloc::format;
use shisa_diag::Limits;

/// The previous value and the word after an operation on the word at address 8 of shared memory. Between the first load
/// and the first exchange another lane changes the word to `between`.
fn run(operation: &str, [before, between]: [u32; 2]) -> [u32; 2] {
    let text = format!("b0:\n%0: i32 = const 8\n{operation}\nexit\n");
    let mut func = parse_func(&text, FILES, &Limits::default()).unwrap();
    verify(&func).unwrap();
    let result = *func.blocks[0].body.last().unwrap();
    let ty = func.nodes.ty(result);
    let mut uses = Vec::new();
    // A store keeps the result alive and shows it.
    let store =
        func.nodes.push(Op::Store { space: Space::Local, address: Value(0), value: result }, Type::NONE, 0);
    func.blocks[0].body.push(store);
    loop_atomics(&mut func);
    verify(&func).unwrap();
    let mut values = vec![0u64; func.nodes.list.len()];
    let (mut memory, mut block, mut exchanges) = (before, 0, 0);
    loop {
        for &v in &func.blocks[block].body {
            let at = |v: Value| values[v.index()];
            let kind = |v: Value| func.nodes.ty(v).scalar;
            let ty = func.nodes.ty(v);
            let made = match func.nodes.op(v) {
                Op::Const(bits) => bits,
                Op::Unary { op, rule, a } => scalar::unary(op, rule, kind(a), at(a)),
                Op::Binary { op, rule, a, b } => scalar::binary(op, rule, kind(a), at(a), at(b)),
                Op::Convert { op, rule, a } => scalar::convert(op, rule, kind(a), ty.scalar, at(a)),
                Op::Ternary { op, rule, a, b, c } => {
                    scalar::ternary(op, rule, ty.scalar, at(a), at(b), at(c))
                }
                Op::Load { space: Space::Shared, address } => {
                    assert_eq!(at(address), 8);
                    memory.into()
                }
                Op::Atomic { op: Atomic::CompareExchange, address, value, expected, .. } => {
                    assert_eq!(at(address), 8);
                    if exchanges == 0 {
                        memory = between;
                    }
                    exchanges += 1;
                    let old = memory;
                    if u64::from(old) == at(expected) {
                        memory = at(value) as u32;
                    }
                    old.into()
                }
                Op::Store { space: Space::Local, value, .. } => {
                    uses.push(at(value) as u32);
                    0
                }
                other => panic!("{other:?}"),
            };
            values[v.index()] = made;
        }
        let edge = match &func.blocks[block].end {
            End::Exit => break,
            End::Jump(edge) => edge,
            End::Branch { cond, yes, no } => {
                if values[cond.index()] != 0 {
                    yes
                } else {
                    no
                }
            }
        };
        for (param, argument) in func.blocks[edge.to.index()].params.iter().zip(&edge.args) {
            values[param.index()] = values[argument.index()];
        }
        block = edge.to.index();
    }
    assert_eq!(uses.len(), 1, "{ty}");
    assert_eq!(exchanges, if before == between { 1 } else { 2 }, "another lane was first");
    [uses[0], memory]
}

#[test]
fn counters_wrap_at_their_bound() {
    let line = |op: &str, bound: u32| format!("%1: i32 = const {bound}\n%2: i32 = {op} shared %0 %1");
    for (op, bound, before, after) in [
        ("increment", 5, 4, 5),
        ("increment", 5, 5, 0),
        ("increment", 5, 9, 0),
        ("decrement", 5, 5, 4),
        ("decrement", 5, 0, 5),
        ("decrement", 5, 6, 5),
        ("decrement", u32::MAX, 1, 0),
    ] {
        assert_eq!(run(&line(op, bound), [before; 2]), [before, after], "{op} {bound} of {before}");
        assert_eq!(run(&line(op, bound), [77, before]), [before, after], "{op} {bound} of {before}");
    }
}

#[test]
fn floats_are_added() {
    let line = "%1: f32 = const 0x40000000\n%2: f32 = atomic_fadd shared %0 %1";
    let [one, three] = [1f32, 3f32].map(f32::to_bits);
    assert_eq!(run(line, [one; 2]), [one, three]);
    assert_eq!(run(line, [0, one]), [one, three]);
}

/// The other half of the word stays.
#[test]
fn halves_are_added_in_their_half() {
    // 2 in binary16.
    let low = "%1: f16 = const 0x4000\n%2: f16 = atomic_fadd shared %0 %1";
    assert_eq!(run(low, [0x1234_3c00; 2]), [0x3c00, 0x1234_4200]);
    let high = "%1: f16 = const 0x4000\n%2: i32 = const 10\n%3: f16 = atomic_fadd shared %2 %1";
    assert_eq!(run(high, [0x3c00_5678; 2]), [0x3c00, 0x4200_5678]);
}
