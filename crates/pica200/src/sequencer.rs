//! PICA200's control flow: blocks end at addresses, which three stacks store.
//!
//! Calls, conditions and loops each have a ring of entries: one too many overwrites the oldest. After every
//! instruction the next address is compared with the newest entry of each ring. A call that ends there returns, and
//! so does one that ends where the first returned to (up to four at once, the fourth without effect). A condition
//! that ends there skips its other part. A loop that ends there begins its next iteration or, after the last one,
//! continues at its end. A loop has priority over a condition, a condition over a call, a call over a jump.
//!
//! Each vertex runs separately. Vertices of a wave that are at the same word with the same stacks run together, as a
//! group: no instruction distinguishes vertices, so the results are those of running them one by one. If they
//! diverge, the group at the lowest word runs first, so that it catches up.
//!
//! Loop counters are data, in the registers of [`LOOPS`]; only the loops' addresses are here. So the end of an
//! iteration is a step of its own, [`implied`].

use crate::attributes::Role;
use crate::options::{AlWidth, InnerAl, Options};
use crate::ring::{Open, Ring};
use crate::{ADDRESS, LOOPS};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    At, Builder, Control, ControlOp, FileId, Frame, FrameKind, Lanes, Lifted, Mask, Reg, Scalar, Stack, Step,
    Swizzle, Type, Value,
};

/// `call` and its variants: from the target up to the second number.
pub const CALL: ControlOp = ControlOp::Call;
/// `ifc`, `ifu`: up to the target if the condition holds; else from the target up to the second number.
pub const IF: ControlOp = ControlOp::Push(0);
/// `for`: up to the target.
pub const LOOP: ControlOp = ControlOp::Loop;
/// `break`, `breakc`.
pub const BREAK: ControlOp = ControlOp::Pop(0);
/// `jmpc`, `jmpu`.
pub const JUMP: ControlOp = ControlOp::Branch;
/// `end`. The second number is not zero if an `end` that is a loop's last word ends the iteration first.
pub const END: ControlOp = ControlOp::Exit;
/// The end of an iteration; the condition states whether there is another.
const ITERATION_END: ControlOp = ControlOp::Again;

/// The control operation of instructions with a role.
pub const fn control_of(role: Role) -> ControlOp {
    match role {
        Role::Compute | Role::Address | Role::Compare | Role::Nop | Role::SetEmit | Role::Emit => {
            ControlOp::Next
        }
        Role::Call => CALL,
        Role::Condition => IF,
        Role::Loop => LOOP,
        Role::Break => BREAK,
        Role::Jump => JUMP,
        Role::End => END,
    }
}

/// Capacity of the ring of calls.
pub(crate) const CALL_DEPTH: usize = 4;
/// Capacity of the ring of conditions.
pub(crate) const CONDITION_DEPTH: usize = 8;
/// Capacity of the ring of loops.
pub(crate) const LOOP_DEPTH: usize = 4;

/// The sequencer of a program. A lane is one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequencer;

/// The words of all vertices.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The group that runs.
    now: Group,
    /// The groups that wait; none of them has ended.
    waiting: Vec<Group>,
}

/// Vertices at one word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    pc: u32,
    lanes: Lanes,
    calls: Ring<CALL_DEPTH>,
    conditions: Ring<CONDITION_DEPTH>,
    /// `to` is the first word of the body.
    loops: Ring<LOOP_DEPTH>,
    /// The pending implied step.
    due: Option<Due>,
}

/// The step that is pending after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// The innermost loop's iteration ends.
    Iteration,
    /// The innermost loop is left.
    Leave,
    /// The innermost loop's iteration ends, and then the program.
    End,
}

impl State {
    /// The stored calls, oldest first.
    pub(crate) fn calls(&self) -> &[Open] {
        &self.now.calls
    }

    /// The stored conditions, oldest first.
    pub(crate) fn conditions(&self) -> &[Open] {
        &self.now.conditions
    }

