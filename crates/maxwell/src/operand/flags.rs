//! All predicates or all condition codes at once.

use super::{MaxwellLift, condition};
use crate::{CODES, Ctx, Maxwell, PREDICATES};
use core::any::Any;
use shisa_diag::Diagnostic;
use shisa_ir::{FileId, Mask, Reg, Swizzle, Type, Value};
use shisa_rows::{Begins, Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Registers, Scan, Slot};

const NAMES: OneOf = OneOf::new("predicates or condition codes", &["PR", "CC"]);
const CODES_ONLY: OneOf = OneOf::new("condition codes", &["CC"]);

/// The predicates as one number, or, where the field has a bit and it is set, the condition codes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flags {
    /// Whether they are written.
    pub(crate) written: bool,
    /// Where the instruction holds the number that says which of them, if it does.
    pub(crate) mask: Option<Field>,
}

impl Flags {
    /// How many bits there are, and in which file: predicates, or condition codes where the bit of the field is set.
    fn file(op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> (FileId, u16) {
        if op.field.get(&insn.word) != 0 { (CODES, 4) } else { (PREDICATES, 7) }
    }

    /// Those that the mask names, a bit each; all where it is not known.
    fn named(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> u64 {
        let all = (1 << Flags::file(op, insn).1) - 1;
        self.mask.map_or(all, |field| field.get(&insn.word) & all)
    }

    /// Those from one to before another. Where the mask is not known, those that are written may keep what they hold.
    fn run(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, first: u32, end: u32) -> Registers {
        let first_unit = Reg::new(Flags::file(op, insn).0, first as u16);
        let read = !self.written || self.mask.is_none();
        Registers { first: first_unit, units: (end - first) as u8, read, written: self.written }
    }
}

impl Kind<Maxwell> for Flags {
    fn describe(&self) -> &'static str {
        NAMES.what
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, ctx: Ctx, out: &mut Line<'_>) {
        Kind::<Maxwell>::print(&NAMES, op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        NAMES.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// A number of which bit n is predicate n or condition code n; all other bits are zero.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let ((file, count), named, zero) = (Flags::file(op, &l.insn), self.named(op, &l.insn), l.i32(0));
        let mut all = zero;
        for n in (0..count).filter(|n| named >> n & 1 != 0) {
            let (held, bit) = (l.read(Reg::new(file, n), Swizzle::IDENTITY, Type::BOOL), l.i32(1 << n));
            let bit = l.select(held, bit, zero);
            all = l.or(all, bit);
        }
        all
    }
}

/// Writes the predicates or condition codes of an operand, from the bits of a value where the mask has bits set; the
/// others stay.
pub(crate) fn set_flags(l: &mut MaxwellLift<'_, '_>, slot: Slot, value: Value, mask: Value) {
    let Some(op) = l.insn.form().operand(slot) else { return };
    let any: &dyn Any = op.kind;
    let Some(flags) = any.downcast_ref::<Flags>() else { return };
    let ((file, count), named) = (Flags::file(op, &l.insn), flags.named(op, &l.insn));
    for n in (0..count).filter(|n| named >> n & 1 != 0) {
        let reg = Reg::new(file, n);
        let mut held = bit(l, value, n);
        if flags.mask.is_none() {
            let (old, wanted) = (l.read(reg, Swizzle::IDENTITY, Type::BOOL), bit(l, mask, n));
            held = l.select(wanted, held, old);
        }
        l.write(reg, Mask::first(1), held);
    }
}

/// One bit of a value as a truth value.
fn bit(l: &mut MaxwellLift<'_, '_>, value: Value, n: u16) -> Value {
    let (mask, zero) = (l.i32(1 << n), l.i32(0));
    let bit = l.and(value, mask);
    l.ine(bit, zero)
}

impl Details<Maxwell> for Flags {
    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let named = self.named(op, insn);
        let (first, end) = (named.trailing_zeros(), u64::BITS - named.leading_zeros());
        (named != 0).then(|| self.run(op, insn, first, end))
    }

    fn each_register(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, found: &mut dyn FnMut(Registers)) {
        let named = self.named(op, insn);
        (0..u64::BITS).filter(|n| named >> n & 1 != 0).for_each(|n| found(self.run(op, insn, n, n + 1)));
    }
}

impl Hints<Maxwell> for Flags {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Hints::<Maxwell>::begins(&NAMES, op, word)
    }
}

/// The condition codes as the only choice, of which a suffix says the condition.
#[derive(Debug)]
pub(crate) struct Codes;

impl Kind<Maxwell> for Codes {
    fn describe(&self) -> &'static str {
        CODES_ONLY.what
    }

    fn print(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.text("CC");
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        CODES_ONLY.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Maxwell> for Codes {
    fn registers(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>) -> Option<Registers> {
        Some(condition::codes(false))
    }
}

impl Hints<Maxwell> for Codes {
    fn begins(&self, op: &Operand<Maxwell>, word: &u128) -> Begins {
        Hints::<Maxwell>::begins(&CODES_ONLY, op, word)
    }
}
