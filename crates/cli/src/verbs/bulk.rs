//! Reads one item a line and writes one line for each, in order; a faulty line yields `!` and the reason.

use crate::input;
use crate::stop::Stop;
use shisa::diag::{Diagnostic, without_mark};
use std::ffi::OsStr;
use std::io::{BufRead, BufWriter, Write};

/// Length in bytes of the longest line that is read; the rest of a longer line is dropped and the line is faulty.
const LONGEST: usize = 1 << 16;

/// Passes every line to `item`, which appends its result.
pub(super) fn lines(
    name: &OsStr,
    mut item: impl FnMut(&str, &mut Vec<u8>) -> Result<(), Diagnostic>,
) -> Result<(), Stop> {
    let mut input = input::lines(name)?;
    let mut out = BufWriter::with_capacity(1 << 20, std::io::stdout().lock());
    let (mut line, mut answer, mut first) = (Vec::new(), Vec::new(), true);
    while read_line(&mut *input, &mut line).map_err(|e| Stop::file("read", name, &e))? {
        answer.clear();
        if std::mem::take(&mut first) {
            line.drain(..line.len() - without_mark(&line).len());
        }
        let done = match std::str::from_utf8(&line) {
            _ if line.len() > LONGEST => Err("the line is too long".to_owned()),
            Ok(text) => item(text.trim(), &mut answer).map_err(|d| d.message),
            Err(_) => Err("not UTF-8".to_owned()),
        };
        if let Err(reason) = done {
            answer.clear();
            answer.extend(b"! ");
            answer.extend(shisa::diag::escape(&reason).bytes());
        }
        answer.push(b'\n');
        out.write_all(&answer)?;
    }
    Ok(out.flush()?)
}

/// Reads up to the end of the line, storing at most a little more than [`LONGEST`] bytes; `false` at the end of the
/// input.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let chunk = input.fill_buf()?;
        if chunk.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = chunk.iter().position(|&b| b == b'\n');
        let part = chunk.get(..end.unwrap_or(chunk.len())).unwrap_or_default();
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(part.get(..room).unwrap_or(part));
        let used = end.map_or(chunk.len(), |e| e + 1);
        input.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}
