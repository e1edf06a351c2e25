//! The control flow graph of a program, for people and machines.

use crate::{Listing, Result, Settings, identify::not_recognised, lower};
use serde_json::{Value, json};
use shisa_agal::Program;
use shisa_diag::Limit;
use shisa_ir::{Block, End, Func};
use std::{borrow::Cow, fmt::Write};

/// The graph that is recovered from a program: blocks of instructions that one lane runs one after the
/// other, and the ways between them. Instructions that only say where lanes go, such as `els` and `eif`,
/// are ways and stand in no block; those that no lane reaches stand in none either.
#[derive(Clone, Debug, PartialEq)]
pub struct Cfg {
    pub(crate) program: Program,
    pub(crate) func: Func,
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
    /// Recovers the graph of a program; of a SWF, of the one that the listing asks for, else the first.
    ///
    /// # Errors
    /// As [`crate::disassemble`]; also what lifting and recovery refuse.
    pub fn new(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
        let bytes = match listing.isa {
            None => crate::program(bytes, listing.program, settings)?,
            Some(_) => Cow::Borrowed(bytes),
        };
        if listing.isa.is_none() && !Program::sniff(&bytes) {
            return Err(not_recognised());
        }
        let program = Program::read(&bytes, &settings.limits)?;
        let lifted = shisa_agal::lift(&program, &settings.agal)?;
        let func = lower::recover(&program, &lifted, settings)?;
        Ok(Cfg { program, func })
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
        let texts = lower::texts(&self.program);
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
        let texts = lower::texts(&self.program);
        let instruction =
            |i: usize| Some(json!({ "offset": Program::token_span(i).start, "text": texts.get(i)? }));
        let block = |(number, instructions): (usize, Vec<usize>)| {
            let list: Vec<Value> = instructions.into_iter().filter_map(instruction).collect();
            let way = |w: Way| json!({ "to": w.to, "when": w.when });
            let ways: Vec<Value> = self.ways(number).into_iter().map(way).collect();
            json!({ "instructions": list, "ways": ways })
        };
        let blocks: Vec<Value> = self.blocks().enumerate().map(block).collect();
        let (chip, stage) = (self.program.version.to_string(), self.program.stage.name());
        json!({ "version": 1, "isa": "agal", "chip": chip, "stage": stage, "blocks": blocks })
    }
}
