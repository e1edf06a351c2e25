//! The shell of a geometry stage in GLSL. naga has no such stage: it prints the program as a fragment shader whose
//! inputs are the attributes of all vertices, and this file adds the shell.

use super::annotate;
use super::stage_inputs::{INPUT, StageInputs, defined, vector, vertex_input};
use crate::build::{EMIT_VERTEX, END_STRIP, STREAM};
use crate::streams::Streams;
use crate::{GlslVersion, Options, Program};
use shisa_ir::{Binding, Geometry, Io, Topology};
use std::fmt::Write as _;

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
    let stage_inputs = StageInputs::of(program.interface);
    let (mut headed, mut replaced) = (false, false);
    for line in text.lines() {
        if replaced {
            replaced = line != "}";
            continue;
        }
        let body: Option<fn(&mut String, &Program, &Options)> = match defined(line) {
            Some(EMIT_VERTEX) => Some(vertex),
            Some(END_STRIP) => Some(end),
            _ => None,
        };
        if let Some(body) = body {
            out.push_str(line);
            out.push('\n');
            body(&mut out, program, options);
            replaced = true;
            continue;
        }
        if line.contains(INPUT) && line.contains(" in ") && line.ends_with(';') || stage_inputs.declares(line)
        {
            continue;
        }
        inputs(&stage_inputs.read(line), attributes, &mut out);
        out.push('\n');
        if version == GlslVersion::Es310 && line.starts_with("#version") {
            // Part of ES from 3.20 on.
            out.push_str("#extension GL_EXT_geometry_shader : require\n");
            let sized = |io: &Io| io.binding == Binding::PointSize;
            if program.interface.outputs.iter().chain(&program.interface.vertex_inputs).any(sized) {
                out.push_str("#extension GL_EXT_geometry_point_size : require\n");
            }
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
    let topology = match geometry.strips.map(|strips| strips.topology) {
        Some(Topology::Points) => "points",
        Some(Topology::Lines) => "line_strip",
        Some(Topology::Triangles) | None => "triangle_strip",
    };
    let runs = geometry.strips.map_or(1, |strips| strips.invocations);
    let runs = if runs > 1 { format!(", invocations = {runs}") } else { String::new() };
    let _ = writeln!(out, "layout({primitive}{runs}) in;\nlayout({topology}, max_vertices = {most}) out;\n");
    let location = |n: u32| if explicit { format!("layout(location = {n}) ") } else { String::new() };
    if program.interface.vertex_inputs.is_empty() {
        for n in 0..used_attributes(program, geometry) {
            let _ = writeln!(out, "{}in vec4 {INPUT}{n}[];", location(n));
        }
    }
    for io in &program.interface.vertex_inputs {
        if let Binding::Location(n) = io.binding {
            let _ = writeln!(out, "{}in {} {INPUT}{n}[];", location(n), vector(io.count));
        }
    }
    for io in &program.interface.outputs {
        if let Binding::Location(n) = io.binding {
            let _ = writeln!(out, "{}out {} {OUTPUT}{n};", location(n), vector(io.count));
        }
    }
    let streams = Streams::of(program);
    for output in streams.iter().flat_map(|streams| &streams.outputs) {
        let Some(io) = program.interface.outputs.get(output.output) else { continue };
        let (n, stream, ty) = (output.location, output.stream, output_type(io));
        let _ = writeln!(out, "layout(location = {n}, stream = {stream}) out {ty} {OUTPUT}{n};");
    }
    out.push('\n');
    for io in &program.interface.vertex_inputs {
        vertex_input(out, io, "");
    }
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

/// The type of an output that has no meaning to the language.
fn output_type(io: &Io) -> String {
    match (io.scalar.is_float(), io.count) {
        (true, count) => vector(count),
        (false, 1) => "uint".to_owned(),
        (false, count) => format!("uvec{count}"),
    }
}

/// Writes the body of the function that ends a strip. Streams are only for points, which form no strips.
fn end(out: &mut String, program: &Program, _: &Options) {
    let streams = Streams::of(program).is_some();
    out.push_str(if streams { "}\n" } else { "    EndPrimitive();\n}\n" });
}

/// Writes the body of the function that outputs a vertex.
fn vertex(out: &mut String, program: &Program, options: &Options) {
    let strips = program.interface.geometry.and_then(|g| g.strips);
    let streams = Streams::of(program);
    let indent = match (&streams, strips) {
        (Some(_), _) => "            ",
        (None, Some(_)) => "        ",
        (None, None) => "    ",
    };
    if strips.is_some() {
        let most = crate::reflection::max_vertices(program, options);
        let _ = writeln!(out, "    if (vertex_count < {most}u) {{");
    }
    if let Some(streams) = streams {
        for stream in streams.used().filter(|stream| streams.outputs_to(*stream)) {
            let _ = writeln!(out, "        if ({STREAM} == {stream}u) {{");
            if stream == 0 {
                assign(out, program, indent);
            }
            for output in streams.outputs.iter().filter(|output| output.stream == stream) {
                let Some(io) = program.interface.outputs.get(output.output) else { continue };
                let (n, name) = (output.location, annotate::printed(&io.name));
                let _ = writeln!(out, "{indent}{OUTPUT}{n} = vertex.{name};");
            }
            let _ = writeln!(out, "{indent}EmitStreamVertex({stream});\n        }}");
        }
        out.push_str("        vertex_count += 1u;\n    }\n}\n");
        return;
    }
    assign(out, program, indent);
    let _ = writeln!(out, "{indent}EmitVertex();\n{indent}vertex_count += 1u;");
    match strips {
        Some(_) => out.push_str("    }\n}\n"),
        None => out.push_str("    if (vertex_count % 3u == 0u) {\n        EndPrimitive();\n    }\n}\n"),
    }
}

/// Writes the assignments of a vertex to the outputs of the stage.
fn assign(out: &mut String, program: &Program, indent: &str) {
    for io in &program.interface.outputs {
        // naga's name for the output.
        let name = &annotate::printed(&io.name);
        let _ = match io.binding {
            // Clip space of OpenGL: -w ≤ z ≤ w.
            Binding::Position => writeln!(
                out,
                "{indent}gl_Position = vec4(vertex.{name}.xy, 2.0 * vertex.{name}.z - vertex.{name}.w, vertex.{name}.w);"
            ),
            Binding::Location(n) => writeln!(out, "{indent}{OUTPUT}{n} = vertex.{name};"),
            Binding::PointSize => writeln!(out, "{indent}gl_PointSize = vertex.{name};"),
            Binding::Layer => writeln!(out, "{indent}gl_Layer = int(vertex.{name});"),
            Binding::ViewportIndex => writeln!(out, "{indent}gl_ViewportIndex = int(vertex.{name});"),
            Binding::PrimitiveIndex => writeln!(out, "{indent}gl_PrimitiveID = int(vertex.{name});"),
            Binding::ClipDistance(first) => {
                (0..io.count).filter(|c| io.used.0 >> c & 1 != 0).try_for_each(|c| {
                    writeln!(out, "{indent}gl_ClipDistance[{}] = vertex.{name}[{c}];", first + c)
                })
            }
            _ => Ok(()),
        };
    }
}

/// Writes a line in which the inputs of the fragment shader are replaced by elements of the geometry shader's.
fn inputs(line: &str, attributes: u32, out: &mut String) {
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(INPUT) {
        let digits = after.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = after[..digits].parse::<u32>() else {
            // A name of the program that begins like naga's.
            out.push_str(before);
            out.push_str(INPUT);
            rest = after;
            continue;
        };
        let _ = write!(out, "{before}{INPUT}{}[{}]", number % attributes, number / attributes);
        rest = &after[digits..];
    }
    out.push_str(rest);
}