    /// The stored loops, oldest first; they continue at the first word of the body.
    pub(crate) fn loops(&self) -> &[Open] {
        &self.now.loops
    }

    /// The current word; for a loop's end, the loop's last word.
    pub fn word(&self) -> u32 {
        match (self.now.due, self.now.loops.last()) {
            (Some(_), Some(open)) => open.end.wrapping_sub(1),
            _ => self.now.pc,
        }
    }

    /// Joins groups that are at the same word with the same stacks, and runs the one at the lowest word.
    fn regroup(&mut self) {
        self.waiting.retain(|g| g.lanes != 0);
        let now = &mut self.now;
        self.waiting.retain(|other| {
            let met = other.is_where(now);
            if met {
                now.lanes |= other.lanes;
            }
            !met
        });
        let place = |g: &Group| (g.pc, g.due);
        let Some(first) = self.waiting.iter_mut().min_by_key(|g| place(g)) else { return };
        if self.now.lanes == 0 || place(first) < place(&self.now) {
            core::mem::swap(&mut self.now, first);
        }
        self.waiting.retain(|g| g.lanes != 0);
    }
}

impl Group {
    /// Whether both are at the same word with the same stacks. An ended group is at no word.
    fn is_where(&self, other: &Group) -> bool {
        other.lanes != 0
            && (self.pc, self.due) == (other.pc, other.due)
            && self.calls == other.calls
            && self.conditions == other.conditions
            && self.loops == other.loops
    }

    /// Compares the address after the instruction with the stacks; `pc` is the instruction's own target.
    fn offer(&mut self, offered: u32, pc: u32) {
        self.pc = pc;
        let mut reached = offered;
        for n in 1..=CALL_DEPTH {
            let Some(call) = self.calls.pop_at(reached) else { break };
            // The fourth in a row is popped without effect.
            if n < CALL_DEPTH {
                (self.pc, reached) = (call.to, call.to);
            }
        }
        if let Some(open) = self.conditions.pop_at(offered) {
            self.pc = open.to;
        }
        if self.due.is_none() && self.loops.last().is_some_and(|l| l.end == offered) {
            self.due = Some(Due::Iteration);
        }
    }
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        let (calls, conditions, loops) = (Ring::new(), Ring::new(), Ring::new());
        let now = Group { pc: entry, lanes, calls, conditions, loops, due: None };
        State { now, waiting: Vec::new() }
    }

    fn at(&self, s: &State) -> At {
        let s = &s.now;
        match s.due {
            _ if s.lanes == 0 => At::Done,
            None => At::Step(s.pc),
            Some(Due::Iteration | Due::End) => At::Implied(implied_number(s.loops.len(), false)),
            Some(Due::Leave) => At::Implied(implied_number(s.loops.len(), true)),
        }
    }

    fn active(&self, s: &State) -> Lanes {
        s.now.lanes
    }

    /// The rings of the group that runs, and the groups that wait.
    fn files(&self) -> &'static [FileId] {
        &[LOOPS]
    }

    fn stacks(&self, s: &State) -> Vec<Stack> {
        let ring = |name, kind, room, entries: &[Open]| {
            let frame = |open: &Open| Frame {
                kind,
                target: Some(open.to),
                lanes: None,
                text: format!("up to word {:#x}, then", open.end),
            };
            Stack { name, room: Some(room), frames: entries.iter().map(frame).collect() }
        };
        let waiting = |group: &Group| Frame {
            kind: FrameKind::Other,
            target: Some(group.pc),
            lanes: Some(group.lanes),
            text: "waits".into(),
        };
        vec![
            ring("calls", FrameKind::Call, CALL_DEPTH, &s.now.calls),
            ring("conditions", FrameKind::Condition, CONDITION_DEPTH, &s.now.conditions),
            ring("loops", FrameKind::Loop, LOOP_DEPTH, &s.now.loops),
            Stack { name: "other vertices", room: None, frames: s.waiting.iter().map(waiting).collect() },
        ]
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        let held = cond & s.now.lanes;
        if held != 0 && held != s.now.lanes {
            let mut other = s.now.clone();
            other.lanes &= !held;
            s.now.lanes = held;
            other.step(control, next, false)?;
            s.waiting.push(other);
        }
        s.now.step(control, next, held != 0)?;
        if !s.waiting.is_empty() {
            s.regroup();
        }
        Ok(())
    }
}

