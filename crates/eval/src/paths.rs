//! Successions of instructions, in runs of the evaluator and in the recovered graph.

use crate::observer::Observer;
use crate::position::Position;
use crate::wave::{Plane, each};
use shisa_ir::{Func, Lanes, Lifted, Reg, WAVE};
use std::collections::BTreeSet;

/// Pairs of instructions (indices among the program's steps) that follow each other in some lane. Instructions without
/// operations, and those that inactive lanes also run, are ignored.
#[derive(Clone, Debug)]
pub struct Paths {
    counted: Vec<bool>,
    last: [Option<u32>; WAVE],
    taken: BTreeSet<(u32, u32)>,
}

impl Paths {
    /// An observer for runs of this program.
    pub fn new(lifted: &Lifted) -> Self {
        Paths { counted: counted(lifted), last: [None; WAVE], taken: BTreeSet::new() }
    }

    /// The observed pairs.
    pub fn taken(&self) -> &BTreeSet<(u32, u32)> {
        &self.taken
    }

    /// Starts another wave.
    pub fn restart(&mut self) {
        self.last = [None; WAVE];
    }
}

impl<T> Observer<T> for Paths {
    fn wave(&mut self, _: &[Option<usize>]) {
        self.restart();
    }

    fn step(&mut self, index: usize, active: Lanes, _: &Position<T>) {
        if !self.counted.get(index).is_some_and(|c| *c) {
            return;
        }
        for lane in each(active) {
            if let Some(last) = self.last[lane].replace(index as u32) {
                self.taken.insert((last, index as u32));
            }
        }
    }

    fn write(&mut self, _: Reg, _: Lanes, _: &Plane, _: &Plane) {}
}

fn counted(lifted: &Lifted) -> Vec<bool> {
    lifted.steps.iter().chain(&lifted.implied).map(|s| !s.nodes.is_empty() && !s.whole_wave).collect()
}

/// The pairs in the graph that recovery made of `lifted`. Every pair of [`Paths::taken`] must be among them.
pub fn recovered(lifted: &Lifted, func: &Func) -> BTreeSet<(u32, u32)> {
    let counted = counted(lifted);
    let runs: Vec<Vec<u32>> = func
        .blocks
        .iter()
        .map(|b| {
            let origins = b.body.iter().filter_map(|v| func.nodes.list.get(v.index())).map(|n| n.origin);
            let mut run: Vec<u32> =
                origins.filter(|o| counted.get(*o as usize).is_some_and(|c| *c)).collect();
            run.dedup();
            run
        })
        .collect();
    let mut pairs: BTreeSet<(u32, u32)> =
        runs.iter().flat_map(|r| r.windows(2)).map(|w| (w[0], w[1])).collect();
    for (i, run) in runs.iter().enumerate() {
        let Some(&last) = run.last() else { continue };
        let mut seen = BTreeSet::new();
        let mut todo: Vec<usize> = func.blocks[i].end.edges().map(|e| e.to.index()).collect();
        while let Some(b) = todo.pop() {
            match runs.get(b).map(|r| r.first()) {
                Some(Some(&first)) => {
                    pairs.insert((last, first));
                }
                Some(None) if seen.insert(b) => {
                    todo.extend(func.blocks[b].end.edges().map(|e| e.to.index()));
                }
                _ => {}
            }
        }
    }
    pairs
}
