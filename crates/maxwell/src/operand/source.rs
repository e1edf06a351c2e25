//! Registers and constants that are read, with what is done to them.

use super::fillable::Fillable;
use super::halves::{ONES, PAIRS, half, pair};
use super::names::{named, unless_named};
use super::{
    MaxwellLift, Span, expected, fit, parse_bank, parse_register, parse_signed, plain_register,
    print_register, print_signed, registers, sign,
};
use crate::{Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Space, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan};

/// A register or constant with what is done to it. After the bits of its name the field holds one bit for
/// the sign, one for the magnitude, and the number of the part, in this order and as far as there are such.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// Whether the value is a float: of 64 bits in two registers, else of 32 bits or a half.
    pub(crate) float: bool,
    /// Whether the float is a half: one part of the register, or two where there are four names of parts.
    pub(crate) half: bool,
    /// Whether there is a bit for the sign.
    pub(crate) negate: bool,
    /// Whether that bit inverts all bits instead.
    pub(crate) inverts: bool,
    /// Whether there is a bit for the magnitude.
    pub(crate) absolute: bool,
    /// The names of the parts, such as `.H1`, two or four; none where the whole is read.
    pub(crate) parts: &'static [&'static str],
    /// How many registers.
    pub(crate) span: Span,
}

/// Reads the name of a part: its number, 0 where there are no parts.
#[inline]
pub(crate) fn parse_part(text: &mut Scan<'_>, parts: &[&str]) -> Result<u64, Diagnostic> {
    if parts.is_empty() {
        return Ok(0);
    }
    let fits = |part: &&str| !part.is_empty() && text.rest().starts_with(*part);
    // The longest name that fits wins.
    let found = parts.iter().enumerate().filter(|(_, p)| fits(p)).max_by_key(|(_, p)| p.len());
    let whole = parts.iter().position(|p| p.is_empty());
    let part = match found {
        Some((n, name)) => {
            text.eat_str(name);
            n
        }
        None => whole.ok_or_else(|| expected("which part of the source", text))?,
    };
    Ok(part as u64)
}

/// Whether no part before this one has its name, so that the text identifies it; so it does if parts have no names.
pub(crate) fn is_first_of_its_name(part: usize, parts: &[&str]) -> bool {
    parts.is_empty() || parts.get(part).is_some_and(|name| !parts[..part].contains(name))
}

/// What is done to a register or constant.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    negate: bool,
    absolute: bool,
    part: u64,
}

impl Source {
    /// A register as it is.
    pub(crate) const PLAIN: Source = Source {
        float: false,
        half: false,
        negate: false,
        inverts: false,
        absolute: false,
        parts: &[],
        span: Span::One,
    };
    /// An integer with sign.
    pub(crate) const INTEGER: Source = Source { negate: true, ..Source::PLAIN };
    /// An integer of which all bits may be inverted.
    pub(crate) const BITS: Source = Source { negate: true, inverts: true, ..Source::PLAIN };
    /// A float with sign and magnitude.
    pub(crate) const FLOAT: Source = Source { float: true, negate: true, absolute: true, ..Source::PLAIN };
    /// A float with sign.
    pub(crate) const FACTOR: Source = Source { absolute: false, ..Source::FLOAT };
    /// A double with sign and magnitude, in two registers.
    pub(crate) const DOUBLE: Source = Source { span: Span::Two, ..Source::FLOAT };
    /// A double with sign, in two registers.
    pub(crate) const DOUBLE_FACTOR: Source = Source { span: Span::Two, ..Source::FACTOR };
    /// Two halves with sign and magnitude, or one of them or a float twice.
    pub(crate) const HALVES: Source = Source { half: true, parts: PAIRS, ..Source::FLOAT };
    /// One half of a register.
    pub(crate) const HALF: Source = Source { parts: ONES, ..Source::PLAIN };

