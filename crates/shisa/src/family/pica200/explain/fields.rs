//! Formats, their fields, and the values of fields.

use super::opcode::bit_names;
use super::seed;
use crate::explain::{Explanation, Section, row};
use shisa_pica200::format::{FIELDS, Format, NamedField};

/// Field values, with their meanings.
const VALUES: &[(&[&str], &str, &str)] = &[
    (
        &["||", "or"],
        "PICA200 condition",
        "Operator 0 of conditions: either flag matches. ifc cmp.x || !cmp.y",
    ),
    (
        &["&&", "and"],
        "PICA200 condition",
        "Operator 1 of conditions: both flags match. Operators 2 and 3 test only cmp.x or only cmp.y.",
    ),
    (
        &["eq"],
        "PICA200 comparison",
        "Comparison 0 of cmp: the first source's component equals the second's; false with NaN.",
    ),
    (&["ne"], "PICA200 comparison", "Comparison 1 of cmp: the components differ; true with NaN."),
    (&["lt"], "PICA200 comparison", "Comparison 2 of cmp: the first is smaller; false with NaN."),
    (&["le"], "PICA200 comparison", "Comparison 3 of cmp: the first is smaller or equal; false with NaN."),
    (&["gt"], "PICA200 comparison", "Comparison 4 of cmp: the first is greater; false with NaN."),
    (&["ge"], "PICA200 comparison", "Comparison 5 of cmp: the first is greater or equal; false with NaN."),
    (
        &["true6", "true7"],
        "PICA200 comparison",
        "Comparisons 6 and 7 of cmp have no name. They are believed to be always true; see the option cmp-6-7.",
    ),
];

pub(super) fn value(word: &str) -> Option<Explanation> {
    let (names, kind, text) = VALUES.iter().find(|(names, ..)| names.contains(&word))?;
    Some(Explanation { word: names.join(", "), kind, summary: (*text).into(), sections: Vec::new() })
}

/// `format-1i`
pub(super) fn format(word: &str) -> Option<Explanation> {
    let name = word.strip_prefix("format-")?;
    let format = Format::ALL.into_iter().find(|f| f.name() == name)?;
    // The row with the most operands shows all fields; others leave some out.
    let form = format.rows().max_by_key(|f| f.operands.len())?;
    let rows: Vec<&str> = format.rows().map(|f| f.name).collect();
    let mut sections = vec![Section { heading: "Opcodes", lines: vec![rows.join(", ")] }];
    let mut bits = row::bits(form, bit_names);
    if let Some(first) = bits.lines.iter_mut().find(|l| l.contains("  0x")) {
        let at = first.rfind("  0x").unwrap_or(first.len());
        first.replace_range(at.., "  opcode");
    }
    bits.heading = "Bits";
    sections.push(bits);
    sections.extend(seed::about(word));
    Some(Explanation { word: word.into(), kind: "PICA200 format", summary: format.about().into(), sections })
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let field = FIELDS.iter().find(|f| f.name == word)?;
    let mut sections = vec![Section { heading: "Bits", lines: everywhere(field) }];
    sections.extend(seed::about(word));
    Some(Explanation { word: word.into(), kind: "PICA200 field", summary: field.about.into(), sections })
}

/// The bits of a field in each format that has it.
fn everywhere(field: &NamedField) -> Vec<String> {
    let mut lines = Vec::new();
    for format in Format::ALL {
        let found = format.rows().map(|f| field.bits(f)).find(|bits| !bits.is_empty());
        if let Some(bits) = found {
            let places: Vec<String> = bits.into_iter().map(|(lo, width)| bit_names(lo, width)).collect();
            lines.push(format!("format {}: {}", format.name(), places.join(", ")));
        }
    }
    lines
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let formats = Format::ALL.into_iter().map(|f| format!("format-{}", f.name()));
    let fields = FIELDS.iter().map(|f| f.name);
    let values = VALUES.iter().flat_map(|(names, ..)| names.iter().copied());
    formats.chain(fields.chain(values).map(String::from))
}
