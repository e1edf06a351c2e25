//! Puts shader binaries back into the files that contain them.

use super::bytes::u32_at;
use super::contents::{Title, contents};
use super::parts::{EXEFS_FILES, EXEFS_HEADER, IVFC_HEADER, block, exefs_file, exefs_of, level3, romfs_of};
use super::sha256::{HASH, sha256};
use super::wrapped::embedded;
use super::wrapper::{MEDIA_UNIT, NCCH_MAGIC, Wrapper};
use alloc::{borrow::Cow, format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits};

/// Replaces a shader binary of a file, by its number from 0 among those that [`embedded`] finds. The new binary takes the
/// bytes of the old one, the rest of which become zero; in base64 it may have any size. Hashes of file systems that held
/// before hold again. Returns the file, and warnings.
///
/// # Errors
/// `shbin-room` if the new binary is larger than the old one; `shbin-compressed` if that is in compressed code; `shbin-absent` if there is no binary of this number;
/// `limit-exceeded`.
pub fn replace(
    wrapper: Wrapper,
    bytes: &[u8],
    number: usize,
    new: &[u8],
    limits: &Limits,
) -> Result<(Vec<u8>, Vec<Diagnostic>), Diagnostic> {
    let (found, _) = embedded(wrapper, bytes, limits)?;
    let Some(old) = found.get(number) else {
        let text = format!("there is no shader binary {}: the file has {}", number + 1, found.len());
        return Err(Diagnostic::error("shbin-absent", text));
    };
    if wrapper == Wrapper::Csdr {
        let text = bytes.get(old.offset..).unwrap_or_default();
        let end = old.offset + text.iter().position(|b| *b == b'<').unwrap_or(text.len());
        let parts = [&bytes[..old.offset], &base64(new), &bytes[end..]];
        return Ok((parts.concat(), Vec::new()));
    }
    if let Cow::Owned(_) = old.bytes {
        let text = "the shader binary is in compressed code, into which none can be put back";
        let d = Diagnostic::error("shbin-compressed", text).at_bytes(old.offset..old.offset, "this code");
        return Err(d.help("extract and expand the code first"));
    }
    let place = old.offset..old.offset + old.bytes.len();
    if new.len() > place.len() {
        let text = format!("the new shader binary has {} bytes, the old one {}", new.len(), place.len());
        let d = Diagnostic::error("shbin-room", text).at_bytes(place, "the old one");
        return Err(d.help("other parts of the file follow it: make the program smaller"));
    }
    Ok(put(wrapper, bytes, &place, new))
}

/// Writes a shader binary over an old one, and brings the hashes of the file up to date.
fn put(wrapper: Wrapper, bytes: &[u8], place: &Range<usize>, new: &[u8]) -> (Vec<u8>, Vec<Diagnostic>) {
    let mut file = File { before: bytes, bytes: bytes.to_vec(), warnings: Vec::new() };
    if let Some(content) = contents(wrapper, bytes).into_iter().find(|c| c.range.contains(&place.start)) {
        let at = content.range.start;
        let (part, warnings) =
            put(Wrapper::Ncch, content.of(bytes), &(place.start - at..place.end - at), new);
        file.bytes[at..at + part.len()].copy_from_slice(&part);
        file.warnings = warnings;
        if let Some(record) = content.record {
            file.hash(content.range, record.start + 0x10, "the content");
            for (of, at) in Title::of(bytes).hashes(bytes) {
                file.hash(of, at, "the title's metadata");
            }
        }
        return (file.bytes, file.warnings);
    }
    file.bytes[place.clone()].fill(0);
    file.bytes[place.start..place.start + new.len()].copy_from_slice(new);
    match wrapper {
        Wrapper::ExeFs => file.exefs(0, place),
        Wrapper::RomFs => file.romfs(0, place),
        Wrapper::Ncch => file.ncch(place),
        _ => {}
    }
    (file.bytes, file.warnings)
}

/// A file with a change, whose hashes are brought up to date.
struct File<'a> {
    before: &'a [u8],
    bytes: Vec<u8>,
    warnings: Vec<Diagnostic>,
}

