//! Splits source text into words.

use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Sink, Span, unsupported};

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name, dots included: `ft0.xyz`, `tex`.
    Name,
    /// A number without a sign.
    Number,
    /// `#if` or another directive.
    Directive,
    /// An operator or bracket, of one or two characters.
    Sign,
    /// The end of a statement.
    End,
}

/// A word of the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'s> {
    pub(super) kind: Kind,
    pub(super) text: &'s str,
    pub(super) span: Span,
    /// Whether it follows the previous word directly.
    pub(super) attached: bool,
}

impl Word<'_> {
    /// Whether it is this operator or bracket.
    pub(super) fn is(&self, sign: &str) -> bool {
        self.kind == Kind::Sign && self.text == sign
    }
}

const SIGNS: [&str; 10] = ["==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/="];

/// Words of a source: far more than any program has.
const MOST_WORDS: usize = 1 << 22;

/// Splits the source. Text that is not a word is reported and left out.
pub(super) fn words<'s>(source: &'s str, found: &mut Sink) -> Vec<Word<'s>> {
    let mut words = Vec::with_capacity((source.len() / 4).min(MOST_WORDS));
    // A byte-order mark is not text.
    let mark = source.len() - shisa_diag::without_mark(source.as_bytes()).len();
    let (mut at, mut end) = (mark, usize::MAX);
    while let Some(rest) = source.get(at..).filter(|r| !r.is_empty()) {
        let (kind, len) = match word(rest) {
            Ok(word) => word,
            Err(d) => {
                let len = rest.chars().next().map_or(1, char::len_utf8);
                // An unclosed comment extends to the end.
                let len = if d.code == "asm-comment" { rest.len() } else { len };
                found.push(d.at_text(at..at + len.min(2), ""));
                (None, len)
            }
        };
        if words.len() >= MOST_WORDS {
            let many = unsupported(MOST_WORDS as u64, "the number of words of the source");
            found.push(many.at_text(at..at, ""));
            break;
        }
        if let (Some(kind), Some(text)) = (kind, rest.get(..len)) {
            words.push(Word { kind, text, span: Span::new(at, at + len), attached: at == end });
            end = at + len;
        }
        at += len.max(1);
    }
    words
}

/// The word at the start of `rest`, unless that is a blank or a comment, and its length.
fn word(rest: &str) -> Result<(Option<Kind>, usize), Diagnostic> {
    let len = |f: fn(u8) -> bool| rest.bytes().take_while(|b| f(*b)).count();
    let first = rest.bytes().next().unwrap_or(b' ');
    let two = rest.get(..2).unwrap_or_default();
    Ok(match first {
        b'\n' | b'\r' | 0x0b | 0x0c | b';' => (Some(Kind::End), 1),
        b' ' | b'\t' => (None, 1),
        _ if two == "//" => (None, len(|b| !matches!(b, b'\n' | b'\r'))),
        _ if two == "/*" => match rest.find("*/") {
            Some(end) => (None, end + 2),
            None => return Err(Diagnostic::error("asm-comment", "\"/*\" without \"*/\"")),
        },
        b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
            (Some(Kind::Name), len(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.')))
        }
        b'0'..=b'9' => (Some(Kind::Number), len(|b| b.is_ascii_digit() || b == b'.')),
        b'#' => (Some(Kind::Directive), 1 + rest.bytes().skip(1).take_while(u8::is_ascii_alphabetic).count()),
        _ if SIGNS.contains(&two) => (Some(Kind::Sign), 2),
        b'*' | b'=' | b'+' | b'-' | b'/' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'!' | b'<' | b'>'
        | b',' | b'.' => (Some(Kind::Sign), 1),
        _ => {
            let c = rest.chars().next().unwrap_or_default();
            return Err(Diagnostic::error("asm-unexpected", format!("unexpected \"{c}\"")));
        }
    })
}
