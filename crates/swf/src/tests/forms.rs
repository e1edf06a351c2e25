//! The forms in which ActionScript builds programs from strings: each is found as a whole, with its stage and version,
//! and its pieces are not taken for programs.

use super::writer::{ADD, END, ENTER, POP, RETURN, THIS, Writer, jump, op};
use super::{Compression, code, data, program, swf};
use crate::{Content, Extraction, Place, extract};
use shisa_diag::{Confidence, Limits};
use shisa_ir::Stage;
use swf::{SwfStr, SymbolClassLink, Tag};

pub(super) const VERTEX: &str = "m44 op, va0, vc0\nmov v0, va1";
pub(super) const FIRST: &str = "m44 op, va0, vc0\n";
pub(super) const SECOND: &str = "mov v0, va1";

pub(super) fn found(writer: &mut Writer) -> Extraction {
    let bytes = writer.write();
    let extraction = extract(&swf(Compression::None, &[code("main", &bytes)]), &Limits::default()).unwrap();
    assert_eq!(extraction.diagnostics, []);
    extraction
}

/// The texts of whole programs, with stage and version.
pub(super) fn whole(extraction: &Extraction) -> Vec<(String, Option<Stage>, u32)> {
    let text = |f: &crate::Found| match &f.content {
        Content::Source(text) => text.clone(),
        Content::Program(bytes) => format!("{} bytes", bytes.len()),
    };
    extraction.found.iter().filter(|f| f.whole).map(|f| (text(f), f.stage, f.version)).collect()
}

/// A class with a method that passes what `source` leaves on the stack to `assemble`.
pub(super) fn assembles(writer: &mut Writer, source: Vec<u8>) -> usize {
    let construct = writer.method(0, &[&[END]]);
    let class = writer.class("Main", "", construct);
    let (make, stage) = (writer.make("AGALMiniAssembler"), writer.push("vertex"));
    let call = writer.call("assemble", 3);
    let method = writer.method(0, &[&ENTER, &make, &stage, &source, &op(0x24, &[2]), &call, &[POP, END]]);
    writer.member(class, "start", method);
    class
}

fn check(form: &str, build: impl FnOnce(&mut Writer) -> Vec<u8>) {
    let mut writer = Writer::default();
    let source = build(&mut writer);
    assembles(&mut writer, source);
    let extraction = found(&mut writer);
    assert_eq!(whole(&extraction), [(VERTEX.into(), Some(Stage::Vertex), 2)], "{form}");
    let confidence = extraction.found[0].confidence;
    assert_eq!(confidence, Confidence::Certain, "{form}");
}

/// Checks that `build` leaves `number` on the stack: it becomes the number of a register of a whole program.
pub(super) fn calculated(form: &str, number: u32, build: impl FnOnce(&mut Writer) -> Vec<u8>) {
    let mut writer = Writer::default();
    let number_of = build(&mut writer);
    let source = [writer.push("m44 op, va0, vc0\nmov v0, va"), number_of, vec![ADD]].concat();
    assembles(&mut writer, source);
    let text = format!("m44 op, va0, vc0\nmov v0, va{number}");
    assert_eq!(whole(&found(&mut writer)), [(text, Some(Stage::Vertex), 2)], "{form}");
}

