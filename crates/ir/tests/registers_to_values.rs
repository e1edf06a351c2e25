//! Registers become values.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::Limits;
use shisa_ir::testing::{FILES, Machine, Random, random_func};
use shisa_ir::{
    BlockId, Builder, Edge, End, FileId, FileKind, Func, Mask, Nodes, Op, Reg, Scalar, Swizzle, Type, Value,
    registers_to_values,
};

const T: FileId = FileId(0);
const H: FileId = FileId(1);
const O: FileId = FileId(3);
const I: FileId = FileId(4);
const F32X4: Type = Scalar::F32.by(4);

/// Adds a block whose body is what `fill` appends.
fn block(func: &mut Func, end: End, fill: impl FnOnce(&mut Builder<'_>) -> Option<Value>) {
    let start = func.nodes.list.len() as u32;
    let cond = fill(&mut Builder::new(&mut func.nodes, 0));
    let body = (start..func.nodes.list.len() as u32).map(Value).collect();
    let end = match (end, cond) {
        (End::Branch { yes, no, .. }, Some(cond)) => End::Branch { cond, yes, no },
        (end, _) => end,
    };
    func.blocks.push(shisa_ir::Block { params: vec![], body, end });
}

fn empty() -> Func {
    Func { files: FILES, nodes: Nodes::default(), blocks: vec![] }
}

fn branch(yes: u32, no: u32) -> End {
    End::Branch { cond: Value(0), yes: Edge::to(BlockId(yes)), no: Edge::to(BlockId(no)) }
}

fn ops(func: &Func, b: usize) -> Vec<Op> {
    func.blocks[b].body.iter().map(|&v| func.nodes.op(v)).collect()
}

fn promoted(mut func: Func) -> Func {
    registers_to_values(&mut func, &Limits::default()).unwrap();
    func
}

#[test]
fn a_read_of_a_whole_value_is_that_value() {
    let mut func = empty();
    block(&mut func, End::Exit, |b| {
        let v = b.read(Reg::new(I, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(T, 4), Mask::ALL, v);
        let again = b.read(Reg::new(T, 4), Swizzle::IDENTITY, F32X4);
        let turned = b.read(Reg::new(T, 4), Swizzle::from_slice(&[3, 2, 1, 0]), F32X4);
        let sum = b.fadd(again, turned);
        b.write(Reg::new(O, 0), Mask::ALL, sum);
        None
    });
    let func = promoted(func);
    let ops = ops(&func, 0);
    assert!(
        matches!(
            ops[..],
            [
                Op::Read { .. },
                Op::Swizzle { a: Value(0), .. },
                Op::Binary { a: Value(0), .. },
                Op::Write { mask: Mask::ALL, .. }
            ]
        ),
        "{ops:?}"
    );
}

#[test]
fn components_of_several_values_are_joined_once() {
    let mut func = empty();
    block(&mut func, End::Exit, |b| {
        let v = b.read(Reg::new(I, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(T, 0), Mask::ALL, v);
        let x = b.f32(1.0, 1);
        b.write(Reg::new(T, 0), Mask(2), x);
        let a = b.read(Reg::new(T, 0), Swizzle::IDENTITY, F32X4);
        let c = b.read(Reg::new(T, 0), Swizzle::IDENTITY, F32X4);
        let sum = b.fadd(a, c);
        b.write(Reg::new(O, 0), Mask(1), sum);
        None
    });
    let func = promoted(func);
    let count = |f: fn(&Op) -> bool| ops(&func, 0).iter().filter(|&o| f(o)).count();
    assert_eq!(count(|o| matches!(o, Op::Join { .. })), 1);
    assert_eq!(count(|o| matches!(o, Op::Swizzle { .. })), 4, "three preserved components, and x of the sum");
}

#[test]
fn a_join_gets_one_vector_parameter() {
    let mut func = empty();
    block(&mut func, branch(1, 2), |b| {
        let v = b.read(Reg::new(I, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(T, 0), Mask::ALL, v);
        Some(b.constant(Type::BOOL, 1))
    });
    for (at, x) in [(1, 1.0), (2, 2.0)] {
        block(&mut func, End::Jump(Edge::to(BlockId(3))), |b| {
            let v = b.f32(x, 3);
            b.write(Reg::new(T, 0), Mask(if at == 1 { 7 } else { 13 }), v);
            None
        });
    }
    block(&mut func, End::Exit, |b| {
        let v = b.read(Reg::new(T, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(O, 4), Mask::ALL, v);
        None
    });
    let func = promoted(func);
    let [param] = func.blocks[3].params[..] else { panic!("{func:?}") };
    assert_eq!(func.nodes.ty(param), F32X4);
    assert!(matches!(ops(&func, 3)[..], [Op::Write { value, .. }] if value == param));
    assert_eq!(func.blocks[1].end.edges().next().unwrap().args.len(), 1);
}

#[test]
fn a_loop_has_parameters_only_for_what_it_changes() {
    let mut func = empty();
    block(&mut func, End::Jump(Edge::to(BlockId(1))), |b| {
        let v = b.read(Reg::new(I, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(T, 0), Mask::ALL, v);
        b.write(Reg::new(T, 4), Mask::ALL, v);
        None
    });
    block(&mut func, branch(1, 2), |b| {
        let (x, step) = (
            b.read(Reg::new(T, 0), Swizzle::splat(0), Type::F32),
            b.read(Reg::new(T, 4), Swizzle::splat(1), Type::F32),
        );
        let next = b.fadd(x, step);
        b.write(Reg::new(T, 0), Mask(1), next);
        Some(b.flt(next, step))
    });
    block(&mut func, End::Exit, |b| {
        let v = b.read(Reg::new(T, 0), Swizzle::IDENTITY, F32X4);
        b.write(Reg::new(O, 0), Mask::ALL, v);
        None
    });
    let func = promoted(func);
    let types: Vec<Type> = func.blocks[1].params.iter().map(|&p| func.nodes.ty(p)).collect();
    assert_eq!(types, [Type::F32]);
    assert!(func.blocks[2].params.is_empty());
}

#[test]
fn an_entry_that_is_looped_to_gets_a_block_before_it() {
    let mut func = empty();
    block(&mut func, branch(0, 1), |b| {
        let x = b.read(Reg::new(T, 0), Swizzle::splat(0), Type::I32);
        let one = b.i32(1);
        let next = b.iadd(x, one);
        b.write(Reg::new(T, 0), Mask(1), next);
        let end = b.i32(5);
        Some(b.slt(next, end))
    });
    block(&mut func, End::Exit, |b| {
        let x = b.read(Reg::new(T, 0), Swizzle::splat(0), Type::I32);
        let x = b.convert(shisa_ir::Convert::SignedToFloat, x, Scalar::F32);
        b.write(Reg::new(O, 0), Mask(1), x);
        None
    });
    let func = promoted(func);
    assert!(func.blocks[0].params.is_empty());
    let outcome = Machine::new(&func, 0, 100).run();
    assert_eq!(outcome.events[0], u64::from(5f32.to_bits()));
}

#[test]
fn wide_and_narrow_accesses_of_the_same_units() {
    let mut func = empty();
    block(&mut func, End::Exit, |b| {
        let wide = b.constant(Scalar::I64.by(1), 0x1122_3344_5566_7788);
        b.write(Reg::new(H, 1), Mask(1), wide);
        let half = b.constant(Scalar::I16.by(1), 0xabcd);
        b.write(Reg::new(H, 2), Mask(1), half);
        let middle = b.read(Reg::new(H, 2), Swizzle::splat(0), Type::I32);
        let all = b.read(Reg::new(H, 1), Swizzle::splat(0), Scalar::I64.by(1));
        let address = b.i32(0);
        b.store(shisa_ir::Space::Shared, address, middle);
        b.store(shisa_ir::Space::Shared, address, all);
        None
    });
    let func = promoted(func);
    let outcome = Machine::new(&func, 0, 10).run();
    assert_eq!(outcome.events[2], 0x3344_abcd);
    assert_eq!(outcome.events[5], 0x1122_3344_abcd_7788);
}

#[test]
fn random_functions_do_the_same_afterwards() {
    let mut random = Random::new(11);
    let (mut events, mut params) = (0, 0);
    for round in 0..3000 {
        let size = 1 + random.below(9);
        let before = random_func(&mut random, size);
        let after = promoted(before.clone());
        for &v in after.blocks.iter().flat_map(|b| &b.body) {
            let file = match after.nodes.op(v) {
                Op::Read { reg, .. } => FILES[reg.file.0 as usize],
                Op::Write { reg, .. } => FILES[reg.file.0 as usize],
                _ => continue,
            };
            let read = matches!(after.nodes.op(v), Op::Read { .. });
            let stays = file.name == "a"
                || if read { file.kind != FileKind::Output } else { file.kind == FileKind::Output };
            assert!(
                stays && (file.kind != FileKind::Temp || file.name == "a"),
                "{v:?} {:?}",
                after.nodes.op(v)
            );
        }
        for seed in 0..3 {
            let a = Machine::new(&before, seed, 60).run();
            let b = Machine::new(&after, seed, 60).run();
            assert!(a.agrees(&b), "round {round} seed {seed}\n{a:?}\n{b:?}\n{before:#?}\n{after:#?}");
            events += a.events.len();
        }
        params += after.blocks.iter().map(|b| b.params.len()).sum::<usize>();
    }
    assert!(events > 10_000 && params > 1_000, "{events} events, {params} parameters");
}

#[test]
fn too_many_registers_for_the_fuel_are_refused() {
    let mut func = random_func(&mut Random::new(3), 9);
    let error = registers_to_values(&mut func, &Limits { fuel: 5, ..Limits::default() }).unwrap_err();
    assert_eq!(error.code, "limit-exceeded");
}
