//! Expressions: the right-hand sides of `=`.

use super::lexer::{Kind, Word};
use super::opcodes::{self, Operator};
use super::{MOST_NESTING, levels};
use crate::text::opcode;
use alloc::{boxed::Box, format, vec::Vec};
use shisa_diag::{Bound, Diagnostic, Span};

/// A register as written: a name with components, possibly indexed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Register<'s> {
    /// Without components.
    pub(super) name: &'s str,
    /// Component letters, without the dot.
    pub(super) components: &'s str,
    /// The text in brackets: the index register with its component, and the offset.
    pub(super) index: Option<(&'s str, &'s str)>,
    pub(super) span: Span,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) enum Expression<'s> {
    /// A register.
    Register(Register<'s>),
    /// A number, which a constant register holds.
    Number(f64, Span),
    /// A negation.
    Negative(Box<Expression<'s>>, Span),
    /// An opcode and two operands.
    Binary(&'static str, Box<Expression<'s>>, Box<Expression<'s>>, Span),
    /// A function: an opcode or a macro, with sampler options.
    Call(Call<'s>),
}

/// A call.
#[derive(Clone, Debug)]
pub(super) struct Call<'s> {
    pub(super) name: Word<'s>,
    /// The range from `<` to `>`.
    pub(super) options: Option<Span>,
    pub(super) arguments: Vec<Expression<'s>>,
    pub(super) span: Span,
}

impl Expression<'_> {
    /// The range of the whole expression.
    pub(super) fn span(&self) -> Span {
        match self {
            Expression::Register(r) => r.span,
            Expression::Number(_, span) | Expression::Negative(_, span) | Expression::Binary(.., span) => {
                *span
            }
            Expression::Call(c) => c.span,
        }
    }
}

pub(super) fn wrong(message: impl Into<alloc::string::String>, at: Span) -> Diagnostic {
    Diagnostic::error("asm-expression", message).at_text(at, "")
}

/// Splits `ft0.xyz` at its first dot.
fn parts(name: &str) -> (&str, &str) {
    name.split_once('.').unwrap_or((name, ""))
}

/// Reads words one at a time.
pub(super) struct Parser<'w, 's> {
    pub(super) words: &'w [Word<'s>],
    /// The end of the last word.
    end: Span,
    /// The maximum nesting depth of expressions.
    nesting: Bound,
    /// How much of that depth is left.
    depth: u64,
}

