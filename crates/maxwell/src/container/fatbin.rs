//! Fatbins: the same program for several chips, as machine code and as PTX.
//!
//! A header of 16 bytes (magic, version 1, its size, the size of what follows), then entries: a header of at least 64
//! bytes and the payload, padded to 8 bytes. Compilers store fatbins in host programs and libraries, one for each
//! source; there they begin at multiples of 8 bytes.

use super::bytes::u32_at;
use super::pack::Packing;
use super::reader::{Reader, within};
use alloc::{borrow::Cow, collections::BTreeMap, format, vec::Vec};
use core::ops::Range;
use shisa_diag::bytes::{outside, part, put};
use shisa_diag::{Diagnostic, Limit, Limits, Record};

/// The first four bytes as a number.
const MAGIC: u32 = 0xba55_ed50;
/// Bytes of a fatbin's header.
const HEADER: usize = 16;
/// Size in bytes of an entry's header; some versions have more.
const ENTRY: usize = 64;
/// The alignment to which payloads are padded.
const ALIGN: usize = 8;
/// The bit of [`Entry::flags`] of a payload compressed by LZ4.
const LZ4: u64 = 0x2000;
/// The bit of [`Entry::flags`] of a payload compressed by Zstandard.
const ZSTD: u64 = 0x8000;

/// A fatbin in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fatbin {
    /// Its range, including the header.
    pub range: Range<usize>,
    /// In order.
    pub entries: Vec<Entry>,
}

/// A program of a fatbin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// 1 PTX, 2 a cubin; others are known to exist.
    pub kind: u16,
    /// The chip as a number: 53 is sm_53 for a cubin, compute_53 for PTX.
    pub chip: u32,
    /// The version of the payload's format, major and minor.
    pub version: [u16; 2],
    /// Bit 0: addresses of 64 bits. Bit 1: debugging information. Bits 4 to 6: the host's system. Bits 13 and
    /// 15: compressed.
    pub flags: u64,
    /// The range of the header in the file.
    pub header: Range<usize>,
    /// The range of the stored payload in the file, without padding.
    pub payload: Range<usize>,
    /// The end of the entry.
    pub end: usize,
    /// Size of the payload in bytes after decompression.
    pub size: u64,
}

impl Entry {
    /// Whether it is a cubin.
    pub const fn is_cubin(&self) -> bool {
        self.kind == 2
    }

    /// The compression of the payload.
    pub const fn packing(&self) -> Packing {
        if self.flags & LZ4 != 0 {
            Packing::Lz4
        } else if self.flags & ZSTD != 0 {
            Packing::Zstd
        } else {
            Packing::Plain
        }
    }

    /// The decompressed payload from the bytes of the file.
    ///
    /// # Errors
    /// `fatbin-compressed`, `limit-exceeded`.
    pub fn unpack<'a>(&self, file: &'a [u8], limits: &Limits) -> Result<Cow<'a, [u8]>, Diagnostic> {
        let packed = part(file, self.payload.clone())?;
        self.packing()
            .unpack(packed, self.size, limits)
            .map_err(|d| d.at_bytes(self.payload.clone(), "the payload"))
    }
}

impl Fatbin {
    /// Whether bytes begin like a fatbin.
    pub fn sniff(bytes: &[u8]) -> bool {
        u32_at(bytes, 0) == Some(MAGIC)
    }

    /// The fatbins that a file consists of, one after the other.
    ///
    /// # Errors
    /// All that is wrong: `fatbin-magic`, `fatbin-cut`, `fatbin-range`, `limit-exceeded`.
    pub fn read(bytes: &[u8], limits: &Limits) -> Result<Vec<Fatbin>, Vec<Diagnostic>> {
        let mut reader = Reader::new(bytes, limits, ["fatbin-cut", "fatbin-range"]);
        let mut all = Vec::new();
        let (mut at, mut seen) = (0, 0);
        while at < bytes.len() || all.is_empty() {
            // Zeros may pad the file.
            if !all.is_empty() && bytes.get(at..).is_some_and(|b| b.iter().all(|b| *b == 0)) {
                break;
            }
            let Some(fatbin) = Fatbin::at(&mut reader, at, &mut seen) else { return reader.finish(None) };
            at = fatbin.range.end.next_multiple_of(ALIGN);
            all.push(fatbin);
        }
        reader.finish(Some(all))
    }

