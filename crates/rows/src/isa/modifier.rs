//! Suffixes of mnemonics.

use crate::Field;

/// A suffix of the mnemonic that a field decides, such as `.FTZ`.
#[derive(Clone, Copy, Debug)]
pub struct Modifier {
    /// Its bits.
    pub field: Field,
    /// The text of each value with the dot; empty for a value that is not written. Values past the end of the list are
    /// undefined. Text that several values share denotes the first of them.
    pub names: &'static [&'static str],
}
