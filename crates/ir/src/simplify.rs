//! The passes between recovery and the structuriser, in the one order that they work in.

use crate::{Func, fold_and_share, registers_to_values, remove_dead};
use shisa_diag::{Diagnostic, Limits};

/// Turns registers into values, folds constants, shares addresses and removes what nothing needs. Runs before
/// [`crate::structurise`], whose tree would lose the blocks and parameters that go here.
///
/// # Errors
/// As [`registers_to_values`].
pub fn simplify(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    registers_to_values(func, limits)?;
    fold_and_share(func);
    remove_dead(func);
    Ok(())
}
