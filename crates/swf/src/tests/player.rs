//! What the player supplies, and the objects of ActionScript: each value that is computed decides a register of a program
//! that is built.

use super::forms::calculated;
use super::writer::{ENTER, GET, POP, RETURN, SET, THIS, Writer, jump, op};

/// `pushshort`.
fn short(number: u32) -> Vec<u8> {
    op(0x25, &[number])
}

/// Code that leaves 3 on the stack where two values are strictly equal, else 4.
fn equal(a: Vec<u8>, b: Vec<u8>) -> Vec<u8> {
    [a, b, jump(0x19, 6), vec![0x24, 4], jump(0x10, 2), vec![0x24, 3]].concat()
}

/// Checks that `build` leaves `text` on the stack.
fn gives(form: &str, text: &str, build: impl FnOnce(&mut Writer) -> Vec<u8>) {
    calculated(form, 3, |w| {
        let value = build(w);
        let expected = w.push(text);
        equal(value, expected)
    });
}

/// Checks that `build` leaves a number on the stack.
fn counts(form: &str, number: u32, build: impl FnOnce(&mut Writer) -> Vec<u8>) {
    calculated(form, 3, |w| equal(build(w), short(number)));
}

/// `callproperty` with arguments.
fn call(w: &mut Writer, object: Vec<u8>, method: &str, arguments: &[Vec<u8>]) -> Vec<u8> {
    [object, arguments.concat(), w.call(method, arguments.len() as u32)].concat()
}

/// `findpropstrict` and `constructprop`.
fn new(w: &mut Writer, class: &str, arguments: &[Vec<u8>]) -> Vec<u8> {
    let name = w.name(class);
    [op(0x5d, &[name]), arguments.concat(), op(0x4a, &[name, arguments.len() as u32])].concat()
}

/// `findpropstrict` and `callproperty`: a conversion.
fn converted(w: &mut Writer, class: &str, argument: Vec<u8>) -> Vec<u8> {
    let name = w.name(class);
    [op(0x5d, &[name]), argument, op(0x46, &[name, 1])].concat()
}

/// An array of strings of one letter each.
fn letters(w: &mut Writer, letters: &str) -> Vec<u8> {
    let mut code = Vec::new();
    for letter in letters.chars() {
        code.extend(w.push(&letter.to_string()));
    }
    [code, op(0x56, &[letters.len() as u32])].concat()
}

/// The elements of an array, with nothing between them.
fn joined(w: &mut Writer, array: Vec<u8>) -> Vec<u8> {
    let nothing = w.push("");
    call(w, array, "join", &[nothing])
}

#[test]
fn strings_are_cut_and_converted_as_in_the_player() {
    type Arguments = &'static [i8];
    let cut: [(&str, Arguments, &str); 17] = [
        ("substr", &[1, 3], "bcd"),
        ("substr", &[-3], "def"),
        ("substr", &[-3, 2], "de"),
        ("substr", &[2], "cdef"),
        ("substring", &[4, 1], "bcd"),
        ("substring", &[2], "cdef"),
        ("substring", &[-2, 2], "ab"),
        ("slice", &[-4, -1], "cde"),
        ("slice", &[1, -1], "bcde"),
        ("slice", &[4, 2], ""),
        ("charAt", &[2], "c"),
        ("charAt", &[0], "a"),
        ("charAt", &[9], ""),
        ("toUpperCase", &[], "ABCDEF"),
        ("toLocaleUpperCase", &[], "ABCDEF"),
        ("toString", &[], "abcdef"),
        ("valueOf", &[], "abcdef"),
    ];
    for (method, arguments, want) in cut {
        gives(&format!("{method}{arguments:?}"), want, |w| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|n| vec![0x24, *n as u8]).collect();
            let text = w.push("abcdef");
            call(w, text, method, &arguments)
        });
    }
    gives("toLowerCase", "ab", |w| {
        let text = w.push("AB");
        call(w, text, "toLowerCase", &[])
    });
    gives("concat", "abc1", |w| {
        let (text, more) = (w.push("a"), w.push("bc"));
        call(w, text, "concat", &[more, short(1)])
    });
    for (method, part, at) in [("indexOf", "b", 1), ("lastIndexOf", "b", 4), ("charCodeAt", "", 98)] {
        counts(method, at, |w| {
            let (text, part) = (w.push("abcabc"), if part.is_empty() { short(1) } else { w.push(part) });
            call(w, text, method, &[part])
        });
    }
    counts("indexOf what is missing, negated", 1, |w| {
        let (text, part) = (w.push("abc"), w.push("x"));
        [call(w, text, "indexOf", &[part]), vec![0x90]].concat()
    });
    for (between, pieces) in [("", 5), ("-", 3), ("x", 1)] {
        counts("split", pieces, |w| {
            let (text, between) = (w.push("a-b-c"), w.push(between));
            [call(w, text, "split", &[between]), w.get("length")].concat()
        });
    }
    counts("length", 3, |w| [w.push("aéb"), w.get("length")].concat());
    gives("fromCharCode", "ab", |w| {
        let class = w.lex("String");
        call(w, class, "fromCharCode", &[short(97), short(98)])
    });
    gives("toString of a number", "5", |w| call(w, short(5), "toString", &[]));
}

