//! Reading sources for editors, the same for all instruction sets.

use super::candidates::{At, Candidate, candidates};
use super::dialect::Dialect;
use super::grammar::{Fold, Grammar};
use super::lookup::Lookup;
use super::outline::Outline;
use super::statement::Statement;
use super::token::{Class, Token, text};
use super::update::update;
use super::usage::{Argument, Usage, operands};
use super::vocabulary::Vocabulary;
use crate::{Form, Insn, Isa, Names, Operand, Scan, Symbols, parse};
use alloc::{boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use core::any::Any;
use shisa_diag::Span;

/// Reads sources of one language for editors.
pub trait Editing: Any {
    /// The language.
    fn grammar(&self) -> &'static Grammar;

    /// The statements and names of a source.
    fn outline(&self, source: &str) -> Outline {
        let mut outline = Outline::default();
        self.update(&mut outline, "", source);
        outline
    }

    /// Changes the outline of a source to that of another version of it. Reads only lines that differ, and those that have
    /// become a comment or code by the change. Returns their number.
    fn update(&self, outline: &mut Outline, former: &str, source: &str) -> usize;

    /// The row and the operands of a statement; `None` if it is no instruction.
    fn usage(&self, source: &str, outline: &Outline, statement: &Statement) -> Option<Usage>;

    /// What may be written at an offset in place of the word there.
    fn candidates(&self, source: &str, outline: &Outline, offset: usize) -> Vec<Candidate>;

    /// Whether it reads all sources as another one does.
    fn is_same(&self, other: &dyn Editing) -> bool;

    /// The column, counted from its mnemonic, at which the first operand of an instruction is in a listing.
    fn operand_column(&self) -> usize;
}

/// The [`Editing`] of a dialect.
pub struct Editor<D: Dialect> {
    dialect: D,
    names: Names<D::Isa>,
    registers: BTreeSet<String>,
    vocabulary: Vocabulary,
}

impl<D: Dialect + 'static> Editor<D> {
    /// Collects the words of the dialect.
    pub fn boxed(dialect: D) -> Box<dyn Editing> {
        let registers = dialect.registers().into_iter().collect();
        Box::new(Editor { names: Names::new(), registers, vocabulary: Vocabulary::of::<D::Isa>(), dialect })
    }
}

impl<D: Dialect> Editor<D> {
    /// The end of the operands: the semicolon or the brace after them.
    fn end(source: &str, start: usize, end: usize) -> usize {
        let text = text(source, Span::new(start, end));
        text.find([';', '{']).map_or(end, |at| start + at)
    }
}

impl<D: Dialect> Lookup for Editor<D> {
    fn grammar(&self) -> &'static Grammar {
        self.dialect.grammar()
    }

    fn is_mnemonic(&self, word: &str) -> bool {
        self.names.find(&self.dialect.grammar().canonical(word)).next().is_some()
    }

    fn is_register(&self, word: &str) -> bool {
        self.registers.contains(word)
    }

    fn fold(&self, mnemonic: &str) -> Fold {
        let form = self.names.find(&self.dialect.grammar().canonical(mnemonic)).next();
        form.map_or(Fold::Nothing, |(_, form)| self.dialect.fold(form))
    }
}

impl<D: Dialect + 'static> Editing for Editor<D> {
    fn grammar(&self) -> &'static Grammar {
        self.dialect.grammar()
    }

    fn update(&self, outline: &mut Outline, former: &str, source: &str) -> usize {
        update(outline, former, source, self)
    }

    fn usage(&self, source: &str, outline: &Outline, statement: &Statement) -> Option<Usage> {
        let head = outline.head(source, statement)?;
        if head.class != Class::Mnemonic {
            return None;
        }
        let name = self.dialect.grammar().canonical(text(source, head.span));
        // Only the names in the statement matter.
        let mut symbols = Symbols::default();
        for token in outline.tokens_of(source, statement).filter(|token| token.class == Class::Name) {
            symbols.insert(0, text(source, token.span).into());
        }
        let context = self.dialect.context(&symbols);
        let label = |token: &Token| token.class == Class::Name || text(source, token.span) == ":";
        let begin = outline.tokens_of(source, statement).find(|token| !label(token))?.span.start;
        let line = source.get(begin..statement.span.end)?;
        let read = parse(&self.names, &mut Scan::new(line, begin), context).ok();
        let after = statement.after_suffixes(&outline.tokens)?;
        let mut written = operands(source, after, Self::end(source, after, statement.span.end));
        written.retain(|span| span.start < span.end);
        let rows: Vec<_> = self.names.find(&name).map(|(_, form)| form).collect();
        let form = match &read {
            Some(insn) => insn.form(),
            None => {
                let fits = |form: &&&Form<D::Isa>| form.operands.len() >= written.len();
                rows.iter().find(fits).copied().or(rows.first().copied())?
            }
        };
        let row = rows.iter().position(|other| core::ptr::eq(*other, form))?;
        let shown = |insn: &Insn<D::Isa>| {
            let shown = form.operands.iter().map(|op| op.kind.shown(op, insn, context));
            shown.collect::<Vec<bool>>()
        };
        let shown = read.as_ref().map(shown);
        let shown = shown.filter(|shown| shown.iter().filter(|is| **is).count() == written.len());
        let mut spans = written.into_iter();
        let argument = |(at, op): (usize, &Operand<D::Isa>)| {
            let is = shown.as_ref().is_none_or(|shown| shown.get(at) == Some(&true));
            let span = if is { spans.next() } else { None };
            Argument { kind: op.kind.describe(), optional: op.kind.optional(), span }
        };
        let operands = form.operands.iter().enumerate().map(argument).collect();
        Some(Usage { name: form.name, summary: form.summary, row, operands })
    }

    fn candidates(&self, source: &str, outline: &Outline, offset: usize) -> Vec<Candidate> {
        let at = At::new(source, outline, offset);
        // A kind that reads one label reads all.
        let mut symbols = Symbols::default();
        if let Some(label) = at.symbols().find(|symbol| symbol.stands_for.is_none()) {
            symbols.insert(0, label.name.clone());
        }
        let words = self.vocabulary.words(&self.dialect, self.dialect.context(&symbols), &self.registers);
        candidates(&self.names, &words, &at)
    }

    fn is_same(&self, other: &dyn Editing) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| other.dialect == self.dialect)
    }

    fn operand_column(&self) -> usize {
        D::Isa::COLUMN
    }
}

impl<D: Dialect> core::fmt::Debug for Editor<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Editor").field("registers", &self.registers.len()).finish_non_exhaustive()
    }
}
