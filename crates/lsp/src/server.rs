//! The conversation with a client.

use crate::capabilities::initialized;
use crate::document::Document;
use crate::findings::diagnostic;
use crate::message::{Answer, Wrong, notification, response};
use crate::options::Options;
use crate::position::Encoding;
use crate::request::Request;
use crate::work::{Done, Kind, Outcome, Task};
use crate::{actions, completion, folding, format, hints, hover, names, semantic, signature, symbols};
use serde_json::{Value, json};
use shisa::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// The largest number of open documents.
const MOST_DOCUMENTS: usize = 256;

/// How far a conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No request came.
    New,
    /// `initialize` has been answered.
    Running,
    /// `shutdown` has been answered.
    ShutDown,
    /// The client has left; whether after `shutdown`.
    Ended(bool),
}

/// The state of a conversation.
pub struct Server {
    settings: Settings,
    phase: Phase,
    encoding: Encoding,
    options: Options,
    /// The open documents by URI.
    documents: BTreeMap<String, Document>,
    /// Work on documents that is not done yet.
    pending: BTreeSet<(Kind, String)>,
    /// The number of texts and requests of the server so far.
    number: u64,
    out: Vec<Value>,
}

impl Server {
    /// A server without documents. The settings are those of all documents.
    pub fn new(settings: Settings) -> Server {
        Server {
            settings,
            phase: Phase::New,
            encoding: Encoding::default(),
            options: Options::default(),
            documents: BTreeMap::new(),
            pending: BTreeSet::new(),
            number: 0,
            out: Vec::new(),
        }
    }

    /// Whether the client has ended the conversation: `Some(true)` if it has done so as the protocol demands.
    pub const fn ended(&self) -> Option<bool> {
        match self.phase {
            Phase::Ended(orderly) => Some(orderly),
            _ => None,
        }
    }

