//! The rows, grouped by family. Rows are distinguished by the upper 16 bits of the word.

mod add;
mod atomic;
mod atomic_values;
mod barrier;
mod cache;
mod compare;
mod control;
mod conversion;
mod convert;
mod convert_values;
mod double;
mod exchange;
mod float;
mod float_result;
mod float_values;
mod functions;
mod graphics;
mod half;
mod half_values;
mod integer_values;
mod logic;
mod memory;
mod memory_values;
mod moves;
mod multiply;
mod multiply_values;
mod permute;
mod predicates;
mod shift;
mod shift_values;
mod special;
mod sum;
mod surface;
mod surface_values;
mod texels;
mod texture;
mod texture_short;
mod video;
mod video_four;
mod video_values;

pub use graphics::emitted;
pub(crate) use special::NOP;

use crate::attr::FIXED;
use crate::operand::{D, MaxwellLift, P, Q, R, set_codes_of};
use crate::{Chip, Ctx, Maxwell, ShaderStage};
use shisa_diag::Diagnostic;
use shisa_ir::{FloatRule, Round, Value};
use shisa_rows::{Field, Form, Insn, Modifier, Operand, Table, table};

/// Rounding of a float result.
const ROUNDING: &[&str] = &["", ".RM", ".RP", ".RZ"];

/// Comparisons of integers.
const COMPARISONS: &[&str] = &[".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".T"];
/// Comparisons of floats; those with a U, and `.T`, hold for NaN too.
#[rustfmt::skip]
const FLOAT_COMPARISONS: &[&str] = &[
    ".F", ".LT", ".EQ", ".LE", ".GT", ".NE", ".GE", ".NUM",
    ".NAN", ".LTU", ".EQU", ".LEU", ".GTU", ".NEU", ".GEU", ".T",
];
/// How truth values are joined.
const BOOLEANS: &[&str] = &[".AND", ".OR", ".XOR", ".INVALIDBOP3"];
/// How a result is joined with a predicate.
const BOOLEAN: Modifier = choice(45, 2, BOOLEANS);

/// The stage that works on pixels.
const PIXELS: &[ShaderStage] = &[ShaderStage::Fragment];
/// The stage that emits vertices.
const GEOMETRY: &[ShaderStage] = &[ShaderStage::Geometry];
/// The stages that load, store or interpolate attributes.
const ATTRIBUTES: &[ShaderStage] = &[
    ShaderStage::Vertex,
    ShaderStage::TessellationControl,
    ShaderStage::TessellationEvaluation,
    ShaderStage::Geometry,
    ShaderStage::Fragment,
];
/// The stages that load and store attributes of vertices.
const VERTICES: &[ShaderStage] = &[
    ShaderStage::Vertex,
    ShaderStage::TessellationControl,
    ShaderStage::TessellationEvaluation,
    ShaderStage::Geometry,
];

/// A suffix that one bit switches on.
const fn flag(bit: u8, names: &'static [&'static str]) -> Modifier {
    Modifier::new(Field::at(bit, 1), names)
}

/// A suffix that a field of `width` bits decides.
const fn choice(bit: u8, width: u8, names: &'static [&'static str]) -> Modifier {
    Modifier::new(Field::at(bit, width), names)
}

/// The rounding of a float result, from this bit on. Other assemblers write `.RN` for the usual one.
const fn rounding(bit: u8) -> Modifier {
    choice(bit, 2, ROUNDING).unwritten(".RN")
}

/// A suffix that is always written.
const fn always(names: &'static [&'static str]) -> Modifier {
    Modifier::new(Field::NONE, names)
}

/// A row for these upper 16 bits, of which those of `mask` are fixed.
const fn row(
    name: &'static str,
    bits: u16,
    mask: u16,
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    Form::new(name, (bits as u128) << 48, (mask as u128) << 48, operands, FIXED, lift)
}

/// A row that also fixes bits in the lower part of the word.
const fn fixed(
    name: &'static str,
    (bits, mask): (u64, u64),
    operands: &'static [Operand<Maxwell>],
    lift: fn(&mut MaxwellLift<'_, '_>),
) -> Form<Maxwell> {
    Form::new(name, bits as u128, mask as u128, operands, FIXED, lift)
}

/// The code of values that no chip defines.
const UNDEFINED: shisa_diag::Code = "maxwell-undefined";

