//! The index of the reference for programs that show its pages as help.

use crate::book::shelf::parts;
use crate::data::{Isa, VERSION};
use serde::Serialize;

/// The index: `reference.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Help {
    /// [`VERSION`].
    pub version: u32,
    /// The words, in the order of the book.
    pub words: Vec<HelpWord>,
}

/// A word of the reference.
#[derive(Clone, Debug, Serialize)]
pub struct HelpWord {
    /// Its spellings.
    pub names: Vec<String>,
    /// Its kind.
    pub kind: &'static str,
    /// Its instruction set; left out if all share it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isa: Option<&'static str>,
    /// One or a few sentences.
    pub summary: String,
    /// The path of its page in the book, without the extension.
    pub page: String,
}

/// The index of the reference: each word with its kind, its summary and its page.
pub fn help(isa: &Isa) -> Help {
    let mut words = Vec::new();
    for part in parts(isa) {
        for entry in part.entries() {
            words.push(HelpWord {
                names: entry.word.word.split(", ").map(String::from).collect(),
                kind: entry.word.kind,
                isa: entry.family.map(|family| family.name),
                summary: entry.word.summary.clone(),
                page: entry.path.trim_end_matches(".md").to_owned(),
            });
        }
    }
    Help { version: VERSION, words }
}
