//! The corpus of AGX: programs that were written for this project, and the output of third-party tools for them.
//! `tests/corpus/README.md` describes the sets.

use shisa_conformance::passes;

#[test]
fn mesa() {
    passes("agx/mesa", 10241);
}

#[test]
fn applegpu() {
    passes("agx/applegpu", 10240);
}

#[test]
fn words() {
    passes("agx/words", 10241);
}

#[test]
fn exec() {
    passes("agx/exec", 290);
}

#[test]
fn links() {
    passes("agx/links", 366);
}
