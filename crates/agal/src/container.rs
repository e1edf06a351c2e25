//! The container: seven bytes of header, then tokens to the end.

use crate::layout::{HEADER_BYTES, version};
use crate::rules::header;
use crate::token::{TOKEN_BYTES, Token, fuse};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::Stage;

/// The contents of a program's container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// AGAL version, 1 to 4 (players treat 0 as 1).
    pub version: u32,
    /// [`Stage::Vertex`] or [`Stage::Fragment`].
    pub stage: Stage,
    /// The tokens.
    pub tokens: Vec<Token>,
    /// Bytes after the last whole token, at most 23; players ignore them.
    pub trailing: Vec<u8>,
}

impl Program {
    /// An empty program.
    pub const fn new(version: u32, stage: Stage) -> Self {
        Program { version, stage, tokens: Vec::new(), trailing: Vec::new() }
    }

    /// Whether bytes look like a program: the header has its two magic bytes.
    pub fn sniff(bytes: &[u8]) -> bool {
        matches!(bytes, [0xa0, _, _, _, _, 0xa1, 0 | 1, ..])
    }

    /// Reads the container. Players check it in this order: size, first magic byte, version, second magic byte,
    /// stage.
    ///
    /// # Errors
    /// `agal-3615` to `agal-3619`, and `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Program, Diagnostic> {
        limits.check(Limit::File, "bytes of a program", bytes.len())?;
        if let Some(fault) = header(bytes) {
            return Err(fault.diagnostic);
        }
        let (header, body) = bytes.split_at_checked(HEADER_BYTES).unwrap_or_default();
        let version = version(header.get(1..5).unwrap_or_default());
        let stage = if header.last() == Some(&0) { Stage::Vertex } else { Stage::Fragment };
        limits.check(Limit::Instructions, "tokens", body.len() / TOKEN_BYTES)?;
        let (tokens, trailing) = body.as_chunks::<TOKEN_BYTES>();
        let tokens = tokens.iter().map(fuse).collect();
        Ok(Program { version, stage, tokens, trailing: trailing.to_vec() })
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
