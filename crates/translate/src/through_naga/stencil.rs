//! Stencil values as outputs. naga has no such output: it prints them as one more colour, and this file replaces that
//! colour by the language's own name.

use crate::Target;
use std::fmt::Write as _;

/// The text of a fragment shader in which the colour at a location is the stencil value.
pub(super) fn named(text: &str, location: u32, target: Target) -> String {
    match target {
        Target::Glsl(_) => glsl(text, &format!("_fs2p_location{location}")),
        Target::Hlsl(_) => text.replace(&format!(": SV_Target{location};"), ": SV_StencilRef;"),
        _ => text.replace(&format!("[[color({location})]]"), "[[stencil]]"),
    }
}

/// Replaces the variable that naga declares by the variable of an extension, which is signed.
fn glsl(text: &str, variable: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let set = format!("{variable} = ");
    let declared = format!(" {variable};");
    for line in text.lines() {
        if line.ends_with(&declared) {
            continue;
        }
        match line.trim_start().strip_prefix(&set).and_then(|value| value.strip_suffix(';')) {
            Some(value) => {
                let _ = writeln!(out, "    gl_FragStencilRefARB = int({value});");
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
        if line.starts_with("#version") {
            out.push_str("#extension GL_ARB_shader_stencil_export : require\n");
        }
    }
    out
}
