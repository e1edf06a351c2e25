//! Diagnostic codes of containers, words, text and runs.

use crate::explain::Explanation;
use shisa_maxwell::{REFUSALS, container, hazards, rules};

/// Codes of the verbs themselves.
const VERBS: &[(&str, &str)] =
    &[("maxwell-replace", "One program of a container is replaced, so the source must have one program.")];

/// Codes of text, of semantics that are not stated yet, and of runs.
#[rustfmt::skip]
const OTHERS: &[(&str, &str)] = &[
    ("asm-control", "Control bits are written {wait:read:write:yield:stall}, as in {--:-:0:Y:2}."),
    ("asm-label", "A label is unknown, is defined twice, or marks an address where no instruction begins."),
    ("lift-attribute", "An attribute has an address that is no multiple of 4 or past the space of attributes, or the stage of the program cannot access it so: a geometry program loads outputs, or another stage than tessellation control stores attributes of the patch."),
    ("lift-atomic", "No public source describes what this atomic operation does to this type."),
    ("lift-barrier", "The reduction at a barrier does not exist."),
    ("lift-breakpoint", "The mode of BPT does not exist."),
    ("lift-codes", "No codes are known for a carry of 3, of a sum of three negated sources."),
    ("lift-compare", "The operation that joins truth values has an undefined number."),
    ("lift-components", "The texture read selects a set of components that does not exist."),
    ("lift-condition", "The condition tests the coverage of a pixel, which nothing public describes."),
    ("lift-constant", "No public source describes how LDC.ISL selects a bank of constants."),
    ("lift-interpolation", "Nothing public describes a predicate of IPA, the point of interpolation does not exist, or no header states the interpolation that IPA.SC takes from a state."),
    ("lift-multiply", "A source of the product has a mode or a type with an undefined number."),
    ("lift-out", "An OUT of the type 0 neither emits a vertex nor ends a strip."),
    ("lift-parts", "A part of a source, an order of bytes or a shift of a sum has an undefined number."),
    ("lift-permute", "The mode of the permutation has an undefined number."),
    ("lift-pixel", "Nothing public describes this use of PIXLD: COVERED, an address other than [RZ] except with OFFSET, or a predicate that is written."),
    ("lift-scale", "The scale of a video product has an undefined number."),
    ("lift-shift", "Nothing public describes this suffix of a shift (.X, .XHI), or the hardware rejects it (SHF.L.HI)."),
    ("lift-size", "A memory access of this size does not exist."),
    ("lift-surface", "The access to a surface has an undefined shape, size or treatment of coordinates outside, or its result depends on the format of the surface."),
    ("lift-target", "The target of a branch is before the code."),
    ("lift-unstated", "The instruction is read and written, but no public source describes what it does; the message names what is not known."),
    ("lift-vertices", "Nothing public describes what ISBERD reads with a suffix."),
    ("lift-vote", "A vote in this mode does not exist."),
    ("maxwell-run-divergent-barrier", "Only some lanes of a warp reach a barrier. A barrier counts all 32 threads of a warp that arrives, so the other lanes pass it later, or wait at another one."),
    ("maxwell-run-misaligned", "An access to memory is not at a multiple of its size. The hardware reports a misaligned address and ends the kernel."),
    ("maxwell-run-race", "Two warps access the same bytes of shared memory, one of them writes, and no barrier or atomic operation orders the two. What the program computes depends on which warp is faster."),
    ("maxwell-run-stack", "The divergence stack is full."),
    ("maxwell-run-token", "The divergence stack does not have the token that the instruction needs."),
    ("maxwell-run-trap", "The program stops: it reports an error (BPT.TRAP), waits for a debugger, or returns from a trap handler that does not run."),
    ("maxwell-run-uninitialised", "A read of shared or local memory finds only bytes that nothing has written. Here they are zero; on hardware they are whatever ran before left."),
    ("maxwell-run-word", "Control went to a word that is no instruction, or whose meaning is not public."),
    ("run-findings", "A run with `--findings` found races, reads of memory that nothing wrote, or barriers that only some lanes of a warp reach. Each has its own code, instruction, warp and block."),
    ("maxwell-unaligned", "An instruction is marked to issue with the next one, which its bundle does not hold."),
];

fn codes() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let found = hazards::CODES.iter().chain(rules::CODES);
    container::CODES.iter().chain(REFUSALS).chain(found).chain(VERBS).chain(OTHERS)
}

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let found = codes().filter(|(code, _)| *code == word);
    let explained = found.map(|(code, text)| Explanation {
        word: (*code).into(),
        kind: "Maxwell error code",
        summary: (*text).into(),
        sections: Vec::new(),
    });
    explained.collect()
}

pub(super) fn words() -> impl Iterator<Item = String> {
    codes().map(|(code, _)| (*code).into())
}
