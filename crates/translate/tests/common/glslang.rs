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
        Target::Hlsl(_) => (whole(&split(text)), vec!["-D"]),
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

/// HLSL without the function that takes doubles apart, which glslang does not know.
fn split(text: &str) -> String {
    match text.contains(TAKES_APART) {
        true => [WORDS_OF, &text.replace(TAKES_APART, "words_of(result, low, high);")].concat(),
        false => text.into(),
    }
}

/// HLSL without the conversion of a float to a 64-bit integer, which glslang does not know.
fn whole(text: &str) -> String {
    match text.contains("uint64_t(") {
        true => [WHOLE_OF, &text.replace("uint64_t(", "whole_of(")].concat(),
        false => text.into(),
    }
}

/// The same by two parts, each of which is exact.
const WHOLE_OF: &str = "
uint64_t whole_of(float x) {
    uint high = uint(x / 4294967296.0);
    uint low = uint(x - float(high) * 4294967296.0);
    uint64_t whole = high;
    return whole << 32u | low;
}
";

const TAKES_APART: &str = "asuint(result, low, high);";

/// The same by exact arithmetic. It ends with 1 to 2 times a power of two, or with less than 1 for denormals.
const WORDS_OF: &str = "
void words_of(double x, out uint low, out uint high) {
    low = 0u;
    if (!(x == x)) {
        high = 0x7ff80000u;
        return;
    }
    high = x < 0.0L || 1.0L / x < 0.0L ? 0x80000000u : 0u;
    x = high != 0u ? -x : x;
    if (x == 0.0L || x > 1.7976931348623157e308L) {
        high |= x == 0.0L ? 0u : 0x7ff00000u;
        return;
    }
    uint exponent = 1023u;
    while (x >= 2.0L) {
        x *= 0.5L;
        exponent += 1u;
    }
    while (x < 1.0L && exponent > 1u) {
        x *= 2.0L;
        exponent -= 1u;
    }
    if (x >= 1.0L) {
        x -= 1.0L;
        high |= exponent << 20u;
    }
    x *= 1048576.0L;
    uint top = uint(x);
    high |= top;
    low = uint((x - double(top)) * 4294967296.0L);
}
";

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
