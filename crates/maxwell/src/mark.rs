//! Marks on the stack of a wave, and what rows do to the flow of control.

/// What a mark on the stack of a wave is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `SSY`, for `SYNC`.
    Sync,
    /// `PBK`, for `BRK`.
    Break,
    /// `PCNT`, for `CONT`.
    Continue,
    /// `CAL` and `PRET`, for `RET`.
    Return,
    /// `PEXIT`, for `EXIT`.
    Exit,
    /// `PLONGJMP`, for `LONGJMP`.
    LongJump,
}

/// What a row does to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Goes on to the next instruction.
    Next,
    /// Goes to its target, if its condition holds.
    Branch(Origin),
    /// Pushes a mark with its target.
    Push(Mark),
    /// Leaves for the nearest mark of a kind, if its condition holds.
    Pop(Mark),
    /// Calls.
    Call,
}

/// What the number of a target counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The address after the instruction.
    Next,
    /// The start of memory.
    Zero,
}
