//! Operand kinds: what fields stand for, and how they are written.

mod place;

pub(crate) use place::target;

use crate::{CODES, Ctx, Maxwell, PREDICATES, REGISTERS, decimal};
use alloc::format;
use place::{Address, Special, Target};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Mask, Reg, Scalar, Space, Swizzle, Type, Value};
use shisa_rows::{Field, Insn, Kind, Lift, Line, OneOf, Operand, Scan, Slot};

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

const RZ: u64 = 255;
const PT: u64 = 7;

const fn operand(slot: Slot, field: Field, kind: &'static dyn Kind<Maxwell>) -> Operand<Maxwell> {
    Operand { slot, field, kind }
}

/// A destination register.
pub(crate) const DEST: Operand<Maxwell> = operand(D, Field::at(0, 8), &Dest { codes: false });
/// A destination register and whether the condition codes are set too.
pub(crate) const DEST_CC: Operand<Maxwell> = operand(D, Field::at(0, 8).then(47, 1), &Dest { codes: true });
/// The second destination register of a texture read.
pub(crate) const DEST2: Operand<Maxwell> = operand(E, Field::at(28, 8), &Dest { codes: false });

/// `RZ` in place of a second destination.
pub(crate) const FIXED_RZ: Operand<Maxwell> = operand(E, Field::NONE, &OneOf::new("name", &["RZ"]));

const REUSE_A: u8 = 64 + 17;
const REUSE_B: u8 = 64 + 18;
const REUSE_C: u8 = 64 + 19;

const PLAIN: Source = Source { float: false, negate: false, absolute: false, half: false };
const INTEGER: Source = Source { negate: true, ..PLAIN };
const FLOAT: Source = Source { float: true, negate: true, absolute: true, half: false };
const FACTOR: Source = Source { float: true, negate: true, absolute: false, half: false };
const HALF: Source = Source { half: true, ..PLAIN };

/// A register, and whether it stays in the operand cache.
const fn register(slot: Slot, lo: u8, reuse: u8) -> Operand<Maxwell> {
    operand(slot, Field::at(lo, 8).then(reuse, 1), &PLAIN)
}

/// First source: a register.
pub(crate) const REG_A: Operand<Maxwell> = register(A, 8, REUSE_A);
/// First source without a reuse flag.
pub(crate) const BARE_A: Operand<Maxwell> = operand(A, Field::at(8, 8), &Bare);
/// Second source: a register.
pub(crate) const REG_B: Operand<Maxwell> = register(B, 20, REUSE_B);
/// Second source without a reuse flag.
pub(crate) const BARE_B: Operand<Maxwell> = operand(B, Field::at(20, 8), &Bare);
/// Third source: a register.
pub(crate) const REG_C: Operand<Maxwell> = register(C, 39, REUSE_C);
/// The register that is stored.
pub(crate) const STORED: Operand<Maxwell> = operand(D, Field::at(0, 8), &Bare);
/// First source: an integer.
pub(crate) const INT_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(49, 1).then(REUSE_A, 1), &INTEGER);
/// Second source: an integer.
pub(crate) const INT_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(48, 1).then(REUSE_B, 1), &INTEGER);
/// First source: a float with sign and magnitude.
pub(crate) const FLOAT_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(48, 1).then(46, 1).then(REUSE_A, 1), &FLOAT);
/// Second source: a float with sign and magnitude.
pub(crate) const FLOAT_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(45, 1).then(49, 1).then(REUSE_B, 1), &FLOAT);
/// First source: a factor.
pub(crate) const FACTOR_A: Operand<Maxwell> =
    operand(A, Field::at(8, 8).then(REUSE_A, 1), &Source { negate: false, ..FACTOR });
/// Second source: a factor.
pub(crate) const FACTOR_B: Operand<Maxwell> =
    operand(B, Field::at(20, 8).then(48, 1).then(REUSE_B, 1), &FACTOR);
