//! The pages that words have in the book.

use super::text::{Names, file_name};
use crate::data::{Family, Isa};
use shisa::explain::Explanation;
use std::collections::BTreeMap;

/// The folder of the reference in the book.
pub(super) const ROOT: &str = "reference";

/// The title and the folder of the part with what all instruction sets share.
pub(super) const SHARED: &str = "all";

/// A word and its page.
pub(crate) struct Entry<'i> {
    pub(crate) word: &'i Explanation,
    /// The path of its page in the book.
    pub(crate) path: String,
    /// Its instruction set, unless all share it.
    pub(crate) family: Option<&'i Family>,
}

/// The words of a kind.
pub(super) struct Kind<'i> {
    pub(super) name: &'static str,
    /// The folder of its pages.
    pub(super) folder: String,
    pub(super) entries: Vec<Entry<'i>>,
}

/// The words of an instruction set, or of all of them.
pub(crate) struct Part<'i> {
    pub(crate) name: &'static str,
    pub(super) family: Option<&'i Family>,
    pub(super) kinds: Vec<Kind<'i>>,
    /// The position of a kind and of an entry for each spelling of a word.
    spellings: BTreeMap<&'i str, (usize, usize)>,
}

/// The parts of the book: one for each instruction set, and one for all.
pub(crate) fn parts(isa: &Isa) -> Vec<Part<'_>> {
    let families = isa.families.iter().map(|family| Part::new(family.name, &family.words, Some(family)));
    families.chain([Part::new(SHARED, &isa.words, None)]).collect()
}

impl<'i> Part<'i> {
    fn new(name: &'static str, words: &'i [Explanation], family: Option<&'i Family>) -> Part<'i> {
        let mut part = Part { name, family, kinds: Vec::new(), spellings: BTreeMap::new() };
        // Words are in the order of their kinds.
        for words in words.chunk_by(|a, b| a.kind == b.kind) {
            let Some(first) = words.first() else { continue };
            let folder = format!("{ROOT}/{name}/{}", file_name(first.kind));
            let mut names = Names::default();
            let mut entries = Vec::new();
            for word in words {
                let path = format!("{folder}/{}.md", names.distinct(&file_name(&word.word)));
                for spelling in word.word.split(", ") {
                    // Instructions come before other words of the same spelling.
                    let at = (part.kinds.len(), entries.len());
                    let known = part.spellings.entry(spelling).or_insert(at);
                    if is_instruction(word, family) {
                        *known = at;
                    }
                }
                entries.push(Entry { word, path, family });
            }
            part.kinds.push(Kind { name: first.kind, folder, entries });
        }
        part
    }

    /// The page of a word.
    pub(super) fn find(&self, word: &str) -> Option<&Entry<'i>> {
        let (kind, entry) = self.spellings.get(word)?;
        self.kinds.get(*kind)?.entries.get(*entry)
    }

    /// All words.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &Entry<'i>> {
        self.kinds.iter().flat_map(|kind| &kind.entries)
    }

    /// The page of an index of the part.
    pub(super) fn index(&self, name: &str) -> String {
        format!("{ROOT}/{}/{name}.md", self.name)
    }
}

/// Whether a word is an instruction of the family: its explanation describes forms.
pub(super) fn is_instruction(word: &Explanation, family: Option<&Family>) -> bool {
    let named = family.is_some_and(|family| family.forms.iter().any(|form| form.name == word.word));
    named && !crate::sections::forms(word).is_empty()
}
