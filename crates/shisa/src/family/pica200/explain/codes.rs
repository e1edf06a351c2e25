//! Diagnostic codes about PICA200.

use crate::explain::{Explanation, Section};
use shisa_pica200::{container, picasso, rules};

/// Findings about programs while they run, while their paths are followed, or while they are translated.
const RUN: &[(&str, &str)] = &[
    (
        "internal-pica-fuel",
        "An analysis of the paths of a program did not settle within its bound. This is a defect of shisa: please report it.",
    ),
    (
        "pica-no-outputs",
        "A program has no outputs, so its translation has none: the output mask of its header is 0 and its output table is empty.",
    ),
    (
        "pica-output-dummy",
        "A program declares outputs of type dummy. They have no meaning to the rasteriser, so a translation leaves them out; with `--outputs registers` it has them.",
    ),
    ("pica-run-break", "A break ran outside of a loop. The hardware hangs."),
    (
        "pica-run-wave",
        "Vertices that run together took different paths. On hardware each vertex runs on its own.",
    ),
];

/// Tables of codes with one sentence each.
fn tables() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    container::CODES.iter().chain(picasso::CODES).chain(RUN)
}

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let rule = rules::ALL.iter().filter(|r| r.code == word).map(|rule| Explanation {
        word: rule.code.into(),
        kind: "PICA200 rule",
        summary: rule.meaning.into(),
        sections: vec![
            Section { heading: "Severity", lines: vec![rule.severity.name().into()] },
            Section { heading: "What to do", lines: vec![rule.help.into()] },
        ],
    });
    let code = tables().filter(|(code, _)| *code == word).map(|(code, text)| Explanation {
        word: (*code).into(),
        kind: "PICA200 error code",
        summary: (*text).into(),
        sections: Vec::new(),
    });
    rule.chain(code).collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    rules::ALL.iter().map(|r| r.code).chain(tables().map(|c| c.0)).map(String::from)
}
