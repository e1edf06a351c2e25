//! Source text of assemblers: lines without comments, labels, directives.

use crate::Line;
use alloc::{borrow::Cow, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Span};

/// A line without its comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code<'s> {
    /// Its offset in the source, in bytes.
    pub at: usize,
    /// Its text, trimmed, with blanks in place of comments inside it.
    pub text: Cow<'s, str>,
}

impl<'s> Code<'s> {
    /// Trims blanks at both ends; `None` if nothing remains.
    fn trimmed(mut self) -> Option<Code<'s>> {
        let end = self.text.trim_ascii_end().len();
        match &mut self.text {
            Cow::Borrowed(text) => *text = text.get(..end).unwrap_or_default(),
            Cow::Owned(text) => text.truncate(end),
        }
        self.skip(self.text.len() - self.text.trim_ascii_start().len());
        (!self.text.is_empty()).then_some(self)
    }

    /// Removes a number of bytes at its beginning.
    pub fn skip(&mut self, bytes: usize) {
        match &mut self.text {
            Cow::Borrowed(text) => *text = text.get(bytes..).unwrap_or_default(),
            Cow::Owned(text) => *text = text.get(bytes..).unwrap_or_default().into(),
        }
        self.at += bytes;
    }
}

/// The lines of a source that contain code. Comments are `// …` and `/* … */`; a byte-order mark is not text.
///
/// # Errors
/// `asm-comment`: a comment has no end. The lines before the comment are still returned.
pub fn code_lines(source: &str) -> (Vec<Code<'_>>, Option<Diagnostic>) {
    let mark = source.len() - shisa_diag::without_mark(source.as_bytes()).len();
    let (mut lines, mut at, mut inside) = (Vec::new(), mark, None);
    while let Some(rest) = source.get(at..).filter(|rest| !rest.is_empty()) {
        let (end, slash) = line(rest.as_bytes());
        let line = rest.get(..end).unwrap_or_default();
        let code = match slash || inside.is_some() {
            true => Code { at, text: without_comments(line, at, &mut inside) },
            false => Code { at, text: line.into() },
        };
        lines.extend(code.trimmed());
        at += end + 1;
    }
    let unended = inside.map(|start| {
        let d = Diagnostic::error("asm-comment", "the comment has no end").at_text(start..start + 2, "");
        d.help("end it with */")
    });
    (lines, unended)
}

/// The end of the first line, and whether the line may contain a slash.
fn line(text: &[u8]) -> (usize, bool) {
    const ONES: u64 = 0x0101_0101_0101_0101;
    // Skips pieces that contain neither character, in a form that compilers vectorise.
    let found = |piece: &[u8; 32]| piece.iter().fold(false, |any, b| any | (*b == b'\n') | (*b == b'/'));
    // The highest bit of each byte that equals `b`, and possibly of some bytes after the first match.
    let equal = |bytes: u64, b: u8| {
        let other = bytes ^ (ONES * u64::from(b));
        other.wrapping_sub(ONES) & !other & (ONES << 7)
    };
    let (mut rest, mut slashes) = (text, 0);
    loop {
        while let Some((piece, after)) = rest.split_first_chunk()
            && !found(piece)
        {
            rest = after;
        }
        let at = text.len() - rest.len();
        let Some((chunk, after)) = rest.split_first_chunk() else {
            let end = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            return (at + end, slashes != 0 || rest.contains(&b'/'));
        };
        let bytes = u64::from_le_bytes(*chunk);
        slashes |= equal(bytes, b'/');
        let ends = equal(bytes, b'\n');
        if ends != 0 {
            return (at + ends.trailing_zeros() as usize / 8, slashes != 0);
        }
        rest = after;
    }
}

