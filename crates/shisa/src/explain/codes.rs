//! Diagnostic codes that do not belong to a single instruction set.

use super::Explanation;

/// Each code with its meaning.
const CODES: &[(&str, &str)] = &[
    (
        "asm-alias-row",
        "With these operands, the encoding of the instruction is that of another instruction with undefined operands.",
    ),
    ("asm-comment", "A comment begins with /* and never ends."),
    ("asm-condition", "A condition does not follow the syntax of the language."),
    (
        "asm-directive",
        "A directive (a line of the listing that begins with a dot) is unknown, or its values do not fit.",
    ),
    ("asm-mask", "A mask consists of x, y, z, w in this order, each at most once."),
    ("asm-operand", "This operand is not allowed here."),
    ("asm-operand-count", "The number of operands is wrong for the instruction."),
    ("asm-range", "A number is larger than its field holds."),
    ("asm-raw", "Raw bits are written in hexadecimal, with as many digits as in the listing."),
    ("asm-register-range", "There is no register of this number in this version."),
    ("asm-swizzle", "A swizzle is one to four of x, y, z, w."),
    ("asm-too-many", "The program has more instructions than its version allows."),
    ("asm-unexpected", "The statement should have ended here, or continued with other text."),
    ("asm-unknown-modifier", "The instruction has no suffix of this name."),
    ("asm-unknown-opcode", "No instruction has this name."),
    ("asm-unknown-register", "No register has this name."),
    ("asm-word", "A word is written as eight hexadecimal digits, a colon, and its operand descriptor."),
    ("dis-live", "Only the default listing shows live registers; the text of other tools cannot show them."),
    (
        "exchange-divergent",
        "A cross-lane operation is in control flow that not every thread of the workgroup reaches. In the target languages it becomes shared memory and a workgroup barrier, which all threads must execute.",
    ),
    ("exchange-kind", "Lanes exchange vectors of 64 bits, which the target languages cannot express."),
    ("explain-unknown", "The reference does not know the word."),
    ("extract-enclosing", "The program is not in an inner file that could be extracted as a whole."),
    ("flow-depth", "Calls are nested deeper than the analysis follows."),
    (
        "flow-divergent",
        "Lanes of a wave call or return to different addresses in a register. AGX's behaviour is unknown there, so only lanes that agree continue.",
    ),
    ("flow-guard", "A conditional branch also has an effect that its condition does not mask off."),
    (
        "flow-indirect",
        "A register holds the target of a call or return. The evaluator follows it. A translator must know it in advance: the straight-line code before it must move a constant to the register.",
    ),
    (
        "flow-off-program",
        "Some path through the program reaches an address without an instruction. The option past-end states what PICA200 programs find there.",
    ),
    ("flow-return", "The program returns without a matching call."),
    (
        "flow-states",
        "The stacks of the hardware multiply the states of the program beyond the limit structure-growth.",
    ),
    (
        "internal-identity",
        "A file has a program that its identity lacks. This is a defect of shisa: please report it.",
    ),
    ("internal-json", "A result could not be written as JSON. This is a defect of shisa: please report it."),
    ("ir-divergent", "A cross-lane operation is in control flow that not all of its lanes reach."),
    ("ir-invalid", "Operations break a rule of the intermediate representation."),
    ("ir-text", "The text of the intermediate representation does not have the form in which it is printed."),
    ("isa-other", "The first bytes of a file name another instruction set than the requested one."),
    ("lift-destination", "The destination is a register that cannot be written."),
    ("lift-opcode", "An instruction has no known opcode, so it has no meaning."),
    ("lift-operand", "An operand cannot be used as this instruction uses it."),
    ("lift-register", "A register number is past the last register of its kind."),
    ("lift-sampler", "A sampler operand does not name a texture that can be sampled."),
    (
        "limit-diagnostics",
        "There were more findings than the limit `diagnostics`; the rest are only counted.",
    ),
    ("limit-exceeded", "The input is larger than a limit; --limit NAME=N raises it."),
    (
        "narrow-register",
        "A 16-bit register is indexed at run time, and the target language cannot index 16-bit elements.",
    ),
    ("no-program", "The file has no program of this number."),
    ("not-built", "This verb does not support the instruction set yet."),
    (
        "not-recognised",
        "This build does not recognise the file. A source is assembled first; `run`, `check` and `translate` do so themselves where its name or first line states its language.",
    ),
    ("program-isa", "A function for one instruction set was called with a program of another one."),
    ("run-input", "An input names something that the program does not have, or has the wrong shape."),
    ("run-output", "A vertex writes an output whose computed number is past the last output."),
    ("run-steps", "The program ran for more instructions than the limit; it may never end."),
    ("source-utf8", "A source is not text in UTF-8."),
    (
        "structure-convergent",
        "Cross-lane operations would have to move into a loop that not all lanes enter.",
    ),
    (
        "structure-growth",
        "Converting jumps to structured statements would duplicate too much of the program.",
    ),
    (
        "words-settings",
        "Single instruction words need a setting that a file would state, such as AGAL's version and stage.",
    ),
];

/// This list, and those of the crates that run and translate programs.
fn tables() -> impl Iterator<Item = &'static [(&'static str, &'static str)]> {
    [
        CODES,
        #[cfg(feature = "eval")]
        crate::eval::CODES,
        #[cfg(feature = "translator")]
        crate::translation::CODES,
    ]
    .into_iter()
}

pub(super) fn explain(word: &str) -> Option<Explanation> {
    tables().find_map(|table| of(table, word))
}

/// The explanation of a code from a list of codes and their meanings.
pub(crate) fn of(codes: &[(&str, &str)], word: &str) -> Option<Explanation> {
    let (code, text) = codes.iter().find(|(code, _)| *code == word)?;
    Some(Explanation {
        word: (*code).into(),
        kind: "error code",
        summary: (*text).into(),
        sections: Vec::new(),
    })
}

pub(super) fn words() -> impl Iterator<Item = &'static str> {
    tables().flatten().map(|(code, _)| *code)
}
