//! Dependences in code that is taken as correct, for measurements.

use super::Dependence;
use super::walker::Walker;
use crate::PlainControl;
use crate::code::Graph;
use shisa_rows::code::OutOfFuel;

/// All dependences of a program that no barrier protects: those on a fixed latency up to [`super::SURE`] cycles, and
/// on each path the first on a variable latency.
///
/// # Errors
/// [`OutOfFuel`] if that takes more than `fuel` steps.
pub fn dependences(graph: &Graph, fuel: u64, mut found: impl FnMut(Dependence)) -> Result<(), OutOfFuel> {
    let mut walker = Walker::new(graph, PlainControl::Waits, fuel);
    walker.ignore_order();
    for first in 0..graph.len() {
        walker.walk(first, usize::MAX, |_, _| true)?.values().copied().for_each(&mut found);
    }
    Ok(())
}
