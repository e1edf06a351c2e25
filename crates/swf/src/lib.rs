//! Finds AGAL in SWF files, and in archives of them.
//!
//! # Concepts
//!
//! A SWF is a header and a body, which is plain (`FWS`) or compressed with zlib (`CWS`) or LZMA (`ZWS`). The body is
//! a list of tags. Two kinds of tags contain AGAL:
//!
//! - **binary data** that the author embedded: whole programs, programs somewhere inside a larger file, source text,
//!   or another SWF, which is searched too;
//! - **ActionScript byte code**, which builds source text from constants and passes it to an assembler at run time.
//!   The byte code is executed as far as its values are known, without its player: what reaches an assembler is a
//!   program, and what is uploaded together is a pair.
//!
//! SWC libraries, AIR packages and other ZIP archives are searched for SWFs.
//!
//! [`extract`] finds all of it and states for each find its location, its stage and version, whether it is a whole
//! program or a piece of one, and the confidence. Binary programs are accepted only if header and tokens are valid,
//! text only if its lines are AGAL instructions with operands.
//!
//! Malformed parts become diagnostics next to the finds. Input, decompressed bytes, executed instructions and the
//! number of finds are limited.

mod archive;
mod avm2;
mod binary;
mod code;
mod container;
mod encoded;
mod inflate;
mod replace;
mod tags;
#[cfg(test)]
mod tests;

pub use archive::Package;
pub use container::Compression;
pub use replace::replace;
pub use shisa_diag::Confidence;

use container::Decompressed;
use shisa_diag::{Diagnostic, Limit, Limits, Sink, escape};
use shisa_ir::Stage;
use std::fmt;

/// The error of a state that this crate rules out.
fn internal(what: String) -> Diagnostic {
    Diagnostic::internal("internal-swf", what)
}

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
    /// Built by ActionScript byte code.
    Built {
        /// The name of the byte code with the first constant; empty where it has none.
        abc: String,
        /// Index of the first constant in the pool of strings, from 1; 0 if there is none.
        index: u32,
        /// The number of strings that were joined.
        parts: u32,
    },
    /// A file of an archive.
    File {
        /// The offset of the first byte in the file.
        start: usize,
    },
}

/// A step into a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// A tag of a SWF, from 0.
    Tag(u32),
    /// A file of an archive, by name.
    File(String),
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
    /// The path to it: the tag, and around it the tags and the files of an archive that contain its SWF.
    pub path: Vec<Step>,
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
    /// Whether it is a whole program. A piece is text that is joined with other text, or that does not write an output.
    pub whole: bool,
    /// The confidence of the find.
    pub confidence: Confidence,
}

impl Found {
    /// The source text, if it is one.
    fn source(&self) -> Option<&str> {
        match &self.content {
            Content::Source(text) => Some(text),
            Content::Program(_) => None,
        }
    }
}

impl fmt::Display for Found {
    /// The location, as in `tag 3, binary data 7 (shaders.Water)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tags = false;
        for step in &self.path {
            match step {
                Step::Tag(number) if tags => write!(f, "/{number}")?,
                Step::Tag(number) => write!(f, "tag {number}")?,
                Step::File(name) if tags => write!(f, ", {}, ", escape(name))?,
                Step::File(name) => write!(f, "{}, ", escape(name))?,
            }
            tags = matches!(step, Step::Tag(_));
        }
        if tags {
            f.write_str(", ")?;
        }
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
            Place::String { abc, index } => write!(f, "{}, string {index}", Code(abc)),
            Place::Built { abc, index: 0, .. } => write!(f, "{}, built", Code(abc)),
            Place::Built { abc, index, parts } => {
                write!(f, "{}, string {index}, built from {parts}", Code(abc))
            }
            Place::File { start: 0 } => f.write_str("all of it"),
            Place::File { start } => write!(f, "byte {start}"),
        }
    }
}

/// The name of byte code in a location.
struct Code<'a>(&'a str);

impl fmt::Display for Code<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => f.write_str("byte code"),
            name => write!(f, "byte code {}", escape(name)),
        }
    }
}

