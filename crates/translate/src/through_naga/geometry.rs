//! The shell of a geometry stage in GLSL. naga has no such stage: it prints the program as a fragment shader whose
//! inputs are the attributes of all vertices, and this file adds the shell.

use super::annotate;
use crate::build::EMIT_VERTEX;
use crate::{GlslVersion, Options, Program};
use shisa_ir::{Binding, Geometry};
use std::fmt::Write as _;

/// Prefix of naga's names for inputs; the number follows.
const INPUT: &str = "_vs2fs_location";
/// Prefix of naga's names for outputs.
const OUTPUT: &str = "_gs2fs_location";

/// Makes a geometry shader from naga's text.
pub(super) fn shell(
    text: &str,
    program: &Program,
    geometry: Geometry,
    version: GlslVersion,
    options: &Options,
) -> String {
    let mut out = String::with_capacity(text.len() + 1024);
    let attributes = u32::from(geometry.attributes.max(1));
    let (mut headed, mut replaced) = (false, false);
    for line in text.lines() {
        if replaced {
            replaced = line != "}";
            continue;
        }
        if line
            .strip_prefix("void ")
            .and_then(|l| l.strip_prefix(EMIT_VERTEX))
            .is_some_and(|l| l.starts_with('('))
        {
            out.push_str(line);
            out.push('\n');
            vertex(&mut out, program);
            replaced = true;
            continue;
        }
        if line.contains(INPUT) && line.contains(" in ") && line.ends_with(';') {
            continue;
        }
        inputs(line, attributes, &mut out);
        out.push('\n');
        if version == GlslVersion::Es310 && line.starts_with("#version") {
            // Part of ES from 3.20 on.
            out.push_str("#extension GL_EXT_geometry_shader : require\n");
        }
        // The version and the precision statements come first.
        if !headed && line.is_empty() {
            headed = true;
            head(&mut out, program, geometry, version, options);
        }
    }
    out
}

/// Declares the inputs and outputs.
fn head(out: &mut String, program: &Program, geometry: Geometry, version: GlslVersion, options: &Options) {
    let explicit = !matches!(version, GlslVersion::Core330);
    let Some(primitive) = crate::geometry::primitive(geometry.vertices) else { return };
    let most = crate::reflection::max_vertices(program, options).max(1);
    let _ = writeln!(out, "layout({primitive}) in;\nlayout(triangle_strip, max_vertices = {most}) out;\n");
    let location = |n: u32| if explicit { format!("layout(location = {n}) ") } else { String::new() };
    for n in 0..used_attributes(program, geometry) {
        let _ = writeln!(out, "{}in vec4 {INPUT}{n}[];", location(n));
    }
    for io in &program.interface.outputs {
        if let Binding::Location(n) = io.binding {
            let _ = writeln!(out, "{}out vec{} {OUTPUT}{n};", location(n), io.count);
        }
    }
    out.push('\n');
}

/// The number of declared attributes of a vertex.
fn used_attributes(program: &Program, geometry: Geometry) -> u32 {
    let attributes = u32::from(geometry.attributes.max(1));
    match geometry.start {
        Some(_) => attributes,
        None => {
            let last = |io: &shisa_ir::Io| match io.binding {
                Binding::Location(n) => n + 1,
                _ => 0,
            };
            program.interface.inputs.iter().map(last).max().unwrap_or(0).min(attributes)
        }
    }
}

/// Writes the body of the function that outputs a vertex.
fn vertex(out: &mut String, program: &Program) {
    for io in &program.interface.outputs {
        // naga's name for the output.
        let name = &annotate::printed(&io.name);
        let _ = match io.binding {
            // Clip space of OpenGL: -w ≤ z ≤ w.
            Binding::Position => writeln!(
                out,
                "    gl_Position = vec4(vertex.{name}.xy, 2.0 * vertex.{name}.z - vertex.{name}.w, vertex.{name}.w);"
            ),
            Binding::Location(n) => writeln!(out, "    {OUTPUT}{n} = vertex.{name};"),
            _ => Ok(()),
        };
    }
    out.push_str("    EmitVertex();\n    vertex_count += 1u;\n");
    out.push_str("    if (vertex_count % 3u == 0u) {\n        EndPrimitive();\n    }\n}\n");
}

/// Writes a line in which the inputs of the fragment shader are replaced by elements of the geometry shader's.
fn inputs(line: &str, attributes: u32, out: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(INPUT) {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let number: u32 = after[..digits].parse().unwrap_or(0);
        let _ = write!(out, "{before}{INPUT}{}[{}]", number % attributes, number / attributes);
        rest = &after[digits..];
    }
    out.push_str(rest);
}