impl Group {
    /// Continues after a step; `held`: whether its condition held.
    fn step(&mut self, control: &Control, next: u32, held: bool) -> Result<(), Diagnostic> {
        let s = self;
        if let Some(due) = s.due.take() {
            if due == Due::End {
                s.lanes = 0;
                return Ok(());
            }
            let left = due == Due::Leave || !held;
            let entry = if left { s.loops.pop() } else { s.loops.last().copied() };
            let Some(entry) = entry else { return Ok(()) };
            // In the last iteration, too, the loop has priority over the word before its end.
            s.pc = if left { entry.end } else { entry.to };
            return Ok(());
        }
        let mut pc = next;
        match control.op {
            CALL if held => {
                s.calls.push(Open { end: control.extra, to: next });
                pc = control.target;
            }
            IF if held => s.conditions.push(Open { end: control.target, to: control.extra }),
            IF => pc = control.target,
            LOOP => s.loops.push(Open { end: control.target, to: next }),
            BREAK if held => {
                if s.loops.is_empty() {
                    return Err(Diagnostic::error(
                        "pica-run-break",
                        "break outside of a loop: the hardware hangs",
                    ));
                }
                s.due = Some(Due::Leave);
            }
            JUMP if held => pc = control.target,
            END if control.extra != 0 && s.loops.last().is_some_and(|l| l.end == next) => {
                s.due = Some(Due::End);
                return Ok(());
            }
            END => s.lanes = 0,
            ControlOp::Invalid => {
                let text = format!("the program reaches word {}, whose opcode is unknown", s.pc);
                return Err(Diagnostic::error("lift-opcode", text));
            }
            _ => {}
        }
        s.offer(next, pc);
        Ok(())
    }
}

/// A part of loop entry `n`: 0 iterations left, 1 step, 2 the `aL` that the loop began with.
const fn part(n: u16, i: u16) -> Reg {
    Reg::new(LOOPS, 3 * n + i)
}

const AL: Reg = Reg::new(ADDRESS, 2);

fn read(b: &mut Builder<'_>, reg: Reg) -> Value {
    b.read(reg, Swizzle::IDENTITY, Type::I32)
}

fn entry(b: &mut Builder<'_>, n: u16) -> Value {
    b.read(part(n, 0), Swizzle::IDENTITY, Scalar::I32.by(3))
}

/// Begins a loop: the entries shift, and the new one is first.
pub(crate) fn push_loop(b: &mut Builder<'_>, iterations: Value, start: Value, step: Value) {
    for n in (1..LOOP_DEPTH as u16).rev() {
        let moved = entry(b, n - 1);
        b.write(part(n, 0), Mask::first(3), moved);
    }
    let new = b.join(&[iterations, step, start]);
    b.write(part(0, 0), Mask::first(3), new);
    b.write(AL, Mask::first(1), start);
}

