//! A program for each number that breaks that rule and no other, and programs that break none.

use shisa_agal::rules::{
    Part, Scope, all, check, check_program, first, first_in_program, flash_text, link, locate, span,
};
use shisa_agal::{AsmOptions, Program, RegType, Token, assemble};
use shisa_diag::Limits;
use shisa_ir::Stage::{self, Fragment, Vertex};
use std::fmt::Write;

const ATTRIBUTE: u8 = RegType::ATTRIBUTE.0;
const CONSTANT: u8 = RegType::CONSTANT.0;
const TEMPORARY: u8 = RegType::TEMPORARY.0;
const OUTPUT: u8 = RegType::OUTPUT.0;
const VARYING: u8 = RegType::VARYING.0;
const DEPTH: u8 = RegType::DEPTH.0;
const INSTANCE: u8 = RegType::INSTANCE.0;

const MOV: u32 = 0x00;
const ADD: u32 = 0x01;
const RCP: u32 = 0x05;
const NRM: u32 = 0x0e;
const M44: u32 = 0x18;
const DDX: u32 = 0x1a;
const IFE: u32 = 0x1c;
const ELS: u32 = 0x20;
const EIF: u32 = 0x21;
const TED: u32 = 0x26;
const KIL: u32 = 0x27;
const TEX: u32 = 0x28;
const SGN: u32 = 0x2b;
const TLD: u32 = 0x2e;

fn token(op: u32, dest: u32, a: u64, b: u64) -> Token {
    [u64::from(op) | u64::from(dest) << 32, a, b]
}

/// A destination.
fn d(kind: u8, number: u16, mask: u8) -> u32 {
    u32::from(number) | u32::from(mask) << 16 | u32::from(kind) << 24
}

/// A source without a swizzle.
fn s(kind: u8, number: u16) -> u64 {
    u64::from(number) | 0xe4 << 24 | u64::from(kind) << 32
}

/// A source of one component.
fn s1(kind: u8, number: u16) -> u64 {
    u64::from(number) | u64::from(kind) << 32
}

/// `vc[index.x]`
fn indexed(index_kind: u8, number: u16) -> u64 {
    s(CONSTANT, number) | u64::from(index_kind) << 40 | 1 << 63
}

/// A sampler of number 0: dimension, wrap, mip, filter.
fn sampler(dim: u64, wrap: u64, mip: u64, filter: u64) -> u64 {
    5 << 32 | dim << 44 | wrap << 52 | mip << 56 | filter << 60
}

/// A token that is valid anywhere after a write of temporary 0.
fn valid() -> Token {
    token(MOV, d(TEMPORARY, 1, 15), s(TEMPORARY, 0), 0)
}

/// `mov t0, va0` or `mov t0, v0`
fn start(stage: Stage) -> Token {
    token(MOV, d(TEMPORARY, 0, 15), s(if stage == Vertex { ATTRIBUTE } else { VARYING }, 0), 0)
}

fn open() -> Token {
    token(IFE, 0, s1(TEMPORARY, 0), s1(CONSTANT, 0))
}

fn els() -> Token {
    token(ELS, 0, 0, 0)
}

fn eif() -> Token {
    token(EIF, 0, 0, 0)
}

/// The numbers found for a program that begins with `mov t0, input`.
fn numbers(version: u32, stage: Stage, tokens: &[Token]) -> Vec<u16> {
    let mut program = Program::new(version, stage);
    program.tokens.push(start(stage));
    program.tokens.extend_from_slice(tokens);
    let found = check_program(&program, &Limits::default());
    assert_eq!(first_in_program(&program).as_ref(), found.first());
    found.iter().map(|f| f.number).collect()
}

