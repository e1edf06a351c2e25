//! The source and the translation beside the listing.

use shisa::Program;
use shisa::data::debug::{ProgramText, Session};
use shisa::ir::At;
use shisa::translation::{Code, Options, Target};
use shisa_terminal::Document;
use std::collections::BTreeMap;

/// The source that a session shows, and the translation of its program, as far as there are any.
pub(in crate::verbs) fn of(program: Option<&Program<'_>>, session: &Session) -> Vec<Document> {
    let translation = program.and_then(|program| translation(program, session));
    [source(session.text()), translation].into_iter().flatten().collect()
}

/// The source, with the lines of its instructions, if the session's text is one.
fn source(text: &ProgramText) -> Option<Document> {
    text.path()?;
    let counters = text.lines().filter_map(|line| text.instruction(line)).collect();
    Some(Document::new("Source", text.text(), &counters))
}

/// The translation to WGSL, with the lines of each instruction.
fn translation(program: &Program<'_>, session: &Session) -> Option<Document> {
    let lowered = program.lower().ok()?;
    let texts = lowered.texts();
    let output = lowered.translate(Target::Wgsl, &Options::default()).ok()?;
    let Code::Text(text) = &output.code else { return None };
    let steps = &session.recorded().program().lifted().steps;
    let mnemonic = |text: &str| text.split_whitespace().next().map(str::to_owned);
    let mut counters = BTreeMap::new();
    for range in &output.source_map {
        let index = range.instruction as usize;
        let counter = steps.get(index)?.pc;
        let line = session.lines().get(session.line(At::Step(counter))?)?;
        // Another program than the translated one may run.
        if mnemonic(texts.get(index)?) != mnemonic(&line.text) {
            return None;
        }
        // Lines of translations count from 1.
        counters
            .extend((range.start..range.end).map(|number| ((number as usize).saturating_sub(1), counter)));
    }
    Some(Document::new("WGSL", text, &counters))
}
