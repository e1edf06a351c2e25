//! The planes of constants.

use super::planes::{PlaneId, Wide, ZERO};
use shisa_diag::Diagnostic;
use shisa_ir::{Nodes, Op, Scalar};
use std::collections::BTreeMap;

/// The 32-bit words of the constants of a program, each with its plane.
pub(super) struct Constants {
    by_bits: BTreeMap<u32, PlaneId>,
    /// By plane.
    words: Vec<u32>,
}

impl Constants {
    /// The constants of all nodes, and those that the planner needs: 0, which is always the first, and 31, the shift
    /// amount that extracts a sign.
    pub(super) fn new(nodes: &Nodes) -> Constants {
        let mut constants = Constants { by_bits: BTreeMap::new(), words: Vec::new() };
        constants.add(0);
        constants.add(31);
        for node in &nodes.list {
            if let Op::Const(bits) = node.op {
                let bits = low(node.ty.scalar, bits);
                constants.add(bits as u32);
                constants.add((bits >> 32) as u32);
            }
        }
        constants
    }

    fn add(&mut self, word: u32) {
        let words = &mut self.words;
        self.by_bits.entry(word).or_insert_with(|| {
            words.push(word);
            PlaneId::new(words.len() as u32 - 1)
        });
    }

    /// Number of planes.
    pub(super) fn len(&self) -> u32 {
        self.words.len() as u32
    }

    /// The words, by plane.
    pub(super) fn into_words(self) -> Vec<u32> {
        self.words
    }

    /// The plane of a 32-bit word.
    pub(super) fn plane(&self, word: u32) -> Result<PlaneId, Diagnostic> {
        self.by_bits.get(&word).copied().ok_or_else(|| {
            Diagnostic::internal(
                "internal-plan",
                format!("the evaluator's plan has no plane for the constant {word:#x}"),
            )
        })
    }

    /// The planes of a constant of this kind.
    pub(super) fn wide(&self, scalar: Scalar, bits: u64) -> Result<Wide, Diagnostic> {
        let bits = low(scalar, bits);
        Ok([self.plane(bits as u32)?, self.plane((bits >> 32) as u32)?])
    }

    /// The 32-bit word that a plane holds in every lane, if it is a constant.
    pub(super) fn word(&self, plane: PlaneId) -> Option<u32> {
        self.words.get(plane.index()).copied()
    }

    /// The value that a component has in every lane, if it is a constant.
    pub(super) fn number(&self, component: Wide) -> Option<u64> {
        Some(u64::from(self.word(component[0])?) | u64::from(self.word(component[1])?) << 32)
    }
}

const _: () = assert!(ZERO.index() == 0, "the first constant is zero");

fn low(scalar: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - scalar.bits()))
}
