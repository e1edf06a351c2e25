//! What the reference states about single words, in short.

use shisa::explain::{Explanation, words};
use shisa::{Isa, explain};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The words that the reference lists, by instruction set.
fn listed() -> &'static BTreeMap<Isa, BTreeSet<String>> {
    static WORDS: OnceLock<BTreeMap<Isa, BTreeSet<String>>> = OnceLock::new();
    WORDS.get_or_init(|| Isa::ALL.iter().map(|isa| (*isa, words(Some(*isa)).into_iter().collect())).collect())
}

/// Whether the reference knows a word. It lists registers without their numbers. The reference compares a word that it does not
/// know with all others, which takes longer than an answer may.
fn is_known(word: &str, isa: Isa) -> bool {
    let Some(words) = listed().get(&isa) else { return false };
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let registers = || {
        let all = explain(stem, Some(isa));
        all.is_ok_and(|all| all.iter().any(|e| e.kind.ends_with("register")))
    };
    words.contains(word) || stem != word && words.contains(stem) && registers()
}

/// A word with its kind and its summary.
pub(crate) fn titled(explanation: &Explanation) -> String {
    let Explanation { word, kind, summary, .. } = explanation;
    format!("**{word}** ({kind}): {summary}")
}

/// What the reference states about a word, in short; `None` if it does not know the word.
pub(crate) fn explained(word: &str, isa: Isa) -> Option<String> {
    let all = is_known(word, isa).then(|| explain(word, Some(isa)).ok()).flatten()?;
    Some(all.iter().map(titled).collect::<Vec<_>>().join("\n\n"))
}
