//! Runs of PICA200 programs as JSON, in the form of `docs/schema/pica200-run.schema.json`.

use super::super::file::{Pica200File, alone};
use super::pictures::Pica200Shader;
use super::{ShaderOutput, ShaderRegister, ShaderResult, ShaderRun, ShaderSet, execute, source};
use crate::engines::Shader;
use crate::engines::Source;
use crate::family::Runs;
use crate::run::{Shape, TraceSink, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_pica200::container::Shbin;
use std::collections::BTreeMap;

/// The keys of an input, with those of the outputs and of the tests that judge them.
const KEYS: Shape = Shape::Keys(&[
    ("version", Shape::Any),
    ("sets", Shape::Each(&SET)),
    ("dvles", Shape::Any),
    ("judge", Shape::Any),
    ("program", Shape::Any),
    ("tolerance", Shape::Any),
]);

const SET: Shape = Shape::Keys(&[
    ("dvle", Shape::Any),
    ("c", Shape::Any),
    ("i", Shape::Any),
    ("b", Shape::Any),
    ("keep_registers", Shape::Any),
    ("vertices", Shape::Each(&RUN)),
    ("invocations", Shape::Each(&RUN)),
    ("trace", Shape::Any),
    ("set", Shape::Any),
    ("inputs", Shape::Any),
    ("f24_exact", Shape::Any),
    ("f24_exact_vertices", Shape::Any),
    ("uses_rcp_rsq_ex2_lg2", Shape::Any),
]);

const RUN: Shape = Shape::Keys(&[
    ("in", Shape::Any),
    ("out", Shape::Any),
    ("primitives", Shape::Any),
    ("emits", Shape::Any),
    ("end", Shape::Any),
    ("steps", Shape::Any),
]);

#[derive(Deserialize)]
struct File {
    version: Option<u64>,
    sets: Vec<SetText>,
}

#[derive(Deserialize)]
struct SetText {
    #[serde(default)]
    dvle: usize,
    #[serde(default)]
    c: BTreeMap<String, String>,
    #[serde(default)]
    i: BTreeMap<String, [u8; 4]>,
    #[serde(default)]
    b: String,
    #[serde(default)]
    keep_registers: bool,
    vertices: Option<Vec<RunText>>,
    invocations: Option<Vec<RunText>>,
}

#[derive(Deserialize)]
struct RunText {
    #[serde(default, rename = "in")]
    given: BTreeMap<String, String>,
}

impl ShaderSet {
    /// Reads the sets of a file. Expectations and keys for human readers are ignored.
    ///
    /// # Errors
    /// `run-input` if the text is not JSON of this form, has an unknown key, or has a later version of the form.
    pub fn from_json(text: &str) -> Result<Vec<ShaderSet>> {
        KEYS.check(text)?;
        let file: File = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
        if let Some(version) = file.version.filter(|&v| v != 1) {
            return Err(wrong(format!(
                "version {version} of this form is not known; the known version is 1"
            )));
        }
        file.sets.into_iter().map(set).collect()
    }
}

fn set(text: SetText) -> Result<ShaderSet> {
    let mut set =
        ShaderSet { program: text.dvle, keep_registers: text.keep_registers, ..ShaderSet::default() };
    for (name, value) in &text.c {
        let n = number(name, "c", set.uniforms.floats.len())?;
        if let Some(slot) = set.uniforms.floats.get_mut(usize::from(n)) {
            *slot = register(name, value)?;
        }
    }
    for (name, value) in &text.i {
        let n = number(name, "i", set.uniforms.integers.len())?;
        if let Some(slot) = set.uniforms.integers.get_mut(usize::from(n)) {
            *slot = *value;
        }
    }
    if !text.b.is_empty() {
        let mask = u16::from_str_radix(&text.b, 16);
        set.uniforms.booleans = mask.map_err(|_| wrong(format!("b: \"{}\" is not a mask in hex", text.b)))?;
    }
    let ((Some(runs), None) | (None, Some(runs))) = (text.vertices, text.invocations) else {
        return Err(wrong("a set has either vertices or invocations"));
    };
    for run in runs {
        let mut given = ShaderRun::default();
        for (name, value) in &run.given {
            let value = register(name, value)?;
            if name.starts_with('c') {
                given.constants.insert(number(name, "c", 96)?, value);
            } else {
                given.inputs.insert(number(name, "v", 16)?, value);
            }
        }
        set.runs.push(given);
    }
    Ok(set)
}

fn number(name: &str, file: &str, count: usize) -> Result<u8> {
    let number = name.strip_prefix(file).and_then(|n| n.parse::<u8>().ok());
    let number = number.filter(|n| usize::from(*n) < count);
    number.ok_or_else(|| wrong(format!("\"{name}\" is not a register from {file}0 to {file}{}", count - 1)))
}

fn register(name: &str, text: &str) -> Result<ShaderRegister> {
    let words = text.split_ascii_whitespace().map(|w| u32::from_str_radix(w, 16).ok());
    let words: Option<Vec<u32>> = words.collect();
    let four = words.and_then(|w| ShaderRegister::try_from(w).ok());
    four.ok_or_else(|| wrong(format!("{name}: \"{text}\" is not four 32-bit words in hex")))
}

impl Runs for Pica200File<'_> {
    /// The sets of the input number the programs of the shader binary; for a single program there is only that one.
    fn run_json(
        &self,
        which: Option<usize>,
        input: &str,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Value> {
        match (which, self.whole()) {
            (None, Some((_, file))) => filled(file, input, trace, settings),
            _ => {
                let (_, file, number) = self.program(which.unwrap_or(0))?;
                filled(&alone(file, number), input, trace, settings)
            }
        }
    }

    fn executable(&self, index: usize, settings: &Settings) -> Result<Option<Box<dyn Source>>> {
        let (_, file, number) = self.program(index)?;
        Ok(Some(Box::new(source(file, number, settings)?)))
    }

    fn shader(&self, index: usize, input: Option<&str>, settings: &Settings) -> Result<Box<dyn Shader>> {
        let (_, file, number) = self.program(index)?;
        Ok(Box::new(Pica200Shader::new(file, number, input, settings)?))
    }
}

/// The input's JSON text with results filled in: for vertices `out`, for invocations `primitives` and `emits`, for
/// both `end` and `steps`.
fn filled(file: &Shbin, text: &str, trace: &mut dyn TraceSink, settings: &Settings) -> Result<Value> {
    let sets = ShaderSet::from_json(text)?;
    let outputs = execute(file, &sets, trace, settings)?;
    let mut filled: Map<String, Value> = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    filled.entry("version").or_insert(json!(1));
    let texts = filled.get_mut("sets").and_then(Value::as_array_mut);
    for (set, output) in texts.into_iter().flatten().zip(&outputs) {
        fill(set, output);
    }
    Ok(filled.into())
}

fn fill(set: &mut Value, output: &ShaderOutput) {
    let Value::Object(set) = set else { return };
    for kind in ["vertices", "invocations"] {
        let runs = set.get_mut(kind).and_then(Value::as_array_mut);
        for (run, result) in runs.into_iter().flatten().zip(&output.results) {
            let Value::Object(run) = run else { continue };
            if kind == "vertices" {
                run.insert("out".into(), registers(&result.outputs));
            } else {
                run.insert("primitives".into(), primitives(result));
                run.insert("emits".into(), emits(result));
            }
            // Every run executes a word, if the engine counts them.
            if result.steps == 0 {
                run.remove("end");
                run.remove("steps");
                continue;
            }
            let [x, y, l] = result.address;
            let [a, b] = result.flags.map(i32::from);
            run.insert("end".into(), json!([x, y, l, a, b]));
            run.insert("steps".into(), json!(result.steps));
        }
    }
}

fn registers(list: &[(u8, ShaderRegister)]) -> Value {
    let text = |v: &ShaderRegister| v.map(|bits| format!("{bits:08x}")).join(" ");
    list.iter().map(|(n, v)| (format!("o{n}"), Value::from(text(v)))).collect::<Map<_, _>>().into()
}

fn primitives(result: &ShaderResult) -> Value {
    let one = |t: &super::ShaderTriangle| json!({ "inv": t.flipped, "v": t.vertices.each_ref().map(|v| registers(v)) });
    result.triangles.iter().map(one).collect()
}

fn emits(result: &ShaderResult) -> Value {
    let one = |e: &super::ShaderEmit| json!({ "id": e.slot, "prim": e.primitive, "inv": e.flipped, "o": registers(&e.outputs) });
    result.emits.iter().map(one).collect()
}
