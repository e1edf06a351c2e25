//! The shells of tessellation stages in GLSL. naga has no such stages: it prints an evaluation program as a vertex shader
//! and a control program as a compute shader, and this file adds the shell.

use super::annotate;
use super::stage_inputs::{INPUT, READ, StageInputs, defined, patch_input, vector, vertex_input};
use crate::build::{ALL, OF_PATCH, OWN};
use crate::{Options, Program};
use shisa_ir::{Binding, DivisionOutput, Domain, Io, Spacing, Stage, Tessellation};
use std::fmt::Write as _;

/// Prefix of our names for outputs of vertices.
const OUTPUT: &str = "_tc2te_location";

/// Makes a tessellation shader from naga's text.
pub(super) fn shell(text: &str, program: &Program, tessellation: Tessellation, options: &Options) -> String {
    match program.interface.stage {
        Stage::TessellationControl => control(text, program, tessellation, options),
        _ => evaluation(text, program, tessellation),
    }
}

/// Declares the inputs of vertices, and the functions that read them.
fn inputs(out: &mut String, program: &Program) {
    for io in &program.interface.vertex_inputs {
        if let Binding::Location(n) = io.binding {
            let _ = writeln!(out, "layout(location = {n}) in {} {INPUT}{n}_in[];", vector(io.count));
        }
    }
    for io in &program.interface.inputs {
        if let Binding::PatchLocation(n) = io.binding {
            let _ = writeln!(out, "layout(location = {n}) patch in {} {};", vector(io.count), patch_input(n));
        }
    }
    out.push('\n');
    for io in &program.interface.vertex_inputs {
        vertex_input(out, io, "_in");
    }
}

fn evaluation(text: &str, program: &Program, tessellation: Tessellation) -> String {
    let stage_inputs = StageInputs::of(program.interface);
    let mut out = String::with_capacity(text.len() + 1024);
    let mut headed = false;
    for line in text.lines() {
        if stage_inputs.declares(line) {
            continue;
        }
        let _ = writeln!(out, "{}", stage_inputs.read(line));
        if !headed && line.is_empty() {
            headed = true;
            let division = tessellation.division;
            let domain = match division.domain {
                Domain::Isolines => "isolines",
                Domain::Triangles => "triangles",
                Domain::Quads => "quads",
            };
            let spacing = match division.spacing {
                Spacing::Equal => "equal_spacing",
                Spacing::FractionalOdd => "fractional_odd_spacing",
                Spacing::FractionalEven => "fractional_even_spacing",
            };
            let order = match division.output {
                DivisionOutput::Clockwise => ", cw",
                DivisionOutput::Counterclockwise => ", ccw",
                DivisionOutput::Points => ", point_mode",
                DivisionOutput::Lines => "",
            };
            let _ = writeln!(out, "layout({domain}, {spacing}{order}) in;\n");
            inputs(&mut out, program);
        }
    }
    out
}

/// A control program becomes `main` itself, because barriers are allowed nowhere else. Outputs of the own vertex are
/// variables, which are stored before barriers and at the end.
fn control(text: &str, program: &Program, tessellation: Tessellation, options: &Options) -> String {
    let interface = program.interface;
    let mut stage_inputs = StageInputs::of(interface);
    for io in &interface.vertex_outputs {
        stage_inputs.add_array(printed(ALL, io));
    }
    for io in &interface.patch_outputs {
        match io.binding {
            Binding::OuterLevel => stage_inputs.add_word("patch_out_tess_level_outer", "gl_TessLevelOuter"),
            Binding::InnerLevel => stage_inputs.add_word("patch_out_tess_level_inner", "gl_TessLevelInner"),
            _ => stage_inputs.add_declared(printed(OF_PATCH, io)),
        }
    }
    let mut out = String::with_capacity(text.len() + 1024);
    let (mut headed, mut inside, mut skipped) = (false, false, false);
    for line in text.lines() {
        if skipped {
            skipped = line != "}";
            continue;
        }
        let function = defined(line);
        if function == Some("main") {
            skipped = true;
            continue;
        }
        if function.is_some_and(|name| name.strip_suffix('_').unwrap_or(name) == options.name) {
            store(&mut out, program);
            out.push_str("void main() {\n");
            arguments(&mut out, line, program, &stage_inputs);
            inside = true;
            continue;
        }
        let body = line.trim_start();
        let indent = &line[..line.len() - body.len()];
        if line.starts_with("layout(local_size_x")
            || line.starts_with("#extension GL_ARB_compute_shader")
            || stage_inputs.declares(line)
            || body.starts_with("memoryBarrier") && body.ends_with("();")
        {
            continue;
        }
        if inside && matches!(body, "return;" | "barrier();") {
            let _ = writeln!(out, "{indent}{STORE}();");
        }
        inside &= line != "}";
        let _ = writeln!(out, "{}", stage_inputs.read(line));
        if !headed && line.is_empty() {
            headed = true;
            let _ = writeln!(out, "layout(vertices = {}) out;\n", tessellation.outputs.max(1));
            inputs(&mut out, program);
            outputs(&mut out, program);
        }
    }
    out
}

