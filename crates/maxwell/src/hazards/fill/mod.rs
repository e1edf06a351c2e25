//! Fills in control bits, so that the check finds nothing.

mod barriers;
mod pairs;
mod stalls;
mod together;

use super::PlainControl;
use super::walker::Walker;
use crate::Ctx;
use crate::code::Graph;
use crate::control::{SCHEDULE, Schedule};
use crate::flow::Targets;
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limit, Limits};
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
/// `maxwell-schedule-plain` if the analysis takes more steps than [`Limits::fuel`]. All control bits are then those of
/// [`Schedule::PLAIN`], after which hardware waits by itself.
pub fn fill(code: &mut [u128], targets: &Targets, ctx: Ctx<'_>, limits: &Limits) -> Result<(), Diagnostic> {
    let graph = Graph::new(code, targets, ctx);
    let mut walker = Walker::new(&graph, PlainControl::Waits, limits.fuel);
    walker.complete_where_lost();
    let filled = all(&mut walker);
    if filled.is_err() {
        (0..graph.len()).for_each(|i| walker.set(i, |_| Schedule::PLAIN.0));
    }
    let bits: Vec<Schedule> = walker.nodes.iter().map(|node| node.schedule).collect();
    for (i, (word, bits)) in code.iter_mut().zip(bits).enumerate() {
        if graph.insn(i).is_some() {
            SCHEDULE.set(word, u64::from(bits.0));
        }
    }
    filled.map_err(|OutOfFuel| {
        let exceeded = limits.exceeded(Limit::Fuel, "the number of steps of the schedule's analysis");
        let text = alloc::format!("every instruction waits by itself, which is slow: {}", exceeded.message);
        Diagnostic::warning("maxwell-schedule-plain", text).help("raise the limit `fuel`")
    })
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
