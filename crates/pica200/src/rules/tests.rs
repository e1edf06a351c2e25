//! A program for each code that breaks that rule and no other, and programs that break none.

use super::{ALL, Subject, check, check_bytes};
use crate::container::{Constant, Descriptor, Dvle, GeometryMode, Label, OutputEntry, Shbin, Uniform};
use crate::tests::assemble;
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::{Limits, Severity};

const POSITION: OutputEntry = OutputEntry { kind: 0, register: 0, mask: 15, unknown: 0 };
const COLOR: OutputEntry = OutputEntry { kind: 2, register: 1, mask: 15, unknown: 0 };

/// A vertex program with the input `v0`, named `a`, and `o0` as position.
fn vertex(lines: &[&str]) -> Shbin {
    let program = assemble(lines);
    let dvle = Dvle {
        end: lines.len() as u32,
        inputs: 1,
        output_mask: 1,
        outputs: vec![POSITION],
        uniforms: vec![Uniform { name: 0, first: 0, last: 0 }],
        symbols: b"a\0b\0".into(),
        ..Dvle::default()
    };
    let descriptors = program.descriptors.iter().map(|&bits| Descriptor { bits, flags: 0 }).collect();
    Shbin { code: program.code, descriptors, programs: vec![dvle], ..Shbin::default() }
}

fn owned(lines: &[String]) -> Shbin {
    vertex(&lines.iter().map(String::as_str).collect::<Vec<_>>())
}

fn geometry(lines: &[&str]) -> Shbin {
    let mut file = vertex(lines);
    file.programs[0].kind = 1;
    file
}

/// With `o1` as colour.
fn color(lines: &[&str]) -> Shbin {
    let mut file = vertex(lines);
    file.programs[0].outputs.push(COLOR);
    file.programs[0].output_mask = 3;
    file
}

/// A vertex program without a fault, its header changed.
fn tables(change: impl FnOnce(&mut Dvle)) -> Shbin {
    let mut file = vertex(SOUND);
    change(&mut file.programs[0]);
    file
}

const SOUND: &[&str] = &["mov o0, v0", "end"];
const TRIANGLE: &[&str] = &["setemit 0, prim", "mov o0, v0", "emit", "end"];

/// The codes found, each with its subject and severity.
fn codes(file: &Shbin) -> Vec<(&'static str, Subject, Severity)> {
    let (found, _) = check(file, &Limits::default());
    found.iter().map(|f| (f.diagnostic.code, f.subject, f.diagnostic.severity)).collect()
}