/// The function that stores the outputs of the own vertex.
const STORE: &str = "store_outputs";

/// The name of a variable as naga prints it.
fn printed(prefix: &str, io: &Io) -> String {
    annotate::printed(&format!("{prefix}{}", io.name)).into_owned()
}

/// Declares the arguments of the program's function as variables.
fn arguments(out: &mut String, line: &str, program: &Program, stage_inputs: &StageInputs) {
    let list = line.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map_or("", |(list, _)| list);
    for (argument, io) in list.split(", ").zip(&program.interface.inputs) {
        let Some(variable) = crate::build::stand_in(io.binding) else { continue };
        let _ = writeln!(out, "    {argument} = {};", stage_inputs.read(variable));
    }
}

/// Declares the outputs, and the functions that read those of all vertices.
fn outputs(out: &mut String, program: &Program) {
    let interface = program.interface;
    for io in &interface.vertex_outputs {
        if let Binding::Location(n) = io.binding {
            let _ = writeln!(out, "layout(location = {n}) out {} {OUTPUT}{n}_out[];", vector(io.count));
        }
    }
    for io in &interface.patch_outputs {
        if let Binding::PatchLocation(n) = io.binding {
            let name = printed(OF_PATCH, io);
            let _ = writeln!(out, "layout(location = {n}) patch out {} {name};", vector(io.count));
        }
    }
    out.push('\n');
    for io in &interface.vertex_outputs {
        let name = printed(ALL, io);
        let value = match io.binding {
            // Clip space of OpenGL: -w ≤ z ≤ w.
            Binding::Position => {
                let position = "gl_out[vertex].gl_Position";
                format!("vec4({position}.xy, ({position}.z + {position}.w) * 0.5, {position}.w)")
            }
            Binding::PointSize => "gl_out[vertex].gl_PointSize".to_owned(),
            Binding::ClipDistance(first) => {
                let element = |c: u8| match io.used.0 >> c & 1 {
                    0 => "0.0".to_owned(),
                    _ => format!("gl_out[vertex].gl_ClipDistance[{}]", first + c),
                };
                let each: Vec<String> = (0..io.count).map(element).collect();
                format!("{}({})", vector(io.count), each.join(", "))
            }
            Binding::Location(n) => format!("{OUTPUT}{n}_out[vertex]"),
            _ => continue,
        };
        let kind = vector(io.count);
        let _ = writeln!(out, "{kind} {name}{READ}(uint vertex) {{\n    return {value};\n}}\n");
    }
}

/// Defines the function that stores the outputs of the own vertex.
fn store(out: &mut String, program: &Program) {
    let _ = writeln!(out, "void {STORE}() {{");
    for io in &program.interface.vertex_outputs {
        let name = printed(OWN, io);
        let of_vertex = |field: &str| format!("gl_out[gl_InvocationID].{field}");
        let _ = match io.binding {
            Binding::Position => writeln!(
                out,
                "    {} = vec4({name}.xy, 2.0 * {name}.z - {name}.w, {name}.w);",
                of_vertex("gl_Position")
            ),
            Binding::PointSize => writeln!(out, "    {} = {name};", of_vertex("gl_PointSize")),
            Binding::ClipDistance(first) => {
                (0..io.count).filter(|c| io.used.0 >> c & 1 != 0).try_for_each(|c| {
                    writeln!(out, "    {}[{}] = {name}[{c}];", of_vertex("gl_ClipDistance"), first + c)
                })
            }
            Binding::Location(n) => writeln!(out, "    {OUTPUT}{n}_out[gl_InvocationID] = {name};"),
            _ => Ok(()),
        };
    }
    out.push_str("}\n\n");
}
