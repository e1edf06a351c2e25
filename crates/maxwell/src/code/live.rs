//! Liveness: the registers whose values are still read.

use super::{Block, Graph, edges};
use crate::container::Sph;
use crate::container::sph::{Field, common};
use crate::drawing::{self, PixelOutput};
use crate::flow::{Flow, Mark};
use crate::registers::Set;
use crate::{REGISTERS, ShaderStage, guard};
use alloc::{vec, vec::Vec};
use shisa_rows::code::{Analysis, Direction, OutOfFuel, solve};

/// The registers that the hardware reads where a program with this header ends: colours, sample mask and depth of a
/// pixel program, the state of emission of a geometry program.
pub fn outputs(header: &Sph) -> Set {
    let mut all = Set::default();
    if header.stage() == Some(ShaderStage::Geometry) && header.value(const { common("IsFastGs") }) == 0 {
        all.insert(REGISTERS, 0, 1);
    }
    pixel_outputs(header).fold(all, |all, (_, set)| all.or(&set))
}

/// The outputs of a pixel program: the field of the header that requests them, for each render target.
pub(crate) fn pixel_outputs(header: &Sph) -> impl Iterator<Item = (&'static Field, Set)> {
    let pixel = header.stage() == Some(ShaderStage::Fragment);
    let mut parts: Vec<(PixelOutput, Set)> = Vec::new();
    for (output, register) in drawing::pixel_outputs(Some(header)).filter(|_| pixel) {
        if !parts.last().is_some_and(|(last, _)| last.is_with(output)) {
            parts.push((output, Set::default()));
        }
        if let Some((_, set)) = parts.last_mut() {
            set.insert(REGISTERS, register.into(), 1);
        }
    }
    parts.into_iter().map(|(output, set)| (output.field(), set))
}

/// For each instruction the registers that are live after it; empty for instructions that are in no block. `end` are
/// the registers that are read where the program ends. If control goes to an unknown address, all registers that the
/// program names may be read.
pub fn live(graph: &Graph, blocks: &[Block], end: &Set) -> Vec<Set> {
    let items = &graph.code.items;
    let any =
        items.iter().fold(Set::default(), |all, item| all.or(&item.effects.reads).or(&item.effects.writes));
    let ends = blocks.iter().map(|block| after(graph, block, end, &any)).enumerate();
    // A set can only grow, by one register at a time.
    let fuel = blocks.len() as u64 * (Set::REGISTERS + 1);
    let edges = edges(blocks);
    let solved = solve(&edges, Direction::Backwards, ends, &mut Liveness { graph, blocks }, fuel);
    // Without a solution any register may be read, which is always a sound answer.
    let after = solved.unwrap_or_else(|OutOfFuel| vec![Some(any); blocks.len()]);
    let mut all = vec![Set::default(); items.len()];
    for (block, after) in blocks.iter().zip(after) {
        walk(graph, block, after.unwrap_or(any), |i, set| {
            if let Some(entry) = all.get_mut(i) {
                *entry = set;
            }
        });
    }
    all
}

/// The registers that are live before and after blocks.
struct Liveness<'a> {
    graph: &'a Graph,
    blocks: &'a [Block],
}

impl Analysis for Liveness<'_> {
    type State = Set;

    fn pass(&mut self, at: usize, after: &Set) -> Set {
        self.blocks.get(at).map_or(*after, |block| walk(self.graph, block, *after, |_, _| ()))
    }

    fn join(&mut self, _: usize, state: &mut Set, other: &Set) -> bool {
        let old = core::mem::replace(state, state.or(other));
        *state != old
    }
}

/// The registers that are live after a block, besides those of its successors.
fn after(graph: &Graph, block: &Block, end: &Set, any: &Set) -> Set {
    let last = block.insns.end.saturating_sub(1);
    match graph.flow(last) {
        Some(Flow::Pop(Mark::Exit)) => *end,
        // The callers of a function read registers that are not known here.
        Some(Flow::Pop(Mark::Return)) if graph.next(last).all(|n| n == last + 1) => *any,
        Some(Flow::Anywhere | Flow::Call(_) | Flow::Pop(_)) if !graph.is_complete() => *any,
        _ => Set::default(),
    }
}

/// The registers that are live at the start of a block; `each` receives those live after its instructions, from the
/// last.
fn walk(graph: &Graph, block: &Block, after: Set, mut each: impl FnMut(usize, Set)) -> Set {
    let mut live = after;
    for i in block.insns.clone().rev() {
        each(i, live);
        let (Some(insn), Some(effects)) = (graph.insn(i), graph.effects(i)) else { continue };
        if guard::always(insn) {
            live = live.without(&effects.writes);
        }
        live = live.or(&effects.reads);
    }
    live
}