    /// The same with parts of these names.
    pub(crate) const fn parts(self, parts: &'static [&'static str]) -> Source {
        Source { parts, ..self }
    }

    /// The same without a bit for the sign.
    pub(crate) const fn positive(self) -> Source {
        Source { negate: false, ..self }
    }

    /// What is written where the bit for the sign is set.
    const fn mark(self) -> u8 {
        if self.inverts { b'~' } else { b'-' }
    }

    /// What its text begins with, where the name does with one of these.
    const fn begins_with(self, name: &[u8]) -> Begins {
        Begins::with(name).or(self.mark(), self.negate).or(b'|', self.absolute)
    }

    /// How many bits say what is done.
    const fn width(self) -> u32 {
        let parts = if self.parts.is_empty() { 0 } else { self.parts.len().ilog2() };
        self.negate as u32 + self.absolute as u32 + parts
    }

    /// From the bits after the name.
    fn change(self, bits: u64) -> Change {
        let (negate, absolute) = (u32::from(self.negate), u32::from(self.absolute));
        let part = bits >> (negate + absolute) & (self.parts.len().max(1) - 1) as u64;
        Change {
            negate: self.negate && bits & 1 != 0,
            absolute: self.absolute && bits >> negate & 1 != 0,
            part,
        }
    }

    fn bits(self, change: Change) -> u64 {
        let (negate, absolute) = (u32::from(self.negate), u32::from(self.absolute));
        u64::from(change.negate) | u64::from(change.absolute) << negate | change.part << (negate + absolute)
    }

    #[inline]
    fn print(self, change: Change, out: &mut Line<'_>, name: impl FnOnce(&mut Line<'_>)) {
        if change.negate {
            out.byte(self.mark());
        }
        if change.absolute {
            out.byte(b'|');
        }
        name(out);
        if let Some(part) = self.parts.get(change.part as usize) {
            out.text(part);
        }
        if change.absolute {
            out.byte(b'|');
        }
    }

    fn parse<T>(
        self,
        text: &mut Scan<'_>,
        name: impl FnOnce(&mut Scan<'_>) -> Result<T, Diagnostic>,
    ) -> Result<(T, Change), Diagnostic> {
        let at = text.pos();
        let negate = text.eat(self.mark());
        let absolute = text.eat(b'|');
        let value = name(text)?;
        let part = parse_part(text, self.parts)?;
        if absolute && !text.eat(b'|') {
            return Err(expected("`|`", text));
        }
        if negate && !self.negate || absolute && !self.absolute {
            return Err(Diagnostic::error("asm-operand", "this source takes no such change")
                .at_text(text.since(at), ""));
        }
        Ok((value, Change { negate, absolute, part }))
    }

    /// How many words are read at once.
    const fn words(self) -> u8 {
        if matches!(self.span, Span::Two) && (self.float || self.absolute) { 2 } else { 1 }
    }

    /// Applies sign and magnitude. Parts of integers, and what is done to them, are for the row to take.
    fn apply(self, change: Change, l: &mut MaxwellLift<'_, '_>, bits: Value) -> Value {
        if !self.float && self.absolute {
            return if self.words() == 2 { l.pair(bits, Scalar::I64) } else { bits };
        }
        if !self.float {
            return match change.negate {
                true if self.inverts => l.not(bits),
                true => l.ineg(bits),
                false => bits,
            };
        }
        let mut v = match self.words() {
            2 => l.pair(bits, Scalar::F64),
            _ if self.half && self.parts.len() == PAIRS.len() => pair(l, bits, change.part),
            _ if self.half => half(l, bits, change.part),
            _ => l.convert(Convert::Bits, bits, Scalar::F32),
        };
        if change.absolute {
            v = l.fabs(v);
        }
        if change.negate { l.fneg(v) } else { v }
    }
}

/// A register; a bit at the end of the field, where it is wider than all else, keeps it in the operand cache.
impl Kind<Maxwell> for Source {
    fn describe(&self) -> &'static str {
        match (self.float, self.parts.is_empty(), self.span) {
            (true, _, Span::Two) => "double register",
            (true, true, _) => "float register",
            (_, false, _) => "part of a register",
            _ => "register",
        }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        Source::print(*self, self.change(bits >> 8), out, |out| print_register(bits & 255, out));
        if bits >> (8 + self.width()) != 0 {
            out.text(".reuse");
        }
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let whole = self.parts.first().is_none_or(|part| part.is_empty());
        if let Some(n) = whole.then(|| plain_register(text)).flatten() {
            op.field.fill(word, n);
            return Ok(());
        }
        let at = text.pos();
        let (n, change) = Source::parse(*self, text, parse_register)?;
        let (reuse, width) = (text.eat_str(".reuse"), 8 + self.width());
        if reuse && op.field.width() <= width {
            return Err(Diagnostic::error("asm-operand", "this register has no slot in the operand cache")
                .at_text(text.since(at), ""));
        }
        op.field.fill(word, n | self.bits(change) << 8 | u64::from(reuse) << width);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        is_first_of_its_name(self.change(op.field.get(&insn.word) >> 8).part as usize, self.parts)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let value = registers(l, bits & 255, self.words());
        self.apply(self.change(bits >> 8), l, value)
    }
}

