//! Functions that the program's function calls, made when they are needed.

use super::draft::{Draft, Expr};
use super::{types, types::Types};
use naga::{
    Arena, BinaryOperator as B, Expression, Function, FunctionResult, Handle, Literal, MathFunction,
    ScalarKind, Span, Statement,
};

/// A function that products take which need care; of floats with so many components, 1 to 4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Helper {
    /// The product in which `0 * infinity` is 0.
    Product(u8),
    /// The sum of such products, from the first component to the last.
    Dot(u8),
}

/// The functions made so far.
#[derive(Default)]
pub(super) struct Helpers {
    pub(super) functions: Arena<Function>,
    pub(super) made: Vec<(Helper, Handle<Function>)>,
    /// Whether they are left empty, because whoever prints the module has their text.
    outlines: bool,
}

/// A helper under construction.
struct Making<'a> {
    draft: Draft<'a>,
    count: u8,
}

impl Helper {
    /// How many there are.
    pub(super) const COUNT: usize = 8;

    /// Its number, below [`Helper::COUNT`].
    pub(super) fn number(self) -> usize {
        match self {
            Helper::Product(count) => usize::from(count.clamp(1, 4)) - 1,
            Helper::Dot(count) => usize::from(count.clamp(1, 4)) + 3,
        }
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        const NAMES: [&str; Helper::COUNT] =
            ["mul_x", "mul_xy", "mul_xyz", "mul_xyzw", "dot_x", "dot_xy", "dot_xyz", "dot_xyzw"];
        NAMES[self.number()]
    }

    /// Components of the operands, and of the result.
    const fn counts(self) -> (u8, u8) {
        match self {
            Helper::Product(count) => (count, count),
            Helper::Dot(count) => (count, 1),
        }
    }
}

impl Helpers {
    /// `outlines` tells that whoever prints the module has the text of helpers; they are then left empty.
    pub(super) fn new(outlines: bool) -> Helpers {
        Helpers { outlines, ..Helpers::default() }
    }

    /// The function of a helper.
    pub(super) fn get(&mut self, types: &mut Types, helper: Helper) -> Handle<Function> {
        if let Some((_, known)) = self.made.iter().find(|m| m.0 == helper) {
            return *known;
        }
        // A sum calls the product, which stands before it.
        let product = match helper {
            Helper::Product(_) => None,
            Helper::Dot(count) => Some(self.get(types, Helper::Product(count))),
        };
        let making = Making::new(types, helper);
        let function = match product {
            _ if self.outlines => making.draft.finish(),
            None => making.product(),
            Some(product) => making.dot(product),
        };
        let made = self.functions.append(function, Span::UNDEFINED);
        self.made.push((helper, made));
        made
    }
}

impl<'a> Making<'a> {
    fn new(types: &'a mut Types, helper: Helper) -> Making<'a> {
        let (count, result) = helper.counts();
        let ty = types.of(naga::Scalar::F32, result);
        let mut draft = Draft::new(types);
        draft.fun.name = Some(helper.name().into());
        draft.fun.result = Some(FunctionResult { ty, binding: None });
        Making { draft, count }
    }

    fn product(mut self) -> Function {
        let (a, b) = (self.argument("a"), self.argument("b"));
        let magnitude = self.literal(Literal::U32(0x7fff_ffff));
        let [x, y] = [(a, "x"), (b, "y")].map(|(value, name)| {
            let bits = self.draft.convert(value, ScalarKind::Uint, None);
            let bits = self.draft.binary(B::And, bits, magnitude);
            self.draft.fun.named_expressions.insert(bits, name.into());
            bits
        });
        let (zero, infinity) = (self.literal(Literal::U32(0)), self.literal(Literal::U32(0x7f80_0000)));
        let (low, high) = (self.math(MathFunction::Min, x, y), self.math(MathFunction::Max, x, y));
        let low = self.draft.binary(B::Equal, low, zero);
        let high = self.draft.binary(B::Equal, high, infinity);
        let both = if self.count > 1 { B::And } else { B::LogicalAnd };
        let lost = self.draft.binary(both, low, high);
        let product = self.draft.binary(B::Multiply, a, b);
        let zero = self.literal(Literal::F32(0.0));
        let select = Expression::Select { condition: lost, accept: zero, reject: product };
        let value = self.draft.push(select);
        self.finish(Some(value))
    }

    fn dot(mut self, product: Handle<Function>) -> Function {
        let (a, b) = (self.argument("a"), self.argument("b"));
        let sum = self.draft.call(product, vec![a, b], true).map(|products| {
            let first = self.draft.member(products, 0);
            (1..usize::from(self.count)).fold(first, |sum, i| {
                let next = self.draft.member(products, i);
                self.draft.binary(B::Add, sum, next)
            })
        });
        self.finish(sum)
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
