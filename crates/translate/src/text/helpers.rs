//! Functions that the program's function calls, made when they are needed.

use super::{types, types::Types};
use naga::{
    Arena, BinaryOperator as B, Block, Expression, Function, FunctionArgument, FunctionResult, Handle,
    Literal, MathFunction, ScalarKind, Span, Statement,
};

type Expr = Handle<Expression>;

/// Names of a function by the number of components that it takes.
const PRODUCT: [&str; 4] = ["mul_x", "mul_xy", "mul_xyz", "mul_xyzw"];
const DOT: [&str; 4] = ["dot_x", "dot_xy", "dot_xyz", "dot_xyzw"];

/// The functions made so far.
#[derive(Default)]
pub(super) struct Helpers {
    pub(super) functions: Arena<Function>,
    products: [Option<Handle<Function>>; 4],
    dots: [Option<Handle<Function>>; 4],
}

/// A function under construction.
struct Draft<'a> {
    types: &'a mut Types,
    fun: Function,
    block: Block,
    start: usize,
    count: u8,
}

impl Helpers {
    /// The product in which `0 * infinity` is 0.
    pub(super) fn product(&mut self, types: &mut Types, count: u8) -> Handle<Function> {
        let slot = usize::from(count.clamp(1, 4) - 1);
        if let Some(known) = self.products[slot] {
            return known;
        }
        let mut d = Draft::new(types, count, PRODUCT[slot], count);
        let (a, b) = (d.argument("a"), d.argument("b"));
        let magnitude = d.u32s(0x7fff_ffff);
        let [x, y] = [(a, "x"), (b, "y")].map(|(value, name)| {
            let bits = d.push(Expression::As { expr: value, kind: ScalarKind::Uint, convert: None });
            let bits = d.binary(B::And, bits, magnitude);
            d.named(bits, name)
        });
        let (zero, infinity) = (d.u32s(0), d.u32s(0x7f80_0000));
        let (low, high) = (d.math(MathFunction::Min, x, y), d.math(MathFunction::Max, x, y));
        let (low, high) = (d.binary(B::Equal, low, zero), d.binary(B::Equal, high, infinity));
        let lost = d.binary(if count > 1 { B::And } else { B::LogicalAnd }, low, high);
        let product = d.binary(B::Multiply, a, b);
        let zero = d.literal(Literal::F32(0.0));
        let value = d.push(Expression::Select { condition: lost, accept: zero, reject: product });
        let made = self.functions.append(d.finish(value), Span::UNDEFINED);
        self.products[slot] = Some(made);
        made
    }

    /// The sum of such products, from the first component to the last.
    pub(super) fn dot(&mut self, types: &mut Types, count: u8) -> Handle<Function> {
        let slot = usize::from(count.clamp(1, 4) - 1);
        if let Some(known) = self.dots[slot] {
            return known;
        }
        let product = self.product(types, count);
        let mut d = Draft::new(types, count, DOT[slot], 1);
        let (a, b) = (d.argument("a"), d.argument("b"));
        let products = d.call(product, vec![a, b]);
        let mut sum = d.push(Expression::AccessIndex { base: products, index: 0 });
        for index in 1..u32::from(count) {
            let next = d.push(Expression::AccessIndex { base: products, index });
            sum = d.binary(B::Add, sum, next);
        }
        let made = self.functions.append(d.finish(sum), Span::UNDEFINED);
        self.dots[slot] = Some(made);
        made
    }
}

impl<'a> Draft<'a> {
    /// A function of floats with `count` components that gives one with `result` components.
    fn new(types: &'a mut Types, count: u8, name: &str, result: u8) -> Draft<'a> {
        let ty = types.of(naga::Scalar::F32, result);
        let fun = Function {
            name: Some(name.into()),
            result: Some(FunctionResult { ty, binding: None }),
            ..Function::default()
        };
        Draft { types, fun, block: Block::new(), start: 0, count }
    }

    fn argument(&mut self, name: &str) -> Expr {
        let ty = self.types.of(naga::Scalar::F32, self.count);
        let i = self.fun.arguments.len() as u32;
        self.fun.arguments.push(FunctionArgument { name: Some(name.into()), ty, binding: None });
        self.raw(Expression::FunctionArgument(i))
    }

    fn push(&mut self, e: Expression) -> Expr {
        self.fun.expressions.append(e, Span::UNDEFINED)
    }

    /// An expression that needs no emission.
    fn raw(&mut self, e: Expression) -> Expr {
        self.flush();
        let handle = self.push(e);
        self.start = self.fun.expressions.len();
        handle
    }

    fn flush(&mut self) {
        if self.fun.expressions.len() > self.start {
            self.block.push(Statement::Emit(self.fun.expressions.range_from(self.start)), Span::UNDEFINED);
            self.start = self.fun.expressions.len();
        }
    }

    fn named(&mut self, value: Expr, name: &str) -> Expr {
        self.fun.named_expressions.insert(value, name.into());
        value
    }

    fn literal(&mut self, literal: Literal) -> Expr {
        let value = self.raw(Expression::Literal(literal));
        match self.count {
            0 | 1 => value,
            n => self.push(Expression::Splat { size: types::size(n), value }),
        }
    }

    fn u32s(&mut self, value: u32) -> Expr {
        self.literal(Literal::U32(value))
    }

    fn binary(&mut self, op: B, left: Expr, right: Expr) -> Expr {
        self.push(Expression::Binary { op, left, right })
    }

    fn math(&mut self, fun: MathFunction, a: Expr, b: Expr) -> Expr {
        self.push(Expression::Math { fun, arg: a, arg1: Some(b), arg2: None, arg3: None })
    }

    fn call(&mut self, function: Handle<Function>, arguments: Vec<Expr>) -> Expr {
        let result = self.raw(Expression::CallResult(function));
        self.block.push(Statement::Call { function, arguments, result: Some(result) }, Span::UNDEFINED);
        result
    }

    fn finish(mut self, value: Expr) -> Function {
        self.flush();
        self.block.push(Statement::Return { value: Some(value) }, Span::UNDEFINED);
        self.fun.body = self.block;
        self.fun
    }
}
