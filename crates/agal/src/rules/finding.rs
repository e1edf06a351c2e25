//! Findings: the broken rule, the token, and the part of the token.

use crate::layout::HEADER_BYTES;
use crate::options::Rules;
use crate::token::TOKEN_BYTES;
use alloc::{format, string::String};
use core::ops::Range;
use shisa_diag::{Diagnostic, Severity};

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
    /// Its name in Flash's texts.
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
    /// Flash Player's number; [`super::message`] explains it.
    pub number: u16,
    /// The token, counted from 1 as Flash counts; `None` for the header and for a pair of programs.
    pub token: Option<u32>,
    /// The part of the token.
    pub part: Option<Part>,
    /// Whether the rule restricts programs that engines could run, and nothing but the table of messages shows that a
    /// player applies it.
    pub doubtful: bool,
    /// Flash's text, the bytes concerned, advice. The first label is the part (or the token); further labels point at
    /// other relevant tokens. [`locate`] finds the token at an offset.
    pub diagnostic: Diagnostic,
}

/// The bytes of a part of a token (counted from 1), or of the whole token.
pub fn span(token: u32, part: Option<Part>) -> Range<usize> {
    let start = HEADER_BYTES + (token.max(1) - 1) as usize * TOKEN_BYTES;
    let within = part.map_or(0..TOKEN_BYTES, Part::bytes);
    start + within.start..start + within.end
}

/// The token (counted from 1) and the part at an offset into a program's bytes; `None` in the header.
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

impl Finding {
    /// The diagnostic. With [`Rules::Known`] it is a warning if the rule is doubtful.
    pub fn weighed(self, rules: Rules) -> Diagnostic {
        let mut diagnostic = self.diagnostic;
        if self.doubtful && rules == Rules::Known {
            diagnostic.severity = Severity::Warning;
            diagnostic.help.push("--set agal-rules=strict makes it an error".into());
        }
        diagnostic
    }
}

/// What Flash Player's exception says about a finding: the number of the error and its text, as in `Error #3648: AGAL
/// validation failed: …`. `None` for a diagnostic that is not about a rule of Flash.
pub fn flash_text(diagnostic: &Diagnostic) -> Option<String> {
    let number: u16 = diagnostic.code.strip_prefix("agal-")?.parse().ok()?;
    let start = super::message(number)?.text.split('%').next()?;
    // A finding about text has a headline of its own, and the player's text as a note.
    let texts = core::iter::once(&diagnostic.message).chain(&diagnostic.notes);
    let text = texts.into_iter().find(|text| text.starts_with(start));
    // A breach that only the assembler sees has no token.
    Some(format!("Error #{number}: {}", text.unwrap_or(&diagnostic.message)))
}
