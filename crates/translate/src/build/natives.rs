//! Functions whose operations the tree of the target program cannot express. Their bodies here have the right type and
//! refer to the right resources; naga prints them, and `through_naga/natives` replaces them by text of the language.

use crate::syntax::{Draft, Function, GlobalId, Kind, Name, Statement, Types};

/// A function with a body in the text of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Native<'p> {
    /// Changes a texel of a texture atomically and returns its old value.
    Texel { texture: &'p str, change: TexelChange },
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
