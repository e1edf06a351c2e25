//! Operand kinds: what fields stand for, and how they are written.

mod address;
mod by;
mod codes;
mod condition;
mod dest;
mod fillable;
mod flags;
mod halves;
mod indirect;
mod lane;
mod merged;
mod names;
mod number;
mod optional;
mod parts;
mod place;
mod predicate;
mod relocated;
mod same;
mod signs;
mod source;
mod span;
mod unsigned;

pub(crate) use address::{Address, Bank, Numbered, bank_of, fixed_address, fixed_attribute};
pub(crate) use by::By;
pub(crate) use codes::{CARRY, OVERFLOW, SIGN, ZERO, code, set_codes_of, set_codes_with};
pub(crate) use condition::{CONDITIONS, Condition, codes, holds_always, test};
pub(crate) use dest::{Dest, set_codes, sets_codes, wants_codes};
pub(crate) use flags::{Codes, Flags, set_flags};
pub(crate) use halves::{packed, pair as pair_of_halves};
pub(crate) use indirect::{Indirect, base_of, distance_bits};
pub(crate) use lane::{
    ALL_SIZES_NUMBER, Lane, Magnitude, MaybeSigned, NotCached, SIZES, SIZES_NUMBER, SIZES_UNSIGNED,
    SIZES_UNSIGNED_NUMBER, lane_of,
};
pub(crate) use merged::Merged;
pub(crate) use names::{
    names, parse_predicate, parse_register, plain_register, print_predicate, print_register,
};
pub(crate) use number::{Change, ChangedNumber, FloatNumber, Number};
pub(crate) use optional::{unless_pt, unless_rz, unless_usual};
pub(crate) use parts::PREDICATE as PREDICATE_PARTS;
pub(crate) use place::{Special, Target, absolute_target, parse_places, special, target_of, unnamed_target};
pub(crate) use predicate::{Inverted, Predicate, named_predicate};
pub(crate) use relocated::fillable;
pub(crate) use same::Same;
pub(crate) use signs::Signs;
pub(crate) use source::{Constant, Source, is_first_of_its_name, parse_part, part};
pub(crate) use span::Span;
pub(crate) use unsigned::without_sign;

use crate::{Maxwell, PREDICATES, REGISTERS};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Mask, Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Begins, Field, Kind, Lift, Line, OneOf, Operand, Scan, Slot};

/// What a row is lifted with.
pub(crate) type MaxwellLift<'a, 'c> = Lift<'a, 'c, Maxwell>;

/// The destination register.
pub(crate) const D: Slot = Slot(0);
/// The first source.
pub(crate) const A: Slot = Slot(1);
/// The second source.
pub(crate) const B: Slot = Slot(2);
/// The third source.
pub(crate) const C: Slot = Slot(3);
/// The predicate written.
pub(crate) const P: Slot = Slot(4);
/// The other predicate written.
pub(crate) const Q: Slot = Slot(5);
/// The predicate read.
pub(crate) const R: Slot = Slot(6);
/// A truth table, or which components.
pub(crate) const TABLE: Slot = Slot(7);
/// A special register, target, handle or memory address.
pub(crate) const AT: Slot = Slot(8);
/// The second destination register.
pub(crate) const E: Slot = Slot(9);
/// The shape of a texture.
pub(crate) const SHAPE: Slot = Slot(10);

/// The number of the lower half, after that of the upper.
pub(crate) const LOW: Slot = Slot(11);
/// A number: by how much to shift, which bytes to take.
pub(crate) const N: Slot = Slot(16);
/// A condition on the condition codes, or they and the predicates as a whole.
pub(crate) const CC: Slot = Slot(17);

/// The register that is zero.
pub(crate) const RZ: u64 = 255;
/// The predicate that is true.
pub(crate) const PT: u64 = 7;

/// An operand from its parts.
pub(crate) const fn operand(slot: Slot, field: Field, kind: &'static dyn Kind<Maxwell>) -> Operand<Maxwell> {
    Operand { slot, field, kind }
}

/// A destination register.
pub(crate) const DEST: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest::ONE);
/// A destination register and whether the condition codes are set too.
pub(crate) const DEST_CC: Operand<Maxwell> =
    operand(D, Field::at(0, 8).then(47, 1), &Dest { codes: true, span: Span::One });

