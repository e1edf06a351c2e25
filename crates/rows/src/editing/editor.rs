//! What editors ask of a language, and the answer that all instruction sets share.

use super::candidates::{Candidate, Writer};
use super::grammar::{Fold, Grammar};
use super::outline::{Outline, Statement};
use super::token::Class;
use super::usage::{Argument, Usage, operands};
use crate::{Form, Insn, Isa, Names, Scan, Symbols, parse};
use alloc::{borrow::Cow, boxed::Box, collections::BTreeSet, string::String, vec::Vec};
use shisa_diag::Span;

/// What one instruction set states about a language of its sources.
pub trait Dialect {
    /// The instruction set.
    type Isa: Isa;

    /// The language.
    fn grammar(&self) -> &'static Grammar;

    /// The context in which instructions are parsed, with these labels.
    fn context<'a>(&'a self, symbols: &'a Symbols) -> <Self::Isa as Isa>::Ctx<'a>;

    /// The registers that programs can name, without components, and other words that stand for values.
    fn registers(&self) -> Vec<String>;

    /// The lines that an instruction encloses.
    fn fold(&self, form: &'static Form<Self::Isa>) -> Fold {
        let _ = form;
        Fold::Nothing
    }
}

/// Reads sources of one language for editors.
pub trait Editing {
    /// The language.
    fn grammar(&self) -> &'static Grammar;

    /// The statements, names and blocks of a source.
    fn outline(&self, source: &str) -> Outline;

    /// The row and the operands of a statement; `None` if it is no instruction.
    fn usage(&self, source: &str, outline: &Outline, statement: &Statement) -> Option<Usage>;

    /// What may be written at an offset in place of the word there.
    fn candidates(&self, source: &str, outline: &Outline, offset: usize) -> Vec<Candidate>;

    /// The column, counted from its mnemonic, at which the first operand of an instruction is in a listing.
    fn operand_column(&self) -> usize;
}

/// Answers questions about single words.
pub(super) trait Lookup {
    fn grammar(&self) -> &'static Grammar;
    fn is_mnemonic(&self, word: &str) -> bool;
    fn is_register(&self, word: &str) -> bool;
    fn fold(&self, mnemonic: &str) -> Fold;
}

/// The [`Editing`] of a dialect.
pub struct Editor<D: Dialect> {
    dialect: D,
    names: Names<D::Isa>,
    registers: BTreeSet<String>,
    writer: Writer<D::Isa>,
}

impl<D: Dialect + 'static> Editor<D> {
    /// Collects the words of the dialect.
    pub fn boxed(dialect: D) -> Box<dyn Editing> {
        let registers: BTreeSet<String> = dialect.registers().into_iter().collect();
        let writer = Writer::new(registers.iter().cloned());
        Box::new(Editor { names: Names::new(), registers, writer, dialect })
    }
}

impl<D: Dialect> Editor<D> {
    /// The spelling of a mnemonic in the rows.
    fn canonical<'w>(&self, word: &'w str) -> Cow<'w, str> {
        match self.dialect.grammar().caseless {
            true => word.to_ascii_lowercase().into(),
            false => word.into(),
        }
    }

    /// The labels of a part of a source.
    fn symbols(outline: &Outline, scope: usize) -> Symbols {
        let mut symbols = Symbols::default();
        let known = outline.symbols.iter().filter(|s| s.scope.is_none_or(|own| own == scope));
        for symbol in known.filter(|s| s.stands_for.is_none()) {
            symbols.insert(0, symbol.name.clone());
        }
        symbols
    }
}

impl<D: Dialect> Lookup for Editor<D> {
    fn grammar(&self) -> &'static Grammar {
        self.dialect.grammar()
    }

    fn is_mnemonic(&self, word: &str) -> bool {
        self.names.find(&self.canonical(word)).next().is_some()
    }

    fn is_register(&self, word: &str) -> bool {
        self.registers.contains(word)
    }

    fn fold(&self, mnemonic: &str) -> Fold {
        let form = self.names.find(&self.canonical(mnemonic)).next();
        form.map_or(Fold::Nothing, |(_, form)| self.dialect.fold(form))
    }
}

