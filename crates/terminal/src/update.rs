//! Changes of the application by events.

use crate::app::App;
use crate::keys::{Act, KEYS};
use crate::layout::{Areas, inside};
use crate::pane::Pane;
use crate::style::Mark;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use shisa_debug::Word;

/// What comes after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next event.
    Continue,
    /// Everything must be drawn again.
    Redraw,
    /// The process must stop until the shell continues it.
    Suspend,
    /// The end.
    End,
}

impl App {
    /// Changes the application by an event of the terminal.
    pub fn update(&mut self, event: &Event) -> Flow {
        match event {
            Event::Resize(width, height) => self.resize(*width, *height),
            Event::Mouse(mouse) => self.point(mouse),
            Event::Paste(text) if self.is_writing => self.line.insert(text),
            // Some terminals also report that keys are released.
            Event::Key(key) if key.kind != KeyEventKind::Release => return self.press(key),
            _ => {}
        }
        if self.has_ended { Flow::End } else { Flow::Continue }
    }

    fn press(&mut self, key: &KeyEvent) -> Flow {
        let was_leaving = std::mem::take(&mut self.is_leaving);
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            match key.code {
                KeyCode::Char('l') => return Flow::Redraw,
                KeyCode::Char('z') => return Flow::Suspend,
                KeyCode::Char('c') => (self.is_writing, self.help) = (false, None),
                KeyCode::Char(letter) if self.is_writing => self.edit(letter),
                _ => {}
            }
        } else if self.is_writing {
            self.write(key.code);
        } else if self.help.is_some() {
            self.read_help(key.code);
        } else if let KeyCode::Char(digit @ '1'..='8') = key.code {
            let number = digit.to_digit(10).map(|number| number as usize);
            if let Some(pane) = Pane::ALL.into_iter().find(|pane| Some(pane.number()) == number) {
                self.show(pane);
            }
        } else if let Some(binding) = KEYS.iter().find(|binding| binding.key == key.code) {
            self.act(binding.act, was_leaving);
        }
        if self.has_ended { Flow::End } else { Flow::Continue }
    }

    fn act(&mut self, act: Act, was_leaving: bool) {
        match act {
            Act::Run(line) => self.obey(line),
            Act::Write(text) => {
                self.line.set(text);
                self.is_writing = true;
            }
            Act::Breakpoint => self.toggle_breakpoint(self.selected),
            Act::RunTo => self.run_to(self.selected),
            Act::Lane { next } => self.choose_lane(next),
            Act::Document => {
                self.document = (self.document + 1) % (self.documents.len() + 1);
                self.scroll_text();
            }
            Act::Pane { next } => self.show(self.focus.neighbour(next)),
            Act::Scroll(rows, columns) => self.scroll(self.focus, rows, columns),
            Act::Page { down } => {
                let rows = self.rows(self.focus).saturating_sub(2).max(1) as i32;
                self.scroll(self.focus, if down { rows } else { -rows }, 0);
            }
            Act::Help => self.help = Some(0),
            Act::Leave if was_leaving || !self.has_unsaved() => self.has_ended = true,
            Act::Leave => {
                self.is_leaving = true;
                self.say(
                    Mark::Error,
                    "the breakpoints are not saved: `:save FILE` saves them, q again leaves",
                );
            }
        }
    }

    /// Rows of a pane inside of its border; 0 if it is not visible.
    pub(crate) fn rows(&self, pane: Pane) -> usize {
        let areas = self.areas();
        areas.and_then(|areas| areas.pane(pane)).map_or(0, |area| inside(area).height.into())
    }

    /// The areas of the window.
    pub(crate) fn areas(&self) -> Option<Areas> {
        Areas::of(self.window, self.tab, self.text().is_some())
    }

    /// Moves the selection of a pane, or scrolls it.
    pub(crate) fn scroll(&mut self, pane: Pane, rows: i32, columns: i32) {
        let moved = |from: usize, rows: i32| from.saturating_add_signed(rows as isize);
        let last = self.length(pane).saturating_sub(1);
        let scroll = &mut self.scrolls[pane as usize];
        scroll.1 = scroll.1.saturating_add_signed(columns as i16);
        match pane {
            Pane::Listing => {
                self.selected = moved(self.selected, rows).min(last);
                if rows != 0 {
                    self.scroll_text();
                }
            }
            Pane::Textures => {
                self.watch.texture = moved(self.watch.texture, rows).min(last);
                self.refresh();
            }
            Pane::Output => scroll.0 = moved(scroll.0, -rows).min(last),
            _ => scroll.0 = moved(scroll.0, rows).min(last),
        }
    }

    /// Lines of a pane.
    fn length(&self, pane: Pane) -> usize {
        match pane {
            Pane::Listing => self.commands.session().lines().len(),
            Pane::Registers => self.shown.registers.len(),
            Pane::Lanes => self.shown.lanes.len(),
            Pane::Stacks => self.shown.stacks.lines().count(),
            Pane::Memory => self
                .shown
                .memory
                .as_ref()
                .and_then(|memory| memory.as_ref().ok())
                .map_or(0, |text| text.lines().count()),
            Pane::Textures => self.shown.textures.names.len(),
            Pane::Text => self.text().map_or(0, |text| text.lines().len()),
            Pane::Output => self.output.len(),
        }
    }

    /// Chooses a lane of the wave that runs.
    fn choose_lane(&mut self, next: bool) {
        let lanes: Vec<usize> = self.shown.lanes.iter().filter_map(|lane| lane.of_run).collect();
        let shown = self.shown.lanes.iter().find(|lane| lane.is_shown).and_then(|lane| lane.of_run);
        let at = lanes.iter().position(|lane| Some(*lane) == shown);
        let wanted = match (at, next) {
            (Some(at), true) => at + 1,
            (Some(at), false) => at.wrapping_sub(1),
            (None, _) => 0,
        };
        if let Some(lane) = lanes.get(wanted) {
            self.obey(&format!("lane {lane}"));
        }
    }

    fn read_help(&mut self, key: KeyCode) {
        let row = self.help.take().unwrap_or_default();
        let page = usize::from(self.window.height).saturating_sub(4).max(1);
        self.help = match key {
            KeyCode::Up => Some(row.saturating_sub(1)),
            KeyCode::Down => Some(row + 1),
            KeyCode::PageUp => Some(row.saturating_sub(page)),
            KeyCode::PageDown | KeyCode::Char(' ') => Some(row + page),
            _ => None,
        };
        let last = crate::draw::help_length().saturating_sub(page);
        self.help = self.help.map(|row| row.min(last));
    }

    /// A key with Control in the command line.
    fn edit(&mut self, letter: char) {
        match letter {
            'a' => self.line.home(),
            'e' => self.line.end(),
            'b' => self.line.left(),
            'f' => self.line.right(),
            'd' => self.line.remove_after(),
            'h' => self.line.remove_before(),
            'w' => self.line.remove_word(),
            'u' => self.line.remove_start(),
            'k' => self.line.remove_end(),
            'p' => self.line.recall(true),
            'n' => self.line.recall(false),
            _ => {}
        }
    }

    /// A key in the command line.
    fn write(&mut self, key: KeyCode) {
        match key {
            KeyCode::Char(letter) => self.line.insert(letter.encode_utf8(&mut [0; 4])),
            KeyCode::Backspace => self.line.remove_before(),
            KeyCode::Delete => self.line.remove_after(),
            KeyCode::Left => self.line.left(),
            KeyCode::Right => self.line.right(),
            KeyCode::Home => self.line.home(),
            KeyCode::End => self.line.end(),
            KeyCode::Up => self.line.recall(true),
            KeyCode::Down => self.line.recall(false),
            KeyCode::Tab => self.complete(),
            KeyCode::Esc => self.is_writing = false,
            KeyCode::Enter => {
                let line = self.line.take();
                self.is_writing = false;
                self.obey(&line);
            }
            _ => {}
        }
    }

    /// Completes the word before the cursor as far as all words agree, and lists them if there are several.
    fn complete(&mut self) {
        let completion = self.commands.completion(self.line.before());
        let Some((first, others)) = completion.words.split_first() else { return };
        let mut common = first.text.as_str();
        for Word { text: word, .. } in others {
            let same = common.char_indices().zip(word.chars()).find(|((_, a), b)| a != b);
            let end = same.map_or(common.len().min(word.len()), |((at, _), _)| at);
            common = &common[..end];
        }
        let text = if others.is_empty() { format!("{} ", first.text) } else { common.to_owned() };
        self.line.replace(completion.start, &text);
        if !others.is_empty() {
            let words: Vec<&str> = completion.words.iter().map(|word| word.text.as_str()).collect();
            self.say(Mark::Dim, &words.join("  "));
        }
    }
}
