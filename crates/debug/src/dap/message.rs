//! Messages and their framing.

use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use std::io::{self, BufRead, Read, Write};

/// The largest size of a message in bytes.
pub const MOST_BYTES: usize = 16 << 20;

/// The largest number of bytes of a line of a header.
const MOST_HEADER: u64 = 1024;

/// Messages for the client.
#[derive(Default)]
pub(super) struct Outbox {
    /// The number of the latest message.
    number: u64,
    /// The response comes before the events that its request caused.
    events: Vec<(&'static str, Value)>,
    list: Vec<Value>,
}

impl Outbox {
    /// Adds an event, which follows the response of the present request.
    pub(super) fn event(&mut self, event: &'static str, body: Value) {
        self.events.push((event, body));
    }

    /// Adds the response to a request.
    pub(super) fn respond(&mut self, request: &Value, command: &str, answer: Result<Value, Diagnostic>) {
        self.number += 1;
        let response = match answer {
            Ok(body) => json!({"success": true, "body": body}),
            Err(d) => {
                let details =
                    d.notes.iter().chain(&d.help).map(|line| format!("\n{line}")).collect::<String>();
                json!({
                    "success": false, "message": d.message,
                    "body": {"error": {"id": 1, "format": format!("{}{details}", d.message), "showUser": true}},
                })
            }
        };
        let mut message = json!({
            "seq": self.number, "type": "response", "request_seq": request["seq"], "command": command,
        });
        if let (Some(message), Value::Object(response)) = (message.as_object_mut(), response) {
            message.extend(response);
        }
        self.list.push(message);
    }

    /// Takes all messages.
    pub(super) fn take(&mut self) -> Vec<Value> {
        let mut list = std::mem::take(&mut self.list);
        for (event, body) in std::mem::take(&mut self.events) {
            self.number += 1;
            list.push(json!({"seq": self.number, "type": "event", "event": event, "body": body}));
        }
        list
    }
}

/// Reads a message: lines of a header of which one states the length, an empty line, and as many bytes of JSON. `None` at the
/// end of the input.
///
/// # Errors
/// Those of the input; invalid data if the header has no length, the message is larger than [`MOST_BYTES`], or it is no JSON.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let wrong = |text: String| io::Error::new(io::ErrorKind::InvalidData, text);
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(MOST_HEADER).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
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
