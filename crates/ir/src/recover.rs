//! Control flow recovery: runs the sequencer with one lane and both outcomes of every condition.

mod condense;
mod constant;
#[cfg(test)]
mod tests;

use crate::{
    At, Block, BlockId, Builder, Class, Control, ControlOp, Edge, End, Func, Lifted, Nodes, Op, Scratch,
    Sequencer, Space, Step, Swizzle, Type, Value,
};
use alloc::{collections::BTreeMap, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The program as one lane sees it: each state that the lane can reach (program counter and stacks) becomes a block.
///
/// A guarded instruction becomes a selection between old and new registers if it only computes, and a conditional block
/// if it has any other effect.
///
/// If the states repeat instructions more often than [`Limits::structure_growth`] on average, indistinguishable states
/// are merged. If that is not enough, each straight-line run of instructions is emitted once, and a block parameter
/// carries the state number. Only in this case does the function have block parameters.
///
/// # Errors
/// `flow-off-program` if the lane runs past the program; `flow-indirect` if a register that holds a jump target is not
/// assigned a constant in the straight-line code before the jump, and [`Lifted::targets`] has no targets of the jump;
/// `flow-states` if the walk through the states is more than 64 times longer than that limit, or takes more than 2^18
/// instructions or copies more than 2^20 operations and is longer than that limit; and the sequencer's errors.
pub fn recover<S: Sequencer>(
    lifted: Lifted,
    seq: &S,
    entry: u32,
    limits: &Limits,
) -> Result<Func, Diagnostic> {
    recover_in(lifted, seq, entry, &mut Scratch::new(), limits)
}

/// As [`recover`], in the memory of programs before it.
///
/// # Errors
/// The errors of [`recover`].
pub fn recover_in<S: Sequencer>(
    mut lifted: Lifted,
    seq: &S,
    entry: u32,
    scratch: &mut Scratch,
    limits: &Limits,
) -> Result<Func, Diagnostic> {
    let nodes = core::mem::take(&mut lifted.nodes);
    let func = recover_with(&lifted, nodes, seq, entry, scratch, limits);
    scratch.take_steps(lifted.steps);
    func
}

/// Recovers the steps of a program whose operations are `nodes`.
fn recover_with<S: Sequencer>(
    lifted: &Lifted,
    nodes: Nodes,
    seq: &S,
    entry: u32,
    scratch: &mut Scratch,
    limits: &Limits,
) -> Result<Func, Diagnostic> {
    let steps = lifted.steps.len() + lifted.implied.len();
    limits.check(Limit::Instructions, "instructions", steps)?;
    let (operations, textures) = (nodes.list.len(), nodes.textures.len());
    let growth = limits.structure_growth;
    let bound = Bound { steps: growth.saturating_mul(steps), copies: growth.saturating_mul(operations) };
    let mut explorer = Explorer::new(lifted, nodes, seq, bound, limits);
    explorer.body = scratch.values();
    explorer.body.reserve(operations);
    explorer.func.blocks = scratch.blocks();
    let d = match explorer.walk(entry) {
        Ok(()) => {
            explorer.func.tidy_in(&mut scratch.graph.order);
            return Ok(explorer.func);
        }
        Err(d) if d.code != STATES => return Err(d),
        Err(d) => d,
    };
    // The lifted operations are the first and unchanged, but for their origins.
    let mut nodes = explorer.func.nodes;
    nodes.list.truncate(operations);
    nodes.textures.truncate(textures);
    let mut explorer = Explorer::new(lifted, nodes, seq, bound.wide(), limits);
    explorer.walk(entry)?;
    explorer.func.tidy();
    let mut func = condense::condense(explorer.func, bound.copies).ok_or(d)?;
    func.tidy();
    Ok(func)
}

/// How many times longer the walk may be if states are merged afterwards.
const WIDE: usize = 64;
/// Limit on the instructions of such a walk.
const LONGEST: usize = 1 << 18;
/// Limit on the operations that such a walk copies: some 40 MiB. One instruction may have hundreds.
const MOST_COPIES: usize = 1 << 19;
/// The code of the error for too many states.
const STATES: &str = "flow-states";

/// What a walk may take.
#[derive(Clone, Copy)]
struct Bound {
    /// Instructions that are walked.
    steps: usize,
    /// Operations that are copied where an instruction is walked again.
    copies: usize,
}

impl Bound {
    /// The bound of a walk whose states are merged afterwards.
    fn wide(self) -> Bound {
        let wide = |bound: usize, most: usize| bound.saturating_mul(WIDE).min(most.max(bound));
        Bound { steps: wide(self.steps, LONGEST), copies: wide(self.copies, MOST_COPIES) }
    }
}

/// What the walk knows about a step.
#[derive(Clone, Copy, Default)]
struct Mark {
    /// Whether an edge leads to it from anywhere but the step before it.
    leader: bool,
    /// Whether its operations are already in a block.
    visited: bool,
}

/// The marks of all steps before the walk; implied steps come after the instructions.
fn marks(lifted: &Lifted) -> Vec<Mark> {
    let mut marks = vec![Mark::default(); lifted.steps.len() + lifted.implied.len()];
    let mut lead = |pc| {
        if let Some(i) = lifted.find(pc) {
            marks[i].leader = true;
        }
    };
    for s in lifted.steps.iter().chain(&lifted.implied) {
        if s.control.op != ControlOp::Next {
            lead(s.next);
            lead(s.control.target);
            lead(s.control.extra);
        }
    }
    lifted.targets.values().flatten().for_each(|target| lead(*target));
    marks
}

fn too_many(growth: usize) -> Diagnostic {
    Diagnostic::error(STATES, "the program repeats its instructions in too many states of control")
        .note("its stacks grow without bound, or its calls and branches multiply the states")
        .help(alloc::format!("the limit {}={growth} bounds this", Limit::StructureGrowth.name()))
}

fn indirect(at: At) -> Diagnostic {
    let text = alloc::format!("the target of the instruction at {at} is known only at run time");
    Diagnostic::error("flow-indirect", text).help(
        "assign a constant to the register in the straight-line code before the jump, or use a direct jump",
    )
}

struct Explorer<'a, S: Sequencer> {
    lifted: &'a Lifted,
    seq: &'a S,
    marks: Vec<Mark>,
    ids: BTreeMap<S::State, BlockId>,
    todo: Vec<(BlockId, S::State)>,
    /// What the walk may still take.
    left: Bound,
    growth: usize,
    func: Func,
    /// The operations of the block that is walked; empty between blocks.
    body: Vec<Value>,
}

