//! Runs instructions and follows control flow.

use crate::access::Together;
use crate::environment::Environment;
use crate::float24;
use crate::host::{Level, transpose};
use crate::instruction::Instruction;
use crate::kernel::{run_dot, run_one, run_three, run_two};
use crate::memory::{CHUNKS, Chunk, LANES, Lanes, Operand, Slabs, rows_end};
use crate::parts::{Now, Part, Parts};
use crate::perform::{Situation, perform};
use crate::plan::{Block, Edge, Next, Plan};
use crate::quads;
use crate::task::{End, Stopped, Task, Work};
use crate::working::{Memory, Table};
use shisa_ir::{FloatRule, Scalar, Unary, WAVE};
use std::ops::Range;

/// Runs a program. `parts` is machine code of pieces of it, if there is any. Compiled for each host level.
#[inline(always)]
pub(crate) fn run<L: Level>(
    program: &Plan,
    memory: &mut Memory,
    Task { work, mut budget, environment }: Task<'_>,
    parts: Option<&mut dyn Parts>,
) -> Result<Stopped, End> {
    let (all, quads, prologue) = match work {
        Work::Slab { lanes, quads, .. } => (lanes, quads, 0..0),
        Work::Rest { lanes } => (lanes, false, 0..0),
        Work::Uniforms => (0, false, program.prologue.clone()),
    };
    let lane = match work {
        Work::Slab { first, .. } => first,
        Work::Rest { .. } | Work::Uniforms => 0,
    };
    let count = ((Lanes::BITS - all.leading_zeros()) as usize).div_ceil(LANES).max(1);
    let parts = parts.map(|parts| parts as &mut dyn Parts);
    let (repeats, apart) = (false, 0);
    let mut run = Run {
        program,
        memory,
        environment,
        parts,
        count,
        chunks: count,
        repeats,
        all,
        set: all,
        quads,
        apart,
        lane,
    };

    match work {
        Work::Slab { .. } => run.begin(all)?,
        Work::Uniforms => {
            run.begin(0)?;
            // Uniforms have one lane.
            run.set = 1;
        }
        Work::Rest { .. } => {}
    }
    let mut at = 0;
    // All instructions run from one call, because the call is expanded to the code of all kernels: the instructions to run
    // now with their lanes, the block whose body they are, and the edges whose moves follow, with their lanes.
    let mut list = prologue;
    let mut lanes_of_list = run.set;
    let mut ended: Option<&Block> = None;
    let mut moves: [Option<(&Edge, Lanes)>; 2] = [None; 2];
    loop {
        if let Some(part) = run.part(&mut list, lanes_of_list)? {
            run.instructions::<L>(part)?;
            continue;
        }
        match ended.take().map(|block| &block.next) {
            Some(Next::Jump(edge)) => moves[0] = Some((edge, run.set)),
            Some(Next::Branch { cond, yes, no }) => {
                let holds = run.set & run.truth(*cond);
                if run.quads {
                    run.apart |= quads::divided(holds, run.set & !holds);
                }
                moves = [Some((yes, holds)), Some((no, run.set & !holds))];
            }
            Some(Next::Barrier(arrive, edge)) => {
                if run.others_wait(0) {
                    return Err(End::Divergent);
                }
                run.enter(edge.to, run.set)?;
                return Ok(Stopped::Barrier(run.set, *arrive));
            }
            Some(Next::Exit) | None => {}
        }
        if let Some((edge, lanes)) = moves.iter_mut().find_map(Option::take) {
            if lanes != 0 {
                run.enter(edge.to, lanes)?;
                at = at.min(edge.to);
                run.select(lanes);
                (list, lanes_of_list) = (edge.moves.clone(), lanes);
            }
            continue;
        }
        // The first block that lanes wait for.
        let set = loop {
            let Some(waiting) = run.memory.waiting.get_mut(at) else { return Ok(Stopped::Ended) };
            match std::mem::take(waiting) {
                0 => at += 1,
                set => break set,
            }
        };
        let block = program.blocks.get(at).ok_or(End::Internal)?;
        budget.take(block.body.len(), set.count_ones())?;
        run.select(set);
        (list, lanes_of_list) = (block.body.clone(), set);
        ended = Some(block);
    }
}