#[test]
fn strings_are_followed() {
    check("a constant", |w| w.push(VERTEX));
    check("add", |w| [w.push(FIRST), w.push(SECOND), vec![ADD]].concat());
    check("concat", |w| [w.push(FIRST), w.push(SECOND), w.call("concat", 1)].concat());
    check("join of an array", |w| {
        let rows = [w.push("m44 op, va0, vc0"), w.push(SECOND), op(0x56, &[2])].concat();
        [rows, w.push("\n"), w.call("join", 1)].concat()
    });
    check("push to an array", |w| {
        let mut code = [op(0x56, &[0]), op(0x63, &[3])].concat();
        for row in ["m44 op, va0, vc0", SECOND] {
            code.extend([op(0x62, &[3]), w.push(row), w.call("push", 1), vec![POP]].concat());
        }
        [code, op(0x62, &[3]), w.push("\n"), w.call("join", 1)].concat()
    });
    check("a local variable", |w| {
        let set = [w.push(FIRST), op(0x63, &[3]), op(0x62, &[3]), w.push(SECOND), vec![ADD]].concat();
        [set, op(0x63, &[3]), op(0x62, &[3])].concat()
    });
    check("a variable of the object", |w| {
        let set = [vec![THIS], w.push(FIRST), w.set("text"), vec![THIS, THIS], w.get("text")].concat();
        let more = [w.push(SECOND), vec![ADD], w.set("text"), vec![THIS], w.get("text")].concat();
        [set, more].concat()
    });
    check("a constant of a class", |w| {
        let construct = w.method(0, &[&[END]]);
        let class = w.class("Shaders", "", construct);
        w.constant(class, "FIRST", FIRST);
        w.constant(class, "SECOND", SECOND);
        [w.lex("Shaders"), w.get("FIRST"), w.lex("Shaders"), w.get("SECOND"), vec![ADD]].concat()
    });
    check("a function that returns a string", |w| {
        let construct = w.method(0, &[&[END]]);
        let class = w.class("Shaders", "", construct);
        let body = [w.push(FIRST), w.push(SECOND), vec![ADD, RETURN]].concat();
        let method = w.method(0, &[&ENTER, &body]);
        w.static_method(class, "vertex", method);
        [w.lex("Shaders"), w.call("vertex", 0)].concat()
    });
    check("a getter", |w| {
        let construct = w.method(0, &[&[END]]);
        let class = w.class("Shaders", "", construct);
        let body = [w.push(FIRST), w.push(SECOND), vec![ADD, RETURN]].concat();
        let method = w.method(0, &[&ENTER, &body]);
        w.getter(class, "vertex", method);
        [w.make("Shaders"), w.get("vertex")].concat()
    });
    check("a parameter", |w| {
        let construct = w.method(0, &[&[END]]);
        let class = w.class("Shaders", "", construct);
        let body = [op(0x62, &[1]), op(0x62, &[2]), vec![ADD, RETURN]].concat();
        let method = w.method(2, &[&ENTER, &body]);
        w.static_method(class, "joined", method);
        [w.lex("Shaders"), w.push(FIRST), w.push(SECOND), w.call("joined", 2)].concat()
    });
    check("a template", |w| {
        let text = w.push("m44 op, va0, vc0\nmov v0, ???");
        [text, w.push("???"), w.push("va1"), w.call("replace", 2)].concat()
    });
    check("numbers", |w| {
        let text = [w.push("m44 op, va0, vc"), op(0x24, &[0]), vec![ADD], w.push("\nmov v0, va")].concat();
        [text, vec![ADD], op(0x24, &[1]), vec![ADD]].concat()
    });
}

/// A class assembles in its constructor, and only methods that make objects of it have the text.
#[test]
fn constructors_are_followed_from_their_callers() {
    let w = &mut Writer::default();
    let empty = w.method(0, &[&[END]]);
    w.class("Unused", "", empty);
    let texts = w.class("Texts", "", empty);
    w.constant(texts, "FIRST", FIRST);
    w.constant(texts, "SECOND", SECOND);
    let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
    let body: [&[u8]; 8] = [&ENTER, &make, &stage, &op(0x62, &[1]), &op(0x24, &[2]), &call, &[POP], &[END]];
    let construct = w.method(1, &body);
    w.class("Shader", "", construct);
    let user = w.class("User", "", empty);
    let text = [w.lex("Texts"), w.get("FIRST"), w.lex("Texts"), w.get("SECOND"), vec![ADD]].concat();
    let shader = w.name("Shader");
    let body = [op(0x5d, &[shader]), text, op(0x4a, &[shader, 1]), vec![POP, END]].concat();
    let draw = w.method(0, &[&ENTER, &body]);
    w.member(user, "draw", draw);
    assert_eq!(whole(&found(w)), [(VERTEX.into(), Some(Stage::Vertex), 2)]);
}

