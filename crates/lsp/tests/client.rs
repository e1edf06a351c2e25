//! A client of the server.

use serde_json::{Value, json};
use shisa::Settings;
use shisa_lsp::Server;

/// The URI of the document of most tests.
pub(crate) const URI: &str = "file:///shader";

/// A client that has said `initialize`.
pub(crate) struct Client {
    pub(crate) server: Server,
    number: i64,
    /// The notifications that came, without findings.
    pub(crate) notes: Vec<Value>,
    /// The findings that came and were not taken.
    published: Vec<Value>,
}

impl Client {
    pub(crate) fn new() -> Client {
        Client::with(json!({}))
    }

    /// A client with these parameters of `initialize`.
    pub(crate) fn with(params: Value) -> Client {
        let server = Server::new(Settings::new());
        let mut client = Client { server, number: 0, notes: Vec::new(), published: Vec::new() };
        client.ask("initialize", params);
        client.notify("initialized", json!({}));
        client
    }

    /// A client with one document.
    pub(crate) fn of(language: &str, text: &str) -> Client {
        let mut client = Client::new();
        client.open(URI, language, text);
        client
    }

    /// The response to a request: the result, or the error.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.number += 1;
        let message = json!({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params});
        let mut messages = self.server.handle(&message);
        // A request that waits needs time, or the work that waits.
        if messages.is_empty() {
            messages.extend(self.server.proceed());
        }
        if messages.is_empty() {
            self.work();
            messages.extend(self.server.proceed());
        }
        let response = messages.pop().expect("a request has a response");
        assert!(messages.is_empty(), "{messages:?}");
        assert_eq!((&response["id"], &response["jsonrpc"]), (&json!(self.number), &json!("2.0")));
        match response.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(response["result"].clone()),
        }
    }

    /// The result of a request that succeeds.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        let notes = self.server.handle(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
        self.notes.extend(notes);
    }

    pub(crate) fn open(&mut self, uri: &str, language: &str, text: &str) {
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Changes the document of most tests.
    pub(crate) fn change(&mut self, version: i64, changes: Value) {
        let params = json!({"textDocument": {"uri": URI, "version": version}, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// Does all work that waits.
    fn work(&mut self) {
        while let Some(task) = self.server.task() {
            for note in self.server.finish(task.run()) {
                if note["method"] == "workspace/inlayHint/refresh" {
                    continue;
                }
                assert_eq!(note["method"], "textDocument/publishDiagnostics");
                self.published = note["params"]["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Does all work that waits. The findings about a document that were sent last.
    pub(crate) fn findings(&mut self) -> Vec<Value> {
        self.work();
        std::mem::take(&mut self.published)
    }

    /// The result of a request at a position of the document of most tests.
    pub(crate) fn at(&mut self, method: &str, line: usize, character: usize) -> Value {
        self.ask(method, params(line, character))
    }

    /// The result of a request about the whole document.
    pub(crate) fn whole(&mut self, method: &str) -> Value {
        self.ask(method, json!({"textDocument": {"uri": URI}, "range": range([0, 0, 0, 0])}))
    }

    /// The labels of what may be written at a position.
    pub(crate) fn completions(&mut self, line: usize, character: usize) -> Vec<String> {
        let items = self.at("textDocument/completion", line, character);
        let labels = items["items"].as_array().expect("a list").iter().map(|item| item["label"].as_str());
        labels.map(|label| label.expect("a text").to_owned()).collect()
    }

    /// The text of a hover; empty if there is none.
    pub(crate) fn hover(&mut self, line: usize, character: usize) -> String {
        let hover = self.at("textDocument/hover", line, character);
        hover["contents"]["value"].as_str().unwrap_or_default().to_owned()
    }
}

/// The parameters of a request at a position.
pub(crate) fn params(line: usize, character: usize) -> Value {
    json!({"textDocument": {"uri": URI}, "position": {"line": line, "character": character}})
}

/// A range from line and character to line and character.
pub(crate) fn range([line, character, to, end]: [usize; 4]) -> Value {
    json!({"start": {"line": line, "character": character}, "end": {"line": to, "character": end}})
}

/// A text after edits, which are from the first to the last, within lines of ASCII.
pub(crate) fn edited(text: &str, edits: &Value) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let number = |position: &Value, key: &str| position[key].as_u64().expect("a number") as usize;
    for edit in edits.as_array().expect("a list").iter().rev() {
        let (start, end) = (&edit["range"]["start"], &edit["range"]["end"]);
        assert_eq!(start["line"], end["line"], "{edit}");
        let line = &mut lines[number(start, "line")];
        let new = edit["newText"].as_str().expect("a text");
        line.replace_range(number(start, "character")..number(end, "character"), new);
    }
    lines.join("\n")
}
