//! Rules for programs that use an instruction, and where sources disagree about it.

use super::special::names_of;
use crate::explain::Section;
use shisa_maxwell::{Maxwell, SPECIAL_REGISTERS, rules};
use shisa_rows::{Form, Insn};
use std::collections::BTreeMap;

/// The state of emission, which `OUT` and `AST` share.
const STATE: &str = "In regular geometry programs the state of emission starts as 0, is what the last OUT wrote, and is changed by nothing else.";

/// Rules of a mnemonic, and where its description and nvdisasm disagree.
#[rustfmt::skip]
const NOTES: &[(&str, &[&str], &[&str])] = &[
    (
        "OUT",
        &[
            STATE,
            "The second operand is the state, the first the register that receives the next state. AST has the state as its last operand.",
            "R0 must hold the state wherever a thread may end: the hardware then ends the output with an OUT of its own that emits no vertex.",
            "Programs that keep the state in R0 all the time satisfy this rule.",
            "If the state is damaged, OUT does not change it, and AST writes nothing; both may trap. Nothing is written past the output's room (ISBE).",
            "OUT.CUT takes RZ in place of a stream. Two bits of a stream's number are significant. A vertex for another stream than the last one ends the strip, also if one of the two streams is switched off.",
            "OUT.CUT ends the strip after the last vertex, OUT.EMIT_THEN_CUT after the one that it emits. A strip that ends within a primitive loses that primitive.",
            "In fast geometry programs OUT does nothing, the hardware adds none, and R0 may hold anything at the end.",
        ],
        &[
            "In the description the stream is a register or a number; nvdisasm also accepts a constant.",
            "Type 0 is not valid according to the description; nvdisasm writes it as .INVALIDOUTSTYPE0.",
        ],
    ),
    ("AST", &[STATE, "The last operand is the register that holds it; with another one nothing is written."], &[]),
    (
        "S2R",
        &[
            "Special registers are written by name, since numbers may mean others on other chips. SRn has no name.",
            "Reserved and unimplemented registers, and bits outside of fields, read as zero.",
        ],
        &["nvdisasm names some that the description calls reserved; the entry of each states that."],
    ),
    (
        "CS2R",
        &["Special registers are written by name, since numbers may mean others on other chips. SRn has no name."],
        &["nvdisasm accepts every special register, the description only the coupled ones."],
    ),
];

/// The rules of a mnemonic, and where sources disagree.
pub(super) fn sections(name: &str) -> Vec<Section> {
    let Some((_, rules, disagree)) = NOTES.iter().find(|(of, ..)| *of == name) else { return Vec::new() };
    let mut lines: Vec<String> = rules.iter().map(|l| (*l).into()).collect();
    if name == "CS2R" {
        let coupled: Vec<&str> = SPECIAL_REGISTERS.iter().filter(|s| s.coupled).map(|s| s.name).collect();
        lines.push(format!("Reads {}; all others as zero.", coupled.join(", ")));
    }
    let disagree: Vec<String> = disagree.iter().map(|l| (*l).into()).collect();
    let sections = [("Rules", lines), ("Sources disagree", disagree)].into_iter();
    sections
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(heading, lines)| Section { heading, lines })
        .collect()
}

/// The stages in which a mnemonic has a meaning.
pub(super) fn stages(form: &Form<Maxwell>) -> Section {
    let lines = vec![rules::stages(form).map_or_else(|| "all".into(), names_of)];
    Section { heading: "Stages", lines }
}

/// What the Shader Program Header must allow, according to the examples of the rows.
pub(super) fn needs(rows: impl Iterator<Item = &'static Form<Maxwell>>) -> Option<Section> {
    let (mut fields, mut examples) = (BTreeMap::new(), 0);
    for (_, word) in rows.flat_map(|form| form.examples) {
        let Some(insn) = Insn::<Maxwell>::decode(*word) else { continue };
        examples += 1;
        for need in rules::needs(&insn) {
            *fields.entry((need.0.name, need.1)).or_insert(0) += 1;
        }
    }
    let line = |((field, otherwise), count)| {
        let some = if count < examples { " for some words" } else { "" };
        format!("{field}{some}; otherwise {otherwise}")
    };
    let lines: Vec<String> = fields.into_iter().map(line).collect();
    (!lines.is_empty()).then_some(Section { heading: "Needs in the Shader Program Header", lines })
}