/// Ends an iteration of the innermost of `depth` loops or, if `leave` is set, that loop. Returns the condition: whether there
/// is another iteration. The entries of loops that do not run keep their contents, which nothing reads.
///
/// If the loop ends, its entry is dropped; inside another loop `aL` is by default restored to the value with which this
/// loop began. Azahar's interpreter does so; no hardware test is published.
fn end_iteration(b: &mut Builder<'_>, depth: u16, leave: bool, options: &Options) -> Option<Value> {
    let [left, step, began, al] = [part(0, 0), part(0, 1), part(0, 2), AL].map(|r| read(b, r));
    let zero = b.i32(0);
    let again = (!leave).then(|| b.ine(left, zero));
    let pick = |b: &mut Builder<'_>, yes: Value, no: Value| match again {
        Some(again) => b.select(again, yes, no),
        None => no,
    };
    let mut stepped = b.iadd(al, step);
    if options.al_width == AlWidth::Byte {
        let byte = b.i32(0xff);
        stepped = b.and(stepped, byte);
    }
    let restores = depth > 1 && options.inner_al == InnerAl::Began;
    let al = if restores { pick(b, stepped, began) } else { stepped };
    b.write(AL, Mask::first(1), al);
    let one = b.i32(1);
    let fewer = b.isub(left, one);
    let mut stays = b.join(&[fewer, step, began]);
    for n in 1..depth {
        let next = entry(b, n);
        let value = pick(b, stays, next);
        b.write(part(n - 1, 0), Mask::first(3), value);
        stays = next;
    }
    if !leave {
        b.write(part(depth - 1, 0), Mask::first(3), stays);
    }
    again
}

/// The number of the step that ends an iteration of the innermost of `depth` loops, or leaves that loop.
fn implied_number(depth: usize, leave: bool) -> u32 {
    let first = if leave { LOOP_DEPTH } else { 0 };
    (first + depth.saturating_sub(1)) as u32
}

/// The implied steps, in the order of their numbers. A program without loops has none.
pub fn implied(program: &mut Lifted, options: &Options) {
    if !program.steps.iter().any(|step| step.control.op == LOOP) {
        return;
    }
    for leave in [false, true] {
        for depth in 1..=LOOP_DEPTH as u16 {
            let start = program.nodes.list.len() as u32;
            let origin = (program.steps.len() + program.implied.len()) as u32;
            let mut b = Builder::new(&mut program.nodes, origin);
            let cond = end_iteration(&mut b, depth, leave, options);
            let nodes = start..program.nodes.list.len() as u32;
            let control = Control { op: ITERATION_END, cond, ..Control::default() };
            program.implied.push(Step { pc: 0, next: 0, nodes, guard: None, whole_wave: false, control });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shisa_ir::Sequencer as _;

    fn step(state: &mut State, op: ControlOp, (target, extra): (u32, u32), next: u32) {
        let control = Control { op, target, extra, ..Control::default() };
        Sequencer.step(state, &control, next, 1).unwrap();
    }

    /// The hardware stores four calls, eight conditions and four loops.
    #[test]
    fn one_block_too_many_drops_the_oldest() {
        let entries = |list: &[Open]| list.iter().map(|open| (open.end, open.to)).collect::<Vec<_>>();
        for (op, depth) in [(CALL, 4), (IF, 8), (LOOP, 4)] {
            let mut state = Sequencer.start(0, 1);
            for n in 0..=depth {
                // Ends that no path reaches, each a different one.
                let end = 1000 + n;
                step(&mut state, op, if op == CALL { (n, end) } else { (end, 2000 + n) }, n + 1);
            }
            let list = match op {
                CALL => state.calls(),
                IF => state.conditions(),
                _ => state.loops(),
            };
            let to = |n| if op == IF { 2000 + n } else { n + 1 };
            assert_eq!(entries(list), (1..=depth).map(|n| (1000 + n, to(n))).collect::<Vec<_>>(), "{op:?}");
        }
    }

    /// Each return is compared with the next older call; the fourth of them is popped without effect.
    #[test]
    fn three_calls_return_at_once() {
        let mut state = Sequencer.start(0, 1);
        for (end, to) in [(40, 50), (30, 40), (20, 30), (10, 20)] {
            step(&mut state, CALL, (100, end), to);
        }
        step(&mut state, ControlOp::Next, (0, 0), 10);
        assert_eq!((Sequencer.at(&state), state.calls().len()), (At::Step(40), 0));
    }
}
