//! Whether a chip takes an instruction.

use crate::attr::Latency;
use crate::control::{REUSE3, SCHEDULE};
use crate::{Ctx, Maxwell, Schedule};
use alloc::format;
use shisa_diag::{Code, Diagnostic};
use shisa_rows::Insn;

/// Each code of a refused word with what it means.
pub const REFUSALS: &[(Code, &str)] = &[
    (
        "maxwell-barrier",
        "An instruction of fixed latency names a barrier to raise; only others raise barriers.",
    ),
    ("maxwell-chip", "The instruction, or what one of its fields says, exists on later chips only."),
    ("maxwell-opcode", "No instruction has these bits."),
    (
        "maxwell-reuse",
        "The fourth flag of the operand cache is set, but the instruction has no fourth source.",
    ),
    (
        "maxwell-rounding",
        "A conversion between floats of one size names a rounding that only a change of size has.",
    ),
    (
        "maxwell-undefined",
        "A field has a value that no chip defines, where the instruction needs one that is.",
    ),
];

/// Decodes a word of a chip: as [`Insn::decode`], but refusing what exists on other chips only, values that
/// the row's rules exclude, and control bits that instructions of its kind cannot have. These are the words
/// that nvdisasm refuses.
///
/// # Errors
/// `maxwell-opcode` when no row matches, `maxwell-chip`, `maxwell-barrier`, `maxwell-reuse`, and the codes of
/// the rows' rules.
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

/// Whether the chip takes an instruction; see [`decode`].
#[inline]
pub(crate) fn accept(insn: &Insn<Maxwell>, ctx: Ctx) -> Result<(), Diagnostic> {
    let (form, attr) = (insn.form(), &insn.form().attr);
    let schedule = Schedule(SCHEDULE.get(&insn.word) as u32);
    // Most rows have nothing to check but their latency and whether a flag may be set.
    let plain = form.rules.is_empty() && attr.slow.is_none() && attr.since <= ctx.chip;
    let quiet = attr.latency == Latency::Variable || !schedule.raises();
    let uncached = attr.reuse3 || REUSE3.get(&insn.word) == 0;
    if plain && quiet && uncached { Ok(()) } else { ask(insn, ctx) }
}

/// The same, rule by rule.
fn ask(insn: &Insn<Maxwell>, ctx: Ctx) -> Result<(), Diagnostic> {
    let (form, attr) = (insn.form(), &insn.form().attr);
    let schedule = Schedule(SCHEDULE.get(&insn.word) as u32);
    if attr.since > ctx.chip {
        let text = format!("{} exists from {} on, not on {}", form.name, attr.since, ctx.chip);
        return Err(Diagnostic::error("maxwell-chip", text));
    }
    for rule in form.rules {
        if let Some(finding) = (rule.check)(insn, ctx) {
            return Err(finding);
        }
    }
    if schedule.raises() && attr.latency(&insn.word) == Latency::Fixed {
        let text = format!("{} has a fixed latency and raises no barrier", form.name);
        return Err(Diagnostic::error("maxwell-barrier", text)
            .help("let instructions that need the result wait by their distance: stall cycles"));
    }
    if REUSE3.get(&insn.word) != 0 && !attr.reuse3(&insn.word) {
        let text = format!("{} has no fourth source to keep in the operand cache", form.name);
        return Err(Diagnostic::error("maxwell-reuse", text));
    }
    Ok(())
}
