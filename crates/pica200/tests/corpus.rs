//! The corpus of PICA200: programs that were written for this project, and what third-party tools made of them.
//! `tests/corpus/README.md` describes the sets.

use shisa_conformance::passes;

#[test]
fn asm() {
    passes("pica200/asm", 163);
}

#[test]
fn dis() {
    passes("pica200/dis", 237);
}

#[test]
fn run() {
    passes("pica200/run", 726);
}

#[test]
fn errors() {
    passes("pica200/errors", 157);
}

#[test]
fn errors_bin() {
    passes("pica200/errors-bin", 237);
}
