//! Containers that can hold programs of any instruction set.
//!
//! A container of one instruction set alone is its family's matter. Others are each a file of this folder and a line of
//! [`CONTAINERS`]; they find the programs, and a [`bundle::Bundle`] gives those to the verbs.

mod bundle;
#[cfg(feature = "swf")]
mod swf;

use crate::Settings;
use crate::family::Sniffed;

/// A container.
pub(crate) trait Container: Sync {
    /// Opens bytes that are one; `None` if they are not.
    fn sniff(&self, bytes: &[u8], settings: &Settings) -> Option<Sniffed<'static>>;
}

/// All containers.
pub(crate) const CONTAINERS: &[&dyn Container] = &[
    #[cfg(feature = "swf")]
    &swf::Swf,
];
