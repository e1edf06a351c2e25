//! Control flow between instructions.
//!
//! Each control row lifts to one [`Control`]. An instruction set's [`Sequencer`] is the only interpreter of control
//! operations: it holds the program counter, masks and stacks in a [`Sequencer::State`] and steps it. Driven with the
//! masks of a real wave, it *is* the evaluator's control flow. Driven with one lane and both outcomes of every
//! condition, it explores the program ([`crate::recover`]).

use crate::{Builder, FileId, Nodes, Op, Reg, Type, Value, map_operands};
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use core::{fmt, ops::Range};
use shisa_diag::Diagnostic;

/// A set of lanes of a wave, bit n for lane n.
pub type Lanes = u32;

/// The largest number of lanes in a wave.
pub const WAVE: usize = 32;

/// What an instruction does to control flow. The sequencer of the instruction set defines the numbers inside
/// [`ControlOp::Push`] and [`ControlOp::Pop`] and the meaning of each operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControlOp {
    /// Continues with the next instruction.
    #[default]
    Next,
    /// Jumps to the target.
    Branch,
    /// Pushes a token of this kind.
    Push(u8),
    /// Pops a token of this kind.
    Pop(u8),
    /// Jumps to the target; a return continues after the call.
    Call,
    /// Returns from a call.
    Return,
    /// Begins a loop.
    Loop,
    /// Ends an iteration of a loop.
    Again,
    /// Sets the lane's counter.
    Counter(u8),
    /// Ends the lane.
    Exit,
    /// Stops the program for the host or a debugger: the sequencer returns an error.
    Trap,
    /// There is no instruction here: the sequencer returns an error.
    Invalid,
}

/// A control operation with its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// The operation.
    pub op: ControlOp,
    /// The lane's condition, an `i1`; `None` for an unconditional operation.
    pub cond: Option<Value>,
    /// Program counter of the target, where the operation has one.
    pub target: u32,
    /// The target as an `i32` of each lane, in place of `target`. The engine that runs the program copies it into
    /// `target` if all lanes whose condition holds agree, and calls [`Sequencer::scatter`] otherwise. If there is no such
    /// lane, the target is undefined.
    pub place: Option<Value>,
    /// A second operand, where the operation has one: the end of a called range, or a nesting level.
    pub extra: u32,
}

/// One lifted instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its program counter.
    pub pc: u32,
    /// The program counter of the instruction after it.
    pub next: u32,
    /// Its operations, a run of [`Lifted::nodes`].
    pub nodes: Range<u32>,
    /// An `i1` among the operations: lanes where it is false skip every operation with an effect that follows it. The
    /// condition of a control operation already includes the guard.
    pub guard: Option<Value>,
    /// Whether the operations and the condition run for all lanes of the wave, active or not.
    pub whole_wave: bool,
    /// What it does to the flow of control.
    pub control: Control,
}

/// A lifted program: each instruction separately, reading and writing registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The register files that the operations refer to.
    pub files: &'static [crate::File],
    /// All operations. An operation's operands belong to the same step.
    pub nodes: Nodes,
    /// The instructions in ascending order of program counter.
    pub steps: Vec<Step>,
    /// Steps that run without an instruction ([`At::Implied`]), such as the end of a loop body.
    pub implied: Vec<Step>,
    /// The targets of jumps with a computed target, as far as they are known: for the program counter of each jump those
    /// of its targets. Only recovery reads them.
    pub targets: BTreeMap<u32, Vec<u32>>,
}

impl Lifted {
    /// An empty program over these register files.
    pub fn new(files: &'static [crate::File]) -> Self {
        Lifted {
            files,
            nodes: Nodes::default(),
            steps: Vec::new(),
            implied: Vec::new(),
            targets: BTreeMap::new(),
        }
    }

    /// The index of the instruction at `pc`.
    pub fn find(&self, pc: u32) -> Option<usize> {
        match self.steps.get(pc as usize) {
            Some(s) if s.pc == pc => Some(pc as usize),
            _ => self.steps.binary_search_by_key(&pc, |s| s.pc).ok(),
        }
    }

    /// As [`Lifted::find`], at once if the instruction has the index `near`.
    #[inline]
    pub(crate) fn find_near(&self, pc: u32, near: usize) -> Option<usize> {
        match self.steps.get(near) {
            Some(s) if s.pc == pc => Some(near),
            _ => self.find(pc),
        }
    }