impl File<'_> {
    fn number(&self, at: usize) -> usize {
        u32_at(self.before, at).unwrap_or(0) as usize
    }

    /// Writes the hash of some bytes if it held before the change. Bytes past the file count as zeros, up to the end of
    /// the range.
    fn hash(&mut self, of: Range<usize>, at: usize, what: &str) {
        let hashed = |bytes: &[u8]| {
            let data = bytes.get(of.start..of.end.min(bytes.len())).unwrap_or_default();
            let mut data = data.to_vec();
            data.resize(of.len(), 0);
            sha256(&data)
        };
        let place = at..at.saturating_add(HASH);
        if of.len() <= self.before.len() && self.before.get(place.clone()) == Some(&hashed(self.before)[..]) {
            let new = hashed(&self.bytes);
            self.bytes[place].copy_from_slice(&new);
        } else {
            let text = format!("the hash of {what} did not hold before, and is not changed");
            self.warnings.push(Diagnostic::warning("shbin-hash", text).at_bytes(at..at, ""));
        }
    }

    /// The hash of the file of an ExeFS that changed. Hashes are in the reverse order at the end of the header.
    fn exefs(&mut self, start: usize, changed: &Range<usize>) {
        for file in 0..EXEFS_FILES {
            let range = exefs_file(self.before, start, file);
            if range.contains(&changed.start) {
                self.hash(range, start + EXEFS_HEADER - HASH * (file + 1), "the file");
            }
        }
    }

    /// The hashes of an IVFC: of blocks of the files in level 2, of its blocks in level 1, and of those after the header.
    /// In the file, level 3 comes first.
    fn romfs(&mut self, start: usize, changed: &Range<usize>) {
        let sizes = [0x14, 0x2c, 0x44].map(|field| self.number(start.saturating_add(field)));
        let blocks = [0x1c, 0x34, 0x4c].map(|field| block(self.before, start, field));
        let padded = |level: usize| sizes[level].div_ceil(blocks[level]).saturating_mul(blocks[level]);
        let third = level3(self.before, start);
        let first = third.saturating_add(padded(2));
        let second = first.saturating_add(padded(0));
        let mut changed = changed.clone();
        for (level, data, hashes) in
            [(2, third, second), (1, second, first), (0, first, start.saturating_add(IVFC_HEADER))]
        {
            let Some(from) = changed.start.checked_sub(data) else { return };
            let size = blocks[level];
            let numbers = from / size..(changed.end - data).div_ceil(size);
            for n in numbers.clone() {
                let block = data + n * size;
                self.hash(block..block + size, hashes.saturating_add(n * HASH), "a block of the RomFS");
            }
            changed = hashes.saturating_add(numbers.start * HASH)..hashes.saturating_add(numbers.end * HASH);
        }
    }

    /// The hashes in the parts of an NCCH, and those of the beginnings of the parts in its header.
    fn ncch(&mut self, changed: &Range<usize>) {
        let (exefs, romfs) = (exefs_of(self.before), romfs_of(self.before));
        let hashed = |file: &Self, field: usize| file.number(NCCH_MAGIC + field).saturating_mul(MEDIA_UNIT);
        if exefs.contains(&changed.start) {
            self.exefs(exefs.start, changed);
            let size = hashed(self, 0xa8);
            self.hash(exefs.start..exefs.start.saturating_add(size), NCCH_MAGIC + 0xc0, "the ExeFS's header");
        } else if romfs.contains(&changed.start) {
            self.romfs(romfs.start, changed);
            let size = hashed(self, 0xb8);
            self.hash(romfs.start..romfs.start.saturating_add(size), NCCH_MAGIC + 0xe0, "the RomFS's header");
        }
        let text =
            "the signature of the file does not hold any more: only changed systems and emulators run it";
        self.warnings.push(Diagnostic::warning("shbin-signature", text).at_bytes(0..NCCH_MAGIC, ""));
    }
}

/// Base64 with its standard alphabet.
fn base64(bytes: &[u8]) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let four = |three: &[u8]| {
        let byte = |n: usize| u32::from(three.get(n).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let letter = |n: u32| LETTERS[(bits >> (18 - 6 * n) & 63) as usize];
        [0, 1, 2, 3].map(|n| if n as usize <= three.len() { letter(n) } else { b'=' })
    };
    bytes.chunks(3).flat_map(four).collect()
}
