//! The entries of a container's tables.

use alloc::vec::Vec;
use shisa_diag::Record;
use shisa_ir::Stage;

/// An operand descriptor as stored in the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Descriptor {
    /// Mask (bits 0–3, x the highest), and sign and swizzle of the three sources from bits 4, 13 and 22. Bit 31 is
    /// set in most commercial files; its meaning is not known.
    pub bits: u32,
    /// Commercial files have 15, 7 or 3 here, picasso 0; the meaning is not known.
    pub flags: u32,
}

/// The source of a word: the line table has an entry for each word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LineEntry {
    /// Offset of the source's name in [`super::Shbin::names`].
    pub name: u32,
    /// The line.
    pub line: u32,
}

/// A register with its value before the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Constant {
    /// 0 a boolean, 1 an integer vector, 2 a float vector.
    pub kind: u16,
    /// Number of the register in its file.
    pub register: u16,
    /// A boolean: bit 0 of the first word. An integer vector: the four bytes of the first word. A float
    /// vector: a float24 in the low bits of each word.
    pub data: [u32; 4],
}

/// A named word of the program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Label {
    /// The number in bits 0–7; commercial files have 1 in bits 16–23.
    pub id: u32,
    /// The word, counted from the start of the code.
    pub at: u32,
    /// How many words; `0xffff_ffff` in commercial files.
    pub length: u32,
    /// Offset of the name in the program's symbols.
    pub name: u32,
}

/// The [`OutputEntry::kind`] without a meaning: the rasteriser does not read the components.
pub const DUMMY: u16 = 9;

/// The meaning of components of an output register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct OutputEntry {
    /// 0 position, 1 normal quaternion, 2 colour, 3 texture coordinate 0, 4 its third component, 5 and 6
    /// texture coordinates 1 and 2, 8 view, 9 nothing.
    pub kind: u16,
    /// Number of the output register.
    pub register: u16,
    /// The components, x in bit 0 (a descriptor has it in bit 3).
    pub mask: u16,
    /// A field of unknown meaning; 0.
    pub unknown: u16,
}

/// A named run of registers: inputs 0–0xf, constants 0x10–0x6f, integer vectors 0x70–0x73, booleans
/// 0x78–0x87.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Uniform {
    /// Offset of the name in the program's symbols.
    pub name: u32,
    /// The first register.
    pub first: u16,
    /// The last register.
    pub last: u16,
}

/// The vertex input of a geometry program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GeometryMode {
    /// 0 point, 1 variable, 2 fixed.
    pub mode: u8,
    /// The first constant that vertices of fixed mode go to.
    pub fixed_start: u8,
    /// How many vertices of variable mode have all attributes.
    pub variable: u8,
    /// How many vertices fixed mode takes.
    pub fixed: u8,
}

/// A program of a [`super::Shbin`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dvle {
    /// 0x1002 from picasso.
    pub version: u16,
    /// 0 vertex, 1 geometry.
    pub kind: u8,
    /// Bit 0: the output maps of vertex and geometry program are merged.
    pub flags: u8,
    /// The word that runs first.
    pub entry: u32,
    /// The word of the `end` (picasso: the word after the main procedure).
    pub end: u32,
    /// A bit for each input register that is used.
    pub inputs: u16,
    /// A bit for each output register that is used. Old versions of picasso, and aemstro, leave it 0; see
    /// [`Dvle::enabled_outputs`].
    pub output_mask: u16,
    /// Only for geometry programs.
    pub geometry: GeometryMode,
    /// Registers that are set before the program runs.
    pub constants: Vec<Constant>,
    /// Named words.
    pub labels: Vec<Label>,
    /// Meanings of outputs.
    pub outputs: Vec<OutputEntry>,
    /// Names of registers.
    pub uniforms: Vec<Uniform>,
    /// The names, each ended by a zero byte.
    pub symbols: Vec<u8>,
}

impl Dvle {
    /// Its stage; `None` for an unknown number.
    pub const fn stage(&self) -> Option<Stage> {
        match self.kind {
            0 => Some(Stage::Vertex),
            1 => Some(Stage::Geometry),
            _ => None,
        }
    }

    /// A bit for each output register that the header's mask or the output table names. libctru's loader, which sets
    /// up the hardware, reads only the table; raw words have only the mask.
    pub fn enabled_outputs(&self) -> u16 {
        let registers = self.outputs.iter().filter(|o| o.register < 16);
        registers.fold(self.output_mask, |mask, o| mask | 1 << o.register)
    }

