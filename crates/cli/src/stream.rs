//! JSON written to standard output while it is made.

use crate::stop::Stop;
use serde::Serialize;
use shisa::diag::{Limit, Limits};
use std::io::{self, BufWriter, Write};

/// A writer of at most a number of bytes.
struct Bounded<W> {
    out: W,
    left: usize,
    exceeded: bool,
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(bytes.len()) {
            Some(left) => self.left = left,
            None => {
                self.exceeded = true;
                return Err(io::Error::other("the output is too long"));
            }
        }
        self.out.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes JSON to standard output, indented, with a line end after it.
///
/// # Errors
/// `limit-exceeded` if it is longer than [`Limits::text_out`].
pub(crate) fn json(value: &impl Serialize, limits: &Limits) -> shisa::Result<Result<(), Stop>> {
    let mut out =
        Bounded { out: BufWriter::new(io::stdout().lock()), left: limits.text_out, exceeded: false };
    let written = serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from);
    let written = written.and_then(|()| out.write_all(b"\n")).and_then(|()| out.flush());
    if out.exceeded {
        return Err(limits.exceeded(Limit::TextOut, "the text").into());
    }
    Ok(written.map_err(Stop::from))
}
