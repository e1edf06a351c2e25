//! The keys, outside of the command line.

use ratatui::crossterm::event::KeyCode;
use shisa_debug::Command;

/// What a key does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// Runs a command.
    Run(&'static str),
    /// Begins a command in the command line.
    Write(&'static str),
    /// Adds or removes a breakpoint at the selected instruction.
    Breakpoint,
    /// Runs to the selected instruction.
    RunTo,
    /// Chooses the lane after the present one, or before it.
    Lane {
        next: bool,
    },
    /// Shows the next document, or none after the last.
    Document,
    /// Brings the keys to the next pane, or to the one before.
    Pane {
        next: bool,
    },
    /// Moves the selection or scrolls, by rows and columns.
    Scroll(i32, i32),
    /// Moves the selection or scrolls by most of a pane.
    Page {
        down: bool,
    },
    Help,
    Leave,
}

/// A key with what it does.
pub(crate) struct Binding {
    pub(crate) key: KeyCode,
    /// The key's name.
    pub(crate) name: &'static str,
    pub(crate) act: Act,
    /// What it does in words; empty for what the command's own help states.
    help: &'static str,
}

const fn key(key: char, name: &'static str, act: Act, help: &'static str) -> Binding {
    Binding { key: KeyCode::Char(key), name, act, help }
}

const fn named(key: KeyCode, name: &'static str, act: Act, help: &'static str) -> Binding {
    Binding { key, name, act, help }
}

/// Columns that a pane scrolls sideways at once.
const SIDEWAYS: i32 = 4;

/// All keys. Letters are the short names of commands; capital letters go backwards, as gdb's single keys do.
pub(crate) const KEYS: &[Binding] = &[
    key('s', "s", Act::Run("step"), ""),
    key('b', "b", Act::Run("back"), ""),
    key('S', "S", Act::Run("back"), ""),
    key('n', "n", Act::Run("next"), ""),
    key('N', "N", Act::Run("back-over"), ""),
    key('o', "o", Act::Run("out"), ""),
    key('f', "f", Act::Run("out"), ""),
    key('F', "F", Act::Run("back-out"), ""),
    key('t', "t", Act::Run("tick"), ""),
    key('T', "T", Act::Run("back-tick"), ""),
    key('c', "c", Act::Run("continue"), ""),
    key('r', "r", Act::Run("reverse"), ""),
    key('C', "C", Act::Run("reverse"), ""),
    named(KeyCode::Home, "Home", Act::Run("start"), ""),
    named(KeyCode::End, "End", Act::Run("end"), ""),
    key('u', "u", Act::Write("until "), ""),
    key('U', "U", Act::Write("before "), ""),
    key('g', "g", Act::Write("goto "), ""),
    key(' ', "Space", Act::Breakpoint, "Adds or removes a breakpoint at the selected instruction"),
    named(KeyCode::Enter, "Enter", Act::RunTo, "Runs to the selected instruction"),
    key('w', "w", Act::Write("watch "), ""),
    key('p', "p", Act::Write("print "), ""),
    key('l', "l", Act::Write("lanes "), ""),
    key('x', "x", Act::Write("memory "), ""),
    key('y', "y", Act::Write("why "), ""),
    key('[', "[", Act::Lane { next: false }, "Chooses the lane before"),
    key(']', "]", Act::Lane { next: true }, "Chooses the next lane"),
    key('a', "a", Act::Run("lane all"), "Looks at all lanes"),
    key('v', "v", Act::Document, "Shows the source, the translation or neither beside the listing"),
    named(
        KeyCode::Tab,
        "Tab",
        Act::Pane { next: true },
        "Goes to the next pane; 1 to 8 go to the pane of that number",
    ),
    named(KeyCode::BackTab, "Shift-Tab", Act::Pane { next: false }, "Goes to the pane before"),
    named(KeyCode::Up, "Up", Act::Scroll(-1, 0), "Selects the instruction above, or scrolls the pane"),
    named(KeyCode::Down, "Down", Act::Scroll(1, 0), "Selects the instruction below, or scrolls the pane"),
    named(KeyCode::Left, "Left", Act::Scroll(0, -SIDEWAYS), "Scrolls the pane to the left"),
    named(KeyCode::Right, "Right", Act::Scroll(0, SIDEWAYS), "Scrolls the pane to the right"),
    named(KeyCode::PageUp, "PageUp", Act::Page { down: false }, "Moves up by most of the pane"),
    named(KeyCode::PageDown, "PageDown", Act::Page { down: true }, "Moves down by most of the pane"),
    key(':', ":", Act::Write(""), "Opens the command line: Tab completes, Up and Down recall, Esc leaves"),
    key('?', "?", Act::Help, "Shows this help"),
    named(KeyCode::F(1), "F1", Act::Help, "Shows this help"),
    key('q', "q", Act::Leave, "Ends the session; twice if breakpoints would be lost"),
];

impl Binding {
    /// What the key does in words.
    pub(crate) fn help(&self) -> &'static str {
        match self.act {
            Act::Run(line) | Act::Write(line) if self.help.is_empty() => {
                Command::of_line(line).map_or("", |command| command.help)
            }
            _ => self.help,
        }
    }
}

/// What the mouse does, for the help.
pub(crate) const MOUSE: &[(&str, &str)] = &[
    ("Click", "Selects an instruction, and runs to it if it is selected; chooses a lane or a texture"),
    ("Margin", "A click left of an instruction adds or removes a breakpoint"),
    ("Wheel", "Scrolls the pane"),
];
