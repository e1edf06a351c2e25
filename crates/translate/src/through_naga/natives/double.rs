//! The bodies of functions on doubles.

use super::Printed;
use crate::build::{DoubleOp, WIDE_ARGUMENTS};
use crate::{Target, internal};
use shisa_diag::Diagnostic;

/// The body of a function on doubles.
pub(super) fn body(function: &Printed<'_>, op: DoubleOp, target: Target) -> Result<String, Diagnostic> {
    let glsl = match target {
        Target::Glsl(_) => true,
        Target::Hlsl(_) => false,
        _ => return Err(internal("a language without doubles has a function on them")),
    };
    let [a, b, c] = WIDE_ARGUMENTS.map(|name| function.argument(name));
    let whole = |words: Result<&str, Diagnostic>| {
        Ok(match glsl {
            true => format!("packDouble2x32({})", words?),
            false => {
                let words = words?;
                format!("asdouble({words}.x, {words}.y)")
            }
        })
    };
    // The words of a double that is computed as written, and rounded once.
    let words = |computed: String| match glsl {
        true => format!("precise double result = {computed};\nreturn unpackDouble2x32(result);"),
        false => format!(
            "precise double result = {computed};\nuint low;\nuint high;\nasuint(result, low, high);\nreturn uint2(low, high);"
        ),
    };
    let suffix = if glsl { "lf" } else { "L" };
    Ok(match op {
        DoubleOp::Add => words(format!("{} + {}", whole(a)?, whole(b)?)),
        DoubleOp::Subtract => words(format!("{} - {}", whole(a)?, whole(b)?)),
        DoubleOp::Multiply => words(format!("{} * {}", whole(a)?, whole(b)?)),
        DoubleOp::Fma => words(format!("fma({}, {}, {})", whole(a)?, whole(b)?, whole(c)?)),
        DoubleOp::Equal => format!("return {} == {};", whole(a)?, whole(b)?),
        // Some compilers make `!=` false if an operand is NaN.
        DoubleOp::NotEqual => format!("return !({} == {});", whole(a)?, whole(b)?),
        DoubleOp::Less => format!("return {} < {};", whole(a)?, whole(b)?),
        DoubleOp::LessEqual => format!("return {} <= {};", whole(a)?, whole(b)?),
        DoubleOp::FromSigned => words(format!("double(int({}))", a?)),
        DoubleOp::FromUnsigned => words(format!("double({})", a?)),
        // Only numbers in the range are converted: languages leave the others open.
        DoubleOp::ToSigned => format!(
            "double number = {};\nif (number >= 2147483648.0{suffix}) {{\n    return 2147483647u;\n}}\n\
             if (number > -2147483649.0{suffix}) {{\n    return uint(int(number));\n}}\n\
             return number < 0.0{suffix} ? 2147483648u : 0u;",
            whole(a)?
        ),
        DoubleOp::ToUnsigned => format!(
            "double number = {};\nif (number >= 4294967296.0{suffix}) {{\n    return 4294967295u;\n}}\n\
             return number > 0.0{suffix} ? uint(number) : 0u;",
            whole(a)?
        ),
    })
}
