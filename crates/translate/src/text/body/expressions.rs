//! Single statements and expressions of the function.

use super::{Body, place};
use crate::text::{annotate::Mark, names::Name, types};
use crate::{GlslVersion, Target};
use naga::{BinaryOperator, Block, Expression, Handle, Literal, MathFunction, Span, Statement};
use shisa_ir::{Scalar, Type};

impl<'p> Body<'p, '_> {
    /// Tells that the next statement comes from an instruction, and how it begins.
    pub(super) fn mark(&mut self, name: Name<'p>, origin: u32) {
        self.at = place(origin);
        self.marks.push(Mark { name, call: None, origin });
    }

    pub(in crate::text) fn store(&mut self, pointer: Handle<Expression>, value: Handle<Expression>) {
        self.statement(Statement::Store { pointer, value });
    }

    pub(in crate::text) fn statement(&mut self, statement: Statement) {
        self.flush();
        self.block.push(statement, self.at);
    }

    pub(super) fn flush(&mut self) {
        emit(&mut self.block, &self.fun, &mut self.start);
    }

    /// Appends an expression that statements emit.
    pub(in crate::text) fn push(&mut self, e: Expression) -> Handle<Expression> {
        self.fun.expressions.append(e, self.at)
    }

    /// An expression that was appended.
    pub(in crate::text) fn expression(&self, e: Handle<Expression>) -> &Expression {
        &self.fun.expressions[e]
    }

    /// Appends an expression that needs no emission: a literal, an argument, a variable.
    pub(in crate::text) fn raw(&mut self, e: Expression) -> Handle<Expression> {
        self.flush();
        let handle = self.fun.expressions.append(e, Span::UNDEFINED);
        self.start = self.fun.expressions.len();
        handle
    }

    pub(in crate::text) fn literal(&mut self, literal: Literal) -> Handle<Expression> {
        let same = |l: &Literal| match (l, &literal) {
            (Literal::F32(a), Literal::F32(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        };
        if let Some(&(_, handle)) = self.literals.iter().rev().take(16).find(|(l, _)| same(l)) {
            return handle;
        }
        let handle = self.raw(Expression::Literal(literal));
        self.literals.push((literal, handle));
        handle
    }

    pub(in crate::text) fn f32(&mut self, value: f32) -> Handle<Expression> {
        self.literal(Literal::F32(value))
    }

    pub(in crate::text) fn u32(&mut self, value: u32) -> Handle<Expression> {
        self.literal(Literal::U32(value))
    }

    pub(in crate::text) fn binary(
        &mut self,
        op: BinaryOperator,
        left: Handle<Expression>,
        right: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Binary { op, left, right })
    }

    pub(in crate::text) fn add(
        &mut self,
        a: Handle<Expression>,
        b: Handle<Expression>,
    ) -> Handle<Expression> {
        self.binary(BinaryOperator::Add, a, b)
    }

    pub(in crate::text) fn mul(
        &mut self,
        a: Handle<Expression>,
        b: Handle<Expression>,
    ) -> Handle<Expression> {
        self.binary(BinaryOperator::Multiply, a, b)
    }

    pub(in crate::text) fn math(&mut self, fun: MathFunction, arg: Handle<Expression>) -> Handle<Expression> {
        self.push(Expression::Math { fun, arg, arg1: None, arg2: None, arg3: None })
    }

    pub(in crate::text) fn math2(
        &mut self,
        fun: MathFunction,
        arg: Handle<Expression>,
        arg1: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Math { fun, arg, arg1: Some(arg1), arg2: None, arg3: None })
    }

    pub(in crate::text) fn select(
        &mut self,
        condition: Handle<Expression>,
        accept: Handle<Expression>,
        reject: Handle<Expression>,
    ) -> Handle<Expression> {
        self.push(Expression::Select { condition, accept, reject })
    }

    /// What a function of this module gives.
    pub(in crate::text) fn call(
        &mut self,
        function: Handle<naga::Function>,
        arguments: Vec<Handle<Expression>>,
    ) -> Handle<Expression> {
        let result = self.raw(Expression::CallResult(function));
        self.statement(Statement::Call { function, arguments, result: Some(result) });
        result
    }

    /// A scalar in `count` components.
    pub(in crate::text) fn splat(&mut self, value: Handle<Expression>, count: u8) -> Handle<Expression> {
        match count {
            0 | 1 => value,
            n => self.push(Expression::Splat { size: types::size(n), value }),
        }
    }

    /// A zero that compilers cannot see: the value of a variable that is never written.
    pub(in crate::text) fn zero(&mut self) -> Handle<Expression> {
        let pointer = match self.zero {
            Some(z) => z,
            None => {
                let ty = self.types.of(naga::Scalar::U32, 1);
                let z = self.variable("zero".into(), ty);
                self.zero = Some(z);
                z
            }
        };
        self.push(Expression::Load { pointer })
    }

    /// Whether the target's `mix` takes only numbers with a fraction.
    pub(in crate::text) fn selects_floats_only(&self) -> bool {
        matches!(self.target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300 | GlslVersion::Es310))
    }
}

/// Emits the expressions from `start` on.
fn emit(block: &mut Block, fun: &naga::Function, start: &mut usize) {
    if fun.expressions.len() > *start {
        block.push(Statement::Emit(fun.expressions.range_from(*start)), Span::UNDEFINED);
        *start = fun.expressions.len();
    }
}

/// The literal with these bits; `None` for a number that is not finite.
pub(in crate::text) fn literal(ty: Type, bits: u64) -> Option<Literal> {
    Some(match ty.scalar {
        Scalar::I1 => Literal::Bool(bits & 1 != 0),
        Scalar::F32 => {
            let f = f32::from_bits(bits as u32);
            return f.is_finite().then_some(Literal::F32(f));
        }
        _ => Literal::U32(bits as u32),
    })
}
