//! Directives of picasso's language, and the meanings of outputs.

use crate::explain::{Explanation, Section};
use shisa_pica200::container::OutputEntry;
use shisa_pica200::outputs::OutputMap;
use shisa_pica200::picasso::{DIRECTIVES, PROPERTIES};

/// Each directive with its form and its meaning; the last ones are those of listings.
const TEXTS: &[(&str, &str, &str)] = &[
    ("proc", "NAME", "Begins a procedure, up to its `.end`. The program begins with the procedure `main`."),
    ("else", "", "Begins the words of a condition for the other outcome."),
    ("end", "", "Ends a procedure, a condition, a loop or an array of constants."),
    ("alias", "NAME REGISTER", "Names a register, with its swizzle and sign."),
    ("fvec", "NAME[SIZE], …", "Declares float uniforms: constant registers that the application sets."),
    ("ivec", "NAME[SIZE], …", "Declares integer uniforms, for loops."),
    ("bool", "NAME[SIZE], …", "Declares boolean uniforms, for conditions."),
    ("constf", "NAME(X, Y, Z, W)", "Declares a float constant; it is in the binary's table of constants."),
    ("consti", "NAME(X, Y, Z, W)", "Declares a constant integer vector of four bytes."),
    (
        "constfa",
        "NAME[SIZE]",
        "Begins an array of float constants; each `.constfa (X, Y, Z, W)` after it is an element.",
    ),
    ("in", "NAME REGISTER", "Declares an input. Without a register it gets the next free one."),
    (
        "out",
        "NAME MEANING REGISTER",
        "Declares an output with its meaning; `-` is no name. A mask follows the register or, without one, the meaning.",
    ),
    ("entry", "NAME", "Selects the procedure that the program begins with, in place of `main`."),
    ("nodvle", "", "The file makes no program of its own; other files use its procedures."),
    (
        "gsh",
        "MODE FIRST …",
        "This is a geometry program with this geometry mode; FIRST is the first constant that uniforms may take.",
    ),
    ("setf", "REGISTER(X, Y, Z, W)", "Sets the initial value of a float uniform."),
    ("seti", "REGISTER(X, Y, Z, W)", "Sets the initial value of an integer uniform."),
    ("setb", "REGISTER VALUE", "Sets the initial value of a boolean uniform: true or false."),
    ("nopad", "", "No NOP is inserted from here on."),
    ("pool", "VERSION", "The version of the DVLP. With it a file may be without programs."),
    ("opdesc", "N BITS [FLAGS]", "Operand descriptor N, and its second word."),
    ("word", "BITS", "A word as it is."),
    ("line", "\"FILE\" LINE", "An entry of the line table."),
    ("names", "\"BYTES\"", "The names of the line table as they are."),
    ("layout", "PART NUMBER …", "The offsets of a part of the file, or bytes that belong to no table."),
    ("dvle", "[VERSION [KIND [FLAGS]]]", "Begins a further program of the file."),
    ("masks", "INPUTS OUTPUTS", "The masks of registers in the program's header."),
    ("geometry", "MODE START VARIABLE FIXED", "The four bytes of the geometry mode in the program's header."),
    ("constant", "KIND REGISTER W0 W1 W2 W3", "An entry of the table of constants."),
    ("label", "ID WORD LENGTH \"NAME\"", "An entry of the table of labels."),
    ("output", "KIND REGISTER MASK [UNKNOWN]", "An entry of the table of outputs."),
    ("uniform", "\"NAME\" FIRST LAST", "An entry of the table of uniforms."),
    ("symbols", "\"BYTES\"", "The names of a program as they are."),
];

/// A directive, with or without its dot.
pub(super) fn directive(word: &str) -> Option<Explanation> {
    let (name, form, text) =
        TEXTS.iter().find(|(name, ..)| *name == word.strip_prefix('.').unwrap_or(word))?;
    Some(Explanation {
        word: format!(".{name}"),
        kind: "PICA200 directive",
        summary: (*text).into(),
        sections: vec![Section {
            heading: "Written",
            lines: vec![format!(".{name} {form}").trim_end().into()],
        }],
    })
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
    let directives = DIRECTIVES.iter().map(|name| format!(".{name}"));
    directives.chain(PROPERTIES.iter().map(|(name, _)| (*name).into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_directive_and_meaning_is_explained() {
        for word in words() {
            let found = directive(&word).or_else(|| meaning(&word));
            assert!(found.is_some(), "{word}");
        }
        assert_eq!(directive("setb").map(|e| e.word), Some(".setb".into()));
    }

    /// Words that users of other tools know.
    #[test]
    fn other_names_are_explained() {
        for word in
            ["loop", "lcnt", "DVLB", "DVLP", "DVLE", "DVOJ", "csdr", "CGFX", "subdivision", "particle"]
        {
            assert!(!super::super::explain(word).is_empty(), "{word}");
        }
    }
}
