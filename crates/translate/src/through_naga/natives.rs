//! The bodies of functions whose operations naga cannot print.
//!
//! naga prints each of these functions with a stand-in for its body ([`Native`]), which has the function's arguments and
//! the resource under the names that naga chose. This file finds the function by its name and replaces the body by text of
//! the language.

mod double;
mod int64;

use crate::build::{Native, TEXEL_ARGUMENTS, TexelChange, WideOp};
use crate::syntax::{FunctionId, part_of_name};
use crate::{GlslVersion, Target, internal};
use shisa_diag::Diagnostic;
use std::collections::BTreeSet;
use std::ops::Range;

/// The extension that a version of GLSL needs for a function.
const fn extension(native: Native<'_>, target: Target) -> Option<&'static str> {
    match (native, target) {
        (Native::Texel { .. }, Target::Glsl(GlslVersion::Es310)) => Some("GL_OES_shader_image_atomic"),
        (Native::Wide(WideOp::Int64(_)), Target::Glsl(_)) => Some("GL_ARB_gpu_shader_int64"),
        _ => None,
    }
}

/// The text with the bodies of these functions in the language. `own` are the names of the program's function and of its
/// entry point.
///
/// # Errors
/// `translate-name` if one of these names is that of a function; `internal-translate` if naga prints a function
/// otherwise than expected.
pub(super) fn written(
    text: &str,
    natives: &[(Native, FunctionId)],
    own: &[Option<&str>],
    target: Target,
) -> Result<String, Diagnostic> {
    let mut bodies = Vec::with_capacity(natives.len());
    let mut extensions = BTreeSet::new();
    for (native, _) in natives {
        let name = String::from(native.name());
        if own.contains(&Some(&name)) {
            let text = format!("the translation has a function with the name `{name}` already");
            return Err(Diagnostic::error("translate-name", text).help("choose another name"));
        }
        extensions.extend(extension(*native, target));
        let function = Printed::find(text, &name)?;
        let body = match native {
            Native::Texel { change, .. } => texel(&function, *change, target)?,
            Native::Wide(WideOp::Double(op)) => double::body(&function, *op, target)?,
            Native::Wide(WideOp::Int64(op)) => int64::body(&function, *op, target)?,
        };
        bodies.push((function.body, body));
    }
    bodies.sort_by_key(|(range, _)| range.start);
    let mut out = String::with_capacity(text.len() + 128 * bodies.len());
    let mut from = 0;
    if !extensions.is_empty() {
        // Extensions follow the version, which is the first line.
        from = text.find('\n').map_or(0, |end| end + 1);
        out.push_str(&text[..from]);
        extensions.iter().for_each(|name| out.extend(["#extension ", name, " : require\n"]));
    }
    for (range, body) in bodies {
        out.push_str(&text[from..range.start]);
        for line in body.lines() {
            out.extend(["    ", line, "\n"]);
        }
        from = range.end;
    }
    out.push_str(&text[from..]);
    Ok(out)
}

/// A function that naga printed.
struct Printed<'t> {
    /// The names of its arguments.
    arguments: Vec<&'t str>,
    /// The range of the lines between its braces.
    body: Range<usize>,
    /// The first of these lines.
    first: &'t str,
}

impl<'t> Printed<'t> {
    /// Finds the only function with a name. naga begins a function in the first column, and indents calls.
    fn find(text: &'t str, name: &str) -> Result<Printed<'t>, Diagnostic> {
        let wrong = || internal("a function with a body of the language is not in the text exactly once");
        // MSL's vectors are names of a namespace.
        let of_type = |byte: u8| part_of_name(byte) || byte == b':';
        let mut found = None;
        for (at, _) in text.match_indices(name) {
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let ty = text[line..at].strip_suffix(' ').filter(|ty| ty.bytes().all(of_type) && !ty.is_empty());
            if ty.is_none() || !text[at + name.len()..].starts_with('(') {
                continue;
            }
            if found.replace(at + name.len() + 1).is_some() {
                return Err(wrong());
            }
        }
        let begins = found.ok_or_else(wrong)?;
        let ends = begins + text[begins..].find(')').ok_or_else(wrong)?;
        let start = ends + text[ends..].find("{\n").ok_or_else(wrong)? + 2;
        let end = start + text[start..].find("\n}").ok_or_else(wrong)? + 1;
        let arguments =
            text[begins..ends].split(',').filter_map(|argument| argument.split_whitespace().last());
        Ok(Printed {
            arguments: arguments.collect(),
            body: start..end,
            first: text[start..end].lines().next().unwrap_or_default().trim(),
        })
    }

    /// The name of an argument.
    fn argument(&self, name: &str) -> Result<&'t str, Diagnostic> {
        let numbered = |printed: &str| {
            let rest = printed.strip_prefix(name)?;
            let number = rest.strip_prefix('_').unwrap_or(rest);
            number.bytes().all(|b| b.is_ascii_digit()).then_some(())
        };
        let found = self.arguments.iter().copied().find(|printed| numbered(printed).is_some());
        found.ok_or_else(|| internal("a function with a body of the language lacks an argument"))
    }
}

