//! Lines of code.

use super::token::{Class, Token};
use core::ops::Range;
use shisa_diag::Span;

/// A line of code, or a part of it: labels, and a directive, an instruction or an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// From its first token to its last, without a comment.
    pub span: Span,
    /// Its tokens, with comments.
    pub tokens: Range<usize>,
    /// The token of its mnemonic or directive.
    pub head: Option<usize>,
}

impl Statement {
    /// Changes the numbers of its tokens.
    pub(super) fn renumber(&mut self, token: impl Fn(usize) -> usize) {
        self.tokens = token(self.tokens.start)..token(self.tokens.end);
        self.head = self.head.map(token);
    }

    /// The end of the mnemonic with its suffixes, or of the directive; `None` for a statement without either. `tokens` are
    /// those of the source.
    pub(super) fn after_suffixes(&self, tokens: &[Token]) -> Option<usize> {
        let tokens = tokens.get(self.head?..self.tokens.end)?;
        let mut end = tokens.first()?.span.end;
        for suffix in tokens.iter().skip(1).take_while(|token| token.class == Class::Suffix) {
            if suffix.span.start != end {
                break;
            }
            end = suffix.span.end;
        }
        Some(end)
    }
}
