//! What was read from the bytes of a file or of a part of it.

use crate::container::{Cubin, Dksh};
use alloc::{sync::Arc, vec::Vec};

/// A unit's bytes, read once. A cubin is shared by copies of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contents<'a> {
    /// Bytes of another container, or bare code.
    Other(&'a [u8]),
    Cubin(Arc<Cubin<'a>>),
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
