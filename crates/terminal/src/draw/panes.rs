//! Registers, lanes, memory, texts and the output.

use crate::app::App;
use crate::snapshot::{Lane, Register};
use crate::style::Mark;
use ratatui::text::{Line, Span};
use shisa_ir::FileKind;

impl App {
    pub(super) fn registers(&self, first: usize, rows: usize) -> Vec<Line<'_>> {
        let width = self.shown.registers.iter().map(|register| register.name.len()).max();
        let width = width.map_or(0, |width| width.min(12));
        let line = |register: &Register| {
            let star = if register.is_changed { '*' } else { ' ' };
            let mark = match (register.is_changed, register.kind) {
                (true, _) => Mark::Changed,
                (false, FileKind::Uniform) => Mark::Dim,
                (false, _) => Mark::Plain,
            };
            let text = format!("{star}{:<width$} {}", register.name, register.value);
            Line::styled(text, self.colors.style(mark))
        };
        self.shown.registers.iter().skip(first).take(rows).map(line).collect()
    }

    pub(super) fn lanes(&self, first: usize, rows: usize) -> Vec<Line<'_>> {
        let line = |lane: &Lane| {
            let arrow = if lane.is_shown { '>' } else { ' ' };
            let name = lane.of_run.map_or_else(|| "helper".to_owned(), |lane| lane.to_string());
            let (mark, words) = match (lane.is_killed, lane.is_active) {
                (false, true) => (Mark::Plain, ""),
                (false, false) => (Mark::Dim, "inactive "),
                (true, true) => (Mark::Killed, "killed "),
                (true, false) => (Mark::Killed, "killed, inactive "),
            };
            let text = format!("{arrow}{name:>6} {words}{}", lane.value);
            Line::styled(text, self.colors.style(mark))
        };
        self.shown.lanes.iter().skip(first).take(rows).map(line).collect()
    }

    pub(super) fn memory(&self, first: usize, rows: usize) -> Vec<Line<'_>> {
        match &self.shown.memory {
            Some(Ok(text)) => super::plain(text, first, rows),
            Some(Err(text)) => vec![Line::styled(text.as_str(), self.colors.style(Mark::Error))],
            None => vec![
                Line::from("x chooses a memory:"),
                Line::from("global[0x1000], shared[0],"),
                Line::from("local[0], bank0[0x140]"),
            ],
        }
    }

    pub(super) fn text_lines(&self, first: usize, rows: usize) -> Vec<Line<'_>> {
        let Some(text) = self.text() else { return vec![Line::from("v shows a text")] };
        let lines = self.commands.session().lines();
        let selected = lines.get(self.selected).map(|line| line.counter);
        let line = |(number, line): (usize, &String)| {
            let (mark, arrow) = match () {
                () if text.is_of(number, self.shown.counter()) => (Mark::Position, "=>"),
                () if text.is_of(number, selected) => (Mark::Selected, "  "),
                () => (Mark::Plain, "  "),
            };
            Line::from(vec![
                Span::styled(format!("{arrow}{:>4} ", number + 1), self.colors.style(Mark::Dim)),
                Span::styled(line.clone(), self.colors.style(mark)),
            ])
        };
        text.lines().iter().enumerate().skip(first).take(rows).map(line).collect()
    }

    /// The latest lines, or those before so many.
    pub(super) fn output(&self, before_end: usize, rows: usize) -> Vec<Line<'_>> {
        let end = self.output.len().saturating_sub(before_end);
        let start = end.saturating_sub(rows);
        let shown = self.output.iter().skip(start).take(end - start);
        shown.map(|(mark, text)| Line::styled(text.as_str(), self.colors.style(*mark))).collect()
    }
}
