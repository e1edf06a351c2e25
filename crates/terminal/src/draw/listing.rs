//! The listing.

use crate::app::App;
use crate::style::Mark;
use ratatui::text::{Line, Span};
use shisa_debug::{Breakpoint, On};

/// The index of the instruction in the first of so many rows: the selected one is in the middle, except near the ends.
pub(crate) fn start(app: &App, rows: usize) -> usize {
    let last = app.commands.session().lines().len().saturating_sub(rows);
    app.selected.saturating_sub(rows / 2).min(last)
}

impl App {
    pub(super) fn listing(&self, rows: usize) -> Vec<Line<'_>> {
        let session = self.commands.session();
        let first = start(self, rows);
        let position = self.shown.counter();
        let shown = session.lines().iter().enumerate().skip(first).take(rows);
        let line = |(index, line): (usize, &shisa_debug::Line)| {
            let is_next = position == Some(line.counter);
            let at = |point: &&Breakpoint| point.on == On::Step(line.counter);
            let breakpoint = match session.breakpoints().iter().filter(at).map(|point| point.enabled).max() {
                Some(true) => "● ",
                Some(false) => "○ ",
                None => "  ",
            };
            let arrow = if is_next { "=> " } else { "   " };
            let mark = match (is_next, index == self.selected) {
                (true, _) => Mark::Position,
                (false, true) => Mark::Selected,
                (false, false) => Mark::Plain,
            };
            Line::from(vec![
                Span::styled(breakpoint, self.colors.style(Mark::Breakpoint)),
                Span::styled(
                    format!("{arrow}{:#06x}  {}", line.counter, line.text.trim()),
                    self.colors.style(mark),
                ),
            ])
        };
        shown.map(line).collect()
    }
}
