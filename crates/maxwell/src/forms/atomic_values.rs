//! What atomic operations do.

use super::memory_values::present;
use crate::Chip;
use crate::operand::{AT, B, D, MaxwellLift, P, RZ, registers};
use shisa_diag::Diagnostic;
use shisa_ir::{Atomic, Binary, Convert, FloatRule, NanRule, Op, Scalar, Space, Type, Value};
use shisa_rows::{Field, Slot};

/// Of the values to compare with and to store, the second is `RZ`.
pub(super) const FIRST: u64 = 1;
/// The first of them is `RZ`.
pub(super) const SECOND: u64 = 2;

/// What an operation takes the bits in memory for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    U32,
    S32,
    U64,
    S64,
    F32,
    /// Two halves, which change separately.
    F16x2,
}

impl Kind {
    /// The type in global memory; the first chip names number 4 `.U128` and has no halves.
    pub(super) fn global(bits: u64, chip: Chip) -> Option<Kind> {
        Some(match bits {
            0 => Kind::U32,
            1 => Kind::S32,
            2 => Kind::U64,
            3 => Kind::F32,
            4 if chip >= Chip::Sm52 => Kind::F16x2,
            5 => Kind::S64,
            _ => return None,
        })
    }

    /// The type in shared memory.
    pub(super) fn shared(bits: u64) -> Option<Kind> {
        [Kind::U32, Kind::S32, Kind::U64, Kind::S64].get(bits as usize).copied()
    }

    fn words(self) -> u8 {
        if matches!(self, Kind::U64 | Kind::S64) { 2 } else { 1 }
    }

    /// Bytes in memory.
    pub(super) fn bytes(self) -> i32 {
        4 * i32::from(self.words())
    }

    fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F16x2)
    }

    /// What the operation of a number in the list of suffixes does to memory. `.INC` and `.DEC` are unsigned 32-bit
    /// operations (PTX). The compilers' float operations are the sum, and for halves also the minimum and the maximum (the
    /// extension NV_shader_atomic_fp16_vector). Tests that others ran on a Switch show the rest: global memory stays as
    /// it is, while shared memory ends the program.
    fn operation(self, number: u64, space: Space) -> Effect {
        let signed = matches!(self, Kind::S32 | Kind::S64);
        let rule = FloatRule { flush: true, nan: NanRule::Number, ..FloatRule::IEEE };
        let rest = if space == Space::Global { Effect::None } else { Effect::Unknown };
        Effect::Change(match (number, self) {
            (8, _) => Atomic::Exchange,
            (9.., _) => return Effect::Unknown,
            (_, Kind::U64 | Kind::S64) if space == Space::Shared => return rest,
            (0, _) if self.is_float() => Atomic::CombineFloats(Binary::FAdd, rule),
            (1, Kind::F16x2) => Atomic::CombineFloats(Binary::FMin, rule),
            (2, Kind::F16x2) => Atomic::CombineFloats(Binary::FMax, rule),
            (_, Kind::F32 | Kind::F16x2) => return rest,
            (1, _) => Atomic::Combine(if signed { Binary::SMin } else { Binary::UMin }),
            (2, _) => Atomic::Combine(if signed { Binary::SMax } else { Binary::UMax }),
            (_, Kind::S64) => return rest,
            (0, _) => Atomic::Combine(Binary::IAdd),
            (3, Kind::U32) => Atomic::Increment,
            (4, Kind::U32) => Atomic::Decrement,
            (3 | 4, _) => return rest,
            (5, _) => Atomic::Combine(Binary::And),
            (6, _) => Atomic::Combine(Binary::Or),
            (7, _) => Atomic::Combine(Binary::Xor),
        })
    }
}

/// What an operation does to memory of a type.
enum Effect {
    Change(Atomic),
    /// Nothing, but it gives what is there.
    None,
    Unknown,
}

/// As [`change_at`], at the address of the instruction.
pub(super) fn change(
    l: &mut MaxwellLift<'_, '_>,
    space: Space,
    operation: (Option<Kind>, u64),
    value: Slot,
) -> Option<Value> {
    let address = l.src(AT);
    change_at(l, (space, address), operation, value)
}

