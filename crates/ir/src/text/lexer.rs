//! Tokens of the text form, one line at a time.

use crate::Shape;
use alloc::format;
use shisa_diag::{Diagnostic, Span};

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token<'a> {
    /// Letters, digits, `_` and `.`, beginning with a letter; also the name of a shape.
    Word(&'a str),
    /// A number, with its sign.
    Number(i128),
    /// `%n`.
    Value(u32),
    /// One of `: = ( ) , + * @`.
    Sign(char),
    /// The end of the line.
    End,
}

/// Reads the tokens of one line.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

impl<'a> Lexer<'a> {
    /// A lexer for the line that begins at `start`; the next line begins at [`Lexer::next_line`].
    pub(super) fn new(text: &'a str, start: usize) -> Lexer<'a> {
        let end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        Lexer { text, at: start, end }
    }

    pub(super) fn next_line(&self) -> usize {
        (self.end + 1).min(self.text.len())
    }

    /// Whether this is the last line.
    pub(super) fn is_last(&self) -> bool {
        self.end == self.text.len()
    }

    fn skip(&mut self) {
        let rest = &self.text[self.at..self.end];
        let blank = rest.len() - rest.trim_start_matches([' ', '\t', '\r']).len();
        self.at += blank;
        if rest[blank..].starts_with(';') {
            self.at = self.end;
        }
    }

    /// The next token, without consuming it.
    pub(super) fn peek(&mut self) -> Token<'a> {
        let at = self.at;
        let token = self.next().map_or(Token::End, |(t, _)| t);
        self.at = at;
        token
    }

    /// Consumes the next token and returns it with its span.
    pub(super) fn next(&mut self) -> Result<(Token<'a>, Span), Diagnostic> {
        self.skip();
        let start = self.at;
        let rest = &self.text[start..self.end];
        let run = |s: &str| {
            s.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.')).unwrap_or(s.len())
        };
        let (token, length) = match rest.chars().next() {
            None => (Some(Token::End), 0),
            Some('%') => {
                let digits = run(&rest[1..]);
                (rest[1..=digits].parse().ok().map(Token::Value), digits + 1)
            }
            Some(c @ (':' | '=' | '(' | ')' | ',' | '+' | '*' | '@')) => (Some(Token::Sign(c)), 1),
            Some(c) if c.is_ascii_alphabetic() => (Some(Token::Word(&rest[..run(rest)])), run(rest)),
            Some(c) if c.is_ascii_digit() || c == '-' => {
                let sign = usize::from(c == '-');
                let length = sign + run(&rest[sign..]);
                let digits = &rest[sign..length];
                let number = match digits.strip_prefix("0x") {
                    Some(hex) => u64::from_str_radix(hex, 16),
                    None => digits.parse(),
                };
                let token = match (number, digits) {
                    (Ok(n), _) => Some(Token::Number(if sign == 1 { -i128::from(n) } else { n.into() })),
                    _ if Shape::ALL.iter().any(|s| s.name() == digits) => Some(Token::Word(digits)),
                    (Err(_), _) => None,
                };
                (token, length)
            }
            Some(c) => (None, c.len_utf8()),
        };
        self.at = start + length;
        let span = Span::new(start, self.at);
        match token {
            Some(token) => Ok((token, span)),
            None => Err(Diagnostic::error(
                "ir-text",
                format!("`{}` is not a word of the text form", &rest[..length]),
            )
            .at_text(span, "")),
        }
    }
}
