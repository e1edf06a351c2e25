//! The reference: what a word of the toolchain's language means, told from the rows alone.

#[cfg(feature = "agal")]
mod agal;
#[cfg(feature = "agx")]
mod agx;
mod codes;
mod concepts;
#[cfg(feature = "maxwell")]
mod maxwell;
mod near;
#[cfg(any(feature = "agal", feature = "pica200", feature = "agx"))]
mod option;
#[cfg(feature = "pica200")]
mod pica200;
#[cfg(any(feature = "agal", feature = "agx", feature = "maxwell", feature = "pica200"))]
mod row;

use crate::{Error, Isa, Result};
use serde::Serialize;
use shisa_diag::Diagnostic;
use std::fmt;

/// What a word means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// The word as the reference spells it.
    pub word: String,
    /// What kind of thing it is, such as `AGAL opcode`.
    pub kind: &'static str,
    /// One or a few sentences.
    pub summary: String,
    /// The details.
    pub sections: Vec<Section>,
}

/// A part of an [`Explanation`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Its heading, such as `Bits`.
    pub heading: &'static str,
    /// Its lines.
    pub lines: Vec<String>,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} ({})\n\n{}", self.word, self.kind, self.summary)?;
        for s in &self.sections {
            writeln!(f, "\n{}", s.heading)?;
            s.lines.iter().try_for_each(|l| writeln!(f, "  {l}"))?;
        }
        Ok(())
    }
}

/// Explains an opcode, a modifier, a register, a field, an error code, an option or a concept. A word with several
/// meanings has several explanations, of all instruction sets or only of one.
///
/// # Errors
/// `explain-unknown`, with the nearest words that exist.
pub fn explain(word: &str, isa: Option<Isa>) -> Result<Vec<Explanation>> {
    let mut found: Vec<Explanation> = families(isa).flat_map(|family| (family.explain)(word)).collect();
    found.extend(concepts::explain(word));
    found.extend(codes::explain(word));
    if !found.is_empty() {
        return Ok(found);
    }
    let mut d = Diagnostic::error("explain-unknown", format!("nothing is known about \"{word}\""));
    let near = near::nearest(word, words(isa));
    if !near.is_empty() {
        d = d.help(format!("near words: {}", near.join(", ")));
    }
    Err(Error::from(d.help("opcodes, modifiers, registers, error codes, options and concepts are explained")))
}

/// What the reference has of an instruction set.
struct Family {
    isa: Isa,
    explain: fn(&str) -> Vec<Explanation>,
    words: fn() -> Vec<String>,
}

const FAMILIES: &[Family] = &[
    #[cfg(feature = "agal")]
    Family { isa: Isa::Agal, explain: agal::explain, words: agal::words },
    #[cfg(feature = "pica200")]
    Family { isa: Isa::Pica200, explain: pica200::explain, words: pica200::words },
    #[cfg(feature = "maxwell")]
    Family { isa: Isa::Maxwell, explain: maxwell::explain, words: maxwell::words },
    #[cfg(feature = "agx")]
    Family { isa: Isa::Agx, explain: agx::explain, words: agx::words },
];

/// The instruction sets asked for.
fn families(isa: Option<Isa>) -> impl Iterator<Item = &'static Family> {
    FAMILIES.iter().filter(move |f| isa.is_none_or(|i| i == f.isa))
}

/// Every word that [`explain()`] knows.
fn words(isa: Option<Isa>) -> Vec<String> {
    let mut list: Vec<String> = concepts::words().chain(codes::words()).map(String::from).collect();
    list.extend(families(isa).flat_map(|f| (f.words)()));
    list.sort_unstable();
    list.dedup();
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_explained() {
        for word in words(None) {
            let found = explain(&word, None).unwrap_or_else(|e| panic!("{word}: {e}"));
            assert!(found.iter().all(|e| !e.summary.is_empty()), "{word}");
        }
    }

    #[test]
    fn unknown_words_suggest_near_ones() {
        let e = explain("swizle", None).unwrap_err();
        assert_eq!(e.diagnostics[0].code, "explain-unknown");
        assert!(e.diagnostics[0].help[0].contains("swizzle"), "{e:?}");
        assert!(explain("", None).is_err());
    }

    #[cfg(all(feature = "agal", feature = "pica200"))]
    #[test]
    fn a_word_of_two_instruction_sets_has_two_explanations() {
        let kinds = |isa| explain("mov", isa).unwrap().iter().map(|e| e.kind).collect::<Vec<_>>();
        assert_eq!(kinds(None)[..2], ["AGAL opcode", "PICA200 opcode"]);
        assert_eq!(kinds(Some(Isa::Pica200)), ["PICA200 opcode"]);
    }

    /// The codes that the sources give to diagnostics.
    #[test]
    fn every_code_is_explained() {
        let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut files = Vec::new();
        for name in
            ["agal", "agx", "diag", "eval", "ir", "maxwell", "pica200", "rows", "shisa", "swf", "translate"]
        {
            sources(&crates.join(name).join("src"), &mut files);
        }
        let mut missing = std::collections::BTreeSet::new();
        let mut seen = 0;
        for text in files {
            for code in codes_in(&text) {
                seen += 1;
                if explain(code, None).is_err() {
                    missing.insert(code.to_owned());
                }
            }
        }
        assert!(missing.is_empty(), "{missing:#?}");
        assert!(seen > 20, "codes are found: {seen}");
    }

    fn sources(dir: &std::path::Path, into: &mut Vec<String>) {
        for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
            let path = entry.path();
            // What tests give to diagnostics nobody sees.
            if path.is_dir() {
                sources(&path, into);
            } else if path.file_name().is_some_and(|n| n != "tests.rs" && n != "testing.rs") {
                into.extend(std::fs::read_to_string(&path));
            }
        }
    }

    /// The literals that stand first in a call that makes a diagnostic, and those that look like codes of
    /// translation, which some functions are given.
    fn codes_in(text: &str) -> Vec<&str> {
        let calls = ["Diagnostic::error(", "Diagnostic::warning("];
        let behind = calls.iter().flat_map(|call| text.split(call).skip(1));
        let literals = behind.filter_map(|t| t.trim_start().strip_prefix('"'));
        let given = text.match_indices("\"translate-").map(|(at, _)| &text[at + 1..]);
        let plain = |code: &&str| {
            let letter = |b: u8| b == b'-' || b.is_ascii_lowercase() || b.is_ascii_digit();
            code.bytes().all(letter) && !code.ends_with('-')
        };
        literals.chain(given).filter_map(|t| t.split('"').next()).filter(plain).collect()
    }
}
