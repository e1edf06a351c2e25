//! Operand kinds: the meaning of fields, and their text.

mod alu;
mod atomic;
mod dest;
mod fragment;
mod length;
mod list;
mod listed;
mod local;
mod memory;
mod minifloat;
mod number;
mod return_offset;
mod selected;
mod source;
mod texture;
mod uniform_store;
mod unstated;
mod value;
mod vote;

pub(crate) use alu::*;
pub(crate) use atomic::*;
pub(crate) use dest::*;
pub(crate) use fragment::*;
pub(crate) use length::Long;
pub(crate) use local::*;
pub(crate) use memory::*;
pub(crate) use number::*;
pub(crate) use return_offset::RETURN_OFFSET;
pub(crate) use selected::{CSEL_X, CSEL_Y};
pub(crate) use source::*;
pub(crate) use texture::*;
pub(crate) use uniform_store::*;
pub(crate) use unstated::*;
pub(crate) use value::{coefficients_named, counters_selected, is_atomic, lacks_hint, number_in};
pub(crate) use vote::{VOTE_A, VOTE_B};

use crate::registers::{LANE, NESTING};
use crate::sequencer::{SET, UNKNOWN};
use crate::{Agx, REGISTERS, Syntax, UNIFORMS};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Field, Kind, Lift, Line, OneOf, Operand, Scan, Slot};

/// The lift of a row.
pub(crate) type AgxLift<'a, 'c> = Lift<'a, 'c, Agx>;

/// The destination, or the registers stored.
pub(crate) const D: Slot = Slot(0);
/// The first source.
pub(crate) const A: Slot = Slot(1);
/// The second source.
pub(crate) const B: Slot = Slot(2);
/// The third source.
pub(crate) const C: Slot = Slot(3);
/// The result if a comparison is true.
pub(crate) const X: Slot = Slot(4);
/// The result if it is false.
pub(crate) const Y: Slot = Slot(5);
/// The comparison.
pub(crate) const COND: Slot = Slot(6);
/// The shift of a source.
pub(crate) const SHIFTED: Slot = Slot(7);
/// Whether the result saturates.
pub(crate) const SATURATES: Slot = Slot(8);
/// The number of nesting levels.
pub(crate) const LEVELS: Slot = Slot(9);
/// Memory format, texture dimension.
pub(crate) const SHAPE: Slot = Slot(10);
/// Components in memory or of a texel.
pub(crate) const COMPONENTS: Slot = Slot(11);
/// The group to wait for.
pub(crate) const WAIT: Slot = Slot(12);
/// Caching.
pub(crate) const CACHING: Slot = Slot(13);
/// The source of the level of detail.
pub(crate) const DETAIL: Slot = Slot(14);
/// The length.
pub(crate) const LENGTH: Slot = Slot(15);
/// The rounding of a conversion.
pub(crate) const ROUNDING: Slot = Slot(16);
/// The number of bits in a bit field.
pub(crate) const COUNT: Slot = Slot(17);
/// The lanes that take part.
pub(crate) const SCOPE: Slot = Slot(18);
/// Whether lane numbers wrap around.
pub(crate) const ROTATES: Slot = Slot(19);
/// The lane to read.
pub(crate) const SHUFFLE: Slot = Slot(20);
/// Whether a varying is the last of its vertex.
pub(crate) const FINAL: Slot = Slot(21);
/// Whether the position of a pixel or block is stated.
pub(crate) const EXPLICIT: Slot = Slot(22);
/// Whether a reduction covers only the lanes before.
pub(crate) const PREFIXES: Slot = Slot(23);
/// The register that a call writes without naming it.
pub(crate) const LINKED: Slot = Slot(24);
/// The operation of an atomic access or of one across lanes.
pub(crate) const OPERATION: Slot = Slot(32);
/// The operand of an atomic operation.
pub(crate) const TAKEN: Slot = Slot(33);
/// The selected samples, lanes or registers.
pub(crate) const TARGET: Slot = Slot(34);
/// A plain number.
pub(crate) const NUMBER: Slot = Slot(35);
/// A heap of descriptors.
pub(crate) const HEAP: Slot = Slot(36);
/// The reference value for texels.
pub(crate) const COMPARE: Slot = Slot(37);
/// The component to gather.
pub(crate) const GATHERED: Slot = Slot(38);
/// Bits of unknown meaning.
pub(crate) const UNKNOWN_BITS: [Slot; 2] = [Slot(46), Slot(47)];
/// Single bits with a name.
pub(crate) const FLAGS: [Slot; 6] = [Slot(40), Slot(41), Slot(42), Slot(43), Slot(44), Slot(45)];

