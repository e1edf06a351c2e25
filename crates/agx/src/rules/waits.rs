//! What must be waited for. Loads, atomics and texture reads write their registers some time later; `wait`
//! waits for all of a group. What stores take is taken at once.

use super::code::{Code, Found, Step};
use crate::abi::Registers;
use crate::operand::WAIT;
use alloc::format;
use shisa_diag::Diagnostic;

/// Accesses of a group that may be under way at a time.
const MOST: u8 = 8;

/// Names of the groups.
const GROUPS: [char; 2] = ['a', 'b'];

/// What may be under way in each group.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    /// Registers that are still to be written.
    writes: [Registers; 2],
    /// How many accesses, on the way with the most.
    count: [u8; 2],
}

impl Pending {
    /// Adds what is under way on another way.
    fn join(&mut self, other: &Pending) -> bool {
        let mut more = false;
        for g in 0..2 {
            let writes = self.writes[g].or(other.writes[g]);
            let count = self.count[g].max(other.count[g]);
            more |= writes != self.writes[g] || count != self.count[g];
            (self.writes[g], self.count[g]) = (writes, count);
        }
        more
    }

    /// What is under way behind an instruction. Where it did not wait it is taken to have, so that one mistake
    /// is one finding.
    fn behind(&self, step: &Step) -> Pending {
        let mut next = *self;
        if step.name() == "wait" {
            let g = step.insn.field(WAIT) as usize & 1;
            (next.writes[g], next.count[g]) = (Registers::EMPTY, 0);
        }
        for writes in &mut next.writes {
            *writes = writes.without(step.reads).without(step.writes);
        }
        if let Some(g) = step.group() {
            next.writes[g] = next.writes[g].or(step.writes);
            next.count[g] = (next.count[g] + 1).min(MOST);
        }
        next
    }
}

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let states = code.solve(Pending::default(), |step, p| p.behind(step), Pending::join);
    for (i, step) in code.running() {
        let Some(Some(pending)) = states.get(i) else { continue };
        for (g, name) in GROUPS.into_iter().enumerate() {
            registers(step, pending.writes[g], name, found);
            if step.group() == Some(g) && pending.count[g] >= MOST {
                let text = format!("{MOST} accesses of group {name} may be under way already");
                let help = format!("put `wait {name}` before it");
                found.at(step, Diagnostic::error("agx-wait-full", text).help(help));
            }
        }
        let under_way = (0..2).any(|g| pending.count[g] > 0);
        if matches!(step.name(), "barrier" | "memory_barrier") && under_way {
            let text = "accesses may still be under way at this barrier";
            let d = Diagnostic::warning("agx-barrier-pending", text);
            found.at(step, d.help("wait for their group before it"));
        }
    }
}

/// Registers that an instruction takes or overwrites too early.
fn registers(step: &Step, pending: Registers, group: char, found: &mut Found<'_>) {
    let (read, written) = (pending.and(step.reads), pending.and(step.writes));
    let (early, what) = match read.is_empty() {
        false => (read, "read"),
        true => (written, "overwritten"),
    };
    if !early.is_empty() {
        let names = early.names('r');
        let text = format!("{names} is {what}, which an access of group {group} may still write");
        let help = format!("put `wait {group}` before it");
        found.at(step, Diagnostic::error("agx-wait-missing", text).help(help));
    }
}
