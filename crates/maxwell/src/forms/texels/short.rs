//! The short form: the components go to two destinations, two to each, as 32 bits or as 16 bits.

use super::{Vectors, has, read, texel};
use crate::operand::{A, B, D, E, MaxwellLift, TABLE, components};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, TexKind, Type, Value};

/// Reads a texture of a shape, with so many registers in each vector, and writes the components that the row keeps.
pub(in crate::forms) fn short(l: &mut MaxwellLift<'_, '_>, kind: TexKind, shape: u64, counts: [u8; 2]) {
    let Some(kept) = kept(l) else {
        return l.refuse(Diagnostic::error("lift-components", "this choice of components does not exist"));
    };
    let from = Vectors::new(l, [(A, counts[0]), (B, counts[1])]);
    let op = read(l, kind, shape, from);
    let bits = texel(l, op);
    for (slot, part) in [D, E].into_iter().zip(kept.chunks(2)) {
        let parts: Vec<Value> = part.iter().map(|i| l.component(bits, *i)).collect();
        let value = if has(l, "F16") { halves(l, &parts) } else { l.join(&parts) };
        l.set(slot, value);
    }
}

/// The components that a row keeps: a gather keeps all.
fn kept(l: &MaxwellLift<'_, '_>) -> Option<&'static [u8]> {
    let two = l.insn.form().operand(E).is_some_and(|o| o.field.width() != 0);
    match l.insn.form().operand(TABLE) {
        Some(_) => components(two, l.insn.field(TABLE)),
        None => Some(&[0, 1, 2, 3]),
    }
}

/// One or two components as binary16, rounded to the nearest, in one register. The upper half is 0 without a second one.
fn halves(l: &mut MaxwellLift<'_, '_>, parts: &[Value]) -> Value {
    let mut register = l.i32(0);
    for (part, place) in parts.iter().zip([0, 16]) {
        let number = l.convert(Convert::Bits, *part, Scalar::F32);
        let number = l.convert(Convert::Float, number, Scalar::F16);
        let bits = l.convert(Convert::Bits, number, Scalar::I16);
        let bits = l.convert(Convert::ZeroExtend, bits, Scalar::I32);
        let place = l.constant(Type::I32, place);
        let bits = l.shl(bits, place);
        register = l.or(register, bits);
    }
    register
}
