//! Marks on the stack of a wave, and the effects of rows on control flow.

/// The purpose of a mark on the stack of a wave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
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

impl Mark {
    /// All, by number.
    pub(crate) const ALL: [Mark; 6] =
        [Mark::Sync, Mark::Break, Mark::Continue, Mark::Return, Mark::Exit, Mark::LongJump];

    /// What it is called in messages.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Mark::Sync => "synchronization",
            Mark::Break => "break",
            Mark::Continue => "continue",
            Mark::Return => "return",
            Mark::Exit => "exit",
            Mark::LongJump => "long jump",
        }
    }
}

/// The effect of a row on control flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Continues with the next instruction.
    Next,
    /// Goes to its target, if its condition holds.
    Branch(Origin),
    /// Pushes a mark with its target.
    Push(Mark),
    /// Leaves to the nearest mark of a kind, if its condition holds.
    Pop(Mark),
    /// Calls its target.
    Call(Origin),
}

/// The base of a target's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The address after the instruction.
    Next,
    /// The start of memory.
    Zero,
}
