//! Counts the instructions in progress that raise a barrier.

use super::finding::Finding;
use super::wait::{schedule, waits};
use crate::Maxwell;
use crate::code::Graph;
use crate::role::Role;
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::Insn;
use shisa_rows::code::{Analysis, Direction, solve};

/// For each barrier the largest number that may be in progress.
type Counts = [u8; 6];

/// More than `DEPBAR.LE` can name.
const MANY: u8 = 64;

/// Instructions that wait for nothing: none of their barriers can have more in progress than they allow.
pub(super) fn idle(graph: &Graph, mut found: impl FnMut(Finding)) {
    let drains = |insn: &Insn<Maxwell>| matches!(insn.form().attr.role, Role::Drain(_));
    if !graph.is_complete() || !graph.insns().any(|(_, insn)| drains(insn)) {
        return;
    }
    // A count increases at most once for each possible number, and loops skip to the last.
    let fuel = graph.len() as u64 * 6 * (u64::from(MANY) + 1);
    let counts = &mut Counting { graph, back: false };
    let Ok(most) = solve(&graph.edges, Direction::Forwards, [(0, [0; 6])], counts, fuel) else { return };
    for ((i, insn), before) in graph.insns().filter(|(_, insn)| drains(insn)).map(|of| (of, most.get(of.0))) {
        let Some(Some(before)) = before else { continue };
        let (waits, control) = (waits(insn), schedule(insn).wait());
        let open = |b: u32| before.get(b as usize).copied().filter(|_| control >> b & 1 == 0).unwrap_or(0);
        let set = waits.all & !control;
        let useless =
            waits.most.is_none_or(|(b, _)| open(b) == 0) && (0..6).all(|b| set >> b & 1 == 0 || open(b) == 0);
        if useless && (set != 0 || waits.most.is_some()) {
            let text = "this DEPBAR waits for nothing: nothing that raises its barriers is in progress";
            let diagnostic = Diagnostic::new(Severity::Note, "maxwell-depbar-idle", text);
            found(Finding { insn: i, other: None, diagnostic });
        }
    }
}

/// The analysis of the largest number of instructions in progress before each instruction.
struct Counting<'a> {
    graph: &'a Graph,
    /// Whether the current edge goes back.
    back: bool,
}

impl Analysis for Counting<'_> {
    type State = Counts;

    fn pass(&mut self, at: usize, counts: &Counts) -> Counts {
        self.graph.insn(at).map_or(*counts, |insn| after(insn, *counts))
    }

    fn along(&mut self, from: usize, to: usize, counts: &Counts) -> Counts {
        self.back = to <= from;
        *counts
    }

    fn join(&mut self, _: usize, counts: &mut Counts, other: &Counts) -> bool {
        let old = *counts;
        for (count, other) in counts.iter_mut().zip(other) {
            // A loop that raises more in each iteration may have any number in progress.
            *count = if self.back && other > count { MANY } else { (*count).max(*other) };
        }
        *counts != old
    }
}

/// The numbers in progress after an instruction.
fn after(insn: &Insn<Maxwell>, mut counts: Counts) -> Counts {
    let (waits, bits) = (waits(insn), schedule(insn));
    for (b, count) in (0..).zip(&mut counts) {
        if waits.all >> b & 1 != 0 {
            *count = 0;
        }
        if let Some((_, left)) = waits.most.filter(|(barrier, _)| *barrier == b) {
            *count = left.min(*count);
        }
        let raises = [bits.write_barrier(), bits.read_barrier()].iter().filter(|r| **r == Some(b)).count();
        *count = MANY.min(*count + raises as u8);
    }
    counts
}
