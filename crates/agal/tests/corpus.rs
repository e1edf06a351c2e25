//! The corpus of AGAL: programs that were written for this project, and the output of third-party tools for them.
//! `tests/corpus/README.md` describes the sets.

use shisa_conformance::passes;

#[test]
fn asm() {
    passes("agal/asm", 209);
}

#[test]
fn dis() {
    passes("agal/dis", 209);
}

#[test]
fn run() {
    passes("agal/run", 214);
}

#[test]
fn errors() {
    passes("agal/errors", 176);
}

#[test]
fn linkage() {
    passes("agal/linkage", 68);
}

#[test]
fn text_errors() {
    passes("agal/text-errors", 56);
}
