//! Kinds of operands that name consecutive registers.

use super::list::{Given, List, ahead};
use super::{AgxLift, Size, as_units, write_units};
use crate::{Agx, Ctx, Options, Revision, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};
use shisa_rows::{Details, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// An operand that names consecutive registers, or something else depending on its bits. [`Listed`] makes an operand
/// kind of it.
pub(super) trait Lists: Sync + core::any::Any {
    /// Its name in the reference.
    fn describe(&self) -> &'static str;

    /// Bits outside of the operand that determine what it names.
    fn beside(&self) -> u128 {
        0
    }

    /// The registers that text names, if it names any.
    fn list(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> Option<List>;

    /// The registers that the hardware reads or writes; a dialect may leave out some of them.
    fn touched(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        self.list(op, word, COMPLETE)
    }

    /// Whether they are written.
    fn written(&self) -> bool {
        false
    }

    /// Writes what precedes the first register.
    fn print_before(&self, bits: u64, out: &mut Line<'_>) {
        let _ = (bits, out);
    }

    /// Writes the operand's bits if they name no registers.
    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        let _ = (bits, out);
    }

    /// Reads the operand's bits. Bits of other operands that its text implies go into `word`.
    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<u64, Diagnostic>;

    /// Whether the text determines all of the operand's bits.
    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        match self.list(op, word, ctx) {
            Some(list) => list.lies_within(256),
            None => op.field.get(&word) == 0,
        }
    }

    /// Whether the text may leave the operand out.
    fn optional(&self) -> bool {
        false
    }

    /// Whether an optional operand is written.
    fn shown(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        self.list(op, word, ctx).is_some()
    }

    /// The bits of an operand that is left out.
    fn absent(&self) -> u64 {
        0
    }

    /// The value of the operand.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        match self.touched(op, l.insn.word) {
            Some(list) if list.tail == 0 => list.read(l),
            _ => l.no_value(),
        }
    }
}

/// A context in whose text every register that the hardware accesses is written.
pub(super) const COMPLETE: Ctx<'static> = Ctx {
    pc: 0,
    syntax: Syntax::Full,
    revision: Revision::Mesa26,
    symbols: None,
    imageblock: None,
    own_sample: None,
    options: Options::DEFAULT,
};

/// An operand that names consecutive registers.
#[derive(Debug)]
pub(super) struct Listed<T>(pub(super) T);

impl<T: Lists> Kind<Agx> for Listed<T> {
    fn describe(&self) -> &'static str {
        self.0.describe()
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        match self.0.list(op, insn.word, ctx) {
            Some(list) => {
                self.0.print_before(bits, out);
                list.print(out);
            }
            None => self.0.print_other(bits, out),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let bits = self.0.parse(op, word, text, ctx)?;
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        self.0.faithful(op, insn.word, ctx)
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        self.0.read(op, l)
    }

    /// `value` has as many integers or floats of 32 bits as there are registers.
    fn write(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>, value: Value) {
        if !self.0.written() {
            return l.refuse(Diagnostic::error("lift-operand", "this operand cannot be written"));
        }
        if let Some(list) = self.0.touched(op, l.insn.word) {
            let value = as_units(l, value, list.size);
            write_units(l, list.unit, list.size, value);
        }
    }
}

impl<T: Lists> Details<Agx> for Listed<T> {
    fn optional(&self) -> bool {
        self.0.optional()
    }

    fn absent(&self, op: &Operand<Agx>, word: &mut u128) {
        op.field.set(word, self.0.absent());
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        !self.0.optional() || self.0.shown(op, insn.word, ctx)
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        self.0.touched(op, insn.word).map(|list| list.named(self.0.written()))
    }
}

impl<T: Lists> Hints<Agx> for Listed<T> {
    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | self.0.beside())
    }
}

/// A half of a register, or a number, in 32 bits.
pub(super) fn half_or_number(l: &mut AgxLift<'_, '_>, half: Option<List>, n: u64) -> Value {
    match half {
        Some(list) => {
            let n = list.read(l);
            l.convert(Convert::ZeroExtend, n, Scalar::I32)
        }
        None => l.constant(Scalar::I32.by(1), n),
    }
}

/// A register of 32 bits by its number.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) written: bool,
}

impl Lists for Whole {
    fn describe(&self) -> &'static str {
        "register of 32 bits"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        Some(List::of(op.field.get(&word) as u16 * 2, Size::Word, 1))
    }

    fn written(&self) -> bool {
        self.written
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        Ok(u64::from(List::parse_within(List::of(0, Size::Word, 1), text)? / 2))
    }
}

/// A half of a register.
#[derive(Debug)]
pub(super) struct Half;

impl Lists for Half {
    fn describe(&self) -> &'static str {
        "register of 16 bits"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        Some(List::of(op.field.get(&word) as u16, Size::Half, 1))
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        Ok(u64::from(List::parse_within(List::of(0, Size::Half, 1), text)?))
    }
}

/// Halves of registers, or a number of eight bits; the uppermost bit selects.
#[derive(Debug)]
pub(super) struct Either {
    /// The uppermost bit for a register.
    pub(super) register_at: u64,
    pub(super) halves: u8,
}

impl Either {
    /// The number, if it is one.
    pub(super) fn number(op: &Operand<Agx>, word: u128) -> Option<u64> {
        let bits = op.field.get(&word);
        let kind: &dyn core::any::Any = op.kind;
        let either = &kind.downcast_ref::<Listed<Either>>()?.0;
        (bits >> 8 != either.register_at).then_some(bits & 0xff)
    }
}

impl Lists for Either {
    fn describe(&self) -> &'static str {
        "register or number"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        (bits >> 8 == self.register_at).then(|| List::of(bits as u16 & 0xff, Size::Half, self.halves.into()))
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.dec(bits & 0xff);
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        Ok(match Given::parse(8, List::of(0, Size::Half, self.halves.into()), text)? {
            Given::Number(n) => n | (1 - self.register_at) << 8,
            Given::Registers(unit) => u64::from(unit) | self.register_at << 8,
        })
    }

    fn faithful(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> bool {
        self.list(op, word, ctx).is_none_or(|list| list.lies_within(256))
    }

    /// A number or halves, of 16 bits each.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let word = l.insn.word;
        match self.touched(op, word) {
            Some(list) => list.read(l),
            None => l.constant(Scalar::I16.by(1), op.field.get(&word) & 0xff),
        }
    }
}

/// A word, a half, a word and a half after it, or none of them, depending on the bits above the number.
#[derive(Debug)]
pub(super) struct WordAndHalf {
    pub(super) describe: &'static str,
    /// The message for other registers.
    pub(super) expected: &'static str,
    /// The name of a later operand that is present exactly if there is a word.
    pub(super) announced: Option<&'static str>,
}

impl Lists for WordAndHalf {
    fn describe(&self) -> &'static str {
        self.describe
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        List::word_and_half(op.field.get(&word))
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let at = text.pos();
        let announced = self.announced.map(|name| ahead(text, &[name]).is_some());
        let list = List::parse(text)?;
        let shape = |tag: &u64| {
            let same = List::word_and_half(tag << 8 | u64::from(list.unit)) == Some(list);
            same && announced.is_none_or(|word| word == (tag & 1 != 0))
        };
        let Some(tag) = (1..=3).find(shape) else {
            return Err(Diagnostic::error("asm-operand", self.expected).at_text(text.since(at), ""));
        };
        list.within(text, at)?;
        Ok(u64::from(list.unit) | tag << 8)
    }

    fn optional(&self) -> bool {
        true
    }
}
