//! The instructions of a program as walks see them.

use super::wait::{drain, schedule};
use crate::class::Class;
use crate::code::Graph;
use crate::control::Schedule;
use crate::role::Drain;
use alloc::vec::Vec;

/// What a walk must know about an instruction besides its registers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// Its control bits; those of [`Schedule::PLAIN`] for a word that is not an instruction.
    pub(super) schedule: Schedule,
    /// What it waits for by itself.
    pub(super) drain: Drain,
    /// Its class, if it is an instruction.
    pub(super) class: Option<Class>,
    /// Whether its latency is variable.
    pub(super) is_variable: bool,
    /// Whether all results must be available before it, and all sources read.
    pub(super) needs_all: bool,
    /// Whether the paths of all later walks end here.
    pub(super) settled: bool,
    /// The number of instructions that control comes from.
    pub(super) entries: u32,
}

impl Node {
    /// The barriers that it waits for.
    pub(super) fn waits(&self) -> Drain {
        self.drain.with(self.schedule)
    }
}

/// The nodes of a program: its instructions, and one after them.
pub(super) fn nodes(graph: &Graph) -> Vec<Node> {
    let count = graph.len() + 1;
    let node = |i: usize| {
        let insn = graph.insn(i);
        Node {
            schedule: insn.map_or(Schedule::PLAIN, schedule),
            drain: insn.map_or(Drain::default(), drain),
            class: graph.class(i),
            is_variable: insn.is_some_and(|i| i.form().attr.is_variable(&i.word)),
            needs_all: false,
            settled: false,
            entries: 0,
        }
    };
    let mut nodes: Vec<Node> = (0..count).map(node).collect();
    for from in 0..count {
        for to in graph.next(from) {
            nodes[to].entries += 1;
        }
    }
    nodes
}
