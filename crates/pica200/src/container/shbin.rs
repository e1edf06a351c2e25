//! The shader binary.

use super::layout::{DVLE_HEADER, FULL_HEADER};
use super::{Descriptor, Dvle, Layout, LineEntry, Placement, text_at};
use crate::Program;
use alloc::{borrow::Cow, vec::Vec};
use core::ops::Range;
use shisa_ir::Stage;

/// A shader binary: one pool of words and descriptors, and the programs in it.
///
/// Reading and then writing yields the same bytes: [`Shbin::layout`] has everything that the other fields do not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shbin {
    /// Version of the DVLP: 0 from picasso, 0x0c02 in commercial files.
    pub version: u32,
    /// The words.
    pub code: Vec<u32>,
    /// The descriptors.
    pub descriptors: Vec<Descriptor>,
    /// The source of each word; picasso writes none.
    pub lines: Vec<LineEntry>,
    /// Names of sources, each ended by a zero byte.
    pub names: Vec<u8>,
    /// The programs.
    pub programs: Vec<Dvle>,
    /// The layout, if it is not picasso's.
    pub layout: Option<Layout>,
}

impl Shbin {
    /// Whether bytes begin like a shader binary.
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(b"DVLB")
    }

    /// A program by its number from 0, with the words and descriptors of the pool; `None` if there is none of
    /// this number. A program of unknown kind counts as a vertex program.
    pub fn program(&self, index: usize) -> Option<Program> {
        let dvle = self.programs.get(index)?;
        Some(Program {
            stage: dvle.stage().unwrap_or(Stage::Vertex),
            code: self.code.clone(),
            descriptors: self.descriptors.iter().map(|d| d.bits).collect(),
            entry: dvle.entry,
        })
    }

    /// The offset of the first word in the file.
    pub fn code_at(&self) -> usize {
        let offset = self.layout.as_ref().map_or(FULL_HEADER, |l| l.pool[0]);
        (8 + 4 * self.programs.len()).saturating_add(offset as usize)
    }

    /// For each program the range of its header and tables in the file, in bytes.
    pub fn places(&self) -> Vec<Range<usize>> {
        let layout = self.layout.as_ref().map_or_else(|| Cow::Owned(Layout::of(self)), Cow::Borrowed);
        let place = |(dvle, place): (&Dvle, &Placement)| {
            let ends = place.tables.iter().zip(dvle.sizes()).filter(|(_, size)| *size > 0);
            let end = ends.map(|(at, size)| *at as usize + size).fold(DVLE_HEADER, usize::max);
            place.at as usize..place.at as usize + end
        };
        self.programs.iter().zip(&layout.programs).map(place).collect()
    }

    /// Source and line of a word, if the line table has it.
    pub fn line(&self, word: usize) -> Option<(&str, u32)> {
        let entry = self.lines.get(word)?;
        Some((text_at(&self.names, entry.name)?, entry.line))
    }
}