/// Changes memory with the value in the registers of `value`, and yields the previous value as 32-bit components.
/// Refuses what nothing public describes, such as `.SAFEADD`, of which only the name is known.
pub(super) fn change_at(
    l: &mut MaxwellLift<'_, '_>,
    (space, address): (Space, Value),
    (kind, operation): (Option<Kind>, u64),
    value: Slot,
) -> Option<Value> {
    let (kind, op) = match kind.map(|kind| (kind, kind.operation(operation, space))) {
        Some((kind, Effect::Change(op))) => (kind, op),
        Some((kind, Effect::None)) => {
            return Some(l.load(space, address, Scalar::I32.by(kind.words())));
        }
        Some((_, Effect::Unknown)) | None => {
            l.refuse(Diagnostic::error("lift-atomic", "no memory has this operation on this type"));
            return None;
        }
    };
    let n = l.insn.field(value) & 255;
    let words = registers(l, n, kind.words());
    Some(match (op, kind) {
        (Atomic::CombineFloats(..), Kind::F16x2) => halves(l, op, (space, address), words),
        (Atomic::CombineFloats(..), _) => {
            let value = l.convert(Convert::Bits, words, Scalar::F32);
            let old = l.atomic(op, (space, address), value, None);
            l.convert(Convert::Bits, old, Scalar::I32)
        }
        _ => {
            let value = joined(l, words);
            let old = l.atomic(op, (space, address), value, None);
            split(l, old)
        }
    })
}

/// Changes two halves. PTX states for packed halves that each is atomic by itself.
fn halves(l: &mut MaxwellLift<'_, '_>, op: Atomic, (space, address): (Space, Value), word: Value) -> Value {
    let ty = l.ty(address);
    let (two, sixteen) = (l.constant(ty, 2), l.i32(16));
    let upper = l.lshr(word, sixteen);
    let above = l.iadd(address, two);
    let [low, high] = [(word, address), (upper, above)].map(|(word, address)| {
        let bits = l.convert(Convert::Truncate, word, Scalar::I16);
        let value = l.convert(Convert::Bits, bits, Scalar::F16);
        let old = l.atomic(op, (space, address), value, None);
        let bits = l.convert(Convert::Bits, old, Scalar::I16);
        l.convert(Convert::ZeroExtend, bits, Scalar::I32)
    });
    let high = l.shl(high, sixteen);
    l.or(high, low)
}

/// One integer of one or two 32-bit components.
fn joined(l: &mut MaxwellLift<'_, '_>, words: Value) -> Value {
    if l.ty(words).count == 2 { l.pair(words, Scalar::I64) } else { words }
}

/// The 32-bit components of an integer.
fn split(l: &mut MaxwellLift<'_, '_>, v: Value) -> Value {
    if l.ty(v) == Type::I32 {
        return v;
    }
    l.push(Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: v }, Scalar::I32.by(2))
}

/// Stores the second value of the pair where the first is in memory. Yields the previous value and the first.
fn exchange(l: &mut MaxwellLift<'_, '_>, space: Space, count: u8) -> (Value, Value) {
    let address = l.src(AT);
    let bits = l.insn.field(B);
    let (n, form) = (bits & 255, bits >> 8);
    let next = if n == RZ { RZ } else { n + u64::from(count) };
    let [expected, value] = match form {
        FIRST => [n, RZ],
        SECOND => [RZ, n],
        _ => [n, next],
    };
    let [expected, value] = [expected, value].map(|n| {
        let words = registers(l, n, count);
        joined(l, words)
    });
    let old = l.atomic(Atomic::CompareExchange, (space, address), value, Some(expected));
    (old, expected)
}

/// Compares with the first of two values in registers from `n` on and exchanges for the second; yields the previous value
/// as 32-bit components.
pub(super) fn exchange_at(
    l: &mut MaxwellLift<'_, '_>,
    (space, address): (Space, Value),
    n: u64,
    count: u8,
) -> Value {
    let next = if n == RZ { RZ } else { n + u64::from(count) };
    let [expected, value] = [n, next].map(|n| {
        let words = registers(l, n, count);
        joined(l, words)
    });
    let old = l.atomic(Atomic::CompareExchange, (space, address), value, Some(expected));
    split(l, old)
}

/// Compares and exchanges, and gives what was there.
pub(super) fn compare_and_exchange(l: &mut MaxwellLift<'_, '_>, space: Space, count: u8) {
    let (old, _) = exchange(l, space, count);
    let words = split(l, old);
    l.set(D, words);
    if l.insn.form().operand(P).is_some() {
        present(l);
    }
}

/// Compares and exchanges, and gives whether that was done: compilers test the result for 1 and repeat their loop
/// otherwise. `.SPIN` is a hint: one lane
/// runs after the other here, so the exchange never fails while the values are equal.
pub(super) fn compare_and_store(l: &mut MaxwellLift<'_, '_>, space: Space, count: u8) {
    let (old, expected) = exchange(l, space, count);
    let done = l.ieq(old, expected);
    let ty = l.ty(old);
    let (yes, no) = (l.constant(ty, 1), l.constant(ty, 0));
    let done = l.select(done, yes, no);
    let words = split(l, done);
    l.set(D, words);
}

/// A field of the instruction of a lift.
pub(super) fn field(l: &MaxwellLift<'_, '_>, field: Field) -> u64 {
    field.get::<u128>(&l.insn.word)
}
