//! Lowers statements to instructions.

mod assignment;
mod calls;

use crate::macro_language::expression::{Expression, Parser, wrong};
use crate::macro_language::lexer::{Kind, Word};
use crate::macro_language::opcodes;
use crate::macro_language::output::Output;
use crate::macro_language::preprocess::{Macro, Statement, Statements};
use crate::macro_language::scope::{Names, Operand, Scope, temporary};

use crate::RegType;
use crate::text::{AsmOptions, opcode};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, rc::Rc, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Sink, Span, unsupported};
use shisa_ir::Stage;

/// Limit on the words that the bodies of macros expand to: far more than any program has.
const MOST_WORDS: usize = 1 << 20;

/// Limit on the macros that are searched for a hint.
const MOST_HINTS: usize = 256;

/// The state of lowering.
pub(super) struct Lower<'s, 'l> {
    source: &'s str,
    limits: &'l Limits,
    /// Whether statements that Adobe's tool accepts yield its text exactly.
    lenient: bool,
    names: Names<'s>,
    macros: BTreeMap<(&'s str, usize), Rc<Macro<'s>>>,
    /// Temporaries that the source does not name.
    free: Vec<String>,
    /// The number of them that hold intermediate values.
    held: usize,
    /// Macros whose bodies are being written.
    active: Vec<(&'s str, usize)>,
    /// Words of bodies so far.
    words: usize,
    /// The current nesting depth of expressions and calls.
    depth: usize,
    /// The offset of each line of the source.
    lines: Vec<usize>,
    pub(super) out: Output,
    pub(super) found: Sink,
}

/// The result of lowering a statement; a fault stops the statement.
type Step<T> = Result<T, Diagnostic>;

impl<'s, 'l> Lower<'s, 'l> {
    pub(super) fn new(source: &'s str, options: &AsmOptions, stage: Stage, limits: &'l Limits) -> Self {
        let name = RegType::TEMPORARY.name(stage).unwrap_or_default();
        let count = RegType::TEMPORARY.count(options.version.unwrap_or(1), stage);
        Lower {
            source,
            limits,
            lenient: options.lenient,
            names: Names::new(options.lenient),
            macros: BTreeMap::new(),
            free: (0..count).map(|i| format!("{name}{i}")).collect(),
            held: 0,
            active: Vec::new(),
            words: 0,
            depth: 0,
            lines: core::iter::once(0).chain(source.match_indices('\n').map(|(i, _)| i + 1)).collect(),
            out: Output::default(),
            found: Sink::new(limits.diagnostics),
        }
    }

    /// Lowers a program.
    pub(super) fn program(&mut self, program: &Statements<'s>) {
        let named = |n: &&str| temporary(n.split('.').next().unwrap_or(n));
        let used: BTreeSet<u32> = program.names.iter().filter_map(named).collect();
        self.free.retain(|f| temporary(f).is_none_or(|n| !used.contains(&n)));
        self.macros.clone_from(&program.macros);
        let scope = Scope::default();
        for statement in &program.list {
            if !self.statement(statement, &scope) {
                return;
            }
        }
    }

    /// Lowers a statement; `false` if too many words have been written.
    fn statement(&mut self, statement: &Statement<'s>, scope: &Scope<'s>) -> bool {
        if !self.active.is_empty() {
            if self.words > MOST_WORDS {
                return false;
            }
            self.words += statement.words.len() + 1;
            if self.words > MOST_WORDS {
                let many = unsupported(MOST_WORDS as u64, "the number of words to which macros expand");
                self.report(many.at_text(statement.span(), ""));
                return false;
            }
        }
        let held = self.held;
        let result = self.lower(statement, scope);
        self.held = held;
        if let Err(d) = result {
            self.report(d);
        }
        true
    }

    fn report(&mut self, d: Diagnostic) {
        let d = self.out.called(d);
        self.found.push(d);
    }

    fn lower(&mut self, statement: &Statement<'s>, scope: &Scope<'s>) -> Step<()> {
        let words = statement.words.as_slice();
        let Some(first) = words.first() else { return Ok(()) };
        if first.kind == Kind::Name && first.text == "alias" {
            return self.alias(words, scope);
        }
        if first.kind == Kind::Name && !is_instruction(words) {
            let mut parser = Parser::new(words, self.limits.bound(Limit::Nesting));
            if words.get(1).is_some_and(|w| w.is("(") || w.is("<")) {
                parser.next();
                let call = parser.call(*first)?;
                parser.finish()?;
                return self.call_statement(&call, scope);
            }
            return self.assignment(parser, statement.span(), scope);
        }
        self.instruction(words, statement.span(), scope)
    }

    /// `alias va0, name` and `alias vc0, NAME(1, 2)`.
    fn alias(&mut self, words: &[Word<'s>], scope: &Scope<'s>) -> Step<()> {
        let whole = words
            .iter()
            .fold(Span::default(), |s, w| if s == Span::default() { w.span } else { s.to(w.span) });
        let mut parser = Parser::new(words, self.limits.bound(Limit::Nesting));
        parser.next();
        let form = || {
            Diagnostic::error("asm-alias", "an alias is a register, a comma and a name")
                .at_text(whole, "")
                .help("as in alias va0, pos or alias vc0, CONST(0.5, 1)")
        };
        let target = parser.next().filter(|w| w.kind == Kind::Name).ok_or_else(form)?;
        let target = parser.register(target)?;
        parser.eat(",");
        let name = parser.next().filter(|w| w.kind == Kind::Name).ok_or_else(form)?;
        if name.text.contains('.') || name.text == "out" || opcode(name.text).is_some() {
            let text = format!("\"{}\" cannot be the name of an alias", name.text);
            return Err(Diagnostic::error("asm-alias", text).at_text(name.span, ""));
        }
        let operand = self.names.resolve(scope, &target);
        if parser.eat("(") {
            self.constants(&mut parser, &operand, name)?;
        }
        parser.finish()?;
        self.names.aliases.insert(name.text, operand);
        let count = self.names.aliases.len();
        self.limits.check(Limit::Labels, "aliases", count).map_err(|d| d.at_text(name.span, ""))
    }

    /// The values of a constant register. Missing values are 0.
    fn constants(&mut self, parser: &mut Parser<'_, 's>, register: &Operand, name: Word<'s>) -> Step<()> {
        let mut values = [0.0; 4];
        for (i, value) in values.iter_mut().enumerate() {
            if parser.peek(")") {
                break;
            }
            if i > 0 {
                parser.eat(",");
            }
            let written = parser.expression()?;
            *value = number(&written).ok_or_else(|| wrong("a number is expected", written.span()))?;
        }
        if !parser.eat(")") {
            return Err(Diagnostic::error(
                "asm-alias",
                "a constant register has at most four values, in parentheses",
            )
            .at_text(name.span, ""));
        }
        for (letter, value) in ["x", "y", "z", "w"].iter().zip(values) {
            let operand = Operand { components: (*letter).into(), ..register.clone() };
            self.names.declare(value, operand);
        }
        Ok(())
    }

    /// An instruction in AGALMiniAssembler's syntax, with aliases and numbers replaced.
    fn instruction(&mut self, words: &[Word<'s>], span: Span, scope: &Scope<'s>) -> Step<()> {
        let mut parser = Parser::new(words, self.limits.bound(Limit::Nesting));
        let mut pieces: Vec<(String, Span)> = Vec::new();
        while let Some(word) = parser.next() {
            let first = pieces.is_empty();
            let (text, origin) = match word.kind {
                // Sampler options are copied unchanged.
                _ if word.is("<") => {
                    let end = words.iter().rev().find(|w| w.is(">")).map_or(span.end, |w| w.span.end);
                    while parser.words.first().is_some_and(|w| w.span.end <= end) {
                        parser.next();
                    }
                    let options = Span::new(word.span.start, end.max(word.span.end));
                    (String::from(self.slice(options)), options)
                }
                Kind::Name if !first => {
                    let operand = self.names.resolve(scope, &parser.register(word)?);
                    (operand.text(), operand.span)
                }
                Kind::Number => {
                    let value = word.text.parse().unwrap_or(f64::NAN);
                    (self.constant(value, word.span)?.text(), word.span)
                }
                _ => (word.text.into(), word.span),
            };
            // Words with blanks between them keep a blank.
            let apart = !first && !word.attached && !word.is(",");
            pieces.push((format!("{}{text}", if apart { " " } else { "" }), origin));
        }
        self.emit(&pieces, span)
    }

    fn slice(&self, span: Span) -> &'s str {
        self.source.get(span.range()).unwrap_or_default()
    }

    /// Writes an instruction.
    fn emit(&mut self, pieces: &[(String, Span)], span: Span) -> Step<()> {
        self.limits
            .check(Limit::Instructions, "instructions", self.out.len() + 1)
            .map_err(|d| d.at_text(span, ""))?;
        for (text, origin) in pieces {
            self.out.write(text, *origin);
        }
        self.out.end(self.lines.partition_point(|start| *start <= span.start) as u32);
        Ok(())
    }

    /// Writes an opcode with operands.
    fn write(&mut self, opcode: &str, origin: Span, operands: &[Operand], options: Option<Span>) -> Step<()> {
        let mut pieces = alloc::vec![(String::from(opcode), origin)];
        for (i, operand) in operands.iter().enumerate() {
            let separator = if i == 0 { " " } else { ", " };
            pieces.push((String::from(separator), origin));
            pieces.push((operand.text(), operand.span));
        }
        if let Some(options) = options {
            pieces.push((format!(" {}", self.slice(options)), options));
        }
        self.emit(&pieces, origin)
    }

    fn temporary(&mut self, span: Span) -> Step<Operand> {
        let Some(register) = self.free.get(self.held).cloned() else {
            return Err(Diagnostic::error("asm-no-temporary", "no temporary is left for an intermediate")
                .at_text(span, "")
                .help("write the expression in several statements, or name fewer temporaries"));
        };
        self.held += 1;
        Ok(Operand { register, components: String::new(), span })
    }

    fn constant(&self, value: f64, span: Span) -> Step<Operand> {
        self.names.constant(value, span).ok_or_else(|| {
            let text = format!("no constant register holds {}", self.slice(span));
            Diagnostic::error("asm-constant", text)
                .at_text(span, "")
                .help(format!("declare it, as in alias vc0, CONST({})", self.slice(span)))
        })
    }
}

/// Whether the text of a register contains `register`, possibly as an index.
fn names(text: &str, register: &str) -> bool {
    let same =
        |part: &str| part == register || temporary(part).is_some_and(|n| temporary(register) == Some(n));
    text.split(['[', '.', '+', ']']).any(same)
}

/// The value of a number, possibly negated.
fn number(e: &Expression<'_>) -> Option<f64> {
    match e {
        Expression::Number(v, _) => Some(*v),
        Expression::Negative(of, _) => number(of).map(|v| -v),
        _ => None,
    }
}

fn is_simple(e: &Expression<'_>) -> bool {
    matches!(e, Expression::Register(_)) || number(e).is_some()
}

/// Whether a sum is a product of simple operands and a simple operand: the only expression of two operators that
/// Adobe's tool has.
fn is_multiply_add(opcode: &str, left: &Expression<'_>, right: &Expression<'_>) -> bool {
    let product =
        matches!(left, Expression::Binary(opcodes::MULTIPLY, a, b, _) if is_simple(a) && is_simple(b));
    opcode == opcodes::ADD && product && is_simple(right)
}

/// Whether a statement is an instruction: an opcode that no parenthesis or `=` follows.
fn is_instruction(words: &[Word<'_>]) -> bool {
    let assigns = |w: &Word<'_>| ["=", "+=", "-=", "*=", "/="].iter().any(|s| w.is(s));
    match words {
        [first, second, ..] if second.is("(") || second.is("<") => first.kind != Kind::Name,
        words => !words.iter().any(assigns),
    }
}

fn unknown_statement(name: Word<'_>, span: Span) -> Diagnostic {
    wrong(format!("{} begins no statement", name.text), span)
}
