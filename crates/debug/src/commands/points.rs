//! Commands for breakpoints.

use super::causes::memory;
use super::words::Command;
use super::{Answer, Commands, number, wrong};
use crate::breakpoint::{Access, On};
use crate::expression::Expression;
use serde_json::json;
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// What a breakpoint waits for, its condition and what it logs.
type Parts = (On, Option<Expression>, Option<Expression>);

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
        let (what, condition) = split(text, "if");
        let condition = condition.map(|text| self.expression(text)).transpose()?;
        let log = log.map(|text| self.expression(text)).transpose()?;
        let on = match what {
            "" if condition.is_some() => On::Always,
            "" => return Err(wrong("a breakpoint needs a program counter, an event or `if EXPRESSION`")),
            what => on(self, what)?,
        };
        Ok((on, condition, log))
    }

    /// The instruction at a program counter.
    fn instruction(&self, text: &str) -> Result<On, Diagnostic> {
        let counter = number(text, "a program counter")?;
        let counter =
            u32::try_from(counter).ok().filter(|counter| self.session.line(At::Step(*counter)).is_some());
        let counter = counter.ok_or_else(|| {
            wrong(format!("there is no instruction at {text}")).help("`list` shows the program counters")
        })?;
        Ok(On::Step(counter))
    }

    /// What a move goes to.
    pub(super) fn stop_of(&self, text: &str) -> Result<Parts, Diagnostic> {
        self.parts(text, |this, what| match what.starts_with(|c: char| c.is_ascii_digit()) {
            true => this.instruction(what),
            false => On::named(what),
        })
    }

    pub(super) fn add_break(&mut self, command: &Command, text: &str) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, Self::instruction)?;
        Ok(self.added(parts, command, text))
    }

    pub(super) fn add_watch(
        &mut self,
        command: &Command,
        access: Access,
        text: &str,
    ) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, |this, what| On::watched(&this.expression(what)?, access))?;
        Ok(self.added(parts, command, text))
    }

    pub(super) fn add_event(&mut self, command: &Command, text: &str) -> Result<Answer, Diagnostic> {
        let parts = self.parts(text, |_, what| On::named(what))?;
        Ok(self.added(parts, command, text))
    }

    fn added(&mut self, (on, condition, log): Parts, command: &Command, text: &str) -> Answer {
        let number = self.session.add(on, condition, log);
        self.points.insert(number, format!("{} {text}", command.name));
        Answer::new(format!("breakpoint {number}: {text}"), json!({"breakpoint": number}))
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
                On::Write(named) => {
                    let names: Vec<String> =
                        named.units.iter().map(|reg| self.session.names().of(*reg)).collect();
                    format!("a write of {}", names.join(", "))
                }
                On::Memory(space, range, access) => {
                    let what = match access {
                        Access::Reads => "a read",
                        Access::Writes => "a write",
                        Access::All => "an access",
                    };
                    format!("{what} of {} from {:#x} to {:#x}", memory(*space), range.start, range.end)
                }
                on => On::NAMED.iter().find(|(_, named)| named == on).map_or("?", |(name, _)| name).into(),
            };
            if let Some(condition) = &point.condition {
                text += &format!(" if {}", condition.text());
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
