//! Expressions, with as few parentheses as possible.

use super::printer::Printer;
use crate::syntax::{
    AtomicOp, Axis, BinaryOp as Op, Expr, Expression, Kind, Level, Literal, MathFunction as Fun, Query, Type,
    UnaryOp, decimal,
};
use std::fmt::Write as _;

/// Binding strength (precedence) of an expression. An expression that binds less strongly than required gets
/// parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bond {
    /// An ordering comparison or a shift. Needs parentheses in an argument list: `a < b, c > d` would parse as a
    /// template.
    Order,
    /// Another operation that WGSL does not allow to be chained or mixed.
    Logic,
    Sum,
    Product,
    Unary,
    /// A name, a call, or a part of one.
    Whole,
}

const XYZW: [char; 4] = ['x', 'y', 'z', 'w'];

impl Printer<'_> {
    /// An expression where this binding strength is required: its name, or its text.
    #[inline(always)]
    pub(super) fn expression(&mut self, e: Expr, needed: Bond) {
        match self.tables.facts[e.index()].label {
            Some(label) => self.push_label(label),
            None => self.text(e, needed),
        }
    }

    /// The text of an expression that has no name.
    #[inline(never)]
    fn text(&mut self, e: Expr, needed: Bond) {
        match self.fun.get(e) {
            Expression::Literal(literal) => self.literal(literal, needed),
            Expression::Zero(ty) => match self.module.types.get(ty) {
                Type::Value { kind, count: 0 | 1 } => self.out.push_str(match kind {
                    Kind::Bool => "false",
                    Kind::Sint => "0i",
                    Kind::Uint => "0u",
                    Kind::Float => "0f",
                }),
                _ => {
                    self.ty(ty);
                    self.out.push_str("()");
                }
            },
            Expression::Argument(i) => self.push_label(self.tables.arguments[i as usize]),
            Expression::Global(g) => self.push_label(self.tables.globals[g.index()]),
            Expression::Local(l) => self.push_label(self.tables.locals[l.index()]),
            Expression::Load { pointer } if self.is_atomic(pointer) => self.atomic_call("Load", pointer, &[]),
            Expression::Load { pointer } => self.expression(pointer, needed),
            Expression::Compose { ty, parts } => {
                self.ty(ty);
                self.arguments(self.fun.list(parts));
            }
            Expression::Splat { count, value } => {
                self.out.push_str(match count {
                    2 => "vec2",
                    3 => "vec3",
                    _ => "vec4",
                });
                self.arguments(&[value]);
            }
            Expression::Swizzle { count, vector, pattern } => {
                self.swizzle(vector, &pattern[..usize::from(count.min(4))], needed);
            }
            Expression::Access { base, index } => {
                self.expression(base, Bond::Whole);
                self.out.push('[');
                self.expression(index, Bond::Logic);
                self.out.push(']');
            }
            Expression::AccessIndex { base, index } => self.part(base, index, needed),
            Expression::Unary { op, a } => {
                let op = match op {
                    UnaryOp::Negate => '-',
                    UnaryOp::LogicalNot => '!',
                    UnaryOp::BitwiseNot => '~',
                };
                self.bound(Bond::Unary, needed, |p| {
                    p.out.push(op);
                    p.expression(a, Bond::Whole);
                });
            }
            Expression::Binary { op, a, b } => self.binary(op, a, b, needed),
            Expression::Select { condition, yes, no } => {
                self.out.push_str("select");
                self.arguments(&[no, yes, condition]);
            }
            Expression::Derivative { axis, a } => {
                self.out.push_str(match axis {
                    Axis::X => "dpdxFine",
                    Axis::Y => "dpdyFine",
                });
                self.arguments(&[a]);
            }
            Expression::Math { function, a, b, c } => {
                self.out.push_str(function_name(function));
                match (b, c) {
                    (Some(b), Some(c)) => self.arguments(&[a, b, c]),
                    (Some(b), None) => self.arguments(&[a, b]),
                    _ => self.arguments(&[a]),
                }
            }
            Expression::Convert { kind, a } => {
                self.vector(kind, self.tables.facts[a.index()].size);
                self.arguments(&[a]);
            }
            Expression::Bits { kind, a } => {
                self.out.push_str("bitcast<");
                self.vector(kind, self.tables.facts[a.index()].size);
                self.out.push('>');
                self.arguments(&[a]);
            }
            Expression::Sample(n) => self.sample(n),
            Expression::Fetch(n) => {
                let fetch = self.fun.fetches[n as usize];
                self.out.push_str("textureLoad(");
                self.expression(fetch.image, Bond::Logic);
                self.further(fetch.coordinate);
                for a in [fetch.layer, fetch.sample, fetch.level].into_iter().flatten() {
                    self.further(a);
                }
                self.out.push(')');
            }
            Expression::Query { image, what } => {
                self.out.push_str(match what {
                    Query::Size(_) => "textureDimensions(",
                    Query::Layers => "textureNumLayers(",
                    Query::Levels => "textureNumLevels(",
                    Query::Samples => "textureNumSamples(",
                });
                self.expression(image, Bond::Logic);
                if let Query::Size(Some(level)) = what {
                    self.further(level);
                }
                self.out.push(')');
            }
            // Statements yield these results and have named them.
            Expression::CallResult(_) | Expression::AtomicResult { .. } | Expression::LaneResult { .. } => {}
        }
    }

    /// A sample or a gather.
    fn sample(&mut self, n: u32) {
        let s = self.fun.samples[n as usize];
        self.out.push_str(match (s.gather, s.reference, s.level) {
            (Some(_), Some(_), _) => "textureGatherCompare(",
            (Some(_), None, _) => "textureGather(",
            (None, Some(_), Level::Implicit) => "textureSampleCompare(",
            (None, Some(_), _) => "textureSampleCompareLevel(",
            (None, None, Level::Implicit) => "textureSample(",
            (None, None, Level::Exact(_) | Level::Zero) => "textureSampleLevel(",
            (None, None, Level::Bias(_)) => "textureSampleBias(",
            (None, None, Level::Gradient { .. }) => "textureSampleGrad(",
        });
        if let Some(component) = s.gather.filter(|_| s.reference.is_none()) {
            decimal(&mut self.out, component.into());
            self.out.push_str(", ");
        }
        self.expression(s.image, Bond::Logic);
        self.further(s.sampler);
        self.further(s.coordinate);
        for a in [s.layer, s.reference].into_iter().flatten() {
            self.further(a);
        }
        match s.level {
            Level::Exact(a) | Level::Bias(a) => self.further(a),
            Level::Gradient { x, y } => {
                self.further(x);
                self.further(y);
            }
            Level::Implicit | Level::Zero => {}
        }
        if let Some(offset) = s.offset {
            self.further(offset);
        }
        self.out.push(')');
    }

    /// An argument after the first.
    fn further(&mut self, a: Expr) {
        self.out.push_str(", ");
        self.expression(a, Bond::Logic);
    }

    /// Writes a texel.
    pub(super) fn store_texel(&mut self, image: Expr, coordinate: Expr, layer: Option<Expr>, value: Expr) {
        self.out.push_str("textureStore(");
        self.expression(image, Bond::Logic);
        self.further(coordinate);
        layer.into_iter().for_each(|layer| self.further(layer));
        self.further(value);
        self.out.push(')');
    }

    /// Whether a pointer points to a word that only atomic operations change.
    pub(super) fn is_atomic(&self, pointer: Expr) -> bool {
        let ty = self.tables.facts[pointer.index()].ty.map(|ty| self.module.types.get(ty));
        matches!(ty, Some(Type::AtomicWord))
    }

    /// Calls an atomic function, given the suffix of its name.
    pub(super) fn atomic_call(&mut self, name: &str, pointer: Expr, arguments: &[Expr]) {
        self.out.push_str("atomic");
        self.out.push_str(name);
        self.out.push_str("(&");
        self.expression(pointer, Bond::Whole);
        for a in arguments {
            self.further(*a);
        }
        self.out.push(')');
    }

    /// An atomic change.
    pub(super) fn atomic(&mut self, op: AtomicOp, pointer: Expr, value: Expr) {
        let name = match op {
            AtomicOp::Add => "Add",
            AtomicOp::Subtract => "Sub",
            AtomicOp::And => "And",
            AtomicOp::ExclusiveOr => "Xor",
            AtomicOp::InclusiveOr => "Or",
            AtomicOp::Min => "Min",
            AtomicOp::Max => "Max",
            AtomicOp::Exchange => "Exchange",
            AtomicOp::CompareExchange(compare) => {
                return self.atomic_call("CompareExchangeWeak", pointer, &[compare, value]);
            }
        };
        self.atomic_call(name, pointer, &[value]);
    }

    /// Prints what `f` prints, in parentheses if they are needed.
    fn bound(&mut self, bond: Bond, needed: Bond, f: impl FnOnce(&mut Self)) {
        if bond < needed {
            self.out.push('(');
        }
        f(self);
        if bond < needed {
            self.out.push(')');
        }
    }

    pub(super) fn arguments(&mut self, all: &[Expr]) {
        self.out.push('(');
        for (i, a) in all.iter().enumerate() {
            if i > 0 {
                self.out.push_str(", ");
            }
            self.expression(*a, Bond::Logic);
        }
        self.out.push(')');
    }

    fn binary(&mut self, op: Op, left: Expr, right: Expr, needed: Bond) {
        let (text, bond, inside) = match op {
            Op::Add => (" + ", Bond::Sum, (Bond::Sum, Bond::Product)),
            Op::Subtract => (" - ", Bond::Sum, (Bond::Sum, Bond::Product)),
            Op::Multiply => (" * ", Bond::Product, (Bond::Product, Bond::Unary)),
            Op::Divide => (" / ", Bond::Product, (Bond::Product, Bond::Unary)),
            Op::Equal => (" == ", Bond::Logic, (Bond::Sum, Bond::Sum)),
            Op::NotEqual => (" != ", Bond::Logic, (Bond::Sum, Bond::Sum)),
            Op::Less => (" < ", Bond::Order, (Bond::Sum, Bond::Sum)),
            Op::LessEqual => (" <= ", Bond::Order, (Bond::Sum, Bond::Sum)),
            Op::Greater => (" > ", Bond::Order, (Bond::Sum, Bond::Sum)),
            Op::GreaterEqual => (" >= ", Bond::Order, (Bond::Sum, Bond::Sum)),
            Op::ShiftLeft => (" << ", Bond::Order, (Bond::Unary, Bond::Unary)),
            Op::ShiftRight => (" >> ", Bond::Order, (Bond::Unary, Bond::Unary)),
            Op::And => (" & ", Bond::Logic, (Bond::Unary, Bond::Unary)),
            Op::InclusiveOr => (" | ", Bond::Logic, (Bond::Unary, Bond::Unary)),
            Op::ExclusiveOr => (" ^ ", Bond::Logic, (Bond::Unary, Bond::Unary)),
            Op::LogicalAnd => (" && ", Bond::Logic, (Bond::Unary, Bond::Unary)),
            Op::LogicalOr => (" || ", Bond::Logic, (Bond::Unary, Bond::Unary)),
        };
        if bond < needed {
            self.out.push('(');
        }
        self.expression(left, inside.0);
        self.out.push_str(text);
        self.expression(right, inside.1);
        if bond < needed {
            self.out.push(')');
        }
    }

    /// The expression itself, unless it was declared with a name.
    fn undeclared(&self, e: Expr) -> Option<Expression> {
        self.tables.facts[e.index()].label.is_none().then(|| self.fun.get(e))
    }

    /// Components of a vector. A swizzle of a swizzle becomes one swizzle of the innermost vector.
    fn swizzle(&mut self, mut vector: Expr, pattern: &[u8], needed: Bond) {
        let mut picked = [0; 4];
        let picked = &mut picked[..pattern.len()];
        for (to, from) in picked.iter_mut().zip(pattern) {
            *to = usize::from(*from);
        }
        while let Some(Expression::Swizzle { vector: inner, pattern, .. }) = self.undeclared(vector) {
            for p in picked.iter_mut() {
                *p = usize::from(pattern[*p & 3]);
            }
            vector = inner;
        }
        let whole = usize::from(self.tables.facts[vector.index()].size) == picked.len();
        if whole && picked.iter().enumerate().all(|(i, p)| i == *p) {
            return self.expression(vector, needed);
        }
        self.expression(vector, Bond::Whole);
        self.out.push('.');
        for p in picked {
            self.out.push(XYZW[*p & 3]);
        }
    }

    /// A component, member or element.
    fn part(&mut self, mut base: Expr, mut index: u32, needed: Bond) {
        while let Some(Expression::Swizzle { vector, pattern, .. }) = self.undeclared(base) {
            index = u32::from(pattern[index as usize & 3]);
            base = vector;
        }
        if let Some(Expression::Splat { value, .. }) = self.undeclared(base) {
            return self.expression(value, needed);
        }
        self.expression(base, Bond::Whole);
        match self.tables.facts[base.index()].ty.map(|ty| self.module.types.get(ty)) {
            Some(Type::Array { .. }) => {
                self.out.push('[');
                decimal(&mut self.out, index);
                self.out.push(']');
            }
            Some(Type::Exchanged) => {
                self.out.push_str(if index == 0 { ".old_value" } else { ".exchanged" });
            }
            Some(Type::Structure) => {
                self.out.push('.');
                self.push_label(self.tables.members[index as usize]);
            }
            _ => {
                self.out.push('.');
                self.out.push(XYZW[index as usize & 3]);
            }
        }
    }

    fn literal(&mut self, literal: Literal, needed: Bond) {
        let negative = match literal {
            Literal::F32(f) => f.is_sign_negative(),
            Literal::I32(i) => i < 0,
            _ => false,
        };
        let bond = if negative { Bond::Unary } else { Bond::Whole };
        self.bound(bond, needed, |p| match literal {
            Literal::F32(f) => p.float(f),
            Literal::U32(n) => {
                decimal(&mut p.out, n);
                p.out.push('u');
            }
            // The smallest number has no literal: its magnitude is too large for one.
            Literal::I32(i32::MIN) => p.out.push_str("i32(-2147483648)"),
            Literal::I32(i) => {
                let _ = write!(p.out, "{i}i");
            }
            Literal::Bool(b) => p.out.push_str(if b { "true" } else { "false" }),
        });
    }

    fn float(&mut self, f: f32) {
        /// Up to here every integer is exactly a float.
        const WHOLE: f32 = 16_777_216.0;
        if f.trunc() == f && f.abs() < WHOLE {
            if f.is_sign_negative() {
                self.out.push('-');
            }
            decimal(&mut self.out, f.abs() as u32);
        } else {
            let _ = write!(self.out, "{f:?}");
        }
        self.out.push('f');
    }
}

/// The name of a function of the language.
const fn function_name(function: Fun) -> &'static str {
    match function {
        Fun::Abs => "abs",
        Fun::Ceil => "ceil",
        Fun::Clamp => "clamp",
        Fun::Cos => "cos",
        Fun::CountLeadingZeros => "countLeadingZeros",
        Fun::CountOneBits => "countOneBits",
        Fun::Dot => "dot",
        Fun::Exp2 => "exp2",
        Fun::Floor => "floor",
        Fun::Fma => "fma",
        Fun::InverseSqrt => "inverseSqrt",
        Fun::Log2 => "log2",
        Fun::Max => "max",
        Fun::Min => "min",
        Fun::ReverseBits => "reverseBits",
        Fun::Round => "round",
        Fun::Saturate => "saturate",
        Fun::Sin => "sin",
        Fun::Sqrt => "sqrt",
        Fun::Trunc => "trunc",
    }
}
