//! Differences between an early document about the instruction set and the known facts.

use crate::explain::Section;

/// Each word with the document's claim and the fact.
const SEED: &[(&[&str], &str, &str)] = &[
    (&["end"], "0x22 is END1, and 0x21 END2", "0x22 is end, 0x21 nop"),
    (&["nop"], "0x21 is END2", "0x21 is nop, 0x22 end"),
    (
        &["format-1", "desc", "src1", "src2"],
        "DESC, SRC2 and SRC1 have six bits at 0, 6 and 12",
        "they have seven bits at 0, five at 7 and seven at 12",
    ),
    (&["format-1", "dst"], "DST has two bits at 0x24", "it has five bits at 21"),
    (&["format-1", "idx"], "bits 18 and 19 are flags", "bits 19 and 20 select the index register"),
    (
        &["format-2", "target", "condop", "refx", "refy"],
        "DST has sixteen bits at 8",
        "it has twelve at 10; the operator is at 22, the reference values of the flags at 24 and 25",
    ),
    (
        &["opdesc", "sel2", "neg1", "neg2", "neg3"],
        "the second source's selector is at 0x14, and there is a flag at 0x1f",
        "it is at 14 (decimal); bits 4, 13 and 22 negate, the third selector is at 23, bit 31 is not known",
    ),
    (
        &["r", "c"],
        "0x20 to 0x40 are registers to read and write",
        "0x10 to 0x1f are the temporaries; 0x20 to 0x7f are the 96 constants, read only",
    ),
    (
        &["v", "o"],
        "registers are named after position, texture coordinate and colour",
        "they are numbered; the permutation of attributes and the output map give them meanings",
    ),
    (
        &["format-0", "format-1", "format-2"],
        "there are five opcodes in two formats",
        "there are 39 in ten formats",
    ),
];

/// Both versions, if they differ.
pub(super) fn about(word: &str) -> Option<Section> {
    let lines: Vec<String> = SEED
        .iter()
        .filter(|(words, ..)| words.contains(&word))
        .flat_map(|(_, said, truth)| [format!("it says: {said}"), format!("in truth: {truth}")])
        .collect();
    (!lines.is_empty()).then_some(Section { heading: "An early description differs", lines })
}
