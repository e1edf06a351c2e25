//! Messages of JSON-RPC, and errors of requests.

use serde_json::{Value, json};
use shisa::diag::Limits;

/// The largest size of a message in bytes: a document may be as large as [`Limits::file`], and JSON writes a character
/// with up to six bytes.
pub fn message_bytes(limits: &Limits) -> usize {
    limits.file.saturating_mul(6).saturating_add(1 << 20)
}

/// Why a request failed.
#[derive(Debug)]
pub(crate) struct Wrong {
    code: i32,
    text: String,
}

/// What a request leads to.
pub(crate) type Answer = Result<Value, Wrong>;

impl Wrong {
    /// The message is no request.
    pub(crate) fn request(text: impl Into<String>) -> Wrong {
        Wrong { code: -32600, text: text.into() }
    }

    /// The method does not exist.
    pub(crate) fn method(name: &str) -> Wrong {
        Wrong { code: -32601, text: format!("the method \"{}\" is not supported", shisa::diag::escape(name)) }
    }

    /// The parameters do not fit.
    pub(crate) fn parameters(text: impl Into<String>) -> Wrong {
        Wrong { code: -32602, text: text.into() }
    }

    /// The first request must be `initialize`.
    pub(crate) fn uninitialized() -> Wrong {
        Wrong { code: -32002, text: "the first request must be \"initialize\"".into() }
    }

    /// The document has changed since the request.
    pub(crate) fn outdated() -> Wrong {
        Wrong { code: -32801, text: "the document has changed since the request".into() }
    }

    /// The client has cancelled the request.
    pub(crate) fn cancelled() -> Wrong {
        Wrong { code: -32800, text: "the request was cancelled".into() }
    }

    /// The request cannot be fulfilled, although it is valid.
    pub(crate) fn failed(text: impl Into<String>) -> Wrong {
        Wrong { code: -32803, text: text.into() }
    }

    /// Its text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// The message that bytes are.
///
/// # Errors
/// The response for bytes that are no JSON.
pub fn message(bytes: &[u8]) -> Result<Value, Value> {
    serde_json::from_slice(bytes).map_err(|e| {
        response(&Value::Null, Err(Wrong { code: -32700, text: format!("a message is no JSON: {e}") }))
    })
}

/// The response to a request.
pub(crate) fn response(id: &Value, answer: Answer) -> Value {
    match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Wrong { code, text }) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}})
        }
    }
}

/// A notification.
pub(crate) fn notification(method: &str, params: Value) -> Value {
    json!({"jsonrpc": "2.0", "method": method, "params": params})
}
