//! Splits a line into tokens and statements.

use super::grammar::Grammar;
use super::lookup::Lookup;
use super::statement::Statement;
use super::token::{Class, Token, after, first};
use alloc::vec::Vec;
use shisa_diag::{Span, without_mark};

/// The lists to which tokens and statements are added.
#[derive(Debug)]
pub(super) struct Tokens<'o> {
    pub(super) list: &'o mut Vec<Token>,
    pub(super) statements: &'o mut Vec<Statement>,
}

/// Whether a byte may be part of a word.
pub(super) const fn in_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$') || !b.is_ascii()
}

/// Whether a byte may be part of a label's name.
const fn in_label(b: u8) -> bool {
    in_word(b) || b == b'.'
}

/// The number of bytes at the start of a text for which `f` holds.
fn run(text: &str, f: impl Fn(u8) -> bool) -> usize {
    text.bytes().take_while(|b| f(*b)).count()
}

/// Splits a line without its line break, which begins at an offset of the source. `in_comment` states whether it begins within
/// a comment of several lines; the result, whether it ends in one.
pub(super) fn split(
    line: &str,
    begin: usize,
    in_comment: bool,
    lookup: &dyn Lookup,
    out: Tokens<'_>,
) -> bool {
    let mark = if begin == 0 { line.len() - without_mark(line.as_bytes()).len() } else { 0 };
    let mut splitter = Splitter {
        line,
        begin,
        lookup,
        grammar: lookup.grammar(),
        at: mark,
        in_comment,
        head: Head::Open,
        first: out.list.len(),
        head_token: None,
        out,
    };
    while splitter.at < line.len() {
        splitter.next();
    }
    splitter.end();
    splitter.in_comment
}

/// How far the beginning of a statement is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Head {
    /// Labels, a directive or a mnemonic may follow.
    Open,
    /// The next word is the operand of a guard.
    Guard,
    /// Operands follow.
    Done,
}

struct Splitter<'s> {
    line: &'s str,
    /// The offset of the line in the source.
    begin: usize,
    lookup: &'s dyn Lookup,
    grammar: &'static Grammar,
    /// The offset in the line.
    at: usize,
    /// Whether a comment of several lines is open.
    in_comment: bool,
    head: Head,
    /// The first token of the statement.
    first: usize,
    /// The token of its mnemonic or directive.
    head_token: Option<usize>,
    out: Tokens<'s>,
}

