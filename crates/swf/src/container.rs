//! The header and the body, decompressed within limits.

use crate::inflate::inflate;
use shisa_diag::{Bound, Diagnostic, Limit, Limits, Sink};
use std::borrow::Cow;
use std::io::{self, BufReader, Read, Write};

/// The compression of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Uncompressed: `FWS`.
    #[default]
    None,
    /// zlib: `CWS`.
    Zlib,
    /// LZMA: `ZWS`.
    Lzma,
}

impl Compression {
    /// `none`, `zlib` or `lzma`.
    pub const fn name(self) -> &'static str {
        match self {
            Compression::None => "none",
            Compression::Zlib => "zlib",
            Compression::Lzma => "lzma",
        }
    }

    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes.get(..3)? {
            b"FWS" => Some(Compression::None),
            b"CWS" => Some(Compression::Zlib),
            b"ZWS" => Some(Compression::Lzma),
            _ => None,
        }
    }
}

/// The header's facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Header {
    pub(crate) compression: Compression,
    pub(crate) version: u8,
    /// Size of the whole file in bytes, decompressed, as the header states it.
    pub(crate) size: usize,
}

/// Bytes before the body: magic, version, size.
pub(crate) const HEADER_BYTES: usize = 8;

/// Bytes between them and the data of an LZMA body: its compressed size.
const LZMA_SIZE_BYTES: usize = 4;

/// Whether bytes look like a SWF: magic, a version that exists, a size that fits a header. The header may be cut off.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    let version = bytes.get(3).copied().unwrap_or(0);
    Compression::of(bytes).is_some()
        && (1..=60).contains(&version)
        && size(bytes).is_none_or(|s| s > HEADER_BYTES)
}

fn size(bytes: &[u8]) -> Option<usize> {
    let raw = bytes.get(4..HEADER_BYTES)?.try_into().ok()?;
    usize::try_from(u32::from_le_bytes(raw)).ok()
}

/// The number of bytes that were decompressed. All files inside of a file count together.
#[derive(Debug)]
pub(crate) struct Decompressed {
    bytes: usize,
    limit: Bound,
}

impl Decompressed {
    pub(crate) fn new(limits: &Limits) -> Decompressed {
        Decompressed { bytes: 0, limit: limits.bound(Limit::File) }
    }

    /// Counts bytes of `what`, before they are decompressed.
    ///
    /// # Errors
    /// `limit-exceeded`, without counting them.
    pub(crate) fn add(&mut self, what: &str, bytes: usize) -> Result<(), Diagnostic> {
        let total = self.bytes.saturating_add(bytes);
        self.limit.check(&format!("decompressed bytes, with those of {what}"), total)?;
        self.bytes = total;
        Ok(())
    }
}

/// Reads the header and decompresses the body as far as possible; a fault in the body is reported to `sink`.
pub(crate) fn open<'a>(
    bytes: &'a [u8],
    decompressed: &mut Decompressed,
    sink: &mut Sink,
) -> Result<(Header, Cow<'a, [u8]>), Diagnostic> {
    let compression = Compression::of(bytes).ok_or_else(|| {
        Diagnostic::error("swf-magic", "not a SWF: FWS, CWS or ZWS is missing")
            .at_bytes(0..bytes.len().min(3), "")
    })?;
    let short =
        || Diagnostic::error("swf-header", "the header of the SWF is cut off").at_bytes(0..bytes.len(), "");
    let (header, stored) = bytes.split_first_chunk::<HEADER_BYTES>().ok_or_else(short)?;
    let [.., version, a, b, c, d] = *header;
    let size = u32::from_le_bytes([a, b, c, d]) as usize;
    let body_size = size.checked_sub(HEADER_BYTES).ok_or_else(|| {
        Diagnostic::error("swf-header", format!("a size of {size} bytes is smaller than the header"))
            .at_bytes(4..8, "")
    })?;
    decompressed.add("the SWF's body", body_size)?;
    let (body, more): (Cow<'a, [u8]>, bool) = match compression {
        Compression::None => match stored.split_at_checked(body_size) {
            Some((body, more)) => (body.into(), !more.is_empty()),
            None => (stored.into(), false),
        },
        Compression::Zlib => {
            let (body, more) = zlib(stored, body_size, sink)?;
            (body.into(), more)
        }
        Compression::Lzma => {
            let body = lzma(stored, body_size, sink);
            (body.bytes.into(), body.more)
        }
    };
    let states = |what: String| {
        let text = format!("the SWF's header states {body_size} bytes after it, but there are {what}");
        Diagnostic::warning("swf-size", text).at_bytes(4..8, "the size in the header")
    };
    if body.len() < body_size {
        sink.push(states(body.len().to_string()));
    } else if more {
        sink.push(states("more".into()).note("what follows is not searched"));
    }
    Ok((Header { compression, version, size }, body))
}

fn broken(sink: &mut Sink, kind: &str, error: &dyn std::fmt::Display) {
    let text = format!("the {kind} data of the SWF is broken: {error}");
    sink.push(Diagnostic::error("swf-compression", text).at_bytes(HEADER_BYTES..HEADER_BYTES, ""));
}

/// The first bytes of a body, and whether it has more.
fn zlib(stored: &[u8], size: usize, sink: &mut Sink) -> Result<(Vec<u8>, bool), Diagnostic> {
    let done = inflate(stored, true, size)?;
    if let Some(damage) = &done.damage {
        broken(sink, "zlib", damage);
    }
    Ok((done.bytes, done.more))
}

fn lzma(stored: &[u8], size: usize, sink: &mut Sink) -> Bounded {
    use lzma_rs::decompress::{Options, UnpackedSize};
    let mut bounded = Bounded { bytes: Vec::new(), size, more: false };
    let Some((properties, data)) = stored.get(LZMA_SIZE_BYTES..).and_then(|s| s.split_first_chunk::<5>())
    else {
        broken(sink, "LZMA", &"it is cut off");
        return bounded;
    };
    let [model, dictionary @ ..] = *properties;
    // A window larger than the whole file is not needed; the decoder allocates as much memory as the header states.
    let window = u32::from_le_bytes(dictionary).min(size.max(1 << 12).try_into().unwrap_or(u32::MAX));
    let mut header = vec![model];
    header.extend_from_slice(&window.to_le_bytes());
    let options = Options {
        // The stream has an end marker.
        unpacked_size: UnpackedSize::UseProvided(None),
        memlimit: None,
        allow_incomplete: true,
    };
    let mut input = BufReader::new(header.as_slice().chain(data));
    let result = lzma_rs::lzma_decompress_with_options(&mut input, &mut bounded, &options);
    if let (Err(error), true) = (result, bounded.bytes.len() < size) {
        broken(sink, "LZMA", &error);
    }
    bounded
}

/// Accepts bytes up to a size, then fails, which stops the decoder.
struct Bounded {
    bytes: Vec<u8>,
    size: usize,
    /// Whether there were more bytes.
    more: bool,
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = self.size - self.bytes.len();
        self.more |= bytes.len() > room;
        if room == 0 {
            return Err(io::Error::other("the data continues past the size in the header"));
        }
        let (taken, _) = bytes.split_at(room.min(bytes.len()));
        self.bytes.extend_from_slice(taken);
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