/// A run of a slab.
struct Run<'a> {
    program: &'a Plan,
    memory: &'a mut Memory,
    environment: &'a mut dyn Environment,
    /// Machine code of pieces of the program.
    parts: Option<&'a mut dyn Parts>,
    /// Number of chunks in use.
    count: usize,
    /// Number of chunks of which instructions run now.
    chunks: usize,
    /// Whether they repeat a piece for some lanes ([`Part::repeats`]).
    repeats: bool,
    /// All lanes that run.
    all: Lanes,
    /// The lanes that run now.
    set: Lanes,
    /// Whether lanes are quads.
    quads: bool,
    /// The lanes of quads that took different branches.
    apart: Lanes,
    /// The number of the slab's first lane in the run.
    lane: usize,
}

impl Run<'_> {
    /// Lanes begin the program.
    #[inline(always)]
    fn begin(&mut self, lanes: Lanes) -> Result<(), End> {
        self.memory.waiting.fill(0);
        self.memory.killed = 0;
        self.enter(0, lanes)
    }

    /// Whether lanes of the wave that begins at chunk `first` wait for another block than the one that runs.
    fn others_wait(&self, first: usize) -> bool {
        let waiting = self.memory.waiting.iter().fold(0, |all, set| all | set);
        (waiting >> (first * LANES)) as shisa_ir::Lanes != 0
    }

    /// Whether the lanes that must run an access together do so. Lanes that ended do not count, unless the access sees the
    /// registers of all lanes.
    #[inline(never)]
    fn can_run(&self, together: Together, quads: bool) -> bool {
        let of_wave = |first: usize| (self.set >> (first * LANES)) as shisa_ir::Lanes;
        let mut waves = (0..self.count).step_by(WAVE / LANES).filter(|first| of_wave(*first) != 0);
        match together {
            Together::Alone => true,
            Together::Quads => quads,
            Together::Living => !waves.any(|first| self.others_wait(first)),
            Together::Whole => waves.all(|first| of_wave(first) == shisa_ir::Lanes::MAX),
        }
    }

    /// Lanes wait for a block.
    #[inline(always)]
    fn enter(&mut self, block: usize, lanes: Lanes) -> Result<(), End> {
        *self.memory.waiting.get_mut(block).ok_or(End::Internal)? |= lanes;
        Ok(())
    }

    /// Chooses the lanes that run.
    #[inline(always)]
    fn select(&mut self, set: Lanes) {
        if set == self.set {
            return;
        }
        self.set = set;
        if set != self.all {
            for (c, mask) in self.memory.mask.iter_mut().enumerate().take(self.count) {
                let bits = (set >> (c * LANES)) as u32;
                for (lane, mask) in mask.0.iter_mut().enumerate() {
                    *mask = 0u32.wrapping_sub(bits >> lane & 1);
                }
            }
        }
    }

    /// Runs machine code from the beginning of a list, and chooses what follows it: the rest of the list, of which
    /// `None` is left at its end, without machine code.
    #[inline(always)]
    fn part(&mut self, list: &mut Range<usize>, lanes: Lanes) -> Result<Option<Range<usize>>, End> {
        if Range::is_empty(list) && !self.repeats {
            return Ok(None);
        }
        match self.parts {
            Some(_) => self.part_with_code(list, lanes),
            None => Ok(Some(std::mem::replace(list, 0..0))),
        }
    }

    #[inline(never)]
    fn part_with_code(&mut self, list: &mut Range<usize>, lanes: Lanes) -> Result<Option<Range<usize>>, End> {
        self.select(lanes);
        let (chunks, quads, together) = (self.count, self.quads, self.are_together());
        let now = Now { lanes, chunks, quads, together };
        let next = match &mut self.parts {
            Some(parts) => parts.next(self.program, self.memory, now, list)?,
            None => None,
        };
        let end = Part { list: 0..0, chunks: self.count, lanes, repeats: false };
        let Part { list, chunks, lanes, repeats } = next.unwrap_or(end);
        (self.chunks, self.repeats) = (chunks, repeats);
        self.select(lanes);
        Ok((!Range::is_empty(&list)).then_some(list))
    }

    /// The lanes where a condition holds.
    #[inline(always)]
    fn truth(&self, cond: Operand) -> Lanes {
        if cond.is_uniform() {
            return if self.memory.chunks[cond.chunk(0)].0[0] & 1 != 0 { Lanes::MAX } else { 0 };
        }
        let mut lanes: Lanes = 0;
        for c in 0..self.count {
            let chunk = &self.memory.chunks[cond.chunk(c)];
            let bits = (0..).zip(chunk.0).fold(0u32, |bits, (lane, x)| bits | (x & 1) << lane);
            lanes |= Lanes::from(bits) << (c * LANES);
        }
        lanes
    }

    /// Whether an instruction that uses quads can run: all lanes of each quad run it, as they do in the evaluator.
    #[inline(always)]
    fn are_together(&self) -> bool {
        let rejoined = self.program.rejoins || self.set & self.apart == 0;
        !self.quads || quads::are_whole(self.set) && rejoined
    }

    /// Runs an access. `quads` is whether one that uses quads can run.
    #[inline(never)]
    fn access(&mut self, number: u32, quads: bool) -> Result<(), End> {
        let access = self.program.accesses.get(number as usize).ok_or(End::Internal)?;
        if !self.can_run(access.together(), quads) {
            return Err(End::Divergent);
        }
        let now = Situation {
            set: self.set,
            killed: self.memory.killed,
            quads: self.quads,
            model: self.program.model,
            reduced: &self.memory.reduced,
            lane: self.lane,
        };
        let mut slabs = Slabs { chunks: &mut self.memory.chunks, first: 0, end: self.count };
        let performed = perform(access, &mut slabs, now, self.environment);
        performed.map_err(|d| End::Environment(Box::new(d)))
    }

    #[inline(always)]
    fn instructions<L: Level>(&mut self, list: Range<usize>) -> Result<(), End> {
        let program = self.program;
        let list = program.instructions.get(list).ok_or(End::Internal)?;
        // A piece ran before, so it can.
        let together = self.repeats || self.are_together();
        let end = self.chunks;
        for i in list {
            let mut slabs = Slabs { chunks: &mut self.memory.chunks, first: 0, end };
            match i {
                Instruction::Neighbour { axis, second, dst, a } => {
                    if !together {
                        return Err(End::Divergent);
                    }
                    quads::neighbour(&mut slabs, *dst, *a, (*axis, *second), self.quads);
                }
                Instruction::Access { number } => self.access(*number, together)?,
                Instruction::Gather { dst, table, offset, stride, index } => {
                    let Some(table) = self.memory.tables.get(*table as usize) else { continue };
                    gather(table, &mut slabs, *dst, (*offset, *stride), *index);
                }
                Instruction::Blend { dst, src } if self.set == self.all => {
                    slabs.map1(*dst, [*src], |[x]| x);
                }
                Instruction::Blend { dst, src } => {
                    for c in 0..end {
                        let (mask, new) = (self.memory.mask[c], slabs.chunks[src.chunk(c)]);
                        let to = &mut slabs.chunks[dst.chunk(c)];
                        for lane in 0..LANES {
                            to.0[lane] = (new.0[lane] & mask.0[lane]) | (to.0[lane] & !mask.0[lane]);
                        }
                    }
                }
                Instruction::Kill { cond } => {
                    let mut killed: Lanes = 0;
                    for c in 0..end {
                        let chunk = &slabs.chunks[cond.chunk(c)];
                        let bits = (0..).zip(chunk.0).fold(0u32, |bits, (lane, x)| bits | (x & 1) << lane);
                        killed |= Lanes::from(bits) << (c * LANES);
                    }
                    self.memory.killed |= killed & self.set;
                }
                computation => compute::<L>(computation, program, &mut slabs),
            }
        }
        Ok(())
    }
}