    /// Bytes of constants, labels, outputs, uniforms, symbols.
    pub(super) fn sizes(&self) -> [usize; 5] {
        [
            self.constants.len() * Constant::BYTES,
            self.labels.len() * Label::BYTES,
            self.outputs.len() * OutputEntry::BYTES,
            self.uniforms.len() * Uniform::BYTES,
            self.symbols.len(),
        ]
    }

    /// The name at an offset of the symbols; see [`text_at`].
    pub fn name(&self, offset: u32) -> Option<&str> {
        text_at(&self.symbols, offset)
    }
}

/// The text from an offset up to the zero byte; `None` past the end, without a zero byte, or if it is not
/// UTF-8.
pub fn text_at(symbols: &[u8], offset: u32) -> Option<&str> {
    let text = symbols.get(usize::try_from(offset).ok()?..)?;
    let end = text.iter().position(|b| *b == 0)?;
    core::str::from_utf8(text.get(..end)?).ok()
}

/// The binary32 of a float24 (sign in bit 23, seven bits of exponent with bias 63, sixteen of mantissa), which
/// represents each exactly. The hardware treats denormals as zero in arithmetic; here they retain their value.
pub fn float24(bits: u32) -> f32 {
    match bits & 0xff_ffff {
        0x80_0000 => -0.0,
        bits => f32::from_bits(shisa_ir::scalar::float24::decode(bits)),
    }
}

/// An entry of a table: its size, how a table of them is read, how it is written.
pub(super) trait Entry: Sized {
    const BYTES: usize;
    /// The whole entries of a table.
    fn all(table: &[u8]) -> Vec<Self>;
    fn put(&self, out: &mut Vec<u8>);
}

impl Entry for u8 {
    const BYTES: usize = 1;
    fn all(table: &[u8]) -> Vec<Self> {
        table.to_vec()
    }
    fn put(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
}

impl Entry for u32 {
    const BYTES: usize = 4;
    fn all(table: &[u8]) -> Vec<Self> {
        Record::<{ Self::BYTES }>::all(table).map(|r| r.word::<0>()).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }
}

impl Entry for Descriptor {
    const BYTES: usize = 8;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| Descriptor { bits: r.word::<0>(), flags: r.word::<4>() };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        [self.bits, self.flags].iter().for_each(|w| w.put(out));
    }
}

impl Entry for LineEntry {
    const BYTES: usize = 8;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| LineEntry { name: r.word::<0>(), line: r.word::<4>() };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        [self.name, self.line].iter().for_each(|w| w.put(out));
    }
}

impl Entry for Constant {
    const BYTES: usize = 20;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| Constant {
            kind: r.half::<0>(),
            register: r.half::<2>(),
            data: r.words::<4, 4>(),
        };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.kind.to_le_bytes());
        out.extend_from_slice(&self.register.to_le_bytes());
        self.data.iter().for_each(|w| w.put(out));
    }
}

impl Entry for Label {
    const BYTES: usize = 16;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| {
            let [id, at, length, name] = r.words::<0, 4>();
            Label { id, at, length, name }
        };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        [self.id, self.at, self.length, self.name].iter().for_each(|w| w.put(out));
    }
}

impl Entry for OutputEntry {
    const BYTES: usize = 8;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| OutputEntry {
            kind: r.half::<0>(),
            register: r.half::<2>(),
            mask: r.half::<4>(),
            unknown: r.half::<6>(),
        };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        for half in [self.kind, self.register, self.mask, self.unknown] {
            out.extend_from_slice(&half.to_le_bytes());
        }
    }
}

impl Entry for Uniform {
    const BYTES: usize = 8;
    fn all(table: &[u8]) -> Vec<Self> {
        let entry = |r: Record<'_, { Self::BYTES }>| Uniform {
            name: r.word::<0>(),
            first: r.half::<4>(),
            last: r.half::<6>(),
        };
        Record::all(table).map(entry).collect()
    }
    fn put(&self, out: &mut Vec<u8>) {
        self.name.put(out);
        out.extend_from_slice(&self.first.to_le_bytes());
        out.extend_from_slice(&self.last.to_le_bytes());
    }
}
