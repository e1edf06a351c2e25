//! The source and the translation beside the listing.

use crate::input::Input;
use shisa::Program;
use shisa::data::debug::{Line, Session};
use shisa::ir::At;
use shisa::translation::{Code, Options, Target};
use shisa_terminal::Document;
use std::collections::BTreeMap;

/// The source of a program that is one, and the translation of one that has one.
pub(in crate::verbs) fn of(input: &Input, program: &Program<'_>, session: &Session) -> Vec<Document> {
    [source(input, program, session.lines()), translation(program, session)].into_iter().flatten().collect()
}

/// The source, with the lines of its instructions.
fn source(input: &Input, program: &Program<'_>, listing: &[Line]) -> Option<Document> {
    let text = std::str::from_utf8(&input.bytes).ok()?;
    let assembly = shisa::assemble(text, program.isa()?.language(), program.settings()).ok()?;
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut counters = BTreeMap::new();
    // The lines of a source of several programs would belong to other instructions.
    if assembly.lines.len() == listing.len() {
        for (own, line) in assembly.lines.iter().zip(listing) {
            let number = ends.partition_point(|end| *end < own.span.start);
            counters.entry(number).or_insert(line.counter);
        }
    }
    Some(Document::new("Source", text, &counters))
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
