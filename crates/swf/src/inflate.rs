//! Decompression up to a size, also of data that is damaged after a sound part.

use crate::internal;
use flate2::{Decompress, FlushDecompress, Status};
use shisa_diag::Diagnostic;

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
///
/// # Errors
/// `internal-swf` if the decoder took or wrote more bytes than there were.
pub(crate) fn inflate(stored: &[u8], zlib: bool, size: usize) -> Result<Inflated, Diagnostic> {
    const CHUNK: usize = 1 << 16;
    let mut stream = Decompress::new(zlib);
    let mut chunk = vec![0; CHUNK];
    let mut done = Inflated::default();
    let impossible = || internal("the deflate decoder took or wrote more bytes than there are".into());
    loop {
        let (input, output) = (stream.total_in(), stream.total_out());
        let rest = usize::try_from(input).ok().and_then(|at| stored.get(at..)).ok_or_else(impossible)?;
        // What precedes damage is written before the error is returned.
        let status = stream.decompress(rest, &mut chunk, FlushDecompress::None);
        let written = usize::try_from(stream.total_out() - output).ok().and_then(|n| chunk.get(..n));
        let written = written.ok_or_else(impossible)?;
        let room = size - done.bytes.len();
        if let Some((taken, _)) = written.split_at_checked(room).filter(|(_, more)| !more.is_empty()) {
            done.bytes.extend_from_slice(taken);
            done.more = true;
            return Ok(done);
        }
        done.bytes.extend_from_slice(written);
        match status {
            Ok(Status::StreamEnd) => return Ok(done),
            Ok(_) if !written.is_empty() || stream.total_in() > input => {}
            Ok(_) => {
                done.damage = Some("incomplete deflate stream".into());
                return Ok(done);
            }
            Err(e) => {
                done.damage = Some(e.to_string());
                return Ok(done);
            }
        }
    }
}