    /// The step that runs at `at`, and its index among all steps (implied steps are numbered after the instructions).
    pub fn step(&self, at: At) -> Option<(usize, &Step)> {
        self.step_near(at, usize::MAX)
    }

    /// As [`Lifted::step`], at once if the step is an instruction with the index `near`.
    #[inline]
    pub(crate) fn step_near(&self, at: At, near: usize) -> Option<(usize, &Step)> {
        let i = match at {
            At::Step(pc) => self.find_near(pc, near)?,
            At::Implied(i) => self.steps.len() + i as usize,
            At::Done => return None,
        };
        Some((i, self.step_of(i)?.1))
    }

    /// Appends operations to an instruction that has been lifted. Its operations move to the end of the arena, where those
    /// that `f` appends follow them.
    pub fn append(&mut self, index: usize, f: impl FnOnce(&mut Builder<'_>)) {
        let Some(step) = self.steps.get_mut(index) else { return };
        let list = &mut self.nodes.list;
        let (start, old) = (list.len() as u32, step.nodes.clone());
        if old.end != start {
            let moved = |v: Value| Value(v.0 - old.start + start);
            for n in old.clone() {
                let mut node = list[n as usize];
                // An operation on a texture belongs to one node alone.
                let texture = match node.op {
                    Op::Texture(n) | Op::TextureStore(n) | Op::TextureAtomic(n) => {
                        self.nodes.textures.get_mut(n as usize)
                    }
                    _ => None,
                };
                map_operands(&mut node, texture, moved);
                list.push(node);
            }
            step.guard = step.guard.map(moved);
            step.control.cond = step.control.cond.map(moved);
            step.control.place = step.control.place.map(moved);
            step.nodes.start = start;
        }
        f(&mut Builder::new(&mut self.nodes, index as u32));
        step.nodes.end = self.nodes.list.len() as u32;
    }

    /// The step of an index among all steps, and its position.
    pub fn step_of(&self, index: usize) -> Option<(At, &Step)> {
        if let Some(step) = self.steps.get(index) {
            return Some((At::Step(step.pc), step));
        }
        let implied = index.checked_sub(self.steps.len())?;
        Some((At::Implied(implied as u32), self.implied.get(implied)?))
    }
}

/// The position of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// Before the instruction at this program counter.
    Step(u32),
    /// Before this one of [`Lifted::implied`].
    Implied(u32),
    /// Every lane has ended.
    Done,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            At::Step(pc) => write!(f, "program counter {pc:#x}"),
            At::Implied(n) => write!(f, "implied step {n}"),
            At::Done => f.write_str("the end"),
        }
    }
}

/// What opened an entry of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FrameKind {
    /// A call.
    Call,
    /// A loop.
    Loop,
    /// A condition.
    Condition,
    /// Something else, such as lanes that wait at another address.
    Other,
}

/// An entry of a stack of control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// What opened it.
    pub kind: FrameKind,
    /// The program counter at which it ends, or at which its lanes continue.
    pub target: Option<u32>,
    /// The lanes that it concerns, if the entry has lanes of its own.
    pub lanes: Option<Lanes>,
    /// What the entry is, in the words of the instruction set, such as `SSY`.
    pub text: String,
}

/// A stack of control flow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stack {
    /// Its name, such as `calls`.
    pub name: &'static str,
    /// How many entries the hardware has room for, if that is known.
    pub room: Option<usize>,
    /// The oldest entry first.
    pub frames: Vec<Frame>,
}

/// The only interpreter of an instruction set's control operations.
pub trait Sequencer {
    /// Program counter, masks and stacks: everything that determines where the wave goes next, and nothing else.
    type State: Clone + Ord + fmt::Debug;

    /// A wave of these lanes at `entry`.
    fn start(&self, entry: u32, lanes: Lanes) -> Self::State;

    /// Makes `state` that of a wave of these lanes at `entry`, as [`Sequencer::start`] does, with the memory that it has.
    fn restart(&self, state: &mut Self::State, entry: u32, lanes: Lanes) {
        *state = self.start(entry, lanes);
    }

    /// The position of the step that runs next.
    fn at(&self, state: &Self::State) -> At;

    /// The lanes that the next step runs for.
    fn active(&self, state: &Self::State) -> Lanes;

    /// A register whose value the state determines: the register, its type and its bits. Recovery writes the value
    /// where the state begins, so that operations that depend on it fold.
    fn known(&self, state: &Self::State) -> Option<(Reg, Type, u64)> {
        let _ = state;
        None
    }

