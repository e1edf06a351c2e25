//! Relocations of data as expressions.

use crate::container::{Kind, Relocation, Written};
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

impl Unit {
    /// The smallest unit that has the field of a kind; `None` if none has.
    fn of(kind: &Kind) -> Option<Unit> {
        let end = usize::from(kind.bit + kind.width).div_ceil(8);
        let all = [BYTE, SHORT, WORD, DOUBLE];
        all.into_iter().find(|unit| kind.width > 0 && end <= unit.bytes)
    }

    /// Whether the field of a kind is the whole unit.
    fn is_whole(self, kind: &Kind) -> bool {
        usize::from(kind.width) == 8 * self.bytes
    }

    /// The number that a unit holds, from the bytes of its section from the unit on.
    fn held(self, data: &[u8]) -> Option<u64> {
        Some(data.get(..self.bytes)?.iter().rev().fold(0u64, |all, b| all << 8 | u64::from(*b)))
    }
}

/// Bits of a number of 64 bits, as nvdisasm names them: `32@lo`, `8@hi`, `0xff00@field`.
fn bits(first: u8, width: u8, name: &str) -> String {
    match (first, first + width) {
        (0, _) => format!("{width}@lo"),
        (_, 64) => format!("{width}@hi"),
        _ => format!("{:#x}@{name}", ((1u128 << width) - 1) << first),
    }
}

/// The bits of a number of an instruction that a kind fills in, as nvdisasm names them.
pub(super) fn some_bits(mask: u64, kind: &Kind) -> String {
    match mask.trailing_ones() {
        low if mask >> low == 0 => format!("{low}@lo"),
        _ => format!("{mask:#x}@{}", field(kind)),
    }
}

/// The word for a field of a kind.
fn field(kind: &Kind) -> &'static str {
    if kind.is_signed { "sfield" } else { "field" }
}

/// The bits of the value that a kind fills in, if it is for these bits and not for the value.
pub(super) fn part(kind: &Kind) -> Option<String> {
    match kind.written {
        Written::Value(shift) if kind.is_part => Some(bits(shift, kind.width, "field")),
        _ => None,
    }
}

/// The number that is added to the symbol of a relocation. `held` is the bytes of the section from the field on.
/// nvdisasm prints the number that a field holds unless it is one of a function or of a bank of constants.
pub(super) fn addend(relocation: &Relocation, held: &[u8]) -> Option<i128> {
    let known = relocation.known()?;
    let is_constant =
        matches!(known.written, Written::Constant | Written::ConstantBytes | Written::SomeConstant);
    match relocation.addend {
        Some(addend) => Some(addend.into()),
        None if is_constant || known.function.is_some() => Some(0),
        None => known.held(held).map(i128::from),
    }
}

/// The distance from its symbol to the address with which a relocation fills in a whole unit of data. `held` is the
/// bytes of the section from the unit on.
pub(super) fn distance(relocation: &Relocation, held: &[u8]) -> Option<i64> {
    let kind = relocation.known()?;
    let is_address = kind.written == Written::Value(0) && kind.function.is_none() && !kind.is_part;
    let is_whole = Unit::of(kind).is_some_and(|unit| unit.is_whole(kind));
    // Numbers of 64 bits wrap around.
    if is_address && is_whole { addend(relocation, held).map(|addend| addend as i64) } else { None }
}

/// The unit that a relocation fills in and its expression; `None` for a kind that fills in no data. `held`
/// is the bytes of the section from the unit on. `label` is the expression of an address of code that has a label.
pub(super) fn expression(
    relocation: &Relocation,
    name: &str,
    held: &[u8],
    label: Option<String>,
) -> Option<(Unit, String)> {
    let kind = relocation.known()?;
    let unit = Unit::of(kind)?;
    // nvdisasm prints the 64 bits of a number that is added to an address in data, without a sign.
    let sum = match addend(relocation, held)? as u64 {
        0 => name.into(),
        addend => format!("({name} + {addend:#x})"),
    };
    let value = match kind.function {
        Some(function) => format!("fun@{function}({sum})"),
        None => sum,
    };
    let text = match part(kind) {
        Some(part) if unit.is_whole(kind) => format!("{part}({value})"),
        None if unit.is_whole(kind) => label.unwrap_or(value),
        _ => {
            let field = bits(kind.bit, kind.width, field(kind));
            format!("[{field}({:#x})={value}]", unit.held(held)?)
        }
    };
    Some((unit, text))
}