/// `RZ` in place of a second destination.
pub(crate) const FIXED_RZ: Operand<Maxwell> = operand(E, Field::NONE, &OneOf::new("name", &["RZ"]));

/// The bit of a reuse flag.
pub(crate) const REUSE_A: u8 = 64 + 17;
/// The bit of a reuse flag.
pub(crate) const REUSE_B: u8 = 64 + 18;
/// The bit of a reuse flag.
pub(crate) const REUSE_C: u8 = 64 + 19;

/// A register, and whether it stays in the operand cache.
const fn register(slot: Slot, lo: u8, reuse: u8) -> Operand<Maxwell> {
    operand(slot, Field::at(lo, 8).then(reuse, 1), &Source::PLAIN)
}

/// First source: a register.
pub(crate) const REG_A: Operand<Maxwell> = register(A, 8, REUSE_A);
/// First source without a reuse flag.
pub(crate) const BARE_A: Operand<Maxwell> = operand(A, Field::at(8, 8), &Source::PLAIN);
/// Second source: a register.
pub(crate) const REG_B: Operand<Maxwell> = register(B, 20, REUSE_B);
/// Second source without a reuse flag.
pub(crate) const BARE_B: Operand<Maxwell> = operand(B, Field::at(20, 8), &Source::PLAIN);
/// Third source: a register.
pub(crate) const REG_C: Operand<Maxwell> = register(C, 39, REUSE_C);
/// Second source: a register, in the slot of the third where that is a constant.
pub(crate) const REG_B39: Operand<Maxwell> = register(B, 39, REUSE_B);
/// The register that is stored.
pub(crate) const STORED: Operand<Maxwell> = operand(D, Field::at(0, 8), &Source::PLAIN);
/// First source: an integer.
pub(crate) const INT_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(49, 1).then(REUSE_A, 1), &Source::INTEGER);
/// Second source: an integer.
pub(crate) const INT_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(48, 1).then(REUSE_B, 1), &Source::INTEGER);
/// First source: a float with sign and magnitude.
pub(crate) const FLOAT_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(48, 1).then(46, 1).then(REUSE_A, 1), &Source::FLOAT);
/// Second source: a float with sign and magnitude.
pub(crate) const FLOAT_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(45, 1).then(49, 1).then(REUSE_B, 1), &Source::FLOAT);
/// Second source of a sum: its slot in the operand cache is the third.
pub(crate) const SUMMAND_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(45, 1).then(49, 1).then(REUSE_C, 1), &Source::FLOAT);
/// First source: a factor.
pub(crate) const FACTOR_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(REUSE_A, 1), &Source::FACTOR.positive());
/// Second source: a factor.
pub(crate) const FACTOR_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(48, 1).then(REUSE_B, 1), &Source::FACTOR);
/// Third source: an addend.
pub(crate) const ADDEND_C: Operand<Maxwell> =
    operand(C, Field::at(39, 8).then(49, 1).then(REUSE_C, 1), &Source::FACTOR);
/// First source: one half of a register.
pub(crate) const HALF_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(53, 1).then(REUSE_A, 1), &Source::HALF);
/// Second source: one half of a register.
pub(crate) const HALF_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(35, 1).then(REUSE_B, 1), &Source::HALF);

/// Where a constant lies: offset, bank.
pub(crate) const BANK: Field = Field::at(20, 14).then(34, 5);
/// Second source: a constant.
pub(crate) const CONST_B: Operand<Maxwell> = operand(B, BANK, &Constant::of(Source::PLAIN));
/// Third source: a constant.
pub(crate) const CONST_C: Operand<Maxwell> = operand(C, BANK, &Constant::of(Source::PLAIN));
/// Second source: an integer constant with sign.
pub(crate) const CONST_INT_B: Operand<Maxwell> = operand(B, BANK.then(48, 1), &Constant::of(Source::INTEGER));
/// Second source: a float constant with sign and magnitude.
pub(crate) const CONST_FLOAT_B: Operand<Maxwell> =
    operand(B, BANK.then(45, 1).then(49, 1), &Constant::of(Source::FLOAT));
