//! The control flow graph of a program, for people and machines.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "pica200")]
mod pica200;

use crate::{Isa, Listing, Result, Settings, text};
use serde_json::{Value, json};
use shisa_diag::Limit;
use shisa_ir::{Block, End, FileId, Func, Stage};
use std::fmt::Write;

/// The graph that is recovered from a program: blocks of instructions that one lane runs one after the
/// other, and the ways between them. Instructions that only say where lanes go, such as `els` and `eif`,
/// are ways and stand in no block; those that no lane reaches stand in none either.
#[derive(Clone, Debug, PartialEq)]
pub struct Cfg {
    pub(crate) isa: Isa,
    pub(crate) chip: Option<String>,
    pub(crate) stage: Stage,
    /// The text of each instruction.
    pub(crate) texts: Vec<String>,
    /// Where the first instruction lies in the file, and how many bytes each has.
    pub(crate) place: (usize, usize),
    pub(crate) temporaries: Temporaries,
    pub(crate) func: Func,
}

/// The registers that a program keeps its own values in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Temporaries {
    pub(crate) file: FileId,
    pub(crate) name: &'static str,
    /// Registers of four components, at most 32.
    pub(crate) count: u32,
}

/// A way from a block to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Way {
    /// Number of the block that it leads to.
    pub to: usize,
    /// The outcome of the condition with which it is taken; `None` where there is no condition.
    pub when: Option<bool>,
}

impl Cfg {
    /// Recovers the graph of a program; of a file that holds several, of the one that the listing asks
    /// for, else the first.
    ///
    /// # Errors
    /// As [`crate::disassemble`]; also what lifting and recovery refuse.
    pub fn new(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
        #[cfg(feature = "swf")]
        if listing.isa.is_none() && shisa_swf::sniff(bytes) {
            let program = crate::container::program(bytes, listing.program.unwrap_or(1), settings)?;
            return agal::graph(&program, settings);
        }
        match text::isa(bytes, listing, &settings.limits)? {
            #[cfg(feature = "agal")]
            Isa::Agal => {
                crate::program::only(listing.program)?;
                agal::graph(bytes, settings)
            }
            #[cfg(feature = "pica200")]
            Isa::Pica200 => pica200::graph(bytes, listing, settings),
            #[cfg(feature = "maxwell")]
            Isa::Maxwell => Err(crate::identify::not_built("the graph of Maxwell code")),
            #[cfg(feature = "agx")]
            Isa::Agx => Err(crate::identify::not_built("the graph of AGX code")),
        }
    }

    /// For each block the instructions in it, by number from 0. The first block is the entry.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Vec<usize>> + '_ {
        let instructions = |block: &Block| {
            let nodes = block.body.iter().filter_map(|v| self.func.nodes.list.get(v.index()));
            let mut list: Vec<usize> = nodes.map(|n| n.origin as usize).collect();
            list.dedup();
            list
        };
        self.func.blocks.iter().map(instructions)
    }

    /// The ways out of a block; none where the program ends.
    pub fn ways(&self, block: usize) -> Vec<Way> {
        match self.func.blocks.get(block).map(|b| &b.end) {
            None | Some(End::Exit) => Vec::new(),
            Some(End::Jump(edge)) => vec![Way { to: edge.to.index(), when: None }],
            Some(End::Branch { yes, no, .. }) => vec![
                Way { to: yes.to.index(), when: Some(true) },
                Way { to: no.to.index(), when: Some(false) },
            ],
        }
    }

    /// The graph in Graphviz's language: a box for each block, a line in it for each instruction.
    ///
    /// # Errors
    /// `limit-exceeded` when it is longer than [`shisa_diag::Limits::text_out`].
    pub fn dot(&self, settings: &Settings) -> Result<String> {
        let texts = &self.texts;
        let mut out = String::from("digraph program {\n  node [shape=box, fontname=monospace];\n");
        for (number, instructions) in self.blocks().enumerate() {
            let line = |i: &usize| texts.get(*i).map(|t| t.replace('\\', "\\\\").replace('"', "\\\""));
            let mut label: String = instructions.iter().filter_map(line).map(|t| t + "\\l").collect();
            if label.is_empty() {
                label.push_str("(nothing)");
            }
            // Writing to a string does not fail.
            let _ = writeln!(out, "  b{number} [label=\"{label}\"];");
            for way in self.ways(number) {
                let when = way.when.map_or(String::new(), |w| format!(" [label={w}]"));
                let _ = writeln!(out, "  b{number} -> b{}{when};", way.to);
            }
            settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
        }
        out.push_str("}\n");
        settings.limits.check(Limit::TextOut, "bytes of text", out.len())?;
        Ok(out)
    }

    /// The graph as JSON: `blocks` with their `instructions` (`offset` in the program and `text`) and
    /// their `ways` (`to` a block, `when` the condition is `true`, `false`, or `null` without one).
    pub fn json(&self) -> Value {
        let (start, bytes) = self.place;
        let instruction = |i: usize| Some(json!({ "offset": start + bytes * i, "text": self.texts.get(i)? }));
        let block = |(number, instructions): (usize, Vec<usize>)| {
            let list: Vec<Value> = instructions.into_iter().filter_map(instruction).collect();
            let way = |w: Way| json!({ "to": w.to, "when": w.when });
            let ways: Vec<Value> = self.ways(number).into_iter().map(way).collect();
            json!({ "instructions": list, "ways": ways })
        };
        let blocks: Vec<Value> = self.blocks().enumerate().map(block).collect();
        json!({
            "version": 1, "isa": self.isa, "chip": self.chip, "stage": self.stage.name(), "blocks": blocks,
        })
    }
}
