//! Functions that the program's function calls, built when they are first needed.

use super::natives::{self, ChangedTexture, Native, TexelChange, WideOp};
use crate::syntax::{
    BinaryOp as B, Draft, Expr, Function, FunctionId, Kind, Literal, MathFunction, Statement, Types,
};

/// A function for products that need extra code, on floats with 1 to 4 components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Helper {
    /// The product in which `0 * infinity` is 0.
    Product(u8),
    /// The sum of such products, from the first component to the last.
    Dot(u8),
}

/// The functions built so far.
#[derive(Debug, Default)]
pub(crate) struct Helpers<'p> {
    pub(crate) functions: Vec<Function<'p>>,
    pub(crate) made: Vec<(Helper, FunctionId)>,
    /// Functions whose bodies are text of the language.
    pub(crate) natives: Vec<(Native<'p>, FunctionId)>,
    /// Whether the bodies stay empty because the printer has their text.
    outlines: bool,
}

/// A helper under construction.
struct Making<'p, 't> {
    draft: Draft<'p, 't>,
    count: u8,
}

impl Helper {
    /// The number of helpers.
    #[cfg(feature = "wgsl")]
    pub(crate) const COUNT: usize = NAMES.len();

    /// Its number, less than [`Helper::COUNT`].
    pub(crate) fn number(self) -> usize {
        match self {
            Helper::Product(count) => usize::from(count.clamp(1, 4)) - 1,
            Helper::Dot(count) => usize::from(count.clamp(1, 4)) + 3,
        }
    }

    /// Its name.
    pub(crate) fn name(self) -> &'static str {
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

const NAMES: [&str; 8] = ["mul_x", "mul_xy", "mul_xyz", "mul_xyzw", "dot_x", "dot_xy", "dot_xyz", "dot_xyzw"];

impl<'p> Helpers<'p> {
    /// `outlines` states that the printer has the text of helpers; their bodies then stay empty.
    pub(crate) fn new(outlines: bool) -> Helpers<'p> {
        Helpers { outlines, ..Helpers::default() }
    }

    /// The function of a helper.
    pub(crate) fn get(&mut self, types: &mut Types<'p>, helper: Helper) -> FunctionId {
        if let Some((_, known)) = self.made.iter().find(|m| m.0 == helper) {
            return *known;
        }
        // A sum calls the product, which comes before it.
        let product = match helper {
            Helper::Product(_) => None,
            Helper::Dot(count) => Some(self.get(types, Helper::Product(count))),
        };
        let making = Making::new(types, helper, self.outlines);
        let function = match product {
            _ if self.outlines => making.draft.finish(),
            None => making.product(),
            Some(product) => making.dot(product),
        };
        let made = FunctionId::new(self.functions.len());
        self.functions.push(function);
        self.made.push((helper, made));
        made
    }
}

impl<'p> Helpers<'p> {
    /// The function that changes texels of a texture.
    pub(crate) fn texel(
        &mut self,
        types: &mut Types<'p>,
        (name, change): (&'p str, TexelChange),
        texture: ChangedTexture,
    ) -> FunctionId {
        let native = Native::Texel { texture: name, change };
        self.native(native, || natives::texel(types, native.name(), change, texture))
    }

    /// The function for an operation on values of 64 bits.
    pub(crate) fn wide(&mut self, types: &mut Types<'p>, op: WideOp) -> FunctionId {
        self.native(Native::Wide(op), || natives::wide(types, op))
    }

    fn native(&mut self, native: Native<'p>, make: impl FnOnce() -> Function<'p>) -> FunctionId {
        if let Some((_, known)) = self.natives.iter().find(|n| n.0 == native) {
            return *known;
        }
        self.functions.push(make());
        let made = FunctionId::new(self.functions.len() - 1);
        self.natives.push((native, made));
        made
    }
}

impl<'p, 't> Making<'p, 't> {
    fn new(types: &'t mut Types<'p>, helper: Helper, outline: bool) -> Making<'p, 't> {
        let (count, result) = helper.counts();
        let ty = types.of(Kind::Float, result);
        let mut draft =
            Draft::new(types, Function::default(), helper.name().into(), if outline { 0 } else { 32 });
        draft.yields(Some(ty));
        Making { draft, count }
    }

    fn product(mut self) -> Function<'p> {
        let (a, b) = (self.argument("a"), self.argument("b"));
        let magnitude = self.literal(Literal::U32(0x7fff_ffff));
        let [x, y] = [(a, "x"), (b, "y")].map(|(value, name)| {
            let bits = self.draft.bits_as(value, Kind::Uint);
            let bits = self.draft.binary(B::And, bits, magnitude);
            self.draft.name(bits, name.into());
            bits
        });
        let (zero, infinity) = (self.literal(Literal::U32(0)), self.literal(Literal::U32(0x7f80_0000)));
        let low = self.draft.math2(MathFunction::Min, x, y);
        let high = self.draft.math2(MathFunction::Max, x, y);
        let low = self.draft.binary(B::Equal, low, zero);
        let high = self.draft.binary(B::Equal, high, infinity);
        let both = if self.count > 1 { B::And } else { B::LogicalAnd };
        let lost = self.draft.binary(both, low, high);
        let product = self.draft.binary(B::Multiply, a, b);
        let zero = self.literal(Literal::F32(0.0));
        let value = self.draft.select(lost, zero, product);
        self.finish(value)
    }

    fn dot(mut self, product: FunctionId) -> Function<'p> {
        let (a, b) = (self.argument("a"), self.argument("b"));
        let products = self.draft.call(product, &[a, b]);
        let first = self.draft.member(products, 0);
        let sum = (1..u32::from(self.count)).fold(first, |sum, i| {
            let next = self.draft.member(products, i);
            self.draft.binary(B::Add, sum, next)
        });
        self.finish(sum)
    }

    fn argument(&mut self, name: &'static str) -> Expr {
        let ty = self.draft.types.of(Kind::Float, self.count);
        self.draft.argument(name.into(), ty, None)
    }

    fn literal(&mut self, literal: Literal) -> Expr {
        let value = self.draft.literal(literal);
        self.draft.splat(value, self.count)
    }

    fn finish(mut self, value: Expr) -> Function<'p> {
        self.draft.statement(Statement::Return(Some(value)));
        self.draft.finish()
    }
}
