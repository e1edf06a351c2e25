//! A software texture unit.
//!
//! # Definition
//!
//! Texel (i, j) of a level of w by h texels covers s from i / w to (i + 1) / w, and t likewise downward: its centre is
//! at ((i + ½) / w, (j + ½) / h). The nearest filter selects texel (⌊s·w⌋, ⌊t·h⌋). The linear filter weights the four
//! texels around (s·w − ½, t·h − ½). All arithmetic is binary32, weights included; hardware rounds weights to about 8
//! bits.
//!
//! A level of detail λ is explicit, or log2 ρ plus bias. ρ is the larger of the distances, in texels, that the position
//! in level 0 moves along x and along y. λ is then clamped to the existing levels (fewer than a full pyramid are
//! allowed). The nearest mip filter selects level ⌊λ + ½⌋, the linear one blends ⌊λ⌋ and the next level. The sampler's
//! bias is added to computed levels only, not to explicit ones.
//!
//! Anisotropy is approximated: N = min(⌈longer / shorter⌉, allowed ratio) samples are distributed evenly along the
//! longer axis, each of level log2(longer / N), and averaged.
//!
//! The face of a cube is that of the direction's largest coordinate, z before y before x if coordinates are equal;
//! faces and their axes are oriented as in Direct3D and OpenGL. Filters stay within the face: its edge texels are
//! repeated, regardless of the sampler.
//!
//! A comparison replaces texels by 1 or 0 before they are weighted, so the linear filter yields the weighted fraction
//! of the four texels (eight with depth) for which it holds. A fetch of a texel that does not exist yields 0, and a
//! store to it has no effect. Filters clamp to the last layer.
//!
//! A NaN coordinate counts as 0, and a coordinate far outside is clamped to the farthest representable texel index. A
//! NaN level of detail counts as 0.

mod bits;
mod block;
mod color;
mod cube;
mod filter;
mod footprint;
mod format;
mod image;
mod layout;
mod read;
mod set;
mod target;
#[cfg(test)]
mod tests;

pub use color::Color;
pub use filter::Compare;
pub use format::Format;
pub use image::{Size, Texture};
pub use read::Sampling;
pub use set::TextureSet;
pub use target::TargetFormat;
