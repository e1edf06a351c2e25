//! The passes between recovery and the structuriser.

use crate::scratch::Scratch;
use crate::{Func, dce, mem2reg};
use shisa_diag::{Diagnostic, Limits};

/// Replaces registers by values, folds constants, shares address computations and removes dead code. Runs before
/// [`crate::structurise`], because the statement tree refers to blocks and parameters that these passes remove.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    simplify_in(func, &mut Scratch::new(), limits)
}

/// As [`simplify`], in the memory of programs before it.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify_in(func: &mut Func, scratch: &mut Scratch, limits: &Limits) -> Result<(), Diagnostic> {
    mem2reg::fold_registers(func, &mut scratch.registers, limits)?;
    dce::remove_dead_in(func, scratch);
    Ok(())
}
