//! Classes of ActionScript: tests of types, base classes, static methods, and texts that no assembler takes.

use super::forms::{FIRST, SECOND, VERTEX, assembles, calculated, found, whole};
use super::writer::{ADD, END, ENTER, POP, RETURN, THIS, Writer, jump, op};
use super::{Compression, code, data, swf};
use crate::{Place, extract};
use shisa_diag::Limits;
use shisa_ir::Stage;

/// Code that leaves 3 on the stack if the condition holds, else 4.
fn chosen(condition: Vec<u8>) -> Vec<u8> {
    [condition, jump(0x11, 6), op(0x24, &[4]), jump(0x10, 2), op(0x24, &[3])].concat()
}

/// An instruction that is not skipped as a whole leaves an operand that ends the method.
#[test]
fn instructions_for_debuggers_have_no_effect() {
    let three = op(0x24, &[3]);
    for skipped in [
        vec![0x01],
        vec![0x02],
        vec![0x09],
        vec![0xf3],
        vec![0x06, END],
        vec![0xf0, END],
        vec![0xf1, END],
        vec![0xf2, END],
        vec![0xef, END, END, END, END],
        vec![0xef, END, 0x81, 0x01, END, 0x81, 0x01],
    ] {
        calculated(&format!("{skipped:x?}"), 3, |_| [skipped.clone(), three.clone()].concat());
    }
}

#[test]
fn values_are_of_their_classes() {
    fn with_classes(w: &mut Writer) {
        let empty = w.method(0, &[&[END]]);
        w.class("Base", "", empty);
        w.class("Derived", "Base", empty);
        w.class("Other", "", empty);
    }
    for (made, class, holds) in [
        ("Derived", "Derived", true),
        ("Derived", "Base", true),
        ("Base", "Derived", false),
        ("Derived", "Other", false),
    ] {
        let result = if holds { 3 } else { 4 };
        for opcode in [0xb1, 0xb3] {
            calculated(&format!("{opcode:#x}: {made}, {class}"), result, |w| {
                with_classes(w);
                chosen([w.make(made), w.lex(class), vec![opcode]].concat())
            });
        }
        calculated(&format!("istype: {made}, {class}"), result, |w| {
            with_classes(w);
            let name = w.name(class);
            chosen([w.make(made), op(0xb2, &[name])].concat())
        });
    }
    for value in [vec![0x24, 1], vec![0x20], vec![0x26]] {
        calculated(&format!("no object: {value:x?}"), 4, |w| {
            with_classes(w);
            chosen([value.clone(), w.lex("Base"), vec![0xb3]].concat())
        });
    }
}

/// `super.text()`, in a class that is derived twice, and a constructor that leaves a text to its base class.
#[test]
fn methods_and_constructors_of_base_classes_are_called() {
    let w = &mut Writer::default();
    let store = [vec![THIS], op(0x62, &[1]), w.set("text"), vec![END]].concat();
    let construct = w.method(1, &[&ENTER, &store]);
    let base = w.class("Base", "", construct);
    let own = [vec![THIS], w.get("text"), vec![RETURN]].concat();
    let own = w.method(0, &[&ENTER, &own]);
    w.member(base, "source", own);
    let pass = [vec![THIS], w.push(FIRST), op(0x49, &[1]), vec![END]].concat();
    let construct = w.method(0, &[&ENTER, &pass]);
    let middle = w.class("Middle", "Base", construct);
    let source = w.name("source");
    let more = [vec![THIS], op(0x45, &[source, 0]), w.push(SECOND), vec![ADD, RETURN]].concat();
    let more = w.method(0, &[&ENTER, &more]);
    w.member(middle, "source", more);
    let construct = w.method(0, &[&ENTER, &[THIS], &op(0x49, &[0]), &[END]]);
    w.class("Last", "Middle", construct);
    let text = [w.make("Last"), w.call("source", 0)].concat();
    assembles(w, text);
    assert_eq!(whole(&found(w)), [(VERTEX.into(), Some(Stage::Vertex), 2)]);
}

/// A static method that nothing calls runs with its class as `this`; another one of an object with the object.
#[test]
fn methods_that_nothing_calls_run_with_what_holds_them() {
    for is_static in [true, false] {
        let w = &mut Writer::default();
        let empty = w.method(0, &[&[END]]);
        let class = w.class("Main", "", empty);
        w.constant(class, "FIRST", FIRST);
        let first = if is_static { [vec![THIS], w.get("FIRST")].concat() } else { w.push(FIRST) };
        let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
        let source = [first, w.push(SECOND), vec![ADD]].concat();
        let method = w.method(0, &[&ENTER, &make, &stage, &source, &op(0x24, &[2]), &call, &[POP, END]]);
        if is_static {
            w.static_method(class, "start", method)
        } else {
            w.member(class, "start", method)
        }
        assert_eq!(whole(&found(w)), [(VERTEX.into(), Some(Stage::Vertex), 2)], "static: {is_static}");
    }
}

/// A text that is joined and stored is a program, though no assembler of this file takes it. One that becomes longer
/// is not.
#[test]
fn stored_texts_are_programs() {
    let w = &mut Writer::default();
    let empty = w.method(0, &[&[END]]);
    let class = w.class("Main", "", empty);
    let joined = [vec![THIS], w.push(FIRST), w.push(SECOND), vec![ADD], w.set("text")].concat();
    let method = w.method(0, &[&ENTER, &joined, &[END]]);
    w.member(class, "start", method);
    let extraction = found(w);
    assert_eq!(whole(&extraction), [(VERTEX.into(), Some(Stage::Vertex), 1)]);
    assert!(matches!(extraction.found[0].place, Place::Built { parts: 2, .. }), "{:?}", extraction.found);
    let longer =
        [vec![THIS, THIS], w.get("text"), w.push("\nmov v1, va1"), vec![ADD], w.set("text")].concat();
    let method = w.method(0, &[&ENTER, &joined, &longer, &[END]]);
    w.member(class, "more", method);
    let texts: Vec<String> = whole(&found(w)).into_iter().map(|f| f.0).collect();
    assert_eq!(texts, [format!("{VERTEX}\nmov v1, va1")]);
}

/// A source in binary data that byte code passes to an assembler is one program, not two.
#[test]
fn a_source_in_binary_data_is_found_once() {
    let w = &mut Writer::default();
    let text = w.push(VERTEX);
    assembles(w, text);
    let bytes = w.write();
    let tags = [data(1, VERTEX.as_bytes()), code("main", &bytes)];
    let extraction = extract(&swf(Compression::None, &tags), &Limits::default()).unwrap();
    assert_eq!(whole(&extraction), [(VERTEX.into(), Some(Stage::Vertex), 2)]);
    assert!(matches!(extraction.found[0].place, Place::BinaryData { .. }), "{:?}", extraction.found);
}
