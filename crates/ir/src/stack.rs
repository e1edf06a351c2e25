//! The stacks of a control state, as people read them.

use crate::Lanes;
use alloc::{string::String, vec::Vec};

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