/// Third source: an addend.
pub(crate) const ADDEND_C: Operand<Maxwell> =
    operand(C, Field::at(39, 8).then(49, 1).then(REUSE_C, 1), &FACTOR);
/// First source: one half of a register.
pub(crate) const HALF_A: Operand<Maxwell> = operand(A, Field::at(8, 8).then(53, 1).then(REUSE_A, 1), &HALF);
/// Second source: one half of a register.
pub(crate) const HALF_B: Operand<Maxwell> = operand(B, Field::at(20, 8).then(35, 1).then(REUSE_B, 1), &HALF);

const BANK: Field = Field::at(20, 14).then(34, 5);
/// Second source: a constant.
pub(crate) const CONST_B: Operand<Maxwell> = operand(B, BANK, &Constant { source: PLAIN, spaced: false });
/// Second source: an integer constant with sign.
pub(crate) const CONST_INT_B: Operand<Maxwell> =
    operand(B, BANK.then(48, 1), &Constant { source: INTEGER, spaced: false });
/// Second source: a float constant with sign and magnitude.
pub(crate) const CONST_FLOAT_B: Operand<Maxwell> =
    operand(B, BANK.then(45, 1).then(49, 1), &Constant { source: FLOAT, spaced: false });
/// Second source: a constant factor.
pub(crate) const CONST_FACTOR_B: Operand<Maxwell> =
    operand(B, BANK.then(48, 1), &Constant { source: FACTOR, spaced: false });
/// Second source: one half of a constant.
pub(crate) const CONST_HALF_B: Operand<Maxwell> =
    operand(B, BANK.then(52, 1), &Constant { source: HALF, spaced: true });

const IMMEDIATE: Field = Field::at(20, 19).then(56, 1);
/// Second source: a number of 20 bits with sign.
pub(crate) const IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE, &Number { signed: true });
/// Second source: the upper 20 bits of a float, with sign and magnitude.
pub(crate) const FLOAT_IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(45, 1).then(49, 1), &FloatNumber);
/// Second source: the upper 20 bits of a float, with sign.
pub(crate) const FACTOR_IMM_B: Operand<Maxwell> = operand(B, IMMEDIATE.then(48, 1), &FloatNumber);
/// Second source: a number of 16 bits.
pub(crate) const HALF_IMM_B: Operand<Maxwell> = operand(B, Field::at(20, 16), &Number { signed: false });
/// A number of 32 bits.
pub(crate) const IMM32: Operand<Maxwell> = operand(B, Field::at(20, 32), &Number { signed: false });
/// Truth table behind two sources and a register.
pub(crate) const TABLE_REG: Operand<Maxwell> = operand(TABLE, Field::at(28, 8), &Number { signed: false });
/// Truth table behind a number.
pub(crate) const TABLE_IMM: Operand<Maxwell> = operand(TABLE, Field::at(48, 8), &Number { signed: false });
/// A texture's handle.
pub(crate) const HANDLE: Operand<Maxwell> = operand(AT, Field::at(36, 13), &Number { signed: false });

/// A predicate to be written.
pub(crate) const PRED_P: Operand<Maxwell> = operand(P, Field::at(3, 3), &Predicate);
/// A predicate to be written with the opposite.
pub(crate) const PRED_Q: Operand<Maxwell> = operand(Q, Field::at(0, 3), &Predicate);
/// A predicate to be written by a logical operation.
pub(crate) const PRED_LOGIC: Operand<Maxwell> = operand(P, Field::at(48, 3), &Predicate);
/// A predicate to be read.
pub(crate) const PRED_R: Operand<Maxwell> = operand(R, Field::at(39, 4), &Predicate);
/// A special register.
pub(crate) const SPECIAL: Operand<Maxwell> = operand(AT, Field::at(20, 8), &Special);
/// A target relative to the address behind the instruction.
pub(crate) const TARGET: Operand<Maxwell> = operand(AT, Field::at(20, 24), &Target);
/// A register and an offset in bytes.
pub(crate) const ADDRESS: Operand<Maxwell> = operand(AT, Field::at(8, 8).then(20, 24), &Address);
/// The components that a texture read with one destination keeps.
pub(crate) const COMPONENTS: Operand<Maxwell> =
    operand(TABLE, Field::at(50, 3), &OneOf::new("name", ONE_REGISTER));
