//! Commands for breakpoints.

use super::causes::memory;
use super::words::Command;
use super::{Answer, Commands, number, wrong};
use crate::breakpoint::{Access, On};
use crate::expression::Expression;
use crate::hits::Hits;
use crate::log::Log;
use serde_json::json;
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// The largest number of breakpoints of a session to which a command adds one.
const MOST_BREAKPOINTS: usize = 256;

/// What a breakpoint waits for, its condition, the hits that count and what it logs.
pub(super) struct Parts {
    pub(super) on: On,
    pub(super) condition: Option<Expression>,
    pub(super) hits: Option<Hits>,
    pub(super) log: Option<Log>,
}

/// The text before a word, and the text after it.
fn split<'t>(text: &'t str, word: &str) -> (&'t str, Option<&'t str>) {
    let mut at = 0;
    for part in text.split_whitespace() {
        at += text[at..].find(part).unwrap_or_default();
        if part == word {
            return (text[..at].trim(), Some(text[at + part.len()..].trim()));
        }
        at += part.len();
    }
    (text, None)
}

impl Commands {
    fn expression(&self, text: &str) -> Result<Expression, Diagnostic> {
        Expression::parse(text, self.session.names())
    }

    /// What a breakpoint waits for, with the conditions after it, from its text before them.
    fn parts(
        &self,
        text: &str,
        on: impl FnOnce(&Self, &str) -> Result<On, Diagnostic>,
    ) -> Result<Parts, Diagnostic> {
        let (text, log) = split(text, "log");
        let (text, hits) = split(text, "hits");
        let (what, condition) = split(text, "if");
        let condition = condition.map(|text| self.expression(text)).transpose()?;
        let hits = hits.map(Hits::parse).transpose()?;
        let log = log.map(|text| self.expression(text).map(Log::Value)).transpose()?;
        let on = match what {
            "" if condition.is_some() => On::Always,
            "" => return Err(wrong("a breakpoint needs a program counter, an event or `if EXPRESSION`")),
            what => on(self, what)?,
        };
        Ok(Parts { on, condition, hits, log })
    }

    /// The instruction at a position.
    fn instruction(&self, text: &str) -> Result<On, Diagnostic> {
        self.counter(text).map(On::Step)
    }

