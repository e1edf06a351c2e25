//! Changes of programs.

use super::sph::Sph;
use crate::flow::Targets;

/// What a program is to be replaced by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit<'e> {
    /// Its code: whole bundles.
    pub code: &'e [u8],
    /// Its Shader Program Header, if that changes and it has one.
    pub header: Option<Sph>,
    /// Where its branches by a register go, if that is stated; else they go where the old code went.
    pub targets: Option<&'e Targets>,
}

impl<'e> From<&'e [u8]> for Edit<'e> {
    fn from(code: &'e [u8]) -> Edit<'e> {
        Edit { code, header: None, targets: None }
    }
}