/// Number, version, stage, tokens after `mov t0, input`.
#[rustfmt::skip]
fn samples() -> Vec<(u16, u32, Stage, Vec<Token>)> {
    let t = |op, dest, a, b| vec![token(op, dest, a, b)];
    let (t1, t1x) = (d(TEMPORARY, 1, 15), d(TEMPORARY, 1, 7));
    let (t0, v0) = (s(TEMPORARY, 0), s(VARYING, 0));
    let plain = sampler(0, 0, 0, 0);
    vec![
        (3620, 1, Fragment, t(0x2f, 0, 0, 0)),
        (3620, 3, Vertex,   t(0x2f, 0, 0, 0)),
        (3620, 1, Vertex,   t(0x1_0000, 0, 0, 0)),
        (3621, 1, Vertex,   t(SGN, t1, t0, 0)),
        (3621, 4, Vertex,   t(0x25, 0, 0, 0)),
        (3622, 2, Vertex,   t(DDX, t1, t0, 0)),
        (3622, 1, Vertex,   t(KIL, 0, s1(TEMPORARY, 0), 0)),
        (3623, 2, Vertex,   vec![eif()]),
        (3624, 2, Vertex,   [vec![open(); 5], vec![valid()], [eif(), valid()].repeat(5)].concat()),
        (3625, 1, Fragment, t(ADD, t1, s(CONSTANT, 0), s(CONSTANT, 1))),
        (3625, 1, Fragment, t(RCP, t1, s(CONSTANT, 0), 0)),
        (3625, 1, Fragment, t(KIL, 0, s1(CONSTANT, 0), 0)),
        (3627, 1, Fragment, t(KIL, t1, s1(TEMPORARY, 0), 0)),
        (3628, 1, Fragment, t(NRM, t1, t0, 0)),
        (3628, 1, Fragment, t(NRM, d(TEMPORARY, 1, 3), t0, 0)),
        (3628, 2, Fragment, t(NRM, t1, t0, 0)),
        (3629, 1, Fragment, vec![valid(); 200]),
        (3629, 2, Fragment, vec![valid(); 1024]),
        (3629, 4, Fragment, vec![valid(); 2048]),
        (3636, 1, Fragment, t(MOV, t1, t0, 1)),
        (3636, 2, Fragment, vec![open(), valid(), token(EIF, 0, 1, 0)]),
        (3636, 2, Fragment, vec![open(), valid(), token(EIF, 0, s(CONSTANT, 0), 0)]),
        (3638, 1, Fragment, t(MOV, t1, plain, 0)),
        (3638, 1, Fragment, t(TEX, t1, plain, plain)),
        (3640, 1, Vertex,   t(MOV, t1, s(TEMPORARY, 0) | 1 << 63, 0)),
        (3641, 4, Vertex,   t(TLD, t1, indexed(ATTRIBUTE, 0), plain)),
        (3642, 1, Vertex,   t(MOV, t1, indexed(VARYING, 0), 0)),
        (3642, 3, Vertex,   t(MOV, t1, indexed(INSTANCE, 0), 0)),
        (3643, 1, Vertex,   t(MOV, t1, s(CONSTANT, 0) | 1 << 16, 0)),
        (3644, 1, Vertex,   t(MOV, t1, v0, 0)),
        (3645, 1, Fragment, t(MOV, t1, s(ATTRIBUTE, 0), 0)),
        (3646, 1, Fragment, t(MOV, t1, s(OUTPUT, 0), 0)),
        (3646, 2, Fragment, t(MOV, t1, s(DEPTH, 0), 0)),
        (3647, 1, Fragment, t(MOV, t1, s(TEMPORARY, 1), 0)),
        (3647, 1, Vertex,   t(MOV, t1, indexed(TEMPORARY, 1), 0)),
        (3648, 1, Fragment, vec![token(MOV, t1x, t0, 0), token(MOV, d(TEMPORARY, 2, 7), s(TEMPORARY, 1), 0)]),
        (3648, 1, Vertex,   vec![token(MOV, d(TEMPORARY, 1, 2), t0, 0), token(MOV, d(TEMPORARY, 2, 7), indexed(TEMPORARY, 1), 0)]),
        (3649, 1, Fragment, t(MOV, d(5, 0, 15), t0, 0)),
        (3650, 1, Fragment, t(MOV, d(VARYING, 0, 15), t0, 0)),
        (3651, 1, Vertex,   t(MOV, d(ATTRIBUTE, 0, 15), t0, 0)),
        (3652, 1, Vertex,   t(MOV, d(CONSTANT, 0, 15), t0, 0)),
        (3652, 1, Fragment, t(MOV, d(CONSTANT, 100, 15), t0, 0)),
        (3653, 1, Vertex,   t(MOV, d(TEMPORARY, 1, 0), t0, 0)),
        (3654, 1, Vertex,   t(MOV, t1 | 1 << 20, t0, 0)),
        (3654, 1, Vertex,   t(MOV, t1 | 1 << 28, t0, 0)),
        (3654, 1, Vertex,   t(MOV, t1, t0 | 1 << 62, 0)),
        (3654, 1, Vertex,   t(MOV, t1, t0 | 1 << 36, 0)),
        (3655, 1, Vertex,   t(MOV, t1, s(9, 0), 0)),
        (3655, 1, Vertex,   t(MOV, d(9, 0, 15), t0, 0)),
        (3655, 1, Vertex,   t(MOV, t1, indexed(9, 0), 0)),
        (3655, 3, Vertex,   t(MOV, t1, s(INSTANCE, 1), 0)),
        (3656, 1, Fragment, t(TEX, t1, v0, plain | 8)),
        (3656, 2, Fragment, t(TEX, t1, v0, plain | 16)),
        (3656, 4, Vertex,   t(TLD, t1, t0, plain | 4)),
        (3657, 1, Fragment, t(MOV, t1, s(VARYING, 8), 0)),
        (3657, 2, Vertex,   t(MOV, d(VARYING, 10, 15), t0, 0)),
        (3658, 2, Vertex,   t(MOV, t1, s(ATTRIBUTE, 8), 0)),
        (3658, 3, Vertex,   t(MOV, t1, s(ATTRIBUTE, 16), 0)),
        (3658, 1, Vertex,   t(MOV, t1, indexed(ATTRIBUTE, 8), 0)),
        (3659, 1, Vertex,   t(MOV, t1, s(CONSTANT, 128), 0)),
        (3659, 1, Fragment, t(MOV, t1, s(CONSTANT, 28), 0)),
        (3659, 2, Fragment, t(M44, t1, t0, s(CONSTANT, 61))),
        (3659, 3, Fragment, t(MOV, t1, s(CONSTANT, 200), 0)),
        (3660, 1, Fragment, t(MOV, d(OUTPUT, 1, 15), t0, 0)),
        (3660, 4, Fragment, t(MOV, d(OUTPUT, 4, 15), t0, 0)),
        (3660, 2, Vertex,   t(MOV, d(OUTPUT, 1, 15), t0, 0)),
        (3661, 1, Vertex,   t(MOV, d(TEMPORARY, 8, 15), t0, 0)),
        (3661, 2, Vertex,   t(MOV, d(TEMPORARY, 26, 15), t0, 0)),
        (3661, 1, Fragment, vec![token(MOV, d(TEMPORARY, 5, 15), t0, 0), token(M44, t1, t0, s(TEMPORARY, 5))]),
        (3662, 1, Fragment, t(TEX, t1, v0, sampler(1, 1, 0, 0))),
        (3664, 1, Fragment, t(TEX, t1, v0, sampler(2, 0, 0, 0))),
        (3665, 1, Fragment, t(TEX, t1, v0, sampler(0, 0, 0, 2))),
        (3665, 2, Fragment, t(TEX, t1, v0, sampler(0, 0, 0, 6))),
        (3666, 1, Fragment, t(TEX, t1, v0, sampler(0, 0, 3, 0))),
        (3667, 1, Fragment, t(TEX, t1, v0, sampler(0, 2, 0, 0))),
        (3667, 2, Fragment, t(TEX, t1, v0, sampler(0, 4, 0, 0))),
        (3668, 1, Fragment, t(TEX, t1, v0, plain | 1 << 48)),
        (3668, 2, Fragment, t(TEX, t1, v0, plain | 8 << 48)),
        (3689, 1, Vertex,   t(M44, t1, t0, s1(CONSTANT, 0))),
        (3693, 1, Fragment, t(TEX, t1, v0, t0)),
        (3693, 1, Fragment, t(TEX, t1, v0, plain | 1 << 36)),
        (3696, 1, Fragment, vec![token(TEX, t1, v0, plain), token(TEX, t1, v0, plain | 1 << 16)]),
        (3696, 2, Fragment, vec![token(TEX, t1, v0, sampler(0, 0, 1, 0)), token(TED, t1, v0, sampler(0, 0, 2, 0))]),
        (3696, 1, Fragment, vec![token(TEX, t1, v0, plain | 1), token(TEX, t1, v0, plain), token(TEX, t1, v0, sampler(0, 1, 0, 0))]),
        (3701, 1, Fragment, t(MOV, d(OUTPUT, 0, 7), t0, 0)),
        (3703, 1, Fragment, t(KIL, 0, v0, 0)),
        (3703, 2, Vertex,   vec![token(IFE, 0, s1(TEMPORARY, 0), s(CONSTANT, 0)), valid(), eif()]),
        (3726, 1, Fragment, t(DDX, t1, t0, 0)),
        (3739, 2, Fragment, vec![open(), valid()]),
        (3740, 2, Fragment, t(TED, t1, t0, sampler(0, 0, 1, 0) | 1 << 16)),
        (3741, 2, Fragment, vec![open(), token(TEX, t1, t0, plain), eif()]),
        (3742, 2, Fragment, vec![open(), token(DDX, t1, t0, 0), eif()]),
        (3743, 2, Fragment, t(TED, t1, t0, plain)),
        (3744, 2, Fragment, vec![token(MOV, d(OUTPUT, 0, 15), t0, 0); 2]),
        (3748, 2, Fragment, vec![open(), eif()]),
        (3748, 2, Fragment, vec![open(), els(), valid(), eif()]),
        (3748, 2, Fragment, vec![open(), valid(), els(), eif()]),
        (3749, 1, Fragment, t(MOV, d(DEPTH, 0, 1), t0, 0)),
        (3749, 1, Fragment, t(MOV, t1, s(DEPTH, 0), 0)),
        (3749, 2, Fragment, t(MOV, d(DEPTH, 1, 1), t0, 0)),
        (3750, 2, Vertex,   t(MOV, d(DEPTH, 0, 1), t0, 0)),
        (3751, 2, Vertex,   vec![open(), token(MOV, d(OUTPUT, 0, 15), t0, 0), eif()]),
        (3752, 2, Fragment, vec![els()]),
        (3752, 2, Fragment, vec![open(), valid(), els(), valid(), els(), valid(), eif()]),
        // An else in a condition inside of another is not one of the other, whose own is not forgotten.
        (3752, 2, Fragment, vec![open(), valid(), els(), open(), valid(), els(), valid(), eif(), els(), valid(), eif()]),
        (3752, 2, Fragment, vec![open(), valid(), els(), open(), valid(), eif(), els(), valid(), eif()]),
        (3756, 2, Fragment, t(MOV, d(DEPTH, 0, 3), t0, 0)),
        (3758, 2, Fragment, vec![token(IFE, 0, s1(TEMPORARY, 0), s1(TEMPORARY, 0)), valid(), eif()]),
        (3775, 2, Fragment, t(MOV, d(OUTPUT, 1, 15), t0, 0)),
        (3786, 3, Vertex,   t(MOV, d(INSTANCE, 0, 1), t0, 0)),
        (3788, 3, Fragment, t(MOV, t1, s(INSTANCE, 0), 0)),
        (3789, 2, Vertex,   t(MOV, t1, s(INSTANCE, 0), 0)),
        (3803, 4, Fragment, t(TLD, t1, t0, plain)),
        (3804, 4, Vertex,   t(TLD, t1, t0, sampler(0, 0, 0, 2))),
    ]
}

