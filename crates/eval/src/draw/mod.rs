//! What the hardware does between the programs of a draw call: primitives, the division of patches, and the pixels of
//! triangles and points.
//!
//! The rasteriser is exact where hardware rounds: positions are not rounded to a grid of subpixels. A pixel that is
//! exactly on an edge that two triangles share belongs to one of them.

mod assembly;
mod raster;
mod tessellation;

pub use assembly::Assembly;
pub use raster::{Depth, Fragment, Fragments, Origin, Viewport};
pub use tessellation::{LARGEST_LEVEL, Levels, Tessellated};