#[test]
fn a_pattern_without_operators_replaces_what_it_says() {
    gives("a string", "a+b-c", |w| {
        let (text, from, to) = (w.push("a-b-c"), w.push("-"), w.push("+"));
        call(w, text, "replace", &[from, to])
    });
    let all: [(&str, &str, &str); 5] = [
        ("-", "", "a+b-c.d"),
        ("-", "g", "a+b+c.d"),
        ("\\.", "g", "a-b-c+d"),
        ("x", "g", "a-b-c.d"),
        ("b-c", "g", "a-+.d"),
    ];
    for (pattern, flags, want) in all {
        gives(&format!("/{pattern}/{flags}"), want, |w| {
            let arguments = [w.push(pattern), w.push(flags)];
            let pattern = new(w, "RegExp", &arguments);
            let (text, to) = (w.push("a-b-c.d"), w.push("+"));
            call(w, text, "replace", &[pattern, to])
        });
    }
}

#[test]
fn classes_of_the_player_convert_and_construct() {
    gives("String(5)", "5", |w| converted(w, "String", short(5)));
    gives("new String", "x", |w| {
        let text = w.push("x");
        new(w, "String", &[text])
    });
    for (class, want) in [("int", 4), ("uint", 4), ("Number", 4), ("parseInt", 4), ("parseFloat", 4)] {
        counts(class, want, |w| {
            let text = w.push("4");
            converted(w, class, text)
        });
    }
    counts("new Array(3)", 3, |w| [new(w, "Array", &[short(3)]), w.get("length")].concat());
    gives("new Array of elements", "ab", |w| {
        let elements = [w.push("a"), w.push("b")];
        let array = new(w, "Array", &elements);
        joined(w, array)
    });
    counts("new Vector(4, true)", 4, |w| {
        [new(w, "Vector", &[short(4), vec![0x26]]), w.get("length")].concat()
    });
    counts("new Vector", 0, |w| [new(w, "Vector", &[]), w.get("length")].concat());
    counts("the class without its parameters", 2, |w| {
        let parameter = w.lex("String");
        let class = [w.lex("Vector"), parameter, op(0x53, &[1])].concat();
        [class, short(2), op(0x42, &[1]), w.get("length")].concat()
    });
}

