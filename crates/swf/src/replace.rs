//! Puts programs back into the binary data of a SWF.

use crate::container::{Compression, Decompressed, HEADER_BYTES, open};
use crate::tags::each;
use crate::{Content, Found, Place, Step, internal};
use flate2::write::ZlibEncoder;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};
use std::io::{BufReader, Write};
use swf::TagCode;

/// The SWF with other bytes in place of a program that [`crate::extract`] found in its binary data. Sizes are updated,
/// and the body is compressed as before; LZMA is written without finding repetitions.
///
/// # Errors
/// `swf-put` if the program is not bytes of their own in the binary data of this SWF; faults of the SWF;
/// `limit-exceeded`.
pub fn replace(bytes: &[u8], found: &Found, program: &[u8], limits: &Limits) -> Result<Vec<u8>, Diagnostic> {
    let number = tag(found)?;
    let Content::Program(old) = &found.content else {
        return Err(refused("it is a source").help("edit the source, and embed it again"));
    };
    let mut sink = Sink::new(limits.diagnostics);
    let (header, body) = open(bytes, &mut Decompressed::new(limits), &mut sink)?;
    if let Some(damage) = sink.finish().into_iter().next() {
        return Err(damage);
    }
    let tag = each(&body, header.version).filter_map(Result::ok).find(|tag| tag.number == number);
    let tag = tag.filter(|tag| tag.code == Some(TagCode::DefineBinaryData));
    let place = tag.and_then(|tag| {
        let at = found.offset.checked_sub(tag.offset)?;
        let stored = tag.data.get(at..)?.get(..old.len())?;
        (stored == old.as_slice()).then_some((tag, at))
    });
    let Some((tag, at)) = place else { return Err(refused("its bytes are stored as text, such as base64")) };
    let mut data = tag.data.to_vec();
    data.splice(at..at + old.len(), program.iter().copied());
    // A long header states any size.
    let size = u32::try_from(data.len()).map_err(|_| refused("the new program is too long"))?;
    let kind = (TagCode::DefineBinaryData as u16) << 6 | 0x3f;
    let (before, after) = (tag.start - HEADER_BYTES, tag.offset + tag.data.len() - HEADER_BYTES);
    let (Some(before), Some(after)) = (body.get(..before), body.get(after..)) else {
        return Err(internal(format!("tag {number} reaches past the body")));
    };
    let parts = [before, &kind.to_le_bytes(), &size.to_le_bytes(), &data, after];
    let body = parts.concat();
    limits.check(Limit::File, "bytes of the decompressed SWF", body.len() + HEADER_BYTES)?;
    written(bytes, header.compression, &body)
}

/// The tag that contains the program itself.
fn tag(found: &Found) -> Result<u32, Diagnostic> {
    match (&found.place, found.path.as_slice()) {
        (Place::BinaryData { .. }, [Step::Tag(number)]) => Ok(*number),
        (Place::String { .. } | Place::Built { .. }, _) => {
            Err(refused("byte code builds it from constants").help("change the ActionScript that builds it"))
        }
        _ => Err(refused("it is in a file inside of the file").help("extract that file first")),
    }
}

fn refused(why: &str) -> Diagnostic {
    Diagnostic::error("swf-put", format!("the program cannot be replaced: {why}"))
}

/// A SWF with a body.
fn written(old: &[u8], compression: Compression, body: &[u8]) -> Result<Vec<u8>, Diagnostic> {
    let size =
        u32::try_from(body.len() + HEADER_BYTES).map_err(|_| refused("the new program is too long"))?;
    let (magic, _) =
        old.split_at_checked(HEADER_BYTES - 4).ok_or_else(|| internal("a SWF has no header".into()))?;
    let mut file = magic.to_vec();
    file.extend(size.to_le_bytes());
    let failed = |e: &dyn std::fmt::Display| Diagnostic::error("swf-compression", e.to_string());
    match compression {
        Compression::None => file.extend_from_slice(body),
        Compression::Zlib => {
            let mut encoder = ZlibEncoder::new(&mut file, flate2::Compression::best());
            encoder.write_all(body).and_then(|()| encoder.finish().map(|_| ())).map_err(|e| failed(&e))?;
        }
        Compression::Lzma => {
            /// Bytes of the properties, and of the size after them, which a SWF has elsewhere.
            const PROPERTIES: usize = 5;
            const SIZE: usize = 8;
            let mut packed = Vec::new();
            lzma_rs::lzma_compress(&mut BufReader::new(body), &mut packed).map_err(|e| failed(&e))?;
            let parts = packed.split_first_chunk::<PROPERTIES>();
            let (properties, data) = parts
                .and_then(|(properties, rest)| Some((properties, rest.get(SIZE..)?)))
                .ok_or_else(|| internal("the LZMA encoder wrote no header".into()))?;
            let stored = u32::try_from(data.len()).map_err(|_| refused("the new program is too long"))?;
            file.extend(stored.to_le_bytes());
            file.extend_from_slice(properties);
            file.extend_from_slice(data);
        }
    }
    Ok(file)
}
