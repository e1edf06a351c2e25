//! What an instruction reads and writes.

use super::Set;
use crate::Maxwell;
use crate::operand::Dest;
use shisa_rows::{Insn, Operand};

/// The registers that an instruction reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Read.
    pub reads: Set,
    /// Of these the ones that decide whether it runs.
    pub guard: Set,
    /// Written.
    pub writes: Set,
}

/// What an instruction reads and writes.
pub fn effects(insn: &Insn<Maxwell>) -> Effects {
    let mut all = Effects::default();
    let form = insn.form();
    for op in form.prefix() {
        if let Some(r) = op.kind.registers(op, insn) {
            all.guard.insert(r.first.file, usize::from(r.first.unit), usize::from(r.units));
        }
    }
    for op in form.operands {
        if let Some(r) = op.kind.registers(op, insn) {
            for (set, there) in [(&mut all.reads, r.read), (&mut all.writes, r.written)] {
                if there {
                    set.insert(r.first.file, usize::from(r.first.unit), usize::from(r.units));
                }
            }
        }
        codes(op, insn, &mut all);
    }
    // A carry that is added, and the codes as a whole.
    let extended = |name: &&str| matches!(*name, ".X" | ".X.CC");
    let named =
        |m: &shisa_rows::Modifier| m.names.get(m.field.get(&insn.word) as usize).is_some_and(extended);
    if form.modifiers.iter().any(named) {
        all.reads.insert_codes();
    }
    all.reads = all.reads.or(&all.guard);
    all
}

/// The condition codes, where an operand is about them.
fn codes(op: &Operand<Maxwell>, insn: &Insn<Maxwell>, all: &mut Effects) {
    if (op.kind as &dyn core::any::Any).is::<Dest>() && op.field.get(&insn.word) >> 8 != 0 {
        all.writes.insert_codes();
    }
}
