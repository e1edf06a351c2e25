//! The compressions of fatbins.

use super::lz4;
use alloc::{borrow::Cow, format, vec, vec::Vec};
use ruzstd::decoding::FrameDecoder;
use ruzstd::decoding::errors::FrameDecoderError;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The size in bytes of the windows that every decoder of Zstandard supports (RFC 8878).
const WINDOW: u64 = 8 << 20;

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
        let done = match self {
            Packing::Plain => None,
            Packing::Lz4 => lz4_flex::block::decompress_into(packed, &mut out).ok(),
            Packing::Zstd => {
                let mut decoder = FrameDecoder::new();
                decoder.set_max_window_size(WINDOW.max(limits.file as u64));
                match decoder.decode_all(packed, &mut out) {
                    Err(FrameDecoderError::WindowSizeTooBig { requested, .. }) => {
                        limits.check(Limit::File, "bytes of a window of Zstandard", requested)?;
                        None
                    }
                    done => done.ok(),
                }
            }
        };
        if done != Some(out.len()) {
            let text = format!("this is no {} of {size:#x} bytes", self.name());
            return Err(Diagnostic::error("fatbin-compressed", text));
        }
        Ok(Cow::Owned(out))
    }

    /// The compressed `bytes`.
    pub(super) fn pack(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Packing::Plain => bytes.to_vec(),
            Packing::Lz4 => lz4::compress(bytes),
            Packing::Zstd => compress_to_vec(bytes, CompressionLevel::Fastest),
        }
    }
}
