//! Positions of the protocol: lines, and characters of UTF-16 or UTF-8.

use crate::message::Wrong;
use serde_json::{Value, json};
use shisa::diag::Span;
use std::ops::Range;

/// How characters within a line are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// In units of 16 bits.
    #[default]
    Utf16,
    /// In bytes.
    Utf8,
}

impl Encoding {
    /// The encoding that a client prefers, of those that it offers: bytes need no conversion.
    pub(crate) fn offered(capabilities: &Value) -> Encoding {
        let offered = capabilities["general"]["positionEncodings"].as_array();
        match offered.is_some_and(|list| list.iter().any(|name| name == "utf-8")) {
            true => Encoding::Utf8,
            false => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Encoding::Utf16 => "utf-16",
            Encoding::Utf8 => "utf-8",
        }
    }

    /// The length of a text.
    pub(crate) fn length(self, text: &str) -> usize {
        match self {
            Encoding::Utf16 if !text.is_ascii() => text.chars().map(char::len_utf16).sum(),
            _ => text.len(),
        }
    }

    /// The offset in bytes of a character of a line; the end of the line for one after it.
    fn bytes(self, line: &str, character: usize) -> usize {
        match self {
            Encoding::Utf16 if !line.is_ascii() => {
                let mut units = 0;
                let before = |c: &(usize, char)| {
                    units += c.1.len_utf16();
                    units > character
                };
                line.char_indices().find(before).map_or(line.len(), |(at, _)| at)
            }
            _ => (0..=character.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0),
        }
    }
}

/// A text whose lines are found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Text {
    text: String,
    /// The offset of each line.
    starts: Vec<usize>,
    encoding: Encoding,
}

