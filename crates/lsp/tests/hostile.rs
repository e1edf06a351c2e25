//! Messages that no client sends.

use crate::client::{Client, URI, params, range};
use serde_json::{Value, json};
use shisa::Settings;
use shisa::diag::Limits;
use shisa_lsp::{Server, message};

#[test]
fn the_order_of_the_conversation_is_checked() {
    let mut server = Server::new(Settings::new());
    let mut ask = |id: i64, method: &str| {
        server.handle(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}})).remove(0)
    };
    assert_eq!(ask(1, "textDocument/hover")["error"]["code"], -32002);
    assert!(ask(2, "initialize")["result"]["capabilities"].is_object());
    assert_eq!(ask(3, "initialize")["error"]["code"], -32600);
    assert_eq!(ask(4, "frobnicate")["error"]["code"], -32601);
    assert_eq!(ask(5, "shutdown")["result"], Value::Null);
    assert_eq!(ask(6, "textDocument/hover")["error"]["code"], -32600);
    assert_eq!(server.ended(), None);
    server.handle(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.ended(), Some(true));
    let mut server = Server::new(Settings::new());
    server.handle(&json!({"jsonrpc": "2.0", "method": "exit"}));
    assert_eq!(server.ended(), Some(false));
}

#[test]
fn what_is_no_request_is_an_error() {
    for bytes in [&b""[..], b"{", b"\xff\xfe", b"nul"] {
        assert_eq!(message(bytes).expect_err("no JSON")["error"]["code"], -32700);
    }
    let mut client = Client::new();
    for wrong in
        [json!(null), json!(3), json!([]), json!({}), json!({"id": 1}), json!({"id": 1, "method": 3})]
    {
        let answers = client.server.handle(&wrong);
        assert_eq!((answers.len(), &answers[0]["error"]["code"]), (1, &json!(-32600)), "{wrong}");
    }
    let answers = client.server.handle(&json!({"id": {}, "method": "shutdown"}));
    assert_eq!(answers[0]["error"]["code"], -32600);
    assert!(client.server.handle(&json!({"id": 1, "result": null})).is_empty(), "a response needs no answer");
}

#[test]
fn positions_out_of_range_are_errors() {
    let mut client = Client::of("agal", "// agal 1 vertex\nmov op, va0\n");
    for position in [
        json!(null),
        json!({}),
        json!({"line": 99, "character": 0}),
        json!({"line": -1, "character": 0}),
        json!({"line": 0.5, "character": 0}),
        json!({"line": "0", "character": 0}),
        json!({"line": 0, "character": null}),
    ] {
        for method in ["hover", "completion", "definition", "references", "rename", "signatureHelp"] {
            let asked = json!({"textDocument": {"uri": URI}, "position": position, "newName": "x"});
            let error = client.request(&format!("textDocument/{method}"), asked).expect_err(method);
            assert_eq!(error["code"], -32602, "{method} {position}");
        }
    }
    let mut asked = params(0, 0);
    asked["textDocument"]["uri"] = "file:///other".into();
    assert_eq!(client.request("textDocument/hover", asked).expect_err("not open")["code"], -32602);
    // A character after the end of its line is the end.
    client.at("textDocument/hover", 1, 999);
}

#[test]
fn changes_that_do_not_fit_change_nothing() {
    let mut client = Client::of("agal", "// agal 1 vertex\nmov op, va0\n");
    for changes in [
        json!([{"range": range([9, 0, 9, 1]), "text": ""}]),
        json!([{"range": range([1, 3, 1, 0]), "text": ""}]),
        json!([{"text": 3}]),
        json!([{}]),
        json!(null),
        json!({}),
        json!([{"text": "broken"}, {"range": range([9, 0, 9, 1]), "text": ""}]),
    ] {
        client.change(2, changes.clone());
        let note = client.notes.pop().unwrap_or_else(|| panic!("{changes} is reported"));
        assert_eq!(note["method"], "window/logMessage", "{note}");
        assert!(client.hover(1, 1).contains("mov"), "{changes}");
    }
    client.notify("textDocument/didOpen", json!({"textDocument": {"uri": URI}}));
    client.notify("textDocument/didOpen", json!({}));
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": "file:///other"}}));
    assert_eq!(client.notes.len(), 3);
    client.notify("textDocument/frobnicated", json!({}));
    client.notify("$/cancelRequest", json!({"id": 1}));
    assert_eq!(client.notes.len(), 3);
}

