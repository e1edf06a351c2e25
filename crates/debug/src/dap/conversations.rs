//! Requests with their answers and events, in transcripts.

use super::{Adapter, Launcher};
use crate::commands::Commands;
use crate::testing::{FLOW, captured};
use crate::text::ProgramText;
use serde_json::{Value, json};
use shisa_diag::Diagnostic;

/// A program that ends with an error: there is no memory at address 0.
const FAILING: &str = "step 0x0 next 0x1:
  next
step 0x1 next 0x2:
  %0: i32 = const 0
  %1: i32 = load global %0
  %2 = write r:0 x %1
  next
step 0x2 next 0x3:
  exit
";

/// A source of the program that has two calls.
const SOURCE: &str = "main: op0\n op1\n op2\n\nagain: op3\n op4\n op5\nf: op6\n op7\n op8\n op9\n";

/// Opens the programs of these tests.
struct Programs;

impl Launcher for Programs {
    fn launch(&mut self, arguments: &Value) -> Result<Commands, Diagnostic> {
        let program = if arguments["program"] == "failing" { FAILING } else { FLOW };
        let symbol = [("s".to_owned(), "r0".to_owned())];
        let mut session = captured(program, 4).named(symbol).session(crate::RECORDING_BYTES);
        if arguments["program"] == "source" {
            let starts = SOURCE.match_indices("op").map(|(at, _)| at).zip((0..).map(Some));
            let path = Some("/a/flow.txt".to_owned());
            session.set_text(ProgramText::new("flow.txt", path, SOURCE.to_owned(), starts));
        }
        Ok(Commands::new(session))
    }
}

/// The messages for a request: its response, and the events of the move that it begins.
fn messages(adapter: &mut Adapter<Programs>, command: &str, arguments: &Value) -> Vec<Value> {
    let request = json!({"type": "request", "seq": 5, "command": command, "arguments": arguments});
    let mut all = adapter.handle(&request);
    all.extend(adapter.proceed());
    all
}

/// A word and the value after it, of a line of a transcript.
fn line(text: &str) -> (&str, Value) {
    let (word, value) = text.split_once(' ').unwrap_or((text, "null"));
    (word, serde_json::from_str(value).unwrap_or_else(|e| panic!("{text}: {e}")))
}

/// Sends the requests of a transcript, each in a line after `> `, and compares the messages for them with the lines after it:
/// `=` and the body of a response, `!` and the text of an error, or an event and its body.
fn check(initialize: Value, transcript: &str) {
    let mut adapter = Adapter::new(Programs);
    let mut count = messages(&mut adapter, "initialize", &initialize).len() as u64;
    for part in transcript.trim_start_matches("> ").trim_end().split("\n> ") {
        let mut lines = part.lines().map(line);
        let (command, arguments) = lines.next().unwrap();
        let mut found = Vec::new();
        for message in messages(&mut adapter, command, &arguments) {
            count += 1;
            assert_eq!(message["seq"], count, "{message}");
            let body = &message["body"];
            found.push(match (&message["type"], &message["success"]) {
                (Value::String(kind), Value::Null) if kind == "event" => {
                    (message["event"].as_str().unwrap().to_owned(), body.clone())
                }
                (_, success) => {
                    assert_eq!((&message["request_seq"], &message["command"]), (&json!(5), &json!(command)));
                    let text = &body["error"]["variables"]["text"];
                    assert_eq!(
                        text.as_str().and_then(|text| text.lines().next()),
                        message["message"].as_str()
                    );
                    match success == &json!(true) {
                        true => ("=".to_owned(), body.clone()),
                        false => ("!".to_owned(), text.clone()),
                    }
                }
            });
        }
        let found: Vec<(&str, Value)> =
            found.iter().map(|(word, body)| (word.as_str(), body.clone())).collect();
        assert_eq!(found, lines.collect::<Vec<_>>(), "{command} {arguments}");
    }
}

#[test]
fn editors_step_through_a_listing() {
    check(json!({}), include_str!("transcripts/listing.txt"));
}

#[test]
fn editors_set_breakpoints_in_a_source() {
    let from_zero = json!({"linesStartAt1": false, "columnsStartAt1": false});
    check(from_zero, include_str!("transcripts/source.txt"));
}

#[test]
fn editors_show_the_error_of_a_run() {
    check(Value::Null, include_str!("transcripts/failing.txt"));
}

/// A request reads at most 65536 bytes; the client reads on.
#[test]
fn the_bytes_after_the_most_are_not_unreadable() {
    let mut adapter = Adapter::new(Programs);
    messages(&mut adapter, "initialize", &Value::Null);
    messages(&mut adapter, "launch", &Value::Null);
    for (count, read) in [(65_535, 65_535), (65_536, 65_536), (65_537, 65_536)] {
        let arguments = json!({"memoryReference": "bank0[0]", "count": count});
        let body = &messages(&mut adapter, "readMemory", &arguments)[0]["body"];
        let text = body["data"].as_str().unwrap();
        assert_eq!(
            (text.len(), &body["unreadableBytes"]),
            (usize::div_ceil(read, 3) * 4, &json!(0)),
            "{count}"
        );
    }
}

/// The request that ends a move reports the position: the move itself reports nothing.
#[test]
fn an_interrupted_move_reports_nothing() {
    let mut adapter = Adapter::new(Programs);
    messages(&mut adapter, "initialize", &Value::Null);
    messages(&mut adapter, "launch", &json!({"stopOnEntry": true}));
    messages(&mut adapter, "configurationDone", &Value::Null);
    adapter.interrupt().request();
    assert_eq!(messages(&mut adapter, "continue", &json!({"threadId": 1})).len(), 1);
    let all = messages(&mut adapter, "pause", &json!({"threadId": 1}));
    assert_eq!((all.len(), &all[1]["body"]["reason"]), (2, &json!("pause")));
    let all = messages(&mut adapter, "continue", &json!({"threadId": 1}));
    assert_eq!(all[1]["body"]["text"], "the end of the run");
}
