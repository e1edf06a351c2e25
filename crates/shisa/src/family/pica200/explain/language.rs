//! Directives of picasso's language, and the meanings of outputs.

use crate::explain::{Explanation, Section};
use shisa_pica200::container::OutputEntry;
use shisa_pica200::outputs::OutputMap;
use shisa_pica200::picasso::{DIRECTIVES, PROPERTIES};

/// A directive, with or without its dot.
pub(super) fn directive(word: &str) -> Option<Explanation> {
    let found = DIRECTIVES.iter().find(|d| d.bare() == word.strip_prefix('.').unwrap_or(word))?;
    let written = format!("{} {}", found.name, found.arguments);
    let explanation = Explanation::new(found.name, "PICA200 directive", found.says);
    Some(explanation.section("Written", vec![written.trim_end().into()]))
}

/// A meaning of outputs, as in `.out`.
pub(super) fn meaning(word: &str) -> Option<Explanation> {
    let (_, kind) = PROPERTIES.iter().find(|(name, _)| name.eq_ignore_ascii_case(word))?;
    let names: Vec<&str> = PROPERTIES.iter().filter(|(_, k)| k == kind).map(|(name, _)| *name).collect();
    let summary = match kind {
        0 => "The position in clip space; z ranges from -w (far) to 0.",
        1 => "The rotation from the surface to the view, a quaternion, for lighting.",
        2 => "Red, green, blue, alpha. The rasteriser takes the magnitudes, at most 1.",
        3 => "The first texture coordinate.",
        4 => "The third component of the first texture coordinate, the divisor of projected textures.",
        5 => "The second texture coordinate.",
        6 => "The third texture coordinate.",
        8 => "The vector from the surface to the viewer, for lighting.",
        _ => {
            "An output without a meaning to the rasteriser, such as one that only a geometry program reads. A translation leaves it out unless the outputs are registers."
        }
    };
    let mut lines = vec![format!("type {kind} in the output table")];
    let entry = OutputEntry { kind: *kind, register: 0, mask: 15, unknown: 0 };
    let numbers = OutputMap::numbers(&entry).map(|(_, number)| format!("{number:#x}")).collect::<Vec<_>>();
    if !numbers.is_empty() {
        lines.push(format!("components from number {} of the OUTMAP registers", numbers[0]));
    }
    Some(Explanation {
        word: names.join(", "),
        kind: "PICA200 meaning of outputs",
        summary: summary.into(),
        sections: vec![Section { heading: "Details", lines }],
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let directives = DIRECTIVES.iter().map(|d| d.name.to_owned());
    directives.chain(PROPERTIES.iter().map(|(name, _)| (*name).into()))
}
