//! The bodies of functions on 64-bit integers. Languages differ only in names and in how they join two words. All have
//! unsigned numbers only: a signed number is compared with its sign inverted.

use super::Printed;
use crate::build::{Int64Op, WIDE_ARGUMENTS};
use crate::{Target, internal};
use shisa_diag::Diagnostic;

/// The names of a language.
struct Words {
    /// The type of an unsigned 64-bit integer.
    long: &'static str,
    /// The type of two words.
    pair: &'static str,
    /// The bits of a 32-bit float.
    bits: &'static str,
    min: &'static str,
    abs: &'static str,
    target: Target,
}

impl Words {
    fn of(target: Target) -> Option<Words> {
        let (long, pair, bits) = match target {
            Target::Glsl(_) => ("uint64_t", "uvec2", "floatBitsToUint"),
            Target::Hlsl(_) => ("uint64_t", "uint2", "asuint"),
            Target::Msl => ("ulong", "metal::uint2", "as_type<uint>"),
            _ => return None,
        };
        let (min, abs) = if target == Target::Msl { ("metal::min", "metal::abs") } else { ("min", "abs") };
        Some(Words { long, pair, bits, min, abs, target })
    }

    /// Declares a number `name` of these words.
    fn joined(&self, name: &str, low: &str, high: &str) -> String {
        let Words { long, pair, .. } = self;
        match self.target {
            Target::Glsl(_) => format!("{long} {name} = packUint2x32({pair}({low}, {high}));\n"),
            Target::Hlsl(_) => format!("{long} {name} = {high};\n{name} = {name} << 32u | {low};\n"),
            _ => format!("{long} {name} = as_type<{long}>({pair}({low}, {high}));\n"),
        }
    }

    /// Returns the words of a number.
    fn returned(&self, name: &str) -> String {
        let Words { pair, .. } = self;
        match self.target {
            Target::Glsl(_) => format!("return unpackUint2x32({name});"),
            Target::Hlsl(_) => format!("return {pair}(uint({name}), uint({name} >> 32u));"),
            _ => format!("return as_type<{pair}>({name});"),
        }
    }
}

/// The body of a function on 64-bit integers.
pub(super) fn body(function: &Printed<'_>, op: Int64Op, target: Target) -> Result<String, Diagnostic> {
    let lacks = || internal("a language without 64-bit integers has a function on them");
    let words = Words::of(target).ok_or_else(lacks)?;
    let [first, second, _] = WIDE_ARGUMENTS;
    let (a, b) = (function.argument(first)?, || function.argument(second));
    // The operands, of which the highest bit is inverted if they are signed.
    let both = |b: &str, signed: bool| {
        let sign = if signed { " ^ 0x80000000u" } else { "" };
        let of = |name, v: &str| words.joined(name, &format!("{v}.x"), &format!("{v}.y{sign}"));
        of("x", a) + &of("y", b)
    };
    let computed = |operator: &str| {
        let result = format!("{} result = x {operator} y;\n", words.long);
        Ok(both(b()?, false) + &result + &words.returned("result"))
    };
    let compared = |signed, operator: &str| Ok(both(b()?, signed) + &format!("return x {operator} y;"));
    let chosen = |signed, operator: &str| {
        let b = b()?;
        Ok(both(b, signed) + &format!("return x {operator} y ? {a} : {b};"))
    };
    match op {
        Int64Op::Add => computed("+"),
        Int64Op::Subtract => computed("-"),
        Int64Op::Multiply => computed("*"),
        Int64Op::ShiftLeft => Ok(words.shifted(a, b()?, "<<", false)),
        Int64Op::ShiftRight => Ok(words.shifted(a, b()?, ">>", false)),
        Int64Op::ShiftRightSigned => Ok(words.shifted(a, b()?, ">>", true)),
        Int64Op::Equal => compared(false, "=="),
        Int64Op::NotEqual => compared(false, "!="),
        Int64Op::UnsignedLess => compared(false, "<"),
        Int64Op::UnsignedLessEqual => compared(false, "<="),
        Int64Op::SignedLess => compared(true, "<"),
        Int64Op::SignedLessEqual => compared(true, "<="),
        Int64Op::UnsignedMin => chosen(false, "<"),
        Int64Op::UnsignedMax => chosen(false, ">"),
        Int64Op::SignedMin => chosen(true, "<"),
        Int64Op::SignedMax => chosen(true, ">"),
        Int64Op::UnsignedToFloat => {
            Ok(words.joined("x", &format!("{a}.x"), &format!("{a}.y")) + "return float(x);")
        }
        Int64Op::SignedToFloat => Ok(words.signed_float(a)),
        Int64Op::FloatToUnsigned => Ok(words.unsigned_of(a)),
        Int64Op::FloatToSigned => Ok(words.signed_of(a)),
    }
}

impl Words {
    /// A shift by any amount: languages leave amounts of 64 and more open.
    fn shifted(&self, a: &str, b: &str, operator: &str, signed: bool) -> String {
        let Words { long, pair, .. } = self;
        let x = self.joined("x", &format!("{a}.x"), &format!("{a}.y"));
        let is_small = format!("{b}.y == 0u && {b}.x < 64u");
        if signed {
            // The bits of a negative number are inverted before and after.
            let last =
                format!("uint by = {is_small} ? {b}.x : 63u;\nbool negative = {a}.y >= 0x80000000u;\n");
            let shifted = "x = (negative ? ~x : x) >> by;\nx = negative ? ~x : x;\n";
            return x + &last + shifted + &self.returned("x");
        }
        let beyond = format!("if (!({is_small})) {{\n    return {pair}(0u, 0u);\n}}\n");
        beyond + &x + &format!("{long} result = x {operator} {b}.x;\n") + &self.returned("result")
    }

    /// The float that is nearest to a signed number: its magnitude is rounded, which the sign does not change.
    fn signed_float(&self, a: &str) -> String {
        let x = self.joined("x", &format!("{a}.x"), &format!("{a}.y"));
        let sign = format!("bool negative = {a}.y >= 0x80000000u;\n");
        x + &sign
            + "float magnitude = float(negative ? ~x + 1u : x);\n"
            + "return negative ? -magnitude : magnitude;"
    }

    /// Only numbers in the range are converted: languages leave the others open. NaN, which compilers may take for
    /// impossible, is found by its bits. Without the minimum, compilers drop the conversion of an integer to a float and
    /// back, although it rounds.
    fn unsigned_of(&self, a: &str) -> String {
        let Words { long, pair, bits, min, .. } = self;
        format!(
            "uint bits = {bits}({a});\nif (bits >= 0x5f800000u) {{\n    return bits > 0x7f800000u ? {pair}(0u, 0u) : \
             {pair}(4294967295u, 4294967295u);\n}}\n{long} result = {long}({min}({a}, 18446742974197923840.0));\n"
        ) + &self.returned("result")
    }

    /// As [`Words::unsigned_of`], by the magnitude.
    fn signed_of(&self, a: &str) -> String {
        let Words { long, pair, bits, min, abs, .. } = self;
        format!(
            "uint bits = {bits}({a});\nuint magnitude = bits & 0x7fffffffu;\nbool negative = bits != magnitude;\n\
             if (magnitude >= 0x5f000000u) {{\n    {pair} last = negative ? {pair}(0u, 2147483648u) : \
             {pair}(4294967295u, 2147483647u);\n    return magnitude > 0x7f800000u ? {pair}(0u, 0u) : last;\n}}\n\
             {long} number = {long}({min}({abs}({a}), 9223371487098961920.0));\n\
             {long} result = negative ? ~number + 1u : number;\n"
        ) + &self.returned("result")
    }
}