impl<'a, S: Sequencer> Explorer<'a, S> {
    /// Before a walk within `most`.
    fn new(lifted: &'a Lifted, nodes: Nodes, seq: &'a S, most: Bound, limits: &Limits) -> Self {
        Explorer {
            lifted,
            seq,
            marks: marks(lifted),
            ids: BTreeMap::new(),
            todo: Vec::new(),
            left: Bound { steps: most.steps.saturating_add(16), ..most },
            growth: limits.structure_growth,
            func: Func { files: lifted.files, nodes, blocks: Vec::new() },
            body: Vec::new(),
        }
    }

    /// Walks all states.
    fn walk(&mut self, entry: u32) -> Result<(), Diagnostic> {
        self.intern(self.seq.start(entry, 1))?;
        while let Some((id, state)) = self.todo.pop() {
            self.block(id, state)?;
        }
        Ok(())
    }

    fn intern(&mut self, state: S::State) -> Result<Edge, Diagnostic> {
        if let Some(&id) = self.ids.get(&state) {
            return Ok(Edge::to(id));
        }
        let id = self.new_block();
        self.ids.insert(state.clone(), id);
        self.todo.push((id, state));
        Ok(Edge::to(id))
    }

    fn new_block(&mut self) -> BlockId {
        let id = BlockId(self.func.blocks.len() as u32);
        self.func.blocks.push(Block { params: Vec::new(), body: Vec::new(), end: End::Exit });
        id
    }

    /// Walks from `state` until paths fork or join.
    fn block(&mut self, id: BlockId, mut state: S::State) -> Result<(), Diagnostic> {
        let mut body = core::mem::take(&mut self.body);
        // After most steps, the one with the next index runs.
        let (mut entered, mut near) = (true, 0);
        let end = loop {
            let at = self.seq.at(&state);
            if at == At::Done {
                break End::Exit;
            }
            let Some((index, step)) = self.lifted.step_near(at, near) else {
                return Err(Diagnostic::error(
                    "flow-off-program",
                    alloc::format!("control leaves the program at {at}"),
                )
                .help("end every path with the instruction that ends the program"));
            };
            self.left.steps = self.left.steps.checked_sub(1).ok_or_else(|| too_many(self.growth))?;
            let active = self.seq.active(&state) & 1 != 0;
            if core::mem::take(&mut entered) && active {
                self.note_known(&state, index as u32, &mut body);
            }
            // The common case: one successor, no conditions.
            if active
                && step.control.op == ControlOp::Next
                && step.guard.is_none()
                && step.control.cond.is_none()
            {
                self.place(step, index, &mut body)?;
                self.seq.step(&mut state, &step.control, step.next, 1)?;
            } else if let Some(end) = self.unusual(&mut state, active, step, index, &mut body)? {
                break end;
            }
            near = index + 1;
            if !self.goes_on(&state, near) {
                break End::Jump(self.intern(state)?);
            }
        };
        let block = &mut self.func.blocks[id.index()];
        block.end = end;
        if self.todo.is_empty() {
            block.body = body;
        } else {
            // Many blocks have few operations.
            block.body = body.as_slice().into();
            body.clear();
            self.body = body;
        }
        Ok(())
    }

