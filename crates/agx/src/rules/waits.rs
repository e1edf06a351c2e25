//! Rules about waiting. Loads, atomics and texture reads write their registers some time later; `wait` waits for all
//! accesses of a group. A store reads its registers immediately.
//!
//! At most eight loads, atomics and texture reads are pending in a group: compilers keep to it, the hardware's limit is
//! not published. Apple's compiler has more stores pending, so they do not count.

use super::found::{Checked, Found};
use crate::code::{Forwards, Step, group};
use crate::facts::{Barrier, Control, Role};
use crate::sets::Registers;
use alloc::format;
use shisa_diag::Diagnostic;

/// Accesses of a group that may be pending at a time.
const MOST: u8 = 8;

/// Names of the groups.
const GROUPS: [char; 2] = ['a', 'b'];

/// The pending accesses of each group.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// Registers that are still to be written.
    writes: [Registers; 2],
    /// Whether there are any on some path.
    any: [bool; 2],
    /// The number of those that write registers, on the path with the most.
    count: [u8; 2],
}

struct Waits;

impl Forwards for Waits {
    type State = Pending;

    /// An instruction that should have waited is assumed to have waited, so that one mistake is one finding.
    fn after(&self, step: &Step<'_>, before: &Pending) -> Pending {
        let mut next = *before;
        match step.role() {
            Role::Wait => {
                let g = group(&step.insn);
                (next.writes[g], next.any[g], next.count[g]) = (Registers::EMPTY, false, 0);
            }
            // An unknown procedure may wait for everything.
            Role::Control(Control::CallRegister) => next = Pending::default(),
            Role::Control(_) | Role::Compute | Role::Constant | Role::Select | Role::Exchange(_) => {}
            Role::Memory(_) | Role::Barrier(_) | Role::Pixel(_) | Role::Coefficients(_) => {}
            Role::Varying(_) | Role::Driver => {}
        }
        let (reads, writes) = (step.reads().registers, step.writes().registers);
        for pending in &mut next.writes {
            *pending = pending.without(reads).without(writes);
        }
        if let Some(g) = step.group() {
            next.writes[g] = next.writes[g].or(writes);
            next.any[g] = true;
            next.count[g] = (next.count[g] + u8::from(!writes.is_empty())).min(MOST);
        }
        next
    }

    fn join(&mut self, _: usize, state: &mut Pending, other: &Pending) -> bool {
        let mut more = false;
        for g in 0..2 {
            let writes = state.writes[g].or(other.writes[g]);
            let count = state.count[g].max(other.count[g]);
            let any = state.any[g] || other.any[g];
            more |= writes != state.writes[g] || count != state.count[g] || any != state.any[g];
            (state.writes[g], state.any[g], state.count[g]) = (writes, any, count);
        }
        more
    }
}

pub(super) fn check(checked: &Checked<'_>, found: &mut Found<'_>) {
    let states = match checked.code.solve(Pending::default(), Waits) {
        Ok(states) => states,
        Err(d) => return found.failed(d),
    };
    for (step, pending) in states.each() {
        for (g, name) in GROUPS.into_iter().enumerate() {
            registers(&step, pending.writes[g], name, found);
            let writes = !step.writes().registers.is_empty();
            if step.group() == Some(g) && writes && pending.count[g] >= MOST {
                let text = format!(
                    "{MOST} accesses of group {name} may be pending already, the maximum that compilers keep to"
                );
                let help = format!("put `wait {name}` before it");
                found.at(&step, Diagnostic::warning("agx-wait-full", text).help(help));
            }
        }
        let orders = matches!(step.role(), Role::Barrier(Barrier::Threads | Barrier::Memory));
        if orders && pending.any != [false; 2] {
            let d =
                Diagnostic::warning("agx-barrier-pending", "accesses may still be pending at this barrier");
            found.at(&step, d.help("wait for their group before it"));
        }
    }
}

/// Registers that an instruction reads or overwrites too early.
fn registers(step: &Step<'_>, pending: Registers, group: char, found: &mut Found<'_>) {
    let (read, written) = (pending.and(step.reads().registers), pending.and(step.writes().registers));
    let (early, what) = match read.is_empty() {
        false => (read, "read"),
        true => (written, "overwritten"),
    };
    if !early.is_empty() {
        let names = early.names('r');
        let text = format!("{names} is {what} while an access of group {group} may still write it");
        let help = format!("put `wait {group}` before it");
        found.at(step, Diagnostic::error("agx-wait-missing", text).help(help));
    }
}
