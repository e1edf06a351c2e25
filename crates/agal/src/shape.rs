//! The shapes of sources, and what they require of a token's operands.

/// Which components of a source an operation reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Those in the destination's mask, each for itself.
    Each,
    /// The first 1, 3 or 4 of the swizzle.
    First(u8),
    /// Three or four registers in a row, `.xyz` or `.xyzw` of each, never swizzled.
    Matrix(u8, u8),
    /// As many as the texture has coordinates.
    Coordinate,
}

/// What a source must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
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
pub struct Wants {
    /// Whether it has a destination.
    pub dest: bool,
    /// The first source.
    pub a: Want,
    /// The second source.
    pub b: Want,
    /// Components of the result: 3 or 4.
    pub width: u8,
}

impl Wants {
    /// The requirements of a row without operands.
    pub(crate) const NOTHING: Wants = Wants { dest: false, a: Want::Nothing, b: Want::Nothing, width: 4 };
}
