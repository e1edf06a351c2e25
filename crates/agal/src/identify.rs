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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Program;

    #[test]
    fn programs_and_what_is_none() {
        let mut program = Program::new(2, Stage::Vertex);
        let of = |bytes: &[u8]| match identify(bytes) {
            Some(Identity::Program { version, stage, tokens, confidence }) => {
                Some((version, stage, tokens, confidence))
            }
            _ => None,
        };
        assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 0, Confidence::Possible)));
        program.tokens.push([0x030f_0000_0000_0000, 0xe400_0000, 0]);
        assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 1, Confidence::Certain)));
        program.tokens.push([0xff, 0, 0]);
        assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 2, Confidence::Likely)));
        program.version = 99;
        assert_eq!(of(&program.write()), Some((99, Stage::Vertex, 2, Confidence::Possible)));
        assert_eq!(identify(&[0xa0, 1, 0, 0, 0, 0xa1, 2]), None);
        assert_eq!(identify(&[0xa0]), None);
        assert_eq!(identify(b"void main() {}"), None);
    }

    #[test]
    fn source_text() {
        let guess = SourceGuess { stage: Some(Stage::Fragment), version: 1, confidence: Confidence::Likely };
        assert_eq!(identify(b"mov oc, v0\n"), Some(Identity::Source(guess)));
    }

    #[test]
    fn glsl_of_openfl() {
        assert_eq!(identify(b"\xb0\x05\x00void more"), Some(Identity::EmbeddedGlsl { size: 5 }));
        assert_eq!(identify(b"\xb0\x50\x00void"), None, "the text is shorter than its length says");
        assert_eq!(identify(b"\xb0\x02\x00\x01\x02"), None, "control characters are not text");
    }
}
