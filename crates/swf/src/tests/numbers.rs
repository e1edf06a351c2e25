//! Arithmetic, conversions and comparisons of ActionScript: each decides a register of a program that is built.

use super::forms::calculated;
use super::writer::{Writer, jump, op};

/// `pushbyte`.
fn byte(number: u8) -> Vec<u8> {
    vec![0x24, number]
}

/// Code that leaves 3 on the stack where a conditional jump is taken, else 4.
fn branched(operands: &[Vec<u8>], code: u8) -> Vec<u8> {
    [operands.concat(), jump(code, 6), byte(4), jump(0x10, 2), byte(3)].concat()
}

#[test]
fn arithmetic_has_the_results_of_its_opcodes() {
    for (code, a, b, result) in [
        (0xa0, 3, 4, 7),
        (0xa1, 6, 2, 4),
        (0xa2, 2, 3, 6),
        (0xa3, 6, 3, 2),
        (0xa4, 7, 4, 3),
        (0xa5, 1, 2, 4),
        (0xa6, 13, 1, 6),
        (0xa7, 0xff, 29, 7),
        (0xa8, 6, 3, 2),
        (0xa9, 6, 3, 7),
        (0xaa, 6, 3, 5),
        (0xc5, 3, 4, 7),
        (0xc6, 6, 2, 4),
        (0xc7, 2, 3, 6),
    ] {
        calculated(&format!("{code:#x}"), result, |_| [byte(a), byte(b), vec![code]].concat());
    }
    // A shift of a negative number keeps its sign.
    calculated("-8 >> 1, negated", 4, |_| [byte(0xf8), byte(1), vec![0xa6, 0x90]].concat());
}

#[test]
fn one_operand_is_negated_counted_and_converted() {
    for (code, a, result) in [
        (0x90, 0xfd, 3),
        (0x91, 2, 3),
        (0x93, 4, 3),
        (0x97, 0xfc, 3),
        (0xc4, 0xfd, 3),
        (0xc0, 2, 3),
        (0xc1, 4, 3),
    ] {
        calculated(&format!("{code:#x}"), result, |_| [byte(a), vec![code]].concat());
    }
    let half = |code: u8| move |_: &mut Writer| [byte(7), byte(2), vec![0xa3, code]].concat();
    calculated("convert_i", 3, half(0x73));
    calculated("convert_u", 3, half(0x74));
    calculated("coerce_i", 3, half(0x83));
    calculated("convert_d of a string", 5, |w| [w.push("4"), vec![0x75], byte(1), vec![0xa0]].concat());
    calculated("pushshort", 5, |_| op(0x25, &[5]));
    // The highest of 1, 8 and 16 bits is a sign.
    let extended = |number: Vec<u8>, code: u8| [number, vec![code], byte(3), vec![0xa0]].concat();
    calculated("sxi1 of 1", 2, |_| extended(byte(1), 0x50));
    calculated("sxi1 of 2", 3, |_| extended(byte(2), 0x50));
    calculated("sxi8 of 255", 2, |_| extended(op(0x25, &[255]), 0x51));
    let wide = [op(0x25, &[0x7fff]), byte(2), vec![0xa2]].concat();
    calculated("sxi16 of 65534", 1, |_| extended(wide, 0x52));
    for (code, result) in [(0x92, 4), (0x94, 2), (0xc2, 4), (0xc3, 2)] {
        let counted = [byte(3), op(0x63, &[3]), op(code, &[3]), op(0x62, &[3])].concat();
        calculated(&format!("a counted variable, {code:#x}"), result, |_| counted);
    }
    calculated("swap", 3, |_| [byte(2), byte(5), vec![0x2b, 0xa1]].concat());
}

#[test]
fn comparisons_jump_by_their_opcodes() {
    // For 1 and 2, 2 and 2, and 2 and 1: whether the jump is taken.
    for (code, taken) in [
        (0x0c, [false, true, true]),
        (0x0d, [false, false, true]),
        (0x0e, [true, true, false]),
        (0x0f, [true, false, false]),
        (0x13, [false, true, false]),
        (0x14, [true, false, true]),
        (0x15, [true, false, false]),
        (0x16, [true, true, false]),
        (0x17, [false, false, true]),
        (0x18, [false, true, true]),
        (0x19, [false, true, false]),
        (0x1a, [true, false, true]),
    ] {
        for ((a, b), taken) in [(1, 2), (2, 2), (2, 1)].into_iter().zip(taken) {
            let code_of = |_: &mut Writer| branched(&[byte(a), byte(b)], code);
            calculated(&format!("{code:#x} of {a}, {b}"), if taken { 3 } else { 4 }, code_of);
        }
    }
    for (push, truth) in [(0x26, true), (0x27, false), (0x28, false)] {
        for (code, taken) in [(0x11, truth), (0x12, !truth)] {
            let result = if taken { 3 } else { 4 };
            calculated(&format!("{code:#x} of {push:#x}"), result, |_| branched(&[vec![push]], code));
        }
    }
}

#[test]
fn types_are_named_and_words_of_text_compared() {
    for (value, name) in [
        (vec![0x24, 1], "number"),
        (vec![0x26], "boolean"),
        (vec![0x20], "object"),
        (vec![0x21], "undefined"),
    ] {
        let named = |w: &mut Writer| branched(&[value.clone(), vec![0x95], w.push(name)], 0x13);
        calculated(name, 3, named);
    }
    calculated("typeof a string", 3, |w| branched(&[w.push("x"), vec![0x95], w.push("string")], 0x13));
    calculated("a < b", 3, |w| branched(&[w.push("a"), w.push("b")], 0x15));
    calculated("b < a", 4, |w| branched(&[w.push("b"), w.push("a")], 0x15));
}

#[test]
fn a_switch_jumps_to_its_case() {
    // Cases 0 and 1 and the default, each of which leaves another number; distances count from the switch.
    let switch = |index: Vec<u8>| {
        let distance = |d: i32| d.to_le_bytes()[..3].to_vec();
        let head = [vec![0x1b], distance(11 + 12), vec![1], distance(11), distance(11 + 6)].concat();
        let cases = [byte(5), jump(0x10, 8), byte(6), jump(0x10, 2), byte(7)].concat();
        [index, head, cases].concat()
    };
    let half = [byte(1), byte(2), vec![0xa3]].concat();
    for (index, result) in [
        (byte(0), 5),
        (byte(1), 6),
        (byte(2), 7),
        (byte(9), 7),
        (byte(0xff), 7),
        (half, 7),
        (vec![0x20], 5),
        (vec![0x21], 7),
        (vec![0x26], 6),
        (vec![0x28], 7),
    ] {
        calculated(&format!("case {index:x?}"), result, |_| switch(index));
    }
    for (index, result) in [("1", 6), ("x", 7)] {
        calculated(&format!("case {index:?}"), result, |w| switch(w.push(index)));
    }
}
