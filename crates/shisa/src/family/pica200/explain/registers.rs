//! Registers.

use super::seed;
use crate::explain::{Explanation, Section};

/// Each register with its meaning and details. Names of register files are followed by a number.
const REGISTERS: &[(&str, &str, &[&str])] = &[
    (
        "v",
        "Inputs v0 to v15 of four components: attributes of a vertex, or in a geometry program the outputs of the vertex program. Read only.",
        &[
            "In a source 0x00-0x0f.",
            "One instruction can read one input register: with two different ones the result is wrong.",
            "Components that an attribute does not have are 0, 0, 1.",
        ],
    ),
    (
        "r",
        "Temporaries r0 to r15 of four components. They hold what the last run left.",
        &["In a source and in a destination 0x10-0x1f."],
    ),
    (
        "c",
        "Constants (float uniforms) c0 to c95 of four components. Read only, and the only registers that can be indexed.",
        &[
            "In a wide source 0x20-0x7f. Sources of five bits do not reach them.",
            "Indexed with a0.x, a0.y or aL: c20[aL]. Beyond c95 all components are 1.",
        ],
    ),
    (
        "o",
        "Outputs o0 to o15 of four components; in a geometry program o0 to o6. Write only.",
        &[
            "In a destination 0x00-0x0f.",
            "The output table states their meaning. Each enabled component must be written exactly once.",
        ],
    ),
    (
        "i",
        "Integer vectors i0 to i3 for loops: x is one less than the number of iterations, y the first aL, z its step.",
        &["Each component is a byte. w is not used."],
    ),
    (
        "b",
        "Booleans b0 to b15, which callu, ifu and jmpu test. They do not change while a program runs.",
        &["In geometry programs b15 becomes true after the first run."],
    ),
    (
        "a0.x",
        "The first address register: mova truncates a number to an integer and writes it here, and constants are indexed with it.",
        &["Index register 1.", "Outside of -128 to 127 it counts as 0 when it indexes."],
    ),
    (
        "a0.y",
        "The second address register: mova truncates a number to an integer and writes it here, and constants are indexed with it.",
        &["Index register 2.", "Outside of -128 to 127 it counts as 0 when it indexes."],
    ),
    (
        "aL",
        "The loop register (lcnt): begins at y of the loop's integer vector, increases by z after each iteration, and can index constants. After the loop it keeps its value; after an inner loop the value of the outer loop is restored.",
        &["Index register 3."],
    ),
    ("cmp.x", "The first flag. cmp sets it from the x components, litp from x; conditions test it.", &[]),
    ("cmp.y", "The second flag. cmp sets it from the y components, litp from w; conditions test it.", &[]),
];

/// Other names that picasso accepts.
const ALIASES: &[(&str, &str)] = &[("a1", "a0.y"), ("a2", "aL"), ("lcnt", "aL")];

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let word =
        ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(word)).map_or(word, |(_, name)| name);
    // c95, and a0 and cmp for both of their components.
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = word.get(name.len()..).unwrap_or_default();
    let count = match name {
        "v" | "r" | "o" | "b" => 16,
        "c" => 96,
        "i" => 4,
        _ => 0,
    };
    let numbered = number.parse().is_ok_and(|n: u32| n < count);
    let asked = |register: &str| {
        let of_both = register.split('.').next().is_some_and(|whole| whole == word && whole != register);
        register.eq_ignore_ascii_case(word) && register.len() > 1
            || register == word
            || of_both
            || numbered && register == name
    };
    let found = REGISTERS.iter().filter(|(register, ..)| asked(register));
    found
        .map(|(register, summary, details)| {
            let lines: Vec<String> = details.iter().map(|l| (*l).into()).collect();
            let mut sections = Vec::new();
            if !lines.is_empty() {
                sections.push(Section { heading: "Details", lines });
            }
            sections.extend(seed::about(register));
            Explanation {
                word: (*register).into(),
                kind: "PICA200 register",
                summary: (*summary).into(),
                sections,
            }
        })
        .collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    let aliases = ALIASES.iter().map(|(alias, _)| *alias);
    REGISTERS.iter().map(|(register, ..)| *register).chain(["a0", "cmp"]).chain(aliases).map(String::from)
}
