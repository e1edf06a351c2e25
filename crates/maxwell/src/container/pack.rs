//! The compressions of fatbins.

use alloc::{borrow::Cow, format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The compression of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Uncompressed.
    Plain,
    /// One block of LZ4.
    Lz4,
    /// One frame of Zstandard.
    Zstd,
}

impl Packing {
    /// The name of the compression.
    pub const fn name(self) -> &'static str {
        match self {
            Packing::Plain => "uncompressed",
            Packing::Lz4 => "LZ4",
            Packing::Zstd => "Zstandard",
        }
    }

    /// The decompressed bytes of `packed`, `size` of them.
    ///
    /// # Errors
    /// `fatbin-compressed`, `limit-exceeded`.
    pub(super) fn unpack<'a>(
        self,
        packed: &'a [u8],
        size: u64,
        limits: &Limits,
    ) -> Result<Cow<'a, [u8]>, Diagnostic> {
        if self == Packing::Plain {
            return Ok(Cow::Borrowed(packed));
        }
        limits.check(Limit::File, "bytes once decompressed", size)?;
        let mut out = vec![0; usize::try_from(size).unwrap_or(0)];
        if codec::decompress(self, packed, &mut out, limits)? != Some(out.len()) {
            let text = format!("this is no {} of {size:#x} bytes", self.name());
            return Err(Diagnostic::error("fatbin-compressed", text));
        }
        Ok(Cow::Owned(out))
    }

    /// The compressed `bytes`.
    ///
    /// # Errors
    /// `fatbin-compressed` in a build that compresses nothing.
    pub(super) fn pack(self, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        if self == Packing::Plain { Ok(bytes.to_vec()) } else { codec::compress(self, bytes) }
    }
}

#[cfg(feature = "compression")]
mod codec {
    use super::Packing;
    use crate::container::lz4;
    use alloc::vec::Vec;
    use ruzstd::decoding::FrameDecoder;
    use ruzstd::decoding::errors::FrameDecoderError;
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use shisa_diag::{Diagnostic, Limit, Limits};

    /// The size in bytes of the windows that every decoder of Zstandard supports (RFC 8878).
    const WINDOW: u64 = 8 << 20;

    /// Decompresses to `out`; the number of bytes, or `None` for damaged data.
    pub(super) fn decompress(
        packing: Packing,
        packed: &[u8],
        out: &mut [u8],
        limits: &Limits,
    ) -> Result<Option<usize>, Diagnostic> {
        Ok(match packing {
            Packing::Plain => None,
            Packing::Lz4 => lz4_flex::block::decompress_into(packed, out).ok(),
            Packing::Zstd => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(WINDOW.max(limits.file as u64));
                match decoder.decode_all(packed, out) {
                    Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                        limits.check(Limit::File, "bytes of a window of Zstandard", requested)?;
                        None
                    }
                    done => done.ok(),
                }
            }
        })
    }

    pub(super) fn compress(packing: Packing, bytes: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        Ok(match packing {
            Packing::Plain => bytes.to_vec(),
            Packing::Lz4 => lz4::compress(bytes),
            Packing::Zstd => compress_to_vec(bytes, CompressionLevel::Fastest),
        })
    }
}

/// A build without compression, such as that of an emulator, which has no fatbins.
#[cfg(not(feature = "compression"))]
mod codec {
    use super::Packing;
    use alloc::{format, vec::Vec};
    use shisa_diag::{Diagnostic, Limits};

    fn missing(packing: Packing) -> Diagnostic {
        let text = format!("this build does not read or write {}", packing.name());
        Diagnostic::error("fatbin-compressed", text).help("build with the feature `compression`")
    }

    pub(super) fn decompress(
        packing: Packing,
        _: &[u8],
        _: &mut [u8],
        _: &Limits,
    ) -> Result<Option<usize>, Diagnostic> {
        Err(missing(packing))
    }

    pub(super) fn compress(packing: Packing, _: &[u8]) -> Result<Vec<u8>, Diagnostic> {
        Err(missing(packing))
    }
}