/// The components that a texture read with two destinations keeps.
pub(crate) const COMPONENTS2: Operand<Maxwell> =
    operand(TABLE, Field::at(50, 3), &OneOf::new("name", TWO_REGISTERS));
/// A two-dimensional texture.
pub(crate) const SHAPE_2D: Operand<Maxwell> = operand(SHAPE, Field::NONE, &OneOf::new("name", &["2D"]));
/// A three-dimensional texture.
pub(crate) const SHAPE_3D: Operand<Maxwell> = operand(SHAPE, Field::NONE, &OneOf::new("name", &["3D"]));
/// A cube texture.
pub(crate) const SHAPE_CUBE: Operand<Maxwell> = operand(SHAPE, Field::NONE, &OneOf::new("name", &["CUBE"]));

const ONE_REGISTER: &[&str] = &["R", "G", "B", "A", "RG", "RA", "GA", "BA"];
const TWO_REGISTERS: &[&str] = &["RGB", "RGA", "RBA", "GBA", "RGBA", "INVALID5", "INVALID6", "INVALID7"];

fn expected(what: &str, text: &Scan<'_>) -> Diagnostic {
    Diagnostic::error("asm-operand", format!("expected {what}")).at_text(text.pos()..text.pos(), "")
}

fn print_register(n: u64, out: &mut Line<'_>) {
    if n == RZ {
        return out.text("RZ");
    }
    out.byte(b'R');
    out.dec(n);
}

fn parse_register(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    if text.eat_str("RZ") {
        return Ok(RZ);
    }
    let at = text.pos();
    match text.eat(b'R').then(|| text.dec()).flatten() {
        Some(n) if n < RZ => Ok(n),
        _ => {
            text.rewind(at);
            Err(expected("a register", text))
        }
    }
}

/// Writes a predicate; bit 3 negates.
pub(crate) fn print_predicate(bits: u64, out: &mut Line<'_>) {
    if bits & 8 != 0 {
        out.byte(b'!');
    }
    out.byte(b'P');
    if bits & 7 == PT { out.byte(b'T') } else { out.dec(bits & 7) }
}

