//! Global memory.

use super::{choice, flag, row};
use crate::Maxwell;
use crate::operand::{ADDRESS, AT, D, DEST, MaxwellLift, STORED, registers};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Type, Value};
use shisa_rows::{Field, Form, Modifier};

const SIZE: Field = Field::at(48, 3);
const WIDE: Modifier = flag(45, &["", ".E"]);
const LOAD: &[Modifier] = &[
    WIDE,
    choice(46, 2, &["", ".CG", ".CI", ".CV"]),
    Modifier { field: SIZE, names: &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".U.128"] },
];
const STORE: &[Modifier] = &[
    WIDE,
    choice(46, 2, &["", ".CG", ".CS", ".WT"]),
    Modifier { field: SIZE, names: &[".U8", ".S8", ".U16", ".S16", "", ".64", ".128", ".INVALIDSIZE7"] },
];

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Maxwell>] = &[
    row("LDG", 0xeed0, 0xfff8, &[DEST, ADDRESS], load).modifiers(LOAD).says("Loads from global memory.")
        .examples(&[("LDG.E R3, [R0];", 0x07e0_eed4_2000_0007_0003), ("@P5 LDG.E.128 R131, [R164+0x2c14a8];", 0x07e0_eed6_22c1_4a85_a483)]),
    row("STG", 0xeed8, 0xfff8, &[ADDRESS, STORED], store).modifiers(STORE).says("Stores to global memory.")
        .examples(&[("STG.E [R0], R2;", 0x07e0_eedc_2000_0007_0002)]),
];

/// What lies in memory: the kind of a component and how many.
fn shape(l: &mut MaxwellLift<'_, '_>) -> Type {
    match SIZE.get(&l.insn.word) {
        0 | 1 => Scalar::I8.by(1),
        2 | 3 => Scalar::I16.by(1),
        4 => Type::I32,
        5 => Scalar::I32.by(2),
        6 => Scalar::I32.by(4),
        _ => {
            l.refuse(Diagnostic::error("lift-size", "this size of memory access is not known"));
            Type::I32
        }
    }
}

/// A narrow value in a register: sizes 1 and 3 carry a sign.
fn widen(l: &mut MaxwellLift<'_, '_>, v: Value) -> Value {
    let op = if SIZE.get(&l.insn.word) & 1 != 0 { Convert::SignExtend } else { Convert::ZeroExtend };
    l.convert(op, v, Scalar::I32)
}

fn load(l: &mut MaxwellLift<'_, '_>) {
    let ty = shape(l);
    let address = l.src(AT);
    let mut v = l.load(Space::Global, address, ty);
    if ty.scalar != Scalar::I32 {
        v = widen(l, v);
    }
    l.set(D, v);
}

fn store(l: &mut MaxwellLift<'_, '_>) {
    let ty = shape(l);
    let address = l.src(AT);
    let n = l.insn.field(D);
    let mut v = registers(l, n, ty.count);
    if ty.scalar != Scalar::I32 {
        v = l.convert(Convert::Truncate, v, ty.scalar);
    }
    l.store(Space::Global, address, v);
}