pub(crate) const fn operand(slot: Slot, field: Field, kind: &'static dyn Kind<Agx>) -> Operand<Agx> {
    Operand { slot, field, kind }
}

/// A bit that is written as a word if it is set.
pub(crate) const fn flag(slot: Slot, bit: u8, names: &'static OneOf) -> Operand<Agx> {
    operand(slot, Field::at(bit, 1), names)
}

pub(crate) fn expected(what: &str, text: &Scan<'_>) -> Diagnostic {
    Diagnostic::error("asm-operand", format!("expected {what}")).at_text(text.pos()..text.pos(), "")
}

/// The size of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    Half,
    Word,
    Double,
}

impl Size {
    pub(crate) const fn units(self) -> u16 {
        match self {
            Size::Half => 1,
            Size::Word => 2,
            Size::Double => 4,
        }
    }

    pub(crate) const fn scalar(self) -> Scalar {
        match self {
            Size::Half => Scalar::I16,
            Size::Word => Scalar::I32,
            Size::Double => Scalar::I64,
        }
    }
}

/// Writes a register: `letter` is `r` or `u`, `unit` counts halves.
pub(crate) fn print_register(letter: u8, unit: u16, size: Size, out: &mut Line<'_>) {
    if size == Size::Double {
        out.byte(b'd');
    }
    out.byte(letter);
    out.dec(u64::from(unit / 2));
    if size == Size::Half {
        out.byte(if unit & 1 == 0 { b'l' } else { b'h' });
    }
}

/// Writes a register with its hint: 1 none, 2 cache (`$`), 3 last use (`^`).
pub(crate) fn print_named(letter: u8, unit: u16, size: Size, hint: u8, syntax: Syntax, out: &mut Line<'_>) {
    if syntax != Syntax::Applegpu {
        if hint > 1 {
            out.byte(if hint == 2 { b'$' } else { b'^' });
        }
        return print_register(letter, unit, size, out);
    }
    if size == Size::Double {
        print_register(letter, unit, Size::Word, out);
        out.byte(b'_');
        print_register(letter, unit + 2, Size::Word, out);
    } else {
        print_register(letter, unit, size, out);
    }
    out.text(match hint {
        2 => ".cache",
        3 => ".discard",
        _ => "",
    });
}

/// Whether a register of this size may begin at this half.
pub(crate) const fn is_aligned(unit: u16, size: Size) -> bool {
    matches!(size, Size::Half) || unit & 1 == 0
}

/// Reads a register: its letter, first half, and size.
pub(crate) fn parse_register(text: &mut Scan<'_>) -> Result<(u8, u16, Size), Diagnostic> {
    let at = text.pos();
    let double = text.rest().starts_with("dr") || text.rest().starts_with("du");
    if double {
        text.eat(b'd');
    }
    let letter = [b'r', b'u'].into_iter().find(|l| text.eat(*l));
    let number = letter.and_then(|_| text.dec());
    let (Some(letter), Some(n)) = (letter, number) else {
        text.rewind(at);
        return Err(expected("a register", text));
    };
    let last = if letter == b'r' { 127 } else { 255 };
    if n > last {
        // The cursor stays after the number: of all rows, the one that advanced furthest reports the error.
        let d = Diagnostic::error(
            "asm-register-range",
            format!("there is no register {}{n}", char::from(letter)),
        );
        return Err(d.at_text(text.since(at), "").help(format!("the last is {}{last}", char::from(letter))));
    }
    let unit = 2 * n as u16;
    if double {
        return Ok((letter, unit, Size::Double));
    }
    match (text.eat(b'l'), text.eat(b'h')) {
        (true, _) => Ok((letter, unit, Size::Half)),
        (_, true) => Ok((letter, unit + 1, Size::Half)),
        _ => Ok((letter, unit, Size::Word)),
    }
}