/// Runs an instruction that depends on nothing but its operands.
#[inline(always)]
pub(crate) fn compute<L: Level>(i: &Instruction<Operand>, program: &Plan, slabs: &mut Slabs<'_>) {
    match i {
        Instruction::One { kernel, dst, args } => run_one::<L>(*kernel, slabs, *dst, *args),
        Instruction::Two { kernel, dst, args } => run_two::<L>(*kernel, slabs, *dst, *args),
        Instruction::Three { kernel, dst, args } => run_three::<L>(*kernel, slabs, *dst, *args),
        Instruction::Dot3 { kernel, dst, start, args } => {
            run_dot::<L, 3>(*kernel, slabs, *dst, *start, *args);
        }
        Instruction::Dot4 { kernel, dst, start, args } => {
            run_dot::<L, 4>(*kernel, slabs, *dst, *start, *args);
        }
        Instruction::Rsqrt24 { dst, a } => reciprocal_root(program, slabs, *dst, *a),
        Instruction::ByLane { op, dst, args } => {
            let (op, model) = (*op, program.model);
            slabs.map3(*dst, *args, |args| op.evaluate(model, args.map(u64::from)) as u32);
        }
        Instruction::Gather { .. }
        | Instruction::Neighbour { .. }
        | Instruction::Access { .. }
        | Instruction::Blend { .. }
        | Instruction::Kill { .. } => {}
    }
}

