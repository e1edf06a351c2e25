//! The passes between recovery and the structuriser, in the required order.

use crate::{Func, fold_and_share, registers_to_values, remove_dead};
use shisa_diag::{Diagnostic, Limits};

/// Replaces registers by values, folds constants, shares address computations and removes dead code. Runs before
/// [`crate::structurise`], because the statement tree refers to blocks and parameters that these passes remove.
///
/// # Errors
/// As [`registers_to_values`].
pub fn simplify(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    registers_to_values(func, limits)?;
    fold_and_share(func);
    remove_dead(func);
    Ok(())
}
