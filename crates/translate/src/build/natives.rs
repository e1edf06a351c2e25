//! Functions whose operations the tree of the target program cannot express. Their bodies here have the right type and
//! refer to the right resources; naga prints them, and `through_naga/natives` replaces them by text of the language.

use crate::syntax::{Draft, Expression, Function, GlobalId, Kind, Name, Statement, TypeId, Types};
use shisa_ir::{Binary, Convert, Op, Ternary};

/// A function with a body in the text of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native<'p> {
    /// Changes a texel of a texture atomically and returns its old value.
    Texel { texture: &'p str, change: TexelChange },
    /// An operation on doubles, each of which is two 32-bit words, the low word first.
    Double(DoubleOp),
}

/// An operation on doubles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DoubleOp {
    Add,
    Subtract,
    Multiply,
    Fma,
    Equal,
    /// Also of NaN.
    NotEqual,
    Less,
    LessEqual,
    FromSigned,
    FromUnsigned,
    /// Toward zero, the nearest integer if the number is out of range; NaN is 0.
    ToSigned,
    /// As [`DoubleOp::ToSigned`].
    ToUnsigned,
}

/// The arguments of a function on doubles; it has the first ones that it needs.
pub(crate) const DOUBLE_ARGUMENTS: [&str; 3] = ["a", "b", "c"];

impl DoubleOp {
    /// The operation that computes an operation of [`shisa_ir::is_double_arithmetic`].
    pub(super) const fn of(op: Op) -> Option<DoubleOp> {
        Some(match op {
            Op::Binary { op, .. } => match op {
                Binary::FAdd => DoubleOp::Add,
                Binary::FSub => DoubleOp::Subtract,
                Binary::FMul => DoubleOp::Multiply,
                Binary::FEq => DoubleOp::Equal,
                Binary::FNe => DoubleOp::NotEqual,
                Binary::FLt => DoubleOp::Less,
                Binary::FLe => DoubleOp::LessEqual,
                _ => return None,
            },
            Op::Ternary { op: Ternary::Fma, .. } => DoubleOp::Fma,
            Op::Convert { op, .. } => match op {
                Convert::SignedToFloat => DoubleOp::FromSigned,
                Convert::UnsignedToFloat => DoubleOp::FromUnsigned,
                Convert::FloatToSigned => DoubleOp::ToSigned,
                Convert::FloatToUnsigned => DoubleOp::ToUnsigned,
                _ => return None,
            },
            _ => return None,
        })
    }

    const fn name(self) -> &'static str {
        match self {
            DoubleOp::Add => "double_add",
            DoubleOp::Subtract => "double_subtract",
            DoubleOp::Multiply => "double_multiply",
            DoubleOp::Fma => "double_fma",
            DoubleOp::Equal => "double_equal",
            DoubleOp::NotEqual => "double_not_equal",
            DoubleOp::Less => "double_less",
            DoubleOp::LessEqual => "double_less_equal",
            DoubleOp::FromSigned => "double_from_signed",
            DoubleOp::FromUnsigned => "double_from_unsigned",
            DoubleOp::ToSigned => "double_to_signed",
            DoubleOp::ToUnsigned => "double_to_unsigned",
        }
    }

    /// The number of arguments.
    const fn count(self) -> usize {
        match self {
            DoubleOp::Fma => 3,
            DoubleOp::FromSigned | DoubleOp::FromUnsigned | DoubleOp::ToSigned | DoubleOp::ToUnsigned => 1,
            _ => 2,
        }
    }

    /// The types of the arguments and of the result.
    fn types(self, types: &mut Types<'_>) -> (TypeId, TypeId) {
        let double = types.of(Kind::Uint, 2);
        match self {
            DoubleOp::Equal | DoubleOp::NotEqual | DoubleOp::Less | DoubleOp::LessEqual => {
                (double, types.of(Kind::Bool, 1))
            }
            DoubleOp::FromSigned | DoubleOp::FromUnsigned => (types.of(Kind::Uint, 1), double),
            DoubleOp::ToSigned | DoubleOp::ToUnsigned => (double, types.of(Kind::Uint, 1)),
            _ => (double, double),
        }
    }
}

/// How a texel of 32 bits changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TexelChange {
    Add,
    And,
    InclusiveOr,
    ExclusiveOr,
    /// Of unsigned numbers.
    Min,
    /// Of unsigned numbers.
    Max,
    Exchange,
    /// The new value replaces the texel only if the texel has the expected value.
    CompareExchange,
}

/// The arguments of a function that changes texels, in this order. The second is for textures with layers only, the last
/// for [`TexelChange::CompareExchange`] only.
pub(crate) const TEXEL_ARGUMENTS: [&str; 4] = ["texel", "layer", "value", "expected"];

/// The texture whose texels a function changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChangedTexture {
    pub(crate) image: GlobalId,
    /// The number of coordinates.
    pub(crate) coordinates: u8,
    pub(crate) layered: bool,
}

impl TexelChange {
    /// The end of the function's name.
    const fn suffix(self) -> &'static str {
        match self {
            TexelChange::Add => "_add",
            TexelChange::And => "_and",
            TexelChange::InclusiveOr => "_or",
            TexelChange::ExclusiveOr => "_xor",
            TexelChange::Min => "_min",
            TexelChange::Max => "_max",
            TexelChange::Exchange => "_exchange",
            TexelChange::CompareExchange => "_compare_exchange",
        }
    }
}

impl<'p> Native<'p> {
    /// The function's name.
    pub(crate) fn name(self) -> Name<'p> {
        match self {
            Native::Texel { texture, change } => Name::joined(texture, change.suffix()),
            Native::Double(op) => op.name().into(),
        }
    }
}

/// The function that changes texels of a texture, with a body that stores its arguments.
pub(super) fn texel<'p>(
    types: &mut Types<'p>,
    name: Name<'p>,
    change: TexelChange,
    texture: ChangedTexture,
) -> Function<'p> {
    let (word, words) = (types.of(Kind::Uint, 1), types.of(Kind::Uint, 4));
    let coordinates = types.of(Kind::Uint, texture.coordinates);
    let mut draft = Draft::new(types, Function::default(), name, 12);
    let [coordinate, layer, value, expected] = TEXEL_ARGUMENTS;
    let coordinate = draft.argument(coordinate.into(), coordinates, None);
    let layer = texture.layered.then(|| draft.argument(layer.into(), word, None));
    let value = draft.argument(value.into(), word, None);
    let expected = match change {
        TexelChange::CompareExchange => draft.argument(expected.into(), word, None),
        _ => value,
    };
    let image = draft.global(texture.image);
    let stored = draft.composed(words, &[value, expected, value, value]);
    draft.statement(Statement::StoreTexel { image, coordinate, layer, value: stored });
    draft.statement(Statement::Return(Some(value)));
    draft.yields(Some(word));
    draft.finish()
}

/// The function for an operation on doubles, with a body that returns zero.
pub(super) fn double<'p>(types: &mut Types<'p>, op: DoubleOp) -> Function<'p> {
    let (argument, result) = op.types(types);
    let mut draft = Draft::new(types, Function::default(), op.name().into(), 4);
    for name in DOUBLE_ARGUMENTS.into_iter().take(op.count()) {
        draft.argument(name.into(), argument, None);
    }
    let zero = draft.push(Expression::Zero(result));
    draft.statement(Statement::Return(Some(zero)));
    draft.yields(Some(result));
    draft.finish()
}