    /// The stacks of the state; only debuggers ask for them.
    fn stacks(&self, _: &Self::State) -> Vec<Stack> {
        Vec::new()
    }

    /// The register files that are part of its stacks. Programs do not name their registers, which are zero when a wave
    /// starts.
    fn files(&self) -> &'static [FileId] {
        &[]
    }

    /// Whether a wave runs every step at most once, for all lanes that reach it together. Then lanes that took different
    /// branches are together again in every later step that they have in common.
    fn runs_steps_once(&self) -> bool {
        false
    }

    /// Advances the state. `next` is the program counter after the instruction. `cond` is the set of lanes whose
    /// condition holds: only bits of lanes that the step runs for count, and all of them are set if the operation has
    /// no condition.
    ///
    /// # Errors
    /// If the program does something that the hardware does not define, such as a pop from an empty stack.
    fn step(
        &self,
        state: &mut Self::State,
        control: &Control,
        next: u32,
        cond: Lanes,
    ) -> Result<(), Diagnostic>;

    /// Advances the state if the lanes whose condition holds have several computed targets: `targets` are these, each
    /// with its lanes, in the order of their lowest lanes.
    ///
    /// # Errors
    /// Those of [`Sequencer::step`]; `flow-divergent` if the instruction set does not define this case.
    fn scatter(
        &self,
        state: &mut Self::State,
        control: &Control,
        next: u32,
        targets: &[(u32, Lanes)],
    ) -> Result<(), Diagnostic> {
        let _ = (state, control, next);
        let list: Vec<_> = targets.iter().map(|(target, _)| format!("{target:#x}")).collect();
        let text = format!("active lanes jump to different targets: {}", list.join(", "));
        Err(Diagnostic::error("flow-divergent", text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, FileKind, Mask, Scalar, Swizzle, verify_lifted};
    use alloc::vec;

    static FILES: [File; 1] = [File {
        name: "r",
        kind: FileKind::Temp,
        unit_bits: 32,
        units_per_register: 1,
        units: 4,
        scalar: Scalar::I32,
    }];

    const fn r(unit: u16) -> Reg {
        Reg::new(FileId(0), unit)
    }

    /// Two steps: each compares two registers, and jumps under a guard that is its condition.
    fn jumps() -> Lifted {
        let mut lifted = Lifted::new(&FILES);
        for pc in 0..2 {
            let start = lifted.nodes.list.len() as u32;
            let mut b = Builder::new(&mut lifted.nodes, pc);
            let [x, y] = [0, 1].map(|unit| b.read(r(unit), Swizzle::IDENTITY, Type::I32));
            let cond = b.ieq(x, y);
            b.write(r(2), Mask::first(1), x);
            let control = Control { op: ControlOp::Branch, cond: Some(cond), ..Control::default() };
            let nodes = start..lifted.nodes.list.len() as u32;
            lifted.steps.push(Step {
                pc,
                next: pc + 1,
                nodes,
                guard: Some(cond),
                whole_wave: false,
                control,
            });
        }
        lifted
    }

    #[test]
    fn operations_follow_those_of_their_step() {
        for index in [0, 1] {
            let old = jumps();
            let mut new = old.clone();
            new.append(index, |b| {
                let value = b.i32(7);
                b.write(r(3), Mask::first(1), value);
            });
            verify_lifted(&new).unwrap();
            assert_eq!(new.steps[1 - index], old.steps[1 - index]);
            let (step, before) = (&new.steps[index], &old.steps[index]);
            assert_eq!(step.nodes.len(), before.nodes.len() + 2);
            assert_eq!(step.nodes.end as usize, new.nodes.list.len());
            // The last step has its operations where they were.
            assert_eq!(step.nodes.start, if index == 1 { 4 } else { 8 });
            let conditions = vec![step.guard, step.control.cond];
            assert_eq!(conditions, [Some(Value(step.nodes.start + 2)); 2]);
            let ops = |lifted: &Lifted, n: u32| lifted.nodes.list[n as usize];
            for (moved, own) in step.nodes.clone().zip(before.nodes.clone()) {
                let mut node = ops(&old, own);
                map_operands(&mut node, None, |v| Value(v.0 - before.nodes.start + step.nodes.start));
                assert_eq!(ops(&new, moved), node);
            }
            assert_eq!(ops(&new, step.nodes.end - 1).origin, index as u32);
        }
        let mut same = jumps();
        same.append(2, |_| panic!("there is no such step"));
        assert_eq!(same, jumps());
    }
}