    /// The fatbins anywhere in a host program or library. Data that only looks like one is skipped.
    ///
    /// # Errors
    /// `limit-exceeded`.
    pub fn find(bytes: &[u8], limits: &Limits) -> Result<Vec<Fatbin>, Vec<Diagnostic>> {
        let mut all: Vec<Fatbin> = Vec::new();
        let (mut end, mut seen) = (0, 0);
        for (number, words) in bytes.chunks_exact(ALIGN).enumerate() {
            let at = number * ALIGN;
            if at < end || u32_at(words, 0) != Some(MAGIC) {
                continue;
            }
            let mut reader = Reader::new(bytes, limits, ["fatbin-cut", "fatbin-range"]);
            let found = Fatbin::at(&mut reader, at, &mut seen);
            match found {
                Some(fatbin) if !fatbin.entries.is_empty() => {
                    end = fatbin.range.end;
                    all.push(fatbin);
                }
                _ if reader.exceeded => {
                    return reader.finish(None);
                }
                _ => {}
            }
        }
        Ok(all)
    }

    /// The one that begins at an offset; `None` with a fault in the reader. `seen` counts entries of the file.
    fn at(reader: &mut Reader<'_, '_>, at: usize, seen: &mut usize) -> Option<Fatbin> {
        let header = reader.record::<HEADER>(at, "the header of a fatbin")?;
        let size = usize::from(header.half::<6>());
        if header.word::<0>() != MAGIC || header.half::<4>() != 1 || size < HEADER {
            let d = Diagnostic::error("fatbin-magic", "no fatbin of version 1 begins here");
            reader.sink.push(d.at_bytes(at..at + 8, "magic, version, size of the header"));
            return None;
        }
        let start = at + size;
        let range =
            reader.part(start as u64, header.long::<8>(), at + 6..at + 16, "the contents of a fatbin")?;
        let mut fatbin = Fatbin { range: at..range.end, entries: Vec::new() };
        let mut next = range.start;
        while next < range.end {
            let entry = entry(reader, next, range.end)?;
            next = entry.end;
            fatbin.entries.push(entry);
            *seen += 1;
            reader.limit(Limit::Programs, "entries of fatbins", *seen)?;
        }
        Some(fatbin)
    }

    /// Its bytes with new payloads in some entries, by their numbers, compressed like the old ones. `file` is the
    /// file that contains it.
    fn with(
        &self,
        file: &[u8],
        payloads: &BTreeMap<usize, Vec<u8>>,
        keep_size: bool,
    ) -> Result<Vec<u8>, Diagnostic> {
        let first = self.entries.first().map_or(self.range.end, |e| e.header.start);
        let mut out = part(file, self.range.start..first)?.to_vec();
        let mut last = 0;
        for (number, entry) in self.entries.iter().enumerate() {
            let start = out.len();
            let Some(payload) = payloads.get(&number) else {
                out.extend_from_slice(part(file, entry.header.start..entry.end)?);
                continue;
            };
            last = start;
            out.extend_from_slice(part(file, entry.header.clone())?);
            let packed = entry.packing().pack(payload)?;
            let padded = packed.len().next_multiple_of(ALIGN);
            put(&mut out, start + 8, &(padded as u64).to_le_bytes())?;
            if entry.packing() != Packing::Plain {
                put(&mut out, start + 16, &(packed.len() as u32).to_le_bytes())?;
                put(&mut out, start + 56, &(payload.len() as u64).to_le_bytes())?;
            }
            out.extend_from_slice(&packed);
            out.resize(out.len() + padded - packed.len(), 0);
        }
        if keep_size {
            let (old, new) = (self.range.len(), out.len());
            let Some(room) = old.checked_sub(new) else {
                let message = format!("the fatbin would have {new:#x} bytes, and has room for {old:#x}");
                let d = Diagnostic::error("fatbin-space", message).at_bytes(self.range.clone(), "");
                return Err(
                    d.help("take the fatbin out of the file, and put the new one in with the compiler")
                );
            };
            // The last written entry occupies the remaining space.
            let Some(entry) = Record::<ENTRY>::at(&out, last) else {
                return Err(outside(last..last + ENTRY, out.len()));
            };
            let (header, padded) = (entry.word::<4>() as usize, entry.long::<8>());
            put(&mut out, last + 8, &padded.wrapping_add(room as u64).to_le_bytes())?;
            let end = last + header + padded as usize;
            out.splice(end..end, core::iter::repeat_n(0, room));
        }
        let header = self.entries.first().map_or(HEADER, |e| e.header.start - self.range.start);
        let size = (out.len() - header) as u64;
        put(&mut out, 8, &size.to_le_bytes())?;
        Ok(out)
    }
}

