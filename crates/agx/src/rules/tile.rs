//! The order of accesses to samples and to the pixel in the tile.

use super::found::{Checked, Found};
use crate::code::{Forwards, Step};
use crate::facts::{Control, Nesting, Pixel, Role};
use crate::operand::{A, LEVELS, TARGET, number_in};
use alloc::format;
use shisa_diag::Diagnostic;

/// Reasons for which `pixwait` waits: earlier tests, earlier loads and stores.
const TESTS: u64 = 0x1;
const LOADS: u64 = 0x8;
const STORES: u64 = 0xc;

/// All samples, as a mask.
const ALL: u64 = 0xff;

/// The state before an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// The reasons that every path has waited for.
    waited: u64,
    /// Samples that some lanes may have tested, and that some may have stored to.
    tested: u64,
    stored: u64,
    /// The most levels by which lanes may be masked off.
    depth: u64,
}

struct Samples;

impl Forwards for Samples {
    type State = State;

    fn after(&self, step: &Step<'_>, before: &State) -> State {
        let mut next = *before;
        let levels = step.insn.field(LEVELS);
        match step.role() {
            Role::Pixel(Pixel::Wait) => next.waited |= step.insn.field(TARGET),
            Role::Pixel(Pixel::Test | Pixel::Emit) => next.tested |= tested(step),
            Role::Pixel(Pixel::Store) => next.stored |= samples(step),
            Role::Pixel(Pixel::Release | Pixel::Load | Pixel::Block) => {}
            Role::Control(Control::Nesting(nesting)) => match nesting {
                Nesting::If => next.depth = (next.depth + levels.max(1)).min(DEEPEST),
                Nesting::While => next.depth = next.depth.max(levels),
                Nesting::Pop => next.depth = next.depth.saturating_sub(levels),
                Nesting::Else | Nesting::Update => {}
            },
            // An unknown procedure may wait.
            Role::Control(Control::CallRegister) => next.waited = u64::MAX,
            Role::Control(_) | Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) => {}
            Role::Wait | Role::Memory(_) | Role::Barrier(_) | Role::Coefficients(_) => {}
            Role::Varying(_) | Role::Driver => {}
        }
        next
    }

    fn join(&mut self, _: usize, state: &mut State, other: &State) -> bool {
        let joined = State {
            waited: state.waited & other.waited,
            tested: state.tested | other.tested,
            stored: state.stored | other.stored,
            depth: state.depth.max(other.depth),
        };
        core::mem::replace(state, joined) != joined
    }
}

/// Deeper nesting counts as this depth, so that a loop that only deepens terminates.
const DEEPEST: u64 = 64;

/// The samples that an instruction uses, if it names them by number.
fn samples(step: &Step<'_>) -> u64 {
    number_in(&step.insn, TARGET).unwrap_or(0)
}

/// The samples that may be tested, if the instruction names them; the others are killed.
fn tested(step: &Step<'_>) -> u64 {
    samples(step) & live(step)
}

/// The samples that a test may keep alive.
fn live(step: &Step<'_>) -> u64 {
    match step.role() {
        Role::Pixel(Pixel::Test) => number_in(&step.insn, A).unwrap_or(ALL),
        _ => ALL,
    }
}

/// Whether an instruction that kills or tests samples may test one.
fn tests(step: &Step<'_>) -> bool {
    number_in(&step.insn, TARGET).unwrap_or(ALL) & live(step) != 0
}

/// What must be waited for before an instruction.
fn wanted(step: &Step<'_>) -> u64 {
    match step.role() {
        Role::Pixel(pixel) => match pixel {
            Pixel::Test | Pixel::Emit if tests(step) => TESTS,
            Pixel::Load => LOADS,
            Pixel::Store => STORES,
            Pixel::Test | Pixel::Emit | Pixel::Wait | Pixel::Release | Pixel::Block => 0,
        },
        _ => 0,
    }
}

pub(super) fn check(checked: &Checked<'_>, found: &mut Found<'_>) {
    if !checked.expect.draws {
        return;
    }
    let states = match checked.code.solve(State::default(), Samples) {
        Ok(states) => states,
        Err(d) => return found.failed(d),
    };
    for (step, state) in states.each() {
        let wanted = wanted(&step);
        let missing = wanted & !state.waited;
        if missing != 0 {
            let name = step.name();
            let text = format!("on some path, {name} runs without waiting for {missing:#x} of the pixel");
            let help = format!("put `pixwait {wanted}, 0` before it, outside of conditions");
            found.at(&step, Diagnostic::error("agx-pixel-wait", text).help(help));
        }
        // Inside of conditions the lanes may differ from those before.
        if !matches!(step.role(), Role::Pixel(Pixel::Test | Pixel::Emit)) || state.depth > 0 {
            continue;
        }
        let (late, twice) = (samples(&step) & state.stored, tested(&step) & state.tested);
        if late != 0 {
            let text = format!("samples {late:#x} are stored to before this");
            found.at(&step, Diagnostic::error("agx-sample-late", text));
        } else if twice != 0 {
            let text = format!("samples {twice:#x} are tested before this");
            found.at(&step, Diagnostic::error("agx-sample-twice", text));
        }
    }
}