fn cases() -> Vec<(&'static str, Subject, Shbin)> {
    use Subject::{End, Entry, Inputs, Output, OutputMask, Pool, Stage, Word};
    let constant = |kind, register, first| Constant { kind, register, data: [first, 0, 0, 0] };
    let mut many = vertex(SOUND);
    many.descriptors.resize(129, Descriptor::default());
    let mut long: Vec<&str> = vec!["nop"; 512];
    long.extend(SOUND);
    let mut missing = vertex(&["mov r0, v0", "mov o0, v0", "end"]);
    missing.code[0] |= 5;
    let mut opcode = vertex(&["nop", "mov o0, v0", "end"]);
    opcode.code[0] = 0x11 << 26;
    let mut unused = vertex(&["nop", "mov o0, v0", "end"]);
    unused.code[0] |= 7;
    let mut mask = vertex(&["mov r0, v0", "mov o0, v0", "end"]);
    mask.descriptors[0].bits &= !15;
    let compare = vertex(&["cmp v0, eq, true7, v0", "mov o0, v0", "end"]);
    let mut calls = vertex(&[
        "mov r0, v0",
        "nop",
        "call 0, 2",
        "nop",
        "call 2, 2",
        "nop",
        "call 4, 2",
        "nop",
        "call 6, 2",
        "nop",
        "call 8, 2",
        "mov o0, v0",
        "end",
    ]);
    calls.programs[0].entry = 10;
    let mut ifs: Vec<String> = (0..9).map(|n| format!("ifu b{n}, {}, 0", 29 - 2 * n)).collect();
    ifs.extend(["nop"; 20].iter().chain(SOUND).map(|l| (*l).into()));
    let mut fors: Vec<&str> = vec!["for i0, 15", "for i0, 13", "for i0, 11", "for i0, 9", "for i0, 7"];
    fors.extend(["nop"; 11]);
    fors.extend(SOUND);
    let mut inputs = vertex(&["add o0, v0, v1", "end"]);
    inputs.programs[0].inputs = 3;
    vec![
        ("pica-program-length", Word(512), vertex(&long)),
        ("pica-descriptors", Pool, many),
        ("pica-descriptor", Word(0), missing),
        ("pica-opcode", Word(0), opcode),
        ("pica-unused-bits", Word(0), unused),
        ("pica-empty-mask", Word(0), mask),
        ("pica-index-ignored", Word(1), vertex(&["mova a0.x, v0", "mov o0, v0[a0.x]", "end"])),
        ("pica-compare-reserved", Word(0), compare),
        ("pica-two-inputs", Word(0), inputs),
        ("pica-adjacent-mova", Word(1), vertex(&["mova a0.x, v0", "mova a0.y, v0", "mov o0, v0", "end"])),
        ("pica-output-twice", Word(1), vertex(&["mov o0, v0", "mov o0.x, v0", "end"])),
        ("pica-output-missing", Output(1), color(SOUND)),
        ("pica-output-kept", Word(4), {
            let mut file = geometry(&["setemit 0, prim", "mov o0, v0", "mov o1, v0", "emit", "emit", "end"]);
            file.programs[0].outputs = vec![OutputEntry { mask: 1, ..POSITION }, COLOR];
            file.programs[0].output_mask = 3;
            file
        }),
        ("pica-output-disabled", Word(1), vertex(&["mov o0, v0", "mov o3, v0", "end"])),
        ("pica-input-disabled", Word(0), vertex(&["mov r0, v3", "mov o0, v0", "end"])),
        ("pica-geometry-only", Word(1), vertex(&["mov o0, v0", "emit", "end"])),
        (
            "pica-geometry-output",
            Word(2),
            geometry(&["setemit 0, prim", "mov o0, v0", "mov o7, v0", "emit", "end"]),
        ),
        ("pica-vertex-slot", Word(0), geometry(&["setemit 3, prim", "mov o0, v0", "emit", "end"])),
        (
            "pica-emit-without-setemit",
            Word(3),
            geometry(&["jmpu b0, 2", "setemit 0, prim", "mov o0, v0", "emit", "end"]),
        ),
        ("pica-no-primitive", Word(0), geometry(&["setemit 0", "mov o0, v0", "emit", "end"])),
        ("pica-entry", Entry, {
            let mut file = tables(|d| d.entry = 9);
            file.programs[0].end = 9;
            file.code.resize(9, file.code[1]);
            file
        }),
        ("pica-no-end", Word(0), vertex(&["mov o0, v0"])),
        ("pica-falls-through", Word(1), vertex(&["call 2, 1", "nop", "mov r0, v0", "mov o0, v0", "end"])),
        ("pica-call-depth", Word(2), calls),
        ("pica-recursion", Word(3), vertex(&["call 3, 2", "mov o0, v0", "end", "callu b0, 3, 2", "nop"])),
        ("pica-if-depth", Word(8), owned(&ifs)),
        ("pica-loop-depth", Word(4), vertex(&fors)),
        ("pica-break-outside-loop", Word(1), vertex(&["mov o0, v0", "break", "end"])),
        ("pica-flow-at-end", Word(2), vertex(&["mov o0, v0", "ifu b0, 3, 0", "jmpu b1, 4", "nop", "end"])),
        ("pica-empty-call", Word(1), vertex(&["mov o0, v0", "callu b0, 3, 0", "end", "end"])),
        ("pica-block-range", Word(1), vertex(&["mov o0, v0", "callu b0, 3, 9", "end", "end"])),
        ("pica-block-order", Word(1), vertex(&["mov o0, v0", "for i0, 0", "end"])),
        (
            "pica-block-crosses",
            Word(1),
            vertex(&["ifu b0, 3, 0", "ifu b1, 4, 0", "nop", "nop", "mov o0, v0", "end"]),
        ),
        ("pica-shared-end", Word(1), vertex(&["for i0, 2", "ifu b0, 3, 0", "nop", "mov o0, v0", "end"])),
        (
            "pica-condition-left",
            Word(2),
            vertex(&["ifu b0, 5, 1", "ifu b1, 4, 0", "jmpu b2, 4", "nop", "nop", "nop", "mov o0, v0", "end"]),
        ),
        (
            "pica-jump-into-block",
            Word(0),
            vertex(&["jmpu b0, 2", "for i0, 3", "nop", "nop", "mov o0, v0", "end"]),
        ),
        (
            "pica-jump-out-of-loop",
            Word(1),
            vertex(&["for i0, 3", "jmpu b0, 4", "nop", "nop", "mov o0, v0", "end"]),
        ),
        (
            "pica-jump-out-of-procedure",
            Word(3),
            vertex(&["call 3, 2", "mov o0, v0", "end", "jmpu b0, 1", "nop"]),
        ),
        ("pica-endless-loop", Word(1), vertex(&["mov o0, v0", "jmpu b0, 1", "end"])),
        ("pica-unreachable", Word(2), vertex(&["mov o0, v0", "end", "mov r0, v0", "nop"])),
        ("pica-flow-states", Entry, states()),
        ("pica-read-before-write", Word(0), vertex(&["add o0, r3.x, v0", "end"])),
        ("pica-stage", Stage, tables(|d| d.kind = 2)),
        ("pica-main-end", End, tables(|d| d.end = 3)),
        (
            "pica-output-table",
            Output(1),
            tables(|d| d.outputs.push(OutputEntry { kind: 9, register: 20, ..COLOR })),
        ),
        (
            "pica-output-collision",
            Output(1),
            tables(|d| d.outputs.push(OutputEntry { register: 0, ..COLOR })),
        ),
        ("pica-output-mask", OutputMask, tables(|d| d.output_mask = 5)),
        ("pica-property-twice", Output(1), {
            let mut file = color(&["mov o0, v0", "mov o1, v0", "end"]);
            file.programs[0].outputs[1].kind = 0;
            file
        }),
        ("pica-no-position", Output(0), tables(|d| d.outputs[0].kind = 2)),
        ("pica-constant", Subject::Constant(0), tables(|d| d.constants.push(constant(1, 4, 0)))),
        (
            "pica-constant-twice",
            Subject::Constant(1),
            tables(|d| d.constants.extend([constant(0, 4, 0), constant(0, 4, 1)])),
        ),
        ("pica-constant-over-uniform", Subject::Constant(0), {
            let mut file = vertex(&["add o0, c4, v0", "end"]);
            file.programs[0].uniforms.push(Uniform { name: 2, first: 0x14, last: 0x14 });
            file.programs[0].constants.push(constant(2, 4, 0));
            file
        }),
        (
            "pica-constant-value",
            Subject::Constant(0),
            tables(|d| d.constants.push(constant(2, 4, 0x7f_a055))),
        ),
        ("pica-uniform-range", Subject::Uniform(1), tables(|d| d.uniforms.push(uniform(2, 0x74, 0x75)))),
        ("pica-uniform-overlap", Subject::Uniform(1), {
            let mut file = vertex(&["add o0, c4, v0", "end"]);
            file.programs[0].symbols = b"a\0b\0c\0".into();
            file.programs[0].uniforms = vec![uniform(2, 0x14, 0x15), uniform(4, 0x13, 0x14)];
            file
        }),
        ("pica-uniform-twice", Subject::Uniform(1), {
            let mut file = vertex(&["add o0, c4, v0", "end"]);
            file.programs[0].uniforms.push(uniform(0, 0x14, 0x14));
            file
        }),
        ("pica-unused-uniform", Subject::Uniform(1), tables(|d| d.uniforms.push(uniform(2, 0x78, 0x79)))),
        ("pica-unused-input", Inputs, tables(|d| d.inputs = 5)),
        ("pica-symbol", Subject::Uniform(0), tables(|d| d.symbols = b"a".into())),
        ("pica-label", Subject::Label(0), {
            tables(|d| d.labels.push(Label { id: 0, at: 7, length: 1, name: 0 }))
        }),
        ("pica-geometry-mode", Subject::GeometryMode, {
            let mut file = geometry(TRIANGLE);
            file.programs[0].geometry = GeometryMode { mode: 2, fixed_start: 90, variable: 0, fixed: 9 };
            file
        }),
    ]
}

