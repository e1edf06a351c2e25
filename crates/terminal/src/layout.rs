//! Which pane is where.

use crate::pane::Pane;
use ratatui::layout::{Constraint, Layout, Rect};

/// The smallest window that shows panes: columns and rows.
pub(crate) const SMALLEST: [u16; 2] = [80, 24];
/// The width from which a text is beside the listing.
const WIDE: u16 = 120;
/// The smallest window that shows all panes at once.
const LARGE: [u16; 2] = [160, 48];

/// The areas of a window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Areas {
    /// The line with the position.
    pub(crate) position: Rect,
    /// The panes that are visible, with their borders.
    pub(crate) panes: Vec<(Pane, Rect)>,
    /// The command line.
    pub(crate) line: Rect,
}

impl Areas {
    /// The areas of a window with `tab` in the part that shows one pane at a time, and with or without the text beside
    /// the listing; `None` if the window is too small.
    pub(crate) fn of(window: Rect, tab: Pane, has_text: bool) -> Option<Areas> {
        if window.width < SMALLEST[0] || window.height < SMALLEST[1] {
            return None;
        }
        let is_large = window.width >= LARGE[0] && window.height >= LARGE[1];
        let output = if is_large { 12 } else { window.height / 4 };
        let rows =
            [Constraint::Length(1), Constraint::Min(0), Constraint::Length(output), Constraint::Length(1)];
        let [position, body, output, line] = Layout::vertical(rows).areas(window);
        let mut panes = match is_large {
            true => large(body, has_text),
            false => small(body, tab, has_text),
        };
        panes.push((Pane::Output, output));
        Some(Areas { position, panes, line })
    }

    /// The area of a pane with its border, if the pane is visible.
    pub(crate) fn pane(&self, pane: Pane) -> Option<Rect> {
        self.panes.iter().find(|(own, _)| *own == pane).map(|(_, area)| *area)
    }

    /// The visible pane at a position of the window.
    pub(crate) fn at(&self, column: u16, row: u16) -> Option<(Pane, Rect)> {
        self.panes.iter().copied().find(|(_, area)| area.contains((column, row).into()))
    }
}

/// What is inside of a border.
pub(crate) fn inside(area: Rect) -> Rect {
    area.inner(ratatui::layout::Margin::new(1, 1))
}

/// The listing, the text and the registers above the other panes.
fn large(body: Rect, has_text: bool) -> Vec<(Pane, Rect)> {
    let [upper, lower] =
        Layout::vertical([Constraint::Percentage(64), Constraint::Percentage(36)]).areas(body);
    let text = if has_text { 38 } else { 0 };
    let [listing, text, registers] =
        Layout::horizontal([Constraint::Fill(1), Constraint::Percentage(text), Constraint::Percentage(27)])
            .areas(upper);
    let [lanes, stacks, memory, textures] = Layout::horizontal([
        Constraint::Percentage(22),
        Constraint::Percentage(18),
        Constraint::Fill(1),
        Constraint::Percentage(22),
    ])
    .areas(lower);
    let mut panes = vec![(Pane::Listing, listing), (Pane::Registers, registers)];
    panes.extend([(Pane::Lanes, lanes), (Pane::Stacks, stacks), (Pane::Memory, memory)]);
    panes.push((Pane::Textures, textures));
    if has_text {
        panes.push((Pane::Text, text));
    }
    panes
}

/// The listing, and beside it one pane at a time.
fn small(body: Rect, tab: Pane, has_text: bool) -> Vec<(Pane, Rect)> {
    let has_text = has_text && body.width >= WIDE;
    let text = if has_text { 33 } else { 0 };
    let [listing, text, other] = Layout::horizontal([
        Constraint::Fill(1),
        Constraint::Percentage(text),
        Constraint::Percentage(if has_text { 33 } else { 48 }),
    ])
    .areas(body);
    let tab = if has_text && tab == Pane::Text { Pane::Registers } else { tab };
    let mut panes = vec![(Pane::Listing, listing), (tab, other)];
    if has_text {
        panes.push((Pane::Text, text));
    }
    panes
}
