//! Results of verbs as JSON.

use serde::Serialize;
use serde_json::{Value, json};
use shisa::Identity;
use shisa::explain::Explanation;

/// The identity of a file, in the form of `docs/schema/identify.schema.json`.
#[derive(Debug, Serialize)]
pub struct Identified<'a> {
    version: u32,
    file: &'a str,
    #[serde(flatten)]
    identity: &'a Identity,
}

impl<'a> Identified<'a> {
    /// The identity of a file with a name.
    pub fn new(file: &'a str, identity: &'a Identity) -> Identified<'a> {
        Identified { version: 1, file, identity }
    }
}

/// An explanation, in the form of `docs/schema/explain.schema.json`.
pub fn explained(e: &Explanation) -> Value {
    let (word, kind, summary) = (&e.word, e.kind, &e.summary);
    json!({ "version": 1, "word": word, "kind": kind, "summary": summary, "sections": e.sections })
}
