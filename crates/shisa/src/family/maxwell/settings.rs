//! What concerns Maxwell alone.

use shisa_maxwell::{Chip, Words};

/// What concerns Maxwell alone.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Settings {
    /// The chip. Code that is read takes it where the file does not say it, else 5.3; a source takes it in place of its
    /// `.chip`.
    pub chip: Option<Chip>,
    /// Fills in the control bits of all instructions of a source, so that each waits for what it needs.
    pub schedule: bool,
    /// The control word of the bundle in which each lone word is the first.
    pub control: u64,
    /// The address of each lone word.
    pub base: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { chip: None, schedule: false, control: Words::CONTROL, base: Words::BASE }
    }
}