/// Byte code that has nothing to do with programs, or that uploads something else, is not executed: the fuel is enough
/// for the one method that has a program.
#[test]
fn code_without_programs_is_not_executed() {
    let w = &mut Writer::default();
    let text = [w.push(FIRST), w.push(SECOND), vec![ADD]].concat();
    let class = assembles(w, text);
    let forever = [vec![0x09], jump(0x10, -5)].concat();
    let send = [vec![THIS], w.push("photo.png"), w.call("upload", 1), vec![POP]].concat();
    for (name, code) in [("send", send), ("wait", Vec::new())] {
        let method = w.method(0, &[&ENTER, &code, &forever, &[END]]);
        w.member(class, name, method);
    }
    let bytes = swf(Compression::None, &[code("main", &w.write())]);
    let extraction = extract(&bytes, &Limits { fuel: 1000, ..Limits::default() }).unwrap();
    assert_eq!(extraction.diagnostics, []);
    assert_eq!(whole(&extraction), [(VERTEX.into(), Some(Stage::Vertex), 2)]);
}

/// A piece that begins with a mnemonic shows that its method builds a program, though it is no source alone; jumps
/// before it are skipped as a whole.
#[test]
fn a_mnemonic_shows_that_a_method_builds_a_program() {
    let w = &mut Writer::default();
    let empty = w.method(0, &[&[END]]);
    let class = w.class("Main", "", empty);
    let first = w.push("m44 ");
    // The lowest byte of the distance is the opcode of an instruction with four bytes of operands.
    let jump = [vec![0x27], jump(0x11, 0xef)].concat();
    let rest = [w.push("op, va0, vc0\nmov v0, va1"), vec![ADD, RETURN], vec![0x02; 0xef]].concat();
    let method = w.method(0, &[&ENTER, &jump, &first, &rest]);
    w.member(class, "text", method);
    assert_eq!(whole(&found(w)), [(VERTEX.into(), Some(Stage::Vertex), 1)]);
}

/// `text += rows[i]` for `i` from 0 below 2.
#[test]
fn loops_with_constant_bounds_run() {
    check("a loop", |w| {
        let rows = [w.push(FIRST), w.push(SECOND), op(0x56, &[2]), op(0x63, &[3])].concat();
        let start = [w.push(""), op(0x63, &[4]), op(0x24, &[0]), op(0x63, &[5])].concat();
        let element = op(0x66, &[w.late()]);
        let add =
            [op(0x62, &[4]), op(0x62, &[3]), op(0x62, &[5]), element, vec![ADD], op(0x63, &[4])].concat();
        let body = [vec![0x09], add, op(0xc2, &[5])].concat();
        let test = [op(0x62, &[5]), op(0x24, &[2])].concat();
        let back = jump(0x15, -((body.len() + test.len()) as i32 + 4));
        [rows, start, jump(0x10, body.len() as i32), body, test, back, op(0x62, &[4])].concat()
    });
    check("for each", |w| {
        let rows = [w.push(FIRST), w.push(SECOND), op(0x56, &[2]), op(0x63, &[3])].concat();
        let start = [w.push(""), op(0x63, &[4]), op(0x24, &[0]), op(0x63, &[5])].concat();
        let value = [op(0x62, &[3]), op(0x62, &[5]), vec![0x23]].concat();
        let body = [vec![0x09], op(0x62, &[4]), value, vec![ADD], op(0x63, &[4])].concat();
        let test = op(0x32, &[3, 5]);
        let back = jump(0x11, -((body.len() + test.len()) as i32 + 4));
        [rows, start, jump(0x10, body.len() as i32), body, test, back, op(0x62, &[4])].concat()
    });
}

/// Both outcomes of a condition on an argument are programs; the pieces are not, nor is a mixture of outcomes of the
/// same condition.
#[test]
fn conditions_on_unknown_values_are_tried_both_ways() {
    let mut w = Writer::default();
    let choose = |w: &mut Writer, yes: &str, no: &str| {
        let (yes, no) = (w.push(yes), w.push(no));
        let past = jump(0x10, no.len() as i32);
        let skip = jump(0x12, (yes.len() + past.len()) as i32);
        [op(0x62, &[1]), skip, yes, past, no].concat()
    };
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let first = choose(&mut w, "mov ft0, v0\n", "mov ft0, v1\n");
    let second = choose(&mut w, "mul oc, ft0, fc0", "mul oc, ft0, fc1");
    let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("fragment"), w.call("assemble", 2));
    let method = w.method(1, &[&ENTER, &make, &stage, &first, &second, &[ADD], &call, &[POP, END]]);
    w.member(class, "start", method);
    let mut texts: Vec<String> = whole(&found(&mut w)).into_iter().map(|f| f.0).collect();
    texts.sort();
    assert_eq!(texts, ["mov ft0, v0\nmul oc, ft0, fc0", "mov ft0, v1\nmul oc, ft0, fc1"]);
}

