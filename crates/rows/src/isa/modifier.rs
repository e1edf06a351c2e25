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
    /// The text, with the dot, that other assemblers write for the value without a name, such as `.32` for the usual
    /// size. It is parsed and never printed; empty if there is none.
    pub unwritten: &'static str,
}

impl Modifier {
    /// The suffix of a field with the text of each value.
    pub const fn new(field: Field, names: &'static [&'static str]) -> Modifier {
        Modifier { field, names, unwritten: "" }
    }

    /// States how other assemblers write the value without a name.
    pub const fn unwritten(self, unwritten: &'static str) -> Modifier {
        Modifier { unwritten, ..self }
    }
}
