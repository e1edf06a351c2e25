//! The index of the reference for programs that show its pages as help.

use crate::book::shelf::parts;
use crate::data::{Isa, VERSION};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The index: `reference.json`.
#[derive(Clone, Debug, Serialize)]
pub struct Help {
    /// [`VERSION`].
    pub version: u32,
    /// The pages, in the order of the book.
    pub words: Vec<HelpWord>,
}

/// A page of the reference.
#[derive(Clone, Debug, Serialize)]
pub struct HelpWord {
    /// The words that it explains.
    pub names: BTreeSet<String>,
    /// Their kind.
    pub kind: &'static str,
    /// Their instruction set; left out if all share them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isa: Option<&'static str>,
    /// One or a few sentences.
    pub summary: String,
    /// The path of the page in the book, without the extension.
    pub page: String,
}

/// The index of the reference: each page with its words, their kind and their summary.
///
/// # Errors
/// A word that has no explanation, which is a defect of the reference.
pub fn help(isa: &Isa) -> Result<Help, shisa::Error> {
    let mut words = Vec::new();
    for part in parts(isa) {
        let set = shisa::Isa::ALL.iter().copied().find(|isa| isa.name() == part.name);
        let spellings = spellings(set)?;
        for entry in part.entries() {
            let word = entry.word;
            words.push(HelpWord {
                names: match spellings.get(&(word.kind, word.word.clone())) {
                    Some(names) => names.clone(),
                    None => BTreeSet::from([word.word.clone()]),
                },
                kind: word.kind,
                isa: entry.family.map(|family| family.name),
                summary: word.summary.clone(),
                page: entry.path.trim_end_matches(".md").to_owned(),
            });
        }
    }
    Ok(Help { version: VERSION, words })
}

/// The words that have each explanation, which its kind and its first word identify.
fn spellings(
    isa: Option<shisa::Isa>,
) -> Result<BTreeMap<(&'static str, String), BTreeSet<String>>, shisa::Error> {
    let mut spellings: BTreeMap<_, BTreeSet<String>> = BTreeMap::new();
    for word in shisa::explain::words(isa) {
        for explanation in shisa::explain(&word, isa)? {
            spellings.entry((explanation.kind, explanation.word)).or_default().insert(word.clone());
        }
    }
    Ok(spellings)
}
