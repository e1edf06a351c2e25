//! Memory addresses: a register and an offset.

use super::fillable::Fillable;
use super::names::{named, unless_named};
use super::parts::ADDRESS;
use super::{
    MaxwellLift, RZ, Span, expected, fit, parse_bank, parse_register, parse_signed, print_register,
    print_signed, registers, sign,
};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::{Scalar, Space, Type, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

/// An address: register (8 bits), then an offset that counts units and has a sign. After `RZ` the offset is the
/// address itself, without a sign.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    /// The text before the bracket: `a` for attributes.
    pub(crate) space: &'static str,
    /// Bytes to a unit of the offset.
    pub(crate) unit: u8,
    /// How many bits of the offset count after `RZ`, at most.
    pub(crate) absolute: u32,
    /// How many registers.
    pub(crate) span: Span,
}

impl Address {
    /// An offset in bytes and one register.
    pub(crate) const BYTES: Address = Address { space: "", unit: 1, absolute: 64, span: Span::One };
    /// An offset in words and one register.
    pub(crate) const WORDS: Address = Address { unit: 4, ..Address::BYTES };
    /// An attribute.
    pub(crate) const ATTRIBUTE: Address = Address { space: "a", absolute: 10, ..Address::BYTES };

    /// The same with the given number of registers.
    pub(crate) const fn span(self, span: Span) -> Address {
        Address { span, ..self }
    }

    /// Bits of the offset that count after `RZ`.
    fn positive(self, op: &Operand<Maxwell>) -> u32 {
        self.absolute.min(op.field.width() - 8)
    }

    /// The offset as a relocation can fill it in, in a field with these bits.
    pub(super) fn fillable(self, op: &Operand<Maxwell>, bits: u64) -> Fillable {
        Fillable::new(op, (8, op.field.width() as u8 - 8), self.offset(op, bits).into())
    }

    /// The offset in bytes.
    fn offset(self, op: &Operand<Maxwell>, bits: u64) -> i64 {
        let units = match bits & 255 {
            RZ => (bits >> 8 & ((1 << self.positive(op)) - 1)) as i64,
            _ => signed(bits >> 8, op.field.width() - 8),
        };
        units * i64::from(self.unit)
    }
}

/// As [`sign`], of any width.
fn signed(v: u64, width: u32) -> i64 {
    if width == 0 { 0 } else { sign(v, width) }
}

impl Kind<Maxwell> for Address {
    fn describe(&self) -> &'static str {
        if self.space.is_empty() { "memory address" } else { "attribute" }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        out.text(self.space);
        out.byte(b'[');
        match named(op, 8, ctx) {
            Some(name) => print_named(bits & 255, name, out),
            None => print_place(bits & 255, self.offset(op, bits), out),
        }
        out.byte(b']');
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let opens = text.eat_str(self.space) && text.eat(b'[');
        if !opens {
            return Err(expected("an address such as [R0+0x10]", text));
        }
        let start = text.pos();
        let (n, offset) = parse_place(text)?;
        let (unit, width) = (i64::from(self.unit), op.field.width() - 8);
        if offset % unit != 0 {
            return Err(Diagnostic::error("asm-range", "the offset counts words: a multiple of 4")
                .at_text(text.since(start), ""));
        }
        let units = offset / unit;
        let bits = match n {
            RZ if units >= 0 && units >> self.positive(op) == 0 => units as u64,
            RZ => {
                return Err(Diagnostic::error("asm-range", "the address is out of reach")
                    .at_text(text.since(start), ""));
            }
            _ if units == 0 => 0,
            _ => fit(units, width.max(1), text, start)?,
        };
        if !text.eat(b']') {
            return Err(expected("`]`", text));
        }
        op.field.fill(word, n | bits << 8);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        bits & 255 != RZ || bits >> 8 >> self.positive(op) == 0
    }

    /// 64 bits if there are two registers, else 32.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let wide = self.span.count(&l.insn.word) == 2;
        let registers = registers(l, bits & 255, 1 + u8::from(wide));
        let base = if wide { l.pair(registers, Scalar::I64) } else { registers };
        let offset = self.offset(op, bits) as u64;
        if offset == 0 {
            return base;
        }
        let ty = l.ty(base);
        let offset = l.constant(ty, if wide { offset } else { offset & 0xffff_ffff });
        l.iadd(base, offset)
    }
}

impl Details<Maxwell> for Address {
    fn parts(&self) -> &'static [Part] {
        ADDRESS
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        self.span.read(op.field.get(&insn.word) & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Address {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        unless_named(op, ctx)
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(self.space.as_bytes().first_chunk().unwrap_or(b"["))
    }
}

/// An offset in a constant bank that a register may move: register (8 bits, or none), offset in bytes with a sign
/// (16 bits), bank (5 bits).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bank {
    /// Whether there is a register.
    pub(crate) indexed: bool,
    /// Whether `RZ` without an offset is written as such, not as 0.
    pub(crate) zero: bool,
}

impl Bank {
    /// The first bit of the field after the register.
    fn first(self) -> u8 {
        if self.indexed { 8 } else { 0 }
    }

    /// Offset and bank as a relocation can fill them in, in a field with these bits.
    pub(super) fn fillable(self, op: &Operand<Maxwell>, bits: u64) -> Fillable {
        Fillable::new(op, (self.first(), 21), sign(bits >> self.first(), 16).into())
    }
}