/// The file with new payloads in some entries of its fatbins: by number of the fatbin and of the entry. In a host
/// file (`host`) each fatbin must have its old size, since nothing else may move.
///
/// # Errors
/// `fatbin-space` if a fatbin would not fit into its space.
pub(super) fn write(
    file: &[u8],
    fatbins: &[Fatbin],
    payloads: &BTreeMap<(usize, usize), Vec<u8>>,
    host: bool,
) -> Result<Vec<u8>, Diagnostic> {
    let mut out = Vec::with_capacity(file.len());
    let mut done = 0;
    for (number, fatbin) in fatbins.iter().enumerate() {
        let own: BTreeMap<usize, Vec<u8>> =
            payloads.range((number, 0)..(number + 1, 0)).map(|((_, e), p)| (*e, p.clone())).collect();
        if own.is_empty() {
            continue;
        }
        out.extend_from_slice(part(file, done..fatbin.range.start)?);
        out.extend(fatbin.with(file, &own, host)?);
        done = fatbin.range.end;
    }
    out.extend_from_slice(part(file, done..file.len())?);
    Ok(out)
}

/// The entry that begins at an offset of a fatbin that ends at `end`.
fn entry(reader: &mut Reader<'_, '_>, at: usize, end: usize) -> Option<Entry> {
    let header = reader.record::<ENTRY>(at, "the header of an entry")?;
    let size = u64::from(header.word::<4>());
    let outside = |reader: &mut Reader<'_, '_>, what: &str, field: Range<usize>| {
        let d =
            Diagnostic::error("fatbin-range", format!("{what} of an entry reaches past the fatbin's end"));
        reader.sink.push(d.at_bytes(field, "its size"));
    };
    let Some(place) = within(end, at as u64, size).filter(|p| p.len() >= ENTRY) else {
        outside(reader, "the header", at + 4..at + 8);
        return None;
    };
    let Some(padded) = within(end, place.end as u64, header.long::<8>()) else {
        outside(reader, "the payload", at + 8..at + 16);
        return None;
    };
    let mut entry = Entry {
        kind: header.half::<0>(),
        chip: header.word::<28>(),
        version: [header.half::<26>(), header.half::<24>()],
        flags: header.long::<40>(),
        header: place,
        payload: padded.clone(),
        end: padded.end,
        size: padded.len() as u64,
    };
    if entry.packing() != Packing::Plain {
        let packed = u64::from(header.word::<16>());
        let Some(payload) = within(padded.end, padded.start as u64, packed) else {
            outside(reader, "the compressed payload", at + 16..at + 20);
            return None;
        };
        (entry.payload, entry.size) = (payload, header.long::<56>());
    }
    Some(entry)
}
