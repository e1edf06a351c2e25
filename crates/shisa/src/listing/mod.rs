//! Listings for machines: what each instruction is, reads and writes.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
mod agx;
#[cfg(feature = "maxwell")]
mod maxwell;
#[cfg(feature = "pica200")]
mod pica200;

use crate::{Isa, Listing, Result, Settings, text};
use serde_json::Value;

/// The listing as JSON. Of a file that holds several programs, a list of them, each with its listing or
/// its source.
///
/// # Errors
/// As [`crate::disassemble`]; also when a header is damaged.
pub fn listing_json(bytes: &[u8], listing: &Listing, settings: &Settings) -> Result<Value> {
    #[cfg(feature = "swf")]
    if settings.isa.is_none() && shisa_swf::sniff(bytes) {
        return crate::container::json(bytes, listing, settings);
    }
    match text::isa(bytes, settings)? {
        #[cfg(feature = "agal")]
        Isa::Agal => agal::json(bytes, listing, settings),
        #[cfg(feature = "pica200")]
        Isa::Pica200 => pica200::json(bytes, listing, settings),
        #[cfg(feature = "maxwell")]
        Isa::Maxwell => maxwell::json(bytes, listing, settings),
        #[cfg(feature = "agx")]
        Isa::Agx => agx::json(bytes, listing, settings),
    }
}

/// The programs of a file that holds several, each with its listing, which `listing` gives of a number from 1.
#[cfg(any(feature = "pica200", feature = "maxwell", feature = "agx"))]
fn programs(
    container: &str,
    bytes: &[u8],
    settings: &Settings,
    mut listing: impl FnMut(usize) -> Result<Value>,
) -> Result<Value> {
    let mut programs = Vec::new();
    for (number, part) in (1..).zip(crate::identify(bytes, settings).programs) {
        let inside = listing(number)?;
        programs.push(serde_json::json!({
            "number": number, "name": part.name, "container": part.container, "chip": part.chip,
            "stage": part.stage, "offset": part.offset, "size": part.size,
            "confidence": part.confidence.name(), "listing": inside, "source": null,
        }));
    }
    Ok(serde_json::json!({ "version": 1, "container": container, "programs": programs }))
}

/// A register of four components, such as `vt0.xy`; `vc[]` for one that is chosen while running.
#[cfg(any(feature = "agal", feature = "pica200"))]
fn vector(name: &str, access: &shisa_rows::Access) -> String {
    let components: String =
        access.components.iter().map(|i| char::from(b"xyzw"[usize::from(i & 3)])).collect();
    if access.indexed {
        format!("{name}[].{components}")
    } else {
        format!("{name}{}.{components}", access.reg.unit / 4)
    }
}
