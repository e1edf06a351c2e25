//! The shape of `isa.json`.

use serde::{Serialize, Serializer};
use shisa::explain::Explanation;

/// The version of the data's shape. It rises with every change that a reader must know of.
pub const VERSION: u32 = 2;

/// A run of bits: the lowest one and their number.
pub type Bits = (u8, u8);

/// All instruction sets.
#[derive(Clone, Debug, Serialize)]
pub struct Isa {
    /// [`VERSION`].
    pub version: u32,
    /// The instruction sets.
    pub families: Vec<Family>,
    /// Error codes, limits and concepts of all instruction sets.
    pub words: Vec<Explanation>,
}

/// An instruction set.
#[derive(Clone, Debug, Serialize)]
pub struct Family {
    /// Its name, as options of the command write it.
    pub name: &'static str,
    /// Its platform.
    pub about: &'static str,
    /// The extension of the names of its sources.
    pub extension: &'static str,
    /// Number of bits of a word.
    pub bits: u32,
    /// What the bits of a word are in a file.
    pub word: &'static str,
    /// The pieces of a word, from the lowest bit up.
    pub pieces: &'static [Piece],
    /// The bits that distinguish most instructions.
    pub opcode: Bits,
    /// The forms of instructions, in the order in which they are tried.
    pub forms: Vec<FormData>,
    /// Instructions, registers, error codes, options and concepts in sentences.
    pub words: Vec<Explanation>,
}

/// A piece of a word, such as the instruction word or its control bits.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Piece {
    /// Its name.
    pub name: &'static str,
    /// Its lowest bit in the word.
    pub lo: u8,
    /// Its number of bits.
    pub width: u8,
}

/// Bits of a word, written in hexadecimal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex(pub u128);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:#x}", self.0))
    }
}

/// A form of an instruction: a row.
#[derive(Clone, Debug, Serialize)]
pub struct FormData {
    /// The mnemonic without modifiers.
    pub name: &'static str,
    /// One sentence that describes it.
    pub summary: &'static str,
    /// The mnemonic with its operands, optional ones in brackets if the instruction set has such.
    pub written: String,
    /// Names in other tools, such as `applegpu: fadd32`; left out if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// The instructions that it belongs to, such as `memory` or `control flow`.
    pub group: &'static str,
    /// The chips, or the versions of the instruction set, that have it.
    pub chips: Vec<String>,
    /// The stages whose programs may have it.
    pub stages: Vec<&'static str>,
    /// When its result is available, if that is published or measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<String>,
    /// The positions of its fixed bits.
    pub mask: Hex,
    /// The values of its fixed bits.
    pub bits: Hex,
    /// Bits without a meaning that compilers set nevertheless; left out if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filler: Option<Hex>,
    /// Its length, if instructions differ in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<Length>,
    /// Suffixes of the mnemonic, in the order in which they are written.
    pub modifiers: Vec<ModifierData>,
    /// Operands before the mnemonic.
    pub prefix: Vec<OperandData>,
    /// Operands, in the order in which they are written.
    pub operands: Vec<OperandData>,
    /// Operands after all others, such as control bits.
    pub suffix: Vec<OperandData>,
    /// Codes of the rules that it obeys beyond its encoding.
    pub rules: Vec<&'static str>,
    /// Its effects other than writing registers, and on which other lanes it depends.
    pub effects: Vec<String>,
    /// What it computes: operations of the intermediate representation with the kind of their numbers, such as
    /// `fadd f32` or `load_device i32`, without copies and conversions. Empty if the effect is not stated.
    pub operations: Vec<String>,
    /// Its effect on the operands of an example, as pseudocode; left out if it is not stated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pseudocode: Option<Pseudocode>,
    /// Why there is no pseudocode.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unstated: Vec<String>,
    /// Texts with their words.
    pub examples: Vec<Example>,
}

/// The effect of an instruction.
#[derive(Clone, Debug, Serialize)]
pub struct Pseudocode {
    /// The text of the instruction.
    pub of: String,
    /// Its statements.
    pub lines: Vec<String>,
}

/// The length of instructions, in bytes.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Length {
    /// The length if the bit is clear.
    pub short: u8,
    /// The length if the bit is set.
    pub long: u8,
    /// The number of the bit.
    pub bit: u8,
}

/// A suffix of the mnemonic.
#[derive(Clone, Debug, Serialize)]
pub struct ModifierData {
    /// Its bits.
    pub bits: Vec<Bits>,
    /// The text of each value, empty where nothing is written. Values past the end have no meaning.
    pub names: &'static [&'static str],
    /// The texts in the older edition of the instruction set, if they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub older: Option<&'static [&'static str]>,
}

/// An operand.
#[derive(Clone, Debug, Serialize)]
pub struct OperandData {
    /// What it is.
    pub kind: &'static str,
    /// Its bits.
    pub bits: Vec<Bits>,
    /// What the bits of its value are; bits of no part are zero.
    pub parts: Vec<PartData>,
    /// Whether the text may leave it out.
    pub optional: bool,
    /// The text of each value, if values are names; empty where a value is invalid or left out. Left out for other
    /// operands.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub names: &'static [&'static str],
}

/// A part of an operand's value.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PartData {
    /// Its lowest bit, in the value.
    pub lo: u8,
    /// Its number of bits.
    pub width: u8,
    /// What it is.
    pub name: &'static str,
}

/// A text with its word.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// The text.
    pub text: &'static str,
    /// The word, in hexadecimal.
    pub word: String,
    /// The word in the form that `shisa dis --words` reads, and control bits if it needs any.
    pub digits: String,
    /// A program that has this instruction, in the language of listings.
    pub program: String,
}
