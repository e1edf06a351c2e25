//! Code without a container: bundles, with or without a preceding Shader Program Header.

use super::dksh::trimmed;
use super::sph::{SPH_BYTES, Sph};
use crate::bundle::{BUNDLE_BYTES, fuse};
use crate::{Chip, Ctx, ShaderStage, decode};
use core::ops::Range;
use shisa_diag::Confidence;

/// Offsets of headers: at the start of a file, or of a program in a code section of the Switch.
const HEADERS: [usize; 2] = [0, 0x30];

/// Code in bytes of no known container.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Raw {
    /// The range of the header, if there is one.
    pub header: Option<Range<usize>>,
    /// The stage, if a header states it.
    pub stage: Option<ShaderStage>,
    /// The range of the code.
    pub code: Range<usize>,
}

impl Raw {
    /// Reads bytes as a program: after a header, if there is one at a known offset, else from the first byte.
    ///
    /// Control bits of a bundle can look like the first 32-bit word of a header. Code is whole bundles and a header is
    /// not, so the length of an extracted program decides. Of other bytes, those that all are known instructions are no
    /// header.
    pub fn of(bytes: &[u8]) -> Raw {
        for at in HEADERS {
            let Some(sph) = Sph::at(bytes, at) else { continue };
            let start = at + SPH_BYTES;
            let extracted = at == 0 && (bytes.len() - SPH_BYTES).is_multiple_of(BUNDLE_BYTES);
            let rest = bytes.get(start..).unwrap_or_default();
            let is_header = match (sph.sniff(), extracted) {
                (true, true) => true,
                (true, false) => !all_known(bytes.get(..start - start % BUNDLE_BYTES).unwrap_or_default()),
                // A damaged header.
                (false, true) => !rest.is_empty() && sure(rest, Chip::default()).is_some(),
                (false, false) => false,
            };
            if is_header {
                let end = trimmed(bytes, start..bytes.len());
                let stage = sph.stage().filter(|_| sph.sniff());
                return Raw { header: Some(at..start), stage, code: start..end };
            }
        }
        Raw { header: None, stage: None, code: 0..bytes.len() }
    }

    /// The confidence that the bytes are code, without zeros at their end; `None` if they are not.
    pub fn sniff(&self, bytes: &[u8]) -> Option<Confidence> {
        if !self.code.len().is_multiple_of(BUNDLE_BYTES) {
            return None;
        }
        let code = bytes.get(self.code.start..trimmed(bytes, self.code.clone())).unwrap_or_default();
        let ends = code.as_chunks::<8>().0.iter().any(|w| u64::from_le_bytes(*w) >> 52 == EXIT);
        let found = sure(code, Chip::default()).filter(|_| ends && !code.is_empty())?;
        Some(if self.header.is_some() { found } else { found.min(Confidence::Likely) })
    }
}

/// Whether whole bundles consist of known instructions only.
fn all_known(code: &[u8]) -> bool {
    sure(code, Chip::default()) == Some(Confidence::Certain)
}

/// The confidence that bytes are bundles of a chip: all instructions, or nearly all, are known and have possible
/// control bits; `None` otherwise.
pub(super) fn sure(code: &[u8], chip: Chip) -> Option<Confidence> {
    let ctx = Ctx { chip, ..Ctx::default() };
    let (bundles, rest) = code.as_chunks::<BUNDLE_BYTES>();
    if !rest.is_empty() {
        return None;
    }
    let mut unknown = 0;
    for bundle in bundles {
        let (words, _) = bundle.as_chunks::<8>();
        let mut words = words.iter().map(|w| u64::from_le_bytes(*w));
        for word in fuse(core::array::from_fn(|_| words.next().unwrap_or(0))) {
            unknown += usize::from(decode(word, ctx).is_err());
        }
        if unknown * 16 > bundles.len() * 3 {
            return None;
        }
    }
    Some(if unknown == 0 { Confidence::Certain } else { Confidence::Possible })
}

/// The upper bits of an instruction that ends a program.
const EXIT: u64 = 0xe30;
