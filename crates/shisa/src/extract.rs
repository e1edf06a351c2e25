//! A program of a file, as a file of its own.

#[cfg(feature = "agx")]
use crate::parts::file::AgxFile;
#[cfg(feature = "maxwell")]
use crate::text::maxwell::{image, index};
use crate::{Isa, Result, Settings, text};
#[cfg(feature = "maxwell")]
use shisa_diag::Diagnostic;
#[cfg(feature = "maxwell")]
use shisa_maxwell::container::NvnControl;

/// Which program to extract, and as what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extract {
    /// The number of the program, from 1; without one the first.
    pub program: Option<usize>,
    /// The cubin that the program lies in, decompressed, in place of its code.
    pub cubin: bool,
    /// What the control file tells of a code file of NVN.
    #[cfg(feature = "maxwell")]
    pub nvn: Option<NvnControl>,
}

/// A program of a file by itself. Of AGAL its tokens (source is assembled), of PICA200 a shader binary with that program
/// alone, of Maxwell its Shader Program Header, if it has one, and its code, of AGX its code.
///
/// # Errors
/// `not-recognised` for bytes of no known kind, `no-program` for a number that no program has, `extract-cubin` where a
/// program lies in no cubin, and what is wrong with a container as a whole.
pub fn extract(bytes: &[u8], how: &Extract, settings: &Settings) -> Result<Vec<u8>> {
    #[cfg(feature = "swf")]
    if settings.isa.is_none() && shisa_swf::sniff(bytes) {
        return Ok(crate::program(bytes, how.program, settings)?.into_owned());
    }
    let number = how.program.unwrap_or(1);
    match text::isa(bytes, settings)? {
        #[cfg(feature = "agal")]
        Isa::Agal => Ok(crate::program(bytes, Some(number), settings)?.into_owned()),
        #[cfg(feature = "pica200")]
        Isa::Pica200 => Ok(crate::program(bytes, Some(number), settings)?.into_owned()),
        #[cfg(feature = "maxwell")]
        Isa::Maxwell => maxwell(bytes, number, how, settings),
        #[cfg(feature = "agx")]
        Isa::Agx => {
            let file = AgxFile::read(bytes, settings)?;
            let (range, _) = file.program(number)?;
            Ok(file.bytes().get(range).unwrap_or_default().to_vec())
        }
    }
}

#[cfg(feature = "maxwell")]
fn maxwell(bytes: &[u8], number: usize, how: &Extract, settings: &Settings) -> Result<Vec<u8>> {
    let image = image(bytes, settings.isa, how.nvn, &settings.limits)?;
    let index = index(&image, number)?;
    if how.cubin {
        let none = || Diagnostic::error("extract-cubin", format!("program {number} lies in no cubin"));
        return Ok(image.cubin_bytes(index).ok_or_else(none)?.to_vec());
    }
    let header = image.header(index).map_or(Vec::new(), |h| h.0.to_vec());
    Ok([&header, image.code(index)].concat())
}
