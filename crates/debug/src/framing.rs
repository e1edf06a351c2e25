//! Framing of messages, which the Debug Adapter Protocol and the Language Server Protocol share.

use serde_json::Value;
use std::io::{self, BufRead, Read, Write};

/// The largest number of bytes of a line of a header.
const MOST_HEADER: u64 = 1024;

/// The largest number of lines of a header.
const MOST_LINES: usize = 16;

/// The error for data that are no message.
pub(crate) fn wrong(text: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, text)
}

/// A line of a header; `None` at the end of the input.
fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    input.by_ref().take(MOST_HEADER).read_until(b'\n', &mut bytes)?;
    match bytes.last() {
        None => Ok(None),
        Some(b'\n') => Ok(Some(String::from_utf8_lossy(&bytes).trim_end().to_owned())),
        Some(_) if bytes.len() as u64 == MOST_HEADER => {
            Err(wrong(format!("a line of a header has more than {MOST_HEADER} bytes")))
        }
        Some(_) => Err(wrong("the input ends in a header".into())),
    }
}

/// Reads the bytes of a message: lines of a header of which one states the length, an empty line, and as many bytes. `None` at
/// the end of the input.
///
/// # Errors
/// Those of the input; invalid data if the header has no length or too many lines, or the message has more than `most` bytes.
pub fn read(input: &mut impl BufRead, most: usize) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    for number in 0.. {
        let Some(line) = line(input)? else {
            return if number == 0 { Ok(None) } else { Err(wrong("the input ends in a header".into())) };
        };
        if line.is_empty() {
            break;
        }
        if number == MOST_LINES {
            return Err(wrong(format!("a header has more than {MOST_LINES} lines")));
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            let value = value.trim();
            let not_a_size = |_| wrong(format!("Content-Length is not a number of bytes: {value:?}"));
            length = Some(value.parse::<usize>().map_err(not_a_size)?);
        }
    }
    let length = length.ok_or_else(|| wrong("a message has no Content-Length".into()))?;
    if length > most {
        return Err(wrong(format!("a message has {length} bytes; the largest has {most}")));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Err(wrong("the input ends in a message".into()));
    }
    Ok(Some(bytes))
}

/// Writes a message with its header.
///
/// # Errors
/// Those of the output.
pub fn write(output: &mut impl Write, message: &Value) -> io::Result<()> {
    let text = message.to_string();
    write!(output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    output.flush()
}
