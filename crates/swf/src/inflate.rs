//! Decompression up to a size, also of data that is damaged after a sound part.

use flate2::{Decompress, FlushDecompress, Status};

/// Decompressed data.
#[derive(Default)]
pub(crate) struct Inflated {
    /// The bytes, up to the size that was asked for and to the first damage.
    pub(crate) bytes: Vec<u8>,
    /// Whether more bytes follow.
    pub(crate) more: bool,
    /// The damage.
    pub(crate) damage: Option<String>,
}

/// Decompresses at most `size` bytes of a deflate stream, which may be in the format of zlib.
pub(crate) fn inflate(stored: &[u8], zlib: bool, size: usize) -> Inflated {
    const CHUNK: usize = 1 << 16;
    let mut stream = Decompress::new(zlib);
    let mut chunk = vec![0; CHUNK];
    let mut done = Inflated::default();
    loop {
        let (input, output) = (stream.total_in(), stream.total_out());
        let rest = usize::try_from(input).ok().and_then(|at| stored.get(at..)).unwrap_or_default();
        // What precedes damage is written before the error is returned.
        let status = stream.decompress(rest, &mut chunk, FlushDecompress::None);
        let written = usize::try_from(stream.total_out() - output).unwrap_or(CHUNK);
        let room = size - done.bytes.len();
        done.bytes.extend_from_slice(chunk.get(..written.min(room)).unwrap_or(&chunk));
        if written > room {
            done.more = true;
            return done;
        }
        match status {
            Ok(Status::StreamEnd) => return done,
            Ok(_) if written > 0 || stream.total_in() > input => {}
            Ok(_) => {
                done.damage = Some("incomplete deflate stream".into());
                return done;
            }
            Err(e) => {
                done.damage = Some(e.to_string());
                return done;
            }
        }
    }
}
