//! Relocatable objects.

use super::read::Reader;
use super::tables::Entry;
use super::write::Writer;
use super::{Dvle, LineEntry, Shbin};
use alloc::{borrow::Cow, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Record};

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
    fn all(table: &[u8]) -> Vec<Self> {
        let entry =
            |r: Record<'_, { Self::BYTES }>| Relocation { at: r.word::<0>(), unknown: r.words::<4, 2>() };
        Record::all(table).map(entry).collect()
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
        let (rest, usual) = (reader.rest(), ObjectLayout::of(&object));
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
        let header = reader.record::<HEADER>(0, "the header of the object")?;
        let tables: [[u32; 2]; 9] = [
            header.words::<0x10, 2>(),
            header.words::<0x18, 2>(),
            header.words::<0x20, 2>(),
            header.words::<0x28, 2>(),
            header.words::<0x30, 2>(),
            header.words::<0x38, 2>(),
            header.words::<0x40, 2>(),
            header.words::<0x48, 2>(),
            header.words::<0x50, 2>(),
        ];
        let [constants, labels, code, descriptors, lines, relocations, outputs, uniforms, symbols] = tables;
        reader.limit(Limit::Instructions, "words", code[1] as usize)?;
        reader.limit(Limit::Labels, "labels", (labels[1] as usize).saturating_add(uniforms[1] as usize))?;
        let program = Dvle {
            end: code[1],
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
        let tables = tables.map(|[offset, _]| offset);
        let layout = ObjectLayout { tables, size: reader.bytes.len() as u32, rest: Vec::new() };
        Some(Object { unknown: header.words::<4, 3>(), relocations, linked, layout: Some(layout) })
    }
}
