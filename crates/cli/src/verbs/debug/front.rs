//! How a session is shown: in a window, in lines, or as JSON.

use super::talk::Talk;
use crate::input::Input;
use crate::options::{Format, Global};
use crate::program_text::show_text;
use crate::report::Report;
use crate::stop::Stop;
use serde_json::Value;
use shisa::Settings;
use shisa::data::debug::{Captured, Commands, RECORDING_BYTES, Session, State};
use shisa_terminal::{App, Colors, Document, Save};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, IsTerminal};

/// A session before it begins.
pub(in crate::verbs) struct Beginning<'b> {
    /// The run.
    pub(in crate::verbs) run: Captured,
    /// The largest size of the recording in bytes.
    pub(in crate::verbs) memory: usize,
    /// The position and the breakpoints.
    pub(in crate::verbs) state: State,
    /// Which of several runs it is, in words and as data.
    pub(in crate::verbs) which: Option<(String, Value)>,
    /// The texts beside a listing.
    pub(in crate::verbs) documents: &'b dyn Fn(&Session) -> Vec<Document>,
    /// Saves it.
    pub(in crate::verbs) save: Save,
    /// The file that it is about.
    pub(in crate::verbs) input: &'b Input,
    /// The files of programs, one of which it shows.
    pub(in crate::verbs) programs: &'b [Input],
    /// How they are opened.
    pub(in crate::verbs) settings: &'b Settings,
}

impl Beginning<'_> {
    /// The default of the size of the recording.
    pub(in crate::verbs) const MEMORY: usize = RECORDING_BYTES;

    /// Records the run, and obeys commands until they end: those of the file `script`, or with `-` those of somebody. In
    /// a terminal they see a window, unless it is to be `plain`.
    pub(in crate::verbs) fn show(
        self,
        script: &OsStr,
        plain: bool,
        global: &Global,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let script = match script == "-" {
            true => None,
            false => Some(File::open(script).map_err(|e| Stop::file("read", script, &e))?),
        };
        let mut session = self.run.session(self.memory);
        show_text(&mut session, self.programs, self.settings);
        let mut commands = Commands::new(session);
        // A run without steps has no position.
        let restored = commands.query("where").and_then(|_| commands.restore(&self.state));
        if let Err(d) = restored {
            report.all(&[d], self.input);
            return Ok(());
        }
        let input = io::stdin();
        let is_terminal = input.is_terminal() && script.is_none() && global.format == Format::Text;
        if is_terminal && !plain && has_window() {
            let documents = (self.documents)(commands.session());
            let colors = if global.colour_output() { Colors::On } else { Colors::Off };
            let app = App::new(commands, documents, colors, self.save);
            let mut app = app.map_err(|d| Stop::Failed(d.message))?;
            if let Some((text, _)) = self.which {
                app.note(&text);
            }
            return Ok(shisa_terminal::run(&mut app)?);
        }
        let mut talk = Talk::new(commands, global.format, self.save);
        if let Some((text, data)) = self.which {
            talk.say(&text, data)?;
        }
        talk.position()?;
        match script {
            Some(script) => talk.script(BufReader::new(script), self.input, report),
            None if is_terminal => talk.prompt(input.lock()),
            None => talk.script(input.lock(), self.input, report),
        }
    }
}

/// Whether standard output is a terminal with a cursor that can be moved.
fn has_window() -> bool {
    io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}
