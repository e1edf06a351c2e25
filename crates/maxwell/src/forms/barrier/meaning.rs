//! The effects of barriers of the workgroup.
//!
//! A barrier counts warps, each as 32 threads, however many of its lanes are active: PTX defines `bar` so. Without a
//! number of threads it waits for all warps that have not ended: `SR_NTID`, which counts the threads of the block, falls
//! by 32 with every warp that ends.
//!
//! Memory barriers (`MEMBAR`) and barriers of results (`DEPBAR`) have no effect on values where every access takes
//! effect at once and in order.
//!
//! Nothing public describes the state of a barrier as `B2R` without a suffix, `B2R.WARP` and `R2B` hold it. By their
//! use, which is to save and restore a warp, it is what has arrived at a barrier, and what the warp waits for.

use super::{BARRIER, Either, REDUCTION, THREADS};
use crate::operand::{D, MaxwellLift, P, R, registers};
use shisa_diag::Diagnostic;
use shisa_ir::{Arrival, Op, Type, Value};

/// The bits that count threads, as ptxas inserts them.
const COUNT: i32 = 0xfff;

/// Arrives at one barrier.
pub(super) fn arrive(l: &mut MaxwellLift<'_, '_>, how: Arrival) {
    let (number, threads) = (number(l), threads(l));
    let vote = match l.insn.form().operand(R) {
        Some(_) => l.src(R),
        None => l.constant(Type::BOOL, 1),
    };
    l.push(Op::Arrive { how, number, threads, vote }, Type::NONE);
}

/// The number of the barrier; a register holds it in the lower 16 bits.
fn number(l: &mut MaxwellLift<'_, '_>) -> Value {
    match Either::split(&BARRIER, &l.insn.word) {
        (true, number) => l.i32(number as i32),
        (false, register) => {
            let (register, low) = (registers(l, register & 255, 1), l.i32(0xffff));
            l.and(register, low)
        }
    }
}

/// The number of threads, 0 for all. If the number of the barrier is in a register, too, one register holds both: ptxas
/// compiles `bar.sync %a, %b` to `BFI R4, %b, 0xc10, %a; BAR.SYNC R4, R4`, but `bar.sync 3, %b` to `BAR.SYNC 0x3, %b`.
fn threads(l: &mut MaxwellLift<'_, '_>) -> Value {
    let (numbered, _) = Either::split(&BARRIER, &l.insn.word);
    match Either::split(&THREADS, &l.insn.word) {
        (true, threads) => l.i32(threads as i32),
        (false, register) => {
            let mut register = registers(l, register & 255, 1);
            if !numbered {
                let upper = l.i32(16);
                register = l.lshr(register, upper);
            }
            let count = l.i32(COUNT);
            l.and(register, count)
        }
    }
}

/// Combines truth values.
pub(super) fn reduce(l: &mut MaxwellLift<'_, '_>) {
    match REDUCTION.field.get(&l.insn.word) {
        0 => arrive(l, Arrival::Count),
        1 => arrive(l, Arrival::All),
        2 => arrive(l, Arrival::Any),
        _ => l.refuse(Diagnostic::error("lift-barrier", "this reduction at a barrier does not exist")),
    }
}

/// Waits for the whole workgroup. Nothing public describes `BAR.SYNCALL` and no compiler is known to emit it: by its name
/// all threads wait for each other, whatever happens at the numbered barriers.
pub(super) fn wait_for_all(l: &mut MaxwellLift<'_, '_>) {
    l.push(Op::Barrier, Type::NONE);
}

/// Reads the result of the latest reduction: ptxas compiles `bar.red.popc` to `B2R.RESULT R0`, and `bar.red.and` and
/// `bar.red.or` to `B2R.RESULT RZ, P0`. The register after the latter two and the predicate after the former are not
/// documented: here the register is 1 or 0, and the predicate states whether the result is not 0.
pub(in crate::forms) fn result(l: &mut MaxwellLift<'_, '_>) {
    let result = l.push(Op::Reduced, Type::I32);
    let zero = l.i32(0);
    let held = l.ine(result, zero);
    l.set(D, result);
    l.set(P, held);
}
