//! `#if` and the other directives, and the arithmetic in them.

use super::lexer::{Kind, Word};
use super::{MOST_NESTING, levels};
use alloc::{collections::BTreeMap, format, vec::Vec};
use shisa_diag::{Bound, Diagnostic, Limit, Limits, Span};

/// An open `#if`.
#[derive(Clone, Copy, Debug)]
struct Open {
    span: Span,
    /// Whether the code around it is active.
    outer: bool,
    /// Whether the current branch is active.
    active: bool,
    /// Whether a branch before it was active.
    taken: bool,
    /// Whether `#else` was read.
    last: bool,
}

/// Values and open conditions.
#[derive(Clone, Debug, Default)]
pub(super) struct Conditions<'s> {
    values: BTreeMap<&'s str, f64>,
    open: Vec<Open>,
}

fn wrong(message: impl Into<alloc::string::String>, at: Span) -> Diagnostic {
    Diagnostic::error("asm-condition", message).at_text(at, "")
}

impl<'s> Conditions<'s> {
    /// Whether the current position is active.
    pub(super) fn active(&self) -> bool {
        self.open.last().is_none_or(|o| o.active)
    }

    /// The value of a name; 0 if it has none.
    pub(super) fn value(&self, name: &str) -> f64 {
        self.values.get(name).copied().unwrap_or(0.0)
    }

    /// Faults at the end of the source.
    pub(super) fn unclosed(&self) -> impl Iterator<Item = Diagnostic> {
        self.open.iter().map(|o| wrong("#if without #endif", o.span))
    }

