//! The order of accesses to samples and to the pixel in the tile.

use super::found::{Checked, Found};
use crate::code::{Forwards, Step};
use crate::facts::{Control, Nesting, Pixel, Role};
use crate::operand::{A, LEVELS, TARGET, number_in};
use crate::sets::Registers;
use alloc::{format, string::String};
use shisa_diag::{Code, Diagnostic, Severity};

/// Codes of findings that depend on all parts of a program.
pub(super) const CODES: [Code; 2] = ["agx-sample-late", "agx-sample-twice"];

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
    /// Samples that every path has killed in all lanes.
    killed: u64,
    /// Registers with samples that some lanes may have tested, and that some may have stored to.
    tested_in: Registers,
    stored_in: Registers,
    /// The most levels by which lanes may be masked off.
    depth: u64,
}

struct Samples;

impl Forwards for Samples {
    type State = State;

    fn after(&self, step: &Step<'_>, before: &State) -> State {
        let mut next = *before;
        let levels = step.insn.field(LEVELS);
        let written = step.writes().registers;
        (next.tested_in, next.stored_in) = (next.tested_in.without(written), next.stored_in.without(written));
        match step.role() {
            Role::Pixel(Pixel::Wait) => next.waited |= step.insn.field(TARGET),
            Role::Pixel(Pixel::Test | Pixel::Emit) => {
                next.tested |= tested(step);
                if before.depth == 0 {
                    next.killed |= killed(step);
                }
                if tests(step) {
                    next.tested_in = next.tested_in.or(samples_in(step));
                }
            }
            Role::Pixel(Pixel::Store) => {
                next.stored |= samples(step);
                next.stored_in = next.stored_in.or(samples_in(step));
            }
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
            killed: state.killed & other.killed,
            tested_in: state.tested_in.or(other.tested_in),
            stored_in: state.stored_in.or(other.stored_in),
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

/// The register with the samples that an instruction uses, if it names them by register.
fn samples_in(step: &Step<'_>) -> Registers {
    let insn = step.insn;
    let named = insn.form().operand(TARGET).and_then(|op| op.kind.registers(op, &insn));
    named.map_or(Registers::EMPTY, |named| {
        let first = usize::from(named.first.unit);
        Registers::range(first, first + usize::from(named.units))
    })
}

/// The samples that an instruction kills, if it names them by number. Compilers target all samples to test those that
/// a pixel has.
fn killed(step: &Step<'_>) -> u64 {
    let live = number_in(&step.insn, A).filter(|_| step.role() == Role::Pixel(Pixel::Test));
    match (live, samples(step)) {
        (Some(0), samples) => samples,
        (None, _) | (_, ALL) => 0,
        (Some(live), samples) => samples & !live,
    }
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

/// Whether an instruction kills its samples, and none is left to be tested.
fn kills_all(step: &Step<'_>) -> bool {
    live(step) == 0
}

/// Whether an instruction tests all samples and kills none.
pub(crate) fn tests_all(step: &Step<'_>) -> bool {
    step.role() == Role::Pixel(Pixel::Test) && tested(step) == ALL
}

/// The samples that an instruction kills although they were killed `before`. Killing all that are left names no sample twice.
fn killed_again(step: &Step<'_>, before: u64) -> u64 {
    match killed(step) {
        ALL if before != ALL => 0,
        killed => killed & before,
    }
}

/// What must be waited for before an instruction.
fn wanted(step: &Step<'_>) -> u64 {
    match step.role() {
        Role::Pixel(pixel) => match pixel {
            Pixel::Test | Pixel::Emit if !kills_all(step) => TESTS,
            Pixel::Load => LOADS,
            Pixel::Store => STORES,
            Pixel::Test | Pixel::Emit | Pixel::Wait | Pixel::Release | Pixel::Block => 0,
        },
        _ => 0,
    }
}

/// A second test of samples, in code of one part or of several. Parts are compiled apart, and a driver's linker joins them.
fn tested_again(text: String, joined: bool) -> Diagnostic {
    match joined {
        false => Diagnostic::error("agx-sample-twice", text),
        true => Diagnostic::new(Severity::Note, "agx-sample-twice", text)
            .note("Mesa links such parts, although its notes on this instruction forbid a second test"),
    }
}

/// A second kill of samples: what a prolog kills, the main part may kill again without knowing it.
fn killed_twice(text: String, joined: bool) -> Diagnostic {
    match joined {
        false => Diagnostic::warning("agx-sample-twice", text)
            .note("compilers kill or test each sample once on a path"),
        true => Diagnostic::new(Severity::Note, "agx-sample-twice", text)
            .note("another part killed them; to kill a sample again has no effect"),
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
            let kills = matches!(step.role(), Role::Pixel(Pixel::Test | Pixel::Emit)) && !tests(&step);
            let d = match kills {
                false => Diagnostic::error("agx-pixel-wait", text),
                true => Diagnostic::warning("agx-pixel-wait", text)
                    .note("it only kills samples; compilers wait nevertheless unless no sample is left"),
            };
            found.at(&step, d.help(help));
        }
        // Inside of conditions the lanes may differ from those before.
        if !matches!(step.role(), Role::Pixel(Pixel::Test | Pixel::Emit)) || state.depth > 0 {
            continue;
        }
        let (late, twice) = (samples(&step) & state.stored, tested(&step) & state.tested);
        let (late_in, twice_in) =
            (samples_in(&step).and(state.stored_in), samples_in(&step).and(state.tested_in));
        let again = killed_again(&step, state.killed);
        if late != 0 {
            let text = format!("samples {late:#x} are stored to before this");
            found.at(&step, Diagnostic::error("agx-sample-late", text));
        } else if !late_in.is_empty() {
            let text = format!("the samples in {} are stored to before this", late_in.names('r'));
            found.at(&step, Diagnostic::error("agx-sample-late", text));
        } else if twice != 0 {
            let text = format!("samples {twice:#x} are tested before this");
            found.at(&step, tested_again(text, checked.expect.joined));
        } else if !twice_in.is_empty() && tests(&step) {
            let text = format!("the samples in {} are tested before this", twice_in.names('r'));
            found.at(&step, tested_again(text, checked.expect.joined));
        } else if again != 0 {
            let text = format!("samples {again:#x} are killed before this");
            found.at(&step, killed_twice(text, checked.expect.joined));
        }
    }
}
