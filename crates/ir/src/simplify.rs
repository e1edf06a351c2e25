//! The passes between recovery and the structuriser.

use crate::{Func, mem2reg, remove_dead};
use shisa_diag::{Diagnostic, Limits};

/// Replaces registers by values, folds constants, shares address computations and removes dead code. Runs before
/// [`crate::structurise`], because the statement tree refers to blocks and parameters that these passes remove.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    mem2reg::fold_registers(func, limits)?;
    remove_dead(func);
    Ok(())
}
