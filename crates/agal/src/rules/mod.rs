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
mod header;
mod link;
mod messages;
mod sampler;
mod shape;
mod source;
mod walk;

#[cfg(test)]
mod tests;

pub use link::link;
pub use messages::{Confirmed, Rule, Scope, all, message};

use crate::{HEADER_BYTES, Program, token::TOKEN_BYTES};
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits};

pub(crate) use header::header;
pub(crate) use shape::width;

/// A part of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// Bytes 0 to 3.
    Opcode,
    /// Bytes 4 to 7.
    Destination,
    /// Bytes 8 to 15.
    Source1,
    /// Bytes 16 to 23: the second source or the sampler.
    Source2,
}

impl Part {
    /// As Flash's texts name it.
    pub const fn name(self) -> &'static str {
        match self {
            Part::Opcode => "opcode",
            Part::Destination => "destination operand",
            Part::Source1 => "source operand 1",
            Part::Source2 => "source operand 2",
        }
    }

    /// Its bytes within the token.
    const fn bytes(self) -> Range<usize> {
        match self {
            Part::Opcode => 0..4,
            Part::Destination => 4..8,
            Part::Source1 => 8..16,
            Part::Source2 => 16..24,
        }
    }
}

/// A breach of a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Flash Player's number; [`message`] explains it.
    pub number: u16,
    /// The token, counted from 1 as Flash counts; `None` for the header and for a pair of programs.
    pub token: Option<u32>,
    /// The part of the token.
    pub part: Option<Part>,
    /// Flash's text, the bytes meant, advice. The first label is the part (or the token); further
    /// labels point at other tokens that matter. [`locate`] tells which token an offset belongs to.
    pub diagnostic: Diagnostic,
}

/// The bytes of a part of a token (counted from 1), or of the whole token.
pub fn span(token: u32, part: Option<Part>) -> Range<usize> {
    let start = HEADER_BYTES + (token.max(1) - 1) as usize * TOKEN_BYTES;
    let within = part.map_or(0..TOKEN_BYTES, Part::bytes);
    start + within.start..start + within.end
}

/// The token (counted from 1) and the part that an offset into a program's bytes belongs to; `None` in
/// the header.
pub fn locate(offset: usize) -> Option<(u32, Part)> {
    let at = offset.checked_sub(HEADER_BYTES)?;
    let part = match at % TOKEN_BYTES {
        0..4 => Part::Opcode,
        4..8 => Part::Destination,
        8..16 => Part::Source1,
        _ => Part::Source2,
    };
    Some(((at / TOKEN_BYTES) as u32 + 1, part))
}

/// What breaks rules, in Flash's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// At most [`Limits::diagnostics`] findings.
    pub list: Vec<Finding>,
    /// How many more there are.
    pub more: usize,
}

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
