//! The container: seven bytes of header, then tokens to the end.

use crate::token::{TOKEN_BYTES, Token, fuse};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;

/// Bytes of the header.
pub const HEADER_BYTES: usize = 7;

/// The newest version that exists.
pub const LAST_VERSION: u32 = 4;

/// A program as its container holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// AGAL version, 1 to 4 (0 is taken as 1 by players).
    pub version: u32,
    /// [`Stage::Vertex`] or [`Stage::Fragment`].
    pub stage: Stage,
    /// The tokens.
    pub tokens: Vec<Token>,
    /// Bytes behind the last whole token, at most 23; players ignore them.
    pub trailing: Vec<u8>,
}

impl Program {
    /// An empty program.
    pub const fn new(version: u32, stage: Stage) -> Self {
        Program { version, stage, tokens: Vec::new(), trailing: Vec::new() }
    }

    /// Whether bytes look like a program: the two marks of the header are in place.
    pub fn sniff(bytes: &[u8]) -> bool {
        matches!(bytes, [0xa0, _, _, _, _, 0xa1, 0 | 1, ..])
    }

    /// Reads the container. Rules that players check in this order: size, first mark, version, second
    /// mark, stage.
    ///
    /// # Errors
    /// `agal-3615` to `agal-3619`, and `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Program, Diagnostic> {
        let header = bytes.get(..HEADER_BYTES);
        if bytes.len() < HEADER_BYTES + TOKEN_BYTES {
            return Err(crate::rules::header_error(3615, bytes, 0..bytes.len()));
        }
        let header = header.unwrap_or_default();
        let version = header[1..5].iter().rev().fold(0, |v, &b| v << 8 | u32::from(b));
        let fault = match header {
            [m, ..] if *m != 0xa0 => Some((3616, 0..1)),
            _ if version > LAST_VERSION => Some((3617, 1..5)),
            [_, _, _, _, _, m, ..] if *m != 0xa1 => Some((3618, 5..6)),
            [.., s] if *s > 1 => Some((3619, 6..7)),
            _ => None,
        };
        if let Some((code, place)) = fault {
            return Err(crate::rules::header_error(code, bytes, place));
        }
        let stage = if header[6] == 0 { Stage::Vertex } else { Stage::Fragment };
        let body = &bytes[HEADER_BYTES..];
        Limits::check("tokens", body.len() / TOKEN_BYTES, limits.instructions)?;
        let chunks = body.chunks_exact(TOKEN_BYTES);
        let trailing = chunks.remainder().to_vec();
        let tokens = chunks.filter_map(|c| c.try_into().ok()).map(fuse).collect();
        Ok(Program { version, stage, tokens, trailing })
    }

    /// Writes the container.
    pub fn write(&self) -> Vec<u8> {
        let mut out =
            Vec::with_capacity(HEADER_BYTES + self.tokens.len() * TOKEN_BYTES + self.trailing.len());
        out.push(0xa0);
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&[0xa1, u8::from(self.stage != Stage::Vertex)]);
        for t in &self.tokens {
            out.extend_from_slice(&crate::token::split(t));
        }
        out.extend_from_slice(&self.trailing);
        out
    }

    /// The bytes of a token in the container.
    pub fn token_span(index: usize) -> core::ops::Range<usize> {
        let start = HEADER_BYTES + index * TOKEN_BYTES;
        start..start + TOKEN_BYTES
    }

    /// A short description: `AGAL 1 vertex program`.
    pub fn describe(&self) -> alloc::string::String {
        format!("AGAL {} {} program", self.version, self.stage.name())
    }
}
