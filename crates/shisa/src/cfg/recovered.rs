//! Graphs that are recovered from what programs are lifted to.

use super::Way;
use shisa_ir::{End, FileId, Func, Mask, Op, Reg};

/// A recovered program.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Recovered {
    pub(crate) func: Func,
    pub(crate) temporaries: Temporaries,
}

/// The registers that a program keeps its own values in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temporaries {
    pub(crate) file: FileId,
    pub(crate) name: &'static str,
    /// Registers of four components, at most 32.
    pub(crate) count: u32,
}

/// Components of temporaries, a bit each; no machine has more than 32 registers of 4.
type Set = u128;

const LETTERS: [char; 4] = ['x', 'y', 'z', 'w'];

impl Temporaries {
    fn components(self, reg: Reg, mask: Mask) -> Set {
        let bit = |i: u8| 1u128.checked_shl(u32::from(reg.unit) + u32::from(i)).unwrap_or(0);
        if reg.file == self.file { mask.iter().map(bit).fold(0, |a, b| a | b) } else { 0 }
    }
}

impl Recovered {
    /// What [`crate::Cfg::live`] tells of a program of so many instructions.
    pub(super) fn live(&self, count: usize) -> Vec<Option<Vec<String>>> {
        let mut before: Vec<Set> = vec![0; self.func.blocks.len()];
        // A set only grows, so this ends; programs without loops take two turns.
        loop {
            let old = before.clone();
            for number in (0..before.len()).rev() {
                let set = self.walk(number, &before, |_, _| ());
                if let Some(entry) = before.get_mut(number) {
                    *entry = set;
                }
            }
            if before == old {
                break;
            }
        }
        let mut sets: Vec<Option<Set>> = vec![None; count];
        for number in 0..before.len() {
            self.walk(number, &before, |instruction, set| {
                if let Some(entry) = sets.get_mut(instruction) {
                    *entry = Some(entry.unwrap_or(0) | set);
                }
            });
        }
        sets.into_iter().map(|set| set.map(|s| self.names(s))).collect()
    }

    /// The instructions of a block.
    pub(super) fn instructions(&self, number: usize) -> Vec<usize> {
        let body = self.func.blocks.get(number).map_or(&[][..], |b| &b.body);
        let nodes = body.iter().filter_map(|v| self.func.nodes.list.get(v.index()));
        let mut list: Vec<usize> = nodes.map(|n| n.origin as usize).collect();
        list.dedup();
        list
    }

    /// The ways out of a block.
    pub(super) fn ways(&self, block: usize) -> Vec<Way> {
        match self.func.blocks.get(block).map(|b| &b.end) {
            None | Some(End::Exit) => Vec::new(),
            Some(End::Jump(edge)) => vec![Way { to: edge.to.index(), when: None }],
            Some(End::Branch { yes, no, .. }) => vec![
                Way { to: yes.to.index(), when: Some(true) },
                Way { to: no.to.index(), when: Some(false) },
            ],
        }
    }

    /// What is live at the start of a block; tells `each` what is live behind its instructions, from the last.
    fn walk(&self, number: usize, before: &[Set], mut each: impl FnMut(usize, Set)) -> Set {
        let after = self.ways(number).into_iter().filter_map(|w| before.get(w.to));
        let mut live = after.fold(0, |all, set| all | set);
        let mut instruction = None;
        let body = self.func.blocks.get(number).map_or(&[][..], |b| &b.body);
        for node in body.iter().rev().filter_map(|v| self.func.nodes.list.get(v.index())) {
            if instruction.replace(node.origin) != Some(node.origin) {
                each(node.origin as usize, live);
            }
            match node.op {
                Op::Write { reg, mask, .. } => live &= !self.temporaries.components(reg, mask),
                Op::Read { reg, swizzle } => {
                    let read = (0..node.ty.count).fold(0, |m, i| m | 1 << swizzle.get(i));
                    live |= self.temporaries.components(reg, Mask(read));
                }
                Op::ReadAt { file, .. } if file == self.temporaries.file => live = Set::MAX,
                _ => {}
            }
        }
        live
    }

    fn names(&self, set: Set) -> Vec<String> {
        let Temporaries { name, count, .. } = self.temporaries;
        let register = |number: u32| {
            let bits = set >> (4 * number) & 0xf;
            let live: String =
                (0..).zip(LETTERS).filter(|(i, _)| bits >> i & 1 != 0).map(|(_, c)| c).collect();
            (!live.is_empty()).then(|| format!("{name}{number}.{live}"))
        };
        (0..count).filter_map(register).collect()
    }
}
