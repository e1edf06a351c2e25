//! The triangles that cover a pixel.

/// A pixel, and the triangles that cover it, by their indices in the mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Covered {
    /// The number of the pixel in the picture.
    pub(crate) at: usize,
    /// All triangles, in the order of the mesh.
    pub(crate) triangles: Vec<usize>,
    /// The last one whose colour was drawn; `None` if all were discarded.
    pub(crate) visible: Option<usize>,
}

impl Covered {
    /// A pixel without triangles.
    pub(crate) fn new(at: usize) -> Covered {
        Covered { at, triangles: Vec::new(), visible: None }
    }
}
