//! Messages and their framing.

use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use std::io::{self, BufRead, Read, Write};

/// The largest size of a message in bytes.
pub const MOST_BYTES: usize = 1 << 20;

/// The largest number of bytes of a line of a header.
const MOST_HEADER: u64 = 1024;

/// The largest number of lines of a header.
const MOST_LINES: usize = 16;

/// Messages for the client.
#[derive(Default)]
pub(super) struct Outbox {
    /// The number of the latest message.
    number: u64,
    /// The response comes before the events that its request caused.
    events: Vec<(&'static str, Value)>,
    list: Vec<Value>,
}

/// An object without its members that are null. The protocol omits what is not known.
pub(super) fn present(mut object: Value) -> Value {
    if let Value::Object(members) = &mut object {
        members.retain(|_, member| !member.is_null());
    }
    object
}

impl Outbox {
    /// Adds an event, which follows the response of the present request.
    pub(super) fn event(&mut self, event: &'static str, body: Value) {
        self.events.push((event, present(body)));
    }

    /// Adds the response to a request.
    pub(super) fn respond(&mut self, request: &Value, answer: Result<Value, Diagnostic>) {
        self.number += 1;
        let mut message = json!({
            "seq": self.number, "type": "response", "request_seq": request["seq"].as_i64().unwrap_or(0),
            "command": request["command"].as_str().unwrap_or_default(), "success": answer.is_ok(),
        });
        match answer {
            Ok(Value::Null) => {}
            Ok(body) => message["body"] = body,
            Err(d) => {
                let details =
                    d.notes.iter().chain(&d.help).map(|line| format!("\n{line}")).collect::<String>();
                // Braces of the format are variables.
                let variables = json!({"text": format!("{}{details}", d.message)});
                let error = json!({"id": 1, "format": "{text}", "variables": variables, "showUser": true});
                message["message"] = d.message.into();
                message["body"] = json!({"error": error});
            }
        }
        self.list.push(message);
    }

    /// Takes all messages.
    pub(super) fn take(&mut self) -> Vec<Value> {
        let mut list = std::mem::take(&mut self.list);
        for (event, body) in std::mem::take(&mut self.events) {
            self.number += 1;
            let message = json!({"seq": self.number, "type": "event", "event": event, "body": body});
            list.push(present(message));
        }
        list
    }
}

fn wrong(text: String) -> io::Error {
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

/// Reads a message: lines of a header of which one states the length, an empty line, and as many bytes of JSON. `None` at the
/// end of the input.
///
/// # Errors
/// Those of the input; invalid data if the header has no length or too many lines, the message is larger than [`MOST_BYTES`],
/// or it is no JSON.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
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
    if length > MOST_BYTES {
        return Err(wrong(format!("a message has {length} bytes; the largest has {MOST_BYTES}")));
    }
    let mut bytes = Vec::new();
    if input.by_ref().take(length as u64).read_to_end(&mut bytes)? < length {
        return Err(wrong("the input ends in a message".into()));
    }
    serde_json::from_slice(&bytes).map(Some).map_err(|e| wrong(format!("a message is no JSON: {e}")))
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
