//! The text that a debugger shows for a program: its source, or its listing.

use shisa::data::debug::{Line, ProgramText};
use shisa::diag::without_mark;
use shisa::{File, Language, Listing, Program, Settings};
use std::collections::BTreeMap;
use std::path::Path;

/// The text of a file that a program with this listing is part of. `None` if no text assembles to the program: a session
/// then shows the instructions alone.
pub fn text_of(lines: &[Line], file_name: &str, bytes: &[u8], settings: &Settings) -> Option<ProgramText> {
    let mut settings = settings.clone();
    settings.name = Some(file_name.to_owned());
    let name = Path::new(file_name).file_name()?.to_string_lossy().into_owned();
    let (text, language, name, path) = match Language::of(bytes, &settings) {
        Some(language) => {
            let text = String::from_utf8_lossy(without_mark(bytes)).into_owned();
            (text, language, name, Some(file_name.to_owned()))
        }
        None => {
            let text = File::open(bytes, &settings).and_then(|f| f.listing(&Listing::new())).ok()?;
            settings.name = None;
            let language = Language::of(text.as_bytes(), &settings)?;
            (text, language, format!("{name} (listing)"), None)
        }
    };
    let assembly = shisa::assemble(&text, language, &settings).ok()?;
    (settings.name, settings.language, settings.isa) = (None, None, Some(language.isa()));
    let opened = File::open(&assembly.bytes, &settings).ok()?;
    let counters = opened.programs().find_map(|program| counters(&program, lines))?;
    let starts = assembly.lines.iter().map(|line| (line.span.start, counters.get(&line.offset).copied()));
    let starts: Vec<_> = starts.collect();
    Some(ProgramText::new(name, path, text, starts))
}
/// The program counters of a program's instructions by their offsets in its file, if these are the instructions.
fn counters(program: &Program<'_>, lines: &[Line]) -> Option<BTreeMap<usize, u32>> {
    let all = program.instructions(&Listing::new()).ok()?;
    let all = all.into_iter().filter_map(|insn| Some((insn.offset, insn.text?)));
    let all: Vec<(usize, String)> = all.collect();
    let first = |text: &str| text.split_whitespace().next().map(|word| word.trim_end_matches(';').to_owned());
    let same = all.iter().zip(lines).all(|((_, text), line)| first(text) == first(&line.text));
    (all.len() == lines.len() && same)
        .then(|| all.iter().zip(lines).map(|((offset, _), line)| (*offset, line.counter)).collect())
}
