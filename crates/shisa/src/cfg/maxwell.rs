//! Graphs of Maxwell, from its words.

use super::{Cfg, Code, Way};
use crate::text::maxwell::{chip, image, index, text};
use crate::{Isa, Listing, Result, Settings};
use shisa_maxwell::container::Image;
use shisa_maxwell::hazards::{self, Block, Set, outputs};
use shisa_maxwell::{Chip, Ctx, bundle};

/// What is known of a program's ways.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Graph {
    blocks: Vec<Block>,
    complete: bool,
    /// What is live behind each instruction.
    live: Vec<Set>,
}

pub(super) fn graph(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Cfg> {
    let image = image(bytes, settings.isa, listing.maxwell.nvn, &settings.limits)?;
    let index = index(&image, listing.program.unwrap_or(1))?;
    let program = image.programs.get(index);
    let chip = chip(&image, index, &listing.maxwell);
    let words: Vec<u128> = words(image.code(index)).collect();
    let start = program.map_or(0, |p| p.code.start);
    let address = |i: usize| bundle::address(i as u32);
    let texts =
        words.iter().enumerate().map(|(i, word)| text(*word, Ctx { pc: address(i), chip, ..Ctx::default() }));
    Ok(Cfg {
        isa: Isa::Maxwell,
        chip: Some(chip.to_string()),
        stage: program.and_then(|p| p.stage).map(|s| s.name()),
        texts: texts.collect(),
        offsets: (0..words.len()).map(|i| start + address(i) as usize).collect(),
        code: Code::Maxwell(Graph::new(&image, index, chip)),
    })
}

/// The words of code.
fn words(code: &[u8]) -> impl Iterator<Item = u128> {
    code.chunks_exact(bundle::BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b)))
}

impl Graph {
    /// The graph of a program of a file.
    pub(crate) fn new(image: &Image<'_>, index: usize, chip: Chip) -> Graph {
        let words: Vec<u128> = words(image.code(index)).collect();
        let targets = image.programs.get(index).map(|p| p.targets.clone()).unwrap_or_default();
        let graph = hazards::Graph::new(&words, &targets, Ctx { chip, ..Ctx::default() });
        let blocks = graph.blocks();
        let end = image.header(index).map_or(Set::default(), |h| outputs(&h));
        let live = hazards::live(&graph, &blocks, &end);
        Graph { blocks, complete: graph.complete, live }
    }

    pub(super) fn len(&self) -> usize {
        self.blocks.len()
    }

    pub(super) fn complete(&self) -> bool {
        self.complete
    }

    pub(super) fn instructions(&self, number: usize) -> Vec<usize> {
        self.blocks.get(number).map_or(Vec::new(), |b| b.insns.clone().collect())
    }

    pub(super) fn ways(&self, number: usize) -> Vec<Way> {
        let ways = self.blocks.get(number).map_or(&[][..], |b| &b.ways);
        ways.iter().map(|w| Way { to: w.to, when: w.when }).collect()
    }

    pub(crate) fn live(&self) -> Vec<Option<Vec<String>>> {
        let mut all = vec![None; self.live.len()];
        for i in self.blocks.iter().flat_map(|b| b.insns.clone()) {
            if let (Some(entry), Some(set)) = (all.get_mut(i), self.live.get(i)) {
                *entry = Some(set.runs());
            }
        }
        all
    }
}
