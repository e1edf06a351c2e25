//! How machine code of a program is made.

use crate::host::HostLevel;

/// How machine code of a program is made ([`crate::Program::add_machine_code_for`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The vector units that the code uses: those of [`HostLevel::Avx2`] or [`HostLevel::Avx512`].
    pub level: HostLevel,
    /// The fewest instructions of a piece of code between others that have no code, such as accesses to memory. Fewer run
    /// without machine code.
    pub shortest: usize,
}

impl Coding {
    /// The fewest instructions of a piece that are faster as machine code, because of the call.
    pub const SHORTEST: usize = 6;
}

impl From<HostLevel> for Coding {
    /// Code for these vector units that is faster than none.
    fn from(level: HostLevel) -> Coding {
        Coding { level, shortest: Coding::SHORTEST }
    }
}
