//! What the rules need to know of a row, read from the row's operands.

use crate::operand::{A, B, D, SamplerKind, Shape, SourceKind};
use crate::{Agal, Yields};
use core::any::Any;
use shisa_rows::{Form, Slot};

/// What a source must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Want {
    /// All bits zero.
    Nothing,
    /// A register with any swizzle.
    Vector,
    /// A register with one component four times.
    Scalar,
    /// This many consecutive registers, not swizzled.
    Matrix(u8),
    /// A register that is not indirect.
    Coordinate,
    /// A sampler.
    Sampler,
}

impl Want {
    /// What a row wants in a slot.
    #[inline]
    pub(super) fn of(form: &Form<Agal>, slot: Slot) -> Want {
        let Some(operand) = form.operand(slot) else { return Want::Nothing };
        let kind: &dyn Any = operand.kind;
        match kind.downcast_ref::<SourceKind>() {
            Some(SourceKind(Shape::Matrix(rows, _))) => Want::Matrix(*rows),
            Some(SourceKind(Shape::First(1))) => Want::Scalar,
            Some(SourceKind(Shape::Coordinate)) => Want::Coordinate,
            Some(_) => Want::Vector,
            None if kind.is::<SamplerKind>() => Want::Sampler,
            None => Want::Nothing,
        }
    }
}

/// How many components the row's result has: 3 or 4.
pub(super) fn width(form: &Form<Agal>) -> u8 {
    let shape = |slot| {
        let kind: &dyn Any = form.operand(slot)?.kind;
        kind.downcast_ref::<SourceKind>().map(|k| k.0)
    };
    match (form.attr.yields, shape(A), shape(B)) {
        (Yields::Vector, _, Some(Shape::Matrix(rows, _))) => rows,
        (Yields::Vector, Some(Shape::First(n)), _) => n,
        _ => 4,
    }
}

/// What a row does to the nesting of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nesting {
    /// Nothing.
    Straight,
    /// `ife`, `ine`, `ifg`, `ifl`.
    If,
    /// `els`.
    Else,
    /// `eif`.
    End,
}

impl Nesting {
    /// Of a row.
    #[inline]
    pub(super) fn of(form: &Form<Agal>) -> Nesting {
        if form.operand(D).is_some() {
            return Nesting::Straight;
        }
        match (form.name, Want::of(form, B)) {
            ("els", _) => Nesting::Else,
            ("eif", _) => Nesting::End,
            (_, Want::Scalar) => Nesting::If,
            _ => Nesting::Straight,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use shisa_rows::Isa;

    fn names(keep: impl Fn(&Form<Agal>) -> bool) -> Vec<&'static str> {
        Agal::table().forms().iter().filter(|f| keep(f)).map(|f| f.name).collect()
    }

    #[test]
    fn rows_tell_what_they_want() {
        assert_eq!(names(|f| width(f) == 3), ["nrm", "crs", "m33", "m34"]);
        assert_eq!(names(|f| Nesting::of(f) == Nesting::If), ["ife", "ine", "ifg", "ifl"]);
        assert_eq!(names(|f| Nesting::of(f) == Nesting::Else), ["els"]);
        assert_eq!(names(|f| Nesting::of(f) == Nesting::End), ["eif"]);
        assert_eq!(names(|f| Want::of(f, B) == Want::Sampler), ["ted", "tex", "tld"]);
        assert_eq!(names(|f| Want::of(f, A) == Want::Scalar), ["ife", "ine", "ifg", "ifl", "kil"]);
        assert_eq!(names(|f| Want::of(f, B) == Want::Matrix(3)), ["m33", "m34"]);
        assert_eq!(names(|f| f.operand(D).is_none()), ["ife", "ine", "ifg", "ifl", "els", "eif", "kil"]);
    }
}
