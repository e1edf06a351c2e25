//! Changes of programs.

use super::sph::Sph;
use crate::flow::Targets;

/// The replacement of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// Its code: whole bundles.
    pub code: &'e [u8],
    /// Its Shader Program Header, if that changes and it has one.
    pub header: Option<Sph>,
    /// Targets of its branches through a register, if stated; else those of the old code.
    pub targets: Option<&'e Targets>,
}

impl<'e> From<&'e [u8]> for Edit<'e> {
    fn from(code: &'e [u8]) -> Edit<'e> {
        Edit { code, header: None, targets: None }
    }
}
