//! Conditions on the condition codes.

use super::{CARRY, MaxwellLift, OVERFLOW, SIGN, ZERO, code, expected};
use crate::{CODES, Ctx, Maxwell};
use shisa_diag::Diagnostic;
use shisa_ir::{Reg, Type, Value};
use shisa_rows::{Begins, Details, Hints, Insn, Kind, Line, Operand, Registers, Scan};

/// The conditions by number, as suffixes.
#[rustfmt::skip]
pub(crate) const CONDITIONS: &[&str] = &[
    ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM",
    ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU", ".T",
    ".OFF", ".LO", ".SFF", ".LS", ".HI", ".SFT", ".HS", ".OFT",
    ".CSM_TA", ".CSM_TR", ".CSM_MX", ".FCSM_TA", ".FCSM_TR", ".FCSM_MX", ".RLE", ".RGT",
];

/// The condition that always holds.
pub(crate) const ALWAYS: u64 = 15;
/// Conditions that do not look at the condition codes: never, always, and those on the coverage of a pixel.
const WITHOUT_CODES: u32 = 1 | 1 << ALWAYS | 0x3f << 24;

/// Whether an instruction has no condition on the condition codes, or one that always holds.
pub(crate) fn holds_always(insn: &Insn<Maxwell>) -> bool {
    let of = |op: &&Operand<Maxwell>| (op.kind as &dyn core::any::Any).is::<Condition>();
    let mut conditions = insn.form().operands.iter().filter(of);
    conditions.all(|op| op.field.get(&insn.word) == ALWAYS)
}

/// The condition codes, all four.
pub(crate) const fn codes(written: bool) -> Registers {
    Registers { first: Reg::new(CODES, 0), units: 4, read: !written, written }
}

/// Whether the condition codes fulfil a condition of [`CONDITIONS`].
///
/// The formulas are those that envytools publishes for Tesla, whose conditions have the same names and order. They hold
/// for floats too, because the codes of NaN are zero and sign together. Nothing public describes the conditions on the
/// coverage of a pixel.
pub(crate) fn test(l: &mut MaxwellLift<'_, '_>, number: u64) -> Value {
    // In each group the conditions of one half are the opposites of those of the other half, in reverse order.
    let (basic, opposite) = match number {
        0..8 => (number, false),
        8..16 => (15 - number, true),
        16..20 => (number, false),
        20..24 => (39 - number, true),
        30 => (30, false),
        31 => (30, true),
        _ => {
            l.refuse(Diagnostic::error(
                "lift-condition",
                "nothing public describes conditions on the coverage of a pixel",
            ));
            (0, false)
        }
    };
    let held = basic_test(l, basic);
    if opposite { l.not(held) } else { held }
}

/// A condition of the first half of its group.
fn basic_test(l: &mut MaxwellLift<'_, '_>, number: u64) -> Value {
    if number == 0 {
        return l.constant(Type::BOOL, 0);
    }
    let [zero, sign, carry, overflow] = [ZERO, SIGN, CARRY, OVERFLOW].map(|n| code(l, n));
    let [not_zero, not_sign, no_carry] = [zero, sign, carry].map(|v| l.not(v));
    let below = l.xor(sign, overflow);
    match number {
        1 => {
            let ordered = l.and(sign, not_zero);
            l.xor(ordered, overflow)
        }
        2 => l.and(zero, not_sign),
        3 => {
            let either = l.or(zero, overflow);
            l.xor(sign, either)
        }
        4 => {
            let below_or_zero = l.or(below, zero);
            l.not(below_or_zero)
        }
        5 => not_zero,
        6 => l.not(below),
        7 => l.or(not_zero, not_sign),
        16 => l.not(overflow),
        17 => no_carry,
        18 => not_sign,
        19 => l.or(zero, no_carry),
        _ => l.or(sign, zero),
    }
}

/// A condition, left out where it always holds.
#[derive(Debug)]
pub(crate) struct Condition;

impl Kind<Maxwell> for Condition {
    fn describe(&self) -> &'static str {
        "condition on the condition codes"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.text("CC");
        out.text(CONDITIONS[op.field.get(&insn.word) as usize & 31]);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let known = text.eat_str("CC");
        let name = text.take(|b| b == b'.' || b == b'_' || b.is_ascii_alphanumeric());
        match CONDITIONS.iter().position(|c| known && *c == name) {
            Some(n) => {
                op.field.set(word, n as u64);
                Ok(())
            }
            None => {
                text.rewind(at);
                Err(expected("a condition such as CC.EQ", text))
            }
        }
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    /// Whether the condition holds.
    fn read(&self, op: &Operand<Maxwell>, l: &mut MaxwellLift<'_, '_>) -> Value {
        let number = op.field.get(&l.insn.word);
        test(l, number)
    }
}

impl Details<Maxwell> for Condition {
    fn optional(&self) -> bool {
        true
    }

    fn absent(&self, op: &Operand<Maxwell>, word: &mut u128) {
        op.field.set(word, ALWAYS);
    }

    fn shown(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx) -> bool {
        op.field.get(&insn.word) != ALWAYS
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        let looks = WITHOUT_CODES >> (op.field.get(&insn.word) & 31) & 1 == 0;
        looks.then(|| codes(false))
    }
}

impl Hints<Maxwell> for Condition {
    fn begins(&self, _: &Operand<Maxwell>, _: &u128) -> Begins {
        Begins::with(b"C")
    }
}
