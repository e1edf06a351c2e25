//! Expressions, with no more parentheses than they need.

use super::super::names::decimal;
use super::{Printer, scalar};
use naga::{
    AtomicFunction, BinaryOperator as Op, DerivativeAxis, Expression, Handle, Literal, MathFunction as Fun,
    SampleLevel, ScalarKind, SwizzleComponent, TypeInner, UnaryOperator,
};
use std::fmt::Write as _;

type Expr = Handle<Expression>;

/// How tightly an expression holds together. What holds less tightly than its place needs parentheses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Bond {
    /// A comparison by order or a shift. Not among arguments: `a < b, c > d` is taken for a template.
    Order,
    /// Another operation that the language does not mix with its like.
    Logic,
    Sum,
    Product,
    Unary,
    /// A name, a call, a part of one.
    Whole,
}

const XYZW: [char; 4] = ['x', 'y', 'z', 'w'];

impl Printer<'_> {
    /// An expression in a place that needs this bond.
    pub(super) fn expression(&mut self, h: Expr, place: Bond) {
        if let Some(label) = self.facts[h.index()].label {
            return self.push_label(label);
        }
        match &self.fun.expressions[h] {
            Expression::Literal(literal) => self.literal(*literal, place),
            Expression::ZeroValue(ty) => match self.module.types[*ty].inner {
                TypeInner::Scalar(s) => self.out.push_str(match s.kind {
                    ScalarKind::Bool => "false",
                    ScalarKind::Sint => "0i",
                    ScalarKind::Uint => "0u",
                    _ => "0f",
                }),
                _ => {
                    self.ty(*ty);
                    self.out.push_str("()");
                }
            },
            Expression::FunctionArgument(i) => self.push_label(self.arguments[*i as usize]),
            Expression::GlobalVariable(g) => self.push_label(self.globals[g.index()]),
            Expression::LocalVariable(l) => self.push_label(self.locals[l.index()]),
            Expression::Load { pointer } if self.is_atomic(*pointer) => {
                self.atomic_call("Load", *pointer, &[]);
            }
            Expression::Load { pointer } => self.expression(*pointer, place),
            Expression::Compose { ty, components } => {
                self.ty(*ty);
                self.arguments(components);
            }
            Expression::Splat { size, value } => {
                self.out.push_str(["vec2", "vec3", "vec4"][*size as usize - 2]);
                self.arguments(&[*value]);
            }
            Expression::Swizzle { size, vector, pattern } => {
                self.swizzle(*vector, &pattern[..*size as usize], place);
            }
            Expression::Access { base, index } => {
                self.expression(*base, Bond::Whole);
                self.out.push('[');
                self.expression(*index, Bond::Logic);
                self.out.push(']');
            }
            Expression::AccessIndex { base, index } => self.part(*base, *index, place),
            Expression::Unary { op, expr } => {
                let op = match op {
                    UnaryOperator::Negate => '-',
                    UnaryOperator::LogicalNot => '!',
                    UnaryOperator::BitwiseNot => '~',
                };
                self.bound(Bond::Unary, place, |p| {
                    p.out.push(op);
                    p.expression(*expr, Bond::Whole);
                });
            }
            Expression::Binary { op, left, right } => self.binary(*op, *left, *right, place),
            Expression::Select { condition, accept, reject } => {
                self.out.push_str("select");
                self.arguments(&[*reject, *accept, *condition]);
            }
            Expression::Derivative { axis, expr, .. } => {
                self.out.push_str(match axis {
                    DerivativeAxis::X => "dpdxFine",
                    DerivativeAxis::Y => "dpdyFine",
                    DerivativeAxis::Width => "fwidthFine",
                });
                self.arguments(&[*expr]);
            }
            Expression::Math { fun, arg, arg1, arg2, .. } => {
                let name = self.function_name(*fun);
                self.out.push_str(name);
                let all = [Some(*arg), *arg1, *arg2];
                let count = all.iter().flatten().count();
                self.arguments(&all.map(|a| a.unwrap_or(*arg))[..count]);
            }
            Expression::As { expr, kind, convert } => {
                let size = self.facts[expr.index()].size;
                if convert.is_none() {
                    self.out.push_str("bitcast<");
                }
                self.vector(scalar(*kind), size);
                if convert.is_none() {
                    self.out.push('>');
                }
                self.arguments(&[*expr]);
            }
            Expression::ImageSample { .. } => self.sample(h),
            Expression::ImageLoad { image, coordinate, array_index, sample, level } => {
                self.out.push_str("textureLoad");
                let further = [*array_index, *sample, *level].into_iter().flatten();
                let arguments: Vec<Expr> = [*image, *coordinate].into_iter().chain(further).collect();
                self.arguments(&arguments);
            }
            _ => self.unknown = true,
        }
    }

    /// A sample or a gather.
    fn sample(&mut self, h: Expr) {
        let Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            ..
        } = self.fun.expressions[h]
        else {
            return;
        };
        let mut arguments: Vec<Expr> = Vec::new();
        let name = match (gather, depth_ref, level) {
            (Some(_), Some(_), SampleLevel::Zero) => "textureGatherCompare",
            (Some(_), None, SampleLevel::Zero) => "textureGather",
            (None, Some(_), SampleLevel::Auto) => "textureSampleCompare",
            (None, Some(_), SampleLevel::Zero) => "textureSampleCompareLevel",
            (None, None, SampleLevel::Auto) => "textureSample",
            (None, None, SampleLevel::Exact(_)) => "textureSampleLevel",
            (None, None, SampleLevel::Bias(_)) => "textureSampleBias",
            (None, None, SampleLevel::Gradient { .. }) => "textureSampleGrad",
            _ => return self.unknown = true,
        };
        self.out.push_str(name);
        arguments.extend([image, sampler, coordinate]);
        arguments.extend(array_index);
        arguments.extend(depth_ref);
        match level {
            SampleLevel::Exact(level) => arguments.push(level),
            SampleLevel::Bias(bias) => arguments.push(bias),
            SampleLevel::Gradient { x, y } => arguments.extend([x, y]),
            SampleLevel::Auto | SampleLevel::Zero => {}
        }
        arguments.extend(offset);
        match gather {
            Some(component) if depth_ref.is_none() => {
                self.out.push('(');
                self.out.push_str(["0", "1", "2", "3"][component as usize]);
                for a in arguments {
                    self.out.push_str(", ");
                    self.expression(a, Bond::Logic);
                }
                self.out.push(')');
            }
            _ => self.arguments(&arguments),
        }
    }

    /// Writes a texel.
    pub(super) fn store_texel(&mut self, image: Expr, coordinate: Expr, layer: Option<Expr>, value: Expr) {
        self.out.push_str("textureStore");
        let arguments: Vec<Expr> = [image, coordinate].into_iter().chain(layer).chain([value]).collect();
        self.arguments(&arguments);
    }

    /// Whether a pointer points to what is changed at once.
    pub(super) fn is_atomic(&self, pointer: Expr) -> bool {
        let ty = self.facts[pointer.index()].ty.map(|ty| &self.module.types[ty].inner);
        matches!(ty, Some(TypeInner::Atomic(_)))
    }

    /// A function of what is changed at once, by the end of its name.
    pub(super) fn atomic_call(&mut self, name: &str, pointer: Expr, arguments: &[Expr]) {
        self.out.push_str("atomic");
        self.out.push_str(name);
        self.out.push_str("(&");
        self.expression(pointer, Bond::Whole);
        for a in arguments {
            self.out.push_str(", ");
            self.expression(*a, Bond::Logic);
        }
        self.out.push(')');
    }

    /// A change at once.
    pub(super) fn atomic(&mut self, fun: AtomicFunction, pointer: Expr, value: Expr) {
        let name = match fun {
            AtomicFunction::Add => "Add",
            AtomicFunction::Subtract => "Sub",
            AtomicFunction::And => "And",
            AtomicFunction::ExclusiveOr => "Xor",
            AtomicFunction::InclusiveOr => "Or",
            AtomicFunction::Min => "Min",
            AtomicFunction::Max => "Max",
            AtomicFunction::Exchange { compare: None } => "Exchange",
            AtomicFunction::Exchange { compare: Some(compare) } => {
                return self.atomic_call("CompareExchangeWeak", pointer, &[compare, value]);
            }
        };
        self.atomic_call(name, pointer, &[value]);
    }

    /// What `f` prints, in parentheses where the place needs them.
    fn bound(&mut self, bond: Bond, place: Bond, f: impl FnOnce(&mut Self)) {
        if bond < place {
            self.out.push('(');
        }
        f(self);
        if bond < place {
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

    fn binary(&mut self, op: Op, left: Expr, right: Expr, place: Bond) {
        let (text, bond, inside) = match op {
            Op::Add => (" + ", Bond::Sum, (Bond::Sum, Bond::Product)),
            Op::Subtract => (" - ", Bond::Sum, (Bond::Sum, Bond::Product)),
            Op::Multiply => (" * ", Bond::Product, (Bond::Product, Bond::Unary)),
            Op::Divide => (" / ", Bond::Product, (Bond::Product, Bond::Unary)),
            Op::Modulo => (" % ", Bond::Product, (Bond::Product, Bond::Unary)),
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
        self.bound(bond, place, |p| {
            p.expression(left, inside.0);
            p.out.push_str(text);
            p.expression(right, inside.1);
        });
    }

    /// The expression itself, unless it was declared.
    fn undeclared(&self, h: Expr) -> Option<&Expression> {
        self.facts[h.index()].label.is_none().then(|| &self.fun.expressions[h])
    }

    /// Components of a vector; those of components are components of the vector they are from.
    fn swizzle(&mut self, mut vector: Expr, pattern: &[SwizzleComponent], place: Bond) {
        let mut picked = [0; 4];
        let picked = &mut picked[..pattern.len()];
        for (to, from) in picked.iter_mut().zip(pattern) {
            *to = *from as usize;
        }
        while let Some(Expression::Swizzle { vector: inner, pattern, .. }) = self.undeclared(vector) {
            for p in picked.iter_mut() {
                *p = pattern[*p] as usize;
            }
            vector = *inner;
        }
        let whole = usize::from(self.facts[vector.index()].size) == picked.len();
        if whole && picked.iter().enumerate().all(|(i, p)| i == *p) {
            return self.expression(vector, place);
        }
        self.expression(vector, Bond::Whole);
        self.out.push('.');
        for p in picked {
            self.out.push(XYZW[*p]);
        }
    }

    /// A component, member or element.
    fn part(&mut self, mut base: Expr, mut index: u32, place: Bond) {
        while let Some(Expression::Swizzle { vector, pattern, .. }) = self.undeclared(base) {
            index = pattern[index as usize & 3] as u32;
            base = *vector;
        }
        if let Some(Expression::Splat { value, .. }) = self.undeclared(base) {
            return self.expression(*value, place);
        }
        self.expression(base, Bond::Whole);
        match self.facts[base.index()].ty.map(|ty| (&self.module.types[ty].inner, ty)) {
            Some((TypeInner::Array { .. }, _)) => {
                self.out.push('[');
                decimal(&mut self.out, index);
                self.out.push(']');
            }
            Some((TypeInner::Struct { members, .. }, ty)) => {
                self.out.push('.');
                match members.get(index as usize).and_then(|m| m.name.as_deref()) {
                    Some(name) if self.is_known(ty) => self.out.push_str(name),
                    _ => self.push_label(self.members[index as usize]),
                }
            }
            _ => {
                self.out.push('.');
                self.out.push(XYZW[index as usize & 3]);
            }
        }
    }

    fn literal(&mut self, literal: Literal, place: Bond) {
        let negative = match literal {
            Literal::F32(f) => f.is_sign_negative(),
            Literal::I32(i) => i < 0,
            _ => false,
        };
        let bond = if negative { Bond::Unary } else { Bond::Whole };
        self.bound(bond, place, |p| match literal {
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
            _ => p.unknown = true,
        });
    }

    fn float(&mut self, f: f32) {
        /// Up to here every whole number is a float.
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

    fn function_name(&mut self, fun: Fun) -> &'static str {
        match fun {
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
            _ => {
                self.unknown = true;
                ""
            }
        }
    }
}
