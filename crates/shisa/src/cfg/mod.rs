//! The control flow graph of a program, as data and as text.

mod recovered;

pub(crate) use recovered::{Recovered, Temporaries, vectors};

use crate::{Isa, Result};
use serde::Serialize;
use serde::ser::{SerializeStruct, Serializer};
use shisa_diag::{Limit, Limits};
use std::fmt::{self, Write};

/// The graph of a program: blocks of instructions that one lane runs one after the other, and the edges between them.
/// Unreachable instructions are in no block. Instructions of AGAL, PICA200 and AGX that only direct control flow,
/// such as `els` and `eif`, are in no block either; they are edges.
#[derive(Debug)]
pub struct Cfg {
    pub(crate) isa: Isa,
    pub(crate) chip: Option<String>,
    pub(crate) stage: Option<&'static str>,
    /// The text of each instruction.
    pub(crate) texts: Vec<String>,
    /// The offset of each instruction in the file.
    pub(crate) offsets: Vec<usize>,
    pub(crate) flow: Box<dyn Flow>,
    pub(crate) limits: Limits,
}

/// The control flow of a program, and its liveness.
pub(crate) trait Flow: fmt::Debug + Send + Sync {
    /// How many blocks there are.
    fn blocks(&self) -> usize;

    /// The instructions of a block.
    fn instructions(&self, block: usize) -> Vec<usize>;

    /// The edges out of a block.
    fn edges(&self, block: usize) -> Vec<Edge>;

    /// For each of `count` instructions, the registers live after it; `None` for one in no block.
    fn live(&self, count: usize) -> Vec<Option<Vec<String>>>;

    /// Whether all edges are known.
    fn complete(&self) -> bool {
        true
    }
}

/// An edge from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Edge {
    /// Number of the target block.
    pub to: usize,
    /// The outcome of the condition for which the edge is taken; `None` if it is unconditional.
    pub when: Option<bool>,
}

impl Cfg {
    /// For each block the instructions in it, by number from 0. The first block is the entry.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Vec<usize>> + '_ {
        (0..self.flow.blocks()).map(|number| self.flow.instructions(number))
    }

    /// The edges out of a block; none if the program ends there.
    pub fn edges(&self, block: usize) -> Vec<Edge> {
        self.flow.edges(block)
    }

    /// For each instruction the registers that are live after it, such as `ft0.xy`, `R0-R3` or `r4..r6`; `None` for
    /// an instruction that is in no block. In AGAL and PICA200 these are the temporaries, in AGX registers, in
    /// Maxwell general registers, predicates and condition codes.
    pub fn live(&self) -> Vec<Option<Vec<String>>> {
        self.flow.live(self.texts.len())
    }

    /// Whether all edges are known. They are not if a Maxwell branch takes its target from a register.
    pub fn complete(&self) -> bool {
        self.flow.complete()
    }

    /// The graph in Graphviz's language: a box for each block, with a line for each instruction.
    ///
    /// # Errors
    /// `limit-exceeded` if it is longer than [`shisa_diag::Limits::text_out`].
    pub fn dot(&self) -> Result<String> {
        let texts = &self.texts;
        let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
        for (number, instructions) in self.blocks().enumerate() {
            let line = |i: &usize| texts.get(*i).map(|t| shisa_diag::in_quotes(t));
            let mut label: String = instructions.iter().filter_map(line).map(|t| t + "\\l").collect();
            if label.is_empty() {
                label.push_str("(nothing)");
            }
            // Writing to a string does not fail.
            let _ = writeln!(out, "  b{number} [label=\"{label}\"];");
            for edge in self.edges(number) {
                let when = edge.when.map_or(String::new(), |w| format!(" [label={w}]"));
                let _ = writeln!(out, "  b{number} -> b{}{when};", edge.to);
            }
            self.limits.check(Limit::TextOut, "bytes of text", out.len())?;
        }
        out.push_str("}\n");
        self.limits.check(Limit::TextOut, "bytes of text", out.len())?;
        Ok(out)
    }
}

/// As JSON, the graph is `blocks` with their `instructions` (`offset` in the program and `text`) and their `edges`
/// (`to` a block, `when` the condition is `true`, `false`, or `null` without one), and whether all
/// edges are known (`complete`).
impl Serialize for Cfg {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let mut out = to.serialize_struct("Cfg", 6)?;
        out.serialize_field("version", &1)?;
        out.serialize_field("isa", &self.isa)?;
        out.serialize_field("chip", &self.chip)?;
        out.serialize_field("stage", &self.stage)?;
        out.serialize_field("complete", &self.complete())?;
        out.serialize_field("blocks", &Blocks(self))?;
        out.end()
    }
}

/// The blocks of a graph.
struct Blocks<'c>(&'c Cfg);

impl Serialize for Blocks<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        let Blocks(cfg) = *self;
        let instruction = |i: usize| Some(Line { offset: *cfg.offsets.get(i)?, text: cfg.texts.get(i)? });
        to.collect_seq(cfg.blocks().enumerate().map(|(number, instructions)| Block {
            instructions: instructions.into_iter().filter_map(instruction).collect(),
            edges: cfg.edges(number),
        }))
    }
}

/// A block with its edges.
#[derive(Serialize)]
struct Block<'c> {
    instructions: Vec<Line<'c>>,
    edges: Vec<Edge>,
}

/// An instruction of a block.
#[derive(Serialize)]
struct Line<'c> {
    offset: usize,
    text: &'c str,
}