#[test]
fn large_documents_are_refused_by_the_limit_of_files() {
    let limits = Limits { file: 100, ..Limits::default() };
    let mut server = Server::new(Settings::new().limits(limits));
    server.handle(&json!({"id": 1, "method": "initialize", "params": {}}));
    let open = |server: &mut Server, bytes: usize| {
        let text = format!("// agal 1 vertex\nmov op, va0{}", " ".repeat(bytes - 28));
        let item = json!({"uri": URI, "languageId": "agal", "version": 1, "text": text});
        server.handle(&json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}));
        let task = server.task()?;
        server.finish(task.run()).first().map(|note| note["params"]["diagnostics"].clone())
    };
    assert_eq!(open(&mut server, 100), Some(json!([])), "the largest document");
    let found = open(&mut server, 101).expect("findings");
    assert_eq!(found[0]["code"], "limit-exceeded", "{found}");
    assert!(found[0]["message"].as_str().is_some_and(|text| text.contains("file")), "{found}");
    let hover = json!({"id": 2, "method": "textDocument/hover", "params": params(1, 0)});
    assert_eq!(server.handle(&hover)[0]["result"], Value::Null);
}

/// The first lines stay as they are: only the size decides.
#[test]
fn documents_that_grow_past_the_limit_have_no_answers_until_they_shrink() {
    let limits = Limits { file: 100, ..Limits::default() };
    let mut server = Server::new(Settings::new().limits(limits));
    server.handle(&json!({"id": 1, "method": "initialize", "params": {}}));
    let text = "// agal 1 vertex\nmov op, va0\n".to_owned() + &"\n".repeat(8);
    let item = json!({"uri": URI, "languageId": "agal", "version": 1, "text": text});
    server.handle(&json!({"method": "textDocument/didOpen", "params": {"textDocument": item}}));
    let mut hovers = |bytes: usize, version: usize| {
        let text = format!("{text}{}", " ".repeat(bytes - text.len()));
        let document = json!({"uri": URI, "version": version});
        let params_of_change = json!({"textDocument": document, "contentChanges": [{"text": text}]});
        server.handle(&json!({"method": "textDocument/didChange", "params": params_of_change}));
        let hover = json!({"id": version, "method": "textDocument/hover", "params": params(1, 0)});
        !server.handle(&hover)[0]["result"].is_null()
    };
    assert_eq!([hovers(100, 2), hovers(101, 3), hovers(100, 4)], [true, false, true]);
}

#[test]
fn the_number_of_documents_is_limited() {
    let mut client = Client::new();
    for number in 0..257 {
        client.open(&format!("file:///{number}"), "agal", "");
    }
    assert_eq!(client.notes.len(), 1);
    assert!(client.notes[0]["params"]["message"].as_str().is_some_and(|m| m.contains("256 documents")));
}

#[test]
fn any_text_is_read() {
    let texts = [
        "",
        "\n",
        "\r",
        "\u{feff}",
        "\"",
        "/*",
        "*/",
        "/* \n\n",
        ":",
        "::",
        "a:",
        ".",
        "..",
        ".a",
        "#",
        "#if",
        "@",
        "@!",
        "{",
        "}",
        "mov",
        "mov ",
        "mov ,",
        "mov ,,,",
        "FADD.",
        "FADD..",
        "c[",
        "]]]",
        "<<<",
        "\u{1f600}",
        "mov \u{1f600}, \u{fc}:",
        "\0",
        ".fvec",
        ".fvec [",
        ".fvec a[4], b, (,",
        ".alias",
        ".alias a",
        ".out - -",
        "macro",
        "macro {",
        "}}}",
        ".code \"",
        ".proc\n.end\n.end",
        "ife\neif\neif\nels",
        "# 12 \"x\"",
        ".end",
        "a: b: c: mov r0, r0",
        "\t\t",
        "mov r0 , r0 ; x // y /* z",
    ];
    let of_positions = [
        "hover",
        "completion",
        "signatureHelp",
        "definition",
        "references",
        "documentHighlight",
        "prepareRename",
        "rename",
        "codeAction",
        "rangeFormatting",
        "inlayHint",
        "semanticTokens/range",
    ];
    let of_texts = ["documentSymbol", "formatting", "foldingRange", "semanticTokens/full"];
    for language in ["agal", "pica200", "maxwell", "agx", "plaintext"] {
        // The end of a name decides before the language.
        let uris = if language == "agal" { &[URI, "file:///x.agalm"][..] } else { &[URI] };
        for (uri, text) in uris.iter().flat_map(|uri| texts.map(|text| (*uri, text))) {
            let mut client = Client::new();
            client.open(uri, language, text);
            client.findings();
            for (line, content) in text.split('\n').enumerate() {
                for character in 0..=content.len() {
                    let once = of_texts.iter().filter(|_| (line, character) == (0, 0));
                    for method in of_positions.iter().chain(once) {
                        let position = json!({"line": line, "character": character});
                        let all = json!({
                            "textDocument": {"uri": uri}, "position": position, "newName": "other",
                            "range": {"start": {"line": 0, "character": 0}, "end": position},
                        });
                        let answer = client.request(&format!("textDocument/{method}"), all);
                        let code = answer.err().map(|error| error["code"].clone());
                        let expected = code.is_none() || *method == "rename" && code == Some(json!(-32803));
                        // Lines that only a carriage return ends are counted by the server.
                        assert!(expected || text.contains('\r'), "{language} {text:?} {method}: {code:?}");
                    }
                }
            }
        }
    }
}
