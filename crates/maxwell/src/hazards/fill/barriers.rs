//! Barriers of results of variable latency and of their sources, and the waits for them.

use super::together;
use crate::control::Schedule;
use crate::hazards::ahead::Firsts;
use crate::hazards::bounds::is_open;
use crate::hazards::dependence::{Dependence, Kind};
use crate::hazards::node::Node;
use crate::hazards::wait::BARRIERS;
use crate::hazards::walker::Walker;
use alloc::{vec, vec::Vec};
use shisa_rows::code::OutOfFuel;

/// The instructions that first need something of an instruction: as far as code goes forward, the nearest.
#[derive(Clone, Copy, Debug, Default)]
struct Needs {
    result: Option<usize>,
    sources: Option<usize>,
}

/// Assigns barriers to instructions that need one, and lets those wait that need it.
pub(super) fn assign(walker: &mut Walker<'_>) -> Result<(), OutOfFuel> {
    let graph = walker.graph;
    let slow: Vec<usize> = (0..graph.len()).filter(|i| walker.nodes[*i].is_variable).collect();
    let needs = needs(walker, &slow)?;
    // The instruction until which each barrier is in use.
    let mut taken = [0usize; BARRIERS];
    for (i, needs) in slow.iter().zip(needs) {
        // The barrier of the result signals the sources, too, if it is needed sooner.
        let covered = matches!((needs.result, needs.sources), (Some(r), Some(s)) if r <= s && r > *i);
        let sources = needs.sources.filter(|_| !covered);
        for (until, lo) in [(needs.result, Schedule::WRITE), (sources, Schedule::READ)] {
            let Some(until) = until else { continue };
            let free = (0..BARRIERS).find(|b| taken[*b] <= *i);
            let barrier = free.or_else(|| (0..BARRIERS).min_by_key(|b| taken[*b])).unwrap_or(0);
            taken[barrier] = taken[barrier].max(if until > *i { until } else { usize::MAX });
            walker.set(*i, |bits| bits & !(7 << lo) | (barrier as u32) << lo);
        }
    }
    let slow: Vec<(Firsts, usize)> =
        walker.by_kind(slow).into_iter().map(|i| (walker.firsts(i), i)).collect();
    for run in slow.chunk_by(|a, b| a.0 == b.0) {
        let mut left = ANYWHERE.max(EACH * graph.len() as u64);
        for (n, (kind, i)) in run.iter().enumerate() {
            if left == 0 && kind.written.is_some() {
                let rest: Vec<usize> = run.iter().skip(n).map(|(_, i)| *i).collect();
                together::wait(walker, *kind, &rest)?;
                break;
            }
            let mut steps = u64::MAX;
            walker.walk_near(*i, usize::MAX, &mut steps, |nodes, d| {
                let open = is_open(graph, d);
                if open {
                    wait(nodes, d);
                }
                open
            })?;
            left = left.saturating_sub(u64::MAX - steps);
        }
    }
    Ok(())
}

/// After how many dependences the search for the nearest one ends.
const MOST: usize = 2;
/// After how many steps it ends: what is needed later is needed far away.
const NEAR: u64 = 256;
/// How many steps all searches take for each instruction of the program before they end sooner, and then how many each.
const TOGETHER: u64 = 24;
const NEAREST: u64 = 16;

/// How many steps walks from the instructions of one kind take for each instruction of the program, and in any program,
/// before the others of the kind are waited for together.
const EACH: u64 = 2;
const ANYWHERE: u64 = 1 << 16;

/// Without any barrier: what needs the instructions.
fn needs(walker: &mut Walker<'_>, slow: &[usize]) -> Result<Vec<Needs>, OutOfFuel> {
    let graph = walker.graph;
    let mut all = vec![Needs::default(); graph.len()];
    let mut left = TOGETHER * graph.len() as u64;
    for i in walker.by_kind(slow.iter().copied()) {
        let Some(needs) = all.get_mut(i) else { continue };
        // Backward paths count as far.
        let far = |second: usize| if second > i { second } else { usize::MAX };
        let most = NEAR.min(left).max(NEAREST);
        let mut steps = most;
        let (met, pending) = walker.walk_near(i, MOST, &mut steps, |_, d| is_open(graph, d))?;
        left = left.saturating_sub(most - steps);
        for d in met.values() {
            let nearest = if d.kind == Kind::Source { &mut needs.sources } else { &mut needs.result };
            if nearest.is_none_or(|old| far(d.second) < far(old)) {
                *nearest = Some(d.second);
            }
        }
        for (nearest, pending) in [&mut needs.result, &mut needs.sources].into_iter().zip(pending) {
            if pending && nearest.is_none() {
                *nearest = Some(graph.len());
            }
        }
    }
    Ok(slow.iter().filter_map(|i| all.get(*i).copied()).collect())
}

/// Makes the second of two instructions wait for the first.
fn wait(nodes: &mut [Node], d: &Dependence) {
    let Some(first) = nodes.get(d.first) else { return };
    let bits = first.schedule;
    let barrier = match d.kind {
        Kind::Source => bits.read_barrier().or(bits.write_barrier()),
        Kind::Read | Kind::Overwrite => bits.write_barrier(),
    };
    match (barrier, nodes.get_mut(d.second)) {
        (Some(barrier), Some(second)) => second.schedule.0 |= Schedule::waiting(barrier),
        // Without a barrier hardware waits by itself.
        _ => nodes[d.first].schedule = Schedule::PLAIN,
    }
}
