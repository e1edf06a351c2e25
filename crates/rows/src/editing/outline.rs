//! The statements, names and blocks of a source.

use super::grammar::{Directive, Fold, Position};
use super::lookup::Lookup;
use super::statement::Statement;
use super::symbol::{Symbol, SymbolKind};
use super::token::{Class, Token, text};
use super::tokens::split;
use alloc::{borrow::ToOwned, collections::BTreeMap, string::String, vec::Vec};
use core::ops::Range;
use shisa_diag::Span;

/// A source as editors see it.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// The tokens, in the order of the source.
    pub tokens: Vec<Token>,
    /// The statements, in the order of the source.
    pub statements: Vec<Statement>,
    /// The names that the source defines, in the order of their definitions.
    pub symbols: Vec<Symbol>,
    /// Ranges of lines that belong together, each from its first statement to its last.
    pub blocks: Vec<Span>,
    /// The symbols by name.
    names: BTreeMap<String, Vec<usize>>,
}

/// An open block.
struct Open {
    /// Its first statement.
    from: Span,
    /// The names that the statement defines.
    symbols: Range<usize>,
    section: bool,
}

impl Outline {
    /// Reads a source.
    pub(super) fn of(source: &str, lookup: &dyn Lookup) -> Outline {
        let tokens = split(source, lookup);
        let mut outline =
            Outline { tokens: tokens.list, statements: tokens.statements, ..Outline::default() };
        outline.define(source, lookup);
        outline.refer(source, lookup);
        outline
    }

    /// The tokens of a statement.
    pub fn tokens_of(&self, statement: &Statement) -> impl Iterator<Item = &Token> {
        self.tokens.iter().take(statement.tokens.end).skip(statement.tokens.start)
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
        let number = self.statements.partition_point(|s| s.span.start <= offset).checked_sub(1)?;
        let start = self.statements.get(number)?.span.start;
        let between = source.as_bytes().get(start..offset)?;
        (!between.contains(&b'\n')).then_some(number)
    }

    /// The symbol that is named at a span.
    pub fn symbol_at(&self, span: Span) -> Option<&Symbol> {
        self.symbols.iter().find(|symbol| symbol.span == span || symbol.uses.binary_search(&span).is_ok())
    }

    /// The number of the symbol that a name denotes in a part of the source.
    pub(super) fn resolve(&self, name: &str, scope: usize) -> Option<usize> {
        let numbers = self.names.get(name)?;
        let known = |number: &&usize| {
            self.symbols.get(**number).is_some_and(|s| s.scope.is_none_or(|own| own == scope))
        };
        numbers.iter().find(known).copied()
    }

    /// Finds definitions and blocks.
    fn define(&mut self, source: &str, lookup: &dyn Lookup) {
        let grammar = lookup.grammar();
        let (mut open, mut scope): (Vec<Open>, usize) = (Vec::new(), 0);
        let mut statements = core::mem::take(&mut self.statements);
        let mut last = Span::default();
        for statement in &mut statements {
            let head = statement.head.and_then(|head| self.tokens.get(head)).copied();
            let word = head.and_then(|token| source.get(token.span.range()));
            let directive = head.filter(|token| token.class == Class::Directive).and(word);
            let directive = directive.and_then(|name| grammar.directive(name));
            let fold = match directive {
                Some(directive) => directive.fold,
                None => word.map_or(Fold::Nothing, |name| lookup.fold(name)),
            };
            scope += usize::from(fold == Fold::Scope);
            statement.scope = scope;
            let first = self.symbols.len();
            self.labels(source, grammar.label_stands_for, statement);
            if let (Some(directive), Some(head)) = (directive, statement.head) {
                self.named(source, directive, statement, head);
            }
            let braces = |sign: &str| {
                let signs = self.tokens_of(statement).filter(|token| token.class == Class::Sign);
                signs.filter(|token| source.get(token.span.range()) == Some(sign)).count()
            };
            let (opens, closes) = match grammar.expressions {
                true => (braces("{"), braces("}")),
                false => (0, 0),
            };
            let section = matches!(fold, Fold::Section | Fold::Scope);
            while section && open.last().is_some() {
                self.close(&mut open, last);
            }
            let ends = closes + usize::from(matches!(fold, Fold::Closes | Fold::Divides));
            let ended = if fold == Fold::Divides { last } else { statement.span };
            for _ in opens.min(ends)..ends {
                if open.last().is_some_and(|block| !block.section) {
                    self.close(&mut open, ended);
                }
            }
            let begins = usize::from(section || matches!(fold, Fold::Opens | Fold::Divides));
            for _ in 0..begins + opens.saturating_sub(closes) {
                open.push(Open { from: statement.span, symbols: first..self.symbols.len(), section });
            }
            last = statement.span;
        }
        while !open.is_empty() {
            self.close(&mut open, last);
        }
        self.blocks.sort_unstable();
        self.statements = statements;
    }