/// Reads `count` consecutive registers of a size as integers.
pub(crate) fn read_units(l: &mut AgxLift<'_, '_>, uniform: bool, unit: u16, size: Size, count: u8) -> Value {
    let file = if uniform { UNIFORMS } else { REGISTERS };
    let reg = l.reg(file, u32::from(unit), u32::from(size.units()) * u32::from(count));
    if !is_aligned(unit, size) {
        l.refuse(Diagnostic::error("lift-register", "a whole register begins at an odd half"));
    }
    l.read(reg, Swizzle::IDENTITY, size.scalar().by(count))
}

/// Writes integers to consecutive registers. A write of the nesting counter is passed to the sequencer.
pub(crate) fn write_units(l: &mut AgxLift<'_, '_>, unit: u16, size: Size, value: Value) {
    let count = l.ty(value).count;
    if !is_aligned(unit, size) {
        l.refuse(Diagnostic::error("lift-register", "a whole register begins at an odd half"));
    }
    let reg = l.reg(REGISTERS, u32::from(unit), u32::from(size.units()) * u32::from(count));
    l.write(reg, Mask::first(count), value);
    if reg == NESTING {
        let written = match l.nodes.op(value) {
            Op::Const(bits) => bits as u32 & 0xffff,
            _ => UNKNOWN,
        };
        l.control(SET, None, 0, written);
    }
}

/// The lane's nesting counter.
pub(crate) fn nesting(l: &mut AgxLift<'_, '_>) -> Value {
    l.read(NESTING, Swizzle::IDENTITY, Scalar::I16.by(1))
}

/// Replaces the nesting counter; the operation lets the sequencer follow it.
pub(crate) fn set_nesting(l: &mut AgxLift<'_, '_>, value: Value) {
    l.write(Reg::new(REGISTERS, 0), Mask::first(1), value);
}

/// A source in 32 bits, with zeros above.
pub(crate) fn word(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v).scalar == Scalar::I32 { v } else { l.convert(Convert::ZeroExtend, v, Scalar::I32) }
}

/// A source in 32 bits, its sign extended from its own size.
pub(crate) fn signed_word(l: &mut AgxLift<'_, '_>, slot: Slot) -> Value {
    let v = l.src(slot);
    if l.ty(v).scalar == Scalar::I32 { v } else { l.convert(Convert::SignExtend, v, Scalar::I32) }
}

/// The lane's number within its wave.
pub(crate) fn lane(l: &mut AgxLift<'_, '_>) -> Value {
    l.read(LANE, Swizzle::IDENTITY, Type::I32)
}

/// Runs `f` with exact floats, including denormals.
pub(crate) fn exactly<T>(l: &mut AgxLift<'_, '_>, f: impl FnOnce(&mut AgxLift<'_, '_>) -> T) -> T {
    let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
    let out = f(l);
    l.rule = rule;
    out
}

/// Integers of the registers' size: from 32-bit floats, rounded again if the registers are halves, or from the
/// low bits of integers.
pub(crate) fn as_units(l: &mut AgxLift<'_, '_>, value: Value, size: Size) -> Value {
    let mut value = value;
    if l.ty(value).scalar == Scalar::F32 && size == Size::Half {
        value = exactly(l, |l| l.convert(Convert::Float, value, Scalar::F16));
    }
    let int = l.ty(value).scalar.as_int();
    if int != l.ty(value).scalar {
        value = l.convert(Convert::Bits, value, int);
    }
    let to = size.scalar();
    match int.bits().cmp(&to.bits()) {
        core::cmp::Ordering::Less => l.convert(Convert::ZeroExtend, value, to),
        core::cmp::Ordering::Greater => l.convert(Convert::Truncate, value, to),
        core::cmp::Ordering::Equal => value,
    }
}
