//! Graphs of Maxwell, from its instruction words.

use super::file::chip;
use super::instructions::text;

use crate::cfg::{Cfg, Edge, Flow};
use crate::{Isa, Result, Settings};
use shisa_maxwell::code::{self, Block, outputs};
use shisa_maxwell::container::Image;
use shisa_maxwell::{Chip, Ctx, Set, bundle};

/// The code model of a program, with its liveness.
#[derive(Debug)]
pub(super) struct Graph {
    blocks: Vec<Block>,
    complete: bool,
    /// The registers live after each instruction.
    live: Vec<Set>,
}

/// The graph of a program of a file.
///
/// # Errors
/// `no-program`.
pub(super) fn graph(image: &Image<'_>, index: usize, settings: &Settings) -> Result<Cfg> {
    let chip = chip(image, index, settings);
    let program = image.program(index)?;
    let words: Vec<u128> = words(image.code(index)).collect();
    let start = program.code.start;
    let address = |i: usize| bundle::address(i as u32);
    let texts =
        words.iter().enumerate().map(|(i, word)| text(*word, Ctx { pc: address(i), chip, ..Ctx::default() }));
    Ok(Cfg {
        isa: Isa::Maxwell,
        chip: Some(chip.to_string()),
        stage: program.stage.map(|s| s.name()),
        texts: texts.collect(),
        offsets: (0..words.len()).map(|i| start + address(i) as usize).collect(),
        flow: Box::new(Graph::new(image, index, chip)?),
        limits: settings.limits.clone(),
    })
}

/// The instruction words of code.
fn words(code: &[u8]) -> impl Iterator<Item = u128> {
    code.chunks_exact(bundle::BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b)))
}

impl Graph {
    /// The graph of a program of a file.
    ///
    /// # Errors
    /// `no-program`.
    pub(super) fn new(image: &Image<'_>, index: usize, chip: Chip) -> Result<Graph> {
        let words: Vec<u128> = words(image.code(index)).collect();
        let graph = code::Graph::new(&words, &image.program(index)?.targets, Ctx { chip, ..Ctx::default() });
        let blocks = graph.blocks();
        let end = image.header(index).map_or(Set::default(), |h| outputs(&h));
        let live = code::live(&graph, &blocks, &end);
        Ok(Graph { blocks, complete: graph.is_complete(), live })
    }

    /// Whether the program can reach each instruction.
    pub(super) fn reached(&self) -> Vec<bool> {
        let mut reached = vec![false; self.live.len()];
        for i in self.blocks.iter().flat_map(|b| b.insns.clone()) {
            if let Some(entry) = reached.get_mut(i) {
                *entry = true;
            }
        }
        reached
    }

    /// The registers live after each instruction; `None` for an unreachable one.
    pub(super) fn all_live(&self) -> Vec<Option<Vec<String>>> {
        let mut all = vec![None; self.live.len()];
        for i in self.blocks.iter().flat_map(|b| b.insns.clone()) {
            if let (Some(entry), Some(set)) = (all.get_mut(i), self.live.get(i)) {
                *entry = Some(set.runs());
            }
        }
        all
    }
}

impl Flow for Graph {
    fn blocks(&self) -> usize {
        self.blocks.len()
    }

    fn instructions(&self, block: usize) -> Vec<usize> {
        self.blocks.get(block).map_or(Vec::new(), |b| b.insns.clone().collect())
    }

    fn edges(&self, block: usize) -> Vec<Edge> {
        let ways = self.blocks.get(block).map_or(&[][..], |b| &b.ways);
        ways.iter().map(|w| Edge { to: w.to, when: w.when }).collect()
    }

    fn live(&self, _: usize) -> Vec<Option<Vec<String>>> {
        self.all_live()
    }

    fn complete(&self) -> bool {
        self.complete
    }
}
