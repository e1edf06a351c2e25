//! Relocatable objects.

use super::bytes::word;
use super::read::{Reader, rest};
use super::tables::Entry;
use super::write::Writer;
use super::{Dvle, LineEntry, Shbin};
use alloc::{borrow::Cow, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// Bytes of the header.
const HEADER: usize = 0x58;

/// A word that a linker changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Relocation {
    /// The word.
    pub at: u32,
    /// Fields of unknown meaning.
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
    /// Fields of unknown meaning; the last is usually `0xffff_ffff`.
    pub unknown: [u32; 3],
    /// The words that a linker changes.
    pub relocations: Vec<Relocation>,
    /// The rest, as the only program of a shader binary, from the first word to the last, with nothing relocated. The
    /// kind of the program is not known; vertex is assumed.
    pub linked: Shbin,
    /// The layout; `None` for that of [`ObjectLayout::of`].
    pub layout: Option<ObjectLayout>,
}

/// The layout of an object. Offsets are in bytes from the start of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ObjectLayout {
    /// Constants, labels, words, descriptors, lines, relocations, outputs, uniforms, symbols.
    pub tables: [u32; 9],
    /// Bytes of the file.
    pub size: u32,
    /// Bytes that belong to no table, each run with its offset; the others are zero.
    pub rest: Vec<(u32, Vec<u8>)>,
}

impl ObjectLayout {
    /// One table after the other, in the order of the header.
    pub fn of(object: &Object) -> ObjectLayout {
        let mut at = HEADER;
        let tables = object.sizes().map(|(_, bytes)| {
            let start = at as u32;
            at += bytes;
            start
        });
        ObjectLayout { tables, size: at as u32, rest: Vec::new() }
    }
}

impl Object {
    /// Whether bytes begin like an object.
    pub fn sniff(bytes: &[u8]) -> bool {
        bytes.starts_with(b"DVOJ")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All its faults: `shbin-magic`, `shbin-cut`, `shbin-range`, `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Object, Vec<Diagnostic>> {
        let mut reader = Reader::new(bytes, limits).map_err(|d| vec![d])?;
        let object = Object::of(&mut reader);
        let mut object = match object {
            Some(object) if reader.sink.errors() == 0 => object,
            _ => return Err(reader.sink.finish()),
        };
        let rest = rest(bytes, &object.write(limits).map_err(|d| vec![d])?);
        let usual = ObjectLayout::of(&object);
        object.layout = object.layout.map(|l| ObjectLayout { rest, ..l }).filter(|l| *l != usual);
        Ok(object)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// `limit-exceeded` if the layout reaches further than a file may.
    pub fn write(&self, limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
        let layout = self.layout.as_ref().map_or_else(|| Cow::Owned(ObjectLayout::of(self)), Cow::Borrowed);
        let mut out = Writer::new(limits.bound(Limit::File));
        out.reach(layout.size as usize)?;
        for (at, bytes) in &layout.rest {
            out.put(*at as usize, bytes)?;
        }
        let mut header = Vec::from(*b"DVOJ");
        self.unknown.iter().for_each(|w| w.put(&mut header));
        for (at, (count, _)) in layout.tables.iter().zip(self.sizes()) {
            at.put(&mut header);
            (count as u32).put(&mut header);
        }
        out.put(0, &header)?;
        let [constants, labels, code, descriptors, lines, relocations, outputs, uniforms, symbols] =
            layout.tables.map(|at| at as usize);
        let file = &self.linked;
        out.table(code, &file.code)?;
        out.table(descriptors, &file.descriptors)?;
        out.table(lines, &file.lines)?;
        out.table(relocations, &self.relocations)?;
        if let Some(program) = file.programs.first() {
            out.table(constants, &program.constants)?;
            out.table(labels, &program.labels)?;
            out.table(outputs, &program.outputs)?;
            out.table(uniforms, &program.uniforms)?;
            out.table(symbols, &program.symbols)?;
        }
        Ok(out.into_bytes())
    }

    /// The number of entries in each table, and their size in bytes, in the order of [`ObjectLayout::tables`].
    fn sizes(&self) -> [(usize, usize); 9] {
        fn size<T: Entry>(entries: &[T]) -> (usize, usize) {
            (entries.len(), entries.len() * T::BYTES)
        }
        let none = Dvle::default();
        let (file, program) = (&self.linked, self.linked.programs.first().unwrap_or(&none));
        [
            size(&program.constants),
            size(&program.labels),
            size(&file.code),
            size(&file.descriptors),
            size(&file.lines),
            size(&self.relocations),
            size(&program.outputs),
            size(&program.uniforms),
            size(&program.symbols),
        ]
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
        let tables = core::array::from_fn(|i| at(0x10 + 8 * i) as u32);
        let layout = ObjectLayout { tables, size: reader.bytes.len() as u32, rest: Vec::new() };
        Some(Object { unknown, relocations, linked, layout: Some(layout) })
    }
}
