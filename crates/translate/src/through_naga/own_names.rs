//! Values of a stage under the language's own names. Layers, viewports and vectors of distances to clipping planes are
//! printed by naga as one more location, and this file replaces that location. The masks of samples of GLSL are arrays,
//! which naga takes for numbers.

use crate::Target;
use crate::build::system_location;
use crate::syntax::{AddressSpace, Module};
use shisa_ir::{Binding, Interface, Io};
use std::fmt::Write as _;

/// The text of a stage with the language's names.
pub(super) fn named(mut text: String, interface: &Interface, module: &Module, target: Target) -> String {
    let vertex = crate::interface::outputs_vertex(interface.stage);
    let all = if vertex { &interface.outputs } else { &interface.inputs };
    if matches!(target, Target::Glsl(_))
        && interface.outputs.iter().any(|io| io.binding == Binding::SampleMask)
    {
        text = sample_mask(&text);
    }
    if matches!(target, Target::Hlsl(_)) {
        if module.globals.iter().any(|g| g.space == AddressSpace::Private) {
            text = without_initial_arrays(&text);
        }
        if interface.textures.iter().any(|t| t.shape.multisampled && t.shape.arrayed) {
            text = text.replace("Texture2DArrayMS<", "Texture2DMSArray<");
        }
    }
    for io in all {
        if let (Target::Glsl(_), Binding::SampleMask) = (target, io.binding) {
            text = text.replace(" = gl_SampleMaskIn;", " = uint(gl_SampleMaskIn[0]);");
            continue;
        }
        let Some(names) = names(io) else { continue };
        let location = system_location(all, io.binding);
        text = match target {
            Target::Glsl(_) if vertex && matches!(io.binding, Binding::ClipDistance(_)) => continue,
            Target::Glsl(_) => own_variable(&text, &format!("_vs2fs_location{location}"), &names, vertex),
            Target::Hlsl(_) => text.replace(&format!(": LOC{location};"), &format!(": {};", names.hlsl)),
            _ => text.replace(&format!("[[user(loc{location}), flat]]"), &format!("[[{}]]", names.msl)),
        };
    }
    text
}

/// The text without the values that arrays of a lane begin with. They begin with zeros anyway, and glslang refuses the form
/// in which naga prints that.
fn without_initial_arrays(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        match line.split_once("] = (uint[") {
            Some((declared, rest)) if line.starts_with("static ") && rest.trim_end().ends_with(")0;") => {
                let _ = writeln!(out, "{declared}];");
            }
            _ => out.push_str(line),
        }
    }
    out
}

/// The text with the output mask of samples as an element of an array.
fn sample_mask(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for line in text.lines() {
        match line.trim_start().strip_prefix("gl_SampleMask = ").and_then(|value| value.strip_suffix(';')) {
            Some(value) => {
                let _ = writeln!(out, "    gl_SampleMask[0] = int({value});");
            }
            None => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}

/// The names of a value.
struct Names {
    /// The variable of GLSL, and the expression that reads it.
    glsl: (&'static str, String),
    hlsl: &'static str,
    msl: &'static str,
}

/// The names of an input or output; `None` if naga knows it.
fn names(io: &Io) -> Option<Names> {
    let whole = |name: &'static str| (name, format!("uint({name})"));
    Some(match io.binding {
        Binding::Layer => Names {
            glsl: whole("gl_Layer"),
            hlsl: "SV_RenderTargetArrayIndex",
            msl: "render_target_array_index",
        },
        Binding::ViewportIndex => Names {
            glsl: whole("gl_ViewportIndex"),
            hlsl: "SV_ViewportArrayIndex",
            msl: "viewport_array_index",
        },
        Binding::ClipDistance(first) => {
            let element = |c: u8| match io.used.0 >> c & 1 {
                0 => "0.0".to_owned(),
                _ => format!("gl_ClipDistance[{}]", first + c),
            };
            let elements: Vec<String> = (0..io.count).map(element).collect();
            let kind = if io.count > 1 { format!("vec{}", io.count) } else { "float".to_owned() };
            Names {
                glsl: ("gl_ClipDistance", format!("{kind}({})", elements.join(", "))),
                hlsl: if first == 0 { "SV_ClipDistance0" } else { "SV_ClipDistance1" },
                msl: "clip_distance",
            }
        }
        _ => return None,
    })
}

/// The extension that gives vertex programs of GLSL layers and viewports.
const EXTENSION: &str = "#extension GL_ARB_shader_viewport_layer_array : require\n";

/// Replaces the variable that naga declares by one of the language, whose integers are signed.
fn own_variable(text: &str, variable: &str, names: &Names, vertex: bool) -> String {
    let (own, read) = &names.glsl;
    let mut out = String::with_capacity(text.len() + 64);
    let set = format!("{variable} = ");
    let declared = format!(" {variable};");
    let extended = text.contains(EXTENSION);
    for line in text.lines() {
        let declares = line.contains(" out ") || line.contains(" in ");
        if declares && line.ends_with(&declared) {
            continue;
        }
        match line.trim_start().strip_prefix(&set).and_then(|value| value.strip_suffix(';')) {
            Some(value) => {
                let _ = writeln!(out, "    {own} = int({value});");
            }
            None => {
                let _ = writeln!(out, "{}", whole_words(line, variable, read));
            }
        }
        if vertex && !extended && line.starts_with("#version") {
            out.push_str(EXTENSION);
        }
    }
    out
}

/// Replaces a name where it is not part of a longer one.
fn whole_words(line: &str, name: &str, by: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(name) {
        let longer = after.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        out.push_str(before);
        out.push_str(if longer { name } else { by });
        rest = after;
    }
    out.push_str(rest);
    out
}
