//! Words and operand descriptors without a container, as in the hardware's memory and in emulators' dumps.

use super::tables::Entry;
use super::{Descriptor, Dvle, OutputEntry, Shbin};
use crate::code::Code;
use alloc::{format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::Stage;

/// The meaning of outputs in a program without tables: none.
const NOTHING: u16 = 9;

/// A program without a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raw<'a> {
    /// The words, least significant byte first.
    pub code: &'a [u8],
    /// The operand descriptors, least significant byte first.
    pub descriptors: &'a [u8],
    /// [`Stage::Vertex`] or [`Stage::Geometry`], which takes points.
    pub stage: Stage,
    /// The word that runs first.
    pub entry: u32,
}

impl Raw<'_> {
    /// Removes the zeros at the end of the code: memory into which nothing was loaded.
    pub fn loaded(self) -> Self {
        let len = self.code.iter().rposition(|b| *b != 0).map_or(0, |last| last / 4 * 4 + 4);
        Raw { code: self.code.get(..len).unwrap_or(self.code), ..self }
    }

    /// The program as the only one of a shader binary. Its inputs are the registers that it reads, its outputs the
    /// components that it writes, whose meaning is unknown.
    ///
    /// # Errors
    /// `shbin-raw` if the bytes are not whole words, `limit-exceeded`.
    pub fn linked(&self, limits: &Limits) -> Result<Shbin, Diagnostic> {
        limits.check(Limit::File, "bytes of the code", self.code.len())?;
        limits.check(Limit::File, "bytes of the descriptors", self.descriptors.len())?;
        let code = words("the code", self.code)?;
        limits.check(Limit::Instructions, "words", code.len())?;
        let descriptors = words("the descriptors", self.descriptors)?;
        let used = Code::new(&code, &descriptors).used(self.entry);
        let (inputs, outputs) = (used.reads.inputs, used.writes.outputs);
        let components = |all: u64, register: u16| (all >> (4 * register) & 15) as u16;
        let mask = |all| (0..16).fold(0, |mask, n| mask | u16::from(components(all, n) != 0) << n);
        let entry = |register| OutputEntry {
            kind: NOTHING,
            register,
            mask: components(outputs, register),
            unknown: 0,
        };
        let program = Dvle {
            kind: (self.stage == Stage::Geometry).into(),
            entry: self.entry,
            end: code.len() as u32,
            inputs: mask(inputs),
            output_mask: mask(outputs),
            outputs: (0..16).map(entry).filter(|e| e.mask != 0).collect(),
            ..Dvle::default()
        };
        Ok(Shbin {
            code,
            descriptors: descriptors.into_iter().map(|bits| Descriptor { bits, flags: 0 }).collect(),
            programs: vec![program],
            ..Shbin::default()
        })
    }
}

impl Shbin {
    /// The bytes of the words and of the descriptors, as [`Raw`] has them.
    pub fn raw(&self) -> (Vec<u8>, Vec<u8>) {
        let descriptors = self.descriptors.iter().flat_map(|d| d.bits.to_le_bytes());
        (self.code.iter().flat_map(|w| w.to_le_bytes()).collect(), descriptors.collect())
    }
}

fn words(what: &str, bytes: &[u8]) -> Result<Vec<u32>, Diagnostic> {
    if !bytes.len().is_multiple_of(4) {
        let message = format!("the {} bytes of {what} are not whole words", bytes.len());
        return Err(Diagnostic::error("shbin-raw", message));
    }
    Ok(u32::all(bytes))
}
