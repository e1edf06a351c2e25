//! Finds AGAL in SWF files.
//!
//! # Concepts
//!
//! A SWF is a header and a body, which is plain (`FWS`) or compressed with zlib (`CWS`) or LZMA (`ZWS`). The body is
//! a list of tags. Two kinds of tags contain AGAL:
//!
//! - **binary data** that the author embedded: whole programs, programs somewhere inside a larger file, source text,
//!   or another SWF, which is searched too;
//! - **ActionScript byte code**, whose constant pool has the source text that the program passes to an assembler at
//!   run time.
//!
//! [`extract`] finds all of it and states for each find its location, its stage and version, and the confidence.
//! Binary programs are accepted only if header and tokens are valid, text only if its lines are AGAL instructions
//! with operands.
//!
//! Malformed parts become diagnostics next to the finds. Input, decompressed bytes and the number of finds are
//! limited.

mod abc;
mod binary;
mod container;
mod tags;
#[cfg(test)]
mod tests;

pub use container::{Compression, sniff};
pub use shisa_diag::Confidence;

use shisa_diag::{Diagnostic, Limit, Limits, Sink, escape};
use shisa_ir::Stage;
use std::fmt;

/// The location of a find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a tag of binary data.
    BinaryData {
        /// The character's number.
        character: u16,
        /// The class associated with it, if a tag names one.
        class: Option<String>,
        /// The offset of the first byte in the data.
        start: usize,
    },
    /// In the constant pool of a tag of ActionScript byte code.
    String {
        /// The byte code's name; empty where it has none.
        abc: String,
        /// Index of the string in the pool, from 1 as in byte code.
        index: u32,
    },
}

/// The content of a find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The bytes of a program.
    Program(Vec<u8>),
    /// Source text, unchanged.
    Source(String),
}

/// AGAL that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Numbers of the enclosing tags, each from 0 in the list of its SWF: one for a find in this SWF, more for one in
    /// a nested SWF.
    pub tags: Vec<u32>,
    /// The location in the innermost tag.
    pub place: Place,
    /// The offset of the first byte in the innermost SWF, decompressed and including its header.
    pub offset: usize,
    /// The program or its text.
    pub content: Content,
    /// The stage; `None` if text fits both.
    pub stage: Option<Stage>,
    /// The version; for text the lowest that has everything the text uses.
    pub version: u32,
    /// The confidence of the find.
    pub confidence: Confidence,
}

impl fmt::Display for Found {
    /// The location, as in `tag 3, binary data 7 (shaders.Water)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tags: Vec<String> = self.tags.iter().map(u32::to_string).collect();
        write!(f, "tag {}, ", tags.join("/"))?;
        match &self.place {
            Place::BinaryData { character, class, start } => {
                write!(f, "binary data {character}")?;
                if let Some(class) = class {
                    write!(f, " ({})", escape(class))?;
                }
                if *start > 0 {
                    write!(f, ", byte {start}")?;
                }
                Ok(())
            }
            Place::String { abc, index } if abc.is_empty() => write!(f, "byte code, string {index}"),
            Place::String { abc, index } => write!(f, "byte code {}, string {index}", escape(abc)),
        }
    }
}

/// The contents of a SWF.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// The compression of the body.
    pub compression: Compression,
    /// SWF version.
    pub version: u8,
    /// Size in bytes of the whole file, decompressed, as the header states it.
    pub size: usize,
    /// AGAL in the order of the tags.
    pub found: Vec<Found>,
    /// Malformed parts that were skipped.
    pub diagnostics: Vec<Diagnostic>,
}

/// Levels of nested SWFs that are searched.
const MAX_DEPTH: usize = 4;

/// Finds all AGAL in a SWF.
///
/// # Errors
/// If the bytes are not a SWF (`swf-magic`, `swf-header`), or exceed a limit.
pub fn extract(bytes: &[u8], limits: &Limits) -> Result<Extraction, Diagnostic> {
    limits.check(Limit::File, "bytes of the file", bytes.len())?;
    let mut search =
        Search { limits, budget: limits.file, found: Vec::new(), sink: Sink::new(limits.diagnostics) };
    let header = search.swf(bytes, &[])?;
    Ok(Extraction {
        compression: header.compression,
        version: header.version,
        size: header.size,
        found: search.found,
        diagnostics: search.sink.finish(),
    })
}

/// A search in progress.
struct Search<'l> {
    limits: &'l Limits,
    /// Bytes that may still be decompressed.
    budget: usize,
    found: Vec<Found>,
    sink: Sink,
}

impl Search<'_> {
    /// Searches a SWF inside the tags `outer`.
    fn swf(&mut self, bytes: &[u8], outer: &[u32]) -> Result<container::Header, Diagnostic> {
        let (header, body) = container::open(bytes, &mut self.budget, &mut self.sink)?;
        tags::walk(self, &body, header.version, outer);
        Ok(header)
    }

    /// Adds a find.
    ///
    /// # Errors
    /// If there are as many as the limit allows.
    fn take(&mut self, found: Found) -> Result<(), Diagnostic> {
        self.limits.check(Limit::Programs, "programs", self.found.len() + 1)?;
        self.found.push(found);
        Ok(())
    }
}
