//! Sources of video instructions: one byte, one half or all of a register, as a suffix of the mnemonic and
//! one of the register state together.

use super::{MaxwellLift, NUMBER, Source, Span, expected, fit, parse_register, parse_signed, print_register};
use super::{print_signed, sign};
use crate::{Ctx, Maxwell};
use core::any::Any;
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, Operand, Part, Registers, Scan, Slot};

/// Names of two lanes' sizes for each size of the first, of which the last of each sign is undefined;
/// `$whole` is the name where that is all of a register with a sign.
macro_rules! pairs {
    ($second:literal, $whole:literal) => {
        [
            concat!(".U8", $second),
            concat!(".U8", $second),
            concat!(".U8", $second),
            concat!(".U8", $second),
            concat!(".U16", $second),
            concat!(".U16", $second),
            concat!(".U32", $second),
            concat!(".INVALIDSEL6", $second),
            concat!(".S8", $second),
            concat!(".S8", $second),
            concat!(".S8", $second),
            concat!(".S8", $second),
            concat!(".S16", $second),
            concat!(".S16", $second),
            $whole,
            concat!(".INVALIDSEL7", $second),
        ]
    };
}

/// The same for each size of the second.
macro_rules! all_pairs {
    ($($second:literal $whole:literal),*) => {
        &[$(pairs!($second, $whole)),*]
    };
}

/// The names of all rows after each other.
const fn flatten<const ROWS: usize, const ALL: usize>(
    rows: &[[&'static str; 16]; ROWS],
) -> [&'static str; ALL] {
    let (mut out, mut i) = ([""; ALL], 0);
    while i < ALL {
        out[i] = rows[i / 16][i % 16];
        i += 1;
    }
    out
}

/// Sizes of two lanes, by the number of the first, its sign, the number of the second, its sign. Nothing is
/// written where both are whole registers with sign.
#[rustfmt::skip]
pub(crate) const SIZES: &[&str] = &flatten::<16, 256>(all_pairs!(
    ".U8" ".S32.U8", ".U8" ".S32.U8", ".U8" ".S32.U8", ".U8" ".S32.U8",
    ".U16" ".S32.U16", ".U16" ".S32.U16", ".U32" ".S32.U32", ".INVALIDSEL6" ".S32.INVALIDSEL6",
    ".S8" ".S32.S8", ".S8" ".S32.S8", ".S8" ".S32.S8", ".S8" ".S32.S8",
    ".S16" ".S32.S16", ".S16" ".S32.S16", ".S32" "", ".INVALIDSEL7" ".S32.INVALIDSEL7"
));
/// The same where the second has no sign.
#[rustfmt::skip]
pub(crate) const SIZES_UNSIGNED: &[&str] = &flatten::<8, 128>(all_pairs!(
    ".U8" ".S32.U8", ".U8" ".S32.U8", ".U8" ".S32.U8", ".U8" ".S32.U8",
    ".U16" ".S32.U16", ".U16" ".S32.U16", ".U32" "", ".INVALIDSEL7" ".S32.INVALIDSEL7"
));
/// The same where the second is a number of 16 bits, of which a bit says whether it has a sign.
pub(crate) const SIZES_NUMBER: &[&str] = &flatten::<2, 32>(all_pairs!(".U16" ".S32.U16", ".S16" ""));
/// The same where all names are written.
pub(crate) const ALL_SIZES_NUMBER: &[&str] =
    &flatten::<2, 32>(all_pairs!(".U16" ".S32.U16", ".S16" ".S32.S16"));
/// The same where that has no sign.
pub(crate) const SIZES_UNSIGNED_NUMBER: &[&str] = &flatten::<1, 16>(all_pairs!(".U16" ""));

/// Which byte or half it is, by the lane's number.
const PLACES: [&str; 8] = ["", ".B1", ".B2", ".B3", "", ".H1", "", ""];

/// A register of which a lane is read. The lane's three bits belong to the suffix that says its size. The
/// field holds the register's number, a bit for the sign if there is one, and the reuse flag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lane {
    /// The lane's number.
    pub(crate) lane: Field,
    /// Whether there is a bit for the sign.
    pub(crate) negate: bool,
}

impl Lane {
    const fn source(self) -> Source {
        Source { negate: self.negate, ..Source::PLAIN }
    }
}

/// The number of the lane of which source `slot` is, if it is a register.
pub(crate) fn lane_of(l: &MaxwellLift<'_, '_>, slot: Slot) -> Option<u64> {
    let kind = l.insn.form().operand(slot)?.kind;
    let any: &dyn Any = kind;
    let inner: &dyn Any = any.downcast_ref::<NotCached>().map_or(any, |cached| cached.inner);
    inner.downcast_ref::<Lane>().map(|lane| lane.lane.get(&l.insn.word))
}

impl Kind<Maxwell> for Lane {
    fn describe(&self) -> &'static str {
        "lane of a register"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        let negative = self.negate && bits >> 8 & 1 != 0;
        if negative {
            out.byte(b'-');
        }
        print_register(bits & 255, out);
        out.text(PLACES[self.lane.get(&insn.word) as usize & 7]);
        if bits >> (8 + u32::from(self.negate)) != 0 {
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
        let negative = self.negate && text.eat(b'-');
        let n = parse_register(text)?;
        // The suffix of the mnemonic has said the size: lanes 0 to 3 are bytes, 4 and 5 halves.
        let (first, lanes) = match self.lane.get(word) {
            0..4 => (0, 4),
            4 | 5 => (4, 2),
            whole => (whole, 1),
        };
        let lane = (first + 1..first + lanes).find(|&lane| text.eat_str(PLACES[lane as usize & 7]));
        self.lane.set(word, lane.unwrap_or(first));
        let reuse = text.eat_str(".reuse");
        if text.peek() == Some(b'.') {
            return Err(expected("a part of the size that the mnemonic says", text));
        }
        let sign = u64::from(negative) << 8;
        op.field.set(word, n | sign | u64::from(reuse) << (8 + u32::from(self.negate)));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// The whole register; the lane, and then its sign, are for the row to take.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        Source::PLAIN.read(op, l)
    }
}

impl Details<Maxwell> for Lane {
    fn parts(&self) -> &'static [Part] {
        self.source().register_parts()
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        Span::One.read(op.field.get(&insn.word) & 255, &insn.word)
    }
}

