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
    if listing.isa.is_none() && shisa_swf::sniff(bytes) {
        return crate::container::json(bytes, listing, settings);
    }
    match text::isa(bytes, listing, &settings.limits)? {
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
