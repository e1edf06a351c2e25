//! Programs that draw, and their inputs, as JSON.

use super::json::{Buffer, Part, Runnable, buffers, filled_buffers};
use super::keys::KEYS;
use super::textures::{Textures, bytes, number};
use super::{DrawPixels, DrawVertex, Drawing, Preamble};
use crate::run::{TraceSink, set_executed, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_run::{from_hex, to_base64};
use std::collections::BTreeMap;

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    uniforms_hex: String,
    #[serde(default)]
    buffers: Vec<Buffer>,
    #[serde(flatten)]
    textures: Textures,
    #[serde(default)]
    programs: Vec<Part>,
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
    depth: [f32; 3],
    #[serde(default)]
    tile_bytes: usize,
    #[serde(default)]
    tile: String,
}

impl Pixels {
    fn read(&self) -> Result<DrawPixels> {
        if self.width == 0 || self.height == 0 {
            return Err(wrong("the width and the height of the pixels are at least 1"));
        }
        let plane = |(name, plane): (&String, &[f32; 3])| Ok((number("cf", name)?, *plane));
        Ok(DrawPixels {
            size: [self.width, self.height],
            samples: self.samples.unwrap_or(1),
            coefficients: self.coefficients.iter().map(plane).collect::<Result<_>>()?,
            divisor: self.perspective.as_deref().map_or(Ok(0), |name| number("cf", name))?,
            depth: self.depth,
            bytes: self.tile_bytes,
            tile: bytes(&self.tile, "the tile")?,
        })
    }
}

impl Input {
    /// A program with the environment of the input.
    fn drawing(&self, program: &Runnable<'_>, settings: &Settings) -> Result<Drawing> {
        let (code, stack, preamble) = code(program, &self.programs)?;
        let uniforms = from_hex(&self.uniforms_hex);
        Ok(Drawing {
            code,
            stack: self.scratch_size.max(stack),
            uniforms: uniforms.ok_or_else(|| wrong("the uniforms are not hexadecimal"))?,
            buffers: buffers(&self.buffers)?,
            textures: self.textures.bound(settings)?,
            preamble,
        })
    }
}

/// A program with the environment that an input states.
///
/// # Errors
/// `run-input` if the text has another form.
pub(super) fn drawing(program: &Runnable<'_>, input: &str, settings: &Settings) -> Result<Drawing> {
    KEYS.check(input)?;
    let parsed: Input = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
    parsed.drawing(program, settings)
}

/// Whether an input is for a program that draws.
pub(super) fn draws(input: &Value) -> bool {
    input.get("vertices").is_some() || input.get("pixels").is_some()
}

/// Runs a program that draws on inputs as JSON, and fills in the results. The program is a linked one or a part as
/// JSON, or bare code.
///
/// # Errors
/// `run-input` if a text has another form; the errors of [`Drawing::vertices`] and [`Drawing::pixels`].
pub(super) fn filled(
    program: &Runnable<'_>,
    input: Value,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<Value> {
    let parsed = Input::deserialize(&input).map_err(|e| wrong(e.to_string()))?;
    let drawing = parsed.drawing(program, settings)?;
    let mut out = input;
    let (given, left, textures, executed) = if let Some(vertices) = &parsed.vertices {
        let instance = |i: usize| parsed.instances.get(i).copied().unwrap_or(0);
        let vertex = |(i, v): (usize, &u32)| DrawVertex { vertex: *v, instance: instance(i) };
        let vertices: Vec<DrawVertex> = vertices.iter().enumerate().map(vertex).collect();
        let output = drawing.vertices(&vertices, trace, settings)?;
        let all = output.vertices.iter().map(|given| {
            let words = given.iter().map(|(n, bits)| (n.to_string(), json!(format!("{bits:08x}"))));
            Value::Object(words.collect())
        });
        (
            Map::from_iter([("outputs".to_owned(), all.collect())]),
            output.buffers,
            output.textures,
            output.executed,
        )
    } else {
        let pixels = parsed.pixels.as_ref().ok_or_else(|| wrong("there are neither vertices nor pixels"))?;
        let output = drawing.pixels(&pixels.read()?, trace, settings)?;
        let words = |which: usize| -> Value {
            let of = |all: &Vec<[u32; 2]>| all.iter().map(|v| format!("{:08x}", v[which])).collect::<Value>();
            output.pixels.iter().map(|p| of(&p.depth_stencil)).collect()
        };
        let given = Map::from_iter([
            ("tile".to_owned(), to_base64(&output.tile).into()),
            ("killed".to_owned(), output.pixels.iter().map(|p| p.killed).collect()),
            ("tested".to_owned(), output.pixels.iter().map(|p| p.tested).collect()),
            ("depth".to_owned(), words(0)),
            ("stencil".to_owned(), words(1)),
        ]);
        (
            Map::from_iter([("drawn".to_owned(), Value::Object(given))]),
            output.buffers,
            output.textures,
            output.executed,
        )
    };
    filled_buffers(&mut out, &left);
    parsed.textures.fill(&mut out, &drawing.textures, &textures)?;
    if let Some(out) = out.as_object_mut() {
        out.extend(given);
        set_executed(out, executed);
    }
    Ok(out)
}

/// The instructions of a program, its bytes of stack, and the preamble that sets its uniforms. A linked program lacks
/// the preamble: it comes from the main part, if that is among the given parts.
fn code(program: &Runnable<'_>, parts: &[Part]) -> Result<(Vec<u8>, usize, Preamble)> {
    if let Runnable::Code(bytes) = program {
        return Ok((bytes.to_vec(), 0, Preamble::default()));
    }
    let part = program.part()?.ok_or_else(|| wrong("the program is not a part"))?;
    let (code, meta) = (part.bytes()?, &part.meta);
    let size = meta.main_size.unwrap_or(code.len().saturating_sub(meta.main_offset));
    let main = meta.main_offset.checked_add(size).and_then(|end| code.get(meta.main_offset..end));
    let main = main.ok_or_else(|| wrong("the main part is outside of the code"))?;
    let before = match (meta.kind.as_str(), parts.iter().find(|p| p.meta.id == meta.main)) {
        ("linked", Some(main)) => main,
        ("linked", None) if !parts.is_empty() => {
            let text = format!("none of the programs is {}, the main part of the linked one", meta.main);
            return Err(wrong(text));
        }
        _ => &part,
    };
    Ok((main.to_vec(), meta.stack(&before.meta), before.preamble()?))
}