/// Second source: a constant factor.
pub(crate) const CONST_FACTOR_B: Operand<Maxwell> =
    operand(B, BANK.then(48, 1), &Constant::of(Source::FACTOR));
/// Second source: one half of a constant.
pub(crate) const CONST_HALF_B: Operand<Maxwell> =
    operand(B, BANK.then(52, 1), &Constant { source: Source::HALF, spaced: true });

/// 20 bits with sign.
pub(crate) const IMMEDIATE: Field = Field::at(20, 19).then(56, 1);
/// Second source: a number of 20 bits with sign.
pub(crate) const IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE, &Number::SIGNED);
/// Second source: the upper 20 bits of a float, with sign and magnitude.
pub(crate) const FLOAT_IMM_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(45, 1).then(49, 1), &FloatNumber::upper(Scalar::F32));
/// Second source: the upper 20 bits of a float, with sign.
pub(crate) const FACTOR_IMM_B: Operand<Maxwell> =
    operand(B, IMMEDIATE.then(48, 1), &FloatNumber::upper(Scalar::F32));
/// Second source: a number of 16 bits, with sign where the suffix says so.
pub(crate) const HALF_IMM_B: Operand<Maxwell> = operand(B, Field::at(20, 16), &MaybeSigned(Field::at(49, 1)));
/// A number of 32 bits.
pub(crate) const IMM32: Operand<Maxwell> = operand(B, Field::at(20, 32), &Number::PLAIN);
/// Truth table after two sources and a register.
pub(crate) const TABLE_REG: Operand<Maxwell> = operand(TABLE, Field::at(28, 8), &Number::PLAIN);
/// Truth table after a number.
pub(crate) const TABLE_IMM: Operand<Maxwell> = operand(TABLE, Field::at(48, 8), &Number::PLAIN);
/// A texture's handle.
pub(crate) const HANDLE: Operand<Maxwell> = operand(AT, Field::at(36, 13), &Number::PLAIN);
/// The text in place of a handle that a register holds.
pub(crate) const NO_HANDLE: Operand<Maxwell> = operand(AT, Field::NONE, &OneOf::new("name", &["0x0"]));

/// A predicate to be written.
pub(crate) const PRED_P: Operand<Maxwell> = operand(P, Field::at(3, 3), &Predicate { written: true });
/// A predicate to be written with the opposite.
pub(crate) const PRED_Q: Operand<Maxwell> = operand(Q, Field::at(0, 3), &Predicate { written: true });
/// A predicate to be read.
pub(crate) const PRED_R: Operand<Maxwell> = operand(R, Field::at(39, 4), &Predicate { written: false });
/// A predicate to be written, omitted if there is none.
pub(crate) const PRED_SPARE: Operand<Maxwell> =
    operand(P, Field::at(48, 3), &unless_pt(&Predicate { written: true }));
/// A condition on the condition codes.
pub(crate) const CONDITION: Operand<Maxwell> = operand(CC, Field::at(8, 5), &Condition);
/// A special register.
pub(crate) const SPECIAL: Operand<Maxwell> = operand(AT, Field::at(20, 8), &Special);
/// A target relative to the address after the instruction.
pub(crate) const TARGET: Operand<Maxwell> = operand(AT, Field::at(20, 24), &Target);
/// The components that a texture read with one destination keeps.
pub(crate) const COMPONENTS: Operand<Maxwell> =
    operand(TABLE, Field::at(50, 3), &OneOf::new("name", ONE_REGISTER));
/// The components that a texture read with two destinations keeps.
pub(crate) const COMPONENTS2: Operand<Maxwell> =
    operand(TABLE, Field::at(50, 3), &OneOf::new("name", TWO_REGISTERS));

const ONE_REGISTER: &[&str] = &["R", "G", "B", "A", "RG", "RA", "GA", "BA"];
const TWO_REGISTERS: &[&str] = &["RGB", "RGA", "RBA", "GBA", "RGBA", "INVALID5", "INVALID6", "INVALID7"];

#[cold]
pub(crate) fn expected(what: &str, text: &Scan<'_>) -> Diagnostic {
    Diagnostic::error("asm-operand", format!("expected {what}")).at_text(text.pos()..text.pos(), "")
}

