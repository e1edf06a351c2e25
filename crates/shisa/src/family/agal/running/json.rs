//! Runs as JSON, in the form of `docs/schema/agal-run.schema.json`.

use super::{RunInput, RunOutput, TextureInput, wrong};
use crate::run::{Shape, set_executed};
use crate::{Error, Result};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_diag::Diagnostic;
use shisa_eval::{Format, Grid};
use shisa_ir::{Dim, Filter, Sampler, Wrap};
use std::collections::BTreeMap;

/// The keys of an input, with those of the outputs and of the tests that judge them.
const KEYS: Shape = Shape::Keys(&[
    ("version", Shape::Any),
    ("lanes", Shape::Any),
    ("grid", Shape::Keys(&[("width", Shape::Any), ("height", Shape::Any)])),
    ("attributes", Shape::Each(&Shape::Keys(&[("format", Shape::Any), ("values", Shape::Any)]))),
    ("varyings", Shape::Any),
    ("instance", Shape::Any),
    ("constants", Shape::Any),
    ("textures", Shape::Each(&TEXTURE)),
    ("expected", Shape::Any),
    ("executed", Shape::Any),
    ("trace", Shape::Any),
    ("sensitive", Shape::Any),
    ("tolerance", Shape::Any),
    ("judges", Shape::Any),
    ("program", Shape::Any),
    ("agal", Shape::Any),
    ("stage", Shape::Any),
]);

const TEXTURE: Shape = Shape::Keys(&[
    ("dimension", Shape::Any),
    ("width", Shape::Any),
    ("height", Shape::Any),
    ("format", Shape::Any),
    ("levels", Shape::Any),
    ("sampler", Shape::Any),
]);

#[derive(Deserialize)]
struct File {
    version: Option<u64>,
    lanes: usize,
    grid: Option<Size>,
    #[serde(default)]
    attributes: BTreeMap<String, Attribute>,
    #[serde(default)]
    varyings: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    instance: Vec<u32>,
    #[serde(default)]
    constants: BTreeMap<String, String>,
    #[serde(default)]
    textures: BTreeMap<String, Texture>,
}

#[derive(Deserialize)]
struct Size {
    width: usize,
    height: usize,
}

#[derive(Deserialize)]
struct Attribute {
    format: String,
    values: Vec<String>,
}

#[derive(Deserialize)]
struct Texture {
    dimension: String,
    width: usize,
    height: usize,
    format: String,
    levels: Vec<Vec<String>>,
    #[serde(default)]
    sampler: BTreeMap<String, Value>,
}

impl RunInput {
    /// Reads inputs. Expectations and keys for human readers are ignored.
    ///
    /// # Errors
    /// `run-input` if the text is not JSON of this form, has an unknown key, or has a later version of the form.
    pub fn from_json(text: &str) -> Result<RunInput> {
        KEYS.check(text)?;
        let file: File = serde_json::from_str(text).map_err(|e| fault(text, &e))?;
        if let Some(version) = file.version.filter(|&v| v != 1) {
            return Err(wrong(format!(
                "version {version} of this form is not known; the known version is 1"
            )));
        }
        if file.lanes == 0 || file.grid.as_ref().is_some_and(|s| s.width == 0 || s.height == 0) {
            return Err(wrong("lanes, and the width and height of the grid, are at least 1"));
        }
        let mut input = RunInput {
            lanes: file.lanes,
            grid: file.grid.map(|s| Grid { width: s.width, height: s.height }),
            instance: file.instance,
            ..RunInput::default()
        };
        for (name, a) in file.attributes {
            let count = match a.format.as_str() {
                "float1" => 1,
                "float2" => 2,
                "float3" => 3,
                "float4" => 4,
                other => return Err(wrong(format!("{name}: unknown format \"{other}\": float1 to float4"))),
            };
            let lanes = lanes(&name, &a.values)?;
            if let Some(l) = lanes.iter().find(|l| l.len() != count) {
                return Err(wrong(format!("{name}: {} has {count} components, {} given", a.format, l.len())));
            }
            input.inputs.insert(name, lanes);
        }
        for (name, values) in file.varyings {
            let lanes = lanes(&name, &values)?;
            input.inputs.insert(name, lanes);
        }
        for (name, value) in file.constants {
            let value = numbers(&name, &value)?;
            let four = value.try_into().map_err(|_| wrong(format!("{name}: a constant has 4 components")))?;
            input.constants.insert(name, four);
        }
        for (name, t) in file.textures {
            let texture = texture(&name, t)?;
            input.textures.insert(name, texture);
        }
        Ok(input)
    }
}