/// Reads a predicate; bit 3 negates.
pub(crate) fn parse_predicate(text: &mut Scan<'_>) -> Result<u64, Diagnostic> {
    let not = u64::from(text.eat(b'!')) << 3;
    if text.eat_str("PT") {
        return Ok(not | PT);
    }
    match text.eat(b'P').then(|| text.dec()).flatten() {
        Some(n) if n < PT => Ok(not | n),
        _ => Err(expected("a predicate", text)),
    }
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
fn set_predicate(l: &mut MaxwellLift<'_, '_>, n: u64, value: Value) {
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
fn print_signed(v: i64, out: &mut Line<'_>) {
    if v < 0 {
        out.byte(b'-');
    }
    out.text("0x");
    out.hex(v.unsigned_abs(), 1);
}

/// Reads a hexadecimal number with sign.
fn parse_signed(text: &mut Scan<'_>) -> Result<i64, Diagnostic> {
    let at = text.pos();
    let negative = text.eat(b'-');
    let number = text.eat_str("0x").then(|| text.take(|b| b.is_ascii_hexdigit()));
    match number.and_then(|digits| i64::from_str_radix(digits, 16).ok()) {
        Some(v) => Ok(if negative { -v } else { v }),
        None => {
            text.rewind(at);
            Err(expected("a hexadecimal number", text))
        }
    }
}

/// The low `width` bits of `v` as a signed number.
pub(crate) fn sign(v: u64, width: u32) -> i64 {
    ((v << (64 - width)) as i64) >> (64 - width)
}

/// `v` in `width` bits with sign.
fn fit(v: i64, width: u32, text: &Scan<'_>, at: usize) -> Result<u64, Diagnostic> {
    if sign(v as u64, width) == v {
        return Ok(v as u64 & ((1 << width) - 1));
    }
    Err(Diagnostic::error("asm-range", format!("the number does not fit {width} bits with sign"))
        .at_text(text.since(at), ""))
}

/// A register to be written; a further bit, where there is one, sets the condition codes.
#[derive(Debug)]
struct Dest {
    codes: bool,
}

impl Kind<Maxwell> for Dest {
    fn describe(&self) -> &'static str {
        "destination register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        print_register(bits & 255, out);
        if bits >> 8 != 0 {
            out.text(".CC");
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let n = parse_register(text)?;
        let codes = self.codes && text.eat_str(".CC");
        op.field.set(word, n | u64::from(codes) << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }

    /// Rows that set condition codes do so themselves ([`set_codes`]); the others refuse.
    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        let n = op.field.get(&l.insn.word) & 255;
        set_registers(l, n, value);
    }
}

/// Whether the row's destination asks for condition codes.
pub(crate) fn wants_codes(l: &MaxwellLift<'_, '_>) -> bool {
    l.insn.field(D) >> 8 != 0
}

/// Refuses the condition codes of rows that cannot set them yet.
pub(crate) fn refuse_codes(l: &mut MaxwellLift<'_, '_>) {
    if wants_codes(l) {
        l.refuse(Diagnostic::error("lift-codes", "condition codes of this instruction are not known"));
    }
}

/// Writes all four condition codes: zero, sign, carry, overflow.
pub(crate) fn set_codes(l: &mut MaxwellLift<'_, '_>, codes: [Value; 4]) {
    let codes = l.join(&codes);
    l.write(Reg::new(CODES, 0), Mask::ALL, codes);
}

/// The carry as a number.
pub(crate) fn carry(l: &mut MaxwellLift<'_, '_>) -> Value {
    let carry = l.read(Reg::new(CODES, 2), Swizzle::IDENTITY, Type::BOOL);
    let (one, zero) = (l.i32(1), l.i32(0));
    l.select(carry, one, zero)
}

/// A register or constant with what is done to it; the field holds the register, then one bit for each
/// of sign, magnitude, half in this order, then the reuse flag of a register.
#[derive(Clone, Copy, Debug)]
struct Source {
    float: bool,
    negate: bool,
    absolute: bool,
    half: bool,
}

/// The bits behind a register or constant.
#[derive(Clone, Copy, Debug, Default)]
struct Extra {
    negate: bool,
    absolute: bool,
    half: bool,
    reuse: bool,
}

impl Source {
    fn extra(self, mut bits: u64) -> Extra {
        let mut take = |there: bool| {
            let bit = there && bits & 1 != 0;
            bits >>= u32::from(there);
            bit
        };
        Extra {
            negate: take(self.negate),
            absolute: take(self.absolute),
            half: take(self.half),
            reuse: take(true),
        }
    }

    fn bits(self, extra: Extra) -> u64 {
        let all = [
            (self.negate, extra.negate),
            (self.absolute, extra.absolute),
            (self.half, extra.half),
            (true, extra.reuse),
        ];
        let there = all.into_iter().filter(|(there, _)| *there);
        there.enumerate().fold(0, |bits, (i, (_, bit))| bits | u64::from(bit) << i)
    }

    fn print(self, extra: Extra, out: &mut Line<'_>, name: impl FnOnce(&mut Line<'_>)) {
        if extra.negate {
            out.byte(b'-');
        }
        if extra.absolute {
            out.byte(b'|');
        }
        name(out);
        if extra.absolute {
            out.byte(b'|');
        }
        if extra.half {
            out.text(".H1");
        }
        if extra.reuse {
            out.text(".reuse");
        }
    }

    fn parse<T>(
        self,
        text: &mut Scan<'_>,
        name: impl FnOnce(&mut Scan<'_>) -> Result<T, Diagnostic>,
    ) -> Result<(T, Extra), Diagnostic> {
        let at = text.pos();
        let negate = text.eat(b'-');
        let absolute = text.eat(b'|');
        let value = name(text)?;
        if absolute && !text.eat(b'|') {
            return Err(expected("`|`", text));
        }
        let half = text.eat_str(".H1");
        let reuse = text.eat_str(".reuse");
        if negate && !self.negate || absolute && !self.absolute || half && !self.half {
            return Err(Diagnostic::error("asm-operand", "this source takes no such change")
                .at_text(text.since(at), ""));
        }
        Ok((value, Extra { negate, absolute, half, reuse }))
    }

    /// Applies sign and magnitude; halves are for the row to take.
    fn apply(self, extra: Extra, l: &mut MaxwellLift<'_, '_>, bits: Value) -> Value {
        if !self.float {
            return if extra.negate { l.ineg(bits) } else { bits };
        }
        let mut v = l.convert(Convert::Bits, bits, Scalar::F32);
        if extra.absolute {
            v = l.fabs(v);
        }
        if extra.negate { l.fneg(v) } else { v }
    }
}

impl Kind<Maxwell> for Source {
    fn describe(&self) -> &'static str {
        match (self.float, self.half) {
            (true, _) => "float register",
            (_, true) => "half of a register",
            _ => "register",
        }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        Source::print(*self, self.extra(bits >> 8), out, |out| print_register(bits & 255, out));
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let (n, extra) = Source::parse(*self, text, parse_register)?;
        op.field.set(word, n | self.bits(extra) << 8);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let value = registers(l, bits & 255, 1);
        self.apply(self.extra(bits >> 8), l, value)
    }
}

/// Whether source `slot` names the upper half of its register or constant.
pub(crate) fn upper(l: &MaxwellLift<'_, '_>, slot: Slot) -> bool {
    let half = match l.insn.form().operand(slot).map_or(0, |o| o.field.width()) {
        10 => 8,
        20 => 19,
        _ => return false,
    };
    l.insn.field(slot) >> half & 1 != 0
}

/// A register and nothing else.
#[derive(Debug)]
struct Bare;

impl Kind<Maxwell> for Bare {
    fn describe(&self) -> &'static str {
        "register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_register(op.field.get(&insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        op.field.set(word, parse_register(text)?);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let n = op.field.get(&l.insn.word);
        registers(l, n, 1)
    }
}

