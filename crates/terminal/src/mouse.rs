//! The mouse.

use crate::app::App;
use crate::draw::listing_start;
use crate::layout::inside;
use crate::pane::Pane;
use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

/// Rows that a step of the wheel scrolls.
const WHEEL: i32 = 3;
/// Columns of the listing with the marks of breakpoints.
pub(crate) const MARGIN: u16 = 2;

impl App {
    /// A click, or a move of the wheel.
    pub(crate) fn point(&mut self, mouse: &MouseEvent) {
        let found = self.areas().and_then(|areas| areas.at(mouse.column, mouse.row));
        let Some((pane, area)) = found.filter(|_| self.help.is_none()) else { return };
        match mouse.kind {
            MouseEventKind::ScrollUp => self.scroll(pane, -WHEEL, 0),
            MouseEventKind::ScrollDown => self.scroll(pane, WHEEL, 0),
            MouseEventKind::Down(MouseButton::Left) => {
                self.show(pane);
                let area = inside(area);
                if area.contains((mouse.column, mouse.row).into()) {
                    self.click(pane, mouse.column - area.x, (mouse.row - area.y).into());
                }
            }
            _ => {}
        }
    }

    /// A click on a row and a column inside of a pane.
    fn click(&mut self, pane: Pane, column: u16, row: usize) {
        let (first, _) = self.scrolls[pane as usize];
        match pane {
            Pane::Listing => {
                let index = listing_start(self, self.rows(pane)) + row;
                let is_there = index < self.commands.session().lines().len();
                if is_there && column < MARGIN {
                    self.toggle_breakpoint(index);
                } else if is_there && index == self.selected {
                    self.run_to(index);
                } else if is_there {
                    self.selected = index;
                    self.scroll_text();
                }
            }
            Pane::Lanes => {
                if let Some(lane) = self.shown.lanes.get(first + row).and_then(|lane| lane.of_run) {
                    self.obey(&format!("lane {lane}"));
                }
            }
            Pane::Textures if row < self.shown.textures.names.len() => {
                self.watch.texture = row;
                self.refresh();
            }
            _ => {}
        }
    }
}
