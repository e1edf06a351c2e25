//! Programs and sources are known, and other files are not.

use Confidence::{Certain, Likely, Possible};
use shisa_agal::{Identity, Program, SourceGuess, identify, identify_source};
use shisa_diag::Confidence;
use shisa_ir::Stage;

#[test]
fn programs_and_what_is_none() {
    let mut program = Program::new(2, Stage::Vertex);
    let of = |bytes: &[u8]| match identify(bytes) {
        Some(Identity::Program { version, stage, tokens, confidence }) => {
            Some((version, stage, tokens, confidence))
        }
        _ => None,
    };
    assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 0, Confidence::Possible)));
    program.tokens.push([0x030f_0000_0000_0000, 0xe400_0000, 0]);
    assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 1, Confidence::Certain)));
    program.tokens.push([0xff, 0, 0]);
    assert_eq!(of(&program.write()), Some((2, Stage::Vertex, 2, Confidence::Likely)));
    program.version = 99;
    assert_eq!(of(&program.write()), Some((99, Stage::Vertex, 2, Confidence::Possible)));
    assert_eq!(identify(&[0xa0, 1, 0, 0, 0, 0xa1, 2]), None);
    assert_eq!(identify(&[0xa0]), None);
    assert_eq!(identify(b"void main() {}"), None);
}

#[test]
fn source_text() {
    let guess = SourceGuess { stage: Some(Stage::Fragment), version: 1, confidence: Confidence::Likely };
    assert_eq!(identify(b"mov oc, v0\n"), Some(Identity::Source(guess)));
}

#[test]
fn glsl_of_openfl() {
    assert_eq!(identify(b"\xb0\x05\x00void more"), Some(Identity::EmbeddedGlsl { size: 5 }));
    assert_eq!(identify(b"\xb0\x50\x00void"), None, "the text is shorter than its length says");
    assert_eq!(identify(b"\xb0\x02\x00\x01\x02"), None, "control characters are not text");
}

fn guess(text: &str) -> Option<(Option<Stage>, u32, Confidence)> {
    identify_source(text).map(|g| (g.stage, g.version, g.confidence))
}

#[test]
fn source_is_known() {
    let vertex = Some(Stage::Vertex);
    let fragment = Some(Stage::Fragment);
    assert_eq!(guess("m44 op, va0, vc0\nmov v0, va1\n"), Some((vertex, 1, Certain)));
    assert_eq!(guess("m44 op, va0, vc0 // 4x4\r\n\r\n  mov v0, va1"), Some((vertex, 1, Certain)));
    assert_eq!(guess("mov oc, v0"), Some((fragment, 1, Likely)));
    assert_eq!(guess("mov ft2 v0"), Some((fragment, 1, Likely)));
    assert_eq!(guess("tex ft1, v0, fs0 <2d, linear, nomip>\n"), Some((fragment, 1, Likely)));
    assert_eq!(guess("tex ft1, v0, fs0 <2d,"), Some((fragment, 1, Likely)), "cut off in the options");
    assert_eq!(guess("linear>\nmul oc, ft1, v1\n"), Some((fragment, 1, Likely)), "begins in the options");
    assert_eq!(guess("add vt0, va0, vc[va1.x+4].xyz"), Some((vertex, 1, Likely)));
    assert_eq!(guess("ife ft0.x, fc0.y\nmov ft1, v0\neif\nmov oc, ft1"), Some((fragment, 2, Certain)));
    assert_eq!(guess("mov vt0, iid.x"), Some((vertex, 3, Likely)));
    assert_eq!(guess("tld vt0, va0, vs0 <2d>"), Some((vertex, 4, Likely)));
    assert_eq!(guess("mov fo1, v0"), Some((fragment, 2, Likely)));
    assert_eq!(guess("mov ft0, v0\nmov ft1, v1\nmul ft0 ft1\nmov oc, ft0"), Some((fragment, 1, Possible)));
}

#[test]
fn other_text_is_not() {
    for text in [
        "",
        "mov",
        "mov ",
        "els",
        "eif\nels\n",
        "add to cart",
        "min, max",
        "sub total",
        "log in",
        "kil bill",
        "exp v o",
        "mov eax, ebx",
        "mov r0, r1",
        "add r0, r1, r2",
        "mul r0, v0, c0",
        "dp4 oPos.x, v0, c0",
        "mov oC0, v0",
        "texld r0, t0, s0",
        "MOV oc, v0",
        "mov v0, v1",
        "add v0, v1",
        "mov oc, v0, v1",
        "mov oc v0 ft",
        "mov op, fc0",
        "movoc, v0",
        "mov v0, va99",
        "gl_FragColor = texture2D(fs0, v0);",
        "m44 o0, a0, c0",
        "mov ft0.xyq, v0",
        "mov vt[va0.x], va1",
        "nrm the vector, v0",
        "To copy a colour write:\nmov oc, v0\nand upload it.",
        "mov oc, v0 <2d>",
        "tex ft0, v0, fs0 <2d> and more",
        "a>b",
        "sin, cos, abs",
    ] {
        assert_eq!(guess(text), None, "{text:?}");
    }
}
