//! Which registers hold what is still needed.

use super::{Block, Graph, Set};
use crate::container::Sph;
use crate::flow::{Flow, Mark, flow};
use crate::{REGISTERS, ShaderStage, bundle, guard};
use alloc::{vec, vec::Vec};

/// Render targets.
const TARGETS: u16 = 8;

/// The registers that the machine reads where a program with this header ends: colours, mask of samples and depth
/// of a pixel program, the state of emission of a geometry program.
pub fn outputs(header: &Sph) -> Set {
    let mut all = Set::default();
    if header.stage() == Some(ShaderStage::Geometry) && header.get("IsFastGs") == Some(0) {
        all.insert(REGISTERS, 0, 1);
    }
    pixel_outputs(header).fold(all, |all, (_, set)| all.or(&set))
}

/// Those of a pixel program: the field of the header that asks for them, for each render target by itself.
pub(crate) fn pixel_outputs(header: &Sph) -> impl Iterator<Item = (&'static str, Set)> {
    let get = |name: &str| header.get(name).unwrap_or(0) as usize;
    let pixel = header.stage() == Some(ShaderStage::Fragment);
    let mut first = 0;
    let target = |number: u16| {
        let count = header.element("OmapTarget", number).map_or(0, |c| c.count_ones() as usize);
        first += count;
        ("OmapTarget", first - count, count)
    };
    let mut parts: Vec<_> = (0..TARGETS).map(target).collect();
    // The register of the mask stays free without one.
    parts.extend([
        ("OmapSampleMask", first, get("OmapSampleMask")),
        ("OmapDepth", first + 1, get("OmapDepth")),
    ]);
    parts.into_iter().filter(move |(_, _, count)| pixel && *count > 0).map(|(field, first, count)| {
        let mut set = Set::default();
        set.insert(REGISTERS, first, count);
        (field, set)
    })
}

/// For each instruction the registers that are read behind it before they are written again; nothing for those that
/// stand in no block. `end` are those that are read where the program ends. Where control goes to a place that is
/// not known, all that the program names may be read.
pub fn live(graph: &Graph, blocks: &[Block], end: &Set) -> Vec<Set> {
    let any = graph.effects.iter().fold(Set::default(), |all, e| all.or(&e.reads).or(&e.writes));
    let ends: Vec<Set> = blocks.iter().map(|b| behind(graph, b, end, &any)).collect();
    let mut before = vec![Set::default(); blocks.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); blocks.len()];
    for (number, block) in blocks.iter().enumerate() {
        for way in &block.ways {
            if let Some(list) = users.get_mut(way.to) {
                list.push(number);
            }
        }
    }
    let after = |number: usize, before: &[Set]| {
        let ways = &blocks[number].ways;
        ways.iter().filter_map(|w| before.get(w.to)).fold(ends[number], |all, set| all.or(set))
    };
    // Sets only grow, so this ends.
    let mut open: Vec<usize> = (0..blocks.len()).collect();
    while let Some(number) = open.pop() {
        let set = walk(graph, &blocks[number], after(number, &before), |_, _| ());
        if set != before[number] {
            before[number] = set;
            open.extend(&users[number]);
        }
    }
    let mut all = vec![Set::default(); graph.insns.len()];
    for (number, block) in blocks.iter().enumerate() {
        walk(graph, block, after(number, &before), |i, set| {
            if let Some(entry) = all.get_mut(i) {
                *entry = set;
            }
        });
    }
    all
}

/// What is read behind a block besides what the blocks read that it leads to.
fn behind(graph: &Graph, block: &Block, end: &Set, any: &Set) -> Set {
    let last = block.insns.end.saturating_sub(1);
    let Some(Some(insn)) = graph.insns.get(last) else { return Set::default() };
    match flow(insn, bundle::address(last as u32)) {
        Flow::Pop(Mark::Exit) => *end,
        // Who calls a function reads what nobody here knows.
        Flow::Pop(Mark::Return) if graph.next(last).all(|n| n == last + 1) => *any,
        Flow::Anywhere | Flow::Call(_) | Flow::Pop(_) if !graph.complete => *any,
        _ => Set::default(),
    }
}

/// What is live at the start of a block; tells `each` what is live behind its instructions, from the last.
fn walk(graph: &Graph, block: &Block, after: Set, mut each: impl FnMut(usize, Set)) -> Set {
    let mut live = after;
    for i in block.insns.clone().rev() {
        each(i, live);
        let (Some(Some(insn)), Some(effects)) = (graph.insns.get(i), graph.effects.get(i)) else { continue };
        if guard::always(insn) {
            live = live.without(&effects.writes);
        }
        live = live.or(&effects.reads);
    }
    live
}
