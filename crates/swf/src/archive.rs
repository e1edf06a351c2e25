//! ZIP archives: SWC libraries, AIR packages and native extensions.

use crate::inflate::inflate;
use crate::{Place, Search, Step, binary};
use shisa_diag::Diagnostic;
use std::borrow::Cow;

/// The kind of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Package {
    /// A library of ActionScript: it contains `catalog.xml`.
    Swc,
    /// An application of AIR: it contains `META-INF/AIR/`.
    Air,
    /// Another ZIP archive.
    Zip,
}

impl Package {
    /// `SWC`, `AIR` or `ZIP`.
    pub const fn name(self) -> &'static str {
        match self {
            Package::Swc => "SWC",
            Package::Air => "AIR",
            Package::Zip => "ZIP",
        }
    }
}

/// Whether bytes look like a ZIP archive.
pub(crate) fn sniff(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04")
}

/// A file of an archive.
struct File {
    name: String,
    method: u16,
    /// Its size in the archive.
    packed: usize,
    /// Its size.
    size: usize,
    /// The offset of its header.
    header: usize,
}

/// Searches the files of an archive inside of `outer`.
///
/// # Errors
/// `swf-archive` if there is no list of files; `limit-exceeded`.
pub(crate) fn search(search: &mut Search<'_>, bytes: &[u8], outer: &[Step]) -> Result<Package, Diagnostic> {
    let files = list(bytes).ok_or_else(|| {
        Diagnostic::error("swf-archive", "the archive's list of files is missing or cut off")
            .at_bytes(0..bytes.len(), "")
    })?;
    for file in files.iter().filter(|f| f.size > 0) {
        let path = [outer, &[Step::File(file.name.clone())]].concat();
        match unpack(search, bytes, file) {
            Ok(Some(data)) => {
                binary::search(search, &data, 0, &path, |start| Place::File { start })?;
            }
            Ok(None) => {}
            Err(d) => search.sink.push(d),
        }
    }
    let has = |wanted: &str| files.iter().any(|f| f.name.starts_with(wanted));
    Ok(match () {
        () if has("META-INF/AIR/") => Package::Air,
        () if has("catalog.xml") => Package::Swc,
        () => Package::Zip,
    })
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..)?.get(..2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    usize::try_from(u32::from_le_bytes(bytes.get(at..)?.get(..4)?.try_into().ok()?)).ok()
}

/// The files that the directory at the end of an archive lists.
fn list(bytes: &[u8]) -> Option<Vec<File>> {
    /// Bytes of the record at the end, without its comment, and the longest comment.
    const END: usize = 22;
    const COMMENT: usize = 0xffff;
    let from = bytes.len().saturating_sub(END + COMMENT);
    let tail = bytes.get(from..)?;
    let end = from + tail.windows(4).rposition(|w| w == b"PK\x05\x06")?;
    let (count, mut at) = (short(bytes, end + 10)?, long(bytes, end + 16)?);
    let mut files = Vec::new();
    for _ in 0..count {
        if bytes.get(at..)?.get(..4)? != b"PK\x01\x02" {
            return None;
        }
        let [name, extra, comment] =
            [short(bytes, at + 28)?, short(bytes, at + 30)?, short(bytes, at + 32)?].map(usize::from);
        files.push(File {
            name: String::from_utf8_lossy(bytes.get(at + 46..)?.get(..name)?).into_owned(),
            method: short(bytes, at + 10)?,
            packed: long(bytes, at + 20)?,
            size: long(bytes, at + 24)?,
            header: long(bytes, at + 42)?,
        });
        at += 46 + name + extra + comment;
    }
    Some(files)
}

/// The contents of a file; `None` for those that cannot contain AGAL.
fn unpack<'a>(
    search: &mut Search<'_>,
    bytes: &'a [u8],
    file: &File,
) -> Result<Option<Cow<'a, [u8]>>, Diagnostic> {
    let name = shisa_diag::escape(&file.name);
    let broken = |what: &str| Diagnostic::error("swf-archive", format!("{name} in the archive {what}"));
    // The name and the extra field of the file's own header may be longer than those of the directory.
    let start = || {
        let (name, extra) = (short(bytes, file.header + 26)?, short(bytes, file.header + 28)?);
        Some(file.header + 30 + usize::from(name) + usize::from(extra))
    };
    let packed = start().and_then(|s| bytes.get(s..)?.get(..file.packed));
    let packed = packed.ok_or_else(|| broken("is cut off"))?;
    match file.method {
        0 => Ok(Some(Cow::Borrowed(packed))),
        8 => {
            search.decompressed.add(&name, file.size)?;
            let done = inflate(packed, false, file.size)?;
            let found = if done.more { "more".into() } else { done.bytes.len().to_string() };
            if let Some(damage) = done.damage {
                search.sink.push(broken(&format!("is broken: {damage}")));
            } else if done.more || done.bytes.len() < file.size {
                search
                    .sink
                    .push(broken(&format!("has {} bytes by the list of files, but {found}", file.size)));
            }
            Ok(Some(Cow::Owned(done.bytes)))
        }
        method => Err(broken(&format!("is compressed by method {method}; 0 and 8 (deflate) are understood"))),
    }
}
