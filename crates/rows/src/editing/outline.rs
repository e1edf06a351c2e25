//! The statements and names of a source.

use super::grammar::Fold;
use super::statement::Statement;
use super::symbol::{Symbol, SymbolKind};
use super::token::{Class, Token, text};
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::Span;

/// A source as editors see it.
///
/// What a line contains depends on the line alone, and on whether it begins within a comment. So a changed source is read
/// again only where it differs ([`Editing::update`](super::Editing::update)). What depends on all lines (the names that words
/// denote, their uses, and blocks) is not stored: the functions of this type find it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    /// The tokens, in the order of the source. [`Outline::tokens_of`] determines which of them are names.
    pub tokens: Vec<Token>,
    /// The statements, in the order of the source.
    pub statements: Vec<Statement>,
    /// The names that the source defines, in the order of their definitions.
    pub symbols: Vec<Symbol>,
    /// The numbers of the symbols that words can denote, by name and then by number.
    pub(super) names: Vec<usize>,
    /// The statements that enclose others, or end to do so.
    pub(super) folds: Vec<Folding>,
    /// The offsets of the statements that begin a part of the source with its own labels.
    pub(super) scopes: Vec<usize>,
    /// The offsets of the lines that begin within a comment.
    pub(super) commented: Vec<usize>,
}

/// A statement that begins or ends blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Folding {
    /// The statement.
    pub(super) span: Span,
    pub(super) fold: Fold,
    /// The number of its braces that open a block.
    pub(super) opens: usize,
    /// The number of its braces that close one.
    pub(super) closes: usize,
}

impl Outline {
    /// The tokens of a statement. Those that denote what the source defines are names.
    pub fn tokens_of<'o>(
        &'o self,
        source: &'o str,
        statement: &'o Statement,
    ) -> impl Iterator<Item = Token> + 'o {
        let tokens = self.tokens.iter().take(statement.tokens.end).skip(statement.tokens.start);
        tokens.map(move |token| self.named(source, statement, *token))
    }

    /// The mnemonic or the directive of a statement.
    pub fn head(&self, source: &str, statement: &Statement) -> Option<Token> {
        Some(self.named(source, statement, *self.tokens.get(statement.head?)?))
    }

    /// A token of a statement: a name if it denotes what the source defines.
    pub fn named(&self, source: &str, statement: &Statement, token: Token) -> Token {
        match self.denoted(source, statement, token) {
            Some(_) => Token { class: Class::Name, ..token },
            None => token,
        }
    }

    /// The token that contains an offset or ends there. A word is preferred to a sign, the next token to the one that
    /// ends.
    pub fn token_at(&self, offset: usize) -> Option<Token> {
        let next = self.tokens.partition_point(|token| token.span.end < offset);
        let near = self.tokens.iter().skip(next).take_while(|token| token.span.start <= offset);
        let near: Vec<Token> = near.copied().take(2).collect();
        let word = |token: &&Token| token.class != Class::Sign;
        near.iter().rev().find(word).or(near.last()).copied()
    }

    /// The number of the last statement that begins at or before an offset, if both are on the same line.
    pub fn statement_at(&self, source: &str, offset: usize) -> Option<usize> {
        let number = self.statement_before(offset)?;
        let start = self.statements.get(number)?.span.start;
        let between = source.as_bytes().get(start..offset)?;
        (!between.contains(&b'\n')).then_some(number)
    }

    /// The number of the last statement that begins at or before an offset.
    pub(super) fn statement_before(&self, offset: usize) -> Option<usize> {
        self.statements.partition_point(|s| s.span.start <= offset).checked_sub(1)
    }

    /// The number of the symbol that a token of a statement denotes.
    pub fn denoted(&self, source: &str, statement: &Statement, token: Token) -> Option<usize> {
        if !matches!(token.class, Class::Word | Class::Name | Class::Mnemonic | Class::Register) {
            return None;
        }
        let number = self.resolve(text(source, token.span), statement.span.start)?;
        // The mnemonic of a statement stays one, whatever else has its name.
        let heads = token.class == Class::Mnemonic && statement.head.is_some();
        let is_macro = self.symbols.get(number)?.kind == SymbolKind::Macro;
        (is_macro || !heads).then_some(number)
    }

    /// The number of the symbol that is named at a span.
    pub fn symbol_at(&self, source: &str, span: Span) -> Option<usize> {
        let denoted = || {
            let statement = self.statements.get(self.statement_before(span.start)?)?;
            let mut tokens = self.tokens.get(statement.tokens.clone())?.iter();
            self.denoted(source, statement, *tokens.find(|token| token.span == span)?)
        };
        denoted().or_else(|| self.symbols.binary_search_by_key(&span, |symbol| symbol.span).ok())
    }

    /// The uses of a symbol outside of its definition, in the order of the source.
    pub fn uses(&self, source: &str, number: usize) -> Vec<Span> {
        let Some(symbol) = self.symbols.get(number) else { return Vec::new() };
        let tokens = |statement: &Statement| self.tokens.get(statement.tokens.clone());
        let mut found = Vec::new();
        for statement in &self.statements {
            let other = |token: &&Token| {
                token.span != symbol.span
                    && text(source, token.span) == symbol.name
                    && self.denoted(source, statement, **token) == Some(number)
            };
            found.extend(tokens(statement).into_iter().flatten().filter(other).map(|token| token.span));
        }
        found
    }

    /// The number of the symbol that a name denotes at an offset.
    pub(super) fn resolve(&self, name: &str, offset: usize) -> Option<usize> {
        let named = |number: usize| self.symbols.get(number).map(|symbol| symbol.name.as_str());
        let first = self.names.partition_point(|number| named(*number) < Some(name));
        let same = self.names.iter().copied().skip(first).take_while(|number| named(*number) == Some(name));
        let mut known = same.peekable();
        known.peek()?;
        let scope = self.scope(offset);
        known.find(|number| self.symbols.get(*number).is_some_and(|symbol| symbol.is_known_in(&scope)))
    }

    /// The symbols that are known at an offset, and that words can denote.
    pub(super) fn known_at(&self, offset: usize) -> impl Iterator<Item = &Symbol> {
        let scope = self.scope(offset);
        let known = move |symbol: &&Symbol| symbol.is_known_in(&scope);
        self.symbols.iter().filter(known).filter(|symbol| symbol.is_denoted())
    }

    /// The part of the source that an offset is in, which has its own labels.
    fn scope(&self, offset: usize) -> Range<usize> {
        let next = self.scopes.partition_point(|start| *start <= offset);
        let start = next.checked_sub(1).and_then(|number| self.scopes.get(number)).copied();
        let end = self.scopes.get(next).copied();
        // The first part begins with the source, the last one has no end.
        start.unwrap_or(0)..end.unwrap_or(usize::MAX)
    }
}