/// A constant: offset in words (14 bits), bank (5 bits), then as [`Source`] without reuse.
#[derive(Debug)]
struct Constant {
    source: Source,
    /// nvdisasm puts a blank between bank and offset in some rows.
    spaced: bool,
}

impl Kind<Maxwell> for Constant {
    fn describe(&self) -> &'static str {
        if self.source.float { "float constant" } else { "constant" }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        self.source.print(self.source.extra(bits >> 19), out, |out| {
            out.text("c[0x");
            out.hex(bits >> 14 & 31, 1);
            out.text(if self.spaced { "] [" } else { "][" });
            print_signed(4 * sign(bits, 14), out);
            out.byte(b']');
        });
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let (at, extra) = self.source.parse(text, |text| {
            if !text.eat_str("c[") {
                return Err(expected("a constant", text));
            }
            let start = text.pos();
            let bank = parse_signed(text)?;
            let open = text.eat(b']') && text.blanks().eat(b'[');
            if !open || !(0..32).contains(&bank) {
                return Err(expected("c[bank][offset] with a bank up to 0x1f", text));
            }
            let offset = parse_signed(text)?;
            if !text.eat(b']') || offset % 4 != 0 {
                return Err(expected("an offset that is a multiple of 4 and `]`", text));
            }
            Ok(fit(offset / 4, 14, text, start)? | (bank as u64) << 14)
        })?;
        op.field.set(word, at | self.source.bits(extra) << 19);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// The offset reaches 64 KiB without sign, whatever the text says.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let address = l.i32((4 * (bits & 0x3fff)) as i32);
        let value = l.load(Space::Constant((bits >> 14 & 31) as u8), address, Type::I32);
        self.source.apply(self.source.extra(bits >> 19), l, value)
    }
}

