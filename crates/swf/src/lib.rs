//! Finds AGAL in SWF files.
//!
//! # Concepts
//!
//! A SWF is a header and a body, which is plain (`FWS`) or compressed with zlib (`CWS`) or LZMA
//! (`ZWS`). The body is a list of tags. AGAL lies in two kinds of them:
//!
//! - **binary data** that the author embedded: whole programs, programs somewhere inside a larger file,
//!   source text, or a further SWF, which is searched too;
//! - **ActionScript byte code**, whose pool of constants holds the source text that the program hands to
//!   an assembler at run time.
//!
//! [`extract`] finds all of it and says of each find where it was, for which stage and version it is,
//! and how sure that is. Byte code is taken only where header and tokens are sound, text only where its
//! lines are AGAL instructions with operands.
//!
//! What is malformed becomes a diagnostic beside the finds. Input, decompressed bytes and the number of
//! finds are limited.

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

/// Where AGAL was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In a tag of binary data.
    BinaryData {
        /// The character's number.
        character: u16,
        /// The class that stands for it, if a tag names one.
        class: Option<String>,
        /// The first byte within the data.
        start: usize,
    },
    /// In the pool of constants of a tag of ActionScript byte code.
    String {
        /// The byte code's name; empty where it has none.
        abc: String,
        /// Number of the string in the pool, from 1 as byte code counts.
        index: u32,
    },
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// The bytes of a program.
    Program(Vec<u8>),
    /// Source text, as it stands.
    Source(String),
}

/// AGAL that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Numbers of the tags that enclose it, each from 0 in the list of its SWF: one for a find in this
    /// SWF, more for one in a SWF inside.
    pub tags: Vec<u32>,
    /// Where in the innermost tag.
    pub place: Place,
    /// The first byte within the innermost SWF, decompressed, its header counted.
    pub offset: usize,
    /// The program or its text.
    pub content: Content,
    /// The stage; `None` where text fits both.
    pub stage: Option<Stage>,
    /// The version; for text the lowest that has all it uses.
    pub version: u32,
    /// How sure it is.
    pub confidence: Confidence,
}

impl fmt::Display for Found {
    /// Where it was found, as in `tag 3, binary data 7 (shaders.Water)`.
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

/// What a SWF holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// How the body is stored.
    pub compression: Compression,
    /// SWF version.
    pub version: u8,
    /// Bytes of the whole, decompressed, as the header says.
    pub size: usize,
    /// AGAL in the order of the tags.
    pub found: Vec<Found>,
    /// What was malformed and skipped.
    pub diagnostics: Vec<Diagnostic>,
}

/// SWFs inside SWFs that are searched.
const MAX_DEPTH: usize = 4;

/// Finds all AGAL in a SWF.
///
/// # Errors
/// When the bytes are no SWF (`swf-magic`, `swf-header`), or larger than a limit.
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

/// A search under way.
struct Search<'l> {
    limits: &'l Limits,
    /// Bytes that may still be decompressed.
    budget: usize,
    found: Vec<Found>,
    sink: Sink,
}

impl Search<'_> {
    /// Searches a SWF that lies in the tags `outer`.
    fn swf(&mut self, bytes: &[u8], outer: &[u32]) -> Result<container::Header, Diagnostic> {
        let (header, body) = container::open(bytes, &mut self.budget, &mut self.sink)?;
        tags::walk(self, &body, header.version, outer);
        Ok(header)
    }

    /// Takes a find.
    ///
    /// # Errors
    /// When there are as many as the limit allows.
    fn take(&mut self, found: Found) -> Result<(), Diagnostic> {
        self.limits.check(Limit::Programs, "programs", self.found.len() + 1)?;
        self.found.push(found);
        Ok(())
    }
}
