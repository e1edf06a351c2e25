//! The code of a file: every word with the registers that it reads and writes, and the paths through the code.
//!
//! It is built once. The rules, the hazards and the masks of programs without a container all use it.

mod paths;
mod registers;

pub(crate) use paths::{Fault, Problem, Walk};
pub(crate) use registers::{Registers, STATE, components};

use crate::attributes::Role;
use crate::operand::Condition;
use crate::{FILES, Options, Pica200, sequencer, word};
use alloc::vec::Vec;
use shisa_ir::{Control, Lifted, Op, Step, Value};
use shisa_rows::Insn;
use shisa_rows::code::{Effects, lifted_effects};

/// A word of a file.
pub(crate) struct Item {
    /// The instruction; `None` for a word that is not one.
    pub(crate) insn: Option<Insn<Pica200>>,
    /// The registers that it reads and writes.
    pub(crate) effects: Effects<Registers>,
}

/// The words of a file, with their meanings.
pub(crate) struct Code {
    /// The words.
    pub(crate) items: Vec<Item>,
    /// The lift of each word; words without a meaning do nothing.
    lifted: Lifted,
    /// The condition that decides whether each word acts; `None` for unconditional words.
    conditions: Vec<Option<Condition>>,
}

/// The most nodes that the walks through all programs of a file may have together.
pub(crate) const NODES: usize = 1 << 20;

impl Code {
    /// Decodes and lifts all words.
    pub(crate) fn new(words: &[u32], descriptors: &[u32]) -> Code {
        let mut lifted = Lifted::new(FILES);
        let insns: Vec<_> = words.iter().map(|code| word::decode(*code, descriptors)).collect();
        for (pc, insn) in (0u32..).zip(&insns) {
            let lifts =
                insn.is_some_and(|i| shisa_rows::lift(&mut lifted, i, &Options::DEFAULT, pc, pc + 1).is_ok());
            if !lifts {
                let nodes = lifted.nodes.list.len() as u32;
                let (nodes, control) = (nodes..nodes, Control::default());
                lifted.steps.push(Step { pc, next: pc + 1, nodes, guard: None, whole_wave: false, control });
            }
        }
        let effects: Vec<Effects<Registers>> =
            lifted.steps.iter().map(|step| lifted_effects(&lifted, step)).collect();
        sequencer::implied(&mut lifted, &Options::DEFAULT);
        let conditions = insns.iter().map(|insn| insn.as_ref().and_then(Condition::of)).collect();
        let item = |(insn, effects)| Item { insn, effects };
        Code { items: insns.into_iter().zip(effects).map(item).collect(), conditions, lifted }
    }

    /// The number of words.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The registers that a word reads; none after the last word.
    pub(crate) fn reads(&self, pc: u32) -> Registers {
        self.items.get(pc as usize).map_or_else(Registers::default, |item| item.effects.reads)
    }

    /// The registers that a word writes; none after the last word.
    pub(crate) fn writes(&self, pc: u32) -> Registers {
        self.items.get(pc as usize).map_or_else(Registers::default, |item| item.effects.writes)
    }

    /// The control operation of a word.
    pub(crate) fn control(&self, pc: u32) -> Control {
        self.lifted.steps.get(pc as usize).map_or_else(Control::default, |s| s.control)
    }

    /// The condition that decides whether a word acts.
    fn condition(&self, pc: u32) -> Option<Condition> {
        self.conditions.get(pc as usize).copied().flatten()
    }

    /// The role of a word; `None` if no row has its opcode.
    pub(crate) fn role(&self, pc: u32) -> Option<Role> {
        Some(self.items.get(pc as usize)?.insn?.form().attr.role)
    }

    /// The mnemonic of a word; a question mark if no row has its opcode.
    pub(crate) fn name(&self, pc: u32) -> &'static str {
        self.items.get(pc as usize).and_then(|item| item.insn).map_or("?", |insn| insn.form().name)
    }

    /// For a word that selects a slot: whether the next vertex completes a triangle.
    pub(crate) fn set_emit(&self, pc: u32) -> Option<bool> {
        let nodes = self.lifted.steps.get(pc as usize)?.nodes.clone();
        nodes.into_iter().find_map(|v| match self.lifted.nodes.op(Value(v)) {
            Op::SetEmit { primitive, .. } => Some(primitive),
            _ => None,
        })
    }

    /// The registers that words read and write: the words that paths from `entry` reach, or all words if there are
    /// too many paths to follow.
    pub(crate) fn used(&self, entry: u32) -> Effects<Registers> {
        let walk = Walk::new(self, entry, &mut { NODES });
        let reached = walk.reached(self.len());
        let mut used = Effects::<Registers>::default();
        for (item, reached) in self.items.iter().zip(reached) {
            if reached || !walk.complete {
                used.reads = used.reads.or(item.effects.reads);
                used.writes = used.writes.or(item.effects.writes);
            }
        }
        used
    }
}
