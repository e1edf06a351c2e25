//! Relocations of cubins: fields that a loader fills in.
//!
//! The names are those that NVIDIA's tools print. A name states the field: `R_CUDA_ABS32_LO_20` is the low half of an
//! address in 32 bits from bit 20 of the instruction.

use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Record};

/// A field that a loader fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// The section with the field.
    pub section: usize,
    /// The offset of the field's first byte in that section.
    pub offset: u64,
    /// The number of its kind ([`KINDS`]).
    pub kind: u32,
    /// The number of the symbol.
    pub symbol: u32,
    /// The number added to the symbol; `None` if the field itself holds it.
    pub addend: Option<i64>,
    /// The offset of the entry in the file.
    pub at: usize,
}

/// The value that is written to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing.
    Nothing,
    /// The symbol's value from this bit; the field receives the low bits.
    Value(u8),
    /// Offset in a bank of constants in 4-byte words, 14 bits, and the bank in five bits above.
    Constant,
    /// Offset in a bank of constants in bytes, 16 bits, and the bank in five bits above.
    ConstantBytes,
    /// A location in a bank of constants, in a form that is not described publicly.
    SomeConstant,
    /// Something that is not described publicly.
    Unknown,
}

/// A kind of relocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// As NVIDIA's tools print it.
    pub name: &'static str,
    /// The value that is written.
    pub written: Written,
    /// The lowest bit of the field.
    pub bit: u8,
    /// The bits of the field.
    pub width: u8,
    /// The function of the symbol's address whose value is written, as NVIDIA's tools print it; `None` for the symbol's
    /// value itself.
    pub function: Option<&'static str>,
    /// Whether only the bits of the value that the field has are meant: a half or a byte of an address.
    pub is_part: bool,
    /// Whether the field is a signed number, such as a distance.
    pub is_signed: bool,
    /// Whether the field is an operand of Maxwell's instructions. Other chips have theirs at other bits.
    pub is_operand: bool,
    /// If the loader replaces more than a field of an instruction: what nvdisasm prints there as a comment, with `%` for the
    /// symbol.
    pub replaced: Option<&'static str>,
}

const fn kind(name: &'static str, written: Written, bit: u8, width: u8) -> Kind {
    let (function, replaced) = (None, None);
    let (is_part, is_signed, is_operand) = (false, false, false);
    Kind { name, written, bit, width, function, is_part, is_signed, is_operand, replaced }
}

impl Kind {
    /// The kind for the result of a function.
    const fn of(self, function: &'static str) -> Kind {
        Kind { function: Some(function), ..self }
    }

    /// The kind for the result of a function that has the kind's name.
    const fn of_its_own(self) -> Kind {
        self.of(self.name)
    }

    const fn part(self) -> Kind {
        Kind { is_part: true, ..self }
    }

    const fn signed(self) -> Kind {
        Kind { is_signed: true, ..self }
    }

    const fn replaces(self, comment: &'static str) -> Kind {
        Kind { replaced: Some(comment), ..self }
    }

    const fn operand(self) -> Kind {
        Kind { is_operand: true, ..self }
    }
}

use Written::{Constant, ConstantBytes, Nothing, SomeConstant, Unknown, Value};

