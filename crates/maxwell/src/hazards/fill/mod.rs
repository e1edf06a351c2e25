//! Fills in control bits, so that the check finds nothing.

mod barriers;
mod pairs;
mod stalls;

use super::PlainControl;
use super::check::check;
use super::walker::Walker;
use crate::code::Graph;
use crate::control::{SCHEDULE, Schedule};
use crate::flow::Targets;
use crate::{Ctx, Options};
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limit, Limits, Severity};
use shisa_rows::code::OutOfFuel;

/// Fills in the stall cycles, barriers and waits of a program in place; reuse flags and words that are not
/// instructions are unchanged. [`super::check`] then finds no missing wait.
///
/// Instructions keep their order. Results of variable latency get a barrier each as far as there are enough, and are
/// waited for where they are first needed on each path; the others stall exactly as long as the bounds require.
/// Instructions are marked to issue together if that delays nothing. Branches through a register go to their
/// `targets`; before control goes to an unknown address, all results are waited for.
///
/// # Errors
/// `maxwell-schedule-plain` if the analysis takes more steps than [`Limits::fuel`], or the check misses a wait. All control bits are then those of
/// [`Schedule::PLAIN`], after which hardware waits by itself.
pub fn fill(code: &mut [u128], targets: &Targets, ctx: Ctx<'_>, limits: &Limits) -> Result<(), Diagnostic> {
    let graph = Graph::new(code, targets, ctx);
    let mut walker = Walker::new(&graph, PlainControl::Waits, limits.fuel);
    walker.complete_where_lost();
    let filled = all(&mut walker);
    let bits: Vec<Schedule> = walker.nodes.iter().map(|node| node.schedule).collect();
    let reason = match filled {
        Ok(()) => {
            write(code, &graph, |i| bits[i]);
            missed(&Graph::new(code, targets, ctx), limits)
        }
        Err(OutOfFuel) => {
            let exceeded =
                Limit::Fuel.exceeded("the number of steps of the schedule's analysis", limits.fuel);
            Some(exceeded.help("raise the limit `fuel`"))
        }
    };
    let Some(reason) = reason else { return Ok(()) };
    write(code, &graph, |_| Schedule::PLAIN);
    let text = alloc::format!("every instruction waits by itself, which is slow: {}", reason.message);
    let plain = Diagnostic::warning("maxwell-schedule-plain", text);
    Err(reason.help.into_iter().fold(plain, Diagnostic::help))
}

/// Sets the control bits of every instruction.
fn write(code: &mut [u128], graph: &Graph, bits: impl Fn(usize) -> Schedule) {
    for (i, word) in code.iter_mut().enumerate().filter(|(i, _)| graph.insn(*i).is_some()) {
        SCHEDULE.set(word, u64::from(bits(i).0));
    }
}

/// What the check misses in a schedule. Check and scheduler follow paths separately, and can differ about a path that
/// leaves a procedure otherwise than by the return to its call.
fn missed(graph: &Graph, limits: &Limits) -> Option<Diagnostic> {
    let mut first = None;
    check(graph, Options::DEFAULT, limits, |found| {
        let of_waits = !matches!(found.diagnostic.code, "maxwell-wait-unset" | "maxwell-reuse-overwritten");
        if first.is_none() && of_waits && found.diagnostic.severity != Severity::Note {
            first = Some(found.diagnostic);
        }
    });
    first
}

fn all(walker: &mut Walker<'_>) -> Result<(), OutOfFuel> {
    for i in 0..walker.graph.len() {
        let stall = walker.graph.insn(i).map_or(0, |insn| insn.form().attr.stall);
        walker.set(i, |_| Schedule::PLAIN.0 & !31 | stall);
    }
    barriers::assign(walker)?;
    pairs::mark(walker);
    stalls::stall(walker)
}
