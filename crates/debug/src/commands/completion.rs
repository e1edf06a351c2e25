//! Completion of a line.

use super::{COMMANDS, Commands};
use crate::breakpoint::On;

/// The largest number of words that complete a line.
const MOST_WORDS: usize = 200;

/// What the last word of a line can become.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The offset of the word in bytes.
    pub start: usize,
    /// The words that begin with it: commands at the start of the line; labels, registers and symbols, and events after
    /// `on`, `until` and `before`. At most 200.
    pub words: Vec<Word>,
}

/// A word that completes a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub text: String,
    /// What it names.
    pub kind: WordKind,
}

/// What a word names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A command.
    Command,
    /// An event, such as `nan`.
    Event,
    /// A label of the program's text.
    Label,
    /// A register or a symbol.
    Register,
}

impl Commands {
    /// The words that complete the end of a line.
    pub fn completion(&self, line: &str) -> Completion {
        let part_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        // The names of commands have hyphens, and those of registers do not.
        let is_first = line.trim_start().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let word = if is_first { line.trim_start() } else { line };
        let start = match is_first {
            true => line.len() - word.len(),
            false => line.trim_end_matches(part_of_name).len(),
        };
        let (before, word) = line.split_at(start);
        let takes_event = ["on", "until", "before"].contains(&before.trim());
        let commands = COMMANDS.iter().map(|command| (command.name, WordKind::Command));
        let events = On::NAMED.iter().map(|(name, _)| (*name, WordKind::Event));
        let labels = self.session.text().labels().map(|name| (name, WordKind::Label));
        let registers = self.session.names().all().map(|name| (name, WordKind::Register));
        let all = commands.filter(|_| is_first).chain(events.filter(|_| takes_event));
        let all = all.chain(labels).chain(registers).filter(|(name, _)| name.starts_with(word));
        let word = |(text, kind): (&str, WordKind)| Word { text: text.to_owned(), kind };
        Completion { start, words: all.take(MOST_WORDS).map(word).collect() }
    }
}
