//! Drawing. It changes nothing.

mod help;
mod listing;
mod panes;
mod textures;

pub(crate) use help::length as help_length;
pub(crate) use listing::start as listing_start;

use crate::app::App;
use crate::layout::{Areas, SMALLEST, inside};
use crate::pane::Pane;
use crate::style::Mark;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

/// What the last line shows while nobody writes a command.
const HINTS: &str = " s step  b back  n next  c continue  r reverse  : command  ? help  q quit";

impl App {
    /// Draws the application on a frame.
    pub fn draw(&self, frame: &mut Frame<'_>) {
        let window = frame.area();
        let Some(areas) = Areas::of(window, self.tab, self.text().is_some()) else {
            let [width, height] = SMALLEST;
            let text = format!(
                "the window is {}x{}; the debugger needs {width}x{height}",
                window.width, window.height
            );
            let text = Paragraph::new(text).wrap(ratatui::widgets::Wrap { trim: true });
            return frame.render_widget(text, window);
        };
        let position = format!(" {}", self.shown.position);
        frame.render_widget(Paragraph::new(position).style(self.colors.style(Mark::Title)), areas.position);
        for (pane, area) in &areas.panes {
            self.pane(frame, *pane, *area);
        }
        self.command_line(frame, areas.line);
        if let Some(row) = self.help {
            frame.render_widget(Clear, window);
            let block =
                Block::bordered().title(" Help: Up, Down, PageUp, PageDown scroll, other keys close it ");
            frame.render_widget(Paragraph::new(help::lines(self.colors, row)).block(block), window);
        }
    }

    fn pane(&self, frame: &mut Frame<'_>, pane: Pane, area: Rect) {
        let size = inside(area);
        let rows = usize::from(size.height);
        let (first, column) = self.scrolls[pane as usize];
        let lines = match pane {
            Pane::Listing => self.listing(rows),
            Pane::Registers => self.registers(first, rows),
            Pane::Lanes => self.lanes(first, rows),
            Pane::Stacks => plain(&self.shown.stacks, first, rows),
            Pane::Memory => self.memory(first, rows),
            Pane::Textures => self.textures(size),
            Pane::Text => self.text_lines(first, rows),
            Pane::Output => self.output(first, rows),
        };
        let has_focus = pane == self.focus;
        let mark = if has_focus { Mark::Focus } else { Mark::Title };
        let title =
            Span::styled(format!(" {} {} ", pane.number(), self.title(pane)), self.colors.style(mark));
        let paragraph = Paragraph::new(lines).scroll((0, column)).block(Block::bordered().title(title));
        frame.render_widget(paragraph, area);
    }

    fn title(&self, pane: Pane) -> String {
        let text = match pane {
            Pane::Text => self.text().map(crate::Document::title),
            Pane::Lanes => self.watch.lanes.as_ref().map(|expression| expression.text()),
            Pane::Memory => self
                .watch
                .memory
                .as_deref()
                .and_then(|line| line.trim_start().split_once(' '))
                .map(|(_, text)| text),
            _ => None,
        };
        match (pane, text) {
            (Pane::Text, Some(title)) => title.to_owned(),
            (_, Some(text)) => format!("{}: {text}", pane.name()),
            (_, None) => pane.name().to_owned(),
        }
    }

    fn command_line(&self, frame: &mut Frame<'_>, area: Rect) {
        if !self.is_writing {
            let hints = Paragraph::new(HINTS).style(self.colors.style(Mark::Dim));
            return frame.render_widget(hints, area);
        }
        // The part of a long line that ends at the cursor.
        let before = Line::from(self.line.before()).width();
        let hidden = before.saturating_sub(usize::from(area.width).saturating_sub(2));
        let hidden = u16::try_from(hidden).unwrap_or(u16::MAX);
        let [mark, text] = ratatui::layout::Layout::horizontal([
            ratatui::layout::Constraint::Length(1),
            ratatui::layout::Constraint::Min(0),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(":"), mark);
        frame.render_widget(Paragraph::new(self.line.text()).scroll((0, hidden)), text);
        let column = text.x.saturating_add(u16::try_from(before).unwrap_or(u16::MAX).saturating_sub(hidden));
        frame.set_cursor_position((column.min(area.right().saturating_sub(1)), area.y));
    }
}

/// Lines of a text from a row on.
fn plain(text: &str, first: usize, rows: usize) -> Vec<Line<'_>> {
    text.lines().skip(first).take(rows).map(Line::from).collect()
}
