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
    /// The words that begin with it: commands at the start of the line; registers and symbols, and events after `on`,
    /// `until` and `before`. At most 200.
    pub words: Vec<String>,
}

impl Commands {
    /// The words that complete the end of a line.
    pub fn completion(&self, line: &str) -> Completion {
        let start = line.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len();
        // The names of commands have hyphens, and those of registers do not.
        let is_first = line.trim_start().chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        let start = if is_first { line.len() - line.trim_start().len() } else { start };
        let (before, word) = line.split_at(start);
        let takes_event = ["on", "until", "before"].contains(&before.trim());
        let commands = COMMANDS.iter().map(|command| command.name).filter(|_| is_first);
        let events = On::NAMED.iter().map(|(name, _)| *name).filter(|_| takes_event);
        let names = self.session.names().all();
        let all = commands.chain(events).chain(names).filter(|name| name.starts_with(word));
        Completion { start, words: all.take(MOST_WORDS).map(str::to_owned).collect() }
    }
}
