//! Gives components their memory: a chunk for each uniform, a slab for each other component while it is live.

use super::parts::{Part, Source};
use super::{Draft, Edge, Next};
use crate::access::Access;
use crate::codes::internal;
use crate::environment::HALVES;
use crate::instruction::Instruction;
use crate::memory::{CHUNKS, Chunk, Operand, SCRATCH};
use crate::plan::{self, Load, Plan};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{File, FloatModel, Reg};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The operand of a component that nothing uses.
const UNUSED: Operand = Operand::uniform(0);

/// The instructions from the first definition of a component to its last use, both included.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    start: u32,
    end: u32,
}

impl Interval {
    const NONE: Interval = Interval { start: u32::MAX, end: 0 };

    fn is_none(self) -> bool {
        self.start > self.end
    }

    fn add(&mut self, at: u32) {
        self.start = self.start.min(at);
        self.end = self.end.max(at);
    }

    fn meets(self, other: Interval) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}

/// Where instructions are, all blocks one after the other; after the body of a block come the moves of its edges.
struct Positions {
    intervals: Vec<Interval>,
    /// First and last position of each block.
    blocks: Vec<Interval>,
}

/// Allocates all components and builds the program.
pub(super) fn place(
    draft: Draft,
    (files, model, rejoins): (&'static [File], FloatModel, bool),
    limits: &Limits,
) -> Result<Plan, Diagnostic> {
    let mut positions = positions(&draft);
    extend(&draft, &mut positions, limits)?;
    let width = width(&draft);
    let (operands, (uniforms, chunks)) = allocate(&draft, &positions.intervals, width, limits)?;
    build(draft, (files, model, rejoins), &operands, (width, uniforms, chunks))
}

/// Number of chunks of a slab. A program that changes memory runs wave after wave, as in the evaluator, so that each wave
/// sees what those before it have written. Nothing sees the vertices that a lane emitted.
fn width(draft: &Draft) -> usize {
    let waits = |block: &super::Block| matches!(block.next, Next::Barrier(..));
    match draft.accesses.iter().any(Access::changes_environment) || draft.blocks.iter().any(waits) {
        true => HALVES,
        false => CHUNKS,
    }
}

fn positions(draft: &Draft) -> Positions {
    let mut intervals = vec![Interval::NONE; draft.parts.len()];
    let mut blocks = Vec::with_capacity(draft.blocks.len());
    // Inputs are loaded before the first instruction.
    let mut at = 0u32;
    for block in &draft.blocks {
        let start = at + 1;
        let edges = block.next.edges().flat_map(|e| &e.moves);
        for (n, i) in block.body.iter().chain(edges).enumerate() {
            at += 1;
            // The condition is read after the moves of the first edge at the latest.
            if n >= block.body.len() {
                block.next.operands(|p| intervals[p.index()].add(at));
            }
            i.operands(&draft.accesses, |p| intervals[p.index()].add(at));
            // A result that nothing reads has memory too until all results are written.
            i.results(&draft.accesses, |p| {
                intervals[p.index()].add(at);
                intervals[p.index()].add(at + 1);
            });
        }
        at += 1;
        block.next.operands(|p| intervals[p.index()].add(at));
        blocks.push(Interval { start, end: at });
    }
    // Outputs are stored after the last instruction.
    for (_, part) in &draft.outputs {
        intervals[part.index()].add(at + 1);
    }
    for (part, source, is_uniform) in draft.parts.iter() {
        let interval = &mut intervals[part.index()];
        if matches!(source, Source::Unit(_)) && !is_uniform && !interval.is_none() {
            interval.add(0);
        }
    }
    Positions { intervals, blocks }
}

/// Extends components that meet a loop to the whole loop, unless they are local to one of its blocks: lanes that wait
/// inside or outside of the loop still need them.
fn extend(draft: &Draft, positions: &mut Positions, limits: &Limits) -> Result<(), Diagnostic> {
    let mut loops = Vec::new();
    for (from, block) in draft.blocks.iter().enumerate() {
        for edge in block.next.edges().filter(|e| e.to <= from) {
            loops.push(Interval { start: positions.blocks[edge.to].start, end: positions.blocks[from].end });
        }
    }
    if loops.is_empty() {
        return Ok(());
    }
    let blocks = &positions.blocks;
    let is_local = |i: Interval| {
        let n = blocks.partition_point(|b| b.end < i.start);
        blocks.get(n).is_some_and(|b| b.start <= i.start && i.end <= b.end)
    };
    let blended = blended(draft);
    let mut work = 0usize;
    for (interval, blended) in positions.intervals.iter_mut().zip(blended) {
        if interval.is_none() || is_local(*interval) && !blended {
            continue;
        }
        loop {
            work = work.saturating_add(loops.len());
            limits.check(Limit::Fuel, "steps of an analysis", work)?;
            let before = *interval;
            for l in loops.iter().filter(|l| l.meets(before)) {
                interval.add(l.start);
                interval.add(l.end);
            }
            if *interval == before {
                break;
            }
        }
    }
    Ok(())
}

/// For each component, whether it is written under a mask.
fn blended(draft: &Draft) -> Vec<bool> {
    let mut blended = vec![false; draft.parts.len()];
    for block in &draft.blocks {
        let edges = block.next.edges().flat_map(|e| &e.moves);
        for i in block.body.iter().chain(edges) {
            if let Instruction::Blend { dst, .. } = i {
                blended[dst.index()] = true;
            }
        }
    }
    blended
}

/// The operand of each component, the number of chunks of uniforms, and that of all chunks.
fn allocate(
    draft: &Draft,
    intervals: &[Interval],
    width: usize,
    limits: &Limits,
) -> Result<(Vec<Operand>, (usize, usize)), Diagnostic> {
    let mut needed_by_uniform = vec![false; draft.parts.len()];
    for i in &draft.uniform {
        i.operands(&draft.accesses, |p| needed_by_uniform[p.index()] = true);
        i.results(&draft.accesses, |p| needed_by_uniform[p.index()] = true);
    }
    // The first chunks belong to components that nothing uses.
    let mut operands = vec![UNUSED; draft.parts.len()];
    let mut uniforms = SCRATCH;
    let mut slabs: Vec<Part> = Vec::new();
    for (part, _, is_uniform) in draft.parts.iter() {
        let is_live = !intervals[part.index()].is_none();
        if is_uniform && (is_live || needed_by_uniform[part.index()]) {
            operands[part.index()] = Operand::uniform(uniforms);
            uniforms += 1;
        } else if !is_uniform && is_live {
            slabs.push(part);
        }
    }
    slabs.sort_by_key(|p| intervals[p.index()].start);
    let (mut used, mut free, mut busy) = (0u32, Vec::new(), BinaryHeap::new());
    for part in slabs {
        let interval = intervals[part.index()];
        // An instruction reads its operands before it writes its result, chunk by chunk.
        while let Some(&Reverse((end, slab))) = busy.peek() {
            if end > interval.start {
                break;
            }
            busy.pop();
            free.push(slab);
        }
        let slab = free.pop().unwrap_or_else(|| {
            used += 1;
            used - 1
        });
        busy.push(Reverse((interval.end, slab)));
        operands[part.index()] = Operand::slab(uniforms + slab * width as u32);
    }
    let chunks = uniforms as usize + used as usize * width;
    limits.check(Limit::Memory, "bytes of a batch", chunks.saturating_mul(size_of::<Chunk>()))?;
    Ok((operands, (uniforms as usize, chunks)))
}

fn build(
    draft: Draft,
    (files, model, rejoins): (&'static [File], FloatModel, bool),
    operands: &[Operand],
    (width, uniforms, chunks): (usize, usize, usize),
) -> Result<Plan, Diagnostic> {
    let at = |part: Part| operands[part.index()];
    let mut instructions = Vec::new();
    let mut code = |list: &[Instruction<Part>]| {
        let start = instructions.len();
        instructions.extend(list.iter().map(|i| i.map(&mut |p| at(p), &mut |p| at(p))));
        start..instructions.len()
    };
    let prologue = code(&draft.uniform);
    let count = draft.blocks.len();
    let mut blocks = Vec::with_capacity(count);
    for block in &draft.blocks {
        let body = code(&block.body);
        let mut edge = |e: &Edge| match e.to < count {
            true => Ok(plan::Edge { to: e.to, moves: code(&e.moves) }),
            false => Err(internal(format!("block {} of {count} does not exist", e.to))),
        };
        let next = match &block.next {
            Next::Exit => plan::Next::Exit,
            Next::Jump(e) => plan::Next::Jump(edge(e)?),
            Next::Barrier(arrive, e) => plan::Next::Barrier(arrive.map(at), edge(e)?),
            Next::Branch { cond, yes, no } => {
                plan::Next::Branch { cond: at(*cond), yes: edge(yes)?, no: edge(no)? }
            }
        };
        blocks.push(plan::Block { body, next });
    }
    let (mut constants, mut inputs, mut units) = (Vec::new(), Vec::new(), Vec::new());
    for (part, source, is_uniform) in draft.parts.iter() {
        let to = at(part);
        if to == UNUSED {
            continue;
        }
        match source {
            Source::Constant(bits) => constants.push((to.chunk(0), bits)),
            Source::Unit(reg) if is_uniform => units.push(Load { reg, to }),
            Source::Unit(reg) => inputs.push(Load { reg, to }),
            Source::Computed => {}
        }
    }
    units.sort_by_key(|l: &Load| l.reg);
    inputs.sort_by_key(|l: &Load| l.reg);
    let mut outputs: Vec<(Reg, Operand)> = draft.outputs.iter().map(|&(reg, p)| (reg, at(p))).collect();
    outputs.sort_by_key(|(reg, _)| *reg);
    let plan = Plan {
        files,
        model,
        prologue,
        instructions,
        blocks,
        constants,
        units,
        inputs,
        outputs,
        tables: draft.tables,
        accesses: draft.accesses.iter().map(|access| access.map(&mut |p| at(p), &mut |p| at(p))).collect(),
        rejoins,
        width,
        chunks,
        uniforms,
    };
    plan.verified()
}