    /// The program counter that is written as a number, as a line of the text such as `:12` or `fog.agal:12`, or as a label.
    pub(super) fn counter(&self, text: &str) -> Result<u32, Diagnostic> {
        let program = self.session.text();
        if let Some((file, line)) = text.rsplit_once(':') {
            if !program.is_named(file) {
                let [file, own] = [file, program.name()].map(shisa_diag::escape);
                return Err(wrong(format!("the text of the program is {own}, not {file}")));
            }
            let line = number(line, "the number of a line")?;
            let index = line.checked_sub(1).and_then(|line| usize::try_from(line).ok());
            let found = index.and_then(|line| program.instruction(line));
            return found.map(|(_, counter)| counter).ok_or_else(|| {
                wrong(format!("line {line} and the lines after it have no instruction of the program"))
            });
        }
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            return program.label(text).ok_or_else(|| {
                let d = wrong(format!("there is no label \"{}\"", shisa_diag::escape(text)));
                d.help(match shisa_rows::nearest(text, program.labels()) {
                    Some(near) => format!("did you mean \"{near}\"?"),
                    None => "an instruction is a program counter, a label, or a line such as `:12`".into(),
                })
            });
        }
        let counter = number(text, "a program counter")?;
        let counter =
            u32::try_from(counter).ok().filter(|counter| self.session.line(At::Step(*counter)).is_some());
        let counter = counter.ok_or_else(|| {
            wrong(format!("there is no instruction at {text}")).help("`list` shows the program counters")
        })?;
        Ok(counter)
    }

    /// What a move goes to.
    pub(super) fn stop_of(&self, text: &str) -> Result<Parts, Diagnostic> {
        self.parts(text, |this, what| match On::named(what) {
            Ok(event) => Ok(event),
            Err(d) => this.instruction(what).map_err(|other| match Self::is_position(what) {
                true => other,
                false => d.note("no label has this name either"),
            }),
        })
    }

    /// Whether a text is a position in any program.
    fn is_position(text: &str) -> bool {
        text.contains(':') || text.starts_with(|c: char| c.is_ascii_digit())
    }

    pub(super) fn add_break(&mut self, command: &Command, text: &str) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, Self::instruction)?;
        self.added(parts, command, text)
    }

    pub(super) fn add_watch(
        &mut self,
        command: &Command,
        access: Access,
        text: &str,
    ) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, |this, what| On::watched(&this.expression(what)?, access))?;
        self.added(parts, command, text)
    }

    pub(super) fn add_event(&mut self, command: &Command, text: &str) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, |_, what| On::named(what))?;
        self.added(parts, command, text)
    }

    fn added(
        &mut self,
        Parts { on, condition, hits, log }: Parts,
        command: &Command,
        text: &str,
    ) -> Result<Answer, Diagnostic> {
        if self.session.breakpoints().len() >= MOST_BREAKPOINTS {
            return Err(wrong(format!("there are {MOST_BREAKPOINTS} breakpoints, the most"))
                .help("`delete` removes one"));
        }
        let number = self.session.add(on, condition, log);
        self.session.limit(number, hits);
        self.points.insert(number, format!("{} {text}", command.name));
        Ok(Answer::new(format!("breakpoint {number}: {text}"), json!({"breakpoint": number})))
    }

    fn point(text: &str) -> Result<usize, Diagnostic> {
        Ok(number(text, "the number of a breakpoint")? as usize)
    }

    pub(super) fn delete(&mut self, text: &str) -> Result<Answer, Diagnostic> {
        let number = Self::point(text)?;
        match self.session.remove(number) {
            true => Ok(Answer::new(format!("breakpoint {number} is removed"), json!({"removed": number}))),
            false => Err(wrong(format!("there is no breakpoint {number}"))),
        }
    }

    pub(super) fn enable(&mut self, enabled: bool, text: &str) -> Result<Answer, Diagnostic> {
        let number = Self::point(text)?;
        let word = if enabled { "enabled" } else { "disabled" };
        match self.session.enable(number, enabled) {
            true => Ok(Answer::new(
                format!("breakpoint {number} is {word}"),
                json!({"breakpoint": number, "enabled": enabled}),
            )),
            false => Err(wrong(format!("there is no breakpoint {number}"))),
        }
    }

    pub(super) fn list_breakpoints(&self) -> Result<Answer, Diagnostic> {
        let all = self.session.breakpoints().iter().map(|point| {
            let mut text = match &point.on {
                On::Step(counter) => format!("{counter:#06x}  {}", self.text_of(At::Step(*counter))),
                On::Always => "any instruction".into(),
                On::Register(named, access) => {
                    let names: Vec<String> =
                        named.units.iter().map(|reg| self.session.names().of(*reg)).collect();
                    format!("{} of {}", kind(*access), names.join(", "))
                }
                On::Memory(space, range, access) => {
                    format!(
                        "{} of {} from {:#x} to {:#x}",
                        kind(*access),
                        memory(*space),
                        range.start,
                        range.end
                    )
                }
                on => on.name().unwrap_or("?").into(),
            };
            if let Some(condition) = &point.condition {
                text += &format!(" if {}", condition.text());
            }
            if let Some(hits) = point.hits {
                text += &format!(" hits {hits}");
            }
            if let Some(log) = &point.log {
                text += &format!(" log {}", log.text());
            }
            if !point.enabled {
                text += " (disabled)";
            }
            (point.number, text)
        });
        let all: Vec<(usize, String)> = all.collect();
        let text: Vec<String> = all.iter().map(|(number, text)| format!("{number}  {text}")).collect();
        let data = all.iter().map(|(number, text)| json!({"number": number, "text": text})).collect();
        Ok(Answer::new(if text.is_empty() { "no breakpoints".into() } else { text.join("\n") }, data))
    }
}

/// A kind of access in words.
fn kind(access: Access) -> &'static str {
    match access {
        Access::Reads => "a read",
        Access::Writes => "a write",
        Access::All => "an access",
    }
}