/// The kinds by number. Fields of functions' descriptors and of headers of textures receive the value that the loader
/// assigns to the symbol, fields of bindless textures an offset in 4-byte words. The bits are those that nvdisasm 12.8
/// prints for each kind in data.
#[rustfmt::skip]
pub const KINDS: [Kind; 116] = [
    kind("R_CUDA_NONE", Nothing, 0, 0),
    kind("R_CUDA_32", Value(0), 0, 32),
    kind("R_CUDA_64", Value(0), 0, 64),
    kind("R_CUDA_G32", Value(0), 0, 32).of_its_own(),
    kind("R_CUDA_G64", Value(0), 0, 64).of_its_own(),
    kind("R_CUDA_ABS32_26", Value(0), 26, 32),
    kind("R_CUDA_TEX_HEADER_INDEX", Value(0), 0, 20),
    kind("R_CUDA_SAMP_HEADER_INDEX", Value(0), 20, 12),
    kind("R_CUDA_SURF_HW_DESC", Unknown, 0, 0),
    kind("R_CUDA_SURF_HW_SW_DESC", Unknown, 0, 0),
    kind("R_CUDA_ABS32_LO_26", Value(0), 26, 32).part(),
    kind("R_CUDA_ABS32_HI_26", Value(32), 26, 32).part(),
    kind("R_CUDA_ABS32_23", Value(0), 23, 32),
    kind("R_CUDA_ABS32_LO_23", Value(0), 23, 32).part(),
    kind("R_CUDA_ABS32_HI_23", Value(32), 23, 32).part(),
    kind("R_CUDA_ABS24_26", Value(0), 26, 24),
    kind("R_CUDA_ABS24_23", Value(0), 23, 24),
    kind("R_CUDA_ABS16_26", Value(0), 26, 16),
    kind("R_CUDA_ABS16_23", Value(0), 23, 16),
    kind("R_CUDA_TEX_SLOT", Unknown, 32, 8),
    kind("R_CUDA_SAMP_SLOT", Unknown, 40, 5),
    kind("R_CUDA_SURF_SLOT", Unknown, 26, 6),
    kind("R_CUDA_TEX_BINDLESSOFF13_32", Value(2), 32, 13),
    kind("R_CUDA_TEX_BINDLESSOFF13_47", Value(2), 47, 13),
    // Bit 26 and 18 bits from bit 28.
    kind("R_CUDA_CONST_FIELD19_28", Unknown, 0, 0),
    kind("R_CUDA_CONST_FIELD19_23", Constant, 23, 19),
    kind("R_CUDA_TEX_SLOT9_49", Value(0), 49, 9),
    kind("R_CUDA_6_31", Unknown, 31, 6),
    kind("R_CUDA_2_47", Unknown, 47, 2),
    kind("R_CUDA_TEX_BINDLESSOFF13_41", Value(2), 41, 13),
    kind("R_CUDA_TEX_BINDLESSOFF13_45", Value(2), 45, 13),
    kind("R_CUDA_FUNC_DESC32_23", Value(0), 23, 32).of("fdesc"),
    kind("R_CUDA_FUNC_DESC32_LO_23", Value(0), 23, 32).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC32_HI_23", Value(32), 23, 32).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_32", Value(0), 0, 32).of_its_own(),
    kind("R_CUDA_FUNC_DESC_64", Value(0), 0, 64).of_its_own(),
    kind("R_CUDA_CONST_FIELD21_26", ConstantBytes, 26, 21),
    kind("R_CUDA_QUERY_DESC21_37", ConstantBytes, 37, 21),
    kind("R_CUDA_CONST_FIELD19_26", Constant, 26, 19),
    kind("R_CUDA_CONST_FIELD21_23", ConstantBytes, 23, 21),
    kind("R_CUDA_PCREL_IMM24_26", Unknown, 26, 24).signed(),
    kind("R_CUDA_PCREL_IMM24_23", Unknown, 23, 24).signed(),
    kind("R_CUDA_ABS32_20", Value(0), 20, 32).operand(),
    kind("R_CUDA_ABS32_LO_20", Value(0), 20, 32).part().operand(),
    kind("R_CUDA_ABS32_HI_20", Value(32), 20, 32).part().operand(),
    kind("R_CUDA_ABS24_20", Value(0), 20, 24).operand(),
    kind("R_CUDA_ABS16_20", Value(0), 20, 16).operand(),
    kind("R_CUDA_FUNC_DESC32_20", Value(0), 20, 32).of("fdesc").operand(),
    kind("R_CUDA_FUNC_DESC32_LO_20", Value(0), 20, 32).of("fdesc").part().operand(),
    kind("R_CUDA_FUNC_DESC32_HI_20", Value(32), 20, 32).of("fdesc").part().operand(),
    kind("R_CUDA_CONST_FIELD19_20", Constant, 20, 19).operand(),
    kind("R_CUDA_BINDLESSOFF13_36", Value(2), 36, 13).operand(),
    kind("R_CUDA_SURF_HEADER_INDEX", Value(0), 0, 20).of_its_own(),
    kind("R_CUDA_INSTRUCTION64", Unknown, 0, 0).replaces("RELOCATOR MAIN,%"),
    kind("R_CUDA_CONST_FIELD21_20", ConstantBytes, 20, 21).operand(),
    kind("R_CUDA_ABS32_32", Value(0), 32, 32),
    kind("R_CUDA_ABS32_LO_32", Value(0), 32, 32).part(),
    kind("R_CUDA_ABS32_HI_32", Value(32), 32, 32).part(),
    kind("R_CUDA_ABS47_34", Value(0), 34, 47),
    kind("R_CUDA_ABS16_32", Value(0), 32, 16),
    kind("R_CUDA_ABS24_32", Value(0), 32, 24),
    kind("R_CUDA_FUNC_DESC32_32", Value(0), 32, 32).of("fdesc"),
    kind("R_CUDA_FUNC_DESC32_LO_32", Value(0), 32, 32).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC32_HI_32", Value(32), 32, 32).of("fdesc").part(),
    kind("R_CUDA_CONST_FIELD19_40", Constant, 40, 19),
    kind("R_CUDA_BINDLESSOFF14_40", Value(2), 40, 14),
    kind("R_CUDA_CONST_FIELD21_38", ConstantBytes, 38, 21),
    kind("R_CUDA_INSTRUCTION128", Unknown, 0, 0).replaces("RELOCATOR MAIN,%"),
    kind("R_CUDA_YIELD_OPCODE9_0", Unknown, 0, 0).replaces("RELOCATOR OPCODE,YIELD,0"),
    kind("R_CUDA_YIELD_CLEAR_PRED4_87", Unknown, 87, 4).replaces(""),
    kind("R_CUDA_32_LO", Value(0), 0, 32).part(),
    kind("R_CUDA_32_HI", Value(32), 0, 32).part(),
    kind("R_CUDA_UNUSED_CLEAR32", Unknown, 0, 32).of_its_own(),
    kind("R_CUDA_UNUSED_CLEAR64", Unknown, 0, 64).of_its_own(),
    kind("R_CUDA_ABS24_40", Value(0), 40, 24),
    kind("R_CUDA_ABS55_16_34", Unknown, 34, 55),
    kind("R_CUDA_8_0", Value(0), 0, 8).part(),
    kind("R_CUDA_8_8", Value(8), 0, 8).part(),
    kind("R_CUDA_8_16", Value(16), 0, 8).part(),
    kind("R_CUDA_8_24", Value(24), 0, 8).part(),
    kind("R_CUDA_8_32", Value(32), 0, 8).part(),
    kind("R_CUDA_8_40", Value(40), 0, 8).part(),
    kind("R_CUDA_8_48", Value(48), 0, 8).part(),
    kind("R_CUDA_8_56", Value(56), 0, 8).part(),
    kind("R_CUDA_G8_0", Value(0), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_8", Value(8), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_16", Value(16), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_24", Value(24), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_32", Value(32), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_40", Value(40), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_48", Value(48), 0, 8).of_its_own().part(),
    kind("R_CUDA_G8_56", Value(56), 0, 8).of_its_own().part(),
    kind("R_CUDA_FUNC_DESC_8_0", Value(0), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_8", Value(8), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_16", Value(16), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_24", Value(24), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_32", Value(32), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_40", Value(40), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_48", Value(48), 0, 8).of("fdesc").part(),
    kind("R_CUDA_FUNC_DESC_8_56", Value(56), 0, 8).of("fdesc").part(),
    kind("R_CUDA_ABS20_44", Value(0), 44, 20),
    kind("R_CUDA_SAMP_HEADER_INDEX_0", Value(0), 0, 12),
    kind("R_CUDA_UNIFIED", Value(0), 0, 64).of("unified"),
    kind("R_CUDA_UNIFIED_32", Value(0), 0, 32).of("unified"),
    kind("R_CUDA_UNIFIED_8_0", Value(0), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_8", Value(8), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_16", Value(16), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_24", Value(24), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_32", Value(32), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_40", Value(40), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_48", Value(48), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED_8_56", Value(56), 0, 8).of("unified").part(),
    kind("R_CUDA_UNIFIED32_LO_32", Value(0), 32, 32).of("unified").part(),
    kind("R_CUDA_UNIFIED32_HI_32", Value(32), 32, 32).of("unified").part(),
    kind("R_CUDA_ABS56_16_34", Unknown, 34, 56),
    kind("R_CUDA_CONST_FIELD22_37", SomeConstant, 37, 22),
];

