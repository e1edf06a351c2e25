//! What may be written at an offset.
//!
//! No table lists the operands of an instruction. Each word that could be one is passed to the parser of the operand's
//! kind, and the words that it reads are the candidates.

use super::grammar::Grammar;
use super::outline::{Outline, Statement};
use super::symbol::SymbolKind;
use super::token::Class;
use super::tokens::in_word;
use super::usage::operands;
use crate::parse::parse_modifiers;
use crate::{Form, Isa, Names, OneOf, Operand, Scan};
use alloc::{
    borrow::ToOwned, collections::BTreeMap, collections::BTreeSet, format, rc::Rc, string::String, vec::Vec,
};
use core::cell::RefCell;
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

/// An offset in a source.
pub(super) struct At<'a> {
    pub(super) source: &'a str,
    pub(super) outline: &'a Outline,
    /// The statement on the line of the offset.
    pub(super) statement: Option<&'a Statement>,
    pub(super) scope: usize,
    pub(super) offset: usize,
}

/// The end of the mnemonic with its suffixes.
pub(super) fn after_suffixes(outline: &Outline, statement: &Statement) -> Option<usize> {
    let head = statement.head?;
    let tokens = outline.tokens.get(head..statement.tokens.end)?;
    let mut end = tokens.first()?.span.end;
    let suffixes = tokens.iter().skip(1).take_while(|token| token.class == Class::Suffix);
    for token in suffixes {
        if token.span.start != end {
            break;
        }
        end = token.span.end;
    }
    Some(end)
}

/// The words of an instruction set, and which of them each kind of operand reads.
pub(super) struct Writer<I: Isa> {
    registers: BTreeSet<String>,
    /// The operands of the rows' examples, by the name of their kind.
    examples: BTreeMap<&'static str, BTreeSet<String>>,
    /// The words that a kind of operand reads, by its name.
    accepted: RefCell<BTreeMap<&'static str, Rc<[String]>>>,
    isa: core::marker::PhantomData<I>,
}

/// Whether the kind of an operand reads a text whole.
fn accepts<I: Isa>(form: &Form<I>, op: &Operand<I>, text: &str, context: I::Ctx<'_>) -> bool {
    let (mut word, mut scan) = (form.template(), Scan::new(text, 0));
    op.kind.begins(op, &word).allows(scan.peek())
        && op.kind.parse(op, &mut word, &mut scan, context).is_ok()
        && scan.is_empty()
}

impl<I: Isa> Writer<I> {
    pub(super) fn new(registers: impl Iterator<Item = String>) -> Writer<I> {
        let mut examples: BTreeMap<&'static str, BTreeSet<String>> = BTreeMap::new();
        for form in I::table().forms() {
            for (text, _) in form.examples {
                let text = text.split([';', '{']).next().unwrap_or(text);
                let Some((_, rest)) = text.trim_ascii_start().split_once(' ') else { continue };
                let spans = operands(rest, 0, rest.len());
                if spans.len() != form.operands.len() {
                    continue;
                }
                for (span, op) in spans.into_iter().zip(form.operands) {
                    let text = super::editor::text(rest, span).to_owned();
                    examples.entry(op.kind.describe()).or_default().insert(text);
                }
            }
        }
        let accepted = RefCell::new(BTreeMap::new());
        Writer { registers: registers.collect(), examples, accepted, isa: core::marker::PhantomData }
    }

    /// The words that an operand may be.
    fn words(&self, form: &Form<I>, op: &Operand<I>, context: I::Ctx<'_>) -> Rc<[String]> {
        let kind = op.kind.describe();
        if let Some(known) = self.accepted.borrow().get(kind) {
            return Rc::clone(known);
        }
        let any: &dyn core::any::Any = op.kind;
        let listed = any.downcast_ref::<OneOf>().map_or(&[][..], |one| one.names);
        let listed = listed.iter().filter(|name| !name.is_empty()).map(|name| (*name).to_owned());
        let examples = self.examples.get(kind).into_iter().flatten().cloned();
        let all = listed.chain(self.registers.iter().cloned()).chain(examples);
        let found: Rc<[String]> = all.filter(|text| accepts(form, op, text, context)).collect();
        self.accepted.borrow_mut().insert(kind, Rc::clone(&found));
        found
    }

