//! Inputs of geometry and tessellation stages in GLSL. naga has no such stages: it prints variables of the program, and
//! this file replaces them by the stage's own inputs.

use super::annotate;
use crate::build::stand_in;
use shisa_ir::{Binding, Interface, Io};
use std::fmt::Write as _;

/// Prefix of naga's names for inputs; the number follows.
pub(super) const INPUT: &str = "_vs2fs_location";

/// The name of the function that a line begins to define.
pub(super) fn defined(line: &str) -> Option<&str> {
    line.strip_prefix("void ").and_then(|l| l.split_once('(')).map(|(name, _)| name)
}

/// The type of a number of floats.
pub(super) fn vector(count: u8) -> String {
    if count > 1 { format!("vec{count}") } else { "float".to_owned() }
}

/// The name of an input of the patch.
pub(super) fn patch_input(location: u32) -> String {
    annotate::printed(&format!("{}{location}", stand_in(Binding::PatchLocation(0)).unwrap_or_default()))
        .into_owned()
}

/// Defines the function that reads an input of a vertex as four components. `suffix` follows the numbers of inputs.
pub(super) fn vertex_input(out: &mut String, io: &Io, suffix: &str) {
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
        Binding::Location(n) => filled(format!("{INPUT}{n}{suffix}[vertex]")),
        _ => return,
    };
    let _ = writeln!(out, "vec4 {name}{READ}(uint vertex) {{\n    return {value};\n}}\n");
}

/// The suffix of the function that reads an input of a vertex.
pub(super) const READ: &str = "of";

/// Inputs that naga takes for variables of the program.
pub(super) struct StageInputs {
    /// The arrays of vertices' inputs, each indexed by the vertex.
    arrays: Vec<String>,
    /// The variables, and what reads them.
    words: Vec<(&'static str, String)>,
    /// Variables that the stage declares otherwise.
    declared: Vec<String>,
}

impl StageInputs {
    /// Those of a program.
    pub(super) fn of(interface: &Interface) -> StageInputs {
        let levels = |name: &str, io: &Io| {
            let each: Vec<String> = (0..io.count).map(|c| format!("{name}[{c}]")).collect();
            format!("{}({})", vector(io.count), each.join(", "))
        };
        let first = |name: &str, io: &Io| format!("{name}.{}", &"xy"[..usize::from(io.count.clamp(1, 2))]);
        let read = |io: &Io| {
            let read = match io.binding {
                Binding::PrimitiveIndex if interface.geometry.is_some() => {
                    "uint(gl_PrimitiveIDIn)".to_owned()
                }
                Binding::PrimitiveIndex => "uint(gl_PrimitiveID)".to_owned(),
                Binding::InvocationIndex => "uint(gl_InvocationID)".to_owned(),
                Binding::PatchVertices => "uint(gl_PatchVerticesIn)".to_owned(),
                Binding::OuterLevel => levels("gl_TessLevelOuter", io),
                Binding::InnerLevel => levels("gl_TessLevelInner", io),
                Binding::DomainPosition => first("gl_TessCoord", io),
                _ => return None,
            };
            Some((stand_in(io.binding)?, read))
        };
        let of_patch = |io: &Io| match io.binding {
            Binding::PatchLocation(n) => Some(patch_input(n)),
            _ => None,
        };
        StageInputs {
            arrays: interface
                .vertex_inputs
                .iter()
                .map(|io| annotate::printed(&io.name).into_owned())
                .collect(),
            words: interface.inputs.iter().filter_map(read).collect(),
            declared: interface.inputs.iter().filter_map(of_patch).collect(),
        }
    }

    /// Adds an array of a control stage's outputs, which a function reads.
    pub(super) fn add_array(&mut self, name: String) {
        self.arrays.push(name);
    }

    /// Adds a variable that the stage has under another name.
    pub(super) fn add_word(&mut self, name: &'static str, own: &str) {
        self.words.push((name, own.to_owned()));
    }

    /// Adds a variable that the stage declares otherwise.
    pub(super) fn add_declared(&mut self, name: String) {
        self.declared.push(name);
    }

    /// Whether a line declares one of them.
    pub(super) fn declares(&self, line: &str) -> bool {
        let Some((kind, rest)) = line.split_once(' ') else { return false };
        if !["uint", "float", "vec2", "vec3", "vec4"].contains(&kind) {
            return false;
        }
        let end = rest.find([' ', '[', ';']).unwrap_or(rest.len());
        let name = &rest[..end];
        let names = self.arrays.iter().chain(&self.declared).map(String::as_str);
        names.chain(self.words.iter().map(|(name, _)| *name)).any(|known| known == name)
    }

    /// A line that reads the stage's own inputs.
    pub(super) fn read(&self, line: &str) -> String {
        let mut line = line.to_owned();
        for (name, read) in &self.words {
            line = line.replace(name, read.as_str());
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
