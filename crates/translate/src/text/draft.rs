//! A function of a naga module under construction.

use super::{types, types::Types};
use naga::{
    BinaryOperator, Binding, Block, Expression, Function, FunctionArgument, Handle, Literal, ScalarKind,
    Span, Statement,
};
use shisa_ir::{Io, Scalar};

pub(super) type Expr = Handle<Expression>;

/// A function, what its open block holds so far, and the types of its module.
pub(super) struct Draft<'a> {
    pub(super) types: &'a mut Types,
    pub(super) fun: Function,
    block: Block,
    /// The first expression that no statement emits yet.
    start: usize,
}

impl<'a> Draft<'a> {
    pub(super) fn new(types: &'a mut Types) -> Draft<'a> {
        Draft { types, fun: Function::default(), block: Block::with_capacity(8), start: 0 }
    }

    pub(super) fn push(&mut self, e: Expression) -> Expr {
        self.fun.expressions.append(e, Span::UNDEFINED)
    }

    /// An expression that needs no emission.
    pub(super) fn raw(&mut self, e: Expression) -> Expr {
        self.flush();
        let handle = self.push(e);
        self.start = self.fun.expressions.len();
        handle
    }

    fn flush(&mut self) {
        if self.fun.expressions.len() > self.start {
            let range = self.fun.expressions.range_from(self.start);
            self.block.push(Statement::Emit(range), Span::UNDEFINED);
            self.start = self.fun.expressions.len();
        }
    }

    pub(super) fn statement(&mut self, s: Statement) {
        self.flush();
        self.block.push(s, Span::UNDEFINED);
    }

    /// The block that `f` fills.
    pub(super) fn inner(&mut self, f: impl FnOnce(&mut Self)) -> Block {
        self.flush();
        let outer = std::mem::take(&mut self.block);
        f(self);
        self.flush();
        std::mem::replace(&mut self.block, outer)
    }

    pub(super) fn argument(
        &mut self,
        name: impl Into<String>,
        ty: Handle<naga::Type>,
        binding: Option<Binding>,
    ) -> Expr {
        let i = self.fun.arguments.len() as u32;
        self.fun.arguments.push(FunctionArgument { name: Some(name.into()), ty, binding });
        self.raw(Expression::FunctionArgument(i))
    }

    pub(super) fn u32(&mut self, value: u32) -> Expr {
        self.raw(Expression::Literal(Literal::U32(value)))
    }

    pub(super) fn member(&mut self, base: Expr, index: usize) -> Expr {
        self.push(Expression::AccessIndex { base, index: index as u32 })
    }

    pub(super) fn binary(&mut self, op: BinaryOperator, left: Expr, right: Expr) -> Expr {
        self.push(Expression::Binary { op, left, right })
    }

    pub(super) fn convert(&mut self, expr: Expr, kind: ScalarKind, convert: Option<u8>) -> Expr {
        self.push(Expression::As { expr, kind, convert })
    }

    pub(super) fn load(&mut self, pointer: Expr) -> Expr {
        self.push(Expression::Load { pointer })
    }

    pub(super) fn store(&mut self, pointer: Expr, value: Expr) {
        self.statement(Statement::Store { pointer, value });
    }

    pub(super) fn call(
        &mut self,
        function: Handle<Function>,
        arguments: Vec<Expr>,
        yields: bool,
    ) -> Option<Expr> {
        let result = yields.then(|| self.raw(Expression::CallResult(function)));
        self.statement(Statement::Call { function, arguments, result });
        result
    }

    /// `count` components from one, zeros behind.
    pub(super) fn extend(&mut self, scalar: naga::Scalar, first: Expr, count: u8) -> Expr {
        if count <= 1 {
            return first;
        }
        let one = self.types.of(scalar, 1);
        let zero = self.raw(Expression::ZeroValue(one));
        let mut components = vec![zero; usize::from(count)];
        components[0] = first;
        let ty = self.types.of(scalar, count);
        self.push(Expression::Compose { ty, components })
    }

    /// The first components of a vector of four.
    pub(super) fn first(&mut self, vector: Expr, count: u8) -> Expr {
        match count {
            0 | 1 => self.member(vector, 0),
            4.. => vector,
            n => {
                use naga::SwizzleComponent::*;
                self.push(Expression::Swizzle { size: types::size(n), vector, pattern: [X, Y, Z, Z] })
            }
        }
    }

    /// The value of an input or output from four words.
    pub(super) fn unpacked(&mut self, vector: Expr, io: &Io) -> Expr {
        let words = self.first(vector, io.count);
        match io.scalar {
            Scalar::F32 => self.convert(words, ScalarKind::Float, None),
            Scalar::I1 => self.convert(words, ScalarKind::Bool, Some(1)),
            _ => words,
        }
    }

    /// An input or output as four words.
    pub(super) fn packed(&mut self, value: Expr, io: &Io) -> Expr {
        let words = match io.scalar {
            Scalar::F32 => self.convert(value, ScalarKind::Uint, None),
            Scalar::I1 => self.convert(value, ScalarKind::Uint, Some(4)),
            _ => value,
        };
        match io.count {
            0 | 1 => self.extend(naga::Scalar::U32, words, 4),
            4.. => words,
            n => {
                let zero = self.u32(0);
                let mut components = vec![words];
                components.extend(std::iter::repeat_n(zero, usize::from(4 - n)));
                let ty = self.types.of(naga::Scalar::U32, 4);
                self.push(Expression::Compose { ty, components })
            }
        }
    }

    pub(super) fn finish(mut self) -> Function {
        self.flush();
        self.fun.body = self.block;
        self.fun
    }
}
