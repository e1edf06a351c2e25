//! What becomes of the outputs of a fragment program: the stencil test, the depth test, blending.
//!
//! The source of the rules is the specification of OpenGL 4.6, section 17.3. Targets, depths and blending are
//! binary32, without a range.

mod blend;
mod tests_of_pixels;

pub use blend::{Blend, Combination, Equation, Factor};
pub use tests_of_pixels::{DepthTest, PixelTests, StencilAction, StencilFace, Stored};