#[test]
fn arrays_change_as_in_the_player() {
    /// The array after a call, and what the call yields.
    fn after(w: &mut Writer, method: &str, arguments: &[Vec<u8>]) -> Vec<u8> {
        let array = [letters(w, "abc"), SET.to_vec()].concat();
        let called = [call(w, GET.to_vec(), method, arguments), vec![POP]].concat();
        [array, called, joined(w, GET.to_vec())].concat()
    }
    type Row = (&'static str, &'static [u8], &'static str);
    let changed: [Row; 9] = [
        ("push", b"xy", "abcxy"),
        ("unshift", b"xy", "xyabc"),
        ("pop", b"", "ab"),
        ("shift", b"", "bc"),
        ("reverse", b"", "cba"),
        ("splice", &[1, 1], "ac"),
        ("splice", &[0xfe, 1], "ac"),
        ("splice", &[1], "a"),
        ("splice", &[1, 1, b'x', b'y'], "axyc"),
    ];
    // Letters are strings, lower numbers are numbers.
    let argument = |w: &mut Writer, n: u8| match n {
        b'a'..=b'z' => w.push(&char::from(n).to_string()),
        _ => vec![0x24, n],
    };
    for (method, arguments, want) in changed {
        gives(&format!("after {method}{arguments:?}"), want, |w| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|n| argument(w, *n)).collect();
            after(w, method, &arguments)
        });
    }
    for (method, arguments, want) in [
        ("pop", &[][..], "c"),
        ("shift", &[], "a"),
        ("join", b"x", "axbxc"),
        ("join", &[], "a,b,c"),
        ("toString", &[], "a,b,c"),
    ] {
        gives(&format!("what {method}{arguments:?} gives"), want, |w| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|n| argument(w, *n)).collect();
            let array = letters(w, "abc");
            call(w, array, method, &arguments)
        });
    }
    for (method, arguments, want) in [
        ("reverse", &[][..], "cba"),
        ("splice", &[1, 2], "bc"),
        ("slice", &[1], "bc"),
        ("slice", &[0, 2], "ab"),
        ("slice", &[0xfe, 0xff], "b"),
        ("slice", &[2, 1], ""),
        ("concat", b"x", "abcx"),
    ] {
        gives(&format!("the elements of {method}{arguments:?}"), want, |w| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|n| argument(w, *n)).collect();
            let array = letters(w, "abc");
            let made = call(w, array, method, &arguments);
            joined(w, made)
        });
    }
    for (method, arguments, want) in [("push", b"x", 4), ("unshift", b"x", 4), ("indexOf", b"c", 2)] {
        counts(method, want, |w| {
            let arguments: Vec<Vec<u8>> = arguments.iter().map(|n| argument(w, *n)).collect();
            let array = letters(w, "abc");
            call(w, array, method, &arguments)
        });
    }
    counts("indexOf what is missing, negated", 1, |w| {
        let (array, missing) = (letters(w, "abc"), w.push("x"));
        [call(w, array, "indexOf", &[missing]), vec![0x90]].concat()
    });
    gives("concat of arrays", "abcd", |w| {
        let (array, more) = (letters(w, "ab"), letters(w, "cd"));
        let whole = call(w, array, "concat", &[more]);
        joined(w, whole)
    });
    gives("map", "a!b!", |w| {
        let mark = w.push("!");
        let method = w.method(3, &[&ENTER, &op(0x62, &[1]), &mark, &[0xa0, RETURN]]);
        let array = letters(w, "ab");
        let mapped = call(w, array, "map", &[op(0x40, &[method])]);
        joined(w, mapped)
    });
}

#[test]
fn elements_are_set_by_their_index() {
    for (index, length) in [(0, 2), (1, 2), (2, 3), (5, 6)] {
        counts(&format!("the length with element {index}"), length, |w| {
            let late = w.late();
            let (array, value) = (letters(w, "ab"), w.push("x"));
            let set = [GET.to_vec(), short(index), value, op(0x61, &[late])].concat();
            [array, SET.to_vec(), set, GET.to_vec(), w.get("length")].concat()
        });
        gives(&format!("element {index}"), "x", |w| {
            let late = w.late();
            let (array, value) = (letters(w, "ab"), w.push("x"));
            let set = [GET.to_vec(), short(index), value, op(0x61, &[late])].concat();
            [array, SET.to_vec(), set, GET.to_vec(), short(index), op(0x66, &[late])].concat()
        });
    }
    gives("a shorter length", "a", |w| {
        let array = letters(w, "abc");
        let set = [GET.to_vec(), short(1), w.set("length")].concat();
        [array, SET.to_vec(), set, joined(w, GET.to_vec())].concat()
    });
}

