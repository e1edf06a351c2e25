//! Methods: what they receive, how deep they call, and instructions that change their stack and variables.

use super::results::{Given, Given::Number as N, Given::Text as T, byte, call, said, says};
use super::writer::{ADD, END, ENTER, GET, POP, RETURN, SET, THIS, Writer, jump, op};

/// A method of the class with number 0 that returns what `code` leaves on the stack.
fn made(w: &mut Writer, parameters: u32, code: &[u8]) -> u32 {
    let method = w.method(parameters, &[&ENTER, code, &[RETURN]]);
    w.member(0, "made", method);
    method
}

/// A call of that method.
fn called(w: &mut Writer, given: &[Given]) -> Vec<u8> {
    call(w, vec![THIS], "made", given)
}

#[test]
fn missing_arguments_have_their_defaults() {
    let rows: [(&[Given], &str); 4] = [
        (&[T("a")], "a5y"),
        (&[T("a"), N(6)], "a6y"),
        (&[T("a"), N(6), T("b")], "a6b"),
        (&[], "undefined5y"),
    ];
    for (given, expected) in rows {
        says(expected, expected, |w| {
            let (text, five) = (w.string("y"), w.push_number(0x2d, vec![5])[1]);
            let sum = [vec![0xd1], w.push(""), vec![ADD, 0xd2, ADD], GET.to_vec(), vec![ADD]].concat();
            let method = made(w, 3, &sum);
            let stated = w.stated(method);
            (stated.flags, stated.defaults) = (8, vec![(u32::from(five), 0x03), (text, 0x01)]);
            called(w, given)
        });
    }
    for (kind, expected) in
        [(0x0a, "false"), (0x0b, "true"), (0x0c, "null"), (0x00, "undefined"), (0x01, "y")]
    {
        says(&format!("a default of kind {kind:#x}"), expected, |w| {
            let text = w.string("y");
            let method = made(w, 1, &[0xd1]);
            let stated = w.stated(method);
            (stated.flags, stated.defaults) = (8, vec![(text, kind)]);
            called(w, &[])
        });
    }
}

/// An array in the variable after the parameters has the arguments that no parameter has, or all.
#[test]
fn more_arguments_are_an_array() {
    for (flags, expected) in [(4, "b,c"), (1, "a,b,c"), (0, "undefined")] {
        says(expected, expected, |w| {
            let method = made(w, 1, &[0xd2]);
            w.stated(method).flags = flags;
            called(w, &[T("a"), T("b"), T("c")])
        });
    }
    says("no more arguments", "()", |w| {
        let text = [w.push("("), vec![0xd2, ADD], w.push(")"), vec![ADD]].concat();
        let method = made(w, 1, &text);
        w.stated(method).flags = 4;
        called(w, &[])
    });
}

/// Two classes have a method of the same name: the type of a parameter or of a result decides.
#[test]
fn values_that_are_not_known_have_the_types_that_are_declared() {
    let with_classes = |w: &mut Writer| {
        let construct = w.method(0, &[&[END]]);
        for name in ["First", "Second"] {
            let class = w.class(name, "", construct);
            let body = [w.push(name), vec![RETURN]].concat();
            let method = w.method(0, &[&ENTER, &body]);
            w.member(class, "text", method);
        }
    };
    for kind in ["First", "Second"] {
        says(&format!("a parameter: {kind}"), kind, |w| {
            with_classes(w);
            let text = [vec![0xd1], w.call("text", 0)].concat();
            let method = made(w, 1, &text);
            w.stated(method).parameters = vec![w.name(kind)];
            called(w, &[Given::Unknown])
        });
        says(&format!("a result: {kind}"), kind, |w| {
            with_classes(w);
            let method = made(w, 1, &[0xd1]);
            w.stated(method).result = w.name(kind);
            [called(w, &[Given::Unknown]), w.call("text", 0)].concat()
        });
    }
}

/// The result of a call that is deeper than 40, or of a method with more than 4,096 variables, is not known.
#[test]
fn calls_have_limits() {
    // `n ? made(n - 1) : "x"`
    let recursive = |w: &mut Writer| {
        let deeper = [vec![THIS, 0xd1, 0x93], w.call("made", 1), vec![RETURN]].concat();
        let code = [vec![0xd1], jump(0x12, deeper.len() as i32), deeper, w.push("x")].concat();
        made(w, 1, &code);
    };
    for (depth, expected) in [(0, Some("x")), (38, Some("x")), (39, None)] {
        let text = said(|w| {
            recursive(w);
            called(w, &[N(depth)])
        });
        assert_eq!(text.as_deref(), expected, "{depth}");
    }
    says("one call after the other", "x", |w| {
        recursive(w);
        let one = [called(w, &[N(20)]), vec![POP]].concat();
        [one.repeat(21), called(w, &[N(20)])].concat()
    });
    for (locals, expected) in [(1, Some("x")), (12, Some("x")), (4096, Some("x")), (4097, None)] {
        let text = said(|w| {
            let text = w.push("x");
            let method = made(w, 0, &text);
            w.stated(method).locals = locals;
            called(w, &[])
        });
        assert_eq!(text.as_deref(), expected, "{locals}");
    }
}

/// Each instruction leaves 5 or what the row states at the top of the stack.
#[test]
fn instructions_change_the_stack_and_variables() {
    type Build = fn(&mut Writer) -> Vec<u8>;
    let rows: [(&str, Build, &str); 11] = [
        ("kill", |w| [w.push("x"), SET.to_vec(), op(0x08, &[3]), GET.to_vec()].concat(), "undefined"),
        ("dxnslate", |_| [byte(5), byte(6), vec![0x07]].concat(), "5"),
        ("dup", |_| [byte(5), vec![0x2a, ADD]].concat(), "10"),
        ("pushint", |w| w.push_number(0x2d, vec![0xfb, 0xff, 0xff, 0xff, 0x0f]), "-5"),
        ("pushuint", |w| w.push_number(0x2e, vec![0xfb, 0xff, 0xff, 0xff, 0x0f]), "4294967291"),
        ("pushdouble", |w| w.push_number(0x2f, 1.5f64.to_le_bytes().to_vec()), "1.5"),
        ("pushnamespace", |_| [byte(5), op(0x31, &[1]), vec![POP]].concat(), "5"),
        ("li8 to lf64", |_| [byte(5), byte(0), vec![0x35, 0x36, 0x37, 0x38, 0x39, POP]].concat(), "5"),
        (
            "si8 to sf64",
            |_| [byte(5), [byte(0), byte(0)].concat().repeat(5), (0x3a..=0x3e).collect()].concat(),
            "5",
        ),
        ("pushscope, popscope", |_| [byte(5), vec![THIS, 0x30, 0x1d]].concat(), "5"),
        (
            "getglobalscope",
            |w| [vec![0x64], w.push("x"), w.set("text"), vec![0x64], w.get("text")].concat(),
            "x",
        ),
    ];
    for (name, build, expected) in rows {
        says(name, expected, build);
    }
    // Memory that byte code reads is not known; throw and opcodes that do not exist end the method.
    for code in [vec![0x35], vec![POP, 0x20, 0x03], vec![0x00], vec![0xff]] {
        assert_eq!(said(|_| [byte(5), code.clone()].concat()), None, "{code:x?}");
    }
}
