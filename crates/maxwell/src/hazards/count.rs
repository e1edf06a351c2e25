//! How many instructions that raise a barrier may be under way.

use super::walk::{schedule, waits};
use super::{Finding, Graph};
use crate::Maxwell;
use alloc::{vec, vec::Vec};
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::Insn;

/// For each barrier the most that may be under way.
type Counts = [u8; 6];

/// More than `DEPBAR.LE` can name.
const MANY: u8 = 64;

/// `DEPBAR` that waits for nothing: none of its barriers can have more under way than it lets be.
pub(super) fn idle(graph: &Graph, mut found: impl FnMut(Finding)) {
    let depbar = |insn: &Option<Insn<Maxwell>>| insn.as_ref().is_some_and(|i| i.form().name == "DEPBAR");
    if !graph.complete || !graph.insns.iter().any(depbar) {
        return;
    }
    for (i, (insn, before)) in graph.insns.iter().zip(most(graph)).enumerate() {
        let (Some(insn), Some(before)) = (insn.as_ref().filter(|_| depbar(insn)), before) else { continue };
        let (waits, control) = (waits(insn), schedule(insn).wait());
        let open = |b: u32| before.get(b as usize).copied().filter(|_| control >> b & 1 == 0).unwrap_or(0);
        let set = waits.all & !control;
        let useless = waits.most.is_none_or(|(b, left)| open(b) <= left)
            && (0..6).all(|b| set >> b & 1 == 0 || open(b) == 0);
        if useless && (set != 0 || waits.most.is_some()) {
            let text = "this DEPBAR waits for nothing: no more is under way than it lets be";
            let diagnostic = Diagnostic::new(Severity::Note, "maxwell-depbar-idle", text);
            found(Finding { insn: i, other: None, diagnostic });
        }
    }
}

/// What may be under way before each instruction; `None` where no way leads to.
fn most(graph: &Graph) -> Vec<Option<Counts>> {
    let mut before = vec![None::<Counts>; graph.insns.len()];
    let mut open = vec![];
    if let Some(first) = before.first_mut() {
        *first = Some([0; 6]);
        open.push(0);
    }
    // Numbers only grow.
    while let Some(i) = open.pop() {
        let (Some(Some(insn)), Some(Some(counts))) = (graph.insns.get(i), before.get(i).copied()) else {
            continue;
        };
        let after = behind(insn, counts);
        for next in graph.next(i) {
            let Some(entry) = before.get_mut(next) else { continue };
            let joined = match *entry {
                None => after,
                // A loop that raises more in each turn raises any number.
                Some(old) if next <= i => {
                    core::array::from_fn(|b| if after[b] > old[b] { MANY } else { old[b] })
                }
                Some(old) => core::array::from_fn(|b| old[b].max(after[b])),
            };
            if *entry != Some(joined) {
                *entry = Some(joined);
                open.push(next);
            }
        }
    }
    before
}

/// What may be under way behind an instruction.
fn behind(insn: &Insn<Maxwell>, mut counts: Counts) -> Counts {
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
