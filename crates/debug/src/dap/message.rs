//! Messages.

use crate::framing::{self, wrong};
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use std::io::{self, BufRead};

/// The largest size of a message in bytes.
pub const MOST_BYTES: usize = 1 << 20;

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

/// Reads a message, as [`framing::read`] does. `None` at the end of the input.
///
/// # Errors
/// Those of [`framing::read`] with [`MOST_BYTES`]; invalid data if the message is no JSON.
pub fn read(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let Some(bytes) = framing::read(input, MOST_BYTES)? else { return Ok(None) };
    serde_json::from_slice(&bytes).map(Some).map_err(|e| wrong(format!("a message is no JSON: {e}")))
}
