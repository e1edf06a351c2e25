//! What loads and stores do.

use crate::operand::{AT, D, MaxwellLift, P, bank_of, registers};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Type, Value};
use shisa_rows::Field;

/// How wide an access is, in most rows.
pub(super) const SIZE: Field = Field::at(48, 3);
/// How wide an access to generic memory is.
pub(super) const GENERIC_SIZE: Field = Field::at(53, 3);
/// How LDC indexes banks.
pub(super) const INDEXING: Field = Field::at(44, 4);

/// Caches and hints (`.CG`, `.CV`, `.LU`, `.U`) have no effect on values: memory is coherent here.
pub(super) fn load_global(l: &mut MaxwellLift<'_, '_>) {
    load(l, Space::Global, SIZE);
    if l.insn.form().operand(P).is_some() {
        present(l);
    }
}

/// States that the page of an access is present. An environment reports accesses of missing memory as errors.
pub(super) fn present(l: &mut MaxwellLift<'_, '_>) {
    let missing = l.constant(Type::BOOL, 0);
    l.set(P, missing);
}

pub(super) fn store_global(l: &mut MaxwellLift<'_, '_>) {
    store(l, Space::Global, SIZE);
}

/// The environment finds the windows of shared and local memory among the addresses of global memory.
pub(super) fn load_generic(l: &mut MaxwellLift<'_, '_>) {
    load(l, Space::Global, GENERIC_SIZE);
}

pub(super) fn store_generic(l: &mut MaxwellLift<'_, '_>) {
    store(l, Space::Global, GENERIC_SIZE);
}

pub(super) fn load_local(l: &mut MaxwellLift<'_, '_>) {
    load(l, Space::Local, SIZE);
}

pub(super) fn store_local(l: &mut MaxwellLift<'_, '_>) {
    store(l, Space::Local, SIZE);
}

pub(super) fn load_shared(l: &mut MaxwellLift<'_, '_>) {
    load(l, Space::Shared, SIZE);
}

pub(super) fn store_shared(l: &mut MaxwellLift<'_, '_>) {
    store(l, Space::Shared, SIZE);
}

/// LDC adds register and number to an offset in the bank, rounded down to a multiple of the access's size. With `.IL` and
/// `.IS` the upper half of the sum is added to the number of the bank and its lower half is the offset: tests that others
/// ran on a Switch show the alignment and `.IL`, Mesa's compiler emits `.IS`. How both differ, and what `.ISL` does, is not
/// public, and no known compiler emits `.ISL`.
pub(super) fn load_constant(l: &mut MaxwellLift<'_, '_>) {
    let Some((bank, offset)) = bank_of(&l.insn) else {
        l.no_value();
        return;
    };
    let bits = l.insn.form().operand(AT).map_or(0, |op| op.field.get(&l.insn.word));
    let (base, offset) = (registers(l, bits & 255, 1), l.i32(i32::from(offset as i16)));
    let sum = l.iadd(base, offset);
    let Some(ty) = shape(l, SIZE.get(&l.insn.word)) else { return };
    let size = i32::from(ty.count) * (ty.scalar.bits() / 8) as i32;
    let whole = l.i32(-size);
    let sum = if size > 1 { l.and(sum, whole) } else { sum };
    match INDEXING.get(&l.insn.word) & 3 {
        0 => load_from(l, Space::Constant(bank), sum, SIZE),
        1 | 2 => {
            let first = l.i32(i32::from(bank) << 16);
            let address = l.iadd(first, sum);
            load_from(l, Space::Constants, address, SIZE);
        }
        _ => l.refuse(Diagnostic::error(
            "lift-constant",
            "this indexing of constant banks (.ISL) is not described anywhere",
        )),
    }
}

fn load(l: &mut MaxwellLift<'_, '_>, space: Space, size: Field) {
    let address = l.src(AT);
    load_from(l, space, address, size);
}

fn load_from(l: &mut MaxwellLift<'_, '_>, space: Space, address: Value, size: Field) {
    let size = size.get(&l.insn.word);
    let Some(ty) = shape(l, size) else { return };
    let mut v = l.load(space, address, ty);
    if ty.scalar != Scalar::I32 {
        v = widen(l, v, size);
    }
    l.set(D, v);
}

fn store(l: &mut MaxwellLift<'_, '_>, space: Space, size: Field) {
    let Some(ty) = shape(l, size.get(&l.insn.word)) else { return };
    let address = l.src(AT);
    let n = l.insn.field(D);
    let mut v = registers(l, n, ty.count);
    if ty.scalar != Scalar::I32 {
        v = l.convert(Convert::Truncate, v, ty.scalar);
    }
    l.store(space, address, v);
}

/// What is in memory: the kind of a component and how many; refuses sizes that do not exist.
fn shape(l: &mut MaxwellLift<'_, '_>, size: u64) -> Option<Type> {
    match size {
        0 | 1 => Some(Scalar::I8.by(1)),
        2 | 3 => Some(Scalar::I16.by(1)),
        4 => Some(Type::I32),
        5 => Some(Scalar::I32.by(2)),
        // `.U.128` of global memory loads the same bytes as `.128`.
        6 => Some(Scalar::I32.by(4)),
        _ => {
            let name = super::suffixes(&l.insn).any(|suffix| suffix == ".U.128");
            if name {
                return Some(Scalar::I32.by(4));
            }
            l.refuse(Diagnostic::error("lift-size", "this size of memory access is not known"));
            None
        }
    }
}

/// A narrow value in a register: sizes 1 and 3 carry a sign.
fn widen(l: &mut MaxwellLift<'_, '_>, v: Value, size: u64) -> Value {
    let op = if size & 1 != 0 { Convert::SignExtend } else { Convert::ZeroExtend };
    l.convert(op, v, Scalar::I32)
}
