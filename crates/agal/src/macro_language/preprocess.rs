//! Evaluates conditions and collects macro definitions; the result is the statements.

use super::conditions::Conditions;
use super::lexer::{Kind, Word, words};
use alloc::collections::{BTreeMap, btree_map::Entry};
use alloc::{format, rc::Rc, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span};

/// A statement: its words, without the end.
#[derive(Clone, Debug)]
pub(super) struct Statement<'s> {
    pub(super) words: Vec<Word<'s>>,
}

impl Statement<'_> {
    /// From the first word to the last.
    pub(super) fn span(&self) -> Span {
        match (self.words.first(), self.words.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => Span::default(),
        }
    }
}

/// A macro.
#[derive(Clone, Debug)]
pub(super) struct Macro<'s> {
    pub(super) name: Word<'s>,
    pub(super) parameters: Vec<&'s str>,
    pub(super) body: Vec<Statement<'s>>,
}

/// The result of preprocessing.
#[derive(Clone, Debug, Default)]
pub(super) struct Statements<'s> {
    pub(super) list: Vec<Statement<'s>>,
    /// By name and number of parameters.
    pub(super) macros: BTreeMap<(&'s str, usize), Rc<Macro<'s>>>,
    /// Every name that occurs, including parts that are left out.
    pub(super) names: Vec<&'s str>,
}

/// Evaluates conditions and takes macro definitions out.
pub(super) fn run<'s>(source: &'s str, limits: &Limits) -> (Statements<'s>, Sink) {
    let mut found = Sink::new(limits.diagnostics);
    let words = words(source, &mut found);
    let names = words.iter().filter(|w| w.kind == Kind::Name).map(|w| w.text).collect();
    let kept = conditions(&words, limits, &mut found);
    let mut reader =
        Reader { words: &kept, at: 0, limits, found, out: Statements { names, ..Statements::default() } };
    reader.program();
    (reader.out, reader.found)
}

/// The words in active branches.
fn conditions<'s>(words: &[Word<'s>], limits: &Limits, found: &mut Sink) -> Vec<Word<'s>> {
    let (mut kept, mut state) = (Vec::with_capacity(words.len()), Conditions::default());
    let mut rest = words;
    while let Some((first, _)) = rest.split_first() {
        let len = match first.kind {
            // A directive extends to the end of its line.
            Kind::Directive => rest.iter().position(|w| w.kind == Kind::End).unwrap_or(rest.len()),
            _ => 1,
        };
        let (head, tail) = rest.split_at(len.max(1));
        rest = tail;
        if first.kind == Kind::Directive {
            if let Err(d) = state.directive(head, limits) {
                found.push(d);
            }
        } else if state.active() {
            kept.extend_from_slice(head);
        }
    }
    found.extend(state.unclosed());
    kept
}

struct Reader<'w, 's> {
    words: &'w [Word<'s>],
    at: usize,
    limits: &'w Limits,
    found: Sink,
    out: Statements<'s>,
}

impl<'s> Reader<'_, 's> {
    fn peek(&self) -> Option<Word<'s>> {
        self.words.get(self.at).copied()
    }

    fn skip_ends(&mut self) {
        while self.peek().is_some_and(|w| w.kind == Kind::End) {
            self.at += 1;
        }
    }

    /// Consumes words up to the end of the statement; within a macro also up to its closing brace.
    fn statement(&mut self, in_macro: bool) -> Statement<'s> {
        let start = self.at;
        while self.peek().is_some_and(|w| w.kind != Kind::End && !(in_macro && w.is("}"))) {
            self.at += 1;
        }
        Statement { words: self.words.get(start..self.at).unwrap_or_default().to_vec() }
    }

    fn program(&mut self) {
        loop {
            self.skip_ends();
            let Some(word) = self.peek() else { return };
            if word.kind == Kind::Name && word.text == "macro" {
                match self.definition() {
                    Ok(m) => self.define(m),
                    Err(d) => {
                        self.found.push(d);
                        self.statement(false);
                    }
                }
            } else {
                let statement = self.statement(false);
                self.out.list.push(statement);
            }
        }
    }

    fn define(&mut self, m: Macro<'s>) {
        match self.out.macros.entry((m.name.text, m.parameters.len())) {
            Entry::Vacant(entry) => {
                let at = m.name.span;
                entry.insert(Rc::new(m));
                let few = self.limits.check(Limit::Labels, "macros", self.out.macros.len());
                self.found.extend(few.err().map(|d| d.at_text(at, "")));
            }
            Entry::Occupied(first) => self.found.push(
                Diagnostic::error("asm-macro", format!("macro {} is defined twice", m.name.text))
                    .at_text(m.name.span, "")
                    .at_text(first.get().name.span, "first defined here"),
            ),
        }
    }

    /// Consumes a sign.
    fn expect(&mut self, sign: &str, what: &str) -> Result<Word<'s>, Diagnostic> {
        let word = self.peek();
        match word.filter(|w| w.is(sign)) {
            Some(word) => {
                self.at += 1;
                Ok(word)
            }
            None => {
                let at = word.or(self.words.last().copied()).map_or(Span::default(), |w| w.span);
                Err(Diagnostic::error("asm-macro", format!("\"{sign}\" is expected {what}")).at_text(at, ""))
            }
        }
    }

    /// Reads `macro Name(a, b) { … }`.
    fn definition(&mut self) -> Result<Macro<'s>, Diagnostic> {
        let keyword = self.peek();
        self.at += 1;
        let name = self.peek().filter(|w| w.kind == Kind::Name).ok_or_else(|| {
            let at = keyword.map_or(Span::default(), |w| w.span);
            Diagnostic::error("asm-macro", "a macro needs a name").at_text(at, "")
        })?;
        self.at += 1;
        self.expect("(", "after the name of a macro")?;
        let mut parameters = Vec::new();
        while let Some(word) = self.peek().filter(|w| w.kind == Kind::Name) {
            parameters.push(word.text);
            self.at += 1;
            match self.peek() {
                Some(w) if w.is(",") => self.at += 1,
                _ => break,
            }
        }
        self.expect(")", "after the parameters of a macro")?;
        self.skip_ends();
        let open = self.expect("{", "before the body of a macro")?;
        let mut body = Vec::new();
        loop {
            self.skip_ends();
            match self.peek() {
                None => {
                    let d = Diagnostic::error("asm-bracket", "\"{\" without \"}\"");
                    return Err(d.at_text(open.span, ""));
                }
                Some(w) if w.is("}") => break,
                Some(_) => body.push(self.statement(true)),
            }
        }
        self.at += 1;
        Ok(Macro { name, parameters, body })
    }
}
