//! Programs that draw and what they work on as JSON.

use super::json::{Buffer, Part, buffers, filled_buffers, hex, traced};
use super::{DrawPixels, DrawVertex, Drawing, base64};
use crate::run::{RunOptions, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_eval::{Format, Texture, TextureSet};
use shisa_ir::{Dim, Filter, Sampler, Wrap};
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    uniforms_hex: String,
    #[serde(default)]
    buffers: Vec<Buffer>,
    #[serde(default)]
    textures: BTreeMap<String, Image>,
    #[serde(default)]
    scratch_size: usize,
    vertices: Option<Vec<u32>>,
    #[serde(default)]
    instances: Vec<u32>,
    pixels: Option<Pixels>,
}

#[derive(Deserialize)]
struct Pixels {
    width: usize,
    height: usize,
    samples: Option<u16>,
    #[serde(default)]
    coefficients: BTreeMap<String, [f32; 3]>,
    #[serde(default)]
    perspective: Option<String>,
    #[serde(default)]
    tile_bytes: usize,
    #[serde(default)]
    tile: String,
}

#[derive(Deserialize)]
struct Image {
    width: usize,
    height: usize,
    format: String,
    data: String,
    #[serde(default)]
    linear: bool,
    #[serde(default)]
    repeat: bool,
}

/// The number behind a prefix.
fn number<T: std::str::FromStr>(prefix: &str, name: &str) -> Result<T> {
    let digits = name.strip_prefix(prefix).and_then(|digits| digits.parse().ok());
    digits.ok_or_else(|| wrong(format!("there is no register `{name}`; names are like `{prefix}0`")))
}

fn bytes(text: &str, of: &str) -> Result<Vec<u8>> {
    base64::decode(text).ok_or_else(|| wrong(format!("the data of {of} is not base64")))
}

impl Image {
    fn bind(&self, name: &str, textures: &mut TextureSet, settings: &Settings) -> Result<()> {
        let format = Format::from_name(&self.format)
            .ok_or_else(|| wrong(format!("`{}` is no texel format", self.format)))?;
        let levels = [[bytes(&self.data, name)?]];
        let texture = Texture::new(format, Dim::D2, self.width, self.height, &levels, &settings.limits)?;
        let sampler = Sampler {
            filter: if self.linear { Filter::Linear } else { Filter::Nearest },
            wrap: [if self.repeat { Wrap::Repeat } else { Wrap::Clamp }; 3],
            anisotropy: 1,
            ..Sampler::default()
        };
        Ok(textures.bind(number("ts", name)?, texture, sampler, &settings.limits)?)
    }
}

impl Pixels {
    fn read(&self) -> Result<DrawPixels> {
        let plane = |(name, plane): (&String, &[f32; 3])| Ok((number("cf", name)?, *plane));
        Ok(DrawPixels {
            size: [self.width, self.height],
            samples: self.samples.unwrap_or(1),
            coefficients: self.coefficients.iter().map(plane).collect::<Result<_>>()?,
            divisor: self.perspective.as_deref().map_or(Ok(0), |name| number("cf", name))?,
            bytes: self.tile_bytes,
            tile: bytes(&self.tile, "the tile")?,
        })
    }
}

/// Whether an input is one of a program that draws.
pub(super) fn draws(input: &Value) -> bool {
    input.get("vertices").is_some() || input.get("pixels").is_some()
}

/// Runs a program that draws on inputs as JSON, and fills in what came out. The program is a linked one or a part as
/// JSON, or bare code.
///
/// # Errors
/// `run-input` when a text has another form; as [`Drawing::vertices`] and [`Drawing::pixels`].
pub(super) fn filled(
    program: &[u8],
    input: Value,
    options: RunOptions,
    settings: &Settings,
) -> Result<Value> {
    let parsed = Input::deserialize(&input).map_err(|e| wrong(e.to_string()))?;
    let (code, stack) = code(program)?;
    let mut textures = TextureSet::new();
    for (name, image) in &parsed.textures {
        image.bind(name, &mut textures, settings)?;
    }
    let drawing = Drawing {
        code,
        stack: parsed.scratch_size.max(stack),
        uniforms: hex(&parsed.uniforms_hex).ok_or_else(|| wrong("the uniforms are not hexadecimal"))?,
        buffers: buffers(&parsed.buffers)?,
        textures,
    };
    let mut out = input;
    let (given, left, executed, trace) = if let Some(vertices) = &parsed.vertices {
        let instance = |i: usize| parsed.instances.get(i).copied().unwrap_or(0);
        let vertex = |(i, v): (usize, &u32)| DrawVertex { vertex: *v, instance: instance(i) };
        let vertices: Vec<DrawVertex> = vertices.iter().enumerate().map(vertex).collect();
        let output = drawing.vertices(&vertices, options, settings)?;
        let all = output.vertices.iter().map(|given| {
            let words = given.iter().map(|(n, bits)| (n.to_string(), json!(format!("{bits:08x}"))));
            Value::Object(words.collect())
        });
        (
            Map::from_iter([("outputs".to_owned(), all.collect())]),
            output.buffers,
            output.executed,
            output.trace,
        )
    } else {
        let pixels = parsed.pixels.as_ref().ok_or_else(|| wrong("there are neither vertices nor pixels"))?;
        let output = drawing.pixels(&pixels.read()?, options, settings)?;
        let words = |which: usize| -> Value {
            let of = |all: &Vec<[u32; 2]>| all.iter().map(|v| format!("{:08x}", v[which])).collect::<Value>();
            output.pixels.iter().map(|p| of(&p.depth_stencil)).collect()
        };
        let given = Map::from_iter([
            ("tile".to_owned(), base64::encode(&output.tile).into()),
            ("killed".to_owned(), output.pixels.iter().map(|p| p.killed).collect()),
            ("tested".to_owned(), output.pixels.iter().map(|p| p.tested).collect()),
            ("depth".to_owned(), words(0)),
            ("stencil".to_owned(), words(1)),
        ]);
        (
            Map::from_iter([("drawn".to_owned(), Value::Object(given))]),
            output.buffers,
            output.executed,
            output.trace,
        )
    };
    filled_buffers(&mut out, &left);
    if let Some(out) = out.as_object_mut() {
        out.extend(given);
        out.insert("executed".into(), executed.into());
        if options.trace > 0 {
            out.insert("trace".into(), traced(&trace)?);
        }
    }
    Ok(out)
}

/// The instructions of a program, and the bytes of stack that it says it needs.
fn code(program: &[u8]) -> Result<(Vec<u8>, usize)> {
    let part = std::str::from_utf8(program).ok().filter(|text| text.trim_start().starts_with('{'));
    let Some(text) = part else { return Ok((program.to_vec(), 0)) };
    let part: Part = serde_json::from_str(text).map_err(|e| wrong(e.to_string()))?;
    let code = hex(&part.code).ok_or_else(|| wrong("the code is not hexadecimal"))?;
    let size = part.meta.main_size.unwrap_or(code.len().saturating_sub(part.meta.main_offset));
    let main = part.meta.main_offset.checked_add(size).and_then(|end| code.get(part.meta.main_offset..end));
    let main = main.ok_or_else(|| wrong("the main part lies outside of the code"))?;
    Ok((main.to_vec(), part.meta.scratch_size))
}
