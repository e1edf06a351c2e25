//! The registers that an instruction reads and writes.

use crate::{Insn, Isa, Registers};
use shisa_ir::FileId;

/// A set of registers of a family: usually an array of bits.
pub trait RegisterSet: Copy + Default {
    /// Adds the registers that an operand names. Registers that the family does not track are ignored.
    fn insert(&mut self, registers: &Registers);

    /// Adds all registers of a file, for an instruction that selects one of them by a computed number. A family without
    /// such instructions need not define it.
    fn insert_file(&mut self, file: FileId) {
        let _ = file;
    }
}

/// The registers that an instruction reads and writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects<S> {
    /// Registers read, including the guard's.
    pub reads: S,
    /// The registers read that decide whether the instruction runs.
    pub guard: S,
    /// Registers written.
    pub writes: S,
}

/// The registers that the operands of an instruction name, and its implied registers ([`Isa::implied`]).
pub fn effects<I: Isa, S: RegisterSet>(insn: &Insn<I>) -> Effects<S> {
    let mut all = Effects::<S>::default();
    let form = insn.form();
    for op in form.prefix() {
        if let Some(r) = op.kind.registers(op, insn) {
            all.guard.insert(&r);
            all.reads.insert(&r);
        }
    }
    each_effect(insn, &mut |r| {
        if r.read {
            all.reads.insert(&r);
        }
        if r.written {
            all.writes.insert(&r);
        }
    });
    all
}

/// Calls `found` with each run of registers that the operands of an instruction name, other than its guard, and with its
/// implied registers. A family that stores the runs of many instructions needs less memory than for sets.
pub fn each_effect<I: Isa>(insn: &Insn<I>, found: &mut dyn FnMut(Registers)) {
    insn.form().operands.iter().for_each(|op| op.kind.each_register(op, insn, found));
    I::implied(insn, found);
}