impl<D: Dialect> Editing for Editor<D> {
    fn grammar(&self) -> &'static Grammar {
        self.dialect.grammar()
    }

    fn outline(&self, source: &str) -> Outline {
        Outline::of(source, self)
    }

    fn usage(&self, source: &str, outline: &Outline, statement: &Statement) -> Option<Usage> {
        let head = *outline.tokens.get(statement.head?)?;
        if head.class != Class::Mnemonic {
            return None;
        }
        let name = self.canonical(source.get(head.span.range())?);
        let symbols = Self::symbols(outline, statement.scope);
        let context = self.dialect.context(&symbols);
        let begin = outline
            .tokens_of(statement)
            .iter()
            .find(|token| token.class != Class::Name && source.get(token.span.range()) != Some(":"));
        let begin = begin.map_or(head.span.start, |token| token.span.start);
        let line = source.get(begin..statement.span.end)?;
        let read = parse(&self.names, &mut Scan::new(line, begin), context).ok();
        let after = Self::after_suffixes(outline, statement)?;
        let mut written = operands(source, after, Self::end(source, after, statement.span.end));
        written.retain(|span| span.start < span.end);
        let rows: Vec<_> = self.names.find(&name).map(|(_, form)| form).collect();
        let fits = |form: &&&'static Form<D::Isa>| form.operands.len() >= written.len();
        let form = match &read {
            Some(insn) => insn.form(),
            None => rows.iter().find(fits).or(rows.first()).copied()?,
        };
        let row = rows.iter().position(|other| core::ptr::eq(*other, form))?;
        let shown = |insn: &Insn<D::Isa>| {
            let shown = form.operands.iter().map(|op| op.kind.shown(op, insn, context));
            shown.collect::<Vec<bool>>()
        };
        let shown = read.as_ref().map(shown);
        let shown = shown.filter(|shown| shown.iter().filter(|is| **is).count() == written.len());
        let mut spans = written.into_iter();
        let argument = |(at, op): (usize, &crate::Operand<D::Isa>)| {
            let is = shown.as_ref().is_none_or(|shown| shown.get(at) == Some(&true));
            let span = if is { spans.next() } else { None };
            Argument { kind: op.kind.describe(), optional: op.kind.optional(), span }
        };
        let operands = form.operands.iter().enumerate().map(argument).collect();
        Some(Usage { name: form.name, summary: form.summary, row, operands })
    }

    fn candidates(&self, source: &str, outline: &Outline, offset: usize) -> Vec<Candidate> {
        let number = outline.statement_at(source, offset);
        let statement = number.and_then(|number| outline.statements.get(number));
        let scope = statement.map_or_else(
            || {
                let before = outline.statements.partition_point(|s| s.span.start <= offset);
                before.checked_sub(1).and_then(|at| outline.statements.get(at)).map_or(0, |s| s.scope)
            },
            |statement| statement.scope,
        );
        let symbols = Self::symbols(outline, scope);
        let context = self.dialect.context(&symbols);
        let at = super::candidates::At { source, outline, statement, scope, offset };
        self.writer.candidates(self.dialect.grammar(), &self.names, context, &at)
    }

    fn operand_column(&self) -> usize {
        D::Isa::COLUMN
    }
}

impl<D: Dialect> Editor<D> {
    /// The end of the mnemonic with its suffixes.
    fn after_suffixes(outline: &Outline, statement: &Statement) -> Option<usize> {
        super::candidates::after_suffixes(outline, statement)
    }

    /// The end of the operands: the semicolon or the brace after them.
    fn end(source: &str, start: usize, end: usize) -> usize {
        let text = source.get(start..end).unwrap_or_default();
        text.find([';', '{']).map_or(end, |at| start + at)
    }
}

impl<D: Dialect> core::fmt::Debug for Editor<D> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Editor").field("registers", &self.registers.len()).finish_non_exhaustive()
    }
}

/// The part of a source that a statement's span covers.
pub(super) fn text(source: &str, span: Span) -> &str {
    source.get(span.range()).unwrap_or_default()
}