/// The body of a function that changes a texel.
fn texel(function: &Printed<'_>, change: TexelChange, target: Target) -> Result<String, Diagnostic> {
    let [_, _, value, expected] = TEXEL_ARGUMENTS;
    let value = function.argument(value)?;
    let expected = match change {
        TexelChange::CompareExchange => function.argument(expected)?,
        _ => value,
    };
    let (image, at) = stored(function.first, target)
        .ok_or_else(|| internal("a texel is stored in another form than expected"))?;
    let call = match target {
        Target::Glsl(_) => glsl(change),
        Target::Hlsl(_) => hlsl(change),
        _ => msl(change),
    };
    let compares = change == TexelChange::CompareExchange;
    Ok(match target {
        Target::Glsl(_) if compares => format!("return {call}({image}, {at}, {expected}, {value});"),
        Target::Glsl(_) => format!("return {call}({image}, {at}, {value});"),
        Target::Hlsl(_) => {
            let comparison = if compares { format!("{expected}, ") } else { String::new() };
            format!("uint old;\n{call}({image}[{at}], {comparison}{value}, old);\nreturn old;")
        }
        // The exchange may fail although the texel has the expected value.
        _ if compares => format!(
            "metal::uint4 old;\ndo {{\n    old = metal::uint4({expected});\n}} while (!{image}.{call}({at}, &old, \
             metal::uint4({value})) && old.x == {expected});\nreturn old.x;"
        ),
        _ => format!("return {image}.{call}({at}, metal::uint4({value})).x;"),
    })
}

/// The texture and the coordinates in a statement that stores a vector of four words to a texel.
fn stored(line: &str, target: Target) -> Option<(&str, &str)> {
    match target {
        Target::Glsl(_) => {
            let (image, rest) = line.strip_prefix("imageStore(")?.split_once(", ")?;
            Some((image, rest.rsplit_once(", uvec4(")?.0))
        }
        Target::Hlsl(_) => {
            let (image, rest) = line.split_once('[')?;
            Some((image, rest.rsplit_once("] = uint4(")?.0))
        }
        _ => {
            let (image, rest) = line.split_once(".write(metal::uint4(")?;
            Some((image, rest.split_once("), ")?.1.strip_suffix(");")?))
        }
    }
}

const fn glsl(change: TexelChange) -> &'static str {
    match change {
        TexelChange::Add => "imageAtomicAdd",
        TexelChange::And => "imageAtomicAnd",
        TexelChange::InclusiveOr => "imageAtomicOr",
        TexelChange::ExclusiveOr => "imageAtomicXor",
        TexelChange::Min => "imageAtomicMin",
        TexelChange::Max => "imageAtomicMax",
        TexelChange::Exchange => "imageAtomicExchange",
        TexelChange::CompareExchange => "imageAtomicCompSwap",
    }
}

const fn hlsl(change: TexelChange) -> &'static str {
    match change {
        TexelChange::Add => "InterlockedAdd",
        TexelChange::And => "InterlockedAnd",
        TexelChange::InclusiveOr => "InterlockedOr",
        TexelChange::ExclusiveOr => "InterlockedXor",
        TexelChange::Min => "InterlockedMin",
        TexelChange::Max => "InterlockedMax",
        TexelChange::Exchange => "InterlockedExchange",
        TexelChange::CompareExchange => "InterlockedCompareExchange",
    }
}

const fn msl(change: TexelChange) -> &'static str {
    match change {
        TexelChange::Add => "atomic_fetch_add",
        TexelChange::And => "atomic_fetch_and",
        TexelChange::InclusiveOr => "atomic_fetch_or",
        TexelChange::ExclusiveOr => "atomic_fetch_xor",
        TexelChange::Min => "atomic_fetch_min",
        TexelChange::Max => "atomic_fetch_max",
        TexelChange::Exchange => "atomic_exchange",
        TexelChange::CompareExchange => "atomic_compare_exchange_weak",
    }
}
