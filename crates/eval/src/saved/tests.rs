use crate::testing::*;
use crate::{Machine, NoEnvironment, NoObserver, Progress};
use shisa_ir::{ControlOp, Mask, Swizzle, Type, WAVE};

/// A loop in which each lane counts to its number.
fn counting() -> Code {
    let mut code = Code::new();
    code.plain(ControlOp::Loop);
    let body = code.here();
    code.op(|b| {
        let v = b.read(r(0), Swizzle::IDENTITY, Type::I32);
        let one = b.i32(1);
        let next = b.iadd(v, one);
        b.write(r(0), Mask::first(1), next);
    });
    code.control(ControlOp::Again, body, |b| {
        let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
        let v = b.read(r(0), Swizzle::IDENTITY, Type::I32);
        Some(b.ult(v, id))
    });
    code.plain(ControlOp::Exit);
    code
}

#[test]
fn another_machine_continues_from_a_saved_one() {
    let code = counting();
    let program = code.program();
    let mut first = machine(&program);
    (0..WAVE).for_each(|lane| first.set_input(ID, lane, lane as u32).unwrap());
    for _ in 0..20 {
        assert_eq!(first.step(&mut NoEnvironment, &mut NoObserver).unwrap(), Progress::Running);
    }
    let saved = first.save().unwrap();
    assert_eq!(saved.registers().len(), program.units().len());
    let mut second = Machine::new(&program, &Structured, 0, 1);
    second.restore(&saved).unwrap();
    assert_eq!((second.lanes(), second.active(), second.at()), (first.lanes(), first.active(), first.at()));
    assert_eq!(second.save().unwrap(), saved);
    loop {
        let progress = first.step(&mut NoEnvironment, &mut NoObserver).unwrap();
        assert_eq!(second.step(&mut NoEnvironment, &mut NoObserver).unwrap(), progress);
        assert_eq!(first.save().unwrap(), second.save().unwrap());
        if progress == Progress::Done {
            break;
        }
    }
    // A restarted machine has no register of the saved one.
    second.restart(0, 1).unwrap();
    assert_eq!(second.register(r(0), 5).unwrap(), 0);
}

#[test]
fn waves_of_other_programs_are_refused() {
    let (one, mut other) = (counting(), Code::new());
    other.plain(ControlOp::Exit);
    let (one, other) = (one.program(), other.program());
    let saved = machine(&one).save().unwrap();
    assert_eq!(machine(&other).restore(&saved).unwrap_err().code, "eval-restore");
}