impl Hints<Maxwell> for Lane {
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | self.lane.mask::<u128>())
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"R").or(b'-', self.negate)
    }
}

/// A register whose reuse flag, the last bit of the field, has no effect and no text in some words.
pub(crate) struct NotCached {
    /// The register in other words.
    pub(crate) inner: &'static dyn Kind<Maxwell>,
    /// Whether it is such a word.
    pub(crate) when: fn(&u128) -> bool,
}

impl NotCached {
    fn cached(op: &Operand<Maxwell>, word: &u128) -> bool {
        op.field.get(word) >> (op.field.width() - 1) != 0
    }
}

impl Kind<Maxwell> for NotCached {
    fn describe(&self) -> &'static str {
        self.inner.describe()
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        let mut insn = *insn;
        if (self.when)(&insn.word) {
            let bits = op.field.get(&insn.word);
            op.field.set(&mut insn.word, bits & !(1 << (op.field.width() - 1)));
        }
        self.inner.print(op, &insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        self.inner.parse(op, word, text, ctx)?;
        if (self.when)(word) && NotCached::cached(op, word) {
            return Err(Diagnostic::error("asm-operand", "this register has no slot in the operand cache")
                .at_text(text.since(at), ""));
        }
        Ok(())
    }

    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx) -> bool {
        let lost = (self.when)(&insn.word) && NotCached::cached(op, &insn.word);
        !lost && self.inner.faithful(op, insn, ctx)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        self.inner.read(op, l)
    }
}

impl Details<Maxwell> for NotCached {
    fn parts(&self) -> &'static [Part] {
        self.inner.parts()
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        self.inner.registers(op, insn)
    }
}

impl Hints<Maxwell> for NotCached {
    /// Which bits the condition looks at is not known.
    fn decided_by(&self, _: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        None
    }

    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        self.inner.begins(op, word)
    }
}

/// A number that has a sign where another bit says so.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaybeSigned(pub(crate) Field);

impl MaybeSigned {
    fn value(self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> i64 {
        let bits = op.field.get(&insn.word);
        if self.0.get(&insn.word) != 0 { sign(bits, op.field.width()) } else { bits as i64 }
    }
}

impl Kind<Maxwell> for MaybeSigned {
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
        let width = op.field.width();
        let bits = if self.0.get(word) != 0 { fit(v, width, text, at)? } else { v as u64 };
        if bits >> width != 0 {
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

impl Details<Maxwell> for MaybeSigned {}

impl Hints<Maxwell> for MaybeSigned {
    fn decided_by(&self, op: &Operand<Maxwell>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | self.0.mask::<u128>())
    }

    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER
    }
}

/// A number without a sign, then a bit that makes it negative.
#[derive(Debug)]
pub(crate) struct Magnitude;

impl Magnitude {
    fn value(op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> i64 {
        let (bits, width) = (op.field.get(&insn.word), op.field.width() - 1);
        let magnitude = (bits & ((1 << width) - 1)) as i64;
        if bits >> width != 0 { -magnitude } else { magnitude }
    }
}

impl Kind<Maxwell> for Magnitude {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        print_signed(Magnitude::value(op, insn), out);
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
        let width = op.field.width() - 1;
        if v.unsigned_abs() >> width != 0 {
            return Err(Diagnostic::error("asm-range", "the number is too large").at_text(text.since(at), ""));
        }
        op.field.set(word, v.unsigned_abs() | u64::from(v < 0) << width);
        Ok(())
    }

    /// There is only one zero.
    fn faithful(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != 1 << (op.field.width() - 1)
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let v = Magnitude::value(op, &l.insn);
        l.i32(v as i32)
    }
}

impl Details<Maxwell> for Magnitude {}

impl Hints<Maxwell> for Magnitude {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        NUMBER
    }
}