/// A number in hexadecimal, the last bit of a signed one being its sign.
#[derive(Debug)]
struct Number {
    signed: bool,
}

impl Number {
    fn value(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> i64 {
        let bits = op.field.get(&insn.word);
        if self.signed { sign(bits, op.field.width()) } else { bits as i64 }
    }
}

impl Kind<Maxwell> for Number {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_signed(self.value(op, insn), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let v = parse_signed(text)?;
        let bits = if self.signed { fit(v, op.field.width(), text, at)? } else { v as u64 };
        if !self.signed && bits >> op.field.width() != 0 {
            return Err(Diagnostic::error("asm-range", "the number is too large").at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let v = self.value(op, &l.insn);
        l.i32(v as i32)
    }
}

/// The upper 20 bits of a binary32, then bits for sign and magnitude.
#[derive(Debug)]
struct FloatNumber;

impl FloatNumber {
    const fn number(bits: u64) -> u32 {
        ((bits & 0x7_ffff) << 12 | (bits >> 19 & 1) << 31) as u32
    }
}

impl Kind<Maxwell> for FloatNumber {
    fn describe(&self) -> &'static str {
        "float number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        decimal::print(Self::number(bits), out);
        out.text(["", ".NEG", ".ABS", ".NEG.ABS"][(bits >> 20) as usize & 3]);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let bits = decimal::parse(text).ok_or_else(|| expected("a number", text))?;
        if bits & 0xfff != 0 && bits & 0x7fff_ffff <= 0x7f80_0000 {
            return Err(Diagnostic::error("asm-range", "the number needs more than 20 bits")
                .at_text(text.since(at), "")
                .help("a register or constant holds any number"));
        }
        text.blanks();
        let negate = u64::from(text.eat_str(".NEG"));
        let absolute = u64::from(text.eat_str(".ABS"));
        if absolute != 0 && op.field.width() < 22 {
            return Err(expected("no .ABS", text));
        }
        let upper = u64::from(bits >> 12 & 0x7_ffff) | u64::from(bits >> 31) << 19;
        op.field.set(word, upper | negate << 20 | absolute << 21);
        Ok(())
    }

    /// All NaNs have the same text.
    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let magnitude = Self::number(op.field.get(&insn.word)) & 0x7fff_ffff;
        magnitude <= 0x7f80_0000 || magnitude == 0x7fff_f000
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let mut number = Self::number(bits);
        if bits >> 21 & 1 != 0 {
            number &= 0x7fff_ffff;
        }
        number ^= ((bits >> 20 & 1) as u32) << 31;
        l.constant(Type::F32, u64::from(number))
    }
}

/// A predicate; a fourth bit, where there is one, negates.
#[derive(Debug)]
struct Predicate;

impl Kind<Maxwell> for Predicate {
    fn describe(&self) -> &'static str {
        "predicate"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_predicate(op.field.get(&insn.word), out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let bits = parse_predicate(text)?;
        if bits >> op.field.width() != 0 {
            return Err(Diagnostic::error("asm-operand", "this predicate cannot be negated")
                .at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        predicate(l, bits)
    }

    fn write(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>, value: Value) {
        let n = op.field.get(&l.insn.word);
        set_predicate(l, n, value);
    }
}

/// The components that a texture read keeps, first to last; `None` for a code that does not exist.
pub(crate) fn components(two: bool, code: u64) -> Option<&'static [u8]> {
    const ONE: [&[u8]; 8] = [&[0], &[1], &[2], &[3], &[0, 1], &[0, 3], &[1, 3], &[2, 3]];
    const TWO: [&[u8]; 5] = [&[0, 1, 2], &[0, 1, 3], &[0, 2, 3], &[1, 2, 3], &[0, 1, 2, 3]];
    let table: &[&[u8]] = if two { &TWO } else { &ONE };
    table.get(code as usize).copied()
}
