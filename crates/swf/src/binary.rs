//! Binary data: programs in it, source text, SWFs.

use crate::{Confidence, Content, Found, MAX_DEPTH, Place, Search};
use shisa_agal::token::TOKEN_BYTES;
use shisa_agal::{HEADER_BYTES, LAST_VERSION, Program, SourceGuess, max_tokens, recognise, rules};
use shisa_diag::{Diagnostic, Limits};

/// Searches the data of a tag.
pub(crate) fn search(
    search: &mut Search<'_>,
    data: &[u8],
    character: u16,
    path: &[u32],
) -> Result<(), Diagnostic> {
    if crate::sniff(data) && path.len() < MAX_DEPTH {
        match search.swf(data, path) {
            Ok(_) => return Ok(()),
            Err(d) => search.sink.push(d),
        }
    }
    let place = |offset| Place::BinaryData { character, class: None, offset };
    if let Some((text, guess)) = std::str::from_utf8(data).ok().and_then(|t| Some((t, recognise(t)?))) {
        let SourceGuess { stage, version, confidence } = guess;
        let content = Content::Source(text.into());
        return search.take(Found {
            tags: path.to_vec(),
            place: place(0),
            content,
            stage,
            version,
            confidence,
        });
    }
    let mut at = 0;
    while let Some(step) = data.get(at..).and_then(|d| d.iter().position(|b| *b == 0xa0)) {
        let start = at + step;
        at = start + 1;
        let Some((program, end)) = data.get(start..).and_then(read) else { continue };
        let found = rules::first_in_program(&program);
        let whole = start == 0 && end == data.len();
        let confidence = match found {
            None => Confidence::Certain,
            Some(_) if whole => Confidence::Likely,
            Some(_) => Confidence::Possible,
        };
        search.take(Found {
            tags: path.to_vec(),
            place: place(start),
            content: Content::Program(data.get(start..start + end).unwrap_or_default().to_vec()),
            stage: Some(program.stage),
            version: program.version,
            confidence,
        })?;
        at = start + end;
    }
    Ok(())
}

/// The program at the start of `bytes`, and where it ends: in front of the first token that cannot be
/// one, or at the end of the bytes.
fn read(bytes: &[u8]) -> Option<(Program, usize)> {
    if !Program::sniff(bytes) {
        return None;
    }
    let version = u32::from_le_bytes(bytes.get(1..5)?.try_into().ok()?);
    if !(1..=LAST_VERSION).contains(&version) {
        return None;
    }
    // One more than a sound program has, so that one that is too long is told from other bytes.
    let most = HEADER_BYTES + (max_tokens(version) + 1) * TOKEN_BYTES;
    let limits = Limits { diagnostics: usize::MAX, ..Limits::default() };
    let mut program = Program::read(bytes.get(..most).unwrap_or(bytes), &limits).ok()?;
    program.trailing.clear();
    let findings = rules::check_program(&program, &limits);
    let alien = findings.iter().find(|f| is_alien(f.number)).and_then(|f| f.token);
    if let Some(token) = alien {
        program.tokens.truncate((token as usize).saturating_sub(1));
    }
    let end = HEADER_BYTES + program.tokens.len() * TOKEN_BYTES;
    (!program.tokens.is_empty()).then_some((program, end))
}

/// Whether a breach shows that bytes are no token: opcode, kinds and numbers of registers, and bits that
/// every assembler sets to zero. Programs that were meant to run also break other rules.
const fn is_alien(number: u16) -> bool {
    matches!(
        number,
        3620..=3622 | 3627 | 3636..=3638 | 3643 | 3653..=3661 | 3693 | 3726 | 3749 | 3789 | 3803 | 3805
    )
}
