//! Relocations of data as expressions.

use crate::container::Relocation;
use alloc::{format, string::String};

/// The unit of data that a relocation fills in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    /// Its bytes.
    pub(super) bytes: usize,
    /// Its directive.
    pub(super) directive: &'static str,
}

const BYTE: Unit = Unit { bytes: 1, directive: ".byte" };
const SHORT: Unit = Unit { bytes: 2, directive: ".short" };
const WORD: Unit = Unit { bytes: 4, directive: ".word" };
const DOUBLE: Unit = Unit { bytes: 8, directive: ".dword" };

/// What is written into a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// The unit is the value, or these bits of it.
    Whole,
    /// The unit is this part of the value, by its name.
    Of(&'static str),
    /// The value goes to bits of the unit, by their name; the others are those of the file.
    Into(&'static str),
    /// The value goes to these bits of the unit.
    Bits(u64),
}

/// The unit that a kind of relocation fills in, the part of it, and the function whose result is filled in.
fn written(kind: u32) -> Option<(Unit, Part, &'static str)> {
    use Part::{Bits, Into, Of, Whole};
    const EIGHTHS: [&str; 8] = [
        "8@lo",
        "0xff00@field",
        "0xff0000@field",
        "0xff000000@field",
        "0xff00000000@field",
        "0xff0000000000@field",
        "0xff000000000000@field",
        "8@hi",
    ];
    let eighth = |n: u32| Of(EIGHTHS.get(n as usize & 7).copied().unwrap_or_default());
    Some(match kind {
        1 => (WORD, Whole, ""),
        2 => (DOUBLE, Whole, ""),
        3 => (WORD, Whole, "R_CUDA_G32"),
        4 => (DOUBLE, Whole, "R_CUDA_G64"),
        6 => (WORD, Into("20@lo"), ""),
        7 => (WORD, Bits(0xfff0_0000), ""),
        34 => (WORD, Whole, "R_CUDA_FUNC_DESC_32"),
        35 => (DOUBLE, Whole, "R_CUDA_FUNC_DESC_64"),
        52 => (WORD, Into("20@lo"), "R_CUDA_SURF_HEADER_INDEX"),
        70 => (WORD, Of("32@lo"), ""),
        71 => (WORD, Of("32@hi"), ""),
        72 => (WORD, Whole, "R_CUDA_UNUSED_CLEAR32"),
        73 => (DOUBLE, Whole, "R_CUDA_UNUSED_CLEAR64"),
        76..=83 => (BYTE, eighth(kind - 76), ""),
        84..=91 => (BYTE, eighth(kind - 84), GLOBAL.get(kind as usize - 84)?),
        92..=99 => (BYTE, eighth(kind - 92), "fdesc"),
        101 => (SHORT, Into("12@lo"), ""),
        102 => (DOUBLE, Whole, "unified"),
        103 => (WORD, Whole, "unified"),
        104..=111 => (BYTE, eighth(kind - 104), "unified"),
        _ => return None,
    })
}

/// The functions of bytes of global addresses.
const GLOBAL: [&str; 8] = [
    "R_CUDA_G8_0",
    "R_CUDA_G8_8",
    "R_CUDA_G8_16",
    "R_CUDA_G8_24",
    "R_CUDA_G8_32",
    "R_CUDA_G8_40",
    "R_CUDA_G8_48",
    "R_CUDA_G8_56",
];

/// The number that is added to the symbol of a relocation. `held` is the number that the unit holds.
fn addend(relocation: &Relocation, part: Part, held: u64) -> i64 {
    match (relocation.addend, part) {
        (Some(addend), _) => addend,
        (None, Part::Whole) => held.cast_signed(),
        (None, _) => 0,
    }
}

/// The number that a unit holds, from the bytes of its section from the unit on.
fn number(unit: Unit, held: &[u8]) -> Option<u64> {
    Some(held.get(..unit.bytes)?.iter().rev().fold(0u64, |all, b| all << 8 | u64::from(*b)))
}

/// The distance from its symbol to the address with which a relocation fills in a whole unit of data. `held` is the
/// bytes of the section from the unit on.
pub(super) fn distance(relocation: &Relocation, held: &[u8]) -> Option<i64> {
    match written(relocation.kind)? {
        (unit, Part::Whole, "") => Some(addend(relocation, Part::Whole, number(unit, held)?)),
        _ => None,
    }
}

/// The unit that a relocation fills in and its expression; `None` for a kind that fills in instructions only. `held`
/// is the bytes of the section from the unit on. `label` is the expression of an address of code that has a label.
pub(super) fn expression(
    relocation: &Relocation,
    name: &str,
    held: &[u8],
    label: Option<String>,
) -> Option<(Unit, String)> {
    let (unit, part, function) = written(relocation.kind)?;
    let held = number(unit, held)?;
    let addend = addend(relocation, part, held);
    // nvdisasm prints the 64 bits of a number that is added to an address in data, without a sign.
    let sum = if addend == 0 { name.into() } else { format!("({name} + {addend:#x})") };
    let value = if function.is_empty() { sum } else { format!("fun@{function}({sum})") };
    let text = match part {
        Part::Whole if label.is_some() => label?,
        Part::Whole => value,
        Part::Of(part) => format!("{part}({value})"),
        Part::Into(part) => format!("[{part}({held:#x})={value}]"),
        Part::Bits(mask) => format!("[{mask:#x}@field({held:#x})={value}]"),
    };
    Some((unit, text))
}

/// A name and a number that is added to it in an instruction: there, nvdisasm prints its sign.
pub(super) fn sum(name: &str, addend: i64) -> String {
    match addend {
        0 => name.into(),
        1.. => format!("{name} + {addend:#x}"),
        _ => format!("{name} + -{:#x}", addend.unsigned_abs()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expression for a kind of relocation of `ext` in data that hold zeros.
    fn data(kind: u32, addend: i64) -> String {
        let relocation = Relocation { section: 0, offset: 0, kind, symbol: 0, addend: Some(addend), at: 0 };
        expression(&relocation, "ext", &[0; 8], None).unwrap().1
    }

    /// As nvdisasm 12.8 prints a cubin of ptxas with these kinds and addends; those of bytes are written as their list says.
    #[test]
    fn sums_are_written_as_by_nvdisasm() {
        for (kind, addend, expected) in [
            (1, 0, "ext"),
            (1, 8, "(ext + 0x8)"),
            (1, -8, "(ext + 0xfffffffffffffff8)"),
            (2, -8, "(ext + 0xfffffffffffffff8)"),
            (2, i64::MIN, "(ext + 0x8000000000000000)"),
            (4, 8, "fun@R_CUDA_G64((ext + 0x8))"),
            (4, 0, "fun@R_CUDA_G64(ext)"),
            (70, 8, "32@lo((ext + 0x8))"),
            (7, 8, "[0xfff00000@field(0x0)=(ext + 0x8)]"),
            (76, 8, "8@lo((ext + 0x8))"),
            (77, 8, "0xff00@field((ext + 0x8))"),
            (82, 8, "0xff000000000000@field((ext + 0x8))"),
            (83, 8, "8@hi((ext + 0x8))"),
        ] {
            let got = data(kind, addend);
            assert_eq!(got, expected, "kind {kind}");
        }
        assert_eq!(sum("cs", 0), "cs");
        assert_eq!(sum("cs", 8), "cs + 0x8");
        assert_eq!(sum("cs", -8), "cs + -0x8");
        assert_eq!(sum("cs", i64::MIN), "cs + -0x8000000000000000");
    }
}