/// Four elements of a table from `offset + index * stride` on; those of rows outside of it past its end.
#[inline(always)]
fn gather(
    table: &Table,
    slabs: &mut Slabs<'_>,
    dst: [Operand; 4],
    (offset, stride): (u32, u32),
    index: Operand,
) {
    let (units, elements) = (table.units, table.elements.as_slice());
    let end = rows_end(units, offset, stride);
    // Where rows begin: of all lanes first, with the vector units.
    let mut rows = [Chunk::ZERO; CHUNKS];
    for (c, row) in (slabs.first..slabs.end).zip(&mut rows) {
        let index = &slabs.chunks[index.chunk(c)];
        for lane in 0..LANES {
            // Smaller indices do not overflow.
            let inside = offset.wrapping_add(index.0[lane].wrapping_mul(stride));
            row.0[lane] = if index.0[lane] < end { inside } else { units };
        }
    }
    let row = |at: u32| {
        let row = elements.get(at as usize..at as usize + 4).and_then(<[u32]>::first_chunk);
        row.copied().unwrap_or_default()
    };
    for (c, at) in (slabs.first..slabs.end).zip(&rows) {
        for from in (0..LANES).step_by(4) {
            let lane = |n: usize| row(at.0[from + n]);
            let columns = transpose([lane(0), lane(1), lane(2), lane(3)]);
            for (dst, column) in dst.iter().zip(&columns) {
                slabs.chunks[dst.chunk(c)].0[from..from + 4].copy_from_slice(column);
            }
        }
    }
}

/// The reciprocal square root of float24. Where binary64 may not be precise enough, the definition computes it.
#[inline(always)]
fn reciprocal_root(program: &Plan, slabs: &mut Slabs<'_>, dst: Operand, a: Operand) {
    for c in slabs.first..slabs.end {
        let x = slabs.chunks[a.chunk(c)];
        let (mut to, mut doubt) = (Chunk::ZERO, false);
        for lane in 0..LANES {
            let (bits, doubtful) = float24::reciprocal_root(x.0[lane]);
            to.0[lane] = bits;
            doubt |= doubtful;
        }
        if doubt {
            let rule = FloatRule { model: true, ..FloatRule::IEEE };
            let exact = |x: u32| program.model.unary(Unary::FRsqrt, rule, Scalar::F32, x.into()) as u32;
            to = Chunk(x.0.map(exact));
        }
        slabs.chunks[dst.chunk(c)] = to;
    }
}
