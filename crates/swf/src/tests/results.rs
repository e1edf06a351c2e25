//! Values at the edges of what the player supplies, and values that scripts, classes and methods declare: each is
//! written into a comment of a program that is built, or is not known, so that no program is built.

use super::forms::{VERTEX, found, whole};
use super::writer::{ADD, END, ENTER, GET, POP, RETURN, SET, THIS, Writer, jump, op};
use shisa_ir::Stage;

/// An operand.
#[derive(Clone, Copy)]
pub(super) enum Given {
    Number(i8),
    Text(&'static str),
    /// A value of which nothing is known.
    Unknown,
}

use Given::{Number as N, Text as T, Unknown};

impl Given {
    fn push(self, w: &mut Writer) -> Vec<u8> {
        match self {
            N(number) => byte(number),
            T(text) => w.push(text),
            // The parameter of the method.
            Unknown => op(0x62, &[1]),
        }
    }
}

/// `pushbyte`.
pub(super) fn byte(number: i8) -> Vec<u8> {
    vec![0x24, number as u8]
}

fn pushed(w: &mut Writer, given: &[Given]) -> Vec<u8> {
    given.iter().flat_map(|g| g.push(w)).collect()
}

/// A call of a method of what `object` leaves on the stack.
pub(super) fn call(w: &mut Writer, object: Vec<u8>, name: &str, given: &[Given]) -> Vec<u8> {
    let arguments = pushed(w, given);
    [object, arguments, w.call(name, given.len() as u32)].concat()
}

/// A call of a function or, with `new`, the construction of an object of a class.
fn global(w: &mut Writer, name: &str, given: &[Given], new: bool) -> Vec<u8> {
    let (arguments, index) = (pushed(w, given), w.name(name));
    let call = op(if new { 0x4a } else { 0x46 }, &[index, given.len() as u32]);
    [op(0x5d, &[index]), arguments, call].concat()
}

/// An array.
pub(super) fn array(w: &mut Writer, given: &[Given]) -> Vec<u8> {
    [pushed(w, given), op(0x56, &[given.len() as u32])].concat()
}

/// An object with these names and values.
pub(super) fn object(w: &mut Writer, given: &[Given]) -> Vec<u8> {
    [pushed(w, given), op(0x55, &[given.len() as u32 / 2])].concat()
}

/// What `build` leaves on the stack, as text; `None` if it is not known. The class of the method is number 0.
pub(super) fn said(build: impl FnOnce(&mut Writer) -> Vec<u8>) -> Option<String> {
    let w = &mut Writer::default();
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let value = build(w);
    let text = [w.push(&format!("{VERTEX}\n//")), value, vec![ADD]].concat();
    let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
    let method = w.method(1, &[&ENTER, &make, &stage, &text, &op(0x24, &[2]), &call, &[POP, END]]);
    w.member(class, "start", method);
    let mut made = whole(&found(w)).into_iter().filter(|f| f.2 == 2);
    let (text, stage, _) = made.next()?;
    assert_eq!((stage, made.next()), (Some(Stage::Vertex), None));
    Some(text.rsplit_once("//").unwrap().1.to_owned())
}

pub(super) fn says(form: &str, expected: &str, build: impl FnOnce(&mut Writer) -> Vec<u8>) {
    assert_eq!(said(build).as_deref(), Some(expected), "{form}");
}

#[test]
fn positions_in_texts_are_bounded() {
    let rows: [(&str, &[Given], &str); 16] = [
        ("substr", &[N(-9), N(2)], "ab"),
        ("substr", &[N(4), N(9)], "EF"),
        ("substr", &[N(4), N(-1)], ""),
        ("substring", &[N(1), N(99)], "bcDEF"),
        ("slice", &[], "abcDEF"),
        ("charAt", &[], "a"),
        ("charCodeAt", &[], "97"),
        ("charCodeAt", &[N(9)], "NaN"),
        ("lastIndexOf", &[T("F")], "5"),
        ("lastIndexOf", &[T("x")], "-1"),
        ("split", &[T("c")], "ab,DEF"),
        ("split", &[T("")], "a,b,c,D,E,F"),
        ("replace", &[T("cD"), T("x")], "abxEF"),
        ("replace", &[T("x"), T("y")], "abcDEF"),
        ("replace", &[N(1), T("y")], "abcDEF"),
        ("replace", &[T("c"), N(7)], "ab7DEF"),
    ];
    for (name, given, expected) in rows {
        says(&format!("{name}, {expected}"), expected, |w| {
            let text = w.push("abcDEF");
            call(w, text, name, given)
        });
    }
    let unknown: [(&str, &[Given]); 5] = [
        ("charAt", &[Unknown]),
        ("slice", &[N(1), Unknown]),
        ("replace", &[Unknown, T("x")]),
        ("replace", &[T("c"), Unknown]),
        ("noMethod", &[]),
    ];
    for (name, given) in unknown {
        let result = said(|w| {
            let text = w.push("abcDEF");
            call(w, text, name, given)
        });
        assert_eq!(result, None, "{name}");
    }
}

/// What a regular expression with operators finds is not known.
#[test]
fn patterns_with_operators_are_not_followed() {
    let rows: [(&[Given], Option<&str>); 4] = [
        (&[T("-"), T("gi")], Some("a+b+c.d")),
        (&[T("."), T("g")], None),
        (&[T("\\w"), T("g")], None),
        (&[Unknown], None),
    ];
    for (given, expected) in rows {
        let text = said(|w| {
            let (text, with) = (w.push("a-b-c.d"), w.push("+"));
            [text, global(w, "RegExp", given, true), with, w.call("replace", 2)].concat()
        });
        assert_eq!(text.as_deref(), expected);
    }
}

/// The results of methods of an array, and the array after them.
#[test]
fn arrays_have_their_methods() {
    let three: &[Given] = &[N(1), N(2), N(3)];
    let rows: [(&[Given], &str, &[Given], &str); 9] = [
        (three, "push", &[N(4), N(5)], "5|1,2,3,4,5"),
        (&[], "pop", &[], "undefined|"),
        (&[], "shift", &[], "undefined|"),
        (three, "reverse", &[], "3,2,1|3,2,1"),
        (three, "splice", &[N(0), N(99)], "1,2,3|"),
        (three, "slice", &[], "1,2,3|1,2,3"),
        (three, "slice", &[N(-9), N(9)], "1,2,3|1,2,3"),
        (three, "concat", &[N(4), T("a")], "1,2,3,4,a|1,2,3"),
        (three, "indexOf", &[T("9")], "-1|1,2,3"),
    ];
    let both = |w: &mut Writer, list: &[Given], name: &str, given: &[Given]| {
        let list = [array(w, list), SET.to_vec()].concat();
        let result = call(w, GET.to_vec(), name, given);
        [list, result, w.push("|"), vec![ADD], GET.to_vec(), vec![ADD]].concat()
    };
    for (list, name, given, expected) in rows {
        says(&format!("{name}, {expected}"), expected, |w| both(w, list, name, given));
    }
    for (name, given) in [("slice", &[Unknown]), ("splice", &[Unknown]), ("noMethod", &[N(1)])] {
        assert_eq!(said(|w| both(w, three, name, given)), None, "{name}");
    }
    says("null and undefined are empty in a join", ",,1", |w| {
        [vec![0x20, 0x21], byte(1), op(0x56, &[3]), w.call("join", 0)].concat()
    });
    says("an array inside of itself", "1,", |w| {
        let list = [array(w, &[N(1)]), SET.to_vec(), GET.to_vec(), GET.to_vec()].concat();
        [list, w.call("push", 1), vec![POP], GET.to_vec()].concat()
    });
    says("an array inside of another", "1,2,3,4", |w| {
        let inner = array(w, &[N(2), N(3)]);
        [byte(1), inner, byte(4), op(0x56, &[3])].concat()
    });
    says("objects of an array", "a,b", |w| {
        let construct = w.method(0, &[&[END]]);
        let class = w.class("Named", "", construct);
        let body = [w.push("a"), vec![RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.member(class, "toString", body);
        let written = [global(w, "ByteArray", &[], true), SET.to_vec()].concat();
        let write = [call(w, GET.to_vec(), "writeUTFBytes", &[T("b")]), vec![POP]].concat();
        [written, write, w.make("Named"), GET.to_vec(), op(0x56, &[2])].concat()
    });
    says("map", "0,2,6", |w| {
        // The element times its index.
        let body = w.method(2, &[&ENTER, &[0xd1, 0xd2, 0xa2, RETURN]]);
        [array(w, &[N(1), N(2), N(3)]), op(0x40, &[body]), w.call("map", 1)].concat()
    });
    let each = |w: &mut Writer, name: &str| {
        let body = w.method(1, &[&ENTER, &op(0x65, &[0]), &[THIS, END]]);
        [array(w, &[N(1)]), op(0x40, &[body]), w.call(name, 1)].concat()
    };
    assert_eq!(said(|w| each(w, "filter")), None, "the result is not known");
}

/// Bytes are written in an order, at a position.
#[test]
fn byte_arrays_have_their_methods() {
    let check = |expected: &str, little: bool, steps: &[(&str, &[Given])], last: (&str, &[Given])| {
        says(expected, expected, |w| {
            let mut code = [global(w, "ByteArray", &[], true), SET.to_vec()].concat();
            if little {
                code.extend([GET.to_vec(), w.push("littleEndian"), w.set("endian")].concat());
            }
            for (name, given) in steps {
                code.extend(match name.strip_suffix('=') {
                    Some(name) => [GET.to_vec(), pushed(w, given), w.set(name)].concat(),
                    None => [call(w, GET.to_vec(), name, given), vec![POP]].concat(),
                });
            }
            let (name, given) = last;
            let last = match name.strip_suffix('=') {
                Some(name) => [GET.to_vec(), w.get(name)].concat(),
                None => call(w, GET.to_vec(), name, given),
            };
            [code, last].concat()
        });
    };
    let text: (&str, &[Given]) = ("toString", &[]);
    let [a, short, int]: [(&str, &[Given]); 3] =
        [("writeByte", &[N(97)]), ("writeShort", &[T("24930")]), ("writeInt", &[T("1633837924")])];
    check("a", false, &[a], text);
    check("aab", false, &[a, short], text);
    check("aba", true, &[a, short], text);
    check("abcd", false, &[int], text);
    check("dcba", true, &[int], text);
    check("abcd", false, &[("writeUnsignedInt", &[T("1633837924")])], text);
    check("4", false, &[int], ("length=", &[]));
    check("4", false, &[int], ("position=", &[]));
    check("3", false, &[int, ("position=", &[N(1)])], ("bytesAvailable=", &[]));
    check("abad", false, &[int, ("position=", &[N(2)]), a], text);
    check("3", false, &[int, ("position=", &[N(2)]), a], ("position=", &[]));
    check("ab", false, &[int, ("length=", &[N(2)])], text);
    check("bc", false, &[int, ("position=", &[N(1)])], ("readUTFBytes", &[N(2)]));
    check("bcd", false, &[int, ("position=", &[N(1)])], ("readUTFBytes", &[N(9)]));
    check("bcd", false, &[int, ("position=", &[N(1)])], ("readMultiByte", &[N(-1)]));
    check("d", false, &[int, ("position=", &[N(1)]), ("readUTFBytes", &[N(2)])], ("readUTFBytes", &[N(1)]));
    check("undefined", false, &[int], ("readByte", &[]));
    says("a byte by its index", "7,0,5", |w| {
        let bytes = [global(w, "ByteArray", &[], true), SET.to_vec()].concat();
        let set = |w: &mut Writer, at: i8, to: i8| {
            [GET.to_vec(), byte(at), byte(to), op(0x61, &[w.late()])].concat()
        };
        let get = |w: &mut Writer, at: i8| [GET.to_vec(), byte(at), op(0x66, &[w.late()])].concat();
        let sets = [set(w, 2, 5), set(w, 0, 7)].concat();
        [bytes, sets, get(w, 0), get(w, 1), get(w, 2), op(0x56, &[3])].concat()
    });
    let written = said(|w| {
        let bytes = [global(w, "ByteArray", &[], true), SET.to_vec()].concat();
        [bytes, call(w, GET.to_vec(), "writeByte", &[Unknown]), vec![POP], GET.to_vec()].concat()
    });
    assert_eq!(written, None, "bytes are not known after one that is not known");
}

/// Classes of the player make objects and convert values.
#[test]
fn classes_of_the_player_are_called_and_constructed() {
    let rows: [(&str, &[Given], bool, &str); 17] = [
        ("Array", &[], true, ""),
        ("Array", &[N(3)], true, ",,"),
        ("Array", &[N(3), T("a")], true, "3,a"),
        ("Array", &[T("a")], true, "a"),
        ("Vector", &[], true, ""),
        ("Vector", &[N(3)], true, ",,"),
        ("Vector", &[N(2), N(1)], true, ","),
        ("String", &[N(12)], true, "12"),
        ("String", &[N(12)], false, "12"),
        ("String", &[], false, ""),
        ("int", &[T("7.5")], false, "7"),
        ("uint", &[N(-1)], false, "4294967295"),
        ("Number", &[T(" 0x10 ")], false, "16"),
        ("parseFloat", &[T("1.5")], false, "1.5"),
        ("parseInt", &[T("")], false, "0"),
        ("Boolean", &[N(1)], false, "true"),
        ("Boolean", &[T("")], false, "false"),
    ];
    for (name, given, new, expected) in rows {
        says(&format!("{name}, {expected}"), expected, |w| global(w, name, given, new));
    }
    assert_eq!(said(|w| global(w, "Sprite", &[], true)), None);
    assert_eq!(said(|w| global(w, "encode", &[T("a")], false)), None);
    says("fromCharCode", "ab", |w| [w.lex("String"), byte(97), byte(98), w.call("fromCharCode", 2)].concat());
    says("a vector of a type", ",,", |w| {
        [w.lex("Vector"), w.lex("int"), op(0x53, &[1]), byte(3), op(0x42, &[1])].concat()
    });
    for (name, expected) in [
        ("COMPRESSED_ALPHA", "compressedAlpha"),
        ("BGRA_PACKED", "bgraPacked4444"),
        ("BGR_PACKED", "bgrPacked565"),
    ] {
        says(name, expected, |w| [w.lex("Context3DTextureFormat"), w.get(name)].concat());
    }
}

#[test]
fn values_have_their_texts() {
    let divided = |a: i8, b: i8| [byte(a), byte(b), vec![0xa3]].concat();
    for (code, expected) in [
        (divided(1, 0), "Infinity"),
        (divided(-1, 0), "-Infinity"),
        (divided(0, 0), "NaN"),
        (divided(0, -1), "0"),
        (divided(3, 2), "1.5"),
        (byte(-7), "-7"),
        (vec![0x20], "null"),
        (vec![0x21], "undefined"),
        (vec![0x26], "true"),
        (vec![0x27], "false"),
    ] {
        says(expected, expected, |_| code.clone());
        if !code.starts_with(&[0x20]) && !code.starts_with(&[0x21]) {
            says("toString", expected, |w| [code.clone(), w.call("toString", 0)].concat());
        }
    }
    assert_eq!(said(|w| [byte(7), w.call("noMethod", 0)].concat()), None);
    for (code, kind) in [(0x70, "null"), (0x85, "null"), (0x75, "0"), (0x76, "false"), (0x73, "0")] {
        says(&format!("{code:#x} of null"), kind, |_| vec![0x20, code]);
    }
}

/// Texts, nothing and objects are compared.
#[test]
fn values_of_all_types_are_equal_or_not() {
    let list = |w: &mut Writer| array(w, &[N(1)]);
    says("an object and null", "false", |w| [list(w), vec![0x20, 0xab]].concat());
    says("null and an object", "false", |w| [vec![0x20], list(w), vec![0xab]].concat());
    says("null and undefined", "true", |_| vec![0x20, 0x21, 0xab]);
    says("null and 0", "false", |_| [vec![0x20], byte(0), vec![0xab]].concat());
    says("a text and its number", "true", |w| [w.push("7"), byte(7), vec![0xab]].concat());
    says("not of an object", "false", |w| [list(w), vec![0x96]].concat());
    assert_eq!(said(|w| [Unknown.push(w), list(w), vec![0xab]].concat()), None);
}

#[test]
fn objects_have_the_properties_that_they_are_given() {
    let two: &[Given] = &[T("a"), T("x"), T("b"), T("y")];
    says("a property by its name", "x", |w| [object(w, two), w.push("a"), op(0x66, &[w.late()])].concat());
    says("a property by a number", "x", |w| {
        [object(w, &[N(1), T("x")]), byte(1), op(0x66, &[w.late()])].concat()
    });
    says("a property by an array of its name", "x", |w| {
        [object(w, two), array(w, &[T("a")]), op(0x66, &[w.late()])].concat()
    });
    says("deleteproperty", "false", |w| {
        let delete = w.name("a");
        let made = [object(w, two), SET.to_vec(), GET.to_vec(), op(0x6a, &[delete]), vec![POP]].concat();
        [made, w.push("a"), GET.to_vec(), vec![0xb4]].concat()
    });
    says("pushwith", "x", |w| [object(w, two), vec![0x1c], w.lex("a"), vec![0x1d]].concat());
    for (code, expected) in [(0x1e, "-ab"), (0x23, "-xy")] {
        // `for (name in object) text += name`, or of values.
        says(expected, expected, |w| {
            let start = [object(w, two), SET.to_vec(), w.push("-"), op(0x63, &[4]), byte(0), op(0x63, &[5])];
            let body =
                [vec![0x09], op(0x62, &[4]), GET.to_vec(), op(0x62, &[5]), vec![code, ADD], op(0x63, &[4])];
            let (body, test) = (body.concat(), op(0x32, &[3, 5]));
            let back = jump(0x11, -((body.len() + test.len()) as i32 + 4));
            [start.concat(), jump(0x10, body.len() as i32), body, test, back, op(0x62, &[4])].concat()
        });
    }
    says("hasnext", "1,2,0", |w| {
        let next = |w: &mut Writer, at: i8| [object(w, two), byte(at), vec![0x1f]].concat();
        [next(w, 0), next(w, 1), next(w, 2), op(0x56, &[3])].concat()
    });
}

/// Functions see the variables of the methods around them.
#[test]
fn functions_and_scopes() {
    let (outer, with): (&[u8], &[u8]) = (&[0x57, 0x30], &[0x65, 1]);
    says("a variable of the method around a function", "x", |w| {
        let inner = [w.lex("text"), vec![RETURN]].concat();
        let inner = w.method(0, &[&ENTER, &inner]);
        let text = w.name("text");
        let set = [w.push("x"), op(0x68, &[text])].concat();
        let body = [outer, with, &set, &op(0x40, &[inner]), &[0x20], &op(0x41, &[0]), &[RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.local(body, "text");
        w.member(0, "made", body);
        [vec![THIS], w.call("made", 0)].concat()
    });
    says("a variable of the method that is only declared", "true", |w| {
        let body = [outer, &w.push("text"), with, &[0xb4, RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.local(body, "text");
        w.member(0, "made", body);
        [vec![THIS], w.call("made", 0)].concat()
    });
    says("getouterscope", "x", |w| {
        let inner = [op(0x67, &[2]), w.get("text"), vec![RETURN]].concat();
        let inner = w.method(0, &[&ENTER, &inner]);
        let text = [vec![THIS], w.push("x"), w.set("text")].concat();
        [text, op(0x40, &[inner]), vec![0x20], op(0x41, &[0])].concat()
    });
    for fixed in [false, true] {
        says(&format!("slots of a class: {fixed}"), "xx", |w| {
            w.variable(0, "first", "String", fixed);
            w.variable(0, "text", "String", fixed);
            let holder = if fixed { w.lex("Main") } else { vec![THIS] };
            let set = [holder.clone(), w.push("x"), op(0x6d, &[2])].concat();
            [set, holder.clone(), w.get("text"), holder, op(0x6c, &[2]), vec![ADD]].concat()
        });
    }
    says("slots of a method", "x", |w| {
        let set = [with, &w.push("x"), &op(0x6d, &[2])].concat();
        let body = [outer, &set, with, &w.get("text"), &[RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.local(body, "first");
        w.local(body, "text");
        w.member(0, "made", body);
        [vec![THIS], w.call("made", 0)].concat()
    });
    says("newcatch", "x", |w| {
        let caught = [op(0x5a, &[0]), SET.to_vec(), GET.to_vec(), w.push("x"), w.set("error")].concat();
        [caught, GET.to_vec(), w.get("error")].concat()
    });
}

/// What scripts and classes declare has its values.
#[test]
fn declarations_have_their_values() {
    says("a getter of the object in scope", "x", |w| {
        let body = [w.push("x"), vec![RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.getter(0, "text", body);
        w.lex("text")
    });
    says("a variable of type int", "0", |w| {
        w.variable(0, "count", "int", false);
        [vec![THIS], w.get("count")].concat()
    });
    says("a variable that the class initialises", "x", |w| {
        w.variable(0, "text", "String", true);
        let set = [vec![THIS], w.push("x"), w.set("text")].concat();
        w.starts(0, &[&ENTER, &set, &[END]]);
        [w.lex("Main"), w.get("text")].concat()
    });
    says("newclass", "x", |w| {
        let construct = w.method(0, &[&[END]]);
        w.class("First", "", construct);
        let class = w.class("Second", "", construct);
        w.constant(class, "TEXT", "x");
        [vec![0x20], op(0x58, &[class as u32]), w.get("TEXT")].concat()
    });
    says("a variable of a script with a value", "x", |w| {
        let text = w.string("x");
        w.global("text", 0, &[0, text, 1]);
        w.lex("text")
    });
    says("a variable of a script that its code sets", "x", |w| {
        w.global("text", 0, &[0, 0]);
        let name = w.name("text");
        let code = [ENTER.to_vec(), op(0x5e, &[name]), w.push("x"), op(0x68, &[name])].concat();
        w.runs(&code);
        w.lex("text")
    });
    says("a function of a script", "x", |w| {
        let body = [w.push("x"), vec![RETURN]].concat();
        let body = w.method(0, &[&ENTER, &body]);
        w.global("made", 1, &[body]);
        global(w, "made", &[], false)
    });
    says("a getter of the base class", "x", |w| {
        let construct = w.method(0, &[&[END]]);
        let base = w.class("Base", "", construct);
        let text = [w.push("x"), vec![RETURN]].concat();
        let text = w.method(0, &[&ENTER, &text]);
        w.getter(base, "text", text);
        let class = w.class("Derived", "Base", construct);
        let name = w.name("text");
        let own = [vec![THIS], op(0x04, &[name]), vec![RETURN]].concat();
        let own = w.method(0, &[&ENTER, &own]);
        w.getter(class, "text", own);
        [w.make("Derived"), w.get("text")].concat()
    });
    // The class of the object is not known: a method that one class has is its.
    for (count, expected) in [(1, Some("x")), (2, None)] {
        let text = said(|w| {
            let construct = w.method(0, &[&[END]]);
            let body = [w.push("x"), vec![RETURN]].concat();
            for name in ["Other", "Another"] {
                let class = w.class(name, "", construct);
                if name == "Another" || count == 2 {
                    let method = w.method(0, &[&ENTER, &body]);
                    w.member(class, "text", method);
                }
            }
            call(w, op(0x62, &[1]), "text", &[])
        });
        assert_eq!(text.as_deref(), expected);
    }
}

/// A switch whose index is not known takes all of its cases, and functions that the player receives are called.
#[test]
fn all_cases_and_callbacks_are_followed() {
    let w = &mut Writer::default();
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let texts = ["va1", "va2", "va3"].map(|r| w.push(r));
    let distance = |d: i32| d.to_le_bytes()[..3].to_vec();
    // Distances count from the switch, which has 11 bytes; a case has 6 bytes with its jump.
    let head = [vec![0x1b], distance(11 + 12), vec![1], distance(11), distance(11 + 6)].concat();
    assert!(texts.iter().all(|t| t.len() == 2));
    let cases = [&texts[0][..], &jump(0x10, 8), &texts[1], &jump(0x10, 2), &texts[2]].concat();
    let text = [w.push("m44 op, va0, vc0\nmov v0, "), op(0x62, &[1]), head, cases, vec![ADD]].concat();
    let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
    let method = w.method(1, &[&ENTER, &make, &stage, &text, &op(0x24, &[2]), &call, &[POP, END]]);
    w.member(class, "start", method);
    let mut made: Vec<String> = whole(&found(w)).into_iter().map(|f| f.0).collect();
    made.sort();
    assert_eq!(made, ["va1", "va2", "va3"].map(|r| format!("m44 op, va0, vc0\nmov v0, {r}")));

    let w = &mut Writer::default();
    let construct = w.method(0, &[&[END]]);
    let class = w.class("Main", "", construct);
    let mut start = w.lex("stage");
    for register in ["va1", "va2"] {
        let (make, stage, call) = (w.make("AGALMiniAssembler"), w.push("vertex"), w.call("assemble", 3));
        let text = [w.push("m44 op, va0, vc0\nmov v0, "), w.push(register), vec![ADD]].concat();
        let later = w.method(1, &[&ENTER, &make, &stage, &text, &op(0x24, &[2]), &call, &[POP, END]]);
        let listen = [op(0x2a, &[]), w.push(register), op(0x40, &[later]), w.call("addEventListener", 2)];
        start.extend([listen.concat(), vec![POP]].concat());
    }
    let telling = [w.push("mov "), vec![POP]].concat();
    let method = w.method(0, &[&ENTER, &telling, &start, &[END]]);
    w.member(class, "start", method);
    let made: Vec<String> = whole(&found(w)).into_iter().map(|f| f.0).collect();
    assert_eq!(made, ["va1", "va2"].map(|r| format!("m44 op, va0, vc0\nmov v0, {r}")));
}
