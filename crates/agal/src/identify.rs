//! Distinguishes AGAL from other bytes.

use crate::layout::{self, HEADER_BYTES, LAST_VERSION};
use crate::token::{TOKEN_BYTES, fuse};
use crate::{Agal, SourceGuess, embedded_glsl, identify_source};
use shisa_diag::Confidence;
use shisa_ir::Stage;
use shisa_rows::Insn;

/// The kind of some bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// An AGAL program.
    Program {
        /// The version in the header; no player accepts one above 4.
        version: u32,
        /// The stage.
        stage: Stage,
        /// Number of whole tokens.
        tokens: usize,
        /// The confidence of the identification.
        confidence: Confidence,
    },
    /// AGAL source text.
    Source(SourceGuess),
    /// GLSL text in OpenFL's container, which is not AGAL.
    EmbeddedGlsl {
        /// Size of the text in bytes.
        size: usize,
    },
}

/// Identifies bytes that are an AGAL program, its source, or the GLSL that OpenFL uses in place of AGAL.
pub fn identify(bytes: &[u8]) -> Option<Identity> {
    if let Some(text) = embedded_glsl(bytes) {
        return Some(Identity::EmbeddedGlsl { size: text.len() });
    }
    if let Some(guess) = core::str::from_utf8(bytes).ok().and_then(identify_source) {
        return Some(Identity::Source(guess));
    }
    let (&[0xa0, v0, v1, v2, v3, 0xa1, stage @ (0 | 1)], body) = bytes.split_first_chunk::<HEADER_BYTES>()?
    else {
        return None;
    };
    let version = layout::version(&[v0, v1, v2, v3]);
    let tokens = body.len() / TOKEN_BYTES;
    let decodes = |chunk: &[u8]| chunk.try_into().is_ok_and(|c| Insn::<Agal>::decode(fuse(c)).is_some());
    let confidence = match (version <= LAST_VERSION, tokens) {
        (true, 1..) if body.chunks_exact(TOKEN_BYTES).all(decodes) => Confidence::Certain,
        (true, 1..) => Confidence::Likely,
        _ => Confidence::Possible,
    };
    let stage = if stage == 0 { Stage::Vertex } else { Stage::Fragment };
    Some(Identity::Program { version, stage, tokens, confidence })
}
