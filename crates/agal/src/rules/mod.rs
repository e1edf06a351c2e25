//! The rules that programs must obey, with Flash Player's numbers, in Flash Player's order.
//!
//! # Concepts
//!
//! A program is checked front to back. The header comes first: size, first mark, version, second mark,
//! stage. Then each token: its opcode, how it nests, its first source, its second source, both sources
//! together, its destination, the use of its sampler; last the count of tokens. What can only be told
//! at the end (open conditions, gaps between colours) follows. A vertex and a fragment program that are
//! sound alone are then [`link`]ed.
//!
//! Flash reports the first breach and stops: that is the first [`Finding`], and [`first`] stops there
//! too. [`check`] goes on and reports all, each with the bytes it is about and with advice.
//!
//! Order and numbers are those of Adobe's own validator, which knows AGAL 1. What later versions added is
//! known from the table of [`message`]s; findings that rest on it alone say so in a note.

mod advice;
mod blocks;
mod destination;
mod finding;
mod header;
mod link;
mod messages;
mod sampler;
mod shape;
mod source;
mod state;
mod walk;

#[cfg(test)]
mod tests;

pub use finding::{Finding, Findings, Part, locate, span};
pub use link::link;
pub use messages::{Confirmed, Rule, Scope, all, message};

use crate::Program;
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits};

pub(crate) use header::header;
pub(crate) use shape::width;

/// Everything that is wrong with a program. A program whose header is wrong is not read further. Tokens beyond the version's count are one
/// finding; they are not looked at.
///
/// # Errors
/// When a limit is exceeded.
pub fn check(bytes: &[u8], limits: &Limits) -> Result<Findings, Diagnostic> {
    let mut faults: Vec<Finding> = header::faults(bytes).collect();
    if !faults.is_empty() {
        let more = faults.len().saturating_sub(limits.diagnostics);
        faults.truncate(limits.diagnostics);
        return Ok(Findings { list: faults, more });
    }
    Ok(check_program(&Program::read(bytes, limits)?, limits))
}

/// [`check`] for a program whose header has been read.
pub fn check_program(program: &Program, limits: &Limits) -> Findings {
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
    walk::walk(program, 1, true).list.pop()
}
