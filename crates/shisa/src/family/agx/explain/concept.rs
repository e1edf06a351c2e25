//! Terms of the AGX hardware and its files.

use crate::explain::{Explanation, Section};

/// The concept whose lines are computed.
const OCCUPANCY: &str = "occupancy";

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
            "Slices are named by their GPU, such as G13P or G13G. Code of other generations than G13 is listed and not decoded.",
            "Metal's intermediate language is skipped. Symbols ltmp0, ltmp1 and so on mark padding.",
        ],
    ),
    (
        &["metal-library", "mtlb", "air"],
        "A library of Metal's intermediate language (AIR): it begins with MTLB, and has no code for a GPU.",
        &["A device builds a binary archive from it, which has code for the device's GPU."],
    ),
    (
        &["agx-registers", "agx-uniforms"],
        "r0 to r127 are general registers of 32 bits, u0 to u255 uniforms; l and h name their halves of 16 bits.",
        &[
            "dr0 is r0 and r1 as 64 bits, r0_r1_r2 are consecutive registers, ^r0 is a last use, $r0 stays in the register cache.",
            "r0l is the nesting counter, r1 the link register; r5 and r6 of vertex programs hold the numbers of vertex and instance.",
            "cf0 to cf255 are coefficients, ts0 and ss0 the first texture and sampler state, sr0 to sr255 special registers.",
        ],
    ),
    (
        &[OCCUPANCY, "agx-occupancy"],
        "The number of threads that a core runs at a time. It depends on the registers of a program.",
        &["The numbers were measured on G13G; `shisa report` states them for a program."],
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
    let word = if is_register(word) { "agx-registers" } else { word };
    let (names, summary, details) = CONCEPTS.iter().find(|(names, ..)| names.contains(&word))?;
    let mut lines: Vec<String> = details.iter().map(|l| (*l).into()).collect();
    if names.contains(&OCCUPANCY) {
        lines.extend(occupancy());
    }
    Some(Explanation {
        word: names.first().copied().unwrap_or_default().into(),
        kind: "AGX concept",
        summary: (*summary).into(),
        sections: vec![Section { heading: "Details", lines }],
    })
}

/// Whether a word names a register, a uniform, a coefficient, or a state of a texture or sampler by its number.
fn is_register(word: &str) -> bool {
    let number = |name: &str| name.parse::<u8>().ok();
    let halves = |rest: &str| number(rest.trim_end_matches(['l', 'h']));
    let (double, rest) = word.strip_prefix('d').map_or((false, word), |rest| (true, rest));
    let found = match rest.chars().next() {
        Some('r') if double => number(&rest[1..]),
        Some('u') if double => number(&rest[1..]),
        Some('r') => halves(&rest[1..]).filter(|n| *n < 128),
        Some('u') => halves(&rest[1..]),
        Some('c') => rest.strip_prefix("cf").and_then(number).filter(|_| !double),
        Some('t') => rest.strip_prefix("ts").and_then(number).filter(|_| !double),
        Some('s') => rest.strip_prefix("ss").and_then(number).filter(|_| !double),
        _ => None,
    };
    found.is_some()
}

/// The occupancy by halves of registers.
fn occupancy() -> impl Iterator<Item = String> {
    let mut before = None;
    (1..=256).rev().filter_map(move |halves| {
        let threads = shisa_agx::report::occupancy(halves).threads;
        let changed = before.replace(threads) != Some(threads);
        changed.then(|| format!("up to {halves} halves of registers: {threads} threads"))
    })
}

pub(super) fn words() -> impl Iterator<Item = String> {
    CONCEPTS.iter().flat_map(|(names, ..)| *names).map(|n| (*n).to_owned())
}
