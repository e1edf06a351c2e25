//! Which unit runs an instruction, and for how long.
//!
//! The numbers are those of Mesa's model (`agx_performance.c`), which were measured on G13G. They are for 32
//! lanes, without stalls for registers or operands of 64 bits.

use crate::Agx;
use crate::operand::{FLAGS, SCOPE};
use shisa_rows::Insn;

/// What runs an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Unit {
    /// Binary32 arithmetic.
    Float32,
    /// Arithmetic in halves.
    Float16,
    /// Selections, integer sums, bits, exchange between lanes.
    Simple,
    /// Products of integers, bit fields, functions. It runs beside the others, at half their rate.
    Complex,
    /// Memory, textures, the tile, varyings: what is not counted in cycles.
    Memory,
    /// Control flow, waits and barriers, which are not counted in cycles either.
    Control,
}

impl Unit {
    /// All of them.
    pub const ALL: [Unit; 6] =
        [Unit::Float32, Unit::Float16, Unit::Simple, Unit::Complex, Unit::Memory, Unit::Control];

    /// Its name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Float32 => "float32",
            Unit::Float16 => "float16",
            Unit::Simple => "simple",
            Unit::Complex => "complex",
            Unit::Memory => "memory",
            Unit::Control => "control",
        }
    }
}

/// How long an instruction takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// What runs it.
    pub unit: Unit,
    /// Cycles until its result can be used.
    pub latency: u8,
    /// Cycles for which it keeps its unit.
    pub busy: u8,
}

/// How long an instruction takes; nothing where nothing is known.
pub fn timing(insn: &Insn<Agx>) -> Timing {
    let form = insn.form();
    let (unit, latency, busy) = match form.name {
        "ffma" | "fadd" | "fmul" => (Unit::Float32, 2, 1),
        "hfma" | "hadd" | "hmul" => (Unit::Float16, 2, 1),
        "ldimm" => (Unit::Simple, 1, 1),
        // Special registers; moves of four bytes are nothing else.
        "mov" if form.attr.short == 4 => (Unit::Simple, 2, 2),
        // Moves to uniforms have a mask.
        "mov" if form.attr.short != form.attr.long => (Unit::Memory, 0, 0),
        "not_a" | "mov" | "not" | "mov_a" | "zero" | "and" | "andn1" | "andn2" | "xor" | "or" | "nor"
        | "xnor" | "orn1" | "orn2" | "nand" | "one" | "csel" | "iadd" | "isub" => (Unit::Simple, 2, 1),
        "imul" | "imadd" | "imsub" | "shl" | "shr" | "bfi" | "bfeil" | "extr" | "shlhi" | "shrhi" | "asr"
        | "asrh" | "floor" | "sinr" => (Unit::Complex, 3, 2),
        "sinc" | "log2" | "exp2" => (Unit::Complex, 5, 2),
        "rcp" => (Unit::Complex, 5, 3),
        "rsqrt" | "rsqrts" => (Unit::Complex, 6, 4),
        "simd" | "quad" if insn.field(FLAGS[0]) != 0 => (Unit::Simple, 18, 18),
        "simd" | "quad" => (Unit::Simple, 24, 24),
        "ballot" if form.operand(SCOPE).is_some() && insn.field(SCOPE) == 0 => (Unit::Simple, 4, 2),
        "shuffle" | "ballot" => (Unit::Simple, 5, 2),
        "if" | "else" | "while" | "pop_exec" | "update_exec" | "jmp_any" | "jmp_none" | "call" | "ret"
        | "stop" | "trap" | "jmp_incomplete" | "wait" | "barrier" | "pixwait" | "pixrel" => {
            (Unit::Control, 0, 0)
        }
        _ => (Unit::Memory, 0, 0),
    };
    Timing { unit, latency, busy }
}

/// Threads that run at a time on a core by the halves of registers that each has, from few halves on.
const OCCUPANCY: [(u32, u32); 10] = [
    (104, 1024),
    (112, 896),
    (128, 832),
    (136, 768),
    (144, 704),
    (160, 640),
    (184, 576),
    (208, 512),
    (232, 448),
    (256, 384),
];

/// How many threads run at a time, and how many halves of registers each may have where more would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Threads of a core.
    pub threads: u32,
    /// Halves with which there would be more, if there would.
    pub better: Option<u32>,
}

/// The occupancy of a program with so many halves of registers.
pub fn occupancy(halves: u32) -> Occupancy {
    let i = OCCUPANCY.iter().position(|(most, _)| halves <= *most).unwrap_or(OCCUPANCY.len() - 1);
    Occupancy { threads: OCCUPANCY[i].1, better: i.checked_sub(1).map(|i| OCCUPANCY[i].0) }
}
