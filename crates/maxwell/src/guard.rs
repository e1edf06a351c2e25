//! Guards: the predicate before the mnemonic on which all effects of an instruction depend.

use crate::{Ctx, Maxwell, operand};
use shisa_diag::Diagnostic;
use shisa_ir::Value;
use shisa_rows::{Details, Field, Hints, Insn, Kind, Lift, Line, Name, Operand, Part, Registers, Scan, Slot};

const FIELD: Field = Field::at(16, 4);
/// Always.
const ALWAYS: u64 = 7;
/// The bit that negates the predicate.
const NEGATED: u64 = 8;

/// The guard; rows that fix its bits have none.
pub(crate) const GUARD: &[Operand<Maxwell>] = &[Operand { slot: Slot(62), field: FIELD, kind: &Guard }];

/// By number; nothing is written for an always-true guard.
#[rustfmt::skip]
static TEXTS: [Name; 16] = operand::names([
    "@P0 ", "@P1 ", "@P2 ", "@P3 ", "@P4 ", "@P5 ", "@P6 ", "",
    "@!P0 ", "@!P1 ", "@!P2 ", "@!P3 ", "@!P4 ", "@!P5 ", "@!P6 ", "@!PT ",
]);

/// The truth value, unless the guard is always true.
pub(crate) fn value(l: &mut Lift<'_, '_, Maxwell>) -> Option<Value> {
    let form = l.insn.form();
    let bits = FIELD.get(&l.insn.word);
    let guarded = form.prefix().next().is_some() && bits != ALWAYS;
    guarded.then(|| operand::predicate(l, bits))
}

/// What the guard of one instruction says about another instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guarded {
    /// It runs.
    Runs,
    /// It does not run.
    IsSkipped,
}

/// What happens to an instruction if `other` ran and the predicates have not changed since; `None` if that depends on
/// other predicates.
pub(crate) fn given(insn: &Insn<Maxwell>, other: &Insn<Maxwell>) -> Option<Guarded> {
    let differ = FIELD.get(&insn.word) ^ FIELD.get(&other.word);
    match (always(insn), always(other), differ) {
        (true, _, _) | (false, false, 0) => Some(Guarded::Runs),
        (false, false, NEGATED) => Some(Guarded::IsSkipped),
        _ => None,
    }
}

/// When an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// Whatever the predicates are.
    Always,
    /// Never.
    Never,
    /// If the predicate with a number has a truth value.
    If(u16, bool),
}

/// When the instruction runs, by its guard.
pub(crate) fn when(insn: &Insn<Maxwell>) -> When {
    let bits = FIELD.get(&insn.word);
    match bits & ALWAYS {
        _ if always(insn) => When::Always,
        ALWAYS => When::Never,
        number => When::If(number as u16, bits & NEGATED == 0),
    }
}

/// Whether the instruction runs whatever the predicates are.
pub(crate) fn always(insn: &Insn<Maxwell>) -> bool {
    insn.form().prefix().next().is_none() || FIELD.get(&insn.word) == ALWAYS
}

/// The number of characters in the guard's text, including the blank after it.
pub(crate) fn width(insn: &Insn<Maxwell>) -> usize {
    match FIELD.get(&insn.word) {
        ALWAYS => 0,
        bits if insn.form().prefix().next().is_some() => 4 + usize::from(bits & 8 != 0),
        _ => 0,
    }
}

#[derive(Debug)]
struct Guard;

impl Kind<Maxwell> for Guard {
    fn describe(&self) -> &'static str {
        "guard"
    }

    fn print(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>, _: Ctx, out: &mut Line<'_>) {
        out.name(&TEXTS[op.field.get(&insn.word) as usize & 15]);
    }

    fn parse(
        &self,
        op: &Operand<Maxwell>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let bits = if text.eat(b'@') { operand::parse_predicate(text)? } else { ALWAYS };
        op.field.fill(word, bits);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Maxwell>, _: &Insn<Maxwell>, _: Ctx) -> bool {
        true
    }

    fn read(&self, op: &Operand<Maxwell>, l: &mut Lift<'_, '_, Maxwell>) -> Value {
        let bits = op.field.get(&l.insn.word);
        operand::predicate(l, bits)
    }
}

impl Details<Maxwell> for Guard {
    fn parts(&self) -> &'static [Part] {
        operand::PREDICATE_PARTS
    }

    fn registers(&self, op: &Operand<Maxwell>, insn: &Insn<Maxwell>) -> Option<Registers> {
        operand::named_predicate(op.field.get(&insn.word), false)
    }
}

impl Hints<Maxwell> for Guard {}