/// The second execution takes the outcomes that the first has not taken: fuel for a few executions is enough for 12
/// conditions.
#[test]
fn outcomes_that_no_execution_has_taken_come_first() {
    let w = &mut Writer::default();
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
    let text = [w.push(FIRST), w.push(SECOND), vec![ADD]].concat();
    let assemble = [make, stage, text, op(0x24, &[2]), call, vec![POP]].concat();
    let mut code = op(0x24, &[0]);
    for parameter in 1..=12 {
        // `if (!parameter) count++`
        code.extend([op(0x62, &[parameter]), jump(0x11, 1), vec![0x91]].concat());
    }
    code.extend([op(0x24, &[0]), jump(0x14, assemble.len() as i32), assemble].concat());
    let method = w.method(12, &[&ENTER, &code, &[END]]);
    w.member(class, "start", method);
    let bytes = swf(Compression::None, &[super::code("main", &w.write())]);
    let extraction = extract(&bytes, &Limits { fuel: 300, ..Limits::default() }).unwrap();
    assert_eq!(whole(&extraction), [(VERTEX.into(), Some(Stage::Vertex), 2)]);
}

/// A program that is built has the number of the constants in it; a part of one counts as two.
#[test]
fn joined_constants_are_counted() {
    type Build = fn(&mut Writer) -> Vec<u8>;
    let forms: [(&str, Build, u32); 4] = [
        ("add", |w| [w.push(FIRST), w.push("mov v0,"), vec![ADD], w.push(" va1"), vec![ADD]].concat(), 3),
        ("concat", |w| [w.push(FIRST), w.push("mov v0,"), w.push(" va1"), w.call("concat", 2)].concat(), 3),
        (
            "replace",
            |w| {
                let text = [w.push(FIRST), w.push("mov v0, ?"), vec![ADD]].concat();
                let with = [w.push("v"), w.push("a1"), vec![ADD]].concat();
                [text, w.push("?"), with, w.call("replace", 2)].concat()
            },
            4,
        ),
        ("substr", |w| [w.push(&format!("?{VERTEX}")), op(0x24, &[1]), w.call("substr", 1)].concat(), 2),
    ];
    for (form, build, count) in forms {
        let w = &mut Writer::default();
        let source = build(w);
        assembles(w, source);
        let found = found(w).found;
        let counts: Vec<u32> = found
            .iter()
            .filter_map(|f| match &f.place {
                Place::Built { parts, .. } => Some(*parts),
                _ => None,
            })
            .collect();
        assert_eq!(counts, [count], "{form}");
    }
}

/// An assembler keeps what it made; two of them are uploaded in another method.
pub(super) fn pair(w: &mut Writer) {
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let assemble = |w: &mut Writer, field: &str, stage: &str, rows: [&str; 2]| {
        let made = [vec![THIS], w.make("AGALMiniAssembler"), w.set(field), vec![THIS], w.get(field)].concat();
        let stage = [w.lex("Context3DProgramType"), w.get(stage)].concat();
        let text = [w.push(rows[0]), w.push(rows[1]), vec![ADD]].concat();
        [made, stage, text, w.call("assemble", 2), vec![POP]].concat()
    };
    let first = assemble(w, "vs", "VERTEX", [FIRST, SECOND]);
    let second = assemble(w, "fs", "FRAGMENT", ["tex ft0, v0, fs0 <2d,linear>\n", "mov oc, ft0"]);
    let method = w.method(0, &[&ENTER, &first, &second, &[END]]);
    w.member(class, "build", method);
    let code = |w: &mut Writer, field| [vec![THIS], w.get(field), w.get("agalcode")].concat();
    let program = [w.lex("context"), w.call("createProgram", 0)].concat();
    let upload = [program, code(w, "vs"), code(w, "fs"), w.call("upload", 2)].concat();
    let method = w.method(0, &[&ENTER, &upload, &[POP, END]]);
    w.member(class, "show", method);
}

