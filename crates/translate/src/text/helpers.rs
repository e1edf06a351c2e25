//! Functions that the program's function calls, made when they are needed.

use super::draft::{Draft, Expr};
use super::{types, types::Types};
use naga::{
    Arena, BinaryOperator as B, Expression, Function, FunctionResult, Handle, Literal, MathFunction,
    ScalarKind, Span, Statement,
};

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

/// A function of floats with `count` components each.
struct Helper<'a> {
    draft: Draft<'a>,
    count: u8,
}

impl Helpers {
    /// The product in which `0 * infinity` is 0.
    pub(super) fn product(&mut self, types: &mut Types, count: u8) -> Handle<Function> {
        let slot = usize::from(count.clamp(1, 4) - 1);
        if let Some(known) = self.products[slot] {
            return known;
        }
        let mut d = Helper::new(types, count, PRODUCT[slot], count);
        let (a, b) = (d.argument("a"), d.argument("b"));
        let magnitude = d.literal(Literal::U32(0x7fff_ffff));
        let [x, y] = [(a, "x"), (b, "y")].map(|(value, name)| {
            let bits = d.draft.convert(value, ScalarKind::Uint, None);
            let bits = d.draft.binary(B::And, bits, magnitude);
            d.draft.fun.named_expressions.insert(bits, name.into());
            bits
        });
        let (zero, infinity) = (d.literal(Literal::U32(0)), d.literal(Literal::U32(0x7f80_0000)));
        let (low, high) = (d.math(MathFunction::Min, x, y), d.math(MathFunction::Max, x, y));
        let (low, high) = (d.draft.binary(B::Equal, low, zero), d.draft.binary(B::Equal, high, infinity));
        let lost = d.draft.binary(if count > 1 { B::And } else { B::LogicalAnd }, low, high);
        let product = d.draft.binary(B::Multiply, a, b);
        let zero = d.literal(Literal::F32(0.0));
        let value = d.draft.push(Expression::Select { condition: lost, accept: zero, reject: product });
        let made = self.functions.append(d.finish(Some(value)), Span::UNDEFINED);
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
        let mut d = Helper::new(types, count, DOT[slot], 1);
        let (a, b) = (d.argument("a"), d.argument("b"));
        let sum = d.draft.call(product, vec![a, b], true).map(|products| {
            let first = d.draft.member(products, 0);
            (1..usize::from(count)).fold(first, |sum, i| {
                let next = d.draft.member(products, i);
                d.draft.binary(B::Add, sum, next)
            })
        });
        let made = self.functions.append(d.finish(sum), Span::UNDEFINED);
        self.dots[slot] = Some(made);
        made
    }
}

impl<'a> Helper<'a> {
    /// One that gives a float with `result` components.
    fn new(types: &'a mut Types, count: u8, name: &str, result: u8) -> Helper<'a> {
        let ty = types.of(naga::Scalar::F32, result);
        let mut draft = Draft::new(types);
        draft.fun.name = Some(name.into());
        draft.fun.result = Some(FunctionResult { ty, binding: None });
        Helper { draft, count }
    }

    fn argument(&mut self, name: &str) -> Expr {
        let ty = self.draft.types.of(naga::Scalar::F32, self.count);
        self.draft.argument(name, ty, None)
    }

    fn literal(&mut self, literal: Literal) -> Expr {
        let value = self.draft.raw(Expression::Literal(literal));
        match self.count {
            0 | 1 => value,
            n => self.draft.push(Expression::Splat { size: types::size(n), value }),
        }
    }

    fn math(&mut self, fun: MathFunction, a: Expr, b: Expr) -> Expr {
        self.draft.push(Expression::Math { fun, arg: a, arg1: Some(b), arg2: None, arg3: None })
    }

    fn finish(mut self, value: Option<Expr>) -> Function {
        self.draft.statement(Statement::Return { value });
        self.draft.finish()
    }
}