    /// Walks a step that is conditional, jumps, or does not run for the lane. Returns the end of the block, or advances
    /// `state`.
    fn unusual(
        &mut self,
        state: &mut S::State,
        active: bool,
        step: &Step,
        index: usize,
        body: &mut Vec<Value>,
    ) -> Result<Option<End>, Diagnostic> {
        let mut control = step.control;
        if let Some(place) = control.place.filter(|_| active) {
            let target = constant::constant(self.lifted.files, place, &self.func.nodes, body);
            match (target, self.lifted.targets.get(&step.pc).map(Vec::as_slice)) {
                (Some(target), _) => control.target = target as u32,
                (None, Some([first, others @ ..])) => {
                    return self.choose(state, step, index, body, (*first, others)).map(Some);
                }
                (None, _) => return Err(indirect(self.seq.at(state))),
            }
        }
        let runs = active || step.whole_wave;
        let (mut yes, mut no) = (state.clone(), state.clone());
        self.seq.step(&mut yes, &control, step.next, u32::from(runs))?;
        if control.cond.is_some() && runs {
            self.seq.step(&mut no, &control, step.next, 0)?;
        } else {
            no.clone_from(&yes);
        }
        // Values computed by an inactive lane affect only the sequencer's state, and the state already includes them.
        let idle = !active && yes == no;
        if !active && runs && !idle {
            self.note_known(state, index as u32, body);
        }
        let before = body.len();
        let base = if runs && !idle { self.place(step, index, body)? } else { step.nodes.start };
        let local = |v: Value| Value(v.0 - step.nodes.start + base);
        match step.guard {
            Some(guard) if runs && !idle && self.needs_block(step, guard) => {
                if step.control.op != ControlOp::Next {
                    return Err(Diagnostic::error("flow-guard", "a guarded branch has other effects"));
                }
                return self.guarded(local(guard), yes, body).map(Some);
            }
            Some(guard) if runs && !idle => self.select_writes(local(guard), before, body),
            _ => {}
        }
        if step.control.op == ControlOp::Next {
            *state = yes;
            return Ok(None);
        }
        Ok(Some(match step.control.cond {
            Some(cond) if yes != no => {
                End::Branch { cond: local(cond), yes: self.intern(yes)?, no: self.intern(no)? }
            }
            _ => End::Jump(self.intern(yes)?),
        }))
    }

    /// A jump to one of several targets: compares the computed target with each but the last.
    fn choose(
        &mut self,
        state: &S::State,
        step: &Step,
        index: usize,
        body: &mut Vec<Value>,
        (first, others): (u32, &[u32]),
    ) -> Result<End, Diagnostic> {
        let base = self.place(step, index, body)?;
        let local = |v: Value| Value(v.0 - step.nodes.start + base);
        let to = |seq: &S, target: u32, cond: u32| {
            let mut state = state.clone();
            seq.step(&mut state, &Control { target, ..step.control }, step.next, cond).map(|()| state)
        };
        // The last target needs no comparison.
        let mut edge = self.intern(to(self.seq, first, 1)?)?;
        for &target in others {
            let taken = self.intern(to(self.seq, target, 1)?)?;
            let start = self.func.nodes.list.len() as u32;
            let place = step.control.place.map_or(Value(start), local);
            let mut build = Builder::new(&mut self.func.nodes, index as u32);
            let target = build.constant(Type::I32, target.into());
            let cond = build.ieq(place, target);
            let id = self.new_block();
            let block = &mut self.func.blocks[id.index()];
            block.body = (start..self.func.nodes.list.len() as u32).map(Value).collect();
            block.end = End::Branch { cond, yes: taken, no: edge };
            edge = Edge::to(id);
        }
        Ok(match step.control.cond {
            Some(cond) => {
                End::Branch { cond: local(cond), yes: edge, no: self.intern(to(self.seq, first, 0)?)? }
            }
            None => End::Jump(edge),
        })
    }

