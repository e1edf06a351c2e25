use super::{Adapter, Launcher, MOST_BYTES, interrupts, read, write};
use crate::commands::Commands;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// A launcher that opens nothing.
struct Nothing;

impl Launcher for Nothing {
    fn launch(&mut self, _: &Value) -> Result<Commands, Diagnostic> {
        Err(super::wrong("there is no program"))
    }
}

fn ask(adapter: &mut Adapter<Nothing>, command: &str, arguments: Value) -> Vec<Value> {
    let request = json!({"seq": 9, "type": "request", "command": command, "arguments": arguments});
    let mut all = adapter.handle(&request);
    all.extend(adapter.proceed());
    all
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
    let full = format!("Content-Length: {MOST_BYTES}\r\n\r\n");
    let (endless, many) = ("x".repeat(10_000), "a: b\r\n".repeat(17));
    let deep = format!("Content-Length: 10000\r\n\r\n{}", "[".repeat(10_000));
    for (text, want) in [
        ("\r\n", "a message has no Content-Length"),
        ("Content-Length: x\r\n\r\n", "Content-Length is not a number of bytes: \"x\""),
        ("Content-Length: -5\r\n\r\n", "Content-Length is not a number of bytes: \"-5\""),
        ("Content-Length: 99999999999999999999\r\n\r\n", "Content-Length is not a number of bytes"),
        ("Content-Length: 5\r\n\r\n{}", "the input ends in a message"),
        ("Content-Length: 5\r\n", "the input ends in a header"),
        ("Content-Length: 5", "the input ends in a header"),
        ("Content-Length: 2\r\n\r\n{x", "a message is no JSON"),
        (deep.as_str(), "a message is no JSON: recursion limit exceeded"),
        (large.as_str(), "a message has 1048577 bytes; the largest has 1048576"),
        (full.as_str(), "the input ends in a message"),
        (many.as_str(), "a header has more than 16 lines"),
        (endless.as_str(), "a line of a header has more than 1024 bytes"),
    ] {
        let error = read(&mut text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(want), "{text:?}: {error}");
    }
    let sixteen = format!("{}Content-Length: 2\r\n\r\n{{}}", "a: b\r\n".repeat(15));
    assert_eq!(read(&mut sixteen.as_bytes()).unwrap(), Some(json!({})));
}

#[test]
fn requests_without_a_program_are_refused() {
    let mut adapter = Adapter::new(Nothing);
    let all = ask(&mut adapter, "threads", Value::Null);
    assert_eq!(all[0]["message"], "the first request must be \"initialize\"");
    let all = ask(&mut adapter, "initialize", json!({"adapterID": "shisa"}));
    assert_eq!((all.len(), &all[0]["success"], &all[0]["request_seq"]), (1, &json!(true), &json!(9)));
    assert_eq!(all[0]["body"]["supportsStepBack"], true);
    for command in [
        "attach",
        "breakpointLocations",
        "completions",
        "configurationDone",
        "continue",
        "dataBreakpointInfo",
        "disassemble",
        "evaluate",
        "exceptionInfo",
        "frobnicate",
        "goto",
        "gotoTargets",
        "initialize",
        "launch",
        "loadedSources",
        "next",
        "pause",
        "readMemory",
        "reverseContinue",
        "scopes",
        "setBreakpoints",
        "setDataBreakpoints",
        "setExceptionBreakpoints",
        "setFunctionBreakpoints",
        "setInstructionBreakpoints",
        "setVariable",
        "source",
        "stackTrace",
        "stepBack",
        "stepIn",
        "stepOut",
        "variables",
    ] {
        let arguments =
            json!({"breakpoints": [{"line": 1}], "threadId": 1, "frameId": 256, "sourceReference": 1});
        let all = ask(&mut adapter, command, arguments);
        assert_eq!((all.len(), &all[0]["success"]), (1, &json!(false)), "{command}: {all:?}");
        assert!(all[0]["message"].is_string() && all[0]["body"]["error"]["showUser"] == true, "{all:?}");
    }
    let all = ask(&mut adapter, "threads", Value::Null);
    assert_eq!((all.len(), &all[0]["body"]), (1, &json!({"threads": []})));
    assert!(adapter.handle(&json!({"type": "response"})).is_empty() && adapter.handle(&json!(3)).is_empty());
    let all = adapter.handle(&json!({"type": "request", "command": [], "seq": "x"}));
    assert_eq!((&all[0]["success"], &all[0]["request_seq"]), (&json!(false), &json!(0)));
}

#[test]
fn a_conversation_ends_with_disconnect() {
    let mut adapter = Adapter::new(Nothing);
    ask(&mut adapter, "initialize", json!({}));
    let all = ask(&mut adapter, "terminate", json!({}));
    assert_eq!((all.len(), &all[1]["event"], adapter.has_ended()), (2, &json!("terminated"), false));
    let all = ask(&mut adapter, "terminate", json!({}));
    assert_eq!((all.len(), &all[0]["success"]), (1, &json!(true)));
    assert_eq!(ask(&mut adapter, "launch", json!({}))[0]["success"], false);
    let all = ask(&mut adapter, "disconnect", json!({}));
    assert_eq!((all.len(), &all[0]["success"], adapter.has_ended()), (1, &json!(true), true));
}

#[test]
fn some_requests_end_moves() {
    let request = |command| json!({"type": "request", "command": command});
    assert!(["pause", "disconnect", "terminate"].iter().all(|command| interrupts(&request(*command))));
    assert!(!interrupts(&request("threads")) && !interrupts(&json!({"command": "pause"})));
}
