//! Facts about a row that the rules need, read from the row's operands.

use crate::operand::{A, D, Shape, SourceKind};
use crate::{Agal, Yields};
use core::any::Any;
use shisa_rows::Form;

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

/// The requirements of a row on its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wants {
    /// Whether it has a destination.
    pub(super) dest: bool,
    /// The first source.
    pub(super) a: Want,
    /// The second source.
    pub(super) b: Want,
    /// Components of the result: 3 or 4.
    pub(super) width: u8,
}

impl Wants {
    /// The requirements of a row.
    #[inline]
    pub(super) fn of(form: &Form<Agal>) -> Wants {
        let mut wants = Wants { dest: false, a: Want::Nothing, b: Want::Nothing, width: 4 };
        let vector = form.attr.yields == Yields::Vector;
        for operand in form.operands {
            if operand.slot == D {
                wants.dest = true;
                continue;
            }
            let kind: &dyn Any = operand.kind;
            let want = match kind.downcast_ref::<SourceKind>().map(|k| k.0) {
                Some(Shape::Matrix(rows, _)) => {
                    wants.width = rows;
                    Want::Matrix(rows)
                }
                Some(Shape::First(1)) => Want::Scalar,
                Some(Shape::First(n)) => {
                    wants.width = if vector { n } else { 4 };
                    Want::Vector
                }
                Some(Shape::Each) => Want::Vector,
                Some(Shape::Coordinate) => Want::Coordinate,
                None => Want::Sampler,
            };
            if operand.slot == A {
                wants.a = want;
            } else {
                wants.b = want;
            }
        }
        wants
    }
}

/// The number of components of the row's result: 3 or 4.
pub(crate) fn width(form: &Form<Agal>) -> u8 {
    Wants::of(form).width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Effect;
    use alloc::vec::Vec;
    use shisa_rows::Isa;

    fn names(keep: impl Fn(&Form<Agal>) -> bool) -> Vec<&'static str> {
        Agal::table().forms().iter().filter(|f| keep(f)).map(|f| f.name).collect()
    }

    #[test]
    fn rows_tell_what_they_want() {
        let effect = |f: &Form<Agal>| f.attr.effect;
        assert_eq!(names(|f| Wants::of(f).width == 3), ["nrm", "crs", "m33", "m34"]);
        assert_eq!(names(|f| effect(f) == Effect::If), ["ife", "ine", "ifg", "ifl"]);
        assert_eq!(names(|f| effect(f) == Effect::Else), ["els"]);
        assert_eq!(names(|f| effect(f) == Effect::EndIf), ["eif"]);
        assert_eq!(names(|f| Wants::of(f).b == Want::Sampler), ["ted", "tex", "tld"]);
        assert_eq!(names(|f| Wants::of(f).a == Want::Scalar), ["ife", "ine", "ifg", "ifl", "kil"]);
        assert_eq!(names(|f| Wants::of(f).b == Want::Matrix(3)), ["m33", "m34"]);
        assert_eq!(names(|f| !Wants::of(f).dest), ["ife", "ine", "ifg", "ifl", "els", "eif", "kil"]);
    }
}