#[test]
fn pairs_are_joined() {
    let mut w = Writer::default();
    pair(&mut w);
    let extraction = found(&mut w);
    let stages: Vec<_> = whole(&extraction).into_iter().map(|f| f.1).collect();
    assert_eq!(stages, [Some(Stage::Vertex), Some(Stage::Fragment)]);
    assert_eq!(extraction.pairs, [(0, 1)]);
    assert!(matches!(extraction.found[0].place, Place::Built { parts: 2, .. }));
    // The offset is that of the first constant.
    let bytes = swf(Compression::None, &[code("main", &w.write())]);
    let text = &bytes[extraction.found[0].offset..];
    assert!(text.starts_with(FIRST.as_bytes()));
}

/// Programs in binary data are uploaded through their classes.
#[test]
fn embedded_programs_are_joined() {
    let mut w = Writer::default();
    let construct = w.method(0, &[&[END]]);
    for name in ["Vertex", "Fragment"] {
        let construct = w.method(0, &[&[END]]);
        w.class(name, "", construct);
    }
    let class = w.class("Main", "", construct);
    let upload = [w.lex("program"), w.make("Vertex"), w.make("Fragment"), w.call("upload", 2)].concat();
    let method = w.method(0, &[&ENTER, &upload, &[POP, END]]);
    w.member(class, "show", method);
    let link = |id, name| SymbolClassLink { id, class_name: SwfStr::from_utf8_str(name) };
    let (vertex, fragment) = (program(1, Stage::Vertex, 2), program(1, Stage::Fragment, 1));
    let bytes = w.write();
    let tags = [
        data(1, &vertex),
        data(2, &fragment),
        code("main", &bytes),
        Tag::SymbolClass(vec![link(1, "Vertex"), link(2, "Fragment")]),
    ];
    let extraction = extract(&swf(Compression::None, &tags), &Limits::default()).unwrap();
    assert_eq!((extraction.found.len(), extraction.pairs), (2, vec![(0, 1)]));
}

/// Base64 and hexadecimal digits.
#[test]
fn programs_as_text_are_found() {
    // Bytes after the program make the digits `+` and `/`.
    let bytes = [program(2, Stage::Fragment, 1), vec![0, 0, 0xfb, 0xef, 0xbe, 0xff, 0xff]].concat();
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut base64 = String::new();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0u32, |n, b| n << 8 | u32::from(*b)) << (8 * (3 - three.len()));
        for i in 0..4 {
            let digit = digits[(bits >> (18 - 6 * i) & 63) as usize];
            base64.push(if i <= three.len() { char::from(digit) } else { '=' });
        }
    }
    assert!(base64.contains('+') && base64.contains('/') && base64.ends_with('='));
    let for_addresses = base64.replace('+', "-").replace('/', "_");
    for text in [&hex, &hex.to_ascii_uppercase(), &base64, &for_addresses] {
        let mut w = Writer::default();
        w.string(text);
        assert_eq!(whole(&found(&mut w)), [("31 bytes".into(), Some(Stage::Fragment), 2)], "{text}");
        let blob = extract(&swf(Compression::None, &[data(1, text.as_bytes())]), &Limits::default()).unwrap();
        assert_eq!(whole(&blob).len(), 1, "{text}");
    }
}

/// A constant that is only joined with others is a piece, even if it would be a program alone.
#[test]
fn joined_constants_are_pieces() {
    let mut w = Writer::default();
    let source = [w.push("mov v0, va1\n"), w.push("mov op, va0"), vec![ADD]].concat();
    assembles(&mut w, source);
    let extraction = found(&mut w);
    assert_eq!(whole(&extraction).len(), 1);
    let pieces: Vec<_> = extraction.found.iter().filter(|f| !f.whole).map(|f| f.confidence).collect();
    assert_eq!(pieces, [Confidence::Possible; 2]);
}

