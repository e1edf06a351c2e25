//! How PICA200 moves: blocks end at addresses, which four stacks remember.
//!
//! Calls, conditions and loops each have a ring of entries: one too many drops the oldest. Behind every
//! instruction the next address is offered to all of them: a call that ends there returns, and so does one
//! that ends where the first returned to (up to four at once, the fourth without effect), a condition that ends there skips its other part, a loop that ends
//! there turns. A loop has the last word, then the condition, the call, the jump.
//!
//! Each vertex moves for itself. Those of a wave that stand at the same place with the same stacks go
//! together, as a group: nothing that an instruction does tells one vertex of another, so the results are
//! those of running them one by one. Where they part, the group whose word comes first runs first, so that
//! it catches up.
//!
//! What a loop counts is data and lives in the registers of [`LOOPS`]; only its place is here. So the
//! end of a turn is a step of its own, [`implied`].

use crate::options::AlWidth;
use crate::{ADDRESS, FILES, LOOPS};
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    At, Builder, Control, ControlOp, Lanes, Lifted, Mask, Reg, Scalar, Step, Swizzle, Type, Value,
};

/// `call` and its kin: from the target up to the second number.
pub const CALL: ControlOp = ControlOp::Call;
/// `ifc`, `ifu`: up to the target where the condition holds; else from the target up to the second number.
pub const IF: ControlOp = ControlOp::Push(0);
/// `for`: up to the target.
pub const LOOP: ControlOp = ControlOp::Loop;
/// `break`, `breakc`.
pub const BREAK: ControlOp = ControlOp::Pop(0);
/// `jmpc`, `jmpu`.
pub const JUMP: ControlOp = ControlOp::Branch;
/// `end`.
pub const END: ControlOp = ControlOp::Exit;
/// The end of a turn; the condition says whether there is another.
const TURN: ControlOp = ControlOp::Again;

/// How many calls are remembered.
pub(crate) const CALLS: usize = 4;
/// How many conditions are remembered.
pub(crate) const CONDITIONS: usize = 8;
/// How many loops are remembered.
pub(crate) const DEPTH: usize = 4;

/// The sequencer of a program. A lane is one vertex.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequencer;

/// A block that runs: where it ends, and where the machine then goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Open {
    pub(crate) end: u32,
    pub(crate) to: u32,
}

/// Where the vertices are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    /// The group that runs.
    now: Group,
    /// Those that wait; none of them has ended.
    waiting: Vec<Group>,
}

/// Vertices at one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    pc: u32,
    lanes: Lanes,
    calls: Vec<Open>,
    conditions: Vec<Open>,
    /// `to` is the first word of the body.
    loops: Vec<Open>,
    /// The implied step that is due.
    due: Option<Due>,
}

/// What is left to do behind an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Due {
    /// The innermost loop's turn ends.
    Turn,
    /// The innermost loop is left.
    Leave,
}

fn push(stack: &mut Vec<Open>, depth: usize, entry: Open) {
    if stack.len() == depth {
        stack.remove(0);
    }
    stack.push(entry);
}

impl State {
    /// The calls that are remembered, the oldest first.
    pub(crate) fn calls(&self) -> &[Open] {
        &self.now.calls
    }

    /// The conditions that are remembered, the oldest first.
    pub(crate) fn conditions(&self) -> &[Open] {
        &self.now.conditions
    }

    /// The loops that are remembered, the oldest first; they go on at the first word of the body.
    pub(crate) fn loops(&self) -> &[Open] {
        &self.now.loops
    }

    /// The word that runs; of a loop's end, its last word.
    pub fn word(&self) -> u32 {
        match (self.now.due, self.now.loops.last()) {
            (Some(_), Some(open)) => open.end.wrapping_sub(1),
            _ => self.now.pc,
        }
    }

    /// Joins groups that have come to one place, and lets the one that is behind run.
    fn regroup(&mut self) {
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
    /// Whether both stand at one place with the same stacks. An ended group stands nowhere.
    fn is_where(&self, other: &Group) -> bool {
        other.lanes != 0
            && (self.pc, self.due) == (other.pc, other.due)
            && self.calls == other.calls
            && self.conditions == other.conditions
            && self.loops == other.loops
    }

    /// Offers the address behind the instruction to the stacks; `pc` is where it wants to go.
    fn offer(&mut self, offered: u32, pc: u32) {
        self.pc = pc;
        let mut reached = offered;
        for n in 1..=CALLS {
            let Some(call) = self.calls.pop_if(|c| c.end == reached) else { break };
            // The fourth in a row comes off the stack, but the machine does not go there.
            if n < CALLS {
                (self.pc, reached) = (call.to, call.to);
            }
        }
        if let Some(open) = self.conditions.pop_if(|c| c.end == offered) {
            self.pc = open.to;
        }
        if self.due.is_none() && self.loops.last().is_some_and(|l| l.end == offered) {
            self.due = Some(Due::Turn);
        }
    }
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        let empty = Vec::new;
        let now = Group { pc: entry, lanes, calls: empty(), conditions: empty(), loops: empty(), due: None };
        State { now, waiting: Vec::new() }
    }

