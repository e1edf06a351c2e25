//! The commands of a debugger, as text.

mod causes;
mod completion;
mod moves;
mod points;
mod show;
mod state;
mod words;

pub use completion::{Completion, Word, WordKind};
pub use state::{Point, State};
pub use words::{COMMANDS, Command};

use crate::session::Session;
use serde_json::Value;
use shisa_diag::Diagnostic;
use std::collections::BTreeMap;
use words::Verb;

/// The answer to a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// For people; may have several lines.
    pub text: String,
    /// The same for programs.
    pub data: Value,
}

impl Answer {
    fn new(text: impl Into<String>, data: Value) -> Answer {
        Answer { text: text.into(), data }
    }
}

/// What a command leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// An answer.
    Answer(Answer),
    /// The session must be saved as a file of this name. Commands have no files: who runs them writes [`Commands::state`].
    Save(String),
    /// The end of the session.
    Quit,
}

/// A session that understands commands.
pub struct Commands {
    session: Session,
    /// The latest command, which an empty line repeats.
    latest: String,
    /// The commands that added breakpoints, by the numbers of these.
    points: BTreeMap<usize, String>,
}

impl Commands {
    /// Commands for a session.
    pub fn new(session: Session) -> Commands {
        Commands { session, latest: String::new(), points: BTreeMap::new() }
    }

    /// The session.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// The session, mutable.
    pub fn session_mut(&mut self) -> &mut Session {
        &mut self.session
    }

    /// Runs a command. An empty line repeats the latest one; text after `#` is a comment.
    ///
    /// # Errors
    /// `debug-command` for a command that does not exist or has other arguments; what the command reports.
    pub fn run(&mut self, line: &str) -> Result<Reply, Diagnostic> {
        let line = line.split('#').next().unwrap_or_default().trim();
        let line = if line.is_empty() { std::mem::take(&mut self.latest) } else { line.to_owned() };
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        if name.is_empty() {
            return Ok(Reply::Answer(Answer::new("", Value::Null)));
        }
        let command = words::find(name)?;
        let rest = rest.trim();
        let answer = match command.verb {
            Verb::Quit => return Ok(Reply::Quit),
            Verb::Save if rest.is_empty() => return Err(wrong("save needs the name of a file")),
            Verb::Save => return Ok(Reply::Save(rest.to_owned())),
            Verb::Help => words::help(rest)?,
            Verb::Move(direction, how) => self.go(command, direction, how, rest)?,
            Verb::Goto => self.goto(rest)?,
            Verb::Start => self.goto("0")?,
            Verb::End => self.goto(&self.session.recorded().end().to_string())?,
            Verb::Break => self.add_break(command, rest)?,
            Verb::Watch(access) => self.add_watch(command, access, rest)?,
            Verb::On => self.add_event(command, rest)?,
            Verb::Delete => self.delete(rest)?,
            Verb::Enable(enabled) => self.enable(enabled, rest)?,
            Verb::Breakpoints => self.list_breakpoints()?,
            Verb::Lane => self.choose_lane(rest)?,
            Verb::Waves => self.list_waves()?,
            Verb::Print => self.print(rest)?,
            Verb::Lanes => self.print_lanes(rest)?,
            Verb::Registers => self.registers(rest)?,
            Verb::Stacks => self.stacks()?,
            Verb::List => self.list(rest)?,
            Verb::Where => self.position()?,
            Verb::Memory => self.memory(rest)?,
            Verb::Why => self.why(rest)?,
            Verb::WhyNot => self.why_not(rest)?,
            Verb::WhyHere => self.why_here()?,
            Verb::Uses => self.uses(rest)?,
        };
        self.latest = line;
        Ok(Reply::Answer(answer))
    }

    /// Runs a command that an empty line does not repeat, for a front end that shows its answer all the time.
    ///
    /// # Errors
    /// As [`Commands::run`].
    pub fn query(&mut self, line: &str) -> Result<Reply, Diagnostic> {
        let latest = self.latest.clone();
        let reply = self.run(line);
        self.latest = latest;
        reply
    }
}

/// An error about a command.
fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-command", text)
}

/// A number in decimal, or in hexadecimal after `0x`.
fn number(text: &str, what: &str) -> Result<u64, Diagnostic> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| wrong(format!("\"{}\" is not {what}", shisa_diag::escape(text))))
}

/// A set of lanes in words, such as `0-3, 7`.
fn lanes_text(lanes: u32) -> String {
    let mut ranges: Vec<String> = Vec::new();
    let mut lane = 0;
    while lane < u32::BITS {
        let run = (lanes >> lane).trailing_ones();
        match run {
            0 => lane += 1,
            1 => ranges.push(lane.to_string()),
            _ => ranges.push(format!("{lane}-{}", lane + run - 1)),
        }
        lane += run;
    }
    if ranges.is_empty() { "none".into() } else { ranges.join(", ") }
}

#[cfg(test)]
mod tests;
