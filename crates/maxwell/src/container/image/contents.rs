//! What was read from the bytes of a file or of a part of it.

use super::Image;
use crate::container::{Container, Cubin, Dksh};
use alloc::{sync::Arc, vec::Vec};
use shisa_diag::{Diagnostic, Limits};

/// A unit's bytes, read once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contents<'a> {
    /// Bytes of another container, or bare code.
    Other(&'a [u8]),
    Cubin(Cubin<'a>),
    /// A cubin that is compressed in the file.
    Unpacked(Arc<Unpacked>),
    Dksh(Dksh<'a>),
}

impl Contents<'_> {
    pub(super) fn bytes(&self) -> &[u8] {
        match self {
            Contents::Other(bytes) => bytes,
            Contents::Cubin(cubin) => cubin.elf.bytes,
            Contents::Unpacked(unpacked) => unpacked.borrow_owner(),
            Contents::Dksh(dksh) => dksh.bytes,
        }
    }

    pub(super) fn cubin(&self) -> Option<&Cubin<'_>> {
        match self {
            Contents::Cubin(cubin) => Some(cubin),
            Contents::Unpacked(unpacked) => Some(unpacked.borrow_dependent()),
            Contents::Other(_) | Contents::Dksh(_) => None,
        }
    }
}

self_cell::self_cell!(
    /// The bytes of a cubin, decompressed, and what was read from them.
    pub(super) struct Unpacked {
        owner: Vec<u8>,
        #[covariant]
        dependent: Cubin,
    }

    impl {Debug, PartialEq, Eq}
);

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