/// A name and a number that is added to it in an instruction: there, nvdisasm prints its sign.
pub(super) fn sum(name: &str, addend: i128) -> String {
    match addend {
        0 => name.into(),
        _ => format!("({name} + {})", signed(addend)),
    }
}

/// A number in hexadecimal with its sign.
pub(super) fn signed(number: impl Into<i128>) -> String {
    let number = number.into();
    let sign = if number < 0 { "-" } else { "" };
    format!("{sign}{:#x}", number.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expression for a kind of relocation of `ext` in data that hold zeros.
    fn data(kind: u32, addend: i64) -> String {
        let relocation = Relocation { section: 0, offset: 0, kind, symbol: 0, addend: Some(addend), at: 0 };
        expression(&relocation, "ext", &[0; 8], None).unwrap().1
    }

    /// As nvdisasm 12.8 prints a cubin of ptxas in which the entry has no number and another kind.
    #[test]
    fn fields_hold_the_numbers_that_are_added() {
        let held = 0x1122_3344_5566_7788u64.to_le_bytes();
        for (kind, directive, expected) in [
            (1, ".word", "(ext + 0x55667788)"),
            (3, ".word", "fun@R_CUDA_G32(ext)"),
            (5, ".dword", "[0x3fffffffc000000@field(0x1122334455667788)=(ext + 0x488cd115)]"),
            (6, ".word", "[20@lo(0x55667788)=(ext + 0x67788)]"),
            (7, ".word", "[0xfff00000@field(0x55667788)=(ext + 0x556)]"),
            (19, ".dword", "[0xff00000000@field(0x1122334455667788)=(ext + 0x44)]"),
            (21, ".word", "[0xfc000000@field(0x55667788)=(ext + 0x15)]"),
            (31, ".dword", "[0x7fffffff800000@field(0x1122334455667788)=fun@fdesc(ext)]"),
            (40, ".dword", "[0x3fffffc000000@sfield(0x1122334455667788)=(ext + 0x8cd115)]"),
            (50, ".dword", "[0x7ffff00000@field(0x1122334455667788)=ext]"),
            (51, ".dword", "[0x1fff000000000@field(0x1122334455667788)=(ext + 0xcd0)]"),
            (57, ".dword", "[32@hi(0x1122334455667788)=(ext + 0x1122334400000000)]"),
            (71, ".word", "32@hi((ext + 0x5566778800000000))"),
            (74, ".dword", "[24@hi(0x1122334455667788)=(ext + 0x112233)]"),
            (77, ".byte", "0xff00@field((ext + 0x8800))"),
            (101, ".short", "[12@lo(0x7788)=(ext + 0x788)]"),
            (112, ".dword", "[32@hi(0x1122334455667788)=fun@unified(ext)]"),
        ] {
            let relocation = Relocation { section: 0, offset: 0, kind, symbol: 0, addend: None, at: 0 };
            let (unit, text) = expression(&relocation, "ext", &held, None).unwrap();
            assert_eq!((unit.directive, text.as_str()), (directive, expected), "kind {kind}");
        }
        // No data, or more than 64 bits.
        for kind in [0, 8, 53, 58, 67, 68, 75, 114, 116] {
            let relocation = Relocation { section: 0, offset: 0, kind, symbol: 0, addend: None, at: 0 };
            assert_eq!(expression(&relocation, "ext", &held, None), None, "kind {kind}");
        }
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
        assert_eq!(sum("cs", 8), "(cs + 0x8)");
        assert_eq!(sum("cs", -8), "(cs + -0x8)");
        assert_eq!(sum("cs", i64::MIN.into()), "(cs + -0x8000000000000000)");
    }
}
