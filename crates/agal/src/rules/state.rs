//! The state of a walk over the tokens before each token.

use super::finding::{Finding, Part};
use crate::{Agal, Program, RegType, Source, Token};
use alloc::vec::Vec;
use core::ops::ControlFlow;
use shisa_ir::{Stage, Swizzle};
use shisa_rows::Form;

/// `Break` if enough was found.
pub(super) type Go = ControlFlow<()>;

/// The components in a swizzle.
pub(super) fn named(swizzle: Swizzle) -> u8 {
    (0..4).fold(0, |m, i| m | 1 << swizzle.get(i))
}

/// The open conditions.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blocks {
    /// How many are open.
    pub(super) depth: usize,
    /// Whether the innermost condition (bit 0) and the 63 around it have had their `els`.
    pub(super) els: u64,
    /// Whether the previous token began a branch.
    pub(super) fresh: bool,
}

/// The state before a token.
pub(super) struct Walk<'p> {
    pub(super) program: &'p Program,
    pub(super) stage: Stage,
    /// 1 to 4.
    pub(super) version: u32,
    /// The current token, counted from 1.
    pub(super) number: u32,
    pub(super) word: Token,
    /// The row of the token, if it has one.
    pub(super) form: Option<&'static Form<Agal>>,
    /// Components written so far of each temporary.
    pub(super) temporaries: [u8; 26],
    /// Bits of the first use of each sampler; 0 if there was none.
    pub(super) samplers: [u64; 16],
    /// Colours written so far, one bit each.
    pub(super) colours: u8,
    pub(super) blocks: Blocks,
    pub(super) found: Vec<Finding>,
    /// The number of findings that get advice.
    pub(super) limit: usize,
    /// Whether only the first finding is required.
    pub(super) once: bool,
}

impl Walk<'_> {
    /// The bits of a source.
    pub(super) fn source_bits(&self, part: Part) -> Source {
        Source(if part == Part::Source1 { self.word[1] } else { self.word[2] })
    }

    /// Flash's number for a register that does not exist; `None` if it exists. Constants are compared with the range
    /// of `stage`.
    pub(super) fn out_of_range(&self, kind: RegType, number: u32, stage: Stage) -> Option<u16> {
        let count = |stage| kind.count(self.version, stage);
        let (count, fault) = match kind {
            RegType::ATTRIBUTE => (count(Stage::Vertex), 3658),
            RegType::CONSTANT => (count(stage), 3659),
            RegType::TEMPORARY => (count(stage), 3661),
            RegType::OUTPUT => (count(self.stage), 3660),
            RegType::VARYING => (count(stage), 3657),
            RegType::SAMPLER if self.version < 4 => (count(Stage::Fragment), 3656),
            RegType::SAMPLER => (count(self.stage), 3656),
            RegType::DEPTH => (count(Stage::Fragment), 3749),
            RegType::INSTANCE if self.version < 3 => (0, 3789),
            RegType::INSTANCE => (1, 3655),
            _ => (0, 3655),
        };
        (number >= count).then_some(fault)
    }
}