impl Kind<Maxwell> for Bank {
    fn describe(&self) -> &'static str {
        "constant by address"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let (n, bits) = if self.indexed { (bits & 255, bits >> 8) } else { (RZ, bits) };
        if let Some(name) = named(op, self.first(), ctx) {
            out.text("c[");
            print_named(n, name, out);
            return out.byte(b']');
        }
        out.text("c[0x");
        out.hex(bits >> 16, 1);
        out.text("][");
        match (n, sign(bits, 16)) {
            (RZ, 0) if !self.zero => out.text("0x0"),
            (n, offset) => print_place(n, offset, out),
        }
        out.byte(b']');
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let start = text.pos();
        let bank = parse_bank(text)?;
        let (n, offset) = parse_place(text)?;
        if !text.eat(b']') {
            return Err(expected("`]`", text));
        }
        let place = fit(offset, 16, text, start)? | bank << 16;
        match (self.indexed, n) {
            (true, n) => op.field.fill(word, n | place << 8),
            (false, RZ) => op.field.fill(word, place),
            (false, _) => {
                return Err(Diagnostic::error("asm-operand", "this constant takes no register")
                    .at_text(text.since(start), ""));
            }
        }
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// The 32-bit constant. Without a register the offset reaches 64 KiB without sign, whatever the text says.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let (n, bits) = if self.indexed { (bits & 255, bits >> 8) } else { (RZ, bits) };
        let offset = if n == RZ { (bits & 0xffff) as i64 } else { sign(bits, 16) };
        let (base, offset) = (registers(l, n, 1), l.i32(offset as i32));
        let address = l.iadd(base, offset);
        l.load(Space::Constant((bits >> 16) as u8), address, Type::I32)
    }
}

impl Details<Maxwell> for Bank {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let n = op.field.get(&insn.word) & 255;
        self.indexed.then(|| Span::One.read(n, &insn.word)).flatten()
    }
}

impl Hints<Maxwell> for Bank {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        unless_named(op, ctx)
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"c")
    }
}

/// The offset of an attribute, without a register.
#[derive(Debug)]
pub(crate) struct Numbered {
    /// Whether 0 is written as such, not as `RZ`.
    pub(crate) zero: bool,
}

impl Kind<Maxwell> for Numbered {
    fn describe(&self) -> &'static str {
        "attribute"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.text("a[");
        match op.field.get(&insn.word) {
            0 if self.zero => out.text("0x0"),
            offset => print_place(RZ, offset as i64, out),
        }
        out.byte(b']');
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if !text.eat_str("a[") {
            return Err(expected("an attribute such as a[0x80]", text));
        }
        let start = text.pos();
        let (n, offset) = parse_place(text)?;
        if n != RZ || offset < 0 || offset >> op.field.width() != 0 || !text.eat(b']') {
            return Err(
                Diagnostic::error("asm-operand", "there is no such attribute").at_text(text.since(start), "")
            );
        }
        op.field.fill(word, offset as u64);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Numbered {}

impl Hints<Maxwell> for Numbered {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"a")
    }
}

/// The operand of slot `AT` and its kind, if that is a `K`.
fn at<K: 'static>(insn: &Insn<Maxwell>) -> Option<(&'static Operand<Maxwell>, &'static K)> {
    let op = insn.form().operand(super::AT)?;
    Some((op, (op.kind as &dyn core::any::Any).downcast_ref::<K>()?))
}

/// The bytes from which an instruction accesses memory, if no register is added to the address.
pub(crate) fn fixed_address(insn: &Insn<Maxwell>) -> Option<i64> {
    let (op, kind) = at::<Address>(insn)?;
    let bits = op.field.get(&insn.word);
    (bits & 255 == RZ).then(|| kind.offset(op, bits))
}

/// The offset of the attribute that an instruction names without a register.
pub(crate) fn fixed_attribute(insn: &Insn<Maxwell>) -> Option<u16> {
    let numbered = at::<Numbered>(insn).map(|(op, _)| op.field.get(&insn.word) as i64);
    u16::try_from(numbered.or_else(|| fixed_address(insn))?).ok()
}

/// The bank of constants that an instruction names, and the bytes in it to which a register may be added.
pub(crate) fn bank_of(insn: &Insn<Maxwell>) -> Option<(u8, u16)> {
    let (op, kind) = at::<Bank>(insn)?;
    let bits = op.field.get(&insn.word) >> if kind.indexed { 8 } else { 0 };
    Some((u8::try_from(bits >> 16).ok()?, (bits & 0xffff) as u16))
}

/// Writes a register and a name that is added to it.
fn print_named(n: u64, name: &str, out: &mut Line<'_>) {
    if n != RZ {
        print_register(n, out);
        out.byte(b'+');
    }
    out.text(name);
}

/// Writes a register and what is added to it; `RZ` only where nothing is.
fn print_place(n: u64, offset: i64, out: &mut Line<'_>) {
    if n != RZ || offset == 0 {
        print_register(n, out);
    }
    if offset != 0 {
        if n != RZ {
            out.byte(b'+');
        }
        print_signed(offset, out);
    }
}

/// Reads a register and what is added to it, either of which may be missing.
fn parse_place(text: &mut Scan<'_>) -> Result<(u64, i64), Diagnostic> {
    let named = text.peek() == Some(b'R');
    let n = if named { parse_register(text)? } else { RZ };
    let offset = if !named || text.eat(b'+') { parse_signed(text)? } else { 0 };
    Ok((n, offset))
}
