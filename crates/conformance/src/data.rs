//! Where conformance data is read from.

use crate::Error;
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// A set of files, by paths such as `agal/run/op_add.json`.
#[derive(Debug)]
pub enum Data {
    /// Files below a folder. One packed by zstd is found by its name without `.zst`.
    Folder(PathBuf),
    /// The corpus of one family.
    Packed(Pack),
}

impl Data {
    /// The part of the repository's corpus that belongs to a family.
    ///
    /// # Errors
    /// The file is missing or damaged.
    pub fn corpus(family: &str) -> Result<Data, Error> {
        let path = corpus_file(family);
        let packed = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let mut bytes = Vec::new();
        ZlibDecoder::new(packed.as_slice()).read_to_end(&mut bytes)?;
        Pack::read(&bytes).map(Data::Packed).ok_or_else(|| format!("{} is damaged", path.display()).into())
    }

    /// The contents of a file.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn read(&self, name: &str) -> Result<Vec<u8>, Error> {
        match self {
            Data::Folder(dir) => {
                let (plain, packed) = (dir.join(name), dir.join(format!("{name}.zst")));
                if packed.exists() {
                    return unpacked(&packed);
                }
                std::fs::read(&plain).map_err(|e| format!("{}: {e}", plain.display()).into())
            }
            Data::Packed(pack) => {
                pack.files.get(name).cloned().ok_or_else(|| format!("the corpus has no {name}").into())
            }
        }
    }

    /// The text of a file.
    ///
    /// # Errors
    /// There is none of this name, or it is no text.
    pub fn text(&self, name: &str) -> Result<String, Error> {
        Ok(String::from_utf8(self.read(name)?)?)
    }

    /// The values of a file of JSON lines.
    ///
    /// # Errors
    /// There is none of this name, or a line is no JSON.
    pub fn values(&self, name: &str) -> Result<Vec<serde_json::Value>, Error> {
        Ok(self.text(name)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
    }

    /// Whether there is a file of this name.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Data::Folder(dir) => dir.join(name).exists() || dir.join(format!("{name}.zst")).exists(),
            Data::Packed(pack) => pack.files.contains_key(name),
        }
    }

    /// The files of a folder, without those of folders below it, whose names end so; sorted.
    ///
    /// # Errors
    /// The folder is missing or has no such file.
    pub fn list(&self, folder: &str, ending: &str) -> Result<Vec<String>, Error> {
        let names: Vec<String> = match self {
            Data::Folder(dir) => {
                let paths = files(&dir.join(folder), "")?;
                let named = |p: &PathBuf| p.file_name().and_then(|n| n.to_str()).map(str::to_owned);
                let names = paths.iter().filter(|p| p.is_file()).filter_map(named);
                names.map(|n| format!("{folder}/{}", n.strip_suffix(".zst").unwrap_or(&n))).collect()
            }
            Data::Packed(pack) => {
                let inside = |name: &&String| {
                    name.strip_prefix(folder)
                        .and_then(|n| n.strip_prefix('/'))
                        .is_some_and(|n| !n.contains('/'))
                };
                pack.files.keys().filter(inside).cloned().collect()
            }
        };
        let names: Vec<String> = names.into_iter().filter(|n| n.ends_with(ending)).collect();
        if names.is_empty() { Err(format!("{folder} has no {ending}").into()) } else { Ok(names) }
    }
}

/// The name of a file without its folder.
pub(crate) fn file_name(name: &str) -> &str {
    name.rsplit_once('/').map_or(name, |(_, file)| file)
}

/// The name of a file without its folder and what follows the last dot.
pub(crate) fn stem(name: &str) -> &str {
    let file = file_name(name);
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Where the corpus of a family is.
fn corpus_file(family: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(format!("{family}.pack"))
}

/// Files in one.
#[derive(Debug, Default)]
pub struct Pack {
    /// Their contents, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl Pack {
    /// The files of a pack: for each a line with its length and its name, then its bytes.
    fn read(bytes: &[u8]) -> Option<Pack> {
        let (mut files, mut rest) = (BTreeMap::new(), bytes);
        while !rest.is_empty() {
            let end = rest.iter().position(|b| *b == b'\n')?;
            let (length, name) = std::str::from_utf8(&rest[..end]).ok()?.split_once(' ')?;
            let length: usize = length.parse().ok()?;
            files.insert(name.to_owned(), rest.get(end + 1..end + 1 + length)?.to_vec());
            rest = &rest[end + 1 + length..];
        }
        Some(Pack { files })
    }

    /// Writes the pack as the corpus of a family, in the format zlib; how many bytes that takes. The same files give the
    /// same bytes.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, family: &str) -> Result<usize, Error> {
        let mut bytes = Vec::new();
        for (name, file) in &self.files {
            bytes.extend_from_slice(format!("{} {name}\n", file.len()).as_bytes());
            bytes.extend_from_slice(file);
        }
        let mut packer = ZlibEncoder::new(Vec::new(), Compression::best());
        packer.write_all(&bytes)?;
        let packed = packer.finish()?;
        let path = corpus_file(family);
        std::fs::write(&path, &packed).map_err(|e| format!("{}: {e}", path.display()))?;
        Ok(packed.len())
    }
}

/// The contents of a file packed by zstd.
///
/// # Errors
/// The file is missing or damaged.
pub fn unpacked(path: &Path) -> Result<Vec<u8>, Error> {
    let packed = std::fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut bytes = Vec::new();
    ruzstd::decoding::StreamingDecoder::new(packed.as_slice())?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The entries of a folder whose paths end so, sorted.
///
/// # Errors
/// The folder cannot be read.
pub fn files(dir: &Path, ending: &str) -> Result<Vec<PathBuf>, Error> {
    let entries = std::fs::read_dir(dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut list = entries.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>()?;
    list.retain(|path| path.to_str().is_some_and(|p| p.ends_with(ending)));
    list.sort();
    Ok(list)
}
