use super::*;
use crate::testing::{FILES, Random, random_func};
use crate::{Builder, FileId, Mask, Swizzle, Type};

fn step(fill: impl FnOnce(&mut Builder<'_>) -> Control) -> (Nodes, Step) {
    let mut nodes = Nodes::default();
    let control = fill(&mut Builder::new(&mut nodes, 0));
    let range = 0..nodes.list.len() as u32;
    (nodes, Step { pc: 0, next: 1, nodes: range, guard: None, whole_wave: false, control })
}

fn text(fill: impl FnOnce(&mut Builder<'_>)) -> String {
    let (nodes, step) = step(|b| {
        fill(b);
        Control::default()
    });
    pseudocode(&nodes, &step, &FILES)
}

const XYZW: Swizzle = Swizzle::IDENTITY;
const F32X4: Type = Scalar::F32.by(4);

fn t(register: u16) -> Reg {
    Reg::new(FileId(0), register * 4)
}

#[test]
fn wide_components_take_several_units() {
    for (unit, name) in [(4, "t1.x"), (6, "t1.y"), (8, "t2.x")] {
        let copy = text(|b| {
            let x = b.read(Reg::new(FileId(0), unit), XYZW, Scalar::F64.by(1));
            b.write(t(0), Mask(1), x);
        });
        assert_eq!(copy, format!("t0.x = {name}"));
    }
}

#[test]
fn expressions_stand_where_they_are_used() {
    let sum = text(|b| {
        let (x, y) = (b.read(t(1), XYZW, F32X4), b.read(t(2), Swizzle::splat(1), F32X4));
        let z = b.fadd(x, y);
        let z = b.fmul(z, x);
        b.write(t(0), Mask(3), z);
    });
    assert_eq!(sum, "t0.xy = (t1.xyzw + t2.yyyy) * t1.xyzw");
    let choice = text(|b| {
        let (x, y) = (b.read(t(1), XYZW, Type::F32), b.f32(-1.5, 1));
        let less = b.flt(x, y);
        let n = b.fneg(x);
        let z = b.select(less, n, y);
        b.rule.saturate = true;
        let z = b.fsub(z, y);
        b.write(t(0), Mask(1), z);
    });
    assert_eq!(choice, "t0.x = saturate((t1.x < -1.5 ? -t1.x : -1.5) - -1.5)");
    let integers = text(|b| {
        b.rule.saturate = true;
        let (x, y) = (b.read(t(1), XYZW, Type::I32), b.read(t(2), XYZW, Type::I32));
        let z = b.iadd(x, y);
        b.write(t(0), Mask(1), z);
    });
    assert_eq!(integers, "t0.x = t1.x + t2.x", "a rule of floats says nothing of integers");
}

#[test]
fn shared_and_stale_values_get_names() {
    let shared = text(|b| {
        let x = b.read(t(1), XYZW, Type::F32);
        let y = b.fsqrt(x);
        let z = b.fadd(y, y);
        b.write(t(0), Mask(1), z);
    });
    assert_eq!(shared, "t0 = sqrt(t1.x)\nt0.x = t0 + t0");
    let swap = text(|b| {
        let (x, y) = (b.read(t(1), XYZW, F32X4), b.read(t(2), XYZW, F32X4));
        b.write(t(1), Mask::ALL, y);
        b.write(t(2), Mask::ALL, x);
    });
    assert_eq!(swap, "t0 = t1.xyzw\nt1.xyzw = t2.xyzw\nt2.xyzw = t0");
}

/// Each previous value of memory has a name of its own.
#[test]
fn atomics_name_what_was_there() {
    use crate::{Atomic, Binary, FloatRule, Space};
    let two = text(|b| {
        let x = b.read(t(1), XYZW, Type::I32);
        let first = b.atomic(Atomic::Increment, (Space::Shared, x), x, None);
        let sum = Atomic::CombineFloats(Binary::FAdd, FloatRule::IEEE);
        let one = b.f32(1.0, 1);
        let second = b.atomic(sum, (Space::Global, x), one, None);
        let second = b.convert(crate::Convert::Bits, second, crate::Scalar::I32);
        let v = b.isub(second, first);
        b.write(t(0), Mask(1), v);
    });
    let expected = "t0 = t1.x\n\
                    old = atomic wrapping increment shared[t0], t0\n\
                    old2 = atomic + global[t0], 1.0\n\
                    t0.x = bits as i32(old2) - old";
    assert_eq!(two, expected);
}

#[test]
fn control_and_guards() {
    let (nodes, mut step) = step(|b| {
        let guard = b.read(Reg::new(FileId(2), 3), XYZW, Type::BOOL);
        let one = b.i32(1);
        b.write(t(0), Mask(1), one);
        Control { op: ControlOp::Branch, cond: Some(guard), target: 64, ..Control::default() }
    });
    assert_eq!(pseudocode(&nodes, &step, &FILES), "t0 = p3\nt0.x = 1\nif t0: go to 0x40");
    step.guard = Some(Value(0));
    step.control = Control { op: ControlOp::Exit, ..Control::default() };
    assert_eq!(pseudocode(&nodes, &step, &FILES), "if p3:\n    t0.x = 1\nend");
}

#[test]
fn every_operation_has_a_form() {
    let mut random = Random::new(51);
    for _ in 0..500 {
        let func = random_func(&mut random, 1);
        let end = func.blocks[0].body.last().map_or(0, |v| v.0 + 1);
        let step = Step {
            pc: 0,
            next: 1,
            nodes: 0..end,
            guard: None,
            whole_wave: false,
            control: Control::default(),
        };
        let text = pseudocode(&func.nodes, &step, &FILES);
        assert!(!text.contains('%') && !text.contains("()"), "{text}");
        let effects = func.blocks[0].body.iter().filter(|v| func.nodes.op(**v).has_effect()).count();
        assert!(text.lines().count() >= effects, "{text}");
    }
}

#[test]
fn long_chains_are_split() {
    let (nodes, step) = step(|b| {
        let mut x = b.read(t(1), XYZW, Type::F32);
        for _ in 0..100_000 {
            x = b.fsqrt(x);
        }
        b.write(t(0), Mask(1), x);
        Control::default()
    });
    let text = pseudocode(&nodes, &step, &FILES);
    assert!(text.lines().all(|l| l.len() < 200) && text.lines().count() > 1000);
}
