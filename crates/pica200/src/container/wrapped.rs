//! Shader binaries inside of other files.

use super::Shbin;
use super::bytes::{u32_at, word};
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// A file that contains shader binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// `.bcsdr` and other files that begin with `CGFX`.
    Cgfx,
    /// `.csdr`: XML with the binaries in base64.
    Csdr,
}

impl Wrapper {
    /// `cgfx` or `csdr`.
    pub const fn name(self) -> &'static str {
        match self {
            Wrapper::Cgfx => "cgfx",
            Wrapper::Csdr => "csdr",
        }
    }

    /// The kind of the file; `None` if these are not the first bytes of one.
    pub fn sniff(bytes: &[u8]) -> Option<Wrapper> {
        if bytes.starts_with(b"CGFX") {
            return Some(Wrapper::Cgfx);
        }
        let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
        let xml = head.trim_ascii_start().first() == Some(&b'<') || head.starts_with(b"\xef\xbb\xbf<");
        (xml && find(head, b"NintendoWareIntermediateFile").is_some()).then_some(Wrapper::Csdr)
    }
}

/// Bytes at the start of a `.csdr` in which its outermost element must begin.
const HEAD: usize = 1024;

/// A shader binary inside of another file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Embedded<'a> {
    /// Its name in the file.
    pub name: String,
    /// The offset of the binary, or of its base64, in the file.
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
    let mut faults = Vec::new();
    let mut take = |one: Result<Embedded<'a>, Diagnostic>| {
        match one {
            Ok(e) => found.push(e),
            Err(d) if faults.len() < limits.diagnostics => faults.push(d),
            Err(_) => {}
        }
        limits.check(Limit::Programs, "programs", found.len())
    };
    match wrapper {
        Wrapper::Cgfx => cgfx(bytes).try_for_each(&mut take)?,
        Wrapper::Csdr => csdr(bytes).try_for_each(&mut take)?,
    }
    Ok((found, faults))
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
        let name = bytes.get(name_field.checked_add(word(bytes, name_field) as usize)?..).unwrap_or_default();
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