/// The offsets in a range of those that lines begin at, after line breaks.
fn begins(bytes: &[u8], range: Range<usize>) -> impl Iterator<Item = usize> {
    let first = range.start.max(1);
    let breaks = bytes.iter().enumerate().take(range.end).skip(first - 1);
    let ends = breaks.filter(|(at, b)| match b {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    ends.map(|(at, _)| at + 1)
}

impl Text {
    pub(crate) fn new(text: String, encoding: Encoding) -> Text {
        let starts = std::iter::once(0).chain(begins(text.as_bytes(), 0..text.len())).collect();
        Text { text, starts, encoding }
    }

    /// Replaces a span by a text.
    pub(crate) fn replace(&mut self, span: Span, new: &str) {
        self.text.replace_range(span.range(), new);
        let end = span.start + new.len();
        // A line begins at an offset or not by the bytes on both sides of it.
        let first = self.starts.partition_point(|start| *start < span.start.max(1));
        let last = self.starts.partition_point(|start| *start <= span.end).max(first);
        for start in self.starts.iter_mut().skip(last) {
            *start = *start - span.end + end;
        }
        self.starts.splice(first..last, begins(self.text.as_bytes(), span.start..end));
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) const fn encoding(&self) -> Encoding {
        self.encoding
    }

    /// The number of the line of an offset, from 0.
    pub(crate) fn line(&self, offset: usize) -> usize {
        self.starts.partition_point(|start| *start <= offset).saturating_sub(1)
    }

    /// The text of a span; nothing outside of the text.
    pub(crate) fn str(&self, span: Span) -> &str {
        let (text, _) = self.text.split_at_checked(span.end).unwrap_or((&self.text, ""));
        text.split_at_checked(span.start).map_or("", |(_, text)| text)
    }

    /// The number of lines.
    pub(crate) fn lines(&self) -> usize {
        self.starts.len()
    }

    /// The bytes of a line, without its line break; `None` after the last one.
    pub(crate) fn line_span(&self, line: usize) -> Option<Span> {
        let mut bounds = self.starts.iter().copied().skip(line).chain([self.text.len()]);
        let (start, end) = (bounds.next()?, bounds.next()?);
        let text = self.text.get(start..end)?;
        Some(Span::new(start, start + text.trim_end_matches(['\n', '\r']).len()))
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: usize) -> Value {
        let (line, character) = self.line_character(offset);
        json!({"line": line, "character": character})
    }

    /// The line and the character of an offset, both from 0.
    pub(crate) fn line_character(&self, offset: usize) -> (usize, usize) {
        let line = self.line(offset);
        let before = self.starts.get(line).and_then(|start| self.text.get(*start..offset));
        (line, before.map_or(0, |text| self.encoding.length(text)))
    }

    /// The range of a span.
    pub(crate) fn range(&self, span: Span) -> Value {
        json!({"start": self.position(span.start), "end": self.position(span.end)})
    }

    /// The offset of a position.
    ///
    /// # Errors
    /// It has no line and character, or the line does not exist. A character after the end of its line is the end.
    pub(crate) fn offset(&self, position: &Value) -> Result<usize, Wrong> {
        let number = |key: &str| {
            let number = position[key].as_u64().and_then(|number| usize::try_from(number).ok());
            number.ok_or_else(|| Wrong::parameters(format!("a position has no \"{key}\", a number from 0")))
        };
        let (line, character) = (number("line")?, number("character")?);
        let span = self.line_span(line).ok_or_else(|| {
            let lines = self.lines();
            Wrong::parameters(format!(
                "the position is in line {line}; the document has lines 0 to {}",
                lines - 1
            ))
        })?;
        let text = self.str(span);
        Ok(span.start + self.encoding.bytes(text, character))
    }

    /// The span of a range.
    ///
    /// # Errors
    /// Those of [`Text::offset`]; its end is before its start.
    pub(crate) fn span(&self, range: &Value) -> Result<Span, Wrong> {
        let (start, end) = (self.offset(&range["start"])?, self.offset(&range["end"])?);
        if end < start {
            return Err(Wrong::parameters("a range ends before it starts"));
        }
        Ok(Span::new(start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Changes between, at and over line breaks of all kinds.
    #[test]
    fn changed_texts_have_the_lines_of_new_ones() {
        let source = "a\r\nb\n\rc\r\r\nd\n";
        for (start, end) in
            (0..=source.len()).flat_map(|start| (start..=source.len()).map(move |end| (start, end)))
        {
            for new in ["", "\n", "\r", "\r\n", "x", "x\ny", "\n\r"] {
                let mut text = Text::new(source.into(), Encoding::Utf16);
                text.replace(Span::new(start, end), new);
                let mut expected = source.to_owned();
                expected.replace_range(start..end, new);
                assert_eq!(text, Text::new(expected, Encoding::Utf16), "{start}..{end} {new:?}");
            }
        }
    }

    #[test]
    fn positions_and_offsets_are_inverse() {
        let source = "a\u{fc}\u{1f600}z\r\nmov\rend\n";
        for encoding in [Encoding::Utf16, Encoding::Utf8] {
            let text = Text::new(source.into(), encoding);
            assert_eq!(text.lines(), 4);
            for (at, c) in source.char_indices().filter(|(_, c)| !matches!(c, '\r' | '\n')) {
                assert_eq!(text.offset(&text.position(at)).unwrap(), at, "{c:?} in {encoding:?}");
            }
        }
        let text = Text::new(source.into(), Encoding::Utf16);
        let at = |line: u64, character: u64| text.offset(&json!({"line": line, "character": character}));
        // The second half of a pair is the character; what follows the end is the end.
        assert_eq!([at(0, 3).unwrap(), at(0, 4).unwrap(), at(0, 99).unwrap()], [3, 7, 8]);
        assert_eq!(text.line_character(8), (0, 5));
        assert!(at(4, 0).is_err() && at(3, 0).is_ok());
        for wrong in [json!(null), json!({"line": -1, "character": 0}), json!({"line": 1.5, "character": 0})]
        {
            assert!(text.offset(&wrong).is_err(), "{wrong}");
        }
        let range = |a: u64, b: u64| json!({"start": {"line": 0, "character": a}, "end": {"line": 0, "character": b}});
        assert_eq!(text.span(&range(0, 2)).unwrap(), Span::new(0, 3));
        assert!(text.span(&range(2, 0)).is_err());
    }
}