/// A byte array to which `write` was done, in variable 3.
fn bytes(w: &mut Writer, write: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut code = [new(w, "ByteArray", &[]), SET.to_vec()].concat();
    for (method, argument) in write {
        code.extend([call(w, GET.to_vec(), method, std::slice::from_ref(argument)), vec![POP]].concat());
    }
    code
}

#[test]
fn byte_arrays_are_written_and_read() {
    gives("bytes", "AB", |w| {
        let written = bytes(w, &[("writeByte", short(0x41)), ("writeByte", short(0x42))]);
        [written, call(w, GET.to_vec(), "toString", &[])].concat()
    });
    gives("in the order of networks", "AB", |w| {
        let written = bytes(w, &[("writeShort", short(0x4142))]);
        [written, call(w, GET.to_vec(), "toString", &[])].concat()
    });
    gives("in the order of Intel", "BA", |w| {
        let made = [new(w, "ByteArray", &[]), SET.to_vec()].concat();
        let order = [GET.to_vec(), w.push("littleEndian"), w.set("endian")].concat();
        let written = [call(w, GET.to_vec(), "writeShort", &[short(0x4142)]), vec![POP]].concat();
        [made, order, written, call(w, GET.to_vec(), "toString", &[])].concat()
    });
    for method in ["writeInt", "writeUnsignedInt"] {
        counts(method, 4, |w| [bytes(w, &[(method, short(1))]), GET.to_vec(), w.get("length")].concat());
    }
    gives("text in two parts", "cdab", |w| {
        let text = w.push("abcd");
        let written = bytes(w, &[("writeUTFBytes", text)]);
        let back = [GET.to_vec(), short(0), w.set("position")].concat();
        let first = [call(w, GET.to_vec(), "readUTFBytes", &[short(2)]), op(0x63, &[4])].concat();
        let second = call(w, GET.to_vec(), "readUTFBytes", &[short(9)]);
        [written, back, first, second, op(0x62, &[4]), vec![0xa0]].concat()
    });
    counts("a byte after a byte", 0x42, |w| {
        let text = w.push("AB");
        let written = bytes(w, &[("writeUTFBytes", text)]);
        let back = [GET.to_vec(), short(0), w.set("position")].concat();
        let first = [call(w, GET.to_vec(), "readByte", &[]), vec![POP]].concat();
        [written, back, first, call(w, GET.to_vec(), "readUnsignedByte", &[])].concat()
    });
    counts("what is left", 1, |w| {
        let text = w.push("abc");
        let written = bytes(w, &[("writeUTFBytes", text)]);
        let back = [GET.to_vec(), short(2), w.set("position")].concat();
        [written, back, GET.to_vec(), w.get("bytesAvailable")].concat()
    });
    for (start, count, want) in [(0, 0, "abcd"), (1, 2, "bc"), (2, 0, "cd"), (1, 9, "bcd")] {
        gives(&format!("bytes from {start}, {count}"), want, |w| {
            let text = w.push("abcd");
            let from = [bytes(w, &[("writeUTFBytes", text)]), GET.to_vec(), op(0x63, &[4])].concat();
            let made = [new(w, "ByteArray", &[]), SET.to_vec()].concat();
            let arguments = [op(0x62, &[4]), short(start), short(count)];
            let written = [call(w, GET.to_vec(), "writeBytes", &arguments), vec![POP]].concat();
            [from, made, written, call(w, GET.to_vec(), "toString", &[])].concat()
        });
    }
    gives("after clear", "", |w| {
        let text = w.push("abcd");
        let written = bytes(w, &[("writeUTFBytes", text)]);
        let cleared = [call(w, GET.to_vec(), "clear", &[]), vec![POP]].concat();
        [written, cleared, call(w, GET.to_vec(), "toString", &[])].concat()
    });
    gives("a byte by its index", "aXc", |w| {
        let (text, late) = (w.push("abc"), w.late());
        let written = bytes(w, &[("writeUTFBytes", text)]);
        let set = [GET.to_vec(), short(1), short(0x58), op(0x61, &[late])].concat();
        [written, set, call(w, GET.to_vec(), "toString", &[])].concat()
    });
}