#[test]
fn each_number_alone() {
    for (i, (number, version, stage, tokens)) in samples().iter().enumerate() {
        assert_eq!(numbers(*version, *stage, tokens), [*number], "sample {i}");
    }
}

/// What is said about each sample: message, labels, notes and help. `BLESS=1` writes the file.
#[test]
fn each_number_has_its_text() {
    let mut text = String::new();
    for (number, version, stage, tokens) in samples() {
        let mut program = Program::new(version, stage);
        program.tokens.push(start(stage));
        program.tokens.extend(tokens);
        writeln!(text, "# {number}, AGAL {version}, {}", stage.name()).unwrap();
        for finding in check_program(&program, &Limits::default()) {
            let d = &finding.diagnostic;
            writeln!(text, "{d}").unwrap();
            for label in &d.labels {
                writeln!(text, "  bytes {:?}: {}", label.span.range(), label.text).unwrap();
            }
            d.notes.iter().for_each(|note| writeln!(text, "  note: {note}").unwrap());
            d.help.iter().for_each(|help| writeln!(text, "  help: {help}").unwrap());
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/agal/rules.expected");
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap();
    let differs = expected.lines().zip(text.lines()).find(|(expected, got)| expected != got);
    assert!(expected == text, "the first line that differs, expected and got: {differs:?}");
}

/// Breaches that cause others.
#[test]
fn numbers_that_never_come_alone() {
    let t1 = d(TEMPORARY, 1, 15);
    let both = token(ADD, t1, indexed(ATTRIBUTE, 0), indexed(ATTRIBUTE, 1));
    assert_eq!(numbers(1, Vertex, &[both]), [3625, 3626]);
    let plain = sampler(0, 0, 0, 0);
    assert_eq!(numbers(1, Vertex, &[token(MOV, t1, plain, 0)]), [3637, 3638]);
    assert_eq!(numbers(3, Vertex, &[token(TLD, t1, s(TEMPORARY, 0), plain)]), [3805, 3637]);
    assert_eq!(numbers(1, Fragment, &[token(MOV, t1, indexed(CONSTANT, 0), 0)]), [3639]);
    // A destination with its upper reserved bits set is unknown before it is reserved.
    assert_eq!(
        numbers(1, Vertex, &[token(MOV, d(VARYING, 0, 15) | 1 << 28, s(TEMPORARY, 0), 0)]),
        [3655, 3654]
    );
}

/// Every number that a program can cause is caused by a sample.
#[test]
fn every_number_has_a_sample() {
    let beside = [3615, 3616, 3617, 3618, 3619, 3626, 3637, 3639, 3805];
    let samples = samples();
    for rule in all().filter(|r| r.scope == Scope::Program) {
        let sampled = samples.iter().any(|s| s.0 == rule.number) || beside.contains(&rule.number);
        assert!(sampled, "{} has no sample", rule.number);
    }
}

#[test]
fn sound_programs() {
    let (t0, t1) = (s(TEMPORARY, 0), d(TEMPORARY, 1, 15));
    let plain = sampler(0, 0, 0, 0);
    let sound: [(u32, Stage, Vec<Token>); 11] = [
        (0, Fragment, vec![token(MOV, d(OUTPUT, 0, 15), t0, 0)]),
        (1, Fragment, vec![token(MOV, d(OUTPUT, 0, 15), t0, 0); 2]),
        (1, Fragment, vec![valid(); 199]),
        (1, Vertex, vec![token(MOV, d(OUTPUT, 0, 3), t0, 0)]),
        // For a matrix in temporaries, only the first row is checked.
        (1, Vertex, vec![token(M44, t1, t0, t0)]),
        (1, Fragment, vec![token(TEX, t1, t0, plain | 3 << 24 | 15 << 40)]),
        (1, Vertex, vec![token(MOV, t1, indexed(ATTRIBUTE, 0) | 0xfb << 16, 0)]),
        (2, Fragment, [vec![open(); 4], vec![valid()], [els(), valid(), eif()].repeat(4)].concat()),
        (2, Fragment, vec![open(), open(), valid(), els(), valid(), eif(), els(), valid(), eif()]),
        (2, Fragment, vec![token(TEX, t1, t0, plain | 7 << 48)]),
        (4, Vertex, vec![token(TLD, t1, t0, plain | 3), token(MOV, t1, s(INSTANCE, 0), 0)]),
    ];
    for (i, (version, stage, tokens)) in sound.iter().enumerate() {
        assert_eq!(numbers(*version, *stage, tokens), [0_u16; 0], "program {i}");
    }
}

#[test]
fn everything_is_found_and_in_order() {
    let t1 = d(TEMPORARY, 1, 15);
    let tokens = [
        token(ADD, d(CONSTANT, 0, 0), s(OUTPUT, 0), s(TEMPORARY, 7)),
        token(0xff, 0, 0, 0),
        token(TEX, t1, s(VARYING, 9), sampler(3, 9, 9, 9) | 15 << 48),
    ];
    let found = numbers(1, Fragment, &tokens);
    assert_eq!(found, [3646, 3647, 3652, 3653, 3620, 3657, 3664, 3665, 3666, 3667, 3668]);
    let mut program = Program::new(1, Fragment);
    program.tokens = tokens.to_vec();
    let limits = Limits { diagnostics: 3, ..Limits::default() };
    let few = check_program(&program, &limits);
    assert_eq!(few.len(), 11);
    assert!(few[..3].iter().all(|f| !f.diagnostic.help.is_empty()), "{few:?}");
    assert!(few[3..].iter().all(|f| f.diagnostic.help.is_empty()), "{few:?}");
}

#[test]
fn findings_name_their_location() {
    let mut program = Program::new(1, Fragment);
    program.tokens = vec![
        token(MOV, d(TEMPORARY, 0, 7), s(VARYING, 0), 0),
        token(MOV, d(OUTPUT, 0, 15), s(TEMPORARY, 0), 0),
    ];
    let finding = first_in_program(&program).unwrap();
    assert_eq!((finding.number, finding.token, finding.part), (3648, Some(2), Some(Part::Source1)));
    let text = "AGAL validation failed: Temporary register component read without being written to \
                for source operand 1 at token 2 of fragment program.";
    assert_eq!(finding.diagnostic.message, text);
    let said = Some(format!("Error #3648: {text}"));
    assert_eq!(flash_text(&finding.diagnostic), said);
    // A finding about a source has a headline of its own.
    let source = "// agal 1 fragment\nmov ft0.xyz, v0\nmov oc, ft0\n";
    let found = assemble(source, &AsmOptions::default(), &Limits::default()).diagnostics;
    assert_eq!(found.iter().map(flash_text).collect::<Vec<_>>(), [said]);
    assert_eq!(flash_text(&shisa_diag::Diagnostic::error("swf-tag", "")), None);
    let spans: Vec<_> = finding.diagnostic.labels.iter().map(|l| l.span.range()).collect();
    assert_eq!(spans, [span(2, Some(Part::Source1)), span(1, Some(Part::Destination))]);
    assert_eq!(finding.diagnostic.help, ["write ft0.w first, or read only .xyz"]);
    // The first use of a sampler is an operation that samples.
    let plain = sampler(0, 0, 0, 0);
    program.tokens = vec![
        token(MOV, d(TEMPORARY, 0, 15), s(VARYING, 0), plain),
        token(TEX, d(TEMPORARY, 1, 15), s(VARYING, 0), plain),
        token(TEX, d(TEMPORARY, 1, 15), s(VARYING, 0), plain | 1 << 16),
    ];
    let found = check_program(&program, &Limits::default());
    let spans: Vec<_> = found.iter().map(|f| f.diagnostic.labels.last().unwrap().span.range()).collect();
    assert_eq!(spans, [span(1, Some(Part::Source2)), span(2, Some(Part::Source2))]);
    for part in [Part::Opcode, Part::Destination, Part::Source1, Part::Source2] {
        let bytes = span(2, Some(part));
        assert_eq!(locate(bytes.start), Some((2, part)));
        assert_eq!(locate(bytes.end - 1), Some((2, part)));
    }
    assert_eq!(locate(6), None);
}

/// A finding at the end of a program points at the token that caused it.
#[test]
fn faults_of_the_end_name_a_token() {
    let colour = |n| token(MOV, d(OUTPUT, n, 15), s(TEMPORARY, 0), 0);
    let mut program = Program::new(2, Fragment);
    program.tokens = vec![start(Fragment), colour(0), colour(3), valid()];
    let gap = first_in_program(&program).unwrap();
    assert_eq!((gap.number, gap.token), (3775, Some(3)));
    program.tokens = vec![start(Fragment), open(), open(), valid(), eif(), valid()];
    let unclosed = first_in_program(&program).unwrap();
    assert_eq!((unclosed.number, unclosed.token), (3739, Some(2)));
}

#[test]
fn unconfirmed_rules_say_so() {
    let notes = |version, stage, tokens: &[Token]| {
        let mut program = Program::new(version, stage);
        program.tokens.push(start(stage));
        program.tokens.extend_from_slice(tokens);
        first_in_program(&program).unwrap().diagnostic.notes.concat()
    };
    let unwritten = [token(MOV, d(TEMPORARY, 1, 15), s(TEMPORARY, 2), 0)];
    assert_eq!(notes(1, Fragment, &unwritten), "");
    assert!(notes(2, Fragment, &unwritten).contains("AGAL 2"));
    assert!(notes(2, Fragment, &[els()]).contains("not confirmed"));
    assert!(notes(1, Fragment, &[els()]).contains("not confirmed"));
}

/// Random words and programs with flipped bits: no panic, and the first finding agrees.
#[test]
fn any_bytes() {
    let mut seed = 0x9e37_79b9_7f4a_7c15u64;
    let mut random = || {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        seed
    };
    let limits = Limits::default();
    let samples = samples();
    for i in 0..20_000u64 {
        let mut program =
            Program::new((random() % 5) as u32, if random() & 1 == 0 { Vertex } else { Fragment });
        let sample = &samples[(random() as usize) % samples.len()].3;
        program.tokens = sample.iter().take(20).copied().collect();
        if i % 4 == 0 {
            program.tokens.push([random() & 0x3f | random() << 32, random(), random()]);
        }
        let mut bytes = program.write();
        for _ in 0..random() % 6 {
            let at = random() as usize % bytes.len();
            bytes[at] ^= 1 << (random() % 8);
        }
        bytes.truncate(bytes.len() - (random() % 8) as usize);
        let all = check(&bytes, &limits).unwrap();
        assert_eq!(first(&bytes, &limits).unwrap().as_ref(), all.first());
        if let Ok(program) = Program::read(&bytes, &limits) {
            link(&program, &program);
        }
    }
}

/// Rules that only the table of messages has are warnings, unless `agal-rules=strict`; what every version refuses, and
/// conditions that are not closed, are errors always.
#[test]
fn doubtful_rules_are_warnings() {
    use shisa_agal::options::Rules;

    use shisa_diag::Severity;
    let deep = "ife v0.x, v0.y\n".repeat(5) + "mov ft0, v0\n" + &"eif\n".repeat(5) + "mov oc, v0\n";
    let cases = [
        ("ife fc0.x, fc0.y\nmov ft0, v0\neif\nmov oc, v0\n", 3625, true),
        (&deep, 3624, true),
        ("mov oc, v0\nmov oc, v1\n", 3744, true),
        ("ife v0.x, v0.x\nmov ft0, v0\neif\nmov oc, v0\n", 3758, true),
        ("ife v0.x, v0.y\nmov oc, v0\neif\n", 3751, true),
        ("add oc, fc0, fc1\n", 3625, false),
        ("ife v0.x, v0.y\nmov oc, v0\n", 3739, false),
        ("mov oc, ft0\n", 3647, false),
    ];
    for (source, number, doubtful) in cases {
        for rules in [Rules::Known, Rules::Strict] {
            let options =
                AsmOptions { version: Some(2), stage: Some(Stage::Fragment), rules, ..AsmOptions::default() };
            let done = assemble(source, &options, &Limits::default());
            let code = format!("agal-{number}");
            let found = done.diagnostics.iter().find(|d| d.code == code);
            let severity = found.map(|d| d.severity);
            let warns = doubtful && rules == Rules::Known;
            let want = if warns { Severity::Warning } else { Severity::Error };
            assert_eq!(severity, Some(want), "{source} {rules:?}: {:?}", done.diagnostics);
            assert_eq!(
                done.program.is_some(),
                done.diagnostics.iter().all(|d| d.severity != Severity::Error)
            );
        }
    }
}