    /// Takes a message of the client and returns those for it, in order. [`Server::task`] has the work that it caused.
    pub fn handle(&mut self, message: &Value) -> Vec<Value> {
        match (message["method"].as_str(), &message["id"]) {
            // The response to a request; the server sends none.
            (None, id)
                if !id.is_null() && (message.get("result").is_some() || message.get("error").is_some()) => {}
            (None, id) => {
                let wrong = Wrong::request("a message has no \"method\"");
                self.out.push(response(id, Err(wrong)));
            }
            (Some(method), Value::Null) => {
                if let Err(wrong) = self.notified(method, &message["params"]) {
                    let params = json!({"type": 1, "message": format!("{method}: {}", wrong.text())});
                    self.out.push(notification("window/logMessage", params));
                }
            }
            (Some(method), id) => {
                let answer = match id {
                    Value::Number(_) | Value::String(_) => self.answer(method, &message["params"]),
                    _ => Err(Wrong::request("the \"id\" of a request is a number or a text")),
                };
                self.out.push(response(id, answer));
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Work on a document that was changed; `None` if there is none. It can be done while the server answers; its result is for
    /// [`Server::finish`].
    pub fn task(&mut self) -> Option<Task> {
        while let Some((kind, uri)) = self.pending.pop_first() {
            if let Some(document) = self.documents.get(&uri) {
                return Some(document.task(&uri, kind));
            }
        }
        None
    }

    /// Takes the result of a task and returns the messages for the client: the findings about a document, or that its hints have
    /// changed. If the document has changed since, there are none.
    pub fn finish(&mut self, done: Done) -> Vec<Value> {
        let (uri, with_code) = (done.uri.clone(), matches!(done.outcome, Outcome::Code(_)));
        let Some(document) = self.documents.get_mut(&uri) else { return Vec::new() };
        if !document.finish(done) {
            return Vec::new();
        }
        if with_code {
            self.number += 1;
            let id = format!("refresh-{}", self.number);
            let refresh = json!({"jsonrpc": "2.0", "id": id, "method": "workspace/inlayHint/refresh"});
            return self.options.refreshes.then_some(refresh).into_iter().collect();
        }
        let found = document.findings().iter().map(|d| diagnostic(&uri, document.text(), d));
        let mut params = json!({"uri": uri, "diagnostics": found.collect::<Vec<_>>()});
        if let Some(version) = document.version() {
            params["version"] = version.into();
        }
        self.pending.insert((Kind::Code, uri));
        vec![notification("textDocument/publishDiagnostics", params)]
    }

    fn answer(&mut self, method: &str, params: &Value) -> Answer {
        match (method, self.phase) {
            ("initialize", Phase::New) => {
                self.encoding = Encoding::offered(&params["capabilities"]);
                self.options = Options::of(&params["capabilities"]);
                self.options.configure(&params["initializationOptions"]);
                self.phase = Phase::Running;
                return Ok(initialized(self.encoding));
            }
            (_, Phase::New) => return Err(Wrong::uninitialized()),
            ("initialize", _) => return Err(Wrong::request("the conversation has already begun")),
            ("shutdown", Phase::Running) => {
                self.phase = Phase::ShutDown;
                return Ok(Value::Null);
            }
            (_, Phase::Running) => {}
            _ => return Err(Wrong::request("the server has been shut down")),
        }
        if method == "completionItem/resolve" {
            return completion::resolve(params);
        }
        let Some(feature) = feature(method) else { return Err(Wrong::method(method)) };
        let (uri, document) = self.document(params)?;
        feature(&Request { uri, document, options: self.options, params })
    }

    fn notified(&mut self, method: &str, params: &Value) -> Result<(), Wrong> {
        match method {
            "exit" => {
                self.phase = Phase::Ended(self.phase == Phase::ShutDown);
                return Ok(());
            }
            // Requests are answered in order, so the one to cancel is already answered.
            "$/cancelRequest" => return Ok(()),
            _ if self.phase != Phase::Running => return Ok(()),
            _ => {}
        }
        match method {
            "textDocument/didOpen" => {
                let item = &params["textDocument"];
                let uri = uri(item)?.to_owned();
                if self.documents.len() >= MOST_DOCUMENTS && !self.documents.contains_key(&uri) {
                    return Err(Wrong::failed(format!(
                        "{MOST_DOCUMENTS} documents are open; no more may be"
                    )));
                }
                self.number += 1;
                let document = Document::open(item, &self.settings, self.encoding, self.number)?;
                self.documents.insert(uri.clone(), document);
                self.changed(uri);
            }
            "textDocument/didChange" => {
                let uri = uri(&params["textDocument"])?.to_owned();
                let changes = params["contentChanges"].as_array();
                let changes = changes.ok_or_else(|| Wrong::parameters("there are no \"contentChanges\""))?;
                let document = self.documents.get_mut(&uri).ok_or_else(|| unopened(&uri))?;
                self.number += 1;
                document.change(params["textDocument"]["version"].as_i64(), changes, self.number)?;
                self.changed(uri);
            }
            "textDocument/didClose" => {
                let uri = uri(&params["textDocument"])?.to_owned();
                self.documents.remove(&uri).ok_or_else(|| unopened(&uri))?;
                let params = json!({"uri": uri, "diagnostics": []});
                self.out.push(notification("textDocument/publishDiagnostics", params));
            }
            "workspace/didChangeConfiguration" => self.options.configure(&params["settings"]["shisa"]),
            // Notifications that need no act, and those of other versions of the protocol.
            _ => {}
        }
        Ok(())
    }

    /// Plans the work on a document that has changed.
    fn changed(&mut self, uri: String) {
        self.pending.remove(&(Kind::Code, uri.clone()));
        self.pending.insert((Kind::Findings, uri));
    }

    /// The document that parameters name.
    fn document<'p>(&self, params: &'p Value) -> Result<(&'p str, &Document), Wrong> {
        let uri = uri(&params["textDocument"])?;
        Ok((uri, self.documents.get(uri).ok_or_else(|| unopened(uri))?))
    }
}

/// Answers requests of one method.
type Feature = fn(&Request<'_>) -> Answer;

/// The function for a method.
fn feature(method: &str) -> Option<Feature> {
    Some(match method {
        "textDocument/hover" => hover::hover,
        "textDocument/completion" => completion::completion,
        "textDocument/signatureHelp" => signature::signature,
        "textDocument/definition" => names::definition,
        "textDocument/references" => names::references,
        "textDocument/documentHighlight" => names::highlights,
        "textDocument/prepareRename" => names::prepare_rename,
        "textDocument/rename" => names::rename,
        "textDocument/documentSymbol" => symbols::symbols,
        "textDocument/codeAction" => actions::actions,
        "textDocument/formatting" | "textDocument/rangeFormatting" => format::format,
        "textDocument/foldingRange" => folding::folding,
        "textDocument/inlayHint" => hints::hints,
        "textDocument/semanticTokens/full" | "textDocument/semanticTokens/range" => semantic::tokens,
        _ => return None,
    })
}

/// The URI of a document.
fn uri(item: &Value) -> Result<&str, Wrong> {
    item["uri"]
        .as_str()
        .ok_or_else(|| Wrong::parameters("the parameters have no \"textDocument\" with a \"uri\""))
}

fn unopened(uri: &str) -> Wrong {
    Wrong::parameters(format!("the document \"{}\" is not open", shisa::diag::escape(uri)))
}