impl Details<Maxwell> for Source {
    fn parts(&self) -> &'static [Part] {
        self.register_parts()
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        self.span.read(op.field.get(&insn.word) & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Source {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        self.begins_with(b"R")
    }
}

/// A constant: offset in words (14 bits), bank (5 bits), then as [`Source`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Constant {
    /// What is done to it.
    pub(crate) source: Source,
    /// nvdisasm puts a blank between bank and offset in some rows.
    pub(crate) spaced: bool,
}

impl Constant {
    /// Without the blank.
    pub(crate) const fn of(source: Source) -> Constant {
        Constant { source, spaced: false }
    }

    /// Offset and bank as a relocation can fill them in, in a field with these bits.
    pub(super) fn fillable(op: &Operand<Maxwell>, bits: u64) -> Fillable {
        Fillable::new(op, (0, 19), i128::from(4 * sign(bits, 14)))
    }

    /// Writes bank and offset.
    fn print_place(&self, bits: u64, out: &mut Line<'_>) {
        out.text("c[0x");
        out.hex(bits >> 14 & 31, 1);
        out.text(if self.spaced { "] [" } else { "][" });
        print_signed(4 * sign(bits, 14), out);
        out.byte(b']');
    }
}

impl Kind<Maxwell> for Constant {
    fn describe(&self) -> &'static str {
        if self.source.float { "float constant" } else { "constant" }
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        self.source.print(self.source.change(bits >> 19), out, |out| match named(op, 0, ctx) {
            Some(name) => {
                out.text(if self.spaced { "c [" } else { "c[" });
                out.text(name);
                out.byte(b']');
            }
            None => self.print_place(bits, out),
        });
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let (at, change) = self.source.parse(text, |text| {
            let start = text.pos();
            let bank = parse_bank(text)?;
            let offset = parse_signed(text)?;
            if !text.eat(b']') || offset % 4 != 0 {
                return Err(expected("an offset that is a multiple of 4 and `]`", text));
            }
            Ok(fit(offset / 4, 14, text, start)? | bank << 14)
        })?;
        op.field.fill(word, at | self.source.bits(change) << 19);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        let change = self.source.change(op.field.get(&insn.word) >> 19);
        is_first_of_its_name(change.part as usize, self.source.parts)
    }

    /// The offset reaches 64 KiB without sign, whatever the text says. A number of 64 bits whose offset is not a multiple
    /// of 8 has that word in its upper half and zero in its lower one: tests that others ran on a Switch show it for
    /// doubles.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let bits = op.field.get(&l.insn.word);
        let (offset, words) = ((4 * (bits & 0x3fff)) as i32, self.source.words());
        let (address, space) = (l.i32(offset), Space::Constant((bits >> 14 & 31) as u8));
        let aligned = offset % (4 * i32::from(words)) == 0;
        let mut value = l.load(space, address, Scalar::I32.by(if aligned { words } else { 1 }));
        if !aligned {
            let low = l.i32(0);
            value = l.join(&[low, value]);
        }
        self.source.apply(self.source.change(bits >> 19), l, value)
    }
}

impl Details<Maxwell> for Constant {
    fn parts(&self) -> &'static [Part] {
        self.source.constant_parts()
    }
}

impl Hints<Maxwell> for Constant {
    fn decided_by(&self, op: &Operand<Maxwell>, ctx: Ctx) -> Option<u128> {
        unless_named(op, ctx)
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        self.source.begins_with(b"c")
    }
}

/// The number of the part of source `slot` that the row reads.
pub(crate) fn part(l: &MaxwellLift<'_, '_>, slot: super::Slot) -> u64 {
    let Some(op) = l.insn.form().operand(slot) else { return 0 };
    let (kind, bits): (&dyn core::any::Any, u64) = (op.kind, op.field.get(&l.insn.word));
    match (kind.downcast_ref::<Source>(), kind.downcast_ref::<Constant>()) {
        (Some(source), _) => source.change(bits >> 8).part,
        (_, Some(constant)) => constant.source.change(bits >> 19).part,
        _ => 0,
    }
}