    /// Executes a directive, given its words.
    pub(super) fn directive(&mut self, words: &[Word<'s>], limits: &Limits) -> Result<(), Diagnostic> {
        let Some((head, rest)) = words.split_first() else { return Ok(()) };
        let whole = words.last().map_or(head.span, |w| head.span.to(w.span));
        match head.text {
            "#define" if self.active() => self.define(rest, whole, limits),
            "#undef" if self.active() => match rest {
                [name] if name.kind == Kind::Name => {
                    self.values.remove(name.text);
                    Ok(())
                }
                _ => Err(wrong("#undef takes a name", whole)),
            },
            "#define" | "#undef" => Ok(()),
            "#if" => {
                let outer = self.active();
                limits
                    .check(Limit::Nesting, "nested #if", self.open.len() + 1)
                    .map_err(|d| d.at_text(head.span, ""))?;
                // A faulty condition counts as false.
                self.open.push(Open { span: head.span, outer, active: false, taken: false, last: false });
                let holds = outer && self.holds(rest, whole, limits)?;
                self.branch(holds);
                Ok(())
            }
            "#elif" => {
                let open = self.last(head)?;
                let wanted = open.outer && !open.taken && !open.last;
                self.branch(false);
                let holds = wanted && self.holds(rest, whole, limits)?;
                self.branch(holds);
                if open.last { Err(wrong("#elif after #else", head.span)) } else { Ok(()) }
            }
            "#else" => {
                let open = self.last(head)?;
                self.branch(open.outer && !open.taken);
                if let Some(o) = self.open.last_mut() {
                    o.last = true;
                }
                if open.last { Err(wrong("a second #else", head.span)) } else { nothing(rest, head) }
            }
            "#endif" => {
                self.last(head)?;
                self.open.pop();
                nothing(rest, head)
            }
            _ => Err(wrong(format!("unknown directive \"{}\"", head.text), head.span)
                .help("directives are #define, #undef, #if, #elif, #else and #endif")),
        }
    }

    fn last(&self, head: &Word<'_>) -> Result<Open, Diagnostic> {
        self.open.last().copied().ok_or_else(|| wrong(format!("{} without #if", head.text), head.span))
    }

    /// Begins a branch of the innermost condition.
    fn branch(&mut self, active: bool) {
        if let Some(open) = self.open.last_mut() {
            open.active = active;
            open.taken |= active;
        }
    }

    fn holds(&self, words: &[Word<'s>], whole: Span, limits: &Limits) -> Result<bool, Diagnostic> {
        if words.is_empty() {
            return Err(wrong("a condition is expected", whole));
        }
        Ok(value(words, self, limits)? != 0.0)
    }

    /// `#define A`, `#define A 2`, `#define A = B + 1`.
    fn define(&mut self, words: &[Word<'s>], whole: Span, limits: &Limits) -> Result<(), Diagnostic> {
        let Some((name, rest)) = words.split_first().filter(|(n, _)| n.kind == Kind::Name) else {
            return Err(wrong("#define takes a name", whole));
        };
        let rest = match rest.split_first() {
            Some((sign, rest)) if sign.is("=") => rest,
            _ => rest,
        };
        let v = if rest.is_empty() { 1.0 } else { value(rest, self, limits)? };
        self.values.insert(name.text, v);
        limits.check(Limit::Labels, "defined names", self.values.len()).map_err(|d| d.at_text(name.span, ""))
    }
}

fn nothing(rest: &[Word<'_>], head: &Word<'_>) -> Result<(), Diagnostic> {
    match rest.first() {
        None => Ok(()),
        Some(w) => Err(wrong(format!("unexpected \"{}\" after {}", w.text, head.text), w.span)),
    }
}

/// Evaluates an expression of a condition.
fn value(words: &[Word<'_>], state: &Conditions<'_>, limits: &Limits) -> Result<f64, Diagnostic> {
    evaluate(words, &|name| state.value(name), limits.bound(Limit::Nesting))
}

/// Binary operators with their precedence.
const BINARY: [(&str, u8); 12] = [
    ("||", 1),
    ("&&", 2),
    ("==", 3),
    ("!=", 3),
    ("<", 4),
    (">", 4),
    ("<=", 4),
    (">=", 4),
    ("+", 5),
    ("-", 5),
    ("*", 6),
    ("/", 6),
];

/// The value of an expression. Truth is 1, falsehood 0.
pub(super) fn evaluate(
    words: &[Word<'_>],
    names: &dyn Fn(&str) -> f64,
    nesting: Bound,
) -> Result<f64, Diagnostic> {
    let end = words.last().map_or(Span::default(), |w| Span::new(w.span.end, w.span.end));
    let mut e = Evaluator { words, end, names, nesting };
    let v = e.binary(1, levels(nesting))?;
    match e.words.first() {
        None => Ok(v),
        Some(w) => Err(wrong(format!("unexpected \"{}\" in a condition", w.text), w.span)),
    }
}

struct Evaluator<'w, 's> {
    words: &'w [Word<'s>],
    end: Span,
    names: &'w dyn Fn(&str) -> f64,
    nesting: Bound,
}

impl Evaluator<'_, '_> {
    fn binary(&mut self, least: u8, depth: u64) -> Result<f64, Diagnostic> {
        let mut left = self.unary(depth)?;
        loop {
            let Some((word, rest)) = self.words.split_first() else { return Ok(left) };
            let operator = BINARY.iter().find(|(sign, level)| word.is(sign) && *level >= least);
            let Some((sign, level)) = operator else { return Ok(left) };
            self.words = rest;
            let right = self.binary(level + 1, depth)?;
            let truth = |b: bool| f64::from(u8::from(b));
            left = match *sign {
                "||" => truth(left != 0.0 || right != 0.0),
                "&&" => truth(left != 0.0 && right != 0.0),
                "==" => truth(left == right),
                "!=" => truth(left != right),
                "<" => truth(left < right),
                ">" => truth(left > right),
                "<=" => truth(left <= right),
                ">=" => truth(left >= right),
                "+" => left + right,
                "-" => left - right,
                "*" => left * right,
                _ => left / right,
            };
        }
    }

    fn unary(&mut self, depth: u64) -> Result<f64, Diagnostic> {
        let Some((word, rest)) = self.words.split_first() else {
            return Err(wrong("a condition ends too early", self.end));
        };
        let Some(depth) = depth.checked_sub(1) else {
            let d = self.nesting.exceeded_up_to(MOST_NESTING, "the nesting of a condition");
            return Err(d.at_text(word.span, ""));
        };
        self.words = rest;
        match word.kind {
            Kind::Number => {
                word.text.parse().map_err(|_| wrong(format!("\"{}\" is no number", word.text), word.span))
            }
            Kind::Name => Ok((self.names)(word.text)),
            _ if word.is("-") => Ok(-self.unary(depth)?),
            _ if word.is("!") => Ok(f64::from(u8::from(self.unary(depth)? == 0.0))),
            _ if word.is("(") => {
                let v = self.binary(1, depth)?;
                match self.words.split_first() {
                    Some((w, rest)) if w.is(")") => {
                        self.words = rest;
                        Ok(v)
                    }
                    _ => Err(wrong("\"(\" without \")\"", word.span)),
                }
            }
            _ => Err(wrong(format!("unexpected \"{}\" in a condition", word.text), word.span)),
        }
    }
}
