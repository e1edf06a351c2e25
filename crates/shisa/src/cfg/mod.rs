//! The control flow graph of a program, for people and machines.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
pub(crate) mod agx;
#[cfg(feature = "maxwell")]
pub(crate) mod maxwell;
#[cfg(feature = "pica200")]
mod pica200;
#[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
mod recovered;

#[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
pub(crate) use recovered::{Naming, Recovered, Temporaries, Units};

use crate::{Isa, Listing, Result, Settings, text};
use serde_json::{Value, json};
use shisa_diag::Limit;
use std::fmt::Write;

/// The graph of a program: blocks of instructions that one lane runs one after the other, and the ways between
/// them. Instructions that no lane reaches stand in no block; nor do those of AGAL, PICA200 and AGX that only say
/// where lanes go, such as `els` and `eif`, which are ways.
#[derive(Clone, Debug, PartialEq)]
pub struct Cfg {
    pub(crate) isa: Isa,
    pub(crate) chip: Option<String>,
    pub(crate) stage: Option<&'static str>,
    /// The text of each instruction.
    pub(crate) texts: Vec<String>,
    /// Where each instruction lies in the file.
    pub(crate) offsets: Vec<usize>,
    pub(crate) code: Code,
}

/// Where the graph comes from.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Code {
    /// What a program was lifted to.
    #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
    Recovered(Recovered),
    /// The words of a program.
    #[cfg(feature = "maxwell")]
    Maxwell(maxwell::Graph),
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
        if settings.isa.is_none() && shisa_swf::sniff(bytes) {
            let program = crate::container::program(bytes, listing.program.unwrap_or(1), settings)?;
            return agal::graph(&program, settings);
        }
        match text::isa(bytes, settings)? {
            #[cfg(feature = "agal")]
            Isa::Agal => {
                crate::program::only(listing.program)?;
                agal::graph(bytes, settings)
            }
            #[cfg(feature = "pica200")]
            Isa::Pica200 => pica200::graph(bytes, listing, settings),
            #[cfg(feature = "maxwell")]
            Isa::Maxwell => maxwell::graph(bytes, listing, settings),
            #[cfg(feature = "agx")]
            Isa::Agx => agx::graph(bytes, listing, settings),
        }
    }

    /// For each block the instructions in it, by number from 0. The first block is the entry.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = Vec<usize>> + '_ {
        (0..self.code.len()).map(|number| match &self.code {
            #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
            Code::Recovered(recovered) => recovered.instructions(number),
            #[cfg(feature = "maxwell")]
            Code::Maxwell(graph) => graph.instructions(number),
        })
    }

    /// The ways out of a block; none where the program ends.
    pub fn ways(&self, block: usize) -> Vec<Way> {
        match &self.code {
            #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
            Code::Recovered(recovered) => recovered.ways(block),
            #[cfg(feature = "maxwell")]
            Code::Maxwell(graph) => graph.ways(block),
        }
    }

    /// For each instruction the registers that are read behind it before they are written again, such as
    /// `ft0.xy`, `R0-R3` or `r4..r6`; `None` for an instruction that stands in no block. Of AGAL and PICA200 these
    /// are the temporaries, of AGX registers, of Maxwell general registers, predicates and condition codes.
    pub fn live(&self) -> Vec<Option<Vec<String>>> {
        match &self.code {
            #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
            Code::Recovered(recovered) => recovered.live(self.texts.len()),
            #[cfg(feature = "maxwell")]
            Code::Maxwell(graph) => graph.live(),
        }
    }

    /// Whether all ways are known: no branch of Maxwell goes where a register tells.
    pub fn complete(&self) -> bool {
        match &self.code {
            #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
            Code::Recovered(_) => true,
            #[cfg(feature = "maxwell")]
            Code::Maxwell(graph) => graph.complete(),
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
    /// their `ways` (`to` a block, `when` the condition is `true`, `false`, or `null` without one), and whether
    /// that is all ways (`complete`).
    pub fn json(&self) -> Value {
        let instruction =
            |i: usize| Some(json!({ "offset": self.offsets.get(i)?, "text": self.texts.get(i)? }));
        let block = |(number, instructions): (usize, Vec<usize>)| {
            let list: Vec<Value> = instructions.into_iter().filter_map(instruction).collect();
            let way = |w: Way| json!({ "to": w.to, "when": w.when });
            let ways: Vec<Value> = self.ways(number).into_iter().map(way).collect();
            json!({ "instructions": list, "ways": ways })
        };
        let blocks: Vec<Value> = self.blocks().enumerate().map(block).collect();
        json!({
            "version": 1, "isa": self.isa, "chip": self.chip, "stage": self.stage, "complete": self.complete(),
            "blocks": blocks,
        })
    }
}

impl Code {
    /// How many blocks there are.
    fn len(&self) -> usize {
        match self {
            #[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
            Code::Recovered(recovered) => recovered.func.blocks.len(),
            #[cfg(feature = "maxwell")]
            Code::Maxwell(graph) => graph.len(),
        }
    }
}
