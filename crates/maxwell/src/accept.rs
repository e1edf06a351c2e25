//! Whether a chip accepts an instruction.

use crate::attr::Latency;
use crate::control::has_reuse3;
use crate::{Ctx, Maxwell, Schedule};
use alloc::format;
use shisa_diag::{Code, Diagnostic};
use shisa_rows::Insn;

/// Each code of a refused word with its meaning.
pub const REFUSALS: &[(Code, &str)] = &[
    (
        "maxwell-barrier",
        "An instruction of fixed latency names a barrier to raise; only instructions of variable latency raise barriers.",
    ),
    ("maxwell-chip", "The instruction, or the value of one of its fields, exists on later chips only."),
    ("maxwell-opcode", "No instruction has these bits."),
    (
        "maxwell-reuse",
        "The fourth flag of the operand cache is set, but the instruction has no fourth source.",
    ),
    (
        "maxwell-rounding",
        "A conversion between floats of one size names a rounding that only conversions between sizes have.",
    ),
    (
        "maxwell-undefined",
        "A field has a value that no chip defines, but the instruction needs a defined one.",
    ),
];

/// Decodes a word of a chip: as [`Insn::decode`], but refuses instructions of other chips, values that the row's
/// rules exclude, and control bits that instructions of its kind cannot have. nvdisasm refuses the same words.
///
/// # Errors
/// `maxwell-opcode` if no row matches, `maxwell-chip`, `maxwell-barrier`, `maxwell-reuse`, and the codes of the rows'
/// rules.
#[inline]
pub fn decode(word: u128, ctx: Ctx) -> Result<Insn<Maxwell>, Diagnostic> {
    match Insn::<Maxwell>::decode(word) {
        Some(insn) => accept(&insn, ctx).map(|()| insn),
        None => Err(unknown(word)),
    }
}

#[cold]
fn unknown(word: u128) -> Diagnostic {
    Diagnostic::error("maxwell-opcode", format!("no instruction has the bits {:#018x}", word as u64))
}

/// Whether the chip accepts the instruction; see [`decode`].
#[inline]
pub(crate) fn accept(insn: &Insn<Maxwell>, ctx: Ctx) -> Result<(), Diagnostic> {
    let (form, attr) = (insn.form(), &insn.form().attr);
    let schedule = Schedule::of(insn.word);
    // Most rows need only two checks: their latency and whether a flag may be set.
    let plain = form.rules.is_empty() && attr.slow.is_none() && attr.since <= ctx.chip;
    let quiet = attr.latency == Latency::Variable || !schedule.raises();
    let uncached = attr.reuse3 || !has_reuse3(insn.word);
    if plain && quiet && uncached { Ok(()) } else { check_all(insn, ctx) }
}

/// The same, rule by rule.
fn check_all(insn: &Insn<Maxwell>, ctx: Ctx) -> Result<(), Diagnostic> {
    let (form, attr) = (insn.form(), &insn.form().attr);
    let schedule = Schedule::of(insn.word);
    if attr.since > ctx.chip {
        let text = format!("{} exists from {} on, not on {}", form.name, attr.since, ctx.chip);
        return Err(Diagnostic::error("maxwell-chip", text));
    }
    for rule in form.rules {
        if let Some(finding) = (rule.check)(insn, ctx) {
            return Err(finding);
        }
    }
    if schedule.raises() && !attr.is_variable(&insn.word) {
        let text = format!("{} has a fixed latency and raises no barrier", form.name);
        return Err(Diagnostic::error("maxwell-barrier", text)
            .help("instructions that need the result must wait by stall cycles instead"));
    }
    if has_reuse3(insn.word) && !attr.reuse3(&insn.word) {
        let text = format!("{} has no fourth source to keep in the operand cache", form.name);
        return Err(Diagnostic::error("maxwell-reuse", text));
    }
    Ok(())
}
