//! What may be written at an offset.
//!
//! No table lists the operands of an instruction. Each word that could be one is passed to the parser of the operand's
//! kind, and the words that it reads are the candidates.

use super::dialect::Dialect;
use super::grammar::Grammar;
use super::outline::Outline;
use super::statement::Statement;
use super::symbol::{Symbol, SymbolKind};
use super::token::{Class, first, text};
use super::tokens::in_word;
use super::usage::operands;
use super::vocabulary::Words;
use crate::parse::parse_modifiers;
use crate::{Form, Isa, Names, Operand, Scan};
use alloc::{
    borrow::ToOwned, collections::BTreeMap, collections::BTreeSet, format, string::String, vec::Vec,
};
use shisa_diag::Span;

/// A text that may be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The text.
    pub text: String,
    /// Its class: [`Class::Word`] for an operand that is neither a register nor a name.
    pub class: Class,
    /// The kind of a name.
    pub symbol: Option<SymbolKind>,
    /// A sentence or a few words on it; may be empty.
    pub detail: String,
    /// The part of the source that it replaces.
    pub replaces: Span,
}

/// Components of registers, where a kind of operand has them.
const COMPONENTS: [&str; 7] = [".x", ".y", ".z", ".w", ".xy", ".xyz", ".xyzw"];

/// An offset in a source, and what is before it.
pub(super) struct At<'a> {
    source: &'a str,
    outline: &'a Outline,
    offset: usize,
    /// The statement on the line of the offset.
    statement: Option<&'a Statement>,
    /// The word at the offset.
    word: Span,
    /// The dot or number sign right before the word.
    mark: Option<usize>,
}

impl<'a> At<'a> {
    pub(super) fn new(source: &'a str, outline: &'a Outline, offset: usize) -> At<'a> {
        let bytes = source.as_bytes();
        let before = first(source, offset).bytes().rev();
        let start = offset - before.take_while(|b| in_word(*b)).count();
        let end = offset + bytes.iter().skip(offset).take_while(|b| in_word(**b)).count();
        let statement =
            outline.statement_at(source, offset).and_then(|number| outline.statements.get(number));
        let mark = start.checked_sub(1).filter(|mark| matches!(bytes.get(*mark), Some(b'.' | b'#')));
        At { source, outline, offset, statement, word: Span::new(start, end), mark }
    }

    /// The names that are known here.
    pub(super) fn symbols(&self) -> impl Iterator<Item = &'a Symbol> + use<'a> {
        self.outline.known_at(self.offset)
    }

    /// Whether the offset is within a comment or a text in quotes.
    fn is_quoted(&self) -> bool {
        self.outline.token_at(self.offset).is_some_and(|token| {
            matches!(token.class, Class::Comment | Class::Text)
                && token.span.start < self.offset
                && self.offset <= token.span.end
        })
    }

    /// Whether operands are before the word although the statement has no mnemonic: labels, guards and braces are none.
    fn is_begun(&self, grammar: &Grammar) -> bool {
        let Some(statement) = self.statement else { return false };
        let tokens = self.outline.tokens_of(self.source, statement);
        let mut guarded = false;
        tokens.filter(|token| token.span.end <= self.word.start).any(|token| {
            let sign = text(self.source, token.span);
            let label = token.class == Class::Name && !grammar.expressions;
            let free = label || guarded || matches!(sign, ":" | "@" | "!" | "{");
            guarded = sign == "@" || guarded && sign == "!";
            !free && self.mark != Some(token.span.start)
        })
    }
}

/// What may be written at an offset.
pub(super) fn candidates<D: Dialect>(
    names: &Names<D::Isa>,
    words: &Words<'_, D>,
    at: &At<'_>,
) -> Vec<Candidate> {
    let grammar = words.dialect.grammar();
    let mut found = Found { list: Vec::new(), seen: BTreeSet::new(), replaces: at.word };
    if at.is_quoted() {
        return found.list;
    }
    let before = |span: Span| span.end <= at.word.start && Some(span.start) != at.mark;
    let head = at.statement.and_then(|s| at.outline.head(at.source, s)).filter(|head| before(head.span));
    match (head, at.statement) {
        (Some(head), Some(statement)) if head.class == Class::Mnemonic => {
            let name = grammar.canonical(text(at.source, head.span));
            let after = statement.after_suffixes(&at.outline.tokens).unwrap_or(head.span.end);
            let rows: Vec<_> = names.find(&name).map(|(_, form)| form).collect();
            match at.mark {
                Some(dot) if dot <= after => {
                    found.replaces.start = dot;
                    let typed = text(at.source, Span::new(head.span.end, dot));
                    suffixes::<D::Isa>(&rows, typed, words.context, &mut found);
                }
                _ => operand(&rows, after, words, at, &mut found),
            }
        }
        (Some(_), _) => everything(words, at, &mut found),
        (None, _) if at.is_begun(grammar) => everything(words, at, &mut found),
        (None, _) => statement(names, words, at, &mut found),
    }
    found.list
}

