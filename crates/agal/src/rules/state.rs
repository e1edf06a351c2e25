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
    /// The registers that exist.
    pub(super) ranges: &'static Ranges,
    /// The current token, counted from 1.
    pub(super) number: u32,
    pub(super) word: &'p Token,
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
        let (count, fault) = self.ranges.0[usize::from(stage != Stage::Vertex)][usize::from(kind.0) % KINDS];
        (number >= u32::from(count)).then_some(fault)
    }
}

/// For each stage whose constants are meant and each kind of register: the number of registers, and Flash's number for
/// one that does not exist.
pub(super) struct Ranges([[(u16, u16); KINDS]; 2]);

/// Values of a register kind in a token.
const KINDS: usize = 16;

/// By version, from 1, and stage.
static RANGES: [[Ranges; 2]; 4] = [
    [Ranges::new(1, Stage::Vertex), Ranges::new(1, Stage::Fragment)],
    [Ranges::new(2, Stage::Vertex), Ranges::new(2, Stage::Fragment)],
    [Ranges::new(3, Stage::Vertex), Ranges::new(3, Stage::Fragment)],
    [Ranges::new(4, Stage::Vertex), Ranges::new(4, Stage::Fragment)],
];

impl Ranges {
    /// The registers of programs of a version, from 1, and a stage.
    pub(super) fn of(version: u32, own: Stage) -> &'static Ranges {
        &RANGES[version.clamp(1, 4) as usize - 1][usize::from(own != Stage::Vertex)]
    }

    const fn new(version: u32, own: Stage) -> Ranges {
        let (mut ranges, mut kind) = ([[(0, 0); KINDS]; 2], 0);
        while kind < KINDS {
            ranges[0][kind] = range(RegType(kind as u8), version, own, Stage::Vertex);
            ranges[1][kind] = range(RegType(kind as u8), version, own, Stage::Fragment);
            kind += 1;
        }
        Ranges(ranges)
    }
}

const fn range(kind: RegType, version: u32, own: Stage, stage: Stage) -> (u16, u16) {
    let (stage, fault) = match kind {
        RegType::ATTRIBUTE => (Stage::Vertex, 3658),
        RegType::CONSTANT => (stage, 3659),
        RegType::TEMPORARY => (stage, 3661),
        RegType::OUTPUT => (own, 3660),
        RegType::VARYING => (stage, 3657),
        RegType::SAMPLER if version < 4 => (Stage::Fragment, 3656),
        RegType::SAMPLER => (own, 3656),
        RegType::DEPTH => (Stage::Fragment, 3749),
        RegType::INSTANCE if version < 3 => return (0, 3789),
        RegType::INSTANCE => return (1, 3655),
        _ => return (0, 3655),
    };
    (kind.count(version, stage) as u16, fault)
}
