//! The state of the application.

use crate::command_line::CommandLine;
use crate::document::Document;
use crate::pane::Pane;
use crate::snapshot::{Snapshot, Watch};
use crate::style::{Colors, Mark};
use ratatui::layout::Rect;
use shisa_debug::expression::Expression;
use shisa_debug::{Command, Commands, On, Reply, State};
use shisa_diag::Diagnostic;
use shisa_ir::At;

/// Saves a session as a file of a name, and returns what it did in words.
pub type Save = Box<dyn FnMut(&str, State) -> Result<String, Diagnostic>>;

/// The largest number of lines of the output.
const MOST_OUTPUT: usize = 10_000;

/// A session with what somebody looks at.
pub struct App {
    pub(crate) commands: Commands,
    save: Save,
    pub(crate) documents: Vec<Document>,
    /// The index of the document that is shown; past the last one, none is.
    pub(crate) document: usize,
    pub(crate) colors: Colors,
    pub(crate) watch: Watch,
    pub(crate) shown: Snapshot,
    /// The pane that keys scroll.
    pub(crate) focus: Pane,
    /// The pane in the part of a small window that shows one at a time.
    pub(crate) tab: Pane,
    /// The index of the instruction that the keys of the listing are about.
    pub(crate) selected: usize,
    /// The first row and column of each pane; the row counts from the end for the output.
    pub(crate) scrolls: [(usize, u16); Pane::ALL.len()],
    /// The lines of the output, the latest last.
    pub(crate) output: Vec<(Mark, String)>,
    pub(crate) line: CommandLine,
    /// Whether keys go to the command line.
    pub(crate) is_writing: bool,
    /// The first row of the help, while it is shown.
    pub(crate) help: Option<usize>,
    /// The breakpoints that are in a file.
    saved: State,
    /// Whether the latest key was the first of two that end the session.
    pub(crate) is_leaving: bool,
    /// Whether the session has ended.
    pub(crate) has_ended: bool,
    /// The window.
    pub(crate) window: Rect,
}

impl App {
    /// An application for a session, with texts beside its listing.
    ///
    /// # Errors
    /// `debug-empty` for a run without steps.
    pub fn new(
        mut commands: Commands,
        documents: Vec<Document>,
        colors: Colors,
        save: Save,
    ) -> Result<App, Diagnostic> {
        let watch = Watch::of(commands.session())?;
        let shown = Snapshot::take(&mut commands, &watch, None)?;
        let saved = commands.state();
        let mut app = App {
            commands,
            save,
            documents,
            document: 0,
            colors,
            watch,
            shown,
            focus: Pane::Listing,
            tab: Pane::Registers,
            selected: 0,
            scrolls: [(0, 0); Pane::ALL.len()],
            output: Vec::new(),
            line: CommandLine::default(),
            is_writing: false,
            help: None,
            saved,
            is_leaving: false,
            has_ended: false,
            window: Rect::default(),
        };
        app.follow();
        Ok(app)
    }

    /// Sets the size of the window in columns and rows.
    pub fn resize(&mut self, width: u16, height: u16) {
        self.window = Rect::new(0, 0, width, height);
    }

    /// Shows lines in the output.
    pub fn note(&mut self, text: &str) {
        self.say(Mark::Dim, text);
    }

    /// Runs a command and shows its answer.
    pub(crate) fn obey(&mut self, line: &str) {
        self.say(Mark::Title, &format!("> {}", line.trim()));
        match self.commands.run(line) {
            Ok(Reply::Answer(answer)) => {
                self.say(Mark::Plain, &answer.text);
                self.look_at(line);
            }
            Ok(Reply::Save(file)) => {
                let state = self.commands.state();
                match (self.save)(&file, state.clone()) {
                    Ok(text) => {
                        self.saved = state;
                        self.say(Mark::Plain, &text);
                    }
                    Err(d) => self.fail(&d),
                }
            }
            Ok(Reply::Quit) => self.has_ended = true,
            Err(d) => self.fail(&d),
        }
        self.refresh();
    }