impl<'s> Splitter<'s> {
    fn rest(&self) -> &'s str {
        after(self.line, self.at)
    }

    fn push(&mut self, length: usize, class: Class) {
        let start = self.begin + self.at;
        self.out.list.push(Token { span: Span::new(start, start + length), class });
        self.at += length;
    }

    /// Reads one token, or blanks.
    fn next(&mut self) {
        let rest = self.rest();
        let Some(begin) = rest.bytes().next() else { return };
        if self.in_comment {
            return self.comment(rest, 0);
        }
        match begin {
            b' ' | b'\t' | b'\r' => self.at += 1,
            _ if rest.starts_with(self.grammar.comment) => {
                self.push(rest.trim_ascii_end().len(), Class::Comment);
            }
            _ if self.grammar.block_comments && rest.starts_with("/*") => self.comment(rest, 2),
            _ if self.grammar.separator == Some(begin) => {
                self.push(1, Class::Sign);
                self.end();
            }
            b'"' => {
                let quoted = after(rest, 1);
                let length = quoted.find('"').map_or(quoted.trim_ascii_end().len(), |end| end + 1);
                self.push(1 + length, Class::Text);
                self.head = Head::Done;
            }
            b'@' if self.head == Head::Open => {
                self.push(1, Class::Sign);
                self.head = Head::Guard;
            }
            b'#' if self.head == Head::Open => {
                let length = 1 + run(after(rest, 1), in_word);
                self.named(length, Class::Directive);
            }
            b'.' => self.dot(rest),
            b'0'..=b'9' => self.number(rest),
            _ if in_word(begin) => self.word(rest),
            // Control bits have long runs of these.
            b'-' | b':' if self.head == Head::Done => {
                self.push(run(rest, |b| matches!(b, b'-' | b':')), Class::Sign);
            }
            _ => {
                self.push(1, Class::Sign);
                if self.head == Head::Open && begin != b'{' {
                    self.head = Head::Done;
                }
            }
        }
    }

    /// A comment of several lines, up to the end of the line; its beginning has `opened` bytes.
    fn comment(&mut self, rest: &str, opened: usize) {
        let end = after(rest, opened).find("*/").map(|end| opened + end + 2);
        self.in_comment = end.is_none();
        let length = end.unwrap_or(rest.trim_ascii_end().len());
        if length > 0 {
            self.push(length, Class::Comment);
        }
        if self.in_comment {
            self.at = self.line.len();
        }
    }

    /// A dot: of a directive, of a label, or of a suffix.
    fn dot(&mut self, rest: &str) {
        let at = self.begin + self.at;
        let attached = self.out.list.last().is_some_and(|token| token.span.end == at);
        if self.label(rest) {
            return;
        }
        let word = 1 + run(after(rest, 1), in_word);
        match self.head {
            Head::Open if !attached => self.named(word, Class::Directive),
            _ if attached || !self.grammar.labels => self.push(word, Class::Suffix),
            _ => self.push(run(rest, in_label), Class::Word),
        }
    }

    /// Reads a label and its colons, if they are next.
    fn label(&mut self, rest: &str) -> bool {
        let length = run(rest, in_label);
        let bytes = rest.as_bytes();
        let is = self.grammar.labels
            && self.head == Head::Open
            && bytes.get(length) == Some(&b':')
            && !bytes.first().is_some_and(u8::is_ascii_digit);
        if is {
            self.push(length, Class::Name);
            while self.rest().starts_with(':') {
                self.push(1, Class::Sign);
            }
        }
        is
    }

    fn number(&mut self, rest: &str) {
        let mut length = run(rest, in_word);
        let bytes = rest.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        if bytes.get(length) == Some(&b'.') && digit(length + 1) {
            length += 1 + run(after(rest, length + 1), in_word);
        }
        let text = first(rest, length);
        let is = text.starts_with("0x") || text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
        self.push(length, if is { Class::Number } else { Class::Word });
        self.head = Head::Done;
    }

    fn word(&mut self, rest: &str) {
        if self.label(rest) {
            return;
        }
        let length = run(rest, in_word);
        let text = first(rest, length);
        let called = || {
            let next = after(rest, length).trim_ascii_start();
            self.grammar.expressions && next.starts_with(['(', '<'])
        };
        match self.head {
            Head::Open if self.grammar.directive(text).is_some() => self.named(length, Class::Directive),
            Head::Open if self.lookup.is_mnemonic(text) => self.named(length, Class::Mnemonic),
            Head::Guard => {
                self.operand(length, text);
                self.head = Head::Open;
            }
            _ if called() && self.lookup.is_mnemonic(text) => self.push(length, Class::Mnemonic),
            _ => {
                self.operand(length, text);
                self.head = Head::Done;
            }
        }
    }

    fn operand(&mut self, length: usize, text: &str) {
        let class = if self.lookup.is_register(text) { Class::Register } else { Class::Word };
        self.push(length, class);
    }

    /// The word that a statement begins with.
    fn named(&mut self, length: usize, class: Class) {
        self.head_token = Some(self.out.list.len());
        self.head = Head::Done;
        self.push(length, class);
    }

    /// Ends the statement.
    fn end(&mut self) {
        let tokens = self.first..self.out.list.len();
        let mut code = self.out.list.iter().skip(self.first).filter(|token| token.class != Class::Comment);
        if let Some(first) = code.next() {
            let last = code.next_back().unwrap_or(first);
            let span = first.span.to(last.span);
            self.out.statements.push(Statement { span, tokens, head: self.head_token });
        }
        (self.first, self.head, self.head_token) = (self.out.list.len(), Head::Open, None);
    }
}