impl<'w, 's> Parser<'w, 's> {
    /// A parser for the words of a statement; expressions nest at most `nesting` deep.
    pub(super) fn new(words: &'w [Word<'s>], nesting: Bound) -> Self {
        let end = words.first().map_or(Span::default(), |w| w.span);
        Parser { words, end, nesting, depth: levels(nesting) }
    }

    pub(super) fn next(&mut self) -> Option<Word<'s>> {
        let (first, rest) = self.words.split_first()?;
        (self.words, self.end) = (rest, first.span);
        Some(*first)
    }

    pub(super) fn peek(&self, sign: &str) -> bool {
        self.words.first().is_some_and(|w| w.is(sign))
    }

    pub(super) fn eat(&mut self, sign: &str) -> bool {
        self.peek(sign) && self.next().is_some()
    }

    /// Consumes one of some operators.
    fn operator(&mut self, operators: &'static [Operator]) -> Option<&'static Operator> {
        operators.iter().find(|operator| self.eat(operator.sign))
    }

    fn too_deep(&self, at: Span) -> Diagnostic {
        self.nesting.exceeded_up_to(MOST_NESTING, "the nesting of an expression").at_text(at, "")
    }

    fn after(&self) -> Span {
        Span::new(self.end.end, self.end.end)
    }

    /// Reports remaining words.
    pub(super) fn finish(&self) -> Result<(), Diagnostic> {
        match self.words.first() {
            None => Ok(()),
            Some(w) => Err(wrong(format!("unexpected \"{}\" in an expression", w.text), w.span)),
        }
    }

    /// A sum, or a comparison of two sums.
    pub(super) fn expression(&mut self) -> Result<Expression<'s>, Diagnostic> {
        let left = self.sum()?;
        let Some(operator) = self.operator(opcodes::COMPARISONS) else { return Ok(left) };
        let right = self.sum()?;
        let span = left.span().to(right.span());
        let (a, b) = if operator.reversed { (right, left) } else { (left, right) };
        Ok(Expression::Binary(operator.opcode, Box::new(a), Box::new(b), span))
    }

    fn sum(&mut self) -> Result<Expression<'s>, Diagnostic> {
        let mut left = self.product()?;
        for _ in 0..=self.depth {
            let Some(operator) = self.operator(opcodes::SUMS) else { return Ok(left) };
            let right = self.product()?;
            left = binary(operator.opcode, left, right);
        }
        Err(self.too_deep(left.span()))
    }

    fn product(&mut self) -> Result<Expression<'s>, Diagnostic> {
        let mut left = self.factor()?;
        for _ in 0..=self.depth {
            let Some(operator) = self.operator(opcodes::PRODUCTS) else { return Ok(left) };
            let right = self.factor()?;
            left = binary(operator.opcode, left, right);
        }
        Err(self.too_deep(left.span()))
    }

    fn factor(&mut self) -> Result<Expression<'s>, Diagnostic> {
        let Some(word) = self.next() else {
            return Err(wrong("an expression ends too early", self.after()));
        };
        match word.kind {
            Kind::Number => match word.text.parse() {
                Ok(v) => Ok(Expression::Number(v, word.span)),
                Err(_) => Err(wrong(format!("\"{}\" is no number", word.text), word.span)),
            },
            Kind::Name if self.is_called(word) => self.call(word).map(Expression::Call),
            Kind::Name => self.register(word).map(Expression::Register),
            _ if word.is("-") => {
                let of = self.nested(word.span, Self::factor)?;
                let span = word.span.to(of.span());
                Ok(Expression::Negative(Box::new(of), span))
            }
            _ if word.is("(") => {
                let inner = self.nested(word.span, Self::expression)?;
                if self.eat(")") { Ok(inner) } else { Err(wrong("\"(\" without \")\"", word.span)) }
            }
            _ => Err(wrong(format!("unexpected \"{}\" in an expression", word.text), word.span)),
        }
    }

    /// Whether the name just read is a function. A `<` after it begins sampler options, or is a comparison.
    fn is_called(&self, name: Word<'s>) -> bool {
        let bracketed = || {
            let close = self.words.iter().position(|w| w.is(">"));
            close.is_some_and(|at| self.words.get(at + 1).is_some_and(|w| w.is("(")))
        };
        self.peek("(")
            || self.peek("<") && (opcode(name.text).is_some_and(|f| f.attr.effect.samples()) || bracketed())
    }

    /// Reads one nesting level deeper.
    fn nested<T>(
        &mut self,
        at: Span,
        read: impl FnOnce(&mut Self) -> Result<T, Diagnostic>,
    ) -> Result<T, Diagnostic> {
        self.depth = self.depth.checked_sub(1).ok_or_else(|| self.too_deep(at))?;
        let result = read(self);
        self.depth += 1;
        result
    }

    /// Reads the rest of a register after its name.
    pub(super) fn register(&mut self, word: Word<'s>) -> Result<Register<'s>, Diagnostic> {
        let (name, components) = parts(word.text);
        let mut register = Register { name, components, index: None, span: word.span };
        if !self.peek("[") {
            return Ok(register);
        }
        let open = self.next().map_or(word.span, |w| w.span);
        let unclosed = || wrong("\"[\" without \"]\"", open);
        let inside = self.words.iter().position(|w| w.is("]")).ok_or_else(unclosed)?;
        let (index, rest) = self.words.split_at(inside);
        register.index = match index {
            [r] if r.kind == Kind::Name => Some((r.text, "")),
            [r, plus, n] if r.kind == Kind::Name && plus.is("+") && n.kind == Kind::Number => {
                Some((r.text, n.text))
            }
            _ => {
                let at = index.iter().fold(open, |s, w| s.to(w.span));
                return Err(wrong("an index is a register with one component, and perhaps a number", at)
                    .help("as in vc[va0.x+4]"));
            }
        };
        self.words = rest;
        self.next();
        register.span = register.span.to(self.end);
        if self.peek(".") {
            self.next();
            let letters = self.next().filter(|w| w.kind == Kind::Name);
            let letters =
                letters.ok_or_else(|| wrong("components are expected after the dot", self.after()))?;
            register.components = letters.text;
            register.span = register.span.to(letters.span);
        }
        Ok(register)
    }

    /// Reads the rest of a call after the function's name.
    pub(super) fn call(&mut self, name: Word<'s>) -> Result<Call<'s>, Diagnostic> {
        let mut options = None;
        if self.peek("<") {
            let open = self.next().map_or(name.span, |w| w.span);
            while let Some(word) = self.next() {
                if word.is(">") {
                    options = Some(open.to(word.span));
                    break;
                }
            }
            if options.is_none() {
                return Err(Diagnostic::error("asm-bracket", "\"<\" without \">\"").at_text(open, ""));
            }
        }
        let Some(open) = self.next().filter(|w| w.is("(")) else {
            return Err(wrong(format!("\"(\" is expected after {}", name.text), self.after()));
        };
        let mut arguments = Vec::new();
        while !self.peek(")") {
            if !arguments.is_empty() && !self.eat(",") {
                return Err(wrong("\"(\" without \")\"", open.span));
            }
            let argument = self.nested(name.span, Self::expression)?;
            arguments.push(argument);
        }
        self.next();
        Ok(Call { name, options, arguments, span: name.span.to(self.end) })
    }
}

fn binary<'s>(opcode: &'static str, left: Expression<'s>, right: Expression<'s>) -> Expression<'s> {
    let span = left.span().to(right.span());
    Expression::Binary(opcode, Box::new(left), Box::new(right), span)
}
