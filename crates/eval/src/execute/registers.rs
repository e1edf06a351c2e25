//! The registers of a wave, as those who receive vertices see them.

use crate::arena::Arena;
use crate::environment::{Outputs, no_register};
use crate::plan::layout::{Layout, Unit};
use shisa_diag::Diagnostic;
use shisa_ir::Reg;

/// The registers of a wave.
pub(super) struct Registers<'a> {
    pub(super) layout: &'a Layout,
    pub(super) arena: &'a Arena,
}

impl Outputs for Registers<'_> {
    fn register(&self, reg: Reg, lane: usize) -> Result<u32, Diagnostic> {
        match self.layout.unit(reg) {
            Some(Unit::Named(id)) => {
                let plane = self.arena.sources().plane(id.into())?;
                plane.get(lane).ok_or_else(|| no_register(reg))
            }
            Some(Unit::Unnamed) => Ok(0),
            None => Err(no_register(reg)),
        }
    }
}