/// Refuses values that no chip defines.
fn undefined(found: bool, what: &str) -> Option<Diagnostic> {
    found.then(|| Diagnostic::error(UNDEFINED, what))
}

/// Refuses, on the first chip, a predicate to be written that is not the usual one: later chips have it.
fn late_predicate(insn: &Insn<Maxwell>, ctx: Ctx, usual: u64) -> Option<Diagnostic> {
    let wrong = ctx.chip < Chip::Sm52 && insn.field(P) != usual;
    wrong.then(|| {
        Diagnostic::error("maxwell-chip", "this chip writes no predicate here: sm_52 is the first that does")
    })
}

/// All rows.
pub(crate) fn rows() -> &'static Table<Maxwell> {
    table!(
        Maxwell,
        &[
            float::ROWS,
            double::ROWS,
            half::ROWS,
            convert::ROWS,
            add::ROWS,
            multiply::ROWS,
            shift::ROWS,
            logic::ROWS,
            compare::ROWS,
            video::ROWS,
            moves::ROWS,
            predicates::ROWS,
            special::ROWS,
            memory::ROWS,
            atomic::ROWS,
            cache::ROWS,
            barrier::ROWS,
            texture::ROWS,
            texture_short::ROWS,
            surface::ROWS,
            graphics::ROWS,
            control::ROWS,
        ],
        51,
        13
    )
}

/// Joins truth values as a number of [`BOOLEANS`] says.
fn joined(l: &mut MaxwellLift<'_, '_>, how: u64, a: Value, b: Value) -> Value {
    match how {
        0 => l.and(a, b),
        1 => l.or(a, b),
        2 => l.xor(a, b),
        _ => {
            l.refuse(Diagnostic::error("lift-compare", "this operation on truth values is not known"));
            a
        }
    }
}

/// Joins what a comparison gives with the predicate that is read, and writes it to a register: all bits or 1.0 where
/// it holds, else 0.
fn set_register(l: &mut MaxwellLift<'_, '_>, held: Value) {
    let (how, with) = (BOOLEAN.field.get(&l.insn.word), l.src(R));
    let held = joined(l, how, held, with);
    let yes = if set(l, ".BF") { 0x3f80_0000 } else { -1 };
    let (yes, no) = (l.i32(yes), l.i32(0));
    let value = l.select(held, yes, no);
    l.set(D, value);
    set_codes_of(l, value);
}

/// Joins what a comparison gives, and its opposite, with the predicate that is read, and writes both to predicates.
fn set_predicates(l: &mut MaxwellLift<'_, '_>, held: Value) {
    let opposite = l.not(held);
    set_predicate_pair(l, [held, opposite]);
}

/// Joins two truth values with the predicate that is read, and writes both to predicates.
fn set_predicate_pair(l: &mut MaxwellLift<'_, '_>, values: [Value; 2]) {
    let (how, with) = (BOOLEAN.field.get(&l.insn.word), l.src(R));
    for (slot, v) in [P, Q].into_iter().zip(values) {
        let joined = joined(l, how, v, with);
        l.set(slot, joined);
    }
}

/// Whether the instruction of a lift has this suffix.
fn set(l: &MaxwellLift<'_, '_>, name: &str) -> bool {
    suffixes(&l.insn).any(|suffix| suffix == name)
}

/// The suffixes of an instruction; those that are not written are empty.
fn suffixes(insn: &Insn<Maxwell>) -> impl Iterator<Item = &'static str> {
    let word = insn.word;
    let name = move |m: &'static Modifier| m.names.get(m.field.get(&word) as usize).copied();
    insn.form().modifiers.iter().filter_map(name)
}

/// Whether the condition codes of an earlier instruction are an operand: all rows with these suffixes read them.
pub(crate) fn reads_carry(insn: &Insn<Maxwell>) -> bool {
    suffixes(insn).any(|suffix| [".X", ".XLO", ".XMED"].contains(&suffix))
}

/// How an instruction rounds. Suffixes mean the same in every row that has them.
pub(crate) fn float_rule(insn: &Insn<Maxwell>) -> FloatRule {
    let mut rule = FloatRule::IEEE;
    for suffix in suffixes(insn) {
        match suffix {
            ".FTZ" | ".FMZ" => rule.flush = true,
            ".SAT" => rule.saturate = true,
            ".RM" => rule.round = Round::Down,
            ".RP" => rule.round = Round::Up,
            ".RZ" => rule.round = Round::Zero,
            _ => {}
        }
    }
    rule
}
