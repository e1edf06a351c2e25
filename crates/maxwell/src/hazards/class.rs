//! Classes of instructions that take the same time, and the units that they run on.

use crate::Maxwell;
use crate::attr::Latency;
use shisa_rows::Insn;

/// A class of instructions, by what they run on and what becomes of their results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// Arithmetic and moves of fixed latency.
    Arithmetic,
    /// Half precision, whose results are there as early as those of arithmetic.
    Half,
    /// Double precision.
    Double,
    /// Elementary functions, conversions, counts, slow products: one result a few cycles.
    Special,
    /// Global, local and generic memory.
    Memory,
    /// Shared memory, and what goes between lanes.
    Shared,
    /// Constants by address.
    Constant,
    /// Textures and surfaces.
    Texture,
    /// Attributes of graphics.
    Attribute,
    /// Special registers and the rest of variable latency.
    System,
    /// Flow of control.
    Flow,
}

impl Class {
    /// All classes.
    #[rustfmt::skip]
    pub const ALL: [Class; 11] = [
        Class::Arithmetic, Class::Half, Class::Double, Class::Special, Class::Memory, Class::Shared,
        Class::Constant, Class::Texture, Class::Attribute, Class::System, Class::Flow,
    ];

    /// The name in the table of bounds and in findings.
    pub const fn name(self) -> &'static str {
        match self {
            Class::Arithmetic => "arithmetic",
            Class::Half => "half",
            Class::Double => "double",
            Class::Special => "special",
            Class::Memory => "memory",
            Class::Shared => "shared",
            Class::Constant => "constant",
            Class::Texture => "texture",
            Class::Attribute => "attribute",
            Class::System => "system",
            Class::Flow => "flow",
        }
    }
}

/// The class of an instruction.
pub fn class(insn: &Insn<Maxwell>) -> Class {
    let form = insn.form();
    let variable = form.attr.of(&insn.word).latency == Latency::Variable;
    match form.name {
        "BRA" | "BRX" | "JMP" | "JMX" | "CAL" | "JCAL" | "SSY" | "PBK" | "PCNT" | "PRET" | "PEXIT"
        | "PLONGJMP" | "SYNC" | "BRK" | "CONT" | "RET" | "EXIT" | "LONGJMP" | "KIL" | "RTT" | "BPT" => {
            Class::Flow
        }
        "LD" | "LDG" | "LDL" | "ST" | "STG" | "STL" | "ATOM" | "RED" | "CCTL" | "CCTLL" | "MEMBAR" => {
            Class::Memory
        }
        "LDS" | "STS" | "ATOMS" | "SHFL" => Class::Shared,
        "LDC" => Class::Constant,
        name if name.starts_with("TEX") || name.starts_with("TLD") || name.starts_with('T') && variable => {
            Class::Texture
        }
        "SUATOM" | "SULD" | "SUST" | "SURED" | "STP" | "CCTLT" => Class::Texture,
        "IPA" | "ALD" | "AST" | "AL2P" | "OUT" | "ISBERD" | "PIXLD" => Class::Attribute,
        "DADD" | "DMUL" | "DFMA" | "DMNMX" | "DSET" | "DSETP" => Class::Double,
        "HADD2" | "HADD2_32I" | "HMUL2" | "HMUL2_32I" | "HFMA2" | "HFMA2_32I" | "HSET2" | "HSETP2" => {
            Class::Half
        }
        "S2R" | "B2R" | "R2B" | "BAR" | "DEPBAR" | "LEPC" | "GETCRSPTR" | "GETLMEMBASE" | "SETCRSPTR"
        | "SETLMEMBASE" | "RAM" | "SAM" | "IDE" => Class::System,
        _ if variable => Class::Special,
        _ => Class::Arithmetic,
    }
}
