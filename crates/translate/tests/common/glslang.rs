//! GLSL and HLSL on a graphics device: glslang compiles the text to SPIR-V with the bindings of the reflection.

use shisa_translate::{Code, Output, Target};
use std::{fmt::Write as _, fs, path::PathBuf, process::Command};

/// Whether glslang is installed; prints that tests are skipped if it is not.
pub fn is_installed() -> bool {
    let installed = Command::new("glslangValidator").arg("--version").output().is_ok();
    if !installed {
        println!("skipped: glslangValidator is not installed");
    }
    installed
}

/// A translation to GLSL or HLSL as a compute kernel in SPIR-V. `name` is that of the file for it.
pub fn compiled(output: &Output, target: Target, name: &str) -> Output {
    let Code::Text(text) = &output.code else { panic!("a text") };
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("glslang");
    fs::create_dir_all(&dir).unwrap();
    let (path, words) = (dir.join(format!("{name}.comp")), dir.join(format!("{name}.spv")));
    let (text, language) = match target {
        Target::Hlsl(_) => (text.clone(), vec!["-D"]),
        _ => (bound(text, output), vec![]),
    };
    fs::write(&path, &text).unwrap();
    let mut command = Command::new("glslangValidator");
    command.current_dir(&dir).args(language).args(["-V", "--target-env", "vulkan1.1", "-S", "comp", "-e"]);
    command.arg(&output.reflection.entry).arg("-o").arg(&words).arg(&path);
    let said = command.output().unwrap();
    assert!(said.status.success(), "{}\n{text}", String::from_utf8_lossy(&said.stdout));
    let words = fs::read(&words).unwrap();
    let words = words.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
    Output { code: Code::Words(words), ..output.clone() }
}

/// GLSL with sets and bindings in place of the binding points of OpenGL.
fn bound(text: &str, output: &Output) -> String {
    let reflection = &output.reflection;
    let mut slots: Vec<(&str, u32, u32)> = Vec::new();
    slots.extend(reflection.textures.iter().map(|t| (&*t.name, t.slot.group, t.slot.binding)));
    slots.extend(reflection.memory.iter().map(|m| ("memory_words", m.slot.group, m.slot.binding)));
    if let Some(lanes) = &reflection.lanes {
        slots.push(("lane_inputs", lanes.group, lanes.input_binding));
        slots.push(("lane_outputs", lanes.output_group.unwrap_or(lanes.group), lanes.output_binding));
    }
    let mut out = String::new();
    for line in text.lines() {
        let slot = slots.iter().find(|slot| line.contains(slot.0));
        match (line.split_once("binding = "), slot) {
            (Some((before, rest)), Some((_, set, binding))) => {
                let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
                let _ = writeln!(out, "{before}set = {set}, binding = {binding}{rest}");
            }
            _ => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}
