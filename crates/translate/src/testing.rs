//! Helpers that the tests of the instruction sets share.

use crate::{Options, Output, Program, Target};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Func, Interface, Lifted, Sequencer};

/// Translates a lifted program from its entry through all passes, and verifies the IR after each pass. `narrow` is
/// the pass that reduces types to those that targets have.
///
/// # Errors
/// The refusals of recovery, passes and translator, and the verifier's findings.
pub fn translated<S: Sequencer>(
    (lifted, sequencer, entry): (&Lifted, &S, u32),
    interface: &Interface,
    narrow: impl FnOnce(&mut Func) -> Result<(), Diagnostic>,
    (target, options): (Target, &Options),
) -> Result<Output, Vec<Diagnostic>> {
    let limits = Limits::default();
    shisa_ir::verify_lifted(lifted)?;
    let mut func = shisa_ir::recover(lifted.clone(), sequencer, entry, &limits).map_err(|d| vec![d])?;
    shisa_ir::simplify(&mut func, &limits).map_err(|d| vec![d])?;
    narrow(&mut func).map_err(|d| vec![d])?;
    shisa_ir::verify(&func)?;
    let tree = shisa_ir::structurise(&mut func, &limits).map_err(|d| vec![d])?;
    crate::translate(&Program { func: &func, tree: &tree, interface, source: &[] }, target, options, &limits)
}
