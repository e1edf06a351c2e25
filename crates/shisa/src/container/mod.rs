//! Containers that can hold programs of any instruction set.
//!
//! A container of a single instruction set belongs to its family. Each other container is a file in this folder and a
//! line of [`CONTAINERS`]; it finds the programs, and a [`bundle::Bundle`] presents them to the verbs.

mod bundle;
#[cfg(feature = "swf")]
mod swf;

use crate::Settings;
use crate::family::Sniffed;

/// A container.
pub(crate) trait Container: Sync {
    /// Opens bytes of this container; `None` for other bytes.
    fn sniff(&self, bytes: &[u8], settings: &Settings) -> Option<Sniffed<'static>>;
}

/// All containers.
pub(crate) const CONTAINERS: &[&dyn Container] = &[
    #[cfg(feature = "swf")]
    &swf::Swf,
];