    fn at(&self, s: &State) -> At {
        let s = &s.now;
        let outer = u32::from(s.loops.len() > 1);
        match s.due {
            _ if s.lanes == 0 => At::Done,
            None => At::Step(s.pc),
            Some(Due::Turn) => At::Implied(outer),
            Some(Due::Leave) => At::Implied(2 + outer),
        }
    }

    fn active(&self, s: &State) -> Lanes {
        s.now.lanes
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
    /// Goes on behind a step; `held` tells whether its condition held.
    fn step(&mut self, control: &Control, next: u32, held: bool) -> Result<(), Diagnostic> {
        let s = self;
        if let Some(due) = s.due.take() {
            let left = due == Due::Leave || !held;
            let entry = if left { s.loops.pop() } else { s.loops.last().copied() };
            let Some(entry) = entry else { return Ok(()) };
            s.pc = match (due, left) {
                (Due::Turn, false) => entry.to,
                (Due::Turn, true) => s.pc,
                (Due::Leave, _) => entry.end,
            };
            return Ok(());
        }
        let mut pc = next;
        match control.op {
            CALL if held => {
                push(&mut s.calls, CALLS, Open { end: control.extra, to: next });
                pc = control.target;
            }
            IF if held => {
                push(&mut s.conditions, CONDITIONS, Open { end: control.target, to: control.extra })
            }
            IF => pc = control.target,
            LOOP => push(&mut s.loops, DEPTH, Open { end: control.target, to: next }),
            BREAK if held => {
                if s.loops.is_empty() {
                    return Err(Diagnostic::error(
                        "pica-run-break",
                        "break outside of a loop: the machine hangs",
                    ));
                }
                s.due = Some(Due::Leave);
            }
            JUMP if held => pc = control.target,
            END => s.lanes = 0,
            ControlOp::Invalid => {
                let text = format!("the program comes to word {}, whose opcode is unknown", s.pc);
                return Err(Diagnostic::error("lift-opcode", text));
            }
            _ => {}
        }
        s.offer(next, pc);
        Ok(())
    }
}

/// A part of loop entry `n`: 0 turns left, 1 step, 2 the `aL` that the loop began with.
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

/// Begins a loop: the entries move on, the new one comes first.
pub(crate) fn push_loop(b: &mut Builder<'_>, turns: Value, start: Value, step: Value) {
    for n in (1..DEPTH as u16).rev() {
        let moved = entry(b, n - 1);
        b.write(part(n, 0), Mask::first(3), moved);
    }
    let new = b.join(&[turns, step, start]);
    b.write(part(0, 0), Mask::first(3), new);
    b.write(AL, Mask::first(1), start);
}

/// Ends a turn or, where `leave` says so, the loop. Whether there is another turn is the condition.
/// When the loop ends its entry goes; where a loop lies around it, `aL` goes back to what this one began
/// with. That is what Azahar's interpreter does; no test of hardware is published.
fn turn(b: &mut Builder<'_>, outer: bool, leave: bool, width: AlWidth) -> Option<Value> {
    let [left, step, began, al] = [part(0, 0), part(0, 1), part(0, 2), AL].map(|r| read(b, r));
    let zero = b.i32(0);
    let again = (!leave).then(|| b.ine(left, zero));
    let pick = |b: &mut Builder<'_>, yes: Value, no: Value| match again {
        Some(again) => b.select(again, yes, no),
        None => no,
    };
    let mut stepped = b.iadd(al, step);
    if width == AlWidth::Byte {
        let byte = b.i32(0xff);
        stepped = b.and(stepped, byte);
    }
    let al = if outer { pick(b, stepped, began) } else { stepped };
    b.write(AL, Mask::first(1), al);
    let one = b.i32(1);
    let fewer = b.isub(left, one);
    let counted = b.join(&[fewer, step, began]);
    let entries: Vec<Value> = (0..DEPTH as u16).map(|n| entry(b, n)).collect();
    for n in 0..DEPTH {
        let stays = if n == 0 { counted } else { entries[n] };
        let next = entries.get(n + 1).copied().unwrap_or(entries[n]);
        let value = pick(b, stays, next);
        b.write(part(n as u16, 0), Mask::first(3), value);
    }
    again
}

/// What runs without an instruction, in the order that the sequencer counts: the end of a turn of the
/// only loop, of an inner loop, a break out of the only loop, of an inner one.
pub fn implied(program: &mut Lifted, width: AlWidth) {
    debug_assert_eq!(program.files, FILES);
    for (leave, outer) in [(false, false), (false, true), (true, false), (true, true)] {
        let start = program.nodes.list.len() as u32;
        let origin = (program.steps.len() + program.implied.len()) as u32;
        let mut b = Builder::new(&mut program.nodes, origin);
        let cond = turn(&mut b, outer, leave, width);
        let nodes = start..program.nodes.list.len() as u32;
        let control = Control { op: TURN, cond, ..Control::default() };
        program.implied.push(Step { pc: 0, next: 0, nodes, guard: None, whole_wave: false, control });
    }
}
