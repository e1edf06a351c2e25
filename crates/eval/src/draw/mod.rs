//! What the hardware does around the programs of a draw call: primitives, the division of patches, the pixels of
//! primitives, and what becomes of the outputs of fragment programs.
//!
//! The rasteriser is exact where hardware rounds: positions are not rounded to a grid of subpixels. A pixel that is
//! exactly on an edge that two triangles share belongs to one of them.

mod assembly;
mod merge;
mod raster;
mod tessellation;

pub use assembly::{Assembly, Provoking};
pub use merge::{
    Blend, Combination, DepthTest, Equation, Factor, PixelTests, StencilAction, StencilFace, Stored,
};
pub use raster::{Depth, Fragment, Fragments, Origin, Viewport, WIDEST_LINE};
pub use tessellation::{LARGEST_LEVEL, Levels, Tessellated};
