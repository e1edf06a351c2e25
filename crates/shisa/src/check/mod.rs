//! Checking programs against the rules of their instruction set.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "maxwell")]
mod maxwell;

#[cfg(feature = "agal")]
pub use agal::{LinkFinding, check_pair};
#[cfg(feature = "maxwell")]
pub use maxwell::{check_maxwell, check_maxwell_listing};

#[cfg(feature = "agx")]
use crate::parts::file::AgxFile;
use crate::{Isa, Result, Settings, identify};
use shisa_diag::Diagnostic;

/// Everything that is wrong with a program or a container of programs: AGAL in the order in which its
/// players find it, PICA200 in the order of the file's parts, Maxwell and AGX program by program; at most
/// [`shisa_diag::Limits::diagnostics`] findings, and a note that counts the rest. Labels count bytes from the start.
///
/// # Errors
/// When the bytes are of no known kind, or a limit is exceeded.
pub fn check(bytes: &[u8], settings: &Settings) -> Result<Vec<Diagnostic>> {
    match identify::program_isa(bytes, settings)? {
        #[cfg(feature = "agal")]
        Isa::Agal => agal::check(bytes, settings),
        #[cfg(feature = "pica200")]
        Isa::Pica200 => Ok(shisa_pica200::rules::check_bytes(bytes, &settings.limits)?),
        #[cfg(feature = "maxwell")]
        Isa::Maxwell => check_maxwell(bytes, None, None, None, settings),
        #[cfg(feature = "agx")]
        Isa::Agx => Ok(AgxFile::read(bytes, settings)?.check(settings)),
    }
}
