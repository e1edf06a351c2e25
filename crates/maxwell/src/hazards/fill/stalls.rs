//! Stall cycles: until results of fixed latency are available, and until barriers are visible.

use super::pairs::is_first;
use crate::control::Schedule;
use crate::hazards::bounds::{is_open, needed};
use crate::hazards::dependence::Dependence;
use crate::hazards::wait::mask;
use crate::hazards::walker::Walker;
use alloc::vec::Vec;
use shisa_rows::code::OutOfFuel;

/// The most cycles that one instruction may stall.
const LONGEST: u32 = 15;
/// A barrier is visible from the second cycle.
const VISIBLE: u32 = 2;

/// Stalls until every result of fixed latency is available.
pub(super) fn stall(walker: &mut Walker<'_>) -> Result<(), OutOfFuel> {
    let graph = walker.graph;
    for i in 1..graph.len() {
        let bits = walker.nodes[i - 1].schedule;
        let waits = walker.nodes[i].waits();
        let waited = waits.all | waits.most.map_or(0, |(barrier, _)| mask(Some(barrier)));
        let raised = mask(bits.write_barrier()) | mask(bits.read_barrier());
        if raised & waited != 0 && bits.stall() < VISIBLE {
            walker.set(i - 1, |bits| bits & !15 | VISIBLE);
        }
    }
    for first in 0..graph.len() {
        if walker.nodes[first].is_variable {
            continue;
        }
        let open: Vec<Dependence> =
            walker.walk(first, usize::MAX, |_, d| is_open(graph, d))?.values().copied().collect();
        // Each increase lengthens what follows it, so that later dependences lack less.
        let before = walker.nodes[first].schedule.stall();
        for d in open {
            let needed = needed(graph, &d).enough;
            if d.branched || d.second <= first {
                let grown = walker.nodes[first].schedule.stall() - before;
                let lacks = needed.saturating_sub(d.cycles + grown);
                grow(walker, first, lacks);
            } else {
                straight(walker, first..d.second, needed);
            }
        }
    }
    Ok(())
}

/// Lengthens straight code, as late as possible, and first where no two instructions issue together.
fn straight(walker: &mut Walker<'_>, code: core::ops::Range<usize>, needed: u32) {
    let sum = code.clone().map(|i| walker.nodes[i].schedule.stall()).sum();
    let mut lacks = needed.saturating_sub(sum);
    for pairs in [false, true] {
        for i in code.clone().rev() {
            if lacks > 0 && is_first(&walker.nodes[i]) == pairs {
                lacks -= grow(walker, i, lacks);
            }
        }
    }
}

/// Adds up to `more` stall cycles to an instruction; returns how many. Hardware waits by itself after the control bits
/// [`Schedule::PLAIN`] only, so these stay.
fn grow(walker: &mut Walker<'_>, i: usize, more: u32) -> u32 {
    let bits = walker.nodes[i].schedule;
    let stall = bits.stall();
    let more = if bits == Schedule::PLAIN { 0 } else { more.min(LONGEST - stall) };
    if more > 0 {
        // Two instructions with cycles in between do not issue together.
        walker.set(i, |bits| bits & !31 | (stall + more));
    }
    more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::tests::graph;
    use crate::hazards::PlainControl;

    #[test]
    fn instructions_that_wait_by_themselves_do_not_stall() {
        let graph = graph("MOV R0, R1\nEXIT");
        let mut walker = Walker::new(&graph, PlainControl::Waits, u64::MAX);
        walker.set(0, |_| Schedule::PLAIN.0);
        assert_eq!(grow(&mut walker, 0, 5), 0);
        walker.set(0, |_| Schedule::PLAIN.0 + 1);
        assert_eq!(grow(&mut walker, 0, 5), 5);
    }
}