    /// Makes the panes show what a command has shown once.
    fn look_at(&mut self, line: &str) {
        let Ok(command) = Command::of_line(line) else { return };
        let rest = line.trim_start().split_once(char::is_whitespace).map_or("", |(_, rest)| rest);
        match command.name {
            "lanes" => self.watch.lanes = Expression::parse(rest, self.commands.session().names()).ok(),
            "memory" => self.watch.memory = Some(line.to_owned()),
            _ => {}
        }
    }

    /// Looks at the position again.
    pub(crate) fn refresh(&mut self) {
        match Snapshot::take(&mut self.commands, &self.watch, Some(&self.shown)) {
            Ok(shown) => {
                let is_moved = shown.situation.time != self.shown.situation.time;
                self.shown = shown;
                if is_moved {
                    self.follow();
                }
            }
            Err(d) => self.fail(&d),
        }
    }

    /// Selects the instruction that runs next, and scrolls the text to it.
    pub(crate) fn follow(&mut self) {
        if let Some(line) = self.commands.session().line(self.shown.situation.at) {
            self.selected = line;
        }
        self.scroll_text();
    }

    /// Scrolls the text to the selected instruction.
    pub(crate) fn scroll_text(&mut self) {
        /// Rows of the text above those of the instruction.
        const ABOVE: usize = 4;
        let counter = self.commands.session().lines().get(self.selected).map(|line| line.counter);
        let document = self.documents.get(self.document);
        if let Some(line) = document.zip(counter).and_then(|(document, counter)| document.line_of(counter)) {
            self.scrolls[Pane::Text as usize].0 = line.saturating_sub(ABOVE);
        }
    }

    /// Adds lines to the output, and shows its end.
    pub(crate) fn say(&mut self, mark: Mark, text: &str) {
        self.output.extend(text.lines().map(|line| (mark, line.to_owned())));
        let excess = self.output.len().saturating_sub(MOST_OUTPUT);
        self.output.drain(..excess);
        self.scrolls[Pane::Output as usize].0 = 0;
    }

    fn fail(&mut self, d: &Diagnostic) {
        self.say(Mark::Error, &d.to_string());
        d.notes.iter().for_each(|note| self.say(Mark::Plain, &format!("note: {note}")));
        d.help.iter().for_each(|help| self.say(Mark::Plain, &format!("help: {help}")));
    }

    /// Adds a breakpoint at an instruction of the listing, or removes those that are there.
    pub(crate) fn toggle_breakpoint(&mut self, index: usize) {
        let Some(counter) = self.commands.session().lines().get(index).map(|line| line.counter) else {
            return;
        };
        let points = self.commands.session().breakpoints().iter();
        let there: Vec<usize> =
            points.filter(|point| point.on == On::Step(counter)).map(|point| point.number).collect();
        if there.is_empty() {
            return self.obey(&format!("break {counter:#x}"));
        }
        there.iter().for_each(|number| self.obey(&format!("delete {number}")));
    }

    /// Runs to an instruction of the listing.
    pub(crate) fn run_to(&mut self, index: usize) {
        let Some(counter) = self.commands.session().lines().get(index).map(|line| line.counter) else {
            return;
        };
        // The instruction that runs next is reached already.
        if self.shown.situation.at != At::Step(counter) || self.selected != index {
            self.obey(&format!("until {counter:#x}"));
        }
    }

    /// Whether breakpoints would be lost with the session.
    pub(crate) fn has_unsaved(&self) -> bool {
        self.commands.state().points != self.saved.points
    }

    /// Brings a pane to the front, and the keys to it.
    pub(crate) fn show(&mut self, pane: Pane) {
        self.focus = pane;
        if pane.is_tab() {
            self.tab = pane;
        }
    }

    /// The document that is shown.
    pub(crate) fn text(&self) -> Option<&Document> {
        self.documents.get(self.document)
    }
}
