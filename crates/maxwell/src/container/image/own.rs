//! A file with its bytes.

use super::Image;
use crate::container::Container;
use alloc::vec::Vec;
use shisa_diag::{Diagnostic, Limits};

self_cell::self_cell!(
    struct Cell {
        owner: Vec<u8>,
        #[covariant]
        dependent: Image,
    }

    impl {Debug, PartialEq, Eq}
);

/// A file with its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct OwnImage(Cell);

impl OwnImage {
    /// Reads a file of a known kind, as [`Image::read_as`].
    ///
    /// # Errors
    /// The errors of [`Image::read`].
    pub fn read_as(
        bytes: Vec<u8>,
        container: Container,
        limits: &Limits,
    ) -> Result<OwnImage, Vec<Diagnostic>> {
        Cell::try_new(bytes, |bytes| Image::read_as(bytes, container, limits)).map(OwnImage)
    }

    /// The file.
    pub fn image(&self) -> &Image<'_> {
        self.0.borrow_dependent()
    }

    /// Changes what is known about its programs.
    pub fn change(&mut self, change: impl FnOnce(&mut Image<'_>)) {
        self.0.with_dependent_mut(|_, image| change(image));
    }
}
