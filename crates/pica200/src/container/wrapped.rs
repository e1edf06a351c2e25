//! Shader binaries inside of other files.

use super::bytes::u32_at;
use super::compression::{expand, expanded_size};
use super::contents::contents;
use super::extent::scan;
use super::parts::{codes, names};
use super::{Shbin, Wrapper};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};

/// A shader binary inside of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded<'a> {
    /// Its name in the file.
    pub name: String,
    /// The offset of the binary in the file, or of its base64 or of the compressed code that contains it.
    pub offset: usize,
    /// The binary.
    pub bytes: Cow<'a, [u8]>,
}

/// The shader binaries of a file that is a [`Wrapper`]. Damaged ones are left out and reported.
///
/// # Errors
/// `limit-exceeded`.
pub fn embedded<'a>(
    wrapper: Wrapper,
    bytes: &'a [u8],
    limits: &Limits,
) -> Result<(Vec<Embedded<'a>>, Vec<Diagnostic>), Diagnostic> {
    limits.check(Limit::File, "bytes of the file", bytes.len())?;
    let mut found = Vec::new();
    let mut faults = Sink::new(limits.diagnostics);
    let mut take = |one: Result<Embedded<'a>, Diagnostic>| {
        match one {
            Ok(e) => found.push(e),
            Err(d) => faults.push(d),
        }
        limits.check(Limit::Programs, "programs", found.len())
    };
    match wrapper {
        Wrapper::Cgfx => cgfx(bytes).try_for_each(&mut take)?,
        Wrapper::Csdr => csdr(bytes).try_for_each(&mut take)?,
        _ => {
            for range in scan(bytes) {
                let block = bytes.get(range.clone()).unwrap_or_default();
                take(Ok(Embedded { name: String::new(), offset: range.start, bytes: Cow::Borrowed(block) }))?;
            }
            let mut expanded = 0usize;
            for code in codes(wrapper, bytes) {
                let part = bytes.get(code.clone()).unwrap_or_default();
                let Some(size) = expanded_size(part) else { continue };
                expanded = expanded.saturating_add(size);
                if let Err(d) = limits.check(Limit::File, "bytes of expanded code", expanded) {
                    take(Err(d.at_bytes(code, "the compressed code")))?;
                    break;
                }
                compressed(part, code).try_for_each(&mut take)?;
            }
        }
    }
    found.sort_by_key(|e: &Embedded<'_>| e.offset);
    let offsets: Vec<usize> = found.iter().map(|e: &Embedded<'_>| e.offset).collect();
    for (e, name) in found.iter_mut().zip(names(wrapper, bytes, &offsets)) {
        if !name.is_empty() {
            e.name = name;
        }
    }
    let lacks = |range: &Range<usize>| !offsets.iter().any(|at| range.contains(at));
    if wrapper == Wrapper::Ncch && found.is_empty() && encrypted(bytes) {
        let d = is_encrypted("the content is encrypted");
        faults.push(d.at_bytes(NCCH_FLAGS..NCCH_FLAGS + 1, "no bit states that it is not"));
    }
    for (n, content) in contents(wrapper, bytes).into_iter().enumerate().filter(|(_, c)| lacks(&c.range)) {
        let part = content.of(bytes);
        if content.encrypted {
            let d = is_encrypted(&format!("content {n} is encrypted with the key of the title"));
            faults.push(d.at_bytes(content.range, "this content"));
        } else if Wrapper::sniff(part) == Some(Wrapper::Ncch) && encrypted(part) {
            let at = content.range.start + NCCH_FLAGS;
            let d = is_encrypted(&format!("content {n} is encrypted"));
            faults.push(d.at_bytes(at..at + 1, "no bit states that it is not"));
        }
    }
    Ok((found, faults.finish()))
}

fn is_encrypted(what: &str) -> Diagnostic {
    let text = format!("{what}: its shader binaries cannot be found");
    Diagnostic::error("shbin-encrypted", text).help("decrypt the file with a tool for it first")
}

/// The shader binaries in compressed code, which is in this range of the file.
fn compressed<'a>(
    code: &[u8],
    place: Range<usize>,
) -> impl Iterator<Item = Result<Embedded<'a>, Diagnostic>> + use<'a> {
    let expanded = expand(code);
    // Plain code can end like compressed code.
    let text = "the code ends like compressed code and cannot be expanded, so it is not searched";
    let damaged = expanded
        .is_none()
        .then(|| Err(Diagnostic::warning("shbin-expand", text).at_bytes(place.clone(), "this code")));
    let expanded = expanded.unwrap_or_default();
    let found: Vec<Vec<u8>> =
        scan(&expanded).filter_map(|range| Some(expanded.get(range)?.to_vec())).collect();
    let embedded =
        move |bytes| Ok(Embedded { name: String::new(), offset: place.start, bytes: Cow::Owned(bytes) });
    damaged.into_iter().chain(found.into_iter().map(embedded))
}