/// The value of a predicate; bit 3 negates.
pub(crate) fn predicate(l: &mut MaxwellLift<'_, '_>, bits: u64) -> Value {
    if bits & 7 == PT {
        return l.constant(Type::BOOL, u64::from(bits & 8 == 0));
    }
    let held = l.read(Reg::new(PREDICATES, bits as u16 & 7), Swizzle::IDENTITY, Type::BOOL);
    if bits & 8 != 0 { l.not(held) } else { held }
}

/// Writes a predicate register; `PT` takes nothing.
pub(crate) fn set_predicate(l: &mut MaxwellLift<'_, '_>, n: u64, value: Value) {
    if n != PT {
        l.write(Reg::new(PREDICATES, n as u16), Mask::first(1), value);
    }
}

/// `count` registers from `n` on as 32-bit integers; `RZ` is zero.
pub(crate) fn registers(l: &mut MaxwellLift<'_, '_>, n: u64, count: u8) -> Value {
    let ty = Scalar::I32.by(count);
    if n == RZ {
        return l.constant(ty, 0);
    }
    let reg = l.reg(REGISTERS, n as u32, u32::from(count));
    l.read(reg, Swizzle::IDENTITY, ty)
}

/// Writes components to registers from `n` on; `RZ` takes nothing.
pub(crate) fn set_registers(l: &mut MaxwellLift<'_, '_>, n: u64, value: Value) {
    let count = l.ty(value).count;
    if n != RZ {
        let reg = l.reg(REGISTERS, n as u32, u32::from(count));
        l.write(reg, Mask::first(count), value);
    }
}

/// A hexadecimal number with sign.
pub(crate) fn print_signed(v: i64, out: &mut Line<'_>) {
    if v < 0 {
        out.byte(b'-');
    }
    out.text("0x");
    out.hex(v.unsigned_abs(), 1);
}

/// What a whole number with sign begins with.
pub(crate) const NUMBER: Begins = Begins::with(b"-0123456789");

/// Reads a whole number with sign: hexadecimal after `0x`, as it is printed, or else decimal, as people write it.
pub(crate) fn parse_signed(text: &mut Scan<'_>) -> Result<i64, Diagnostic> {
    let at = text.pos();
    let negative = text.eat(b'-');
    let number = if text.eat_str("0x") { text.hex() } else { text.dec() };
    match number.and_then(|v| i64::try_from(v).ok()) {
        Some(v) => Ok(if negative { -v } else { v }),
        None => {
            text.rewind(at);
            Err(expected("a whole number", text))
        }
    }
}

/// Reads the bank of a constant up to the bracket before its offset: `c[0x1][`.
pub(crate) fn parse_bank(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    if !text.eat_str("c[") {
        return Err(expected("a constant", text));
    }
    let bank = parse_signed(text)?;
    let open = text.eat(b']') && text.blanks().eat(b'[');
    match u64::try_from(bank) {
        Ok(bank @ 0..32) if open => Ok(bank),
        _ => Err(expected("c[bank][offset] with a bank up to 0x1f", text)),
    }
}

/// The low `width` bits of `v` as a signed number.
pub(crate) fn sign(v: u64, width: u32) -> i64 {
    ((v << (64 - width)) as i64) >> (64 - width)
}

/// `v` in `width` bits with sign.
pub(crate) fn fit(v: i64, width: u32, text: &Scan<'_>, at: usize) -> Result<u64, Diagnostic> {
    if sign(v as u64, width) == v {
        return Ok(v as u64 & ((1 << width) - 1));
    }
    Err(Diagnostic::error("asm-range", format!("the number does not fit {width} bits with sign"))
        .at_text(text.since(at), ""))
}

/// The components that a texture read keeps, first to last; `None` for a code that does not exist.
pub(crate) fn components(two: bool, code: u64) -> Option<&'static [u8]> {
    const ONE: [&[u8]; 8] = [&[0], &[1], &[2], &[3], &[0, 1], &[0, 3], &[1, 3], &[2, 3]];
    const TWO: [&[u8]; 5] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3], &[1, 2, 3], &[0, 1, 2, 3]];
    let table: &[&[u8]] = if two { &TWO } else { &ONE };
    table.get(code as usize).copied()
}
