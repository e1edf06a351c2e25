//! Functions whose operations the tree of the target program cannot express. Their bodies here have the right type and
//! refer to the right resources; naga prints them, and `through_naga/natives` replaces them by text of the language.

mod double;
mod int64;

pub(crate) use double::DoubleOp;
pub(crate) use int64::Int64Op;

use crate::syntax::{Draft, Expression, Function, GlobalId, Kind, Name, Statement, Types};
use shisa_ir::{Nodes, Op, Type, is_double_arithmetic, is_int64_arithmetic};

/// A function with a body in the text of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native<'p> {
    /// Changes a texel of a texture atomically and returns its old value.
    Texel { texture: &'p str, change: TexelChange },
    /// An operation on values of 64 bits, each of which is two 32-bit words, the low word first.
    Wide(WideOp),
}

/// An operation on values of 64 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WideOp {
    Double(DoubleOp),
    Int64(Int64Op),
}

/// The arguments of a function on values of 64 bits; it has the first ones that it needs.
pub(crate) const WIDE_ARGUMENTS: [&str; 3] = ["a", "b", "c"];

/// What a function on values of 64 bits takes and yields: kinds and numbers of components.
#[derive(Clone, Copy, Debug)]
struct Signature {
    argument: (Kind, u8),
    /// The number of arguments.
    count: usize,
    result: (Kind, u8),
}

/// A value of 64 bits.
const TWO_WORDS: (Kind, u8) = (Kind::Uint, 2);

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

impl WideOp {
    /// The operation that computes one of the target's; `None` for an operation on other values.
    pub(super) fn of(nodes: &Nodes, op: Op, ty: Type) -> Option<WideOp> {
        if is_double_arithmetic(nodes, op, ty) {
            DoubleOp::of(op).map(WideOp::Double)
        } else if is_int64_arithmetic(nodes, op, ty) {
            Int64Op::of(op).map(WideOp::Int64)
        } else {
            None
        }
    }

    const fn name(self) -> &'static str {
        match self {
            WideOp::Double(op) => op.name(),
            WideOp::Int64(op) => op.name(),
        }
    }

    const fn signature(self) -> Signature {
        match self {
            WideOp::Double(op) => op.signature(),
            WideOp::Int64(op) => op.signature(),
        }
    }
}

impl<'p> Native<'p> {
    /// The function's name.
    pub(crate) fn name(self) -> Name<'p> {
        match self {
            Native::Texel { texture, change } => Name::joined(texture, change.suffix()),
            Native::Wide(op) => op.name().into(),
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

/// The function for an operation on values of 64 bits, with a body that returns zero.
pub(super) fn wide<'p>(types: &mut Types<'p>, op: WideOp) -> Function<'p> {
    let signature = op.signature();
    let [argument, result] =
        [signature.argument, signature.result].map(|(kind, count)| types.of(kind, count));
    let mut draft = Draft::new(types, Function::default(), op.name().into(), 4);
    for name in WIDE_ARGUMENTS.into_iter().take(signature.count) {
        draft.argument(name.into(), argument, None);
    }
    let zero = draft.push(Expression::Zero(result));
    draft.statement(Statement::Return(Some(zero)));
    draft.yields(Some(result));
    draft.finish()
}
