//! How a machine moves from instruction to instruction.
//!
//! Control rows lift to one [`Control`] each. An instruction set's [`Sequencer`] is its only
//! interpreter: it keeps program counter, masks and stacks in a [`Sequencer::State`] and steps it.
//! Driven with the masks of a real wave it *is* the evaluator's control flow; driven with one lane and
//! both outcomes of every condition it explores the program ([`crate::recover`]).

use crate::{Nodes, Reg, Type, Value};
use alloc::vec::Vec;
use core::{fmt, ops::Range};
use shisa_diag::Diagnostic;

/// A set of lanes of a wave, bit n for lane n.
pub type Lanes = u32;

/// The number of lanes that a wave can have.
pub const WAVE: usize = 32;

/// What an instruction does to the flow of control. The numbers inside [`ControlOp::Push`] and
/// [`ControlOp::Pop`] and the meaning of each operation belong to the instruction set's sequencer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ControlOp {
    /// Goes on behind the instruction.
    #[default]
    Next,
    /// Goes to the target.
    Branch,
    /// Pushes a token of this kind.
    Push(u8),
    /// Pops a token of this kind.
    Pop(u8),
    /// Goes to the target and comes back.
    Call,
    /// Comes back from a call.
    Return,
    /// Begins a loop.
    Loop,
    /// Ends an iteration of a loop.
    Again,
    /// Sets the lane's counter.
    Counter(u8),
    /// Ends the lane.
    Exit,
    /// There is no instruction here: the sequencer refuses to go on.
    Invalid,
}

/// A control operation with its operands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    /// What is done.
    pub op: ControlOp,
    /// `i1` of each lane that decides; an unconditional operation has none.
    pub cond: Option<Value>,
    /// Program counter of the target, where the operation has one.
    pub target: u32,
    /// `i32` of each lane that tells the target instead. Whoever runs the program puts it into `target`; all active
    /// lanes must agree, and where none is active the target is not told.
    pub place: Option<Value>,
    /// A second number, where the operation has one: the end of a called range, a nesting level.
    pub extra: u32,
}

/// One lifted instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its program counter.
    pub pc: u32,
    /// The program counter behind it.
    pub next: u32,
    /// Its operations, a run of [`Lifted::nodes`].
    pub nodes: Range<u32>,
    /// `i1` among them: a lane where it does not hold skips every operation with an effect behind it.
    /// Control operations have it in their condition too.
    pub guard: Option<Value>,
    /// Whether the operations and the condition run for all lanes of the wave, active or not.
    pub whole_wave: bool,
    /// What it does to the flow of control.
    pub control: Control,
}

/// A program as lifted: every instruction by itself, reading and writing registers.
#[derive(Clone, Debug, PartialEq)]
pub struct Lifted {
    /// The register files that the operations refer to.
    pub files: &'static [crate::File],
    /// All operations. Operands never cross from one step to another.
    pub nodes: Nodes,
    /// The instructions by rising program counter.
    pub steps: Vec<Step>,
    /// What runs without an instruction ([`At::Implied`]), such as the end of a loop body.
    pub implied: Vec<Step>,
}

impl Lifted {
    /// An empty program over these register files.
    pub fn new(files: &'static [crate::File]) -> Self {
        Lifted { files, nodes: Nodes::default(), steps: Vec::new(), implied: Vec::new() }
    }

    /// The number of the instruction at `pc`.
    pub fn find(&self, pc: u32) -> Option<usize> {
        match self.steps.get(pc as usize) {
            Some(s) if s.pc == pc => Some(pc as usize),
            _ => self.steps.binary_search_by_key(&pc, |s| s.pc).ok(),
        }
    }

    /// What runs at `at`: its number among all steps (implied ones counted behind the instructions).
    pub fn step(&self, at: At) -> Option<(usize, &Step)> {
        let i = match at {
            At::Step(pc) => self.find(pc)?,
            At::Implied(i) => self.steps.len() + i as usize,
            At::Done => return None,
        };
        Some((i, self.steps.get(i).or_else(|| self.implied.get(i - self.steps.len()))?))
    }
}

/// Where a wave is.
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

/// The only interpreter of an instruction set's control operations.
pub trait Sequencer {
    /// Program counter, masks, stacks: all that decides where the wave goes, and nothing else.
    type State: Clone + Ord + fmt::Debug;

    /// A wave of these lanes at `entry`.
    fn start(&self, entry: u32, lanes: Lanes) -> Self::State;

    /// What runs next.
    fn at(&self, state: &Self::State) -> At;

    /// The lanes that it runs for.
    fn active(&self, state: &Self::State) -> Lanes;

    /// A register whose value the state determines: its place, kind and bits. Recovery writes it where
    /// the state begins, so that what the program computes from it folds.
    fn known(&self, state: &Self::State) -> Option<(Reg, Type, u64)> {
        let _ = state;
        None
    }

    /// Moves on. `next` is the program counter behind the instruction, `cond` the lanes whose condition
    /// holds (only bits of lanes that the step runs for count; all of them when the operation has no
    /// condition).
    ///
    /// # Errors
    /// When the program misuses the machine, such as a pop from an empty stack that hardware does not
    /// define.
    fn step(
        &self,
        state: &mut Self::State,
        control: &Control,
        next: u32,
        cond: Lanes,
    ) -> Result<(), Diagnostic>;
}