/// The contents of a SWF, or of an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Extraction {
    /// The kind of archive; `None` for a SWF.
    pub package: Option<Package>,
    /// The compression of the SWF's body.
    pub compression: Compression,
    /// SWF version; 0 for an archive.
    pub version: u8,
    /// Size in bytes of the whole file, decompressed, as the header states it; for an archive its
    /// size.
    pub size: usize,
    /// AGAL: whole programs in the order of the tags, then pieces.
    pub found: Vec<Found>,
    /// Programs that are uploaded together: indices of the vertex program and of the fragment program.
    pub pairs: Vec<(usize, usize)>,
    /// Malformed parts that were skipped.
    pub diagnostics: Vec<Diagnostic>,
}

/// Levels of nested files that are searched.
const MAX_DEPTH: usize = 4;

/// Whether bytes look like a SWF or an archive that may contain one.
pub fn sniff(bytes: &[u8]) -> bool {
    container::sniff(bytes) || archive::sniff(bytes)
}

/// Finds all AGAL in a SWF or in an archive of SWFs.
///
/// # Errors
/// If the bytes are neither (`swf-magic`, `swf-header`, `swf-archive`), or exceed a limit.
pub fn extract(bytes: &[u8], limits: &Limits) -> Result<Extraction, Diagnostic> {
    limits.check(Limit::File, "bytes of the file", bytes.len())?;
    let mut search = Search {
        limits,
        decompressed: Decompressed::new(limits),
        fuel: limits.fuel,
        found: Vec::new(),
        pairs: Vec::new(),
        sink: Sink::new(limits.diagnostics),
    };
    let mut extraction = if archive::sniff(bytes) {
        let package = archive::search(&mut search, bytes, &[])?;
        Extraction { package: Some(package), size: bytes.len(), ..Extraction::default() }
    } else {
        let header = search.swf(bytes, &[])?;
        Extraction {
            compression: header.compression,
            version: header.version,
            size: header.size,
            ..Extraction::default()
        }
    };
    let mut order: Vec<usize> = (0..search.found.len()).collect();
    order.sort_by_key(|i| search.found.get(*i).is_none_or(|f| !f.whole));
    let mut position = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        if let Some(place) = position.get_mut(*old) {
            *place = new;
        }
    }
    let moved = |old: usize| position.get(old).copied();
    extraction.pairs = search.pairs.iter().filter_map(|(v, f)| Some((moved(*v)?, moved(*f)?))).collect();
    let mut found: Vec<Option<Found>> = search.found.into_iter().map(Some).collect();
    extraction.found = order.into_iter().filter_map(|i| found.get_mut(i)?.take()).collect();
    extraction.diagnostics = search.sink.finish();
    Ok(extraction)
}

/// A search in progress.
struct Search<'l> {
    limits: &'l Limits,
    decompressed: Decompressed,
    /// Instructions of byte code that may still be executed.
    fuel: u64,
    found: Vec<Found>,
    /// Programs that are uploaded together.
    pairs: Vec<(usize, usize)>,
    sink: Sink,
}

impl Search<'_> {
    /// Searches a SWF inside of `outer`.
    fn swf(&mut self, bytes: &[u8], outer: &[Step]) -> Result<container::Header, Diagnostic> {
        let (header, body) = container::open(bytes, &mut self.decompressed, &mut self.sink)?;
        if let Err(d) = tags::walk(self, &body, header.version, outer) {
            self.sink.push(d);
        }
        Ok(header)
    }

    /// Searches a SWF or an archive, if the bytes are one; `false` otherwise.
    fn nested(&mut self, bytes: &[u8], path: &[Step]) -> bool {
        if !sniff(bytes) {
            return false;
        }
        if path.len() >= MAX_DEPTH {
            let text = format!(
                "files are nested in each other more than {MAX_DEPTH} deep: the inner ones are not searched"
            );
            self.sink.push(Diagnostic::error("swf-nesting", text));
            return false;
        }
        let searched = match archive::sniff(bytes) {
            true => archive::search(self, bytes, path).map(|_| ()),
            false => self.swf(bytes, path).map(|_| ()),
        };
        searched.map_err(|d| self.sink.push(d)).is_ok()
    }

    /// Adds a find; returns its index.
    ///
    /// # Errors
    /// If there are as many as the limit allows.
    fn take(&mut self, found: Found) -> Result<usize, Diagnostic> {
        self.limits.check(Limit::Programs, "programs", self.found.len() + 1)?;
        self.found.push(found);
        Ok(self.found.len() - 1)
    }
}
