//! The conversation with a client.

use crate::capabilities::initialized;
use crate::completion;
use crate::document::Document;
use crate::feature::{Needs, feature};
use crate::findings::diagnostic;
use crate::message::{Wrong, notification, response};
use crate::options::Options;
use crate::position::Encoding;
use crate::request::Request;
use crate::waiting::{Queue, Waiting};
use crate::work::{Done, Kind, Outcome, Task};
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
    /// Requests that are not answered yet.
    waiting: Queue,
    /// The number of texts so far.
    edition: u64,
    /// The number of requests to the client so far.
    requests: u64,
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
            waiting: Queue::default(),
            edition: 0,
            requests: 0,
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

    /// The number of lines of the open documents that were read so far, those that were read several times counted several
    /// times. A change costs the lines that it changes.
    pub fn lines_read(&self) -> usize {
        self.documents.values().map(Document::lines_read).sum()
    }

    /// Takes a message of the client and returns those for it, in order. A request about a whole document waits until
    /// [`Server::proceed`]. [`Server::task`] has the work that a message caused.
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
                    Value::Number(_) | Value::String(_) => self.answer(method, id, &message["params"]),
                    _ => Err(Wrong::request("the \"id\" of a request is a number or a text")),
                };
                // Without an answer, the request waits.
                self.out.extend(answer.transpose().map(|answer| response(id, answer)));
            }
        }
        std::mem::take(&mut self.out)
    }

    /// Answers the first of the requests that wait, of those whose document has what they need; `None` if there is none. To be
    /// called when no message waits: requests at a position come first.
    pub fn proceed(&mut self) -> Option<Value> {
        let (documents, options) = (&self.documents, self.options);
        let Waiting { id, uri, feature, params } = self.waiting.take(|w| is_ready(w, documents, options))?;
        let answer = match documents.get(&uri) {
            Some(document) => (feature.answer)(&Request { uri: &uri, document, options, params: &params }),
            None => Err(unopened(&uri)),
        };
        Some(response(&id, answer))
    }

    /// Whether [`Server::proceed`] has an answer.
    pub fn has_answer(&self) -> bool {
        self.waiting.has(|w| is_ready(w, &self.documents, self.options))
    }

    /// Whether [`Server::task`] has work.
    pub fn has_task(&self) -> bool {
        !self.pending.is_empty()
    }

    /// A number that every change of a document increases.
    pub const fn edition(&self) -> u64 {
        self.edition
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
            self.requests += 1;
            let id = format!("refresh-{}", self.requests);
            let refresh = json!({"jsonrpc": "2.0", "id": id, "method": "workspace/inlayHint/refresh"});
            return self.options.refreshes.then_some(refresh).into_iter().collect();
        }
        let found = document.known_findings().into_iter().flatten();
        let found = found.map(|d| diagnostic(&uri, document.text(), d));
        let mut params = json!({"uri": uri, "diagnostics": found.collect::<Vec<_>>()});
        if let Some(version) = document.version() {
            params["version"] = version.into();
        }
        self.pending.insert((Kind::Code, uri));
        vec![notification("textDocument/publishDiagnostics", params)]
    }

    /// The answer to a request; `None` if it waits.
    fn answer(&mut self, method: &str, id: &Value, params: &Value) -> Result<Option<Value>, Wrong> {
        match (method, self.phase) {
            ("initialize", Phase::New) => {
                self.encoding = Encoding::offered(&params["capabilities"]);
                self.options = Options::of(&params["capabilities"]);
                self.options.configure(&params["initializationOptions"]);
                self.phase = Phase::Running;
                return Ok(Some(initialized(self.encoding)));
            }
            (_, Phase::New) => return Err(Wrong::uninitialized()),
            ("initialize", _) => return Err(Wrong::request("the conversation has already begun")),
            ("shutdown", Phase::Running) => {
                // What waits is answered now or never.
                while let Some(response) = self.proceed() {
                    self.out.push(response);
                }
                self.out.extend(self.waiting.close());
                self.phase = Phase::ShutDown;
                return Ok(Some(Value::Null));
            }
            (_, Phase::Running) => {}
            _ => return Err(Wrong::request("the server has been shut down")),
        }
        if method == "completionItem/resolve" {
            return completion::resolve(params).map(Some);
        }
        let Some(feature) = feature(method) else { return Err(Wrong::method(method)) };
        let uri = uri(&params["textDocument"])?;
        let document = self.documents.get(uri).ok_or_else(|| unopened(uri))?;
        if feature.needs == Needs::Nothing {
            return (feature.answer)(&Request { uri, document, options: self.options, params }).map(Some);
        }
        let (id, uri, params) = (id.clone(), uri.to_owned(), params.clone());
        self.waiting.add(Waiting { id, uri, feature, params })?;
        Ok(None)
    }

    fn notified(&mut self, method: &str, params: &Value) -> Result<(), Wrong> {
        match method {
            "exit" => {
                self.phase = Phase::Ended(self.phase == Phase::ShutDown);
                return Ok(());
            }
            "$/cancelRequest" => {
                // Others are already answered.
                self.out.extend(self.waiting.cancelled(&params["id"]));
                return Ok(());
            }
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
                self.edition += 1;
                let document = Document::open(item, &self.settings, self.encoding, self.edition)?;
                self.documents.insert(uri.clone(), document);
                self.changed(uri);
            }
            "textDocument/didChange" => {
                let uri = uri(&params["textDocument"])?.to_owned();
                let changes = params["contentChanges"].as_array();
                let changes = changes.ok_or_else(|| Wrong::parameters("there are no \"contentChanges\""))?;
                let document = self.documents.get_mut(&uri).ok_or_else(|| unopened(&uri))?;
                self.edition += 1;
                document.change(params["textDocument"]["version"].as_i64(), changes, self.edition)?;
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
        self.out.extend(self.waiting.outdated(&uri));
        self.pending.remove(&(Kind::Code, uri.clone()));
        self.pending.insert((Kind::Findings, uri));
    }
}

/// Whether a request can be answered.
fn is_ready(waiting: &Waiting, documents: &BTreeMap<String, Document>, options: Options) -> bool {
    documents.get(&waiting.uri).is_none_or(|document| waiting.feature.is_ready(document, options))
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