/// The loader's facts about a symbol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its address; for constants the offset in their bank, for textures the index of their header.
    pub value: u64,
    /// The bank of a constant.
    pub bank: u8,
}

impl Kind {
    /// The bytes up to the end of the field.
    fn bytes(&self) -> usize {
        usize::from(self.bit + self.width).div_ceil(8)
    }

    /// The bits of the field.
    pub(crate) fn mask(&self) -> u128 {
        ((1u128 << self.width) - 1) << self.bit
    }

    /// The number that a field holds to be added to the symbol, from the bytes of its section from the field on; `None`
    /// if there are fewer.
    pub fn held(&self, data: &[u8]) -> Option<u64> {
        let held = ((number(data.get(..self.bytes())?) & self.mask()) >> self.bit) as u64;
        Some(match self.written {
            Value(shift) => held << shift,
            Constant => (held & 0x3fff) << 2,
            ConstantBytes => held & 0xffff,
            Nothing | SomeConstant | Unknown => held,
        })
    }
}

/// The number that at most 16 bytes are.
fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |all, b| all << 8 | u128::from(*b))
}

/// A section that holds relocations of another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Table {
    /// The number of the section that they change.
    pub(super) of: usize,
    /// The number of the section that holds them.
    pub(super) number: usize,
    /// Their range in the cubin's list of relocations.
    pub(super) range: Range<usize>,
}

