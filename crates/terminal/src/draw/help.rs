//! The help.

use crate::keys::{KEYS, MOUSE};
use crate::style::{Colors, Mark};
use ratatui::text::Line;
use shisa_debug::COMMANDS;

/// The number of lines.
pub(crate) fn length() -> usize {
    KEYS.len() + MOUSE.len() + COMMANDS.len() + 2
}

/// The lines from a row on.
pub(super) fn lines(colors: Colors, first: usize) -> Vec<Line<'static>> {
    let keys = KEYS.iter().map(|binding| Line::from(format!("{:<10} {}", binding.name, binding.help())));
    let mouse = MOUSE.iter().map(|(name, help)| Line::from(format!("{name:<10} {help}")));
    let commands = COMMANDS.iter().map(|command| {
        Line::from(format!("{:<38} {}", format!("{} {}", command.name, command.arguments), command.help))
    });
    let title = |text| std::iter::once(Line::styled(text, colors.style(Mark::Title)));
    let all = keys.chain(mouse).chain(title("")).chain(title("Commands, after `:`")).chain(commands);
    all.skip(first).collect()
}
