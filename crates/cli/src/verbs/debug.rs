//! `shisa debug`

use crate::options::{Format, Global};
use crate::report::Report;
use crate::stop::{Status, Stop};
use crate::subject::{Ready, Subject};
use serde_json::{Value, json};
use shisa::data::debug::{Captured, Commands, RECORDING_BYTES, Reply, captured};
use shisa::diag::Diagnostic;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Write};

/// Step through a run of a program, forwards and backwards
///
/// The run is recorded, and commands go to any of its steps: `help` lists them. Without --script they come from standard
/// input.
#[derive(Debug, clap::Args)]
pub(crate) struct Debug {
    #[command(flatten)]
    subject: Subject,
    /// A file of commands, one in each line; - is standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    script: OsString,
    /// Which run, from 1, of an input that runs several programs, such as the stages of a draw call
    #[arg(long, value_name = "N", default_value_t = 1)]
    run: usize,
    /// The largest size of the recording in MiB. Beyond it, states are made again when they are needed
    #[arg(long, value_name = "MIB", default_value_t = RECORDING_BYTES >> 20)]
    memory: usize,
}

impl Debug {
    /// Records the run and obeys commands until they end.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.script == "-" && self.subject.reads_standard_input() {
            let text = "commands come from standard input, so program and input cannot; use --script FILE";
            return Err(Stop::Failed(text.into()));
        }
        self.subject.ready(
            global,
            |_| {},
            |ready, report| match captured(|trace| (ready.run)(ready.text, trace)) {
                Ok(runs) => self.session(runs, &ready, global.format, report),
                Err(e) => {
                    ready.failed(&e, report);
                    Ok(())
                }
            },
        )
    }

    fn session(
        &self,
        runs: Vec<Captured>,
        ready: &Ready<'_>,
        format: Format,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let count = runs.len();
        let run = Captured::choose(runs, self.run).map_err(|d| Stop::Failed(d.message))?;
        let stage = run.stage();
        let script = match self.script == "-" {
            true => None,
            false => Some(File::open(&self.script).map_err(|e| Stop::file("read", &self.script, &e))?),
        };
        let session = run.session(self.memory.saturating_mul(1 << 20));
        let mut talk = Talk { commands: Commands::new(session), format, out: io::stdout().lock() };
        if count > 1 {
            let stage = stage.map_or(String::new(), |stage| format!(", the {stage} program"));
            talk.say(
                &format!("run {} of {count}{stage}", self.run),
                json!({"run": self.run, "runs": count}),
            )?;
        }
        // A run without steps has no position.
        if let Err(d) = talk.obey("where")? {
            report.all(&[d], ready.input);
            return Ok(());
        }
        if let Some(script) = script {
            return talk.script(BufReader::new(script), ready, report);
        }
        let input = io::stdin();
        match input.is_terminal() && format == Format::Text {
            true => talk.prompt(input.lock()),
            false => talk.script(input.lock(), ready, report),
        }
    }
}

/// A session with somebody.
struct Talk<'o> {
    commands: Commands,
    format: Format,
    out: io::StdoutLock<'o>,
}

impl Talk<'_> {
    fn say(&mut self, text: &str, data: Value) -> Result<(), Stop> {
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

    /// Runs a command; returns whether the session goes on, and the error of the command.
    fn obey(&mut self, line: &str) -> Result<Result<bool, Diagnostic>, Stop> {
        Ok(match self.commands.run(line) {
            Ok(Reply::Quit) => Ok(false),
            Ok(Reply::Answer(answer)) => {
                self.say(&answer.text, answer.data)?;
                Ok(true)
            }
            Err(d) => Err(d),
        })
    }

    /// Runs commands from a file. A command that fails is reported, and the others run all the same.
    fn script(&mut self, lines: impl BufRead, ready: &Ready<'_>, report: &mut Report) -> Result<(), Stop> {
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
                    report.all(&[d], ready.input);
                }
            }
        }
        Ok(())
    }

    /// Asks for commands.
    fn prompt(&mut self, mut input: impl BufRead) -> Result<(), Stop> {
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