impl Relocation {
    /// The kind, if it is known.
    pub fn known(&self) -> Option<&'static Kind> {
        KINDS.get(self.kind as usize)
    }

    /// Fills in the field, in the bytes of the section.
    ///
    /// # Errors
    /// `cubin-relocation` if the kind is unknown, if the value does not fit, or if the field is outside of the
    /// section.
    pub fn apply(&self, data: &mut [u8], place: Place) -> Result<(), Diagnostic> {
        let kind = self.known().filter(|k| !matches!(k.written, SomeConstant | Unknown));
        let Some(kind) = kind else { return Err(self.wrong("it is not known how this kind is filled in")) };
        let start = usize::try_from(self.offset).ok().and_then(|o| data.get_mut(o..));
        let Some(field) = start.and_then(|d| d.get_mut(..kind.bytes())) else {
            return Err(self.wrong("the field is outside of its section"));
        };
        let held = kind.held(field).ok_or_else(|| self.wrong("the field is outside of its section"))?;
        let at = place.value.wrapping_add(self.addend.map_or(held, i64::cast_unsigned));
        let value = match kind.written {
            Nothing | SomeConstant | Unknown => return Ok(()),
            Value(shift) => at >> shift,
            Constant => {
                if !at.is_multiple_of(4) || at >> 16 != 0 || place.bank > 31 {
                    return Err(self.wrong("a bank of constants has no such offset"));
                }
                at >> 2 | u64::from(place.bank) << 14
            }
            ConstantBytes => {
                if at >> 16 != 0 || place.bank > 31 {
                    return Err(self.wrong("a bank of constants has no such offset"));
                }
                at | u64::from(place.bank) << 16
            }
        };
        let bits = number(field) & !kind.mask() | u128::from(value) << kind.bit & kind.mask();
        field.iter_mut().zip(bits.to_le_bytes()).for_each(|(f, b)| *f = b);
        Ok(())
    }

    fn wrong(&self, why: &str) -> Diagnostic {
        let name = self.known().map_or_else(|| format!("{}", self.kind), |k| k.name.into());
        let message = format!("relocation {name} at {:#x} of section {}: {why}", self.offset, self.section);
        Diagnostic::error("cubin-relocation", message).at_bytes(self.at..self.at + 16, "")
    }
}

/// The entries of a section of relocations; `addends` where they state what to add.
pub(super) fn read(section: usize, data: &[u8], at: usize, addends: bool) -> Vec<Relocation> {
    /// Bytes of an entry, without and with what to add.
    const PLAIN: usize = 16;
    const WITH_ADDEND: usize = 24;
    let new = |at, offset, [kind, symbol]: [u32; 2], addend| Relocation {
        section,
        offset,
        kind,
        symbol,
        addend,
        at,
    };
    if addends {
        let entries = Record::<WITH_ADDEND>::all(data).enumerate();
        let addend = |entry: Record<'_, WITH_ADDEND>| Some(entry.long::<16>().cast_signed());
        entries.map(|(n, e)| new(at + n * WITH_ADDEND, e.long::<0>(), e.words::<8, 2>(), addend(e))).collect()
    } else {
        let entries = Record::<PLAIN>::all(data).enumerate();
        entries.map(|(n, e)| new(at + n * PLAIN, e.long::<0>(), e.words::<8, 2>(), None)).collect()
    }
}
