//! The corpus of Maxwell: programs that were written for this project, and the output of third-party tools for them.
//! `tests/corpus/README.md` describes the sets.

use shisa_conformance::passes;

#[test]
fn words() {
    passes("maxwell/words", 17262);
}

#[test]
fn sched() {
    passes("maxwell/sched", 1000);
}

#[test]
fn ptx() {
    passes("maxwell/ptx", 2250);
}

#[test]
fn glsl() {
    passes("maxwell/glsl", 69);
}
