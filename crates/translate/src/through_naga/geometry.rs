//! The shell of a geometry stage in GLSL. naga has no such stage: it prints the program as a fragment shader whose
//! inputs are the attributes of all vertices, and this file adds the shell.

use super::annotate;
use crate::build::{EMIT_VERTEX, END_STRIP, stand_in};
use crate::{GlslVersion, Options, Program};
use shisa_ir::{Binding, Geometry, Interface, Io, Topology};
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
    let stage_inputs = StageInputs::of(program.interface);
    let (mut headed, mut replaced) = (false, false);
    for line in text.lines() {
        if replaced {
            replaced = line != "}";
            continue;
        }
        let body: Option<fn(&mut String, &Program, &Options)> = match defined(line) {
            Some(EMIT_VERTEX) => Some(vertex),
            Some(END_STRIP) => Some(|out, _, _| out.push_str("    EndPrimitive();\n}\n")),
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

/// The name of the function that a line begins to define.
fn defined(line: &str) -> Option<&str> {
    line.strip_prefix("void ").and_then(|l| l.split_once('(')).map(|(name, _)| name)
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
    out.push('\n');
    for io in &program.interface.vertex_inputs {
        vertex_input(out, io);
    }
}

/// The type of a number of floats.
fn vector(count: u8) -> String {
    if count > 1 { format!("vec{count}") } else { "float".to_owned() }
}

/// Defines the function that reads an input of a vertex as four components.
fn vertex_input(out: &mut String, io: &Io) {
    let name = annotate::printed(&io.name);
    let filled = |value: String| {
        let zeros = ", 0.0".repeat(4usize.saturating_sub(io.count.into()));
        if zeros.is_empty() { value } else { format!("vec4({value}{zeros})") }
    };
    let value = match io.binding {
        // Clip space of OpenGL: -w ≤ z ≤ w.
        Binding::Position => {
            let position = "gl_in[vertex].gl_Position";
            format!("vec4({position}.xy, ({position}.z + {position}.w) * 0.5, {position}.w)")
        }
        Binding::PointSize => filled("gl_in[vertex].gl_PointSize".to_owned()),
        Binding::ClipDistance(first) => {
            let element = |c: u8| match io.used.0 >> c & 1 {
                0 => "0.0".to_owned(),
                _ => format!("gl_in[vertex].gl_ClipDistance[{}]", first + c),
            };
            format!("vec4({})", [0, 1, 2, 3].map(element).join(", "))
        }
        Binding::Location(n) => filled(format!("{INPUT}{n}[vertex]")),
        _ => return,
    };
    let _ = writeln!(out, "vec4 {name}{READ}(uint vertex) {{\n    return {value};\n}}\n");
}

/// The suffix of the function that reads an input of a vertex.
const READ: &str = "of";

/// Inputs that naga takes for variables of the program.
struct StageInputs {
    /// The arrays of vertices' inputs, each indexed by the vertex.
    arrays: Vec<String>,
    /// The variables, and what reads them.
    words: Vec<(&'static str, &'static str)>,
}

impl StageInputs {
    fn of(interface: &Interface) -> StageInputs {
        let read = |io: &Io| {
            let read = match io.binding {
                Binding::PrimitiveIndex => "uint(gl_PrimitiveIDIn)",
                Binding::InvocationIndex => "uint(gl_InvocationID)",
                _ => return None,
            };
            Some((stand_in(io.binding)?, read))
        };
        StageInputs {
            arrays: interface
                .vertex_inputs
                .iter()
                .map(|io| annotate::printed(&io.name).into_owned())
                .collect(),
            words: interface.inputs.iter().filter_map(read).collect(),
        }
    }

    /// Whether a line declares one of them.
    fn declares(&self, line: &str) -> bool {
        let declared = |name: &str, kind: &str| {
            let rest = line.strip_prefix(kind).and_then(|l| l.strip_prefix(' ')?.strip_prefix(name));
            rest.is_some_and(|rest| rest.starts_with([' ', '[', ';']))
        };
        self.arrays.iter().any(|name| declared(name, "vec4"))
            || self.words.iter().any(|(name, _)| declared(name, "uint"))
    }

    /// A line that reads the stage's own inputs.
    fn read(&self, line: &str) -> String {
        let mut line = line.to_owned();
        for (name, read) in &self.words {
            line = line.replace(name, read);
        }
        for name in &self.arrays {
            line = indexed(&line, name);
        }
        line
    }
}

/// A line in which an array that is indexed is a function that is called.
fn indexed(line: &str, name: &str) -> String {
    let mut out = String::with_capacity(line.len() + 8);
    let mut rest = line;
    while let Some(at) = rest.find(name) {
        let (before, found) = rest.split_at(at);
        let behind = &found[name.len()..];
        let longer = before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let end = behind.strip_prefix('[').filter(|_| !longer).and_then(closing);
        out.push_str(before);
        rest = match end {
            Some(end) => {
                let _ = write!(out, "{name}{READ}(uint({}))", indexed(&behind[1..end], name));
                &behind[end + 1..]
            }
            None => {
                out.push_str(name);
                behind
            }
        };
    }
    out.push_str(rest);
    out
}

/// The offset of the bracket that closes a list, counted from the one that opens it.
fn closing(inside: &str) -> Option<usize> {
    let mut open = 0;
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'[' => open += 1,
            b']' if open == 0 => return Some(at + 1),
            b']' => open -= 1,
            _ => {}
        }
    }
    None
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
fn vertex(out: &mut String, program: &Program, options: &Options) {
    let strips = program.interface.geometry.and_then(|g| g.strips);
    let indent = if strips.is_some() { "        " } else { "    " };
    if strips.is_some() {
        let most = crate::reflection::max_vertices(program, options);
        let _ = writeln!(out, "    if (vertex_count < {most}u) {{");
    }
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
    let _ = writeln!(out, "{indent}EmitVertex();\n{indent}vertex_count += 1u;");
    match strips {
        Some(_) => out.push_str("    }\n}\n"),
        None => out.push_str("    if (vertex_count % 3u == 0u) {\n        EndPrimitive();\n    }\n}\n"),
    }
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
