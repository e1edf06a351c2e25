//! Lowers assignments: expressions become instructions, and their parts temporaries.

use super::{Lower, Step, is_multiply_add, is_simple, names, number, unknown_statement};
use crate::macro_language::MOST_NESTING;
use crate::macro_language::expression::{Expression, Parser, Register};
use crate::macro_language::opcodes::{self, function};
use crate::macro_language::scope::{Operand, Scope, letters};
use alloc::{format, string::String};
use shisa_diag::{Diagnostic, Limit, Span};

impl<'s> Lower<'s, '_> {
    /// Lowers `target = expression` and its shorter forms.
    pub(super) fn assignment(
        &mut self,
        mut parser: Parser<'_, 's>,
        span: Span,
        scope: &Scope<'s>,
    ) -> Step<()> {
        let Some(name) = parser.next() else { return Ok(()) };
        let target = parser.register(name)?;
        let target = self.target(&target, scope)?;
        let sign = parser.next();
        let operator = match sign.map(|s| s.text) {
            Some("=") => None,
            other => {
                let operator = opcodes::ASSIGNMENTS.iter().find(|o| other == Some(o.sign));
                Some(operator.ok_or_else(|| unknown_statement(name, span))?)
            }
        };
        let right = parser.expression()?;
        parser.finish()?;
        let Some(operator) = operator else { return self.assign(&target, &right, scope) };
        let held = self.as_written(&target, span);
        let right = self.value(&right, target.mask(), scope)?;
        self.write(operator.opcode, span, &[target, held, right], None)
    }

    pub(super) fn target(&self, register: &Register<'s>, scope: &Scope<'s>) -> Step<Operand> {
        let masked = scope.out.as_ref().is_some_and(|o| !o.components.is_empty());
        if register.name == "out" && masked && !register.components.is_empty() && !self.lenient {
            let out = scope.out.as_ref().map_or_else(String::new, Operand::text);
            let text = format!("out.{}: the target is {out}", register.components);
            return Err(Diagnostic::error("asm-macro", text)
                .at_text(register.span, "")
                .help("assign the result to a whole register"));
        }
        Ok(self.names.resolve(scope, register))
    }

    /// Refuses nesting beyond the limit.
    pub(super) fn deeper(&self, at: Span) -> Step<()> {
        let nesting = self.limits.bound(Limit::Nesting);
        let deep = nesting.check_up_to(MOST_NESTING, "nested expressions and calls", self.depth + 1);
        deep.map_err(|d| d.at_text(at, ""))
    }

    /// Lowers an expression into `target`.
    pub(super) fn assign(&mut self, target: &Operand, e: &Expression<'s>, scope: &Scope<'s>) -> Step<()> {
        self.deeper(e.span())?;
        self.depth += 1;
        let result = self.assign_nested(target, e, scope);
        self.depth -= 1;
        result
    }

    fn assign_nested(&mut self, target: &Operand, e: &Expression<'s>, scope: &Scope<'s>) -> Step<()> {
        let mask = target.mask();
        match e {
            Expression::Negative(of, span) if self.lenient || number(e).is_none() => {
                let value = self.part(target, of, mask, &[], scope)?;
                self.write(opcodes::NEGATE, *span, &[target.clone(), value], None)
            }
            Expression::Register(_) | Expression::Number(..) | Expression::Negative(..) => {
                let value = self.value(e, mask, scope)?;
                self.write(opcodes::COPY, e.span(), &[target.clone(), value], None)
            }
            Expression::Binary(opcode, left, right, span) => {
                let commutes = opcodes::commutes(opcode);
                // A computed operand comes first, as in the output of Adobe's tool.
                let (left, right) = match commutes && is_simple(left) && !is_simple(right) {
                    true => (right, left),
                    false => (left, right),
                };
                let a = match is_multiply_add(opcode, left, right) {
                    true => self.product(target, left, right, scope)?,
                    false => self.part(target, left, mask, &[right], scope)?,
                };
                let b = self.value(right, mask, scope)?;
                self.write(opcode, *span, &[target.clone(), a, b], None)
            }
            Expression::Call(call) => self.call(target, call, scope),
        }
    }

    /// The value of a part of an expression. It is stored in the target itself if the rest of the expression does not
    /// need the target's old value.
    pub(super) fn part(
        &mut self,
        target: &Operand,
        e: &Expression<'s>,
        mask: u8,
        rest: &[&Expression<'s>],
        scope: &Scope<'s>,
    ) -> Step<Operand> {
        if mask != target.mask() || is_simple(e) || !self.is_free(target, rest, scope) {
            return self.value(e, mask, scope);
        }
        self.assign(target, e, scope)?;
        Ok(target.read_back(mask))
    }

    /// The product of a multiply-add, whose sum reads it from the target as written.
    fn product(
        &mut self,
        target: &Operand,
        product: &Expression<'s>,
        summand: &Expression<'s>,
        scope: &Scope<'s>,
    ) -> Step<Operand> {
        if !self.lenient && !self.is_free(target, &[summand], scope) {
            return self.value(product, target.mask(), scope);
        }
        self.assign(target, product, scope)?;
        Ok(self.as_written(target, product.span()))
    }

    /// Whether a target can hold an intermediate value: it can be read back, and the rest of the expression does not
    /// need its old value.
    fn is_free(&self, target: &Operand, rest: &[&Expression<'s>], scope: &Scope<'s>) -> bool {
        target.is_temporary() && !rest.iter().any(|r| self.mentions(r, &target.register, scope))
    }

    /// A target as a source: its components are those of the target, so that a mask such as `.yz` reads others than it
    /// writes.
    fn as_written(&mut self, target: &Operand, origin: Span) -> Operand {
        if let Some((written, read)) = target.other_read() {
            let (text, own) = (target.text(), target.read_back(target.mask()).text());
            let text = format!("{text} as a source reads {read} for component {written}, as in Adobe's tool");
            let d = Diagnostic::warning("asm-mask-read", text).at_text(origin, "");
            self.report(d.help(format!("the source {own} reads the components that are written")));
        }
        target.clone()
    }

    /// Whether an expression may read a register.
    fn mentions(&self, e: &Expression<'s>, register: &str, scope: &Scope<'s>) -> bool {
        match e {
            Expression::Register(r) => names(&self.names.resolve(scope, r).register, register),
            Expression::Number(..) => false,
            Expression::Negative(of, _) => self.mentions(of, register, scope),
            Expression::Binary(_, a, b, _) => {
                self.mentions(a, register, scope) || self.mentions(b, register, scope)
            }
            Expression::Call(c) => {
                function(c.name.text).is_none()
                    || c.arguments.iter().any(|a| self.mentions(a, register, scope))
            }
        }
    }

    /// A register that holds the value of an expression, in the components of `mask`.
    pub(super) fn value(&mut self, e: &Expression<'s>, mask: u8, scope: &Scope<'s>) -> Step<Operand> {
        match e {
            Expression::Register(r) => Ok(self.names.resolve(scope, r)),
            e if let Some(v) = number(e) => self.constant(v, e.span()),
            _ => {
                let mut target = self.temporary(e.span())?;
                let mask = self.result_mask(e, mask);
                target.components = letters(mask);
                let held = self.held;
                self.assign(&target, e, scope)?;
                self.held = held;
                Ok(target.read_back(mask))
            }
        }
    }

    /// The components that an intermediate value has: opcodes of three components yield no w.
    fn result_mask(&self, e: &Expression<'s>, mask: u8) -> u8 {
        let three = match e {
            Expression::Call(c) if self.find(c).is_none() => {
                function(c.name.text).is_some_and(|f| f.attr.wants.width == 3)
            }
            _ => false,
        };
        match (three, mask & 7) {
            (false, _) => mask,
            (true, 0) => 7,
            (true, xyz) => xyz,
        }
    }
}
