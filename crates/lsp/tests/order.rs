//! The order of answers.

use crate::client::{Client, URI, params, range};
use serde_json::{Value, json};

const TEXT: &str = "// agal 1 vertex\nmov op, va0\n";

/// The identifiers of responses, with the codes of errors.
fn ids(messages: &[Value]) -> Vec<(Value, Value)> {
    messages.iter().map(|message| (message["id"].clone(), message["error"]["code"].clone())).collect()
}

/// Sends a request, which may wait. The responses that it leads to at once.
fn send(client: &mut Client, id: i64, method: &str) -> Vec<Value> {
    let mut params = params(1, 1);
    params["range"] = range([0, 0, 1, 3]);
    let message = json!({"id": id, "method": format!("textDocument/{method}"), "params": params});
    client.server.handle(&message)
}

const LONG: [&str; 5] = ["semanticTokens/full", "documentSymbol", "formatting", "foldingRange", "codeAction"];

#[test]
fn requests_about_a_document_wait_for_those_at_a_position() {
    let mut client = Client::of("agal", TEXT);
    for (id, method) in (1..).zip(LONG) {
        assert_eq!(send(&mut client, id, method), [Value::Null; 0], "{method} waits");
    }
    assert_eq!(ids(&send(&mut client, 6, "hover")), [(json!(6), Value::Null)]);
    for id in 1..5 {
        assert_eq!(client.server.proceed().map(|response| response["id"].clone()), Some(json!(id)));
    }
    // Fixes need the findings.
    assert_eq!(client.server.proceed(), None);
    client.findings();
    assert_eq!(client.server.proceed().map(|response| response["id"].clone()), Some(json!(5)));
}

/// Symbols need no work, and fixes need the findings.
#[test]
fn a_server_states_whether_it_has_an_answer() {
    let mut client = Client::of("agal", TEXT);
    assert!(!client.server.has_answer());
    send(&mut client, 1, "codeAction");
    assert!(!client.server.has_answer());
    send(&mut client, 2, "documentSymbol");
    assert!(client.server.has_answer());
    client.server.proceed();
    assert!(!client.server.has_answer());
    client.findings();
    assert!(client.server.has_answer());
}

#[test]
fn requests_that_wait_lapse() {
    let mut client = Client::of("agal", TEXT);
    send(&mut client, 1, "documentSymbol");
    send(&mut client, 2, "codeAction");
    client.change(2, json!([{"range": range([1, 0, 1, 0]), "text": " "}]));
    assert_eq!(ids(&client.notes), [(json!(1), json!(-32801)), (json!(2), json!(-32801))]);
    client.notes.clear();
    send(&mut client, 3, "documentSymbol");
    client.notify("$/cancelRequest", json!({"id": 3}));
    client.notify("$/cancelRequest", json!({"id": 3}));
    assert_eq!(ids(&client.notes), [(json!(3), json!(-32800))]);
    send(&mut client, 4, "documentSymbol");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": URI}}));
    assert_eq!(
        client.server.proceed().map(|response| response["error"]["code"].clone()),
        Some(json!(-32602))
    );
    client.open(URI, "agal", TEXT);
    send(&mut client, 5, "documentSymbol");
    send(&mut client, 6, "codeAction");
    let messages = client.server.handle(&json!({"id": 7, "method": "shutdown"}));
    let expected = [(json!(5), Value::Null), (json!(6), json!(-32800)), (json!(7), Value::Null)];
    assert_eq!(ids(&messages), expected);
}

#[test]
fn the_number_of_requests_that_wait_is_limited() {
    let mut client = Client::of("agal", TEXT);
    let refused = (0..300).flat_map(|id| send(&mut client, id, "codeAction")).collect::<Vec<Value>>();
    assert_eq!(refused.len(), 300 - 256);
    assert!(refused.iter().all(|response| response["error"]["code"] == -32803));
}

/// However many changes come before the work is taken, there is one check, of the last text.
#[test]
fn many_changes_are_checked_once() {
    let mut client = Client::of("agal", TEXT);
    let editions: Vec<u64> = (2..52)
        .map(|version| {
            client.change(version, json!([{"range": range([1, 0, 1, 0]), "text": "x"}]));
            client.server.edition()
        })
        .collect();
    assert!(editions.is_sorted_by(|a, b| a < b));
    let mut checks = Vec::new();
    while let Some(task) = client.server.task() {
        checks.extend(client.server.finish(task.run()).iter().map(|note| note["params"]["version"].clone()));
    }
    assert_eq!(checks, [json!(51)]);
    assert!(!client.server.has_task());
}
