//! Words of a source.

use shisa_diag::Span;

/// The class of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Class {
    /// A comment, or one line of a comment of several lines.
    Comment,
    /// Text in quotes.
    Text,
    /// A number.
    Number,
    /// A directive, with the dot or the number sign before it.
    Directive,
    /// The mnemonic of an instruction, without suffixes.
    Mnemonic,
    /// A dot and what follows it: a suffix of a mnemonic, or components of a register.
    Suffix,
    /// A register.
    Register,
    /// A name that the source defines.
    Name,
    /// Any other word.
    Word,
    /// An operator, a bracket or a separator.
    Sign,
}

/// The text after a number of bytes; nothing if it is shorter.
pub(super) fn after(text: &str, bytes: usize) -> &str {
    text.split_at_checked(bytes).map_or("", |(_, after)| after)
}

/// The first bytes of a text; all of it if it is shorter.
pub(super) fn first(text: &str, bytes: usize) -> &str {
    text.split_at_checked(bytes).map_or(text, |(first, _)| first)
}

/// The part of a source that a span covers.
pub(super) fn text(source: &str, span: Span) -> &str {
    after(first(source, span.end), span.start)
}

/// A word, a comment or a sign. Tokens never contain a line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its bytes in the source.
    pub span: Span,
    /// Its class.
    pub class: Class,
}
