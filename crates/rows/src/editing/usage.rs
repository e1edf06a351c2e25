//! The row and the operands of a statement.

use super::token::text;
use alloc::vec::Vec;
use shisa_diag::Span;

/// An instruction of a source: what its row states, and where its operands are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Usage {
    /// The mnemonic without suffixes.
    pub name: &'static str,
    /// The row's sentence.
    pub summary: &'static str,
    /// The index of the row among those of its name, in the order of the table.
    pub row: usize,
    /// The operands, in the order in which they are written.
    pub operands: Vec<Argument>,
}

/// An operand of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name of its kind: `vector source`.
    pub kind: &'static str,
    /// Whether the text may omit it.
    pub optional: bool,
    /// Its text in the source, if it is written.
    pub span: Option<Span>,
}

/// The operands of a statement: the ranges between commas outside of brackets, without blanks around them.
pub(super) fn operands(source: &str, start: usize, end: usize) -> Vec<Span> {
    let whole = text(source, Span::new(start, end));
    let (mut depth, mut from, mut found) = (0usize, 0, Vec::new());
    let mut add = |from: usize, to: usize| {
        let part = text(whole, Span::new(from, to));
        let begin = start + from + (part.len() - part.trim_ascii_start().len());
        found.push(Span::new(begin, (begin + part.trim_ascii().len()).min(end)));
    };
    for (at, b) in whole.bytes().enumerate() {
        match b {
            b'[' | b'(' | b'<' => depth += 1,
            b']' | b')' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                add(from, at);
                from = at + 1;
            }
            _ => {}
        }
    }
    if from > 0 || !whole.trim_ascii().is_empty() {
        add(from, whole.len());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_brackets_separate_nothing() {
        let source = "tex ft0, v0.xy, fs0 <2d,linear> ";
        let texts = |from: usize| -> Vec<&str> {
            operands(source, from, source.len()).iter().map(|s| &source[s.range()]).collect()
        };
        assert_eq!(texts(3), ["ft0", "v0.xy", "fs0 <2d,linear>"]);
        assert_eq!(texts(source.len()), [""; 0]);
        assert_eq!(operands("mov a, ", 3, 7), [Span::new(4, 5), Span::new(7, 7)]);
    }
}
