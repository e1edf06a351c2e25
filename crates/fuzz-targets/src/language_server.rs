//! The language server: messages of the Language Server Protocol.

use crate::Random;
use crate::inputs::Inputs;
use crate::targets::settings;
use serde_json::{Value, json};
use shisa::data::debug::framing::{read, write};
use shisa_lsp::{Server, message};

/// Documents: the identifier of the language, the file name and the text.
const DOCUMENTS: [(&str, &str, &str); 5] = [
    ("agal", "fog.frag.agal", include_str!("../../../examples/fog.frag.agal")),
    ("agal", "colour.agalm", include_str!("../../../tests/agal/macro/colour-transform.agalm")),
    ("pica200", "flat.v.pica", include_str!("../../../examples/flat.v.pica")),
    ("maxwell", "saxpy.maxwell", include_str!("../../../examples/saxpy.maxwell")),
    ("agx", "collatz.agx", include_str!("../../../examples/collatz.agx")),
];

/// The largest number of messages that are read.
const MOST: usize = 64;
/// The largest message in bytes.
const MOST_BYTES: usize = 1 << 20;

/// Any bytes are messages of a client or end the conversation; each request has one response with its identifier. Accepts a
/// conversation of which most requests succeed.
pub fn lsp_server(data: &[u8]) -> bool {
    let mut input = data;
    let mut server = Server::new(settings());
    let (mut succeeded, mut all, mut count) = (0, 0, 0);
    while let Ok(Some(bytes)) = read(&mut input, MOST_BYTES)
        && count < MOST
        && server.ended().is_none()
    {
        count += 1;
        let (request, mut answers) = match message(&bytes) {
            Ok(message) => (message.clone(), server.handle(&message)),
            Err(response) => (Value::Null, vec![response]),
        };
        while let Some(task) = server.task() {
            for note in server.finish(task.run()) {
                assert_eq!(note["method"], "textDocument/publishDiagnostics", "{note}");
            }
        }
        answers.extend(std::iter::from_fn(|| server.proceed()));
        for answer in &answers {
            assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
        }
        let responses: Vec<&Value> = answers.iter().filter(|answer| answer.get("id").is_some()).collect();
        if request["method"].is_string() {
            assert_eq!(responses.len(), usize::from(!request["id"].is_null()), "{request}");
        }
        for response in responses {
            all += 1;
            succeeded += usize::from(response.get("result").is_some());
            let error = response["error"]["message"].as_str();
            assert!(error.is_none_or(|text| !text.is_empty()), "{response}");
        }
    }
    succeeded * 2 > all
}

/// Methods of requests at a position.
const AT: [&str; 8] = [
    "hover",
    "completion",
    "signatureHelp",
    "definition",
    "references",
    "documentHighlight",
    "prepareRename",
    "rename",
];
/// Methods of requests about a range or the whole document.
const OVER: [&str; 8] = [
    "documentSymbol",
    "codeAction",
    "formatting",
    "rangeFormatting",
    "foldingRange",
    "inlayHint",
    "semanticTokens/full",
    "semanticTokens/range",
];

/// Pieces of text that are typed.
const TYPED: &[&str] = &[
    "",
    "\n",
    "mov",
    " ",
    ",",
    ".",
    "r0",
    "ft0.xyzw",
    "loop:",
    "R1",
    ";",
    "{",
    "}",
    "\"",
    "/*",
    "//",
    "*/",
    ".code \"a\"\n",
    ".end\n",
    ".proc main\n",
    "ife v0.x, fc0.x\n",
    "macro A(b) {\n",
    "#if 1\n",
    "\u{e9}\u{1f600}",
    "\t",
    "0x",
    "[",
    "]",
    "@P0 ",
    "\0",
    "\r",
];

/// A value in place of one that a message has.
fn hostile(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(-1),
        2 => json!(u64::MAX),
        3 => json!(1e300),
        4 => json!([[[]]]),
        5 => json!({"a": {"b": 1}}),
        6 => json!(true),
        _ => json!("textDocument"),
    }
}

/// A position that is in most documents.
fn position(random: &mut Random) -> Value {
    json!({"line": random.below(14), "character": random.below(40)})
}

/// A range of one line.
fn range(random: &mut Random) -> Value {
    let (line, start) = (random.below(14), random.below(20));
    let end = start + random.below(12);
    json!({"start": {"line": line, "character": start}, "end": {"line": line, "character": end}})
}

/// Conversations: one message in eight has another value, one conversation in eight another byte, and some have no beginning.
pub(crate) fn conversations(_: &[Vec<u8>]) -> Inputs {
    Box::new(|random| {
        let (language, name, text) = DOCUMENTS[random.below(DOCUMENTS.len())];
        let uri = format!("file:///{name}");
        let encodings = if random.below(2) == 0 { json!(["utf-8"]) } else { json!(["utf-16"]) };
        let begin = json!({"capabilities": {"general": {"positionEncodings": encodings}}});
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        let mut messages = vec![
            json!({"id": 0, "method": "initialize", "params": begin}),
            json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}),
        ];
        if random.below(16) == 0 {
            messages.remove(0);
        }
        for id in 1..2 + random.below(16) {
            let document = json!({"uri": uri, "version": id});
            let name = random.pick(&AT).copied().unwrap_or_default();
            let mut message = match random.below(4) {
                0 => {
                    let typed = random.pick(TYPED).copied().unwrap_or_default();
                    let change = json!({"range": range(random), "text": typed});
                    let params = json!({"textDocument": document, "contentChanges": [change]});
                    json!({"method": "textDocument/didChange", "params": params})
                }
                1 => {
                    let name = random.pick(&OVER).copied().unwrap_or_default();
                    let params = json!({"textDocument": document, "range": range(random), "context": {"diagnostics": []}});
                    json!({"id": id, "method": format!("textDocument/{name}"), "params": params})
                }
                _ => {
                    let params =
                        json!({"textDocument": document, "position": position(random), "newName": "other"});
                    json!({"id": id, "method": format!("textDocument/{name}"), "params": params})
                }
            };
            if let Value::Object(members) = &mut message["params"]
                && let Some(member) = members.values_mut().last()
                && random.below(8) == 0
            {
                *member = hostile(random);
            }
            message["jsonrpc"] = "2.0".into();
            messages.push(message);
        }
        let mut bytes = Vec::new();
        for message in messages {
            write(&mut bytes, &message).expect("memory has no errors");
        }
        if random.below(8) == 0 {
            let at = random.below(bytes.len());
            bytes[at] = random.bits() as u8;
        }
        bytes
    })
}
