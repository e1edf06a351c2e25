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

#[test]
fn cuda() {
    passes("maxwell/cuda", 275);
}

#[test]
fn glsl_run() {
    passes("maxwell/glsl-run", 25);
}

#[test]
fn findings() {
    passes("maxwell/findings", 394);
}
