//! Reads lines into an outline.

use super::grammar::{Directive, Fold, Position};
use super::lookup::Lookup;
use super::outline::{Folding, Outline};
use super::statement::Statement;
use super::symbol::{Symbol, SymbolKind};
use super::token::{Class, Token, text};
use super::tokens::{Tokens, split};
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use shisa_diag::Span;

/// The lines that are being read.
pub(super) struct Lines<'s> {
    source: &'s str,
    lookup: &'s dyn Lookup,
    /// What they contain. Token numbers count from the first line that was read.
    pub(super) outline: Outline,
}

impl<'s> Lines<'s> {
    /// No lines yet.
    pub(super) fn new(source: &'s str, lookup: &'s dyn Lookup) -> Lines<'s> {
        Lines { source, lookup, outline: Outline::default() }
    }

    /// Reads the line in a span, which has no line break. `in_comment` states whether it begins within a comment; the result,
    /// whether the next line does.
    pub(super) fn read(&mut self, line: Span, in_comment: bool) -> bool {
        if in_comment {
            self.outline.commented.push(line.start);
        }
        let first = self.outline.statements.len();
        let Outline { tokens, statements, .. } = &mut self.outline;
        let out = Tokens { list: tokens, statements };
        let open = split(text(self.source, line), line.start, in_comment, self.lookup, out);
        let read: Vec<Statement> = self.outline.statements.iter().skip(first).cloned().collect();
        read.iter().for_each(|statement| self.define(statement));
        open
    }

    fn tokens_of(&self, statement: &Statement) -> impl Iterator<Item = &Token> {
        self.outline.tokens.get(statement.tokens.clone()).into_iter().flatten()
    }

    /// Adds what a statement defines and encloses.
    fn define(&mut self, statement: &Statement) {
        let grammar = self.lookup.grammar();
        let head = statement.head.and_then(|head| self.outline.tokens.get(head)).copied();
        let word = head.map(|token| text(self.source, token.span));
        let directive = head.filter(|token| token.class == Class::Directive).and(word);
        let directive = directive.and_then(|name| grammar.directive(name));
        let fold = match directive {
            Some(directive) => directive.fold,
            None => word.map_or(Fold::Nothing, |name| self.lookup.fold(name)),
        };
        let labels: Vec<Span> =
            self.tokens_of(statement).filter(|t| t.class == Class::Name).map(|t| t.span).collect();
        for span in labels {
            self.add(span, SymbolKind::Label, grammar.label_stands_for.map(ToOwned::to_owned));
        }
        if let (Some(directive), Some(head)) = (directive, head) {
            self.named(directive, statement, head.span.end);
        }
        let braces = |sign: &str| {
            let signs = self.tokens_of(statement).filter(|token| token.class == Class::Sign);
            signs.filter(|token| text(self.source, token.span) == sign).count()
        };
        let (opens, closes) = match grammar.expressions {
            true => (braces("{"), braces("}")),
            false => (0, 0),
        };
        if fold == Fold::Scope {
            self.outline.scopes.push(statement.span.start);
        }
        if fold != Fold::Nothing || opens != closes {
            self.outline.folds.push(Folding { span: statement.span, fold, opens, closes });
        }
    }

    /// Adds the names that a directive defines after `end`, where its own name ends.
    fn named(&mut self, directive: &Directive, statement: &Statement, end: usize) {
        let Some(names) = directive.names else { return };
        let arguments: Vec<Token> = self
            .tokens_of(statement)
            .filter(|token| token.span.start >= end)
            .filter(|token| token.class != Class::Comment)
            .copied()
            .collect();
        let text = |token: &Token| text(self.source, token.span);
        let name = |token: &&Token| matches!(token.class, Class::Word | Class::Register | Class::Mnemonic);
        let groups = || arguments.split(|token| text(token) == ",");
        let firsts: Vec<Token> = match names.position {
            Position::First => arguments.first().filter(name).copied().into_iter().collect(),
            Position::Second => {
                groups().nth(1).and_then(<[Token]>::first).filter(name).copied().into_iter().collect()
            }
            Position::Each => {
                // Commas between the components of a vector separate no names.
                let depth = |at: usize| {
                    let before = arguments.iter().take(at).map(text);
                    before.fold(0i32, |depth, sign| depth + i32::from(sign == "(") - i32::from(sign == ")"))
                };
                let starts = |(at, _): &(usize, &Token)| {
                    let comma = at.checked_sub(1).and_then(|before| arguments.get(before)).map(text);
                    *at == 0 || comma == Some(",") && depth(*at) == 0
                };
                let all = arguments.iter().enumerate().filter(starts).map(|(_, token)| token);
                all.filter(name).copied().collect()
            }
            Position::Quoted => {
                arguments.first().filter(|t| t.class == Class::Text).copied().into_iter().collect()
            }
        };
        let other = match names.position {
            Position::Second => groups().next(),
            _ => arguments.get(1..),
        };
        let other = || {
            let tokens = other.filter(|tokens| !tokens.is_empty())?;
            let (first, last) = (tokens.first()?, tokens.last()?);
            self.source.get(first.span.to(last.span).range()).map(ToOwned::to_owned)
        };
        let stands_for = names.stands_for.map(ToOwned::to_owned).or_else(other);
        for token in firsts {
            let span = match names.position {
                Position::Quoted => Span::new(token.span.start + 1, token.span.end.saturating_sub(1)),
                _ => token.span,
            };
            self.add(span, names.kind, stands_for.clone());
        }
    }

    fn add(&mut self, span: Span, kind: SymbolKind, stands_for: Option<String>) {
        let Some(name) = self.source.get(span.range()).filter(|name| !name.is_empty()) else { return };
        self.outline.symbols.push(Symbol { name: name.to_owned(), kind, span, stands_for });
    }
}
