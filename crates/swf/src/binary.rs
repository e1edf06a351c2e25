//! Binary data: programs in it, source text, SWFs.

use crate::{Confidence, Content, Found, Place, Search, Step, encoded};
use shisa_agal::token::{DEST_FIELD, TOKEN_BYTES, fuse};
use shisa_agal::{
    Agal, AsmOptions, Dest, HEADER_BYTES, LAST_VERSION, Program, RegType, SourceGuess, Token,
    identify_source, max_tokens, rules,
};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;
use shisa_rows::Insn;

/// Searches data; `offset` is its offset in the file, and `location` returns that of a byte of it.
pub(crate) fn search(
    search: &mut Search<'_>,
    data: &[u8],
    offset: usize,
    path: &[Step],
    location: impl Fn(usize) -> Place,
) -> Result<(), Diagnostic> {
    if search.nested(data, path) {
        return Ok(());
    }
    let text = std::str::from_utf8(data).ok();
    if let Some((text, guess)) = text.and_then(|t| Some((t, identify_source(t)?))) {
        let SourceGuess { stage, version, confidence } = guess;
        let whole = stage.is_some_and(|stage| is_whole(text, stage, version));
        search.take(Found {
            path: path.to_vec(),
            place: location(0),
            offset,
            content: Content::Source(text.into()),
            stage,
            version,
            whole,
            confidence: if whole { confidence } else { confidence.min(Confidence::Possible) },
        })?;
        return Ok(());
    }
    let decoded = text.and_then(encoded::decode);
    let data = decoded.as_deref().unwrap_or(data);
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
            path: path.to_vec(),
            place: location(start),
            offset: if decoded.is_some() { offset } else { offset + start },
            content: Content::Program(bytes),
            stage: Some(program.stage),
            version: program.version,
            whole: true,
            confidence,
        })?;
    }
    Ok(())
}

/// Whether text is a whole program: it obeys the rules, and writes an output.
pub(crate) fn is_whole(text: &str, stage: Stage, version: u32) -> bool {
    let options = AsmOptions {
        stage: Some(stage),
        version: Some(version),
        lenient: true,
        unchecked: true,
        ..AsmOptions::default()
    };
    let done = shisa_agal::assemble(text, &options, &Limits::default());
    done.program.is_some_and(|program| {
        let writes_output = |token: &Token| {
            let form = Insn::<Agal>::decode(*token).map(|i| i.form());
            form.is_some_and(|f| f.operands.iter().any(|o| o.field == DEST_FIELD))
                && Dest::of(token).kind() == RegType::OUTPUT
        };
        program.tokens.iter().any(writes_output) && rules::first_in_program(&program).is_none()
    })
}

/// The program at the start of `bytes`: a header, and tokens up to the first that cannot be one.
pub(crate) fn read(bytes: &[u8]) -> Option<Program> {
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
        if rules::check_program(&single, &limits).iter().any(|f| is_alien(f.number)) {
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
