//! Positions in text, and text that is safe to print.

use alloc::string::String;

/// Line and column of a byte offset in `text`, both counted from 1; the column counts characters. Scans the text up to
/// the offset; [`crate::Source`] finds many positions.
pub fn line_column(text: &str, offset: usize) -> (usize, usize) {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let before = &text[..offset];
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

/// `text` with control characters and invisible formatting written as escapes, safe for a terminal.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let invisible = matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if c.is_control() || invisible {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// `text` as the inside of a string in quotes, in languages such as Graphviz's: backslashes and quotes are escaped.
pub fn in_quotes(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
