//! Plans that the planner never makes: running one is an error, never a default value.

use super::micro::Micro;
use super::planes::{PlaneId, RegisterId, RegisterSpan, ScratchId};
use crate::program::Program;
use crate::{NoEnvironment, NoObserver, Trace, testing::*};
use shisa_ir::{Axis, Binary, Mask, Op, Scalar, Swizzle, Type};

/// A plane far above all others.
const FAR: u32 = 100_000;

/// A program with many kinds of operations.
fn code() -> Code {
    let mut code = Code::new();
    code.op(|b| {
        let x = b.read(input(0), Swizzle::IDENTITY, Scalar::F32.by(2));
        let dx = b.derivative(Axis::X, x);
        let sum = b.fadd(x, dx);
        b.write(r(0), Mask::first(2), sum);
        let id = b.read(ID, Swizzle::IDENTITY, Type::I32);
        let file = uniform(0).file;
        let at = Op::ReadAt { file, base: 0, stride: 1, index: id, swizzle: Swizzle::IDENTITY };
        let gathered = b.push(at, Type::I32);
        let votes = b.ieq(gathered, id);
        b.kill(votes);
        b.write(h(0), Mask::first(1), gathered);
        let wide = b.pair(x, Scalar::I64);
        let by = b.convert(shisa_ir::Convert::ZeroExtend, id, Scalar::I64);
        let slow = b.binary(Binary::LShr, wide, by);
        b.write(r(4), Mask::first(1), slow);
    });
    code
}

/// The code of the error of the damaged program's first step, with and without an observer.
fn fault(damage: impl Fn(&mut Program<'_>) -> usize) -> [Option<&'static str>; 2] {
    let code = code();
    let mut program = code.program();
    let damaged = damage(&mut program);
    assert!(damaged > 0, "nothing was damaged");
    let plain = machine(&program).step(&mut NoEnvironment, &mut NoObserver);
    let watched = machine(&program).step(&mut NoEnvironment, &mut Trace::new(1));
    for d in [&plain, &watched].into_iter().filter_map(|r| r.as_ref().err()) {
        assert!(d.help.iter().any(|h| h.contains("report")), "{d:?}");
    }
    [plain, watched].map(|r| r.err().map(|d| d.code))
}

const REFUSED: [Option<&str>; 2] = [Some("internal-plan"); 2];

#[test]
fn a_sound_plan_runs() {
    assert_eq!(fault(|_| 1), [None, None]);
}

#[test]
fn planes_that_do_not_exist_are_refused() {
    let far = PlaneId::new(FAR);
    let register = RegisterId::new(FAR);
    /// Sets a field of all operations of a kind.
    macro_rules! refused {
        ($kind:pat => $field:expr, $value:expr) => {
            let found = fault(|program| {
                let mut count = 0;
                for op in &mut program.ops {
                    if let $kind = op {
                        $field = $value;
                        count += 1;
                    }
                }
                count
            });
            assert_eq!(found, REFUSED, "{} of {}", stringify!($field), stringify!($kind));
        };
    }
    refused!(Micro::Loop { args, .. } => args[0], far);
    refused!(Micro::ByLane { args, .. } => args[1][1], far);
    refused!(Micro::Neighbour { a, .. } => *a, far);
    refused!(Micro::Gather { index, .. } => *index, far);
    refused!(Micro::Gather { file, .. } => *file, RegisterSpan::new(register, 4));
    refused!(Micro::Kill { cond } => *cond, far);
    refused!(Micro::Write { src, .. } => *src, far);
    refused!(Micro::Write { reg, .. } => *reg, register);
    refused!(Micro::WriteHalves { src, .. } => *src, far);
    refused!(Micro::WriteHalves { regs, .. } => *regs, [register; 2]);
    refused!(Micro::Loop { dst, .. } => *dst, ScratchId::new(FAR));
    refused!(Micro::ByLane { dst, .. } => dst.first, ScratchId::new(FAR));
    refused!(Micro::Loop { dst, args, .. } => args[0], (*dst).into());
}

/// A constant is not a register: only an observer looks the register up, and then it is missing.
#[test]
fn written_planes_that_are_no_register_are_refused() {
    let constant = fault(|program| {
        let mut count = 0;
        for op in &mut program.ops {
            if let Micro::Write { reg, .. } = op {
                (*reg, count) = (RegisterId::new(0), count + 1);
            }
        }
        count
    });
    assert_eq!(constant[1], Some("internal-plan"));
}

#[test]
fn steps_without_their_operations_are_refused() {
    assert_eq!(
        fault(|program| {
            program.steps[0].ops = 0..FAR as usize;
            1
        }),
        REFUSED
    );
    assert_eq!(
        fault(|program| {
            program.steps[0].cond = Some(PlaneId::new(FAR));
            1
        }),
        REFUSED
    );
    assert_eq!(
        fault(|program| {
            program.steps[0].target = Some(PlaneId::new(FAR));
            1
        }),
        REFUSED
    );
}

#[test]
fn registers_that_the_plan_does_not_hold_are_refused_at_a_restart() {
    let code = code();
    let mut program = code.program();
    program.written.push(RegisterId::new(FAR));
    assert_eq!(machine(&program).restart(0, 1).unwrap_err().code, "internal-plan");
}
