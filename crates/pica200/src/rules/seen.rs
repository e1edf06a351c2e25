//! What the rules look at.

use super::effects::{Code, Effects};
use super::walk::{Node, Walk};
use crate::container::Dvle;
use crate::{Pica200, container};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_rows::Insn;

/// A program with its words and the ways through it.
pub(super) struct Seen<'a> {
    pub(super) dvle: &'a Dvle,
    /// The descriptors that the file has.
    pub(super) descriptors: &'a [u32],
    pub(super) code: &'a Code,
    pub(super) walk: &'a Walk,
    /// Whether some way reaches each word.
    pub(super) reached: Vec<bool>,
    /// Whether it is a geometry program.
    pub(super) geometry: bool,
    /// The components of its outputs.
    pub(super) enabled: u64,
}

impl<'a> Seen<'a> {
    pub(super) fn new(dvle: &'a Dvle, descriptors: &'a [u32], code: &'a Code, walk: &'a Walk) -> Seen<'a> {
        let mut reached = vec![false; code.effects.len()];
        for node in walk.nodes.iter().filter(|n| !n.implied) {
            if let Some(slot) = reached.get_mut(node.pc as usize) {
                *slot = true;
            }
        }
        Seen { dvle, descriptors, code, walk, reached, geometry: dvle.kind == 1, enabled: enabled(dvle) }
    }

    /// Words that some way reaches.
    pub(super) fn words(&self) -> impl Iterator<Item = (u32, Option<Insn<Pica200>>, Effects)> {
        let all = (0u32..).zip(&self.code.insns).zip(&self.code.effects);
        all.filter(|((pc, _), _)| self.reached(*pc)).map(|((pc, insn), effects)| (pc, *insn, *effects))
    }

    pub(super) fn reached(&self, pc: u32) -> bool {
        self.reached.get(pc as usize).copied().unwrap_or(false)
    }

    /// Nodes that are words.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (usize, &'a Node)> {
        self.walk.nodes.iter().enumerate().filter(|(_, n)| !n.implied)
    }
}

/// The components of outputs that a program has: as its table says, else as its mask says.
fn enabled(dvle: &Dvle) -> u64 {
    let table = dvle.outputs.iter().filter(|o| o.register < 16);
    let by_table = table.fold(0, |all, o| all | u64::from(o.mask & 15) << (4 * o.register));
    if dvle.outputs.is_empty() { registers(dvle.output_mask) } else { by_table }
}

/// All components of the registers of a mask.
pub(super) fn registers(mask: u16) -> u64 {
    (0..16).filter(|n| mask >> n & 1 != 0).fold(0, |all, n| all | 0xf << (4 * n))
}

/// Components of registers as text: `o1.xw, o2`.
pub(super) fn components(file: char, set: u64) -> String {
    let mut names: Vec<String> = Vec::new();
    for n in 0..16 {
        let mask = set >> (4 * n) & 0xf;
        if mask == 0 {
            continue;
        }
        let letters: String =
            "xyzw".chars().enumerate().filter(|(i, _)| mask >> i & 1 != 0).map(|c| c.1).collect();
        names.push(if mask == 0xf { format!("{file}{n}") } else { format!("{file}{n}.{letters}") });
    }
    names.join(", ")
}

/// The longest name that is looked for.
const NAME: usize = 1024;

/// The name at an offset of the symbols, if there is one and it is not too long to be one.
pub(super) fn name(dvle: &Dvle, offset: u32) -> Option<&str> {
    let text = dvle.symbols.get(usize::try_from(offset).ok()?..)?;
    container::text_at(text.get(..NAME).unwrap_or(text), 0)
}

/// The name of a uniform or of an input, in quotes.
pub(super) fn uniform(dvle: &Dvle, entry: &container::Uniform) -> String {
    name(dvle, entry.name).map_or_else(|| "without a name".into(), |n| format!("\"{n}\""))
}
