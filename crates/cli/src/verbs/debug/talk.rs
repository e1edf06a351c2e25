//! A session in lines of text or JSON.

use crate::input::Input;
use crate::options::Format;
use crate::report::Report;
use crate::stop::Stop;
use serde_json::{Value, json};
use shisa::data::debug::{Commands, Reply};
use shisa::diag::Diagnostic;
use shisa_terminal::Save;
use std::io::{self, BufRead, Write};

/// A session with somebody.
pub(super) struct Talk {
    commands: Commands,
    format: Format,
    save: Save,
    out: io::StdoutLock<'static>,
}

impl Talk {
    pub(super) fn new(commands: Commands, format: Format, save: Save) -> Talk {
        Talk { commands, format, save, out: io::stdout().lock() }
    }

    pub(super) fn say(&mut self, text: &str, data: Value) -> Result<(), Stop> {
        match self.format {
            Format::Json => {
                serde_json::to_writer(&mut self.out, &data)?;
                writeln!(self.out)?;
            }
            Format::Text if text.is_empty() => {}
            Format::Text => writeln!(self.out, "{text}")?,
        }
        Ok(())
    }

    /// Writes the position.
    pub(super) fn position(&mut self) -> Result<(), Stop> {
        match self.commands.query("where") {
            Ok(Reply::Answer(answer)) => self.say(&answer.text, answer.data),
            Ok(Reply::Save(_) | Reply::Quit) => Ok(()),
            Err(d) => Err(Stop::Failed(d.message)),
        }
    }

    /// Runs a command; returns whether the session goes on, and the error of the command.
    fn obey(&mut self, line: &str) -> Result<Result<bool, Diagnostic>, Stop> {
        Ok(match self.commands.run(line) {
            Ok(Reply::Quit) => Ok(false),
            Ok(Reply::Answer(answer)) => {
                self.say(&answer.text, answer.data)?;
                Ok(true)
            }
            Ok(Reply::Save(file)) => match (self.save)(&file, self.commands.state()) {
                Ok(text) => {
                    self.say(&text, json!({"saved": file}))?;
                    Ok(true)
                }
                Err(d) => Err(d),
            },
            Err(d) => Err(d),
        })
    }

    /// Runs commands from a file. A command that fails is reported, and the others run all the same.
    pub(super) fn script(
        &mut self,
        lines: impl BufRead,
        input: &Input,
        report: &mut Report,
    ) -> Result<(), Stop> {
        for line in lines.lines() {
            let line = line?;
            // A script repeats no command by an empty line.
            if line.split('#').next().unwrap_or_default().trim().is_empty() {
                continue;
            }
            if self.format == Format::Text {
                writeln!(self.out, "> {}", line.trim())?;
            }
            match self.obey(&line)? {
                Ok(true) => {}
                Ok(false) => break,
                Err(d) => {
                    self.out.flush()?;
                    report.all(&[d], input);
                }
            }
        }
        Ok(())
    }

    /// Asks for commands.
    pub(super) fn prompt(&mut self, mut input: impl BufRead) -> Result<(), Stop> {
        loop {
            write!(self.out, "(shisa) ")?;
            self.out.flush()?;
            let mut line = String::new();
            if input.read_line(&mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(());
            }
            match self.obey(&line)? {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(d) => {
                    writeln!(self.out, "{d}")?;
                    d.help.iter().try_for_each(|help| writeln!(self.out, "help: {help}"))?;
                }
            }
        }
    }
}
