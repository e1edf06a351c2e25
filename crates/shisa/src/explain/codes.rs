//! Diagnostic codes that do not belong to a single instruction set.

use super::Explanation;

/// Each code with its meaning.
const CODES: &[(&str, &str)] = &[
    ("dis-live", "Only the default listing shows live registers; the text of other tools cannot show them."),
    ("explain-unknown", "The reference does not know the word."),
    ("extract-enclosing", "The program is not in an inner file that could be extracted as a whole."),
    (
        "internal-identity",
        "A file has a program that its identity lacks. This is a defect of shisa: please report it.",
    ),
    ("internal-json", "A result could not be written as JSON. This is a defect of shisa: please report it."),
    (
        "internal-stages",
        "A program of a draw call is not one of a graphics stage. This is a defect of shisa: please report it.",
    ),
    ("io", "A file could not be read or written. Other files of the command are read all the same."),
    ("isa-other", "The first bytes of a file name another instruction set than the requested one."),
    ("no-program", "The file has no program of this number."),
    ("not-built", "This verb does not support the instruction set yet."),
    (
        "not-recognised",
        "This build does not recognise the file. A source is assembled first; `run`, `check` and `translate` do so themselves where its name or first line states its language.",
    ),
    ("program-isa", "A function for one instruction set was called with a program of another one."),
    (
        "run-expected",
        "The results that an input of `run` expects are not those of the program. Numbers are compared as bits, but for NaN, which is equal to NaN; two numbers of AGAL may differ by 1e-5 of the larger one, those listed in `sensitive` by 1e-3; `tolerance` in the input states another largest difference.",
    ),
    ("run-input", "An input names something that the program does not have, or has the wrong shape."),
    ("run-output", "A vertex writes an output whose computed number is past the last output."),
    ("run-steps", "The program ran for more instructions than the limit; it may never end."),
    ("source-utf8", "A source is not text in UTF-8."),
    ("usage", "The arguments of the command are wrong: `shisa VERB --help` describes them."),
    (
        "words-settings",
        "Single instruction words need a setting that a file would state, such as AGAL's version and stage.",
    ),
];

/// This list, and those of the crates that all instruction sets share.
fn tables() -> impl Iterator<Item = &'static [(&'static str, &'static str)]> {
    [
        CODES,
        shisa_diag::CODES,
        crate::rows::CODES,
        crate::ir::CODES,
        #[cfg(feature = "translator")]
        crate::translation::CODES,
    ]
    .into_iter()
    .chain(crate::engines::CODES)
    .chain([crate::engines::PICTURES])
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    tables().find_map(|table| of(table, word))
}

/// The explanation of a code from a list of codes and their meanings.
pub(crate) fn of(codes: &[(&str, &str)], word: &str) -> Option<Explanation> {
    let (code, text) = codes.iter().find(|(code, _)| *code == word)?;
    Some(Explanation::new(*code, "error code", *text))
}

pub(super) fn words() -> impl Iterator<Item = &'static str> {
    tables().flatten().map(|(code, _)| *code)
}