/// Loops without an end, deep recursion and byte code that is broken anywhere: the search ends, and what can be found
/// is found.
#[test]
fn any_byte_code_ends() {
    let mut w = Writer::default();
    let text = w.push(VERTEX);
    assembles(&mut w, text);
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Endless", "", construct);
    let text = w.push("mov oc, v0");
    let circle = w.method(0, &[&ENTER, &text, &[POP], &jump(0x10, -4)]);
    w.member(class, "circle", circle);
    let call = [text.clone(), vec![POP, THIS], w.call("deeper", 0), vec![RETURN]].concat();
    let deeper = w.method(0, &[&ENTER, &call]);
    w.member(class, "deeper", deeper);
    let bytes = w.write();
    let limits = Limits::default();
    let whole_file = extract(&swf(Compression::None, &[code("main", &bytes)]), &limits).unwrap();
    assert_eq!(whole(&whole_file).len(), 2);
    let mut seed = 0x1234_5678u32;
    let mut random = |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed as usize % below
    };
    let small = Limits { fuel: 20_000, ..Limits::default() };
    for _ in 0..3_000 {
        let mut broken = bytes.clone();
        for _ in 0..1 + random(4) {
            let at = random(broken.len());
            broken[at] = random(256) as u8;
        }
        let _ = extract(&swf(Compression::None, &[code("main", &broken)]), &small);
    }
    for end in 0..bytes.len() {
        let _ = extract(&swf(Compression::None, &[code("main", &bytes[..end])]), &small);
    }
}

/// The end of the fuel is a warning that names the limit; what was found until then is there.
#[test]
fn the_end_of_the_fuel_is_reported() {
    let mut w = Writer::default();
    pair(&mut w);
    let bytes = swf(Compression::None, &[code("main", &w.write())]);
    let limits = Limits { fuel: 3, ..Limits::default() };
    let extraction = extract(&bytes, &limits).unwrap();
    let codes: Vec<_> = extraction.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["swf-fuel"]);
    assert!(extraction.diagnostics[0].notes.iter().any(|n| n.contains("fuel=3")));
}

/// Byte code that the player refuses, or whose values are not known, shows no program.
#[test]
fn what_is_not_there_has_no_value() {
    type Build = fn(&mut Writer) -> Vec<u8>;
    let forms: [(&str, Build, bool); 6] = [
        ("a variable", |w| [op(0x62, &[11]), vec![POP], w.push(VERTEX)].concat(), true),
        (
            "a variable that the method does not have",
            |w| [op(0x62, &[12]), vec![POP], w.push(VERTEX)].concat(),
            false,
        ),
        (
            "a string that the pool does not have",
            |w| [op(0x2c, &[900]), vec![POP], w.push(VERTEX)].concat(),
            false,
        ),
        (
            "a number that the pool does not have",
            |w| [op(0x2d, &[5]), vec![POP], w.push(VERTEX)].concat(),
            false,
        ),
        (
            "a part at a known position",
            |w| [w.push(&format!("?{VERTEX}")), op(0x24, &[1]), w.call("substr", 1)].concat(),
            true,
        ),
        (
            "a part at an unknown position",
            |w| [w.push(VERTEX), w.lex("nothingKnown"), w.call("substr", 1)].concat(),
            false,
        ),
    ];
    for (form, build, shown) in forms {
        let mut writer = Writer::default();
        let source = build(&mut writer);
        assembles(&mut writer, source);
        let extraction = found(&mut writer);
        let assembled = extraction.found.iter().any(|f| f.version == 2);
        assert_eq!(assembled, shown, "{form}");
    }
}

#[test]
fn code_of_methods_that_do_not_exist_is_broken() {
    let mut writer = Writer::default();
    let source = writer.push(VERTEX);
    assembles(&mut writer, source);
    let mut bytes = writer.write();
    // The last body: its method, four numbers, the size and the code, one instruction, no handlers, no traits.
    let method = bytes.len() - 9;
    assert_eq!(bytes[method + 1..], [16, 12, 0, 16, 1, END, 0, 0]);
    bytes[method] = 100;
    let broken = extract(&swf(Compression::None, &[code("main", &bytes)]), &Limits::default()).unwrap();
    assert_eq!(broken.diagnostics.iter().map(|d| d.code).collect::<Vec<_>>(), ["swf-abc"]);
    assert_eq!(broken.found.len(), 1);
}