impl RunOutput {
    /// The input's JSON text with `expected` filled in: for each output a string for each lane, `-` for a component
    /// that the program never writes, `killed` for a discarded pixel. `executed` counts instructions, and `trace` is
    /// present if requested.
    ///
    /// # Errors
    /// `run-input` if the text is not a JSON object.
    pub fn to_json(&self, input: &str) -> Result<Value> {
        let mut object: Map<String, Value> = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
        let column = |lanes: &Vec<Vec<Option<u32>>>| -> Value {
            let lane = |(l, killed): (&Vec<Option<u32>>, &bool)| match killed {
                true => "killed".to_owned(),
                false => {
                    let part = |c: &Option<u32>| c.map_or("-".into(), |b| format!("{b:08x}"));
                    l.iter().map(part).collect::<Vec<_>>().join(" ")
                }
            };
            lanes.iter().zip(&self.killed).map(lane).collect::<Vec<_>>().into()
        };
        let expected: Map<String, Value> =
            self.outputs.iter().map(|c| (c.name.clone(), column(&c.lanes))).collect();
        object.entry("version").or_insert(json!(1));
        object.insert("expected".into(), expected.into());
        set_executed(&mut object, self.executed);
        if !self.trace.is_empty() {
            let trace = serde_json::to_value(&self.trace).map_err(|e| wrong(e.to_string()))?;
            object.insert("trace".into(), trace);
        }
        Ok(Value::Object(object))
    }
}

/// The reader's message about the text, with its location.
fn fault(text: &str, e: &serde_json::Error) -> Error {
    let before = text.split_inclusive('\n').take(e.line().saturating_sub(1)).map(str::len).sum::<usize>();
    let at = (before + e.column().saturating_sub(1)).min(text.len());
    let at = (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    let said = e.to_string();
    // The label has the location already.
    let said = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
    Diagnostic::error("run-input", said).at_text(at..at, "").into()
}

fn lanes(name: &str, values: &[String]) -> Result<Vec<Vec<u32>>> {
    values.iter().map(|v| numbers(name, v)).collect()
}

/// Bit patterns in hex, separated by blanks.
fn numbers(name: &str, text: &str) -> Result<Vec<u32>> {
    let number = |word: &str| {
        let bits = (word.len() == 8).then(|| u32::from_str_radix(word, 16).ok()).flatten();
        bits.ok_or_else(|| wrong(format!("{name}: \"{word}\" is not 8 hex digits")))
    };
    text.split_ascii_whitespace().map(number).collect()
}

fn texture(name: &str, t: Texture) -> Result<TextureInput> {
    let dim = match t.dimension.as_str() {
        "2d" => Dim::D2,
        "cube" => Dim::Cube,
        other => return Err(wrong(format!("{name}: unknown dimension \"{other}\": 2d or cube"))),
    };
    let Some(format) = Format::from_name(&t.format) else {
        let names: Vec<&str> = Format::ALL.iter().map(|f| f.name()).collect();
        return Err(wrong(format!("{name}: unknown format \"{}\": one of {}", t.format, names.join(", "))));
    };
    let face =
        |hex: &String| bytes(hex).ok_or_else(|| wrong(format!("{name}: texels are pairs of hex digits")));
    let level = |faces: &Vec<String>| faces.iter().map(face).collect::<Result<Vec<_>>>();
    Ok(TextureInput {
        dim,
        width: t.width,
        height: t.height,
        format,
        levels: t.levels.iter().map(level).collect::<Result<_>>()?,
        sampler: sampler(name, &t.sampler)?,
    })
}

/// Bytes from hex digits.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digit = |b: &u8| char::from(*b).to_digit(16).map(|d| d as u8);
    let pair = |p: &[u8]| Some(digit(p.first()?)? << 4 | digit(p.get(1)?)?);
    hex.as_bytes().chunks(2).map(pair).collect()
}

fn sampler(name: &str, fields: &BTreeMap<String, Value>) -> Result<Sampler> {
    let mut s = TextureInput::PLAIN_SAMPLER;
    for (key, value) in fields {
        set_state(&mut s, key, value)
            .ok_or_else(|| wrong(format!("{name}: unknown sampler state {key} {value}")))?;
    }
    Ok(s)
}

fn set_state(s: &mut Sampler, key: &str, value: &Value) -> Option<()> {
    match (key, value.as_str().unwrap_or_default()) {
        ("filter", "nearest") => s.filter = Filter::Nearest,
        ("filter", "linear") => s.filter = Filter::Linear,
        ("mip", "mipnone") => s.mip = None,
        ("mip", "mipnearest") => s.mip = Some(Filter::Nearest),
        ("mip", "miplinear") => s.mip = Some(Filter::Linear),
        ("wrap", text) => s.wrap = wrap(text).map(|(u, v)| [u, v, u])?,
        ("bias", _) => s.bias_eighths = (value.as_f64()? * 8.0) as i8,
        _ => return None,
    }
    Some(())
}

fn wrap(text: &str) -> Option<(Wrap, Wrap)> {
    Some(match text {
        "clamp" => (Wrap::Clamp, Wrap::Clamp),
        "repeat" => (Wrap::Repeat, Wrap::Repeat),
        "clamp_u_repeat_v" => (Wrap::Clamp, Wrap::Repeat),
        "repeat_u_clamp_v" => (Wrap::Repeat, Wrap::Clamp),
        _ => return None,
    })
}
