//! Constants, and zeros that compilers cannot see.

use super::state::Body;
use crate::syntax::{BinaryOp, Expr, Kind, Literal};
use crate::{GlslVersion, Target};
use shisa_ir::{Scalar, Type};

impl Body<'_, '_> {
    /// A literal. The most recent ones are reused.
    pub(super) fn literal(&mut self, literal: Literal) -> Expr {
        let same = |l: &Literal| match (l, &literal) {
            (Literal::F32(a), Literal::F32(b)) => a.to_bits() == b.to_bits(),
            (a, b) => a == b,
        };
        if let Some(&(_, e)) = self.tables.literals.iter().rev().take(16).find(|(l, _)| same(l)) {
            return e;
        }
        let e = self.draft.literal(literal);
        self.tables.literals.push((literal, e));
        e
    }

    pub(super) fn f32(&mut self, value: f32) -> Expr {
        self.literal(Literal::F32(value))
    }

    pub(super) fn u32(&mut self, value: u32) -> Expr {
        self.literal(Literal::U32(value))
    }

    /// A float, repeated in `count` components.
    pub(super) fn f32s(&mut self, value: f32, count: u8) -> Expr {
        let value = self.f32(value);
        self.splat(value, count)
    }

    /// A 32-bit word, repeated in `count` components.
    pub(super) fn u32s(&mut self, value: u32, count: u8) -> Expr {
        let value = self.u32(value);
        self.splat(value, count)
    }

    /// A constant.
    pub(super) fn constant(&mut self, ty: Type, bits: u64) -> Expr {
        match literal(ty, bits) {
            Some(literal) => {
                let value = self.literal(literal);
                self.splat(value, ty.count)
            }
            None => {
                // Not finite: the bits plus a zero that is known only at run time.
                let (zero, bits) = (self.zero(), self.u32(bits as u32));
                let bits = self.binary(BinaryOp::InclusiveOr, zero, bits);
                let value = self.bits_as(bits, Kind::Float);
                self.splat(value, ty.count)
            }
        }
    }

    /// A zero that compilers cannot see: the value of a variable that is never written.
    pub(super) fn zero(&mut self) -> Expr {
        let pointer = match self.zero {
            Some(z) => z,
            None => {
                let ty = self.types.of(Kind::Uint, 1);
                let z = self.local("zero".into(), ty);
                self.zero = Some(z);
                z
            }
        };
        self.draft.load(pointer)
    }

    /// Whether the target's `mix` accepts only floats.
    pub(super) fn selects_floats_only(&self) -> bool {
        matches!(self.target, Target::Glsl(GlslVersion::Core330 | GlslVersion::Es300 | GlslVersion::Es310))
    }
}

/// The literal with these bits; `None` for a number that is not finite.
fn literal(ty: Type, bits: u64) -> Option<Literal> {
    Some(match ty.scalar {
        Scalar::I1 => Literal::Bool(bits & 1 != 0),
        Scalar::F32 => {
            let f = f32::from_bits(bits as u32);
            return f.is_finite().then_some(Literal::F32(f));
        }
        _ => Literal::U32(bits as u32),
    })
}
