//! Guesses about text that does not state its instruction set.

use super::interface::{Family, Guess};
use crate::{Listing, Settings};
use shisa_diag::Confidence;

/// The guess that a text is a source of an instruction set: at least half of its first lines that are neither
/// comments, directives nor labels assemble.
pub(crate) fn guess(family: &dyn Family, text: &str) -> Option<Guess> {
    const FIRST_LINES: usize = 16;
    let lone = family.lone(&Listing::new(), &Settings::default()).ok()?;
    let code = text.lines().map(instruction).filter(|line| !line.is_empty() && !line.ends_with(':'));
    let (mut all, mut sound) = (0, 0);
    for line in code.take(FIRST_LINES) {
        all += 1;
        sound += usize::from(lone.assemble(line, &mut Vec::new()).is_ok());
    }
    (sound > 0 && 2 * sound >= all).then_some(Guess {
        language: family.isa().language(),
        stage: None,
        version: 1,
        confidence: Confidence::Likely,
    })
}

/// The instruction of a line, without a comment and control notation; empty for a directive.
fn instruction(line: &str) -> &str {
    let line = line.split("//").next().unwrap_or_default();
    let end = line.find(';').map_or(line.len(), |at| at + 1);
    let line = line.get(..end).unwrap_or_default().trim();
    if line.starts_with('.') { "" } else { line }
}
