use super::{Adapter, Launcher, MOST_BYTES, read, write};
use crate::session::Session;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// A launcher that opens nothing.
struct Nothing;

impl Launcher for Nothing {
    fn launch(&mut self, _: &Value) -> Result<Session, Diagnostic> {
        Err(super::wrong("there is no program"))
    }
}

fn ask(adapter: &mut Adapter<Nothing>, command: &str, arguments: Value) -> Vec<Value> {
    adapter.handle(&json!({"seq": 9, "type": "request", "command": command, "arguments": arguments}))
}

#[test]
fn messages_are_framed() {
    let mut bytes = Vec::new();
    write(&mut bytes, &json!({"a": "ä"})).unwrap();
    assert_eq!(String::from_utf8(bytes.clone()).unwrap(), "Content-Length: 10\r\n\r\n{\"a\":\"ä\"}");
    bytes.extend_from_slice(b"Content-Type: x\r\ncontent-length: 2\r\n\r\n[]");
    let mut input = bytes.as_slice();
    assert_eq!(read(&mut input).unwrap(), Some(json!({"a": "ä"})));
    assert_eq!(read(&mut input).unwrap(), Some(json!([])));
    assert_eq!(read(&mut input).unwrap(), None);
}

#[test]
fn damaged_messages_are_refused() {
    let large = format!("Content-Length: {}\r\n\r\n", MOST_BYTES + 1);
    let endless = "x".repeat(10_000);
    for (text, want) in [
        ("\r\n", "a message has no Content-Length"),
        ("Content-Length: x\r\n\r\n", "a message has no Content-Length"),
        ("Content-Length: 5\r\n\r\n{}", "the input ends in a message"),
        ("Content-Length: 2\r\n\r\n{x", "a message is no JSON"),
        (large.as_str(), "the largest has 16777216"),
    ] {
        let error = read(&mut text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(want), "{text:?}: {error}");
    }
    assert_eq!(read(&mut endless.as_bytes()).unwrap(), None);
}

#[test]
fn requests_without_a_program_are_refused() {
    let mut adapter = Adapter::new(Nothing);
    let all = ask(&mut adapter, "initialize", json!({"adapterID": "shisa"}));
    assert_eq!((&all[0]["success"], &all[1]["event"]), (&json!(true), &json!("initialized")));
    assert_eq!(all[0]["request_seq"], 9);
    assert_eq!(all[0]["body"]["supportsStepBack"], true);
    for command in [
        "launch",
        "continue",
        "reverseContinue",
        "next",
        "stepIn",
        "stepOut",
        "stepBack",
        "setBreakpoints",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "completions",
        "source",
        "disassemble",
        "readMemory",
        "attach",
        "frobnicate",
        "setInstructionBreakpoints",
        "setDataBreakpoints",
        "dataBreakpointInfo",
    ] {
        let all = ask(&mut adapter, command, json!({"breakpoints": [{"line": 1}], "memoryReference": "0x0"}));
        assert_eq!((all.len(), &all[0]["success"]), (1, &json!(false)), "{command}: {all:?}");
        assert!(all[0]["message"].is_string() && all[0]["body"]["error"]["showUser"] == true, "{all:?}");
    }
    for command in ["threads", "configurationDone", "setExceptionBreakpoints", "pause"] {
        let all = ask(&mut adapter, command, Value::Null);
        assert_eq!((all.len(), &all[0]["success"]), (1, &json!(true)), "{command}: {all:?}");
    }
    assert!(adapter.handle(&json!({"type": "response"})).is_empty() && adapter.handle(&json!(3)).is_empty());
    assert!(!adapter.has_ended());
    let all = ask(&mut adapter, "disconnect", json!({}));
    assert_eq!((&all[1]["event"], adapter.has_ended()), (&json!("terminated"), true));
}
