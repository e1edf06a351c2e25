//! The textures: a list, and the texels of one as half blocks.

use crate::app::App;
use crate::style::{Colors, Mark};
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::{Line, Span};

impl App {
    pub(super) fn textures(&self, size: Rect) -> Vec<Line<'_>> {
        let bound = &self.shown.textures;
        if bound.names.is_empty() {
            return vec![Line::from("no texture is bound")];
        }
        let name = |(index, name): (usize, &String)| {
            let is_chosen = index == self.watch.texture;
            let (arrow, mark) = if is_chosen { ('>', Mark::Selected) } else { (' ', Mark::Plain) };
            Line::styled(format!("{arrow}{name}"), self.colors.style(mark))
        };
        let mut lines: Vec<Line<'_>> = bound.names.iter().enumerate().map(name).collect();
        if self.colors == Colors::On {
            let rows = usize::from(size.height).saturating_sub(lines.len());
            lines.extend(blocks(&bound.rows, size.width.into(), rows));
        }
        lines
    }
}

/// Texels as characters, each with two texels one above the other, in at most so many columns and rows.
fn blocks(texels: &[Vec<[u8; 3]>], columns: usize, rows: usize) -> Vec<Line<'static>> {
    let width = match texels {
        [first, ..] if columns > 0 && rows > 0 => first.len(),
        _ => return Vec::new(),
    };
    let height = texels.len();
    // The texels of a step of both directions become one.
    let step = width.max(1).div_ceil(columns).max(height.div_ceil(2 * rows));
    let color = |x: usize, y: usize| {
        let texel = texels.get(y).and_then(|row| row.get(x));
        texel.map(|[red, green, blue]| Color::Rgb(*red, *green, *blue))
    };
    let block = |x: usize, y: usize| {
        let style = color(x, y).map_or(Style::new(), |upper| Style::new().fg(upper));
        Span::styled("▀", color(x, y + step).map_or(style, |lower| style.bg(lower)))
    };
    let row = |y: usize| Line::from((0..width).step_by(step).map(|x| block(x, y)).collect::<Vec<_>>());
    (0..height).step_by(2 * step).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_character_has_two_texels_and_everything_fits() {
        let texels = |width: usize, height: usize| vec![vec![[1, 2, 3]; width]; height];
        let size = |lines: &[Line<'_>]| (lines[0].spans.len(), lines.len());
        assert_eq!(size(&blocks(&texels(4, 3), 10, 10)), (4, 2));
        assert_eq!(size(&blocks(&texels(64, 64), 20, 20)), (16, 8));
        assert_eq!(size(&blocks(&texels(64, 64), 80, 5)), (10, 5));
        assert_eq!(size(&blocks(&texels(1, 64), 1, 1)), (1, 1));
        assert_eq!(
            [blocks(&[], 9, 9), blocks(&texels(4, 4), 0, 9), blocks(&texels(4, 4), 9, 0)],
            [[], [], []]
        );
        let lower = blocks(&texels(1, 1), 1, 1)[0].spans[0].style;
        assert_eq!((lower.fg, lower.bg), (Some(Color::Rgb(1, 2, 3)), None));
    }
}