/// Where an NCCH states how it is encrypted.
const NCCH_FLAGS: usize = 0x18f;

/// Whether an NCCH does not state that it is not encrypted.
fn encrypted(bytes: &[u8]) -> bool {
    const NOT_ENCRYPTED: u8 = 4;
    bytes.get(NCCH_FLAGS).is_some_and(|flags| flags & NOT_ENCRYPTED == 0)
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|w| w == what)
}

/// Every `SHDR` block that refers to a shader binary. Offsets count from the word that contains them.
fn cgfx(bytes: &[u8]) -> impl Iterator<Item = Result<Embedded<'_>, Diagnostic>> {
    let blocks =
        (4..bytes.len()).step_by(4).filter(|at| bytes.get(*at..).is_some_and(|b| b.starts_with(b"SHDR")));
    blocks.filter_map(|at| {
        let size = u32_at(bytes, at + 0x14)? as usize;
        let field = at + 0x18;
        let offset = field.checked_add(u32_at(bytes, field)? as usize)?;
        let name_field = at + 8;
        let name =
            bytes.get(name_field.checked_add(u32_at(bytes, name_field)? as usize)?..).unwrap_or_default();
        let name = name.split(|b| *b == 0).next().unwrap_or_default();
        let name = core::str::from_utf8(name).ok().filter(|n| n.len() <= 256).unwrap_or("SHDR");
        let block = bytes.get(offset..).and_then(|b| b.get(..size));
        Some(match block {
            Some(block) if Shbin::sniff(block) => {
                Ok(Embedded { name: name.into(), offset, bytes: Cow::Borrowed(block) })
            }
            _ => {
                let d = Diagnostic::error("shbin-range", "an SHDR block does not refer to a shader binary");
                Err(d.at_bytes(at + 0x14..at + 0x1c, "size and offset"))
            }
        })
    })
}

/// The text of every `BinaryData` element.
fn csdr(bytes: &[u8]) -> impl Iterator<Item = Result<Embedded<'_>, Diagnostic>> {
    const OPEN: &[u8] = b"<BinaryData>";
    let mut at = 0;
    let mut name = String::new();
    core::iter::from_fn(move || {
        let rest = bytes.get(at..)?;
        let open = find(rest, OPEN)?;
        // The element around it has the name.
        let before = rest.get(..open).unwrap_or_default();
        if let Some(named) = attribute(before) {
            name = String::from_utf8_lossy(named).into_owned();
        }
        let offset = at + open + OPEN.len();
        let data = bytes.get(offset..).unwrap_or_default();
        let data = data.split(|b| *b == b'<').next().unwrap_or_default();
        at = offset + data.len();
        Some(match base64(data).filter(|b| Shbin::sniff(b)) {
            Some(binary) => Ok(Embedded { name: name.clone(), offset, bytes: Cow::Owned(binary) }),
            None => {
                let d = Diagnostic::error(
                    "shbin-base64",
                    format!("shader {name:?} is not a shader binary in base64"),
                );
                Err(d.at_bytes(offset..at, ""))
            }
        })
    })
}

/// The value of the last `Name` of a `ShaderCtr` element.
fn attribute(text: &[u8]) -> Option<&[u8]> {
    const ELEMENT: &[u8] = b"<ShaderCtr";
    const NAME: &[u8] = b"Name=\"";
    let at = text.windows(ELEMENT.len()).rposition(|w| w == ELEMENT)?;
    let element = text.get(at..)?.split(|b| *b == b'>').next()?;
    let value = element.get(find(element, NAME)? + NAME.len()..)?;
    value.split(|b| *b == b'"').next()
}

/// Base64 with its standard alphabet; blanks are skipped. `None` if it contains anything else.
fn base64(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut have, mut ended) = (0u32, 0, false);
    for &b in text.iter().filter(|b| !b.is_ascii_whitespace()) {
        let value = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            b'=' => {
                ended = true;
                continue;
            }
            _ => return None,
        };
        if ended {
            return None;
        }
        bits = bits << 6 | u32::from(value);
        have += 6;
        if have >= 8 {
            have -= 8;
            out.push((bits >> have) as u8);
        }
    }
    Some(out)
}
