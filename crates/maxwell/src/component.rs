//! Components of a vertex that the hardware gives a meaning. A component is four bytes of the space of attributes: the
//! numbers are a quarter of the addresses that instructions and the Shader Program Header have.

use core::ops::Range;

/// The number of the primitive.
pub const PRIMITIVE: u16 = 0x60 / 4;
/// The number of the layer.
pub const LAYER: u16 = 0x64 / 4;
/// The number of the viewport.
pub const VIEWPORT: u16 = 0x68 / 4;
/// The size of a point.
pub const POINT_SIZE: u16 = 0x6c / 4;
/// The first component of the position; its last one is 1 / w in pixel programs.
pub const POSITION: u16 = 0x70 / 4;
/// The component that is 1 / w at a pixel.
pub(crate) const RECIPROCAL_W: u16 = POSITION + 3;
/// Distances to planes that clip.
pub const CLIP_DISTANCES: Range<u16> = 0x2c0 / 4..0x2e0 / 4;
/// The first of the two components of the position within a point.
pub const POINT_COORDINATE: u16 = 0x2e0 / 4;
/// The position in the domain of tessellation.
pub const DOMAIN: Range<u16> = 0x2f0 / 4..0x2f8 / 4;
/// The number of the instance.
pub const INSTANCE: u16 = 0x2f8 / 4;
/// The number of the vertex.
pub const VERTEX: u16 = 0x2fc / 4;
/// Not zero where the front of a triangle is visible.
pub const FRONT_FACING: u16 = 0x3fc / 4;