fn uniform(name: u32, first: u16, last: u16) -> Uniform {
    Uniform { name, first, last }
}

/// Conditions that a jump may leave, one after the other: which of them the hardware still stores makes the states
/// many.
fn states() -> Shbin {
    let mut lines: Vec<String> = Vec::new();
    for n in 0..40 {
        let to = 4 * n + 4;
        lines.extend([
            format!("ifu b0, {}, 0", to - 1),
            format!("jmpu b1, {to}"),
            "nop".into(),
            "nop".into(),
        ]);
    }
    lines.extend(SOUND.iter().map(|l| (*l).into()));
    owned(&lines)
}

#[test]
fn each_rule_finds_its_breach_and_no_other() {
    let mut wrong = Vec::new();
    for (code, subject, file) in cases() {
        let found = codes(&file);
        if found.iter().map(|f| (f.0, f.1)).ne([(code, subject)]) {
            wrong.push((code, subject, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_rule_has_a_case() {
    let cases = cases();
    for rule in ALL {
        assert!(cases.iter().any(|c| c.0 == rule.code), "{} has no case", rule.code);
    }
}

#[test]
fn messages_say_what_is_odd_about_a_constant() {
    let said = |kind, first| {
        let file = tables(|d| d.constants.push(Constant { kind, register: 4, data: [first, 0, 0, 0] }));
        check(&file, &Limits::default()).0.first().map(|f| f.diagnostic.message.clone())
    };
    for (kind, first, what) in [
        (0, 2, "b4 is neither 0 nor 1"),
        (2, 0x100_0000, "c4 is wider than 24 bits"),
        (2, 0x7f_0001, "c4 is not a number"),
        (2, 0x80_0001, "c4 is a denormal, which arithmetic treats as zero"),
    ] {
        assert_eq!(said(kind, first).as_deref(), Some(what), "{first:#x}");
    }
    assert_eq!(
        [(0, 1), (2, 0x7f_0000), (2, 0x3f_0000)].map(|(kind, first)| said(kind, first)),
        [None, None, None]
    );
}

/// Writes of the address register in a row: the one before is named, unless a loop runs one word again.
#[test]
fn the_address_register_is_written_after_another_write_or_after_itself() {
    let related = |lines: &[&str]| {
        let found = check(&vertex(lines), &Limits::default()).0;
        found.into_iter().find(|f| f.diagnostic.code == "pica-adjacent-mova").map(|f| (f.subject, f.related))
    };
    let twice = related(&["mova a0.x, v0", "mova a0.y, v0", "mov o0, v0", "end"]);
    assert_eq!(twice, Some((Subject::Word(1), vec![(Subject::Word(0), "the one before".into())])));
    let again = related(&["for i0, 2", "mova a0.x, v0", "mov o0, v0", "end"]);
    assert_eq!(again.map(|(_, related)| related.len()), None);
    let again = related(&["for i0, 1", "mova a0.x, v0", "mov o0, v0", "end"]);
    assert_eq!(again, Some((Subject::Word(1), vec![])));
}

/// Each register of each kind that code reads makes its name one that is used.
#[test]
fn names_are_used_whose_registers_are_read() {
    let unused = |file: Shbin| -> Vec<String> {
        let found = check(&file, &Limits::default()).0;
        let unused = found.into_iter().filter(|f| f.diagnostic.code == "pica-unused-uniform");
        unused.map(|f| f.diagnostic.message).collect()
    };
    let named = |lines: &[&str], registers: &[u16]| {
        let mut file = vertex(lines);
        let dvle = &mut file.programs[0];
        dvle.symbols = b"one\0two\0".to_vec();
        dvle.uniforms = registers.iter().zip([0, 4]).map(|(n, name)| uniform(name, *n, *n)).collect();
        unused(file)
    };
    let lines = ["ifu b3, 2, 0", "nop", "mov o0, c5", "end"];
    assert_eq!(named(&lines, &[0x78 + 3, 0x78 + 4]), ["uniform \"two\" is never read"]);
    assert_eq!(named(&lines, &[0x10 + 6, 0x10 + 5]), ["uniform \"one\" is never read"]);
}

/// The end of a loop's last iteration is a path, too.
#[test]
fn loops_fall_through_into_procedures() {
    let lines = ["mov o0, v0", "callu b0, 4, 1", "for i0, 3", "nop", "mov r0, v0", "end"];
    assert_eq!(codes(&vertex(&lines)), [("pica-falls-through", Subject::Word(3), Severity::Warning)]);
}

#[test]
fn sound_programs_are_sound() {
    assert_eq!(codes(&vertex(SOUND)), []);
    assert_eq!(codes(&geometry(TRIANGLE)), []);
    // Each part of a condition writes once, and a boolean that is tested twice is the same twice.
    let lines =
        ["ifu b0, 3, 1", "mov o0, v0", "nop", "nop", "jmpu !b0, 7", "mov r1, v0", "end", "mov o0, v0", "end"];
    assert_eq!(codes(&vertex(&lines)), []);
    // The same for flags between two comparisons.
    let lines = [
        "cmp c0, lt, lt, v0",
        "ifc cmp.x, 4, 0",
        "mov o0, v0",
        "nop",
        "ifc !cmp.x, 7, 0",
        "mov o0, c0",
        "nop",
        "end",
    ];
    assert_eq!(codes(&vertex(&lines)), []);
    // Four loops, an inner break out of a condition, aL after the loop.
    let lines = [
        "for i0, 8",
        "mov r0, c0[aL]",
        "for i1, 7",
        "cmp c0, lt, lt, v0",
        "ifc cmp.x, 7, 0",
        "break",
        "nop",
        "nop",
        "nop",
        "add o0, c0[aL], v0",
        "end",
    ];
    assert_eq!(codes(&vertex(&lines)), []);
    // Procedures that end with a call: one return triggers the next.
    let lines = ["call 3, 2", "mov o0, r0", "end", "mov r0, v0", "call 5, 2", "add r0, c0, r0", "nop"];
    assert_eq!(codes(&vertex(&lines)), []);
    // A dot product of three components needs no fourth.
    assert_eq!(codes(&vertex(&["mov r0.xyz, v0", "dp3 o0, r0, r0", "end"])), []);
    // No list of inputs at all.
    let mut file = vertex(SOUND);
    file.programs[0].inputs = 0;
    file.programs[0].uniforms.clear();
    assert_eq!(codes(&file), []);
    // What goes to a geometry program of another file.
    assert_eq!(codes(&tables(|d| d.outputs[0].kind = 9)), []);
}

#[test]
fn flags_are_tested_again_after_a_comparison() {
    let lines = [
        "cmp c0, lt, lt, v0",
        "ifc cmp.x, 4, 0",
        "mov o0, v0",
        "nop",
        "cmp c1, lt, lt, v0",
        "ifc !cmp.x, 8, 0",
        "mov o0, c0",
        "nop",
        "end",
    ];
    let found = codes(&vertex(&lines));
    let warning = |code, subject| (code, subject, Severity::Warning);
    assert_eq!(
        found,
        [warning("pica-output-missing", Subject::Output(0)), warning("pica-output-twice", Subject::Word(6))]
    );
}

/// Old assemblers leave the mask of outputs 0; the table states the outputs, as for loaders.
#[test]
fn a_mask_of_0_is_a_note() {
    let mut file = vertex(SOUND);
    file.programs[0].output_mask = 0;
    assert_eq!(codes(&file), [("pica-output-mask", Subject::OutputMask, Severity::Note)]);
    // The outputs of the table must be written.
    let mut file = color(SOUND);
    file.programs[0].output_mask = 0;
    let found = codes(&file);
    assert!(found.contains(&("pica-output-missing", Subject::Output(1), Severity::Warning)), "{found:?}");
}

/// Released software breaks the rule that outputs are written once, so its findings are warnings with their source.
#[test]
fn outputs_written_twice_or_never_are_doubtful() {
    for file in [vertex(&["mov o0, v0", "mov o0.x, v0", "end"]), color(SOUND)] {
        let (found, _) = check(&file, &Limits::default());
        let [finding] = &found[..] else { panic!("{found:?}") };
        assert_eq!(finding.diagnostic.severity, Severity::Warning);
        assert!(finding.diagnostic.notes.iter().any(|n| n.contains("3dbrew")), "{finding:?}");
    }
}

#[test]
fn findings_lie_where_the_file_has_them() {
    let file = vertex(&["add o0, v0, v1", "end"]);
    let bytes = file.write(&Limits::default()).unwrap();
    let found = check_bytes(&bytes, &Limits::default()).unwrap();
    let place = |code: &str, label: usize| {
        found.iter().find(|d| d.code == code).map(|d| d.labels[label].span.range()).unwrap_or_default()
    };
    let code = 8 + 4 + 0x28;
    assert_eq!(place("pica-two-inputs", 0), code..code + 4);
    assert_eq!(place("pica-input-disabled", 0), code..code + 4);
    // The inputs of the header, which begins with its letters.
    let header = bytes.windows(4).position(|w| w == b"DVLE").unwrap();
    assert_eq!(place("pica-input-disabled", 1), header + 16..header + 18);
}

/// The bytes of a finding are those that the file has for the part that it names.
#[test]
fn findings_have_the_bytes_of_their_parts() {
    for (code, subject, file) in cases() {
        let bytes = file.write(&Limits::default()).unwrap();
        let found = check_bytes(&bytes, &Limits::default()).unwrap();
        let label = found.iter().find(|d| d.code == code).and_then(|d| d.labels.first()).unwrap();
        let part = &bytes[label.span.range()];
        let half = |at: usize| u16::from_le_bytes([part[at], part[at + 1]]);
        let word = |at: usize| u32::from(half(at)) | u32::from(half(at + 2)) << 16;
        let program = &file.programs[0];
        match subject {
            Subject::Word(n) => assert_eq!(part, file.code[n as usize].to_le_bytes(), "{code}"),
            Subject::Pool => {
                let counts = [file.code.len(), file.descriptors.len()].map(|count| count as u32);
                assert_eq!((part.len(), [word(4), word(12)]), (16, counts), "{code}");
            }
            Subject::Stage => assert_eq!(part, [program.kind], "{code}"),
            Subject::Entry => assert_eq!(part, program.entry.to_le_bytes(), "{code}"),
            Subject::End => assert_eq!(part, program.end.to_le_bytes(), "{code}"),
            Subject::Inputs => assert_eq!(part, program.inputs.to_le_bytes(), "{code}"),
            Subject::OutputMask => assert_eq!(part, program.output_mask.to_le_bytes(), "{code}"),
            Subject::GeometryMode => {
                let GeometryMode { mode, fixed_start, variable, fixed } = program.geometry;
                assert_eq!(part, [mode, fixed_start, variable, fixed], "{code}");
            }
            Subject::Constant(n) => {
                let Constant { kind, register, data } = program.constants[n as usize];
                let read = (part.len(), half(0), half(2), word(4));
                assert_eq!(read, (20, kind, register, data[0]), "{code}");
            }
            Subject::Label(n) => {
                let label = program.labels[n as usize];
                assert_eq!((part.len(), word(0), word(4)), (16, label.id, label.at), "{code}");
            }
            Subject::Output(n) => {
                let output = program.outputs[n as usize];
                assert_eq!((part.len(), half(0), half(2)), (8, output.kind, output.register), "{code}");
            }
            Subject::Uniform(n) => {
                let uniform = program.uniforms[n as usize];
                assert_eq!((part.len(), word(0), half(4)), (8, uniform.name, uniform.first), "{code}");
            }
        }
    }
}

#[test]
fn programs_that_share_words_tell_faults_once() {
    let mut file = vertex(&["add o0, v0, v1", "end"]);
    file.programs[0].inputs = 3;
    file.programs.push(file.programs[0].clone());
    let found = codes(&file);
    assert_eq!(found.iter().filter(|f| f.0 == "pica-two-inputs").count(), 1, "{found:?}");
}

#[test]
fn findings_are_bounded() {
    let limits = Limits { diagnostics: 7, ..Limits::default() };
    let bytes = vertex(&["mov o3, v0"; 100]).write(&limits).unwrap();
    let found = check_bytes(&bytes, &limits).unwrap();
    assert_eq!((found.len(), found[7].code), (8, "limit-diagnostics"));
}

/// Whatever words and tables contain, the check ends.
#[test]
fn random_programs_are_checked() {
    let mut random = shisa_rows::testing::Random(0x5eed);
    let mut bits = || random.bits();
    for _ in 0..400 {
        let words = 1 + bits() as usize % 48;
        let mut file = vertex(SOUND);
        file.code = (0..words)
            .map(|_| {
                // Mostly control flow within the program, which multiplies states.
                let flow = 0x20 + bits() as u32 % 16;
                let target = bits() as u32 % (words as u32 + 2);
                match bits() % 4 {
                    0 => bits() as u32,
                    _ => flow << 26 | (bits() as u32 & 15) << 22 | target << 10 | (bits() as u32 % 6),
                }
            })
            .collect();
        file.descriptors = (0..8).map(|_| Descriptor { bits: bits() as u32, flags: 0 }).collect();
        let dvle = &mut file.programs[0];
        dvle.kind = bits() as u8 & 1;
        dvle.entry = bits() as u32 % words as u32;
        dvle.inputs = bits() as u16;
        dvle.uniforms.push(uniform(bits() as u32 % 8, bits() as u16 % 0x90, bits() as u16 % 0x90));
        dvle.outputs.push(OutputEntry { register: bits() as u16 % 20, ..COLOR });
        let limits = Limits::default();
        check_bytes(&file.write(&limits).unwrap(), &limits).unwrap();
    }
}
