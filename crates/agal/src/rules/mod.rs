//! The rules that programs must obey, with Flash Player's numbers, in Flash Player's order.
//!
//! # Concepts
//!
//! A program is checked from front to back. The header comes first: size, first magic byte, version, second magic
//! byte, stage. Then each token: its opcode, its nesting, its first source, its second source, both sources together,
//! its destination, its use of a sampler; last the number of tokens. Breaches that are only known at the end (open
//! conditions, gaps between colours) follow. A vertex and a fragment program that are valid alone are then
//! [`link`]ed.
//!
//! Flash reports the first breach and stops: that is the first [`Finding`], and [`first`] stops there too. [`check`]
//! continues and reports all, each with its bytes and with advice.
//!
//! Order and numbers are those of Adobe's own validator, which knows AGAL 1. What later versions added is known from
//! the table of [`message`]s; a finding based only on the table has a note that says so.

mod advice;
mod blocks;
mod destination;
mod finding;
mod header;
mod link;
mod messages;
mod operand_text;
mod report;
mod sampler;
mod source;
mod state;
mod tokens;
mod walk;

pub use finding::{Finding, Part, flash_text, locate, span};
pub use link::link;
pub use messages::{Confirmed, Rule, Scope, all, message};

use crate::Program;
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits};

pub(crate) use header::header;

/// All breaches in a program. A program with a faulty header is not read further. Tokens beyond the version's maximum
/// are one finding, and are not checked. Findings past [`Limits::diagnostics`] have no advice.
///
/// # Errors
/// When a limit is exceeded.
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Vec<Finding>, Diagnostic> {
    let faults: Vec<Finding> = header::faults(bytes).collect();
    if !faults.is_empty() {
        return Ok(faults);
    }
    Ok(check_program(&Program::read(bytes, limits)?, limits))
}

/// [`check`] for a program whose header has been read.
pub fn check_program(program: &Program, limits: &Limits) -> Vec<Finding> {
    walk::walk(program, limits.diagnostics, false)
}

/// What Flash reports: the first breach, if there is one.
///
/// # Errors
/// When a limit is exceeded.
pub fn first(bytes: &[u8], limits: &Limits) -> Result<Option<Finding>, Diagnostic> {
    match header::header(bytes) {
        Some(fault) => Ok(Some(fault)),
        None => Ok(first_in_program(&Program::read(bytes, limits)?)),
    }
}

/// [`first`] for a program whose header has been read.
pub fn first_in_program(program: &Program) -> Option<Finding> {
    walk::walk(program, 1, true).pop()
}
