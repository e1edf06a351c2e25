//! In which order samples and the pixel in the tile are used.

use super::code::{Code, Found, Step};
use crate::operand::{A, LEVELS, TARGET};
use alloc::format;
use shisa_diag::Diagnostic;

/// What pixels are waited for: earlier tests, earlier loads and stores.
const TESTS: u64 = 0x1;
const LOADS: u64 = 0x8;
const STORES: u64 = 0xc;

/// What is known at a place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// What every way has waited for.
    waited: u64,
    /// Samples that some lanes may have tested, and that some may have stored to.
    tested: u64,
    stored: u64,
    /// How far lanes may be held back at most.
    depth: u64,
}

impl State {
    fn join(&mut self, other: &State) -> bool {
        let joined = State {
            waited: self.waited & other.waited,
            tested: self.tested | other.tested,
            stored: self.stored | other.stored,
            depth: self.depth.max(other.depth),
        };
        core::mem::replace(self, joined) != joined
    }

    fn behind(&self, step: &Step) -> State {
        let mut next = *self;
        let levels = step.insn.field(LEVELS);
        match step.name() {
            "pixwait" => next.waited |= step.insn.field(TARGET),
            "sample_mask" | "zs_emit" => next.tested |= tested(step),
            "st_tile" => next.stored |= stored(step),
            "if" => next.depth = (next.depth + levels.max(1)).min(DEEPEST),
            "while" => next.depth = next.depth.max(levels),
            "pop_exec" => next.depth = next.depth.saturating_sub(levels),
            _ => {}
        }
        next
    }
}

/// Deeper nesting is not told apart, so that a loop that only deepens comes to an end.
const DEEPEST: u64 = 64;

/// The samples that are killed or tested, where the instruction says so itself.
fn samples(step: &Step) -> u64 {
    given(step.insn.field(TARGET)).unwrap_or(0)
}

/// Those of them that may be tested: the others are killed.
fn tested(step: &Step) -> u64 {
    let live = match step.name() {
        "sample_mask" => given(step.insn.field(A)),
        _ => None,
    };
    samples(step) & live.unwrap_or(0xff)
}

/// Whether any sample may be tested.
fn tests(step: &Step) -> bool {
    let all = given(step.insn.field(TARGET)).is_none();
    tested(step) != 0 || all && (step.name() == "zs_emit" || given(step.insn.field(A)) != Some(0))
}

/// A number, unless it is a register's.
fn given(bits: u64) -> Option<u64> {
    (bits & 0x100 != 0).then_some(bits & 0xff)
}

/// The samples that are stored to, where the instruction says so itself.
fn stored(step: &Step) -> u64 {
    let bits = step.insn.field(TARGET);
    if bits & 0x100 == 0 { bits & 0xff } else { 0 }
}

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    if !code.expect.draws {
        return;
    }
    let states = code.solve(State::default(), |step, s| s.behind(step), State::join);
    for (i, step) in code.running() {
        let Some(Some(state)) = states.get(i) else { continue };
        let name = step.name();
        let wanted = match name {
            "zs_emit" | "sample_mask" if tests(step) => TESTS,
            "ld_tile" => LOADS,
            "st_tile" => STORES,
            _ => 0,
        };
        let missing = wanted & !state.waited;
        if missing != 0 {
            let text = format!("{name} comes on some way without waiting for {missing:#x} of the pixel");
            let help = format!("put `pixwait {wanted}, 0` before it, outside of conditions");
            found.at(step, Diagnostic::error("agx-pixel-wait", text).help(help));
        }
        // Inside of conditions other lanes may be meant than those before.
        if !matches!(name, "zs_emit" | "sample_mask") || state.depth > 0 {
            continue;
        }
        let (late, twice) = (samples(step) & state.stored, tested(step) & state.tested);
        if late != 0 {
            let text = format!("samples {late:#x} are stored to before this");
            found.at(step, Diagnostic::error("agx-sample-late", text));
        } else if twice != 0 {
            let text = format!("samples {twice:#x} are tested before this");
            found.at(step, Diagnostic::error("agx-sample-twice", text));
        }
    }
}