    /// Moves the operations after the guard to a block of their own, which is skipped where the guard is false.
    fn guarded(&mut self, cond: Value, next: S::State, body: &mut Vec<Value>) -> Result<End, Diagnostic> {
        let split = body.iter().rposition(|v| *v == cond).map_or(body.len(), |i| i + 1);
        let inner = body.split_off(split);
        let then = self.new_block();
        let no = self.intern(next)?;
        let block = &mut self.func.blocks[then.index()];
        block.body = inner;
        block.end = End::Jump(no.clone());
        Ok(End::Branch { cond, yes: Edge::to(then), no })
    }

    /// Writes the register whose value the state determines.
    fn note_known(&mut self, state: &S::State, origin: u32, body: &mut Vec<Value>) {
        let Some((reg, ty, bits)) = self.seq.known(state) else { return };
        let start = self.func.nodes.list.len() as u32;
        let mut build = Builder::new(&mut self.func.nodes, origin);
        let value = build.constant(ty, bits);
        build.write(reg, crate::Mask::first(ty.count), value);
        body.extend((start..self.func.nodes.list.len() as u32).map(Value));
    }

    /// Whether a guarded step has effects other than register writes.
    fn needs_block(&self, step: &Step, guard: Value) -> bool {
        (guard.0 + 1..step.nodes.end).map(Value).any(|v| {
            let op = self.func.nodes.op(v);
            let loads = matches!(op, Op::Load { .. }) && !self.is_constant(op);
            let touches = loads || op.has_effect() && !matches!(op, Op::Write { .. });
            touches || self.func.nodes.class(v) != Class::Lane
        })
    }

    /// Whether an operation loads a constant whose address is known: every lane may run it.
    fn is_constant(&self, op: Op) -> bool {
        match op {
            Op::Load { space: Space::Constant(_), address } => {
                matches!(self.func.nodes.op(address), Op::Const(_))
            }
            _ => false,
        }
    }

    /// Makes every write from index `at` of the body on preserve the old value where `guard` is false.
    fn select_writes(&mut self, guard: Value, at: usize, body: &mut Vec<Value>) {
        for v in body.split_off(at) {
            if let Op::Write { reg, mask, value } = self.func.nodes.op(v)
                && v > guard
            {
                let origin = self.func.nodes.list[v.index()].origin;
                let ty = self.func.nodes.ty(value);
                let mut build = Builder::new(&mut self.func.nodes, origin);
                let old = build.read(reg, Swizzle::IDENTITY.under(mask), ty);
                let kept = build.select(guard, value, old);
                // Copies of the step are made of the operation itself, so it stays as it is.
                let write = self.func.nodes.push(Op::Write { reg, mask, value: kept }, Type::NONE, origin);
                body.extend([old, kept, write]);
                continue;
            }
            body.push(v);
        }
    }

    /// Whether the block continues at `state`. A join ends it, so that every other path to the join finds the same
    /// block.
    fn goes_on(&self, state: &S::State, near: usize) -> bool {
        match self.seq.at(state) {
            At::Step(pc) => self.lifted.find_near(pc, near).is_some_and(|i| !self.marks[i].leader),
            At::Done => true,
            At::Implied(_) => false,
        }
    }

    /// Appends a step's operations to a body and returns the value number of the first one. The first visit of a step
    /// uses the lifted operations themselves, later visits use copies.
    #[inline(always)]
    fn place(&mut self, step: &Step, index: usize, body: &mut Vec<Value>) -> Result<u32, Diagnostic> {
        let nodes = &mut self.func.nodes;
        let again = core::mem::replace(&mut self.marks[index].visited, true);
        let base = if again { nodes.list.len() as u32 } else { step.nodes.start };
        body.extend((base..base + step.nodes.len() as u32).map(Value));
        if !again {
            let own = &mut nodes.list[step.nodes.start as usize..step.nodes.end as usize];
            own.iter_mut().for_each(|n| n.origin = index as u32);
            return Ok(base);
        }
        let left = self.left.copies.checked_sub(step.nodes.len());
        self.left.copies = left.ok_or_else(|| too_many(self.growth))?;
        for v in step.nodes.clone().map(Value) {
            let copy = nodes.copy(v, |o| Value(o.0 - step.nodes.start + base));
            nodes.list[copy.index()].origin = index as u32;
        }
        Ok(base)
    }
}