#[test]
fn objects_functions_and_scopes_are_followed() {
    gives("a property of a literal", "v", |w| {
        let pairs = [w.push("b"), w.push("x"), w.push("a"), w.push("v")].concat();
        [pairs, op(0x55, &[2]), w.get("a")].concat()
    });
    gives("a function", "ab", |w| {
        let (a, b) = (w.push("a"), w.push("b"));
        let method = w.method(2, &[&ENTER, &op(0x62, &[1]), &op(0x62, &[2]), &[0xa0, RETURN]]);
        [op(0x40, &[method]), vec![0x20], a, b, op(0x41, &[2])].concat()
    });
    gives("a function by its number", "a", |w| {
        let a = w.push("a");
        let method = w.method(1, &[&ENTER, &op(0x62, &[1]), &[RETURN]]);
        [vec![THIS], a, op(0x44, &[method, 1])].concat()
    });
    gives("an object of a class", "t", |w| {
        let body = [vec![THIS], op(0x62, &[1]), w.set("text"), vec![0x47]].concat();
        let construct = w.method(1, &[&ENTER, &body]);
        w.class("Held", "", construct);
        [w.lex("Held"), w.push("t"), op(0x42, &[1]), w.get("text")].concat()
    });
    gives("an object of a scope", "t", |w| {
        let set = [vec![THIS], w.push("t"), w.set("text")].concat();
        [set, vec![0x65, 0], w.get("text")].concat()
    });
    // A name alone is that of a member of the object, or of its class.
    for fixed in [false, true] {
        gives("a method by its name alone", "t", |w| {
            let construct = w.method(0, &[&[0x47]]);
            let class = w.class("Held", "", construct);
            let text = w.push("t");
            let helper = w.method(0, &[&ENTER, &text, &[RETURN]]);
            let name = w.name("helper");
            let calls = w.method(0, &[&ENTER, &op(0x5d, &[name]), &op(0x46, &[name, 0]), &[RETURN]]);
            if fixed {
                w.static_method(class, "helper", helper);
                w.static_method(class, "text", calls);
            } else {
                w.member(class, "helper", helper);
                w.member(class, "text", calls);
            }
            let object = if fixed { w.lex("Held") } else { w.make("Held") };
            call(w, object, "text", &[])
        });
    }
    for (slot, want) in [(1, "first"), (2, "second")] {
        gives(&format!("slot {slot}"), want, |w| {
            let construct = w.method(0, &[&[0x47]]);
            let class = w.class("Texts", "", construct);
            w.constant(class, "A", "first");
            w.constant(class, "B", "second");
            [w.lex("Texts"), op(0x6c, &[slot])].concat()
        });
    }
    for (name, found) in [("a", 3), ("b", 4)] {
        calculated(&format!("\"{name}\" in an object"), found, |w| {
            let name = w.push(name);
            let object = [w.push("a"), short(1), op(0x55, &[1])].concat();
            equal([name, object, vec![0xb4]].concat(), vec![0x26])
        });
    }
    calculated("an object equals itself", 3, |w| {
        let object = [letters(w, "a"), SET.to_vec()].concat();
        [object, equal(GET.to_vec(), GET.to_vec())].concat()
    });
    calculated("an object equals no other", 4, |w| {
        let (a, b) = (letters(w, "a"), letters(w, "a"));
        equal(a, b)
    });
    for (code, want) in [(0xad, [4, 4, 3]), (0xae, [4, 3, 3]), (0xaf, [3, 4, 4]), (0xb0, [3, 3, 4])] {
        for ((a, b), want) in [(2, 1), (2, 2), (1, 2)].into_iter().zip(want) {
            calculated(&format!("{code:#x} of {a}, {b}"), want, |_| {
                equal([short(a), short(b), vec![code]].concat(), vec![0x26])
            });
        }
    }
    for (value, want) in [(vec![0x26], 4), (vec![0x27], 3)] {
        calculated("not", want, |_| equal([value, vec![0x96]].concat(), vec![0x26]));
    }
}
