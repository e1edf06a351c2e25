//! glTF 2.0: the container of the JSON, and its buffers.

use super::document::{Document, wrong};
use super::scene::Scene;
use super::{Mesh, accessors};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_run::from_base64;

type Read<T> = Result<T, Diagnostic>;

/// How GLB begins.
pub(super) const MAGIC: &[u8] = b"glTF";
/// The kinds of chunks of GLB.
const JSON: &[u8] = b"JSON";
const BINARY: &[u8] = b"BIN\0";
/// Bytes before the first chunk, and before the contents of each.
const HEADER: usize = 12;
const CHUNK: usize = 8;

/// Reads JSON with buffers inside, or GLB.
///
/// # Errors
/// `mesh-gltf` for a damaged file, buffers in other files and parts that are not supported; `limit-exceeded`.
pub(super) fn read(bytes: &[u8], limits: &Limits) -> Read<Mesh> {
    let (json, binary) = match bytes.starts_with(MAGIC) {
        true => chunks(bytes)?,
        false => (bytes, None),
    };
    let document: Document = serde_json::from_slice(json)
        .map_err(|e| wrong(format!("the JSON is not that of a glTF file: {e}")))?;
    if !document.asset.version.starts_with("2.") {
        let version = shisa_diag::escape(&document.asset.version);
        return Err(wrong(format!("the file has version {version} of glTF; version 2 is supported")));
    }
    let mut buffers = Vec::new();
    let mut size = 0usize;
    for (number, buffer) in document.buffers.iter().enumerate() {
        let contents = match (&buffer.uri, binary) {
            (None, Some(binary)) if number == 0 => binary.to_vec(),
            (None, _) => return Err(wrong(format!("buffer {number} has no contents"))),
            (Some(uri), _) => data(uri, number)?,
        };
        size = size.saturating_add(contents.len());
        limits.check(Limit::Memory, "bytes of buffers", size)?;
        buffers.push(contents);
    }
    let data = accessors::Data { document: &document, buffers: &buffers, limits };
    Scene::new(&document, &data, limits).mesh()
}

/// The contents of a data URI.
fn data(uri: &str, number: usize) -> Read<Vec<u8>> {
    let Some(rest) = uri.strip_prefix("data:") else {
        let d = wrong(format!("buffer {number} is in another file, {}", shisa_diag::escape(uri)));
        return Err(d.help("a .glb file, or a .gltf file with embedded buffers, has everything inside"));
    };
    let base64 = rest.split_once(";base64,").map(|(_, base64)| base64);
    let contents = base64.and_then(from_base64);
    contents.ok_or_else(|| wrong(format!("the contents of buffer {number} are not base64")))
}

/// The JSON of GLB, and the first binary chunk.
fn chunks(bytes: &[u8]) -> Read<(&[u8], Option<&[u8]>)> {
    let (_, mut rest) = bytes.split_at(HEADER.min(bytes.len()));
    let (mut json, mut binary) = (None, None);
    while let Some((header, after)) = rest.split_at_checked(CHUNK) {
        let (length, kind) = header.split_at(CHUNK / 2);
        let length = length.iter().rev().fold(0usize, |size, byte| size << 8 | usize::from(*byte));
        let Some((contents, next)) = after.split_at_checked(length) else {
            return Err(wrong(format!("a chunk of {length} bytes is cut off after {}", after.len())));
        };
        match kind {
            JSON if json.is_none() => json = Some(contents),
            BINARY if binary.is_none() => binary = Some(contents),
            _ => {}
        }
        rest = next;
    }
    Ok((json.ok_or_else(|| wrong("the file has no JSON"))?, binary))
}