    /// What may be written at an offset.
    pub(super) fn candidates(
        &self,
        grammar: &'static Grammar,
        names: &Names<I>,
        context: I::Ctx<'_>,
        at: &At<'_>,
    ) -> Vec<Candidate> {
        let bytes = at.source.as_bytes();
        let covers = |class: Class| {
            let over = |span: Span| span.start < at.offset && at.offset <= span.end;
            at.outline.token_at(at.offset).is_some_and(|token| token.class == class && over(token.span))
        };
        if covers(Class::Comment) || covers(Class::Text) {
            return Vec::new();
        }
        let before = bytes.get(..at.offset).unwrap_or_default();
        let start = at.offset - before.iter().rev().take_while(|b| in_word(**b)).count();
        let end = at.offset + bytes.iter().skip(at.offset).take_while(|b| in_word(**b)).count();
        let marked = start.checked_sub(1).filter(|mark| matches!(bytes.get(*mark), Some(b'.' | b'#')));
        let head =
            at.statement.and_then(|s| at.outline.tokens.get(s.head?)).filter(|head| head.span.end <= start);
        let begun = at.statement.is_some_and(|statement| {
            let guard = |text: &str| matches!(text, ":" | "@" | "!" | "{");
            let mut tokens = at.outline.tokens_of(statement).iter().filter(|token| token.span.end <= start);
            let mut guarded = false;
            tokens.any(|token| {
                let text = super::editor::text(at.source, token.span);
                let free = token.class == Class::Name && !grammar.expressions || guard(text) || guarded;
                guarded = text == "@" || guarded && text == "!";
                !free && marked != Some(token.span.start)
            })
        });
        let mut found = Found { list: Vec::new(), seen: BTreeSet::new(), replaces: Span::new(start, end) };
        match (head, at.statement) {
            (Some(head), Some(statement)) if head.class == Class::Mnemonic => {
                let name = super::editor::text(at.source, head.span);
                let name = if grammar.caseless { name.to_ascii_lowercase() } else { name.to_owned() };
                let after = after_suffixes(at.outline, statement).unwrap_or(head.span.end);
                let rows: Vec<_> = names.find(&name).map(|(_, form)| form).collect();
                match marked {
                    Some(dot) if dot <= after => {
                        found.replaces.start = dot;
                        let typed = at.source.get(head.span.end..dot).unwrap_or_default();
                        suffixes(&rows, typed, context, &mut found);
                    }
                    _ => self.operand(&rows, after, (start, marked), context, at, &mut found),
                }
            }
            (Some(_), _) => self.everything(at, &mut found),
            (None, _) if begun => self.everything(at, &mut found),
            (None, _) => {
                found.replaces.start = marked.unwrap_or(start);
                let sign = marked.and_then(|mark| at.source.get(mark..start));
                let directives = grammar.directives.iter();
                for directive in directives.filter(|d| sign.is_none_or(|sign| d.name.starts_with(sign))) {
                    found.add(directive.name.to_owned(), Class::Directive, None, directive.says.to_owned());
                }
                if sign.is_none() {
                    for name in names.all() {
                        let summary = names.find(name).map(|(_, form)| form.summary).min_by_key(|s| s.len());
                        found.add(
                            name.to_owned(),
                            Class::Mnemonic,
                            None,
                            summary.unwrap_or_default().to_owned(),
                        );
                    }
                    if grammar.expressions {
                        self.everything(at, &mut found);
                    }
                }
            }
        }
        found.list
    }

    /// All registers and names, where nothing states what is allowed.
    fn everything(&self, at: &At<'_>, found: &mut Found) {
        for symbol in at.outline.symbols.iter().filter(|s| s.scope.is_none_or(|own| own == at.scope)) {
            found.add(symbol.name.clone(), Class::Name, Some(symbol.kind), symbol.kind.name().to_owned());
        }
        for register in &self.registers {
            found.add(register.clone(), Class::Register, None, String::new());
        }
    }

    /// What an operand may be.
    fn operand(
        &self,
        rows: &[&'static Form<I>],
        after: usize,
        (start, marked): (usize, Option<usize>),
        context: I::Ctx<'_>,
        at: &At<'_>,
        found: &mut Found,
    ) {
        let before = operands(at.source, after, start);
        let comma = at.source.get(after..start).is_some_and(|text| text.trim_ascii_end().ends_with(','));
        let index = before.len().saturating_sub(1);
        let begin = match before.last() {
            Some(last) if !comma => last.start,
            _ => start,
        };
        let stem = at.source.get(begin..marked.unwrap_or(start)).unwrap_or_default();
        if marked.is_none() && !stem.is_empty() {
            return self.everything(at, found);
        }
        for form in rows {
            // Optional operands may be left out.
            let taken =
                |upto: usize| form.operands.iter().take(upto).filter(|op| !op.kind.optional()).count();
            let reached = form.operands.iter().enumerate().skip(index).filter(|(n, _)| taken(*n) <= index);
            for (_, op) in reached {
                match marked {
                    Some(dot) => {
                        found.replaces.start = dot;
                        self.components(form, op, stem, context, at, found);
                    }
                    None => self.whole(form, op, context, at, found),
                }
            }
        }
    }

    /// The texts of an operand.
    fn whole(
        &self,
        form: &'static Form<I>,
        op: &'static Operand<I>,
        context: I::Ctx<'_>,
        at: &At<'_>,
        found: &mut Found,
    ) {
        for symbol in at.outline.symbols.iter().filter(|s| s.scope.is_none_or(|own| own == at.scope)) {
            let text = symbol.stands_for.as_deref().unwrap_or(&symbol.name);
            if symbol.kind != SymbolKind::Program && accepts(form, op, text, context) {
                found.add(symbol.name.clone(), Class::Name, Some(symbol.kind), symbol.kind.name().to_owned());
            }
        }
        for word in &*self.words(form, op, context) {
            let class = if self.registers.contains(word) { Class::Register } else { Class::Word };
            found.add(word.clone(), class, None, op.kind.describe().to_owned());
        }
    }

    /// What may follow a dot within an operand.
    fn components(
        &self,
        form: &'static Form<I>,
        op: &'static Operand<I>,
        stem: &str,
        context: I::Ctx<'_>,
        at: &At<'_>,
        found: &mut Found,
    ) {
        let symbol = at.outline.resolve(stem, at.scope).and_then(|number| at.outline.symbols.get(number));
        let stem = symbol.and_then(|symbol| symbol.stands_for.as_deref()).unwrap_or(stem);
        let examples = self.examples.get(op.kind.describe()).into_iter().flatten();
        let endings = examples.filter_map(|text| text.rfind('.').and_then(|dot| text.get(dot..)));
        for ending in COMPONENTS.into_iter().chain(endings) {
            if accepts(form, op, &format!("{stem}{ending}"), context) {
                found.add(ending.to_owned(), Class::Suffix, None, op.kind.describe().to_owned());
            }
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
                found.add((*name).to_owned(), Class::Suffix, None, form.name.to_owned());
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
    fn add(&mut self, text: String, class: Class, symbol: Option<SymbolKind>, detail: String) {
        if self.seen.insert(text.clone()) {
            self.list.push(Candidate { text, class, symbol, detail, replaces: self.replaces });
        }
    }
}
