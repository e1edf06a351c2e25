//! Relocatable objects.

use super::bytes::word;
use super::read::Reader;
use super::tables::Entry;
use super::{Dvle, LineEntry, Shbin};
use alloc::{vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// Bytes of the header.
const HEADER: usize = 0x58;

/// Where a linker changes a word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relocation {
    /// The word.
    pub at: u32,
    /// What these mean is not known.
    pub unknown: [u32; 2],
}

impl Entry for Relocation {
    const BYTES: usize = 12;
    fn get(bytes: &[u8]) -> Self {
        Relocation { at: word(bytes, 0), unknown: [4, 8].map(|at| word(bytes, at)) }
    }
    fn put(&self, out: &mut Vec<u8>) {
        self.at.put(out);
        self.unknown.iter().for_each(|w| w.put(out));
    }
}

/// An object: one program with its own words and descriptors (after GBATEK).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Object {
    /// What these mean is not known; the last is usually `0xffff_ffff`.
    pub unknown: [u32; 3],
    /// What a linker changes.
    pub relocations: Vec<Relocation>,
    /// All else, as the only program of a shader binary that runs from the first word to the last, with
    /// nothing relocated. The kind of the program is not known and taken as vertex.
    pub linked: Shbin,
}

impl Object {
    /// Whether bytes begin as an object.
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(b"DVOJ")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All that is wrong with it: `shbin-magic`, `shbin-cut`, `shbin-range`, `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Object, Vec<Diagnostic>> {
        let mut reader = Reader::new(bytes, limits).map_err(|d| vec![d])?;
        let object = Object::of(&mut reader);
        match object {
            Some(object) if reader.sink.errors() == 0 => Ok(object),
            _ => Err(reader.sink.finish()),
        }
    }

    fn of(reader: &mut Reader<'_>) -> Option<Object> {
        reader.magic(0, b"DVOJ")?;
        let header = reader.head(0, HEADER, "the header of the object")?;
        let unknown = [4, 8, 12].map(|at| word(header, at));
        let counts = [0x1c, 0x24, 0x4c].map(|at| word(header, at) as usize);
        let at = |field: usize| word(reader.bytes, field) as usize;
        let [constants, labels, code, descriptors, lines] = [0x10, 0x18, 0x20, 0x28, 0x30].map(at);
        let [relocations, outputs, uniforms, symbols] = [0x38, 0x40, 0x48, 0x50].map(at);
        reader.limit(Limit::Instructions, "words", counts[1])?;
        reader.limit(Limit::Labels, "labels", counts[0].saturating_add(counts[2]))?;
        let program = Dvle {
            end: counts[1] as u32,
            constants: reader.table("constants", 0x10, constants),
            labels: reader.table("labels", 0x18, labels),
            outputs: reader.table("outputs", 0x40, outputs),
            uniforms: reader.table("uniforms", 0x48, uniforms),
            symbols: reader.table("symbols", 0x50, symbols),
            ..Dvle::default()
        };
        let relocations = reader.table("relocations", 0x38, relocations);
        let lines: Vec<LineEntry> = reader.table("lines", 0x30, lines);
        let linked = Shbin {
            code: reader.table("words", 0x20, code),
            descriptors: reader.table("descriptors", 0x28, descriptors),
            names: if lines.is_empty() { Vec::new() } else { program.symbols.clone() },
            lines,
            programs: vec![program],
            ..Shbin::default()
        };
        Some(Object { unknown, relocations, linked })
    }
}
