//! What OUT does, and the state of emission.
//!
//! The hardware does not describe the state; a program only passes it on. Here its lower half is the number of vertices
//! that were emitted, and its upper half is that number multiplied by [`CHECK`]. The state of a program that has emitted
//! nothing is 0, as the hardware has it. A state is damaged if the halves do not fit, or if it has more vertices than the
//! header allows.

use super::STYLE;
use crate::ShaderStage;
use crate::container::sph::common;
use crate::operand::{A, B, C, D, MaxwellLift, registers};
use crate::options::DamagedState;
use crate::sequencer::{Stop, TRAP};
use shisa_diag::Diagnostic;
use shisa_ir::{Op, Type, Value};

/// The factor from the number of vertices to the upper half of the state. It is odd, so that each number has another.
const CHECK: i32 = 0x9e37;
/// The most vertices that any header allows.
const MOST_VERTICES: u32 = 0xfff;
/// The bits of a stream's number.
const STREAM: i32 = 3;

/// Whether the program counts its vertices in a state: a geometry program that is not a fast one.
fn is_regular(l: &MaxwellLift<'_, '_>) -> bool {
    l.ctx.drawing.is_none_or(|drawing| {
        drawing.stage == ShaderStage::Geometry
            && drawing.field(const { common("IsFastGs") }).unwrap_or(0) == 0
    })
}

/// How many vertices the program may emit.
fn most(l: &MaxwellLift<'_, '_>) -> u32 {
    let stated = l.ctx.drawing.and_then(|drawing| drawing.field(const { common("MaxOutputVertexCount") }));
    stated.unwrap_or(MOST_VERTICES)
}

/// The number of vertices in a state, and whether the state is not damaged.
fn vertices(l: &mut MaxwellLift<'_, '_>, state: Value) -> (Value, Value) {
    let most = most(l) as i32;
    let (low, half, most) = (l.i32(0xffff), l.i32(16), l.i32(most + 1));
    let count = l.and(state, low);
    let expected = check(l, count);
    let found = l.lshr(state, half);
    let sound = l.ieq(found, expected);
    let within = l.ult(count, most);
    (count, l.and(sound, within))
}

/// The upper half of the state for a number of vertices.
fn check(l: &mut MaxwellLift<'_, '_>, count: Value) -> Value {
    let (factor, low) = (l.i32(CHECK), l.i32(0xffff));
    let product = l.imul(count, factor);
    l.and(product, low)
}

/// Raises the trap for a damaged state, if the option asks for it.
fn trap(l: &mut MaxwellLift<'_, '_>, sound: Value) {
    let traps = l.ctx.drawing.map(|drawing| drawing.options.damaged_state) == Some(DamagedState::Traps);
    if traps {
        let damaged = l.not(sound);
        l.control(TRAP, Some(damaged), 0, Stop::DamagedState as u32);
    }
}

/// Whether a store of an output goes ahead, by the state of emission that it takes; `None` in programs without one.
pub(super) fn may_store(l: &mut MaxwellLift<'_, '_>) -> Option<Value> {
    let counts = l.ctx.drawing.is_some_and(|drawing| !drawing.keeps_state) && is_regular(l);
    counts.then(|| {
        let n = l.insn.field(C);
        let state = registers(l, n, 1);
        let (_, sound) = vertices(l, state);
        trap(l, sound);
        sound
    })
}

/// OUT: emits a vertex, ends the strip, or both, and writes the next state. It leaves the destination as it is if the
/// state is damaged. Past the last vertex that the header allows it emits none. Fast programs have no state: OUT does
/// nothing. Where the program is known to keep the state, the state stays 0, and nobody asks for it.
pub(super) fn out(l: &mut MaxwellLift<'_, '_>) {
    let style = STYLE.get(&l.insn.word);
    if style == 0 {
        return l.refuse(Diagnostic::error("lift-out", "this OUT neither emits a vertex nor ends a strip"));
    }
    if !is_regular(l) {
        return;
    }
    let state = l.src(A);
    if l.ctx.drawing.is_some_and(|drawing| drawing.keeps_state) {
        let (always, none) = (l.constant(Type::BOOL, 1), l.i32(0));
        if style & 1 != 0 {
            let stream = stream(l);
            l.push(Op::EmitVertex { cond: always, vertex: none, stream }, Type::NONE);
        }
        if style & 2 != 0 {
            l.push(Op::EndStrip { cond: always, vertex: none }, Type::NONE);
        }
        return l.set(D, state);
    }
    let (mut count, sound) = vertices(l, state);
    if style & 1 != 0 {
        let most = most(l) as i32;
        let (stream, most) = (stream(l), l.i32(most));
        let room = l.ult(count, most);
        let cond = l.and(sound, room);
        l.push(Op::EmitVertex { cond, vertex: count, stream }, Type::NONE);
        let one = l.i32(1);
        let next = l.iadd(count, one);
        count = l.select(room, next, count);
    }
    if style & 2 != 0 {
        l.push(Op::EndStrip { cond: sound, vertex: count }, Type::NONE);
    }
    let half = l.i32(16);
    let upper = check(l, count);
    let upper = l.shl(upper, half);
    let next = l.or(upper, count);
    let n = l.insn.field(D);
    let old = registers(l, n, 1);
    let written = l.select(sound, next, old);
    l.set(D, written);
    trap(l, sound);
}

/// The stream that a vertex goes to.
fn stream(l: &mut MaxwellLift<'_, '_>) -> Value {
    let (stream, bits) = (l.src(B), l.i32(STREAM));
    l.and(stream, bits)
}

/// The number of vertices that a state has; `None` if it is damaged.
pub fn emitted(state: u32, most: u32) -> Option<u32> {
    let count = state & 0xffff;
    let sound = count.wrapping_mul(CHECK as u32) & 0xffff == state >> 16 && count <= most;
    sound.then_some(count)
}
