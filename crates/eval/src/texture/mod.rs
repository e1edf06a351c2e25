//! A texture unit in software.
//!
//! # What is computed
//!
//! Texel (i, j) of a level of w by h texels covers s from i / w to (i + 1) / w, and t likewise downward:
//! its centre lies at ((i + ½) / w, (j + ½) / h). The nearest filter takes texel (⌊s·w⌋, ⌊t·h⌋); the
//! linear filter weighs the four around (s·w − ½, t·h − ½). All arithmetic is binary32, weights included;
//! hardware rounds weights to some 8 bits.
//!
//! A level of detail λ is explicit, or log2 ρ plus bias, where ρ is the larger of the lengths by which the
//! place in level 0, counted in texels, changes along x and along y. λ is then clamped to the levels
//! there are (fewer than a full pyramid are allowed). The nearest mip filter takes level ⌊λ + ½⌋, the
//! linear one blends ⌊λ⌋ and the next. The sampler's bias is added to computed levels only, not to
//! explicit ones.
//!
//! Anisotropy is approximated: N = min(⌈longer / shorter⌉, ratio allowed) samples lie evenly along the
//! longer axis, each of level log2(longer / N), and are averaged.
//!
//! A cube's face is the one of the largest coordinate of the direction, z before y before x where they
//! are equal; faces and their axes are oriented as in Direct3D and OpenGL. Filters stay within the face:
//! its edge texels are repeated, whatever the sampler says.
//!
//! A comparison turns texels into 1 or 0 before they are weighed, so the linear filter gives the part of the four
//! texels (eight with depth) of which it holds. A texel that is named by number and does not exist is 0, and is not
//! written. Filters take the last layer for those behind it.
//!
//! A coordinate that is NaN counts as 0, one far outside as the farthest texel that still has a number.
//! A level of detail that is NaN counts as 0.

mod block;
mod color;
mod cube;
mod filter;
mod footprint;
mod format;
mod image;
mod read;
mod set;
#[cfg(test)]
mod tests;

pub use color::Color;
pub use filter::Compare;
pub use format::Format;
pub use image::{Size, Texture};
pub use set::TextureSet;
