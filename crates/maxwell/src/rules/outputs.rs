//! Checks the outputs of pixel programs against the map of the Shader Program Header.

use super::code::{Code, Found};
use crate::code::{Block, edges, outputs, pixel_outputs};
use crate::container::sph::Field;
use crate::flow::{Flow, Mark};
use crate::role::Role;
use crate::{Set, guard};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_rows::code::{Analysis, Direction, solve};

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(header) = code.header.filter(|_| code.graph.is_complete()) else { return };
    let wanted: Vec<(&Field, Set)> = pixel_outputs(&header).collect();
    if wanted.is_empty() {
        return;
    }
    let blocks = code.graph.blocks();
    let mut written = Written { code, blocks: &blocks, all: outputs(&header) };
    // A set can only grow, by one register at a time.
    let fuel = blocks.len() as u64 * (Set::REGISTERS + 1);
    let start = [(0, Set::default())];
    let Ok(before) = solve(&edges(&blocks), Direction::Forwards, start, &mut written, fuel) else {
        return found.internal(0, "which outputs are written");
    };
    for (block, set) in blocks.iter().zip(before) {
        let Some(mut set) = set else { continue };
        for i in block.insns.clone() {
            let ends = code.flow(i) == Some(Flow::Pop(Mark::Exit));
            // Compilers leave unneeded components unwritten, but not all of them.
            for (field, registers) in wanted.iter().filter(|(_, r)| ends && r.and(&set).is_empty()) {
                let names = registers.runs().join(" ");
                let text =
                    format!("the program may end here, and nothing has written {names} for {}", field.name);
                found.against(i, field, Diagnostic::warning("maxwell-output-unset", text));
            }
            set = written.after(i, set);
        }
    }
}

/// The registers that some path has written before and after blocks.
struct Written<'a> {
    code: &'a Code<'a>,
    blocks: &'a [Block],
    /// The registers of all outputs.
    all: Set,
}

impl Written<'_> {
    /// The registers that are written after an instruction.
    fn after(&self, i: usize, set: Set) -> Set {
        let (Some(insn), Some(effects)) = (self.code.graph.insn(i), self.code.graph.effects(i)) else {
            return set;
        };
        // A pixel that is discarded has no outputs.
        let discarded = matches!(insn.form().attr.role, Role::Kill) && guard::always(insn);
        set.or(if discarded { &self.all } else { &effects.writes })
    }
}

impl Analysis for Written<'_> {
    type State = Set;

    fn pass(&mut self, at: usize, set: &Set) -> Set {
        let insns = self.blocks.get(at).map_or(0..0, |block| block.insns.clone());
        insns.fold(*set, |set, i| self.after(i, set))
    }

    fn join(&mut self, _: usize, set: &mut Set, other: &Set) -> bool {
        let old = core::mem::replace(set, set.or(other));
        *set != old
    }
}