/// What a statement may begin with.
fn statement<D: Dialect>(names: &Names<D::Isa>, words: &Words<'_, D>, at: &At<'_>, found: &mut Found) {
    let grammar = words.dialect.grammar();
    found.replaces.start = at.mark.unwrap_or(at.word.start);
    let sign = at.mark.and_then(|mark| at.source.get(mark..at.word.start));
    for directive in grammar.directives.iter().filter(|d| sign.is_none_or(|sign| d.name.starts_with(sign))) {
        found.add(directive.name, Class::Directive, None, directive.says);
    }
    if sign.is_some() {
        return;
    }
    for name in names.all() {
        let summary = names.find(name).map(|(_, form)| form.summary).min_by_key(|summary| summary.len());
        found.add(name, Class::Mnemonic, None, summary.unwrap_or_default());
    }
    if grammar.expressions {
        everything(words, at, found);
    }
}

/// All registers and names, where nothing states what is allowed.
fn everything<D: Dialect>(words: &Words<'_, D>, at: &At<'_>, found: &mut Found) {
    at.symbols().for_each(|symbol| found.name(symbol));
    for register in words.registers {
        found.add(register, Class::Register, None, "");
    }
}

/// What an operand may be.
fn operand<D: Dialect>(
    rows: &[&'static Form<D::Isa>],
    after: usize,
    words: &Words<'_, D>,
    at: &At<'_>,
    found: &mut Found,
) {
    let start = at.word.start;
    let before = operands(at.source, after, start);
    let comma = at.source.get(after..start).is_some_and(|text| text.trim_ascii_end().ends_with(','));
    let index = before.len().saturating_sub(1);
    let begin = before.last().filter(|_| !comma).map_or(start, |last| last.start);
    let stem = text(at.source, Span::new(begin, at.mark.unwrap_or(start)));
    if at.mark.is_none() && !stem.is_empty() {
        return everything(words, at, found);
    }
    for form in rows {
        // Optional operands may be left out.
        let taken = |upto: usize| form.operands.iter().take(upto).filter(|op| !op.kind.optional()).count();
        for (_, op) in form.operands.iter().enumerate().skip(index).filter(|(n, _)| taken(*n) <= index) {
            match at.mark {
                Some(dot) => {
                    found.replaces.start = dot;
                    components(form, op, stem, words, at, found);
                }
                None => whole(form, op, words, at, found),
            }
        }
    }
}

/// The texts of an operand.
fn whole<D: Dialect>(
    form: &'static Form<D::Isa>,
    op: &'static Operand<D::Isa>,
    words: &Words<'_, D>,
    at: &At<'_>,
    found: &mut Found,
) {
    // Whether names that stand for a text are allowed; a kind that reads one label reads all.
    let mut allowed: BTreeMap<Option<&str>, bool> = BTreeMap::new();
    for symbol in at.symbols() {
        let stands_for = symbol.stands_for.as_deref();
        let reads = || words.accepts(form, op, stands_for.unwrap_or(&symbol.name));
        if *allowed.entry(stands_for).or_insert_with(reads) {
            found.name(symbol);
        }
    }
    for word in &*words.operands(form, op) {
        let class = if words.registers.contains(word) { Class::Register } else { Class::Word };
        found.add(word, class, None, op.kind.describe());
    }
}

/// What may follow a dot within an operand.
fn components<D: Dialect>(
    form: &'static Form<D::Isa>,
    op: &'static Operand<D::Isa>,
    stem: &str,
    words: &Words<'_, D>,
    at: &At<'_>,
    found: &mut Found,
) {
    let symbol = at.outline.resolve(stem, at.offset).and_then(|number| at.outline.symbols.get(number));
    let stem = symbol.and_then(|symbol| symbol.stands_for.as_deref()).unwrap_or(stem);
    let endings = words.examples(op).filter_map(|text| text.rfind('.').and_then(|dot| text.get(dot..)));
    for ending in COMPONENTS.into_iter().chain(endings) {
        if words.accepts(form, op, &format!("{stem}{ending}")) {
            found.add(ending, Class::Suffix, None, op.kind.describe());
        }
    }
}

/// The suffixes that may follow those of a mnemonic.
fn suffixes<I: Isa>(rows: &[&'static Form<I>], typed: &str, context: I::Ctx<'_>, found: &mut Found) {
    for form in rows {
        let modifiers = form.suffixes(context);
        for name in modifiers.iter().flat_map(|m| m.names).filter(|name| name.starts_with('.')) {
            let text = format!("{typed}{name}");
            let mut scan = Scan::new(&text, 0);
            let read = parse_modifiers(modifiers, &mut form.template(), &mut scan, false);
            if read.is_ok() && scan.is_empty() {
                found.add(name, Class::Suffix, None, form.name);
            }
        }
    }
}

/// The candidates so far.
struct Found {
    list: Vec<Candidate>,
    seen: BTreeSet<String>,
    replaces: Span,
}

impl Found {
    fn add(&mut self, text: &str, class: Class, symbol: Option<SymbolKind>, detail: &str) {
        if self.seen.insert(text.to_owned()) {
            let (text, detail) = (text.to_owned(), detail.to_owned());
            self.list.push(Candidate { text, class, symbol, detail, replaces: self.replaces });
        }
    }

    fn name(&mut self, symbol: &Symbol) {
        self.add(&symbol.name, Class::Name, Some(symbol.kind), symbol.kind.name());
    }
}
