//! Colours and other marks.

use ratatui::style::{Color, Modifier, Style};

/// Whether the application uses colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colors {
    /// Colours of the terminal's palette.
    On,
    /// Bold, underlined and reversed text only.
    Off,
}

/// What a part of the text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    Plain,
    /// The instruction that runs next, and its lines of other texts.
    Position,
    /// The instruction that the keys of the listing are about.
    Selected,
    Breakpoint,
    Changed,
    /// What does not run, or is secondary.
    Dim,
    /// A lane whose outputs are discarded.
    Killed,
    Error,
    Title,
    /// The title of the pane that the arrow keys scroll.
    Focus,
}

impl Colors {
    /// The style of a part of the text.
    pub(crate) fn style(self, mark: Mark) -> Style {
        let plain = Style::new();
        match (self, mark) {
            (_, Mark::Plain) => plain,
            (Colors::On, Mark::Position) => plain.fg(Color::Black).bg(Color::Cyan),
            (Colors::On, Mark::Selected) => plain.bg(Color::DarkGray),
            (Colors::On, Mark::Breakpoint) => plain.fg(Color::Red),
            (Colors::On, Mark::Changed) => plain.fg(Color::Yellow).add_modifier(Modifier::BOLD),
            (Colors::On, Mark::Dim) => plain.fg(Color::DarkGray),
            (Colors::On, Mark::Killed | Mark::Error) => plain.fg(Color::Red),
            (Colors::On, Mark::Title) => plain.fg(Color::Cyan),
            (Colors::On, Mark::Focus) => plain.fg(Color::Yellow).add_modifier(Modifier::BOLD),
            (Colors::Off, Mark::Position | Mark::Focus) => plain.add_modifier(Modifier::REVERSED),
            (Colors::Off, Mark::Selected) => plain.add_modifier(Modifier::UNDERLINED),
            (Colors::Off, Mark::Changed | Mark::Breakpoint | Mark::Error) => {
                plain.add_modifier(Modifier::BOLD)
            }
            (Colors::Off, Mark::Dim | Mark::Killed | Mark::Title) => plain,
        }
    }
}
