//! Binary data: programs in it, source text, SWFs.

use crate::{Confidence, Content, Found, MAX_DEPTH, Place, Search};
use shisa_agal::token::{TOKEN_BYTES, fuse};
use shisa_agal::{HEADER_BYTES, LAST_VERSION, Program, SourceGuess, identify_source, max_tokens, rules};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;

/// Searches the data of a tag; `offset` is its offset in the file.
pub(crate) fn search(
    search: &mut Search<'_>,
    data: &[u8],
    offset: usize,
    character: u16,
    path: &[u32],
) -> Result<(), Diagnostic> {
    if crate::sniff(data) && path.len() < MAX_DEPTH {
        match search.swf(data, path) {
            Ok(_) => return Ok(()),
            Err(d) => search.sink.push(d),
        }
    }
    let place = |start| Place::BinaryData { character, class: None, start };
    if let Some((text, guess)) = std::str::from_utf8(data).ok().and_then(|t| Some((t, identify_source(t)?))) {
        let SourceGuess { stage, version, confidence } = guess;
        let content = Content::Source(text.into());
        return search.take(Found {
            tags: path.to_vec(),
            place: place(0),
            offset,
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
        let Some(program) = data.get(start..).and_then(read) else { continue };
        let bytes = program.write();
        at = start + bytes.len();
        let whole = start == 0 && at == data.len();
        let confidence = match rules::first_in_program(&program) {
            None => Confidence::Certain,
            Some(_) if whole => Confidence::Likely,
            Some(_) => Confidence::Possible,
        };
        search.take(Found {
            tags: path.to_vec(),
            place: place(start),
            offset: offset + start,
            content: Content::Program(bytes),
            stage: Some(program.stage),
            version: program.version,
            confidence,
        })?;
    }
    Ok(())
}

/// The program at the start of `bytes`: a header, and tokens up to the first that cannot be one.
fn read(bytes: &[u8]) -> Option<Program> {
    if !Program::sniff(bytes) {
        return None;
    }
    let (header, body) = bytes.split_at_checked(HEADER_BYTES)?;
    let version = u32::from_le_bytes(header.get(1..5)?.try_into().ok()?);
    if !(1..=LAST_VERSION).contains(&version) {
        return None;
    }
    let stage = if header.last() == Some(&0) { Stage::Vertex } else { Stage::Fragment };
    let mut program = Program::new(version, stage);
    // Tokens are checked one by one: the effect of earlier tokens does not make bytes a token.
    let mut single = program.clone();
    let limits = Limits::default();
    let tokens = body.chunks_exact(TOKEN_BYTES).filter_map(|c| c.try_into().ok()).map(fuse);
    for token in tokens.take(max_tokens(version)) {
        single.tokens.clear();
        single.tokens.push(token);
        if rules::check_program(&single, &limits).list.iter().any(|f| is_alien(f.number)) {
            break;
        }
        program.tokens.push(token);
    }
    (!program.tokens.is_empty()).then_some(program)
}

/// Whether a breach shows that bytes are not a token: opcode, kinds and numbers of registers, and bits that every
/// assembler sets to zero. Programs that were meant to run also break other rules.
const fn is_alien(number: u16) -> bool {
    matches!(
        number,
        3620..=3622 | 3627 | 3636..=3638 | 3643 | 3653..=3661 | 3693 | 3726 | 3749 | 3789 | 3803 | 3805
    )
}