/// The line with blanks in place of comments; `inside` is the offset of a comment that is still open.
fn without_comments<'l>(line: &'l str, at: usize, inside: &mut Option<usize>) -> Cow<'l, str> {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    let blank = |text: &str, out: &mut String| text.bytes().for_each(|_| out.push(' '));
    loop {
        if inside.is_some() {
            let end = rest.find("*/").map(|e| e + 2);
            let (comment, after) = rest.split_at(end.unwrap_or(rest.len()));
            blank(comment, &mut out);
            rest = after;
            if end.is_none() {
                return Cow::Owned(out);
            }
            *inside = None;
        }
        // A slash in quotes does not begin a comment.
        let begin = rest.match_indices('/').map(|(i, _)| i).find(|i| {
            let next = rest.as_bytes().get(i + 1);
            matches!(next, Some(b'/' | b'*')) && rest[..*i].matches('"').count().is_multiple_of(2)
        });
        let Some(begin) = begin else {
            out.push_str(rest);
            return Cow::Owned(out);
        };
        out.push_str(&rest[..begin]);
        rest = &rest[begin..];
        if rest.starts_with("//") {
            return Cow::Owned(out);
        }
        *inside = Some(at + line.len() - rest.len());
        blank(&rest[..2], &mut out);
        rest = &rest[2..];
    }
}

/// The source text of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InsnLine {
    /// Its first byte in the file.
    pub offset: usize,
    /// Its text in the source.
    pub span: Span,
}

/// A label before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label<'t> {
    /// Its offset in the line, in bytes.
    pub at: usize,
    /// Its name: letters, digits, `_`, `.` and `$`, not beginning with a digit.
    pub name: &'t str,
    /// Whether two colons follow it.
    pub double: bool,
}

/// The bytes that label names may contain.
static NAMES: [bool; 256] = {
    let (mut names, mut b) = ([false; 256], 0);
    while b < 256 {
        names[b] = (b as u8).is_ascii_alphanumeric() || matches!(b as u8, b'_' | b'.' | b'$');
        b += 1;
    }
    names
};

/// The labels at the beginning of a line, and the rest of the line.
pub fn split_labels(text: &str) -> (Vec<Label<'_>>, &str) {
    let (mut labels, mut at) = (Vec::new(), 0);
    loop {
        let rest = &text[at..];
        let begin = at + rest.len() - rest.trim_ascii_start().len();
        let bytes = text.as_bytes().get(begin..).unwrap_or_default();
        let len = bytes.iter().take_while(|b| NAMES[usize::from(**b)]).count();
        if bytes.get(len) != Some(&b':') || matches!(bytes, [b':' | b'0'..=b'9', ..]) {
            return (labels, rest);
        }
        let double = bytes.get(len + 1) == Some(&b':');
        labels.push(Label { at: begin, name: &text[begin..begin + len], double });
        at = begin + len + 1 + usize::from(double);
    }
}

/// The name of a directive and what follows it, if the text begins with a dot.
pub fn directive(text: &str) -> Option<(&str, &str)> {
    let rest = text.trim_ascii_start().strip_prefix('.')?;
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
    Some(rest.split_at(end))
}

/// The text in quotes; an empty value yields an empty text.
pub fn quoted(value: &str) -> Option<String> {
    if value.is_empty() {
        return Some(String::new());
    }
    let inside = value.strip_prefix('"')?.strip_suffix('"')?;
    let plain = inside.replace("\\\"", "");
    (!plain.contains('"')).then(|| inside.replace("\\\"", "\""))
}

/// Bytes written as pairs of hexadecimal digits, which blanks may separate.
pub fn hex_bytes(digits: &str) -> Option<Vec<u8>> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let pair = |pair: &[u8]| match *pair {
        [high, low] => digit(high).zip(digit(low)).map(|(h, l)| h << 4 | l),
        _ => None,
    };
    digits.split_ascii_whitespace().flat_map(|run| run.as_bytes().chunks(2)).map(pair).collect()
}

/// Number of bytes per line of `.bytes`.
const ROW: usize = 32;
/// Number of consecutive zeros from which `.zero` is used.
const ZEROS: usize = 16;