    /// Ends the innermost open block.
    fn close(&mut self, open: &mut Vec<Open>, end: Span) {
        let Some(block) = open.pop() else { return };
        let span = block.from.to(end);
        self.blocks.push(span);
        for symbol in self.symbols.get_mut(block.symbols).into_iter().flatten() {
            symbol.extent = span;
        }
    }

    fn labels(&mut self, source: &str, stands_for: Option<&str>, statement: &Statement) {
        let labels: Vec<Span> =
            self.tokens_of(statement).filter(|t| t.class == Class::Name).map(|t| t.span).collect();
        for span in labels {
            self.add(source, span, SymbolKind::Label, statement, stands_for.map(ToOwned::to_owned));
        }
    }

    /// Adds the names that a directive defines.
    fn named(&mut self, source: &str, directive: &Directive, statement: &Statement, head: usize) {
        let Some(names) = directive.names else { return };
        let Some(end) = self.tokens.get(head).map(|head| head.span.end) else { return };
        let arguments: Vec<Token> = self
            .tokens_of(statement)
            .filter(|token| token.span.start >= end)
            .filter(|token| token.class != Class::Comment)
            .copied()
            .collect();
        let text = |token: &Token| text(source, token.span);
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
            source.get(first.span.to(last.span).range()).map(ToOwned::to_owned)
        };
        for token in firsts {
            let stands_for = names.stands_for.map(ToOwned::to_owned).or_else(other);
            let span = match names.position {
                Position::Quoted => Span::new(token.span.start + 1, token.span.end.saturating_sub(1)),
                _ => token.span,
            };
            self.add(source, span, names.kind, statement, stands_for);
        }
    }

    fn add(
        &mut self,
        source: &str,
        span: Span,
        kind: SymbolKind,
        statement: &Statement,
        stands_for: Option<String>,
    ) {
        let Some(name) = source.get(span.range()).filter(|name| !name.is_empty()) else { return };
        let scope = (kind != SymbolKind::Procedure).then_some(statement.scope);
        if !matches!(kind, SymbolKind::Program) {
            self.names.entry(name.to_owned()).or_default().push(self.symbols.len());
        }
        let (name, extent, uses) = (name.to_owned(), statement.span, Vec::new());
        self.symbols.push(Symbol { name, kind, span, extent, uses, scope, stands_for });
    }

    /// Finds the uses of names.
    fn refer(&mut self, source: &str, lookup: &dyn Lookup) {
        if self.names.is_empty() {
            return;
        }
        // Most registers are hidden by no name.
        let hides = self.names.keys().any(|name| lookup.is_register(name));
        let mut tokens = core::mem::take(&mut self.tokens);
        for statement in &self.statements {
            for token in tokens.get_mut(statement.tokens.clone()).into_iter().flatten() {
                let may_be = match token.class {
                    Class::Word | Class::Name | Class::Mnemonic => true,
                    Class::Register => hides,
                    _ => false,
                };
                if !may_be {
                    continue;
                }
                let Some(name) = source.get(token.span.range()) else { continue };
                let Some(number) = self.resolve(name, statement.scope) else { continue };
                let Some(symbol) = self.symbols.get_mut(number) else { continue };
                // The mnemonic of a statement stays one, whatever else has its name.
                let heads = token.class == Class::Mnemonic && symbol.kind != SymbolKind::Macro;
                if heads && statement.head.is_some() {
                    continue;
                }
                token.class = Class::Name;
                if symbol.span != token.span {
                    symbol.uses.push(token.span);
                }
            }
        }
        self.tokens = tokens;
    }
}
