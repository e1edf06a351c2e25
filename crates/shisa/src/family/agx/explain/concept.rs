//! Terms of the AGX hardware and its files.

use crate::explain::{Explanation, Section};

/// Each word with a summary and lines of detail; the first spelling is the reference's.
#[rustfmt::skip]
const CONCEPTS: &[(&[&str], &str, &[&str])] = &[
    (
        &["nesting-counter", "r0l", "exec-mask"],
        "r0l counts, for each lane, how many conditions mask it off; a lane is active while the count is 0.",
        &[
            "if: active lanes for which the condition does not hold get 1, inactive lanes get n more",
            "else: active lanes get n, lanes with 1 evaluate the condition",
            "while: lanes with less than n evaluate the condition, and get n if it does not hold",
            "pop_exec: subtracts n, down to at least 0; update_exec: recomputes the execution mask from the counters",
            "Instructions write it for inactive lanes, too. A break out of d levels writes d and updates the mask.",
        ],
    ),
    (
        &["link-register"],
        "r1: the hardware's register for the return address.",
        &["Programs without calls use it as a general register. r0l is the nesting counter; r5 and r6 are a vertex program's vertex and instance."],
    ),
    (
        &["half", "register-halves"],
        "Registers and uniforms are counted in halves of 16 bits: r0l, r0h; r0 is both, dr0 is r0 and r1.",
        &["r0 to r127, u0 to u255. A whole register begins at an even half. Register numbers in the instruction word count halves."],
    ),
    (
        &["long", "short", "instruction-length"],
        "Instructions have 2, 4, 6, 8, 10 or 12 bytes. Many have a short and a long form; one bit selects the form.",
        &[
            "The assembler uses the short form if it can hold the operands, and the long form for memory accesses, as compilers do.",
            "`long` or `short` after the operands selects the other form.",
        ],
    ),
    (
        &["hint", "cache-hint", "discard"],
        "Sources and destinations state whether the register cache should retain them. Hints never change values.",
        &["cache: it will be read again soon; discard: this is the last use"],
    ),
    (
        &["wait-group", "scoreboard"],
        "Loads, atomics, textures and stores complete asynchronously: each belongs to group a or b, and `wait` waits for one group.",
        &["At most eight are pending in a group. Arithmetic, interpolation and threadgroup memory need no wait."],
    ),
    (
        &["preamble"],
        "Code that runs once before a program and stores values that are the same for all lanes to uniforms.",
        &["Its stores are `mov u…, r…`. It begins at a multiple of 128 bytes, often after the program."],
    ),
    (
        &["metal-archive", "metallib"],
        "A binary archive of Metal, a library with code for a GPU in it, or one slice of these.",
        &[
            "Mach-O files within slices; symbols such as _agc.main name programs, _agc.main.constant_program their preambles.",
            "Slices for other GPUs, and Metal's intermediate language, are skipped.",
        ],
    ),
    (
        &["agx-dump"],
        "Text with offset, bytes and text of an instruction a line, as Mesa writes it with AGX_MESA_DEBUG=shaders.",
        &["Only offsets and bytes are read. A shader's stage and name are above it; other text is skipped."],
    ),
    (
        &["agx-part", "agx-linked", "shader-part"],
        "A prolog, main part or epilog as JSON {code, meta}, or the program that `link` made of them.",
        &["meta is the compiler's metadata: stage, ranges of code and constants, registers, key. Truth values are 0 and 1."],
    ),
];

pub(super) fn explain(word: &str) -> Option<Explanation> {
    let (names, summary, details) = CONCEPTS.iter().find(|(names, ..)| names.contains(&word))?;
    let lines: Vec<String> = details.iter().map(|l| (*l).into()).collect();
    Some(Explanation {
        word: names.first().copied().unwrap_or_default().into(),
        kind: "AGX concept",
        summary: (*summary).into(),
        sections: vec![Section { heading: "Details", lines }],
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    CONCEPTS.iter().flat_map(|(names, ..)| *names).map(|n| (*n).to_owned())
}