/// Prints bytes that are not code as `.bytes` and `.zero`.
pub fn print_data(mut bytes: &[u8], out: &mut Vec<u8>) {
    let mut line = Line::new(out);
    while !bytes.is_empty() {
        let zeros = bytes.iter().take_while(|b| **b == 0).count();
        if zeros >= ZEROS {
            line.text(".zero ");
            line.dec(zeros as u64);
            line.end();
            bytes = bytes.get(zeros..).unwrap_or_default();
            continue;
        }
        // Up to the next long run of zeros.
        let run = bytes.windows(ZEROS).take(ROW).position(|w| w.iter().all(|b| *b == 0));
        let (row, rest) = bytes.split_at(run.unwrap_or(ROW).min(bytes.len()));
        line.text(".bytes ");
        row.iter().for_each(|b| line.hex(u64::from(*b), 2));
        line.end();
        bytes = rest;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blanks_go() {
        let (lines, fault) = code_lines("  a b // c\n/* x\ny */ d /* e */ f\n\n.s \"//\"\n/* open");
        let texts: Vec<(usize, &str)> = lines.iter().map(|c| (c.at, &*c.text)).collect();
        assert_eq!(texts, [(2, "a b"), (21, "d         f"), (34, ".s \"//\"")]);
        assert_eq!(fault.map(|d| d.offset()), Some(Some(42)));
    }

    #[test]
    fn labels_directives_and_quotes() {
        let (labels, rest) = split_labels("a: b_1:: mov x:y");
        assert_eq!(
            labels.iter().map(|l| (l.name, l.double)).collect::<Vec<_>>(),
            [("a", false), ("b_1", true)]
        );
        assert_eq!(rest, " mov x:y");
        assert_eq!(directive(".code \"a\""), Some(("code", " \"a\"")));
        assert_eq!(directive("mov"), None);
        assert_eq!(quoted("\"a\\\"b\"").as_deref(), Some("a\"b"));
        assert_eq!(quoted("\"a\"b\""), None);
        assert_eq!(hex_bytes("00fF 1a"), Some(Vec::from([0, 255, 26])));
        assert_eq!(hex_bytes("0"), None);
    }

    /// The end of a line, and whether it contains a slash, at every offset within the pieces that are read at once.
    #[test]
    fn lines_end_at_the_first_line_break() {
        for length in 0..80 {
            for end in 0..=length {
                for slash in (0..=length).step_by(3) {
                    let mut text = Vec::from([b'0'; 80]);
                    text.truncate(length);
                    text.iter_mut().skip(end).take(1).for_each(|b| *b = b'\n');
                    if slash != end {
                        text.iter_mut().skip(slash).take(1).for_each(|b| *b = b'/');
                    }
                    let (at, found) = line(&text);
                    assert_eq!(at, end.min(length), "{text:?}");
                    let has_slash = slash < end && slash < length;
                    assert!(found || !has_slash, "{text:?}");
                    assert!(!found || text.contains(&b'/'), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn comments_have_offsets_and_slashes_in_quotes_are_text() {
        let texts = |source: &'static str| {
            let (lines, fault) = code_lines(source);
            let lines: Vec<(usize, String)> =
                lines.into_iter().map(|c| (c.at, c.text.into_owned())).collect();
            (lines, fault.and_then(|d| d.offset()))
        };
        assert_eq!(texts("\u{feff}a"), (Vec::from([(3, "a".into())]), None));
        assert_eq!(texts("a /b/ c"), (Vec::from([(0, "a /b/ c".into())]), None));
        assert_eq!(texts("xyz/* open"), (Vec::from([(0, "xyz".into())]), Some(3)));
        assert_eq!(texts("\"/*\" b // \""), (Vec::from([(0, "\"/*\" b".into())]), None));
        assert_eq!(
            texts("ab\nc/*d\n*/e/* f"),
            (Vec::from([(0, "ab".into()), (3, "c".into()), (10, "e".into())]), Some(11))
        );
    }

    #[test]
    fn data_are_bytes_and_long_runs_of_zeros() {
        let printed = |bytes: &[u8]| {
            let mut out = Vec::new();
            print_data(bytes, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(printed(&[]), "");
        assert_eq!(printed(&[0; 15]), [".bytes ", &"00".repeat(15), "\n"].concat());
        assert_eq!(printed(&[0; 16]), ".zero 16\n");
        let mixed = [&[1, 0xab][..], &[0; 20], &[2]].concat();
        assert_eq!(printed(&mixed), ".bytes 01ab\n.zero 20\n.bytes 02\n");
        assert_eq!(printed(&[7; 33]), [".bytes ", &"07".repeat(32), "\n.bytes 07\n"].concat());
    }
}
