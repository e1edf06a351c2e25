//! Stencil values as outputs. The printer knows no such output: it prints them as one more colour, and this file names
//! that as the language does.

use crate::Target;
use std::fmt::Write as _;

/// The text of a fragment shader in which the colour of a location is the stencil value.
pub(super) fn named(text: &str, location: u32, target: Target) -> String {
    match target {
        Target::Glsl(_) => glsl(text, &format!("_fs2p_location{location}")),
        Target::Hlsl(_) => text.replace(&format!(": SV_Target{location};"), ": SV_StencilRef;"),
        _ => text.replace(&format!("[[color({location})]]"), "[[stencil]]"),
    }
}

/// The variable that the printer declares gives way to that of an extension, which has a sign.
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
