//! What AGX files are.

use super::{Identity, Part};
use crate::{Isa, Settings};

/// Whether bytes look like code.
pub(super) fn identify(bytes: &[u8], _: &Settings) -> Option<Identity> {
    let confidence = shisa_agx::sniff(bytes)?;
    let part = Part {
        name: String::new(),
        container: "agx",
        chip: None,
        stage: None,
        offset: 0,
        size: bytes.len(),
        confidence,
    };
    Some(Identity::alone(Isa::Agx, part))
}
