//! Compute shaders of uam on memory and textures: the contents of the storage buffers afterwards.

use super::words;
use crate::execute::Counts;
use crate::execute::agx::Done;
use crate::opened::first;
use serde_json::Value;
use shisa::Settings;
use shisa::eval::{Format, Size, Texture};
use shisa::ir::{Dim, Filter, Sampler, Shape, Wrap};
use shisa::maxwell::launch::{Driver, IMAGES as IMAGE_HANDLES, Launch, PARAMETERS, TEXTURES};
use shisa::maxwell::lower::TextureKind;
use shisa_conformance::maxwell::memory::unchanged_or_expected;
use shisa_run::{from_base64, to_base64};
use shisa_translate::execute::{Device, Image, Resources};
use shisa_translate::{Options, Pointer, Target};
use std::cell::RefCell;

/// The bank of the uniform buffer of binding 0.
const UNIFORMS: u64 = 2;
/// Bytes of the entry of a storage buffer in bank 0.
const ENTRY: usize = 16;
/// Units of images come after those of textures.
const IMAGES: u64 = 32;

/// A shader and its run.
pub(in crate::execute) struct Case {
    dksh: Vec<u8>,
    run: Value,
}

impl Case {
    /// The shader of a line, if it has a run.
    pub(in crate::execute) fn read(shader: &Value) -> Option<Result<Case, String>> {
        let run = shader.get("run").filter(|run| run.is_object())?.clone();
        let dksh = shader.get("dksh").and_then(Value::as_str).and_then(from_base64);
        Some(dksh.ok_or("no dksh".to_owned()).map(|dksh| Case { dksh, run }))
    }

    /// Runs the translation and compares.
    pub(in crate::execute) fn judge(&self, device: &Device, target: Target) -> Result<Done, String> {
        let options = Options { exact: true, ..Options::default() };
        let resources = self.run.get("resources").and_then(Value::as_array).ok_or("no resources")?;
        let mut settings = Settings::default();
        for resource in resources {
            let word = |key: &str| resource.get(key).and_then(Value::as_str).unwrap_or_default();
            let Some(shape) = shape(word("dim")) else { continue };
            let first = if word("kind") == "image" { IMAGE_HANDLES } else { TEXTURES };
            let binding = resource.get("binding").and_then(Value::as_u64).unwrap_or(0) as u16;
            let integers = ["ui", "i"].iter().any(|end| word("format").ends_with(end));
            settings.maxwell.textures.insert(first + binding, TextureKind { shape, integers });
        }
        let program = first(&self.dksh, &settings);
        let output = match program.and_then(|program| program.translate(target, &options)) {
            Ok(output) => output,
            Err(e) => {
                let reason = e.diagnostics.first().map(|d| format!("{}: {}", d.code, d.message));
                return Ok(Done::Refused(reason.unwrap_or_default()));
            }
        };
        if settings.maxwell.textures.values().any(|t| t.shape.dim == Dim::D1 && t.shape.arrayed) {
            return Ok(Done::Refused("wgpu has no textures of one dimension with layers".into()));
        }
        let number = |r: &Value| r.get("binding").and_then(Value::as_u64).unwrap_or(0);
        let bytes = |r: &Value| {
            r.get("data").and_then(Value::as_str).and_then(from_base64).ok_or("data is not base64")
        };
        let (mut entries, mut banks, mut buffers, mut textures) =
            (vec![0; 16 * ENTRY], Vec::new(), Vec::new(), Vec::new());
        for resource in resources {
            let (binding, data) = (number(resource), bytes(resource)?);
            match resource.get("kind").and_then(Value::as_str).unwrap_or_default() {
                "ubo" => banks.push(((UNIFORMS + binding) as u8, words(&data))),
                "ssbo" => {
                    let at = ENTRY * binding as usize;
                    let size = entries.get_mut(at + 8..at + 12).ok_or("a binding that does not exist")?;
                    size.copy_from_slice(&(data.len() as u32).to_le_bytes());
                    let pointer = Pointer { bank: 0, offset: (PARAMETERS + at) as u32 };
                    buffers.push((pointer, RefCell::new(words(&data))));
                }
                "texture" => textures.push(image(resource, binding, &data)?),
                "image" => textures.push(image(resource, IMAGES + binding, &data)?),
                kind => return Err(format!("a resource of the kind {kind}")),
            }
        }
        let three = |key: &str| -> Option<[u32; 3]> {
            let list = self.run.get(key)?.as_array()?.iter();
            list.map(|n| n.as_u64().map(|n| n as u32)).collect::<Option<Vec<u32>>>()?.try_into().ok()
        };
        let grid = three("workgroups").ok_or("no workgroups")?;
        let block = three("local_size").ok_or("no local size")?;
        let launch = Launch { driver: Driver::Deko3d, grid, block, parameters: entries, ..Launch::default() };
        banks.push((0, words(&launch.bank(&[]))));
        device.compute(
            &output,
            Resources { textures: &textures, banks: &banks, buffers: &buffers, ..Resources::default() },
            grid,
        )?;
        let mut filled = self.run.clone();
        let mut counts = Counts::default();
        let list = filled.get_mut("resources").and_then(Value::as_array_mut).ok_or("no resources")?;
        let mut after = buffers.iter();
        for resource in list {
            let Some(resource) = resource.as_object_mut() else { continue };
            if resource.get("kind").and_then(Value::as_str) != Some("ssbo") {
                continue;
            }
            let (_, got) = after.next().ok_or("a buffer is missing")?;
            let bytes: Vec<u8> = got.borrow().iter().flat_map(|w| w.to_le_bytes()).collect();
            let want = resource.get("expected").and_then(Value::as_str).and_then(from_base64);
            if let Some(want) = want {
                let got = got.borrow();
                counts.components += got.len();
                counts.equal += words(&want).iter().zip(got.iter()).filter(|(a, b)| a == b).count();
            }
            resource.insert("expected".into(), to_base64(&bytes).into());
        }
        unchanged_or_expected(&self.run, &filled, "resources")?;
        Ok(Done::Ran(counts))
    }
}

/// The shape of a name.
fn shape(name: &str) -> Option<Shape> {
    let (dim, arrayed) = match name {
        "1d" | "buf" => (Dim::D1, false),
        "1da" => (Dim::D1, true),
        "2d" => (Dim::D2, false),
        "2da" => (Dim::D2, true),
        "3d" => (Dim::D3, false),
        "cube" => (Dim::Cube, false),
        "cubea" => (Dim::Cube, true),
        _ => return None,
    };
    Some(Shape { dim, arrayed, multisampled: false })
}

/// A texture with its sampler.
pub(super) fn image(resource: &Value, unit: u64, data: &[u8]) -> Result<Image, String> {
    let number = |key: &str| resource.get(key).and_then(Value::as_u64).unwrap_or(1) as usize;
    let name = |key: &str| resource.get(key).and_then(Value::as_str).unwrap_or_default();
    let shape = shape(name("dim")).ok_or("a texture of an unknown shape")?;
    let dim = shape.dim;
    let format = Format::from_name(name("format")).ok_or("an unknown format")?;
    let [width, height, depth, layers, levels] = ["width", "height", "depth", "layers", "levels"].map(number);
    let faces = if dim == Dim::Cube { 6 } else { 1 };
    let (mut rest, mut all) = (data, Vec::new());
    for level in 0..levels {
        let half = |n: usize| (n >> level).max(1);
        let each = format.bytes(half(width), half(height));
        let slices = half(depth) * layers * faces;
        let (own, after) = rest.split_at_checked(each * slices).ok_or("too few texels")?;
        all.push(own.chunks(each.max(1)).collect::<Vec<_>>());
        rest = after;
    }
    let size = Size { width, height, depth, layers, samples: 1 };
    let texture =
        Texture::shaped(format, shape, size, &all, &shisa::diag::Limits::default()).map_err(|d| d.message)?;
    let texels = |level: usize| {
        let half = |n: usize| (n >> level).max(1);
        let slices = 0..half(depth) * layers * faces;
        let rows = slices.flat_map(move |s| (0..half(height)).map(move |y| (s, y)));
        let places = rows.flat_map(move |(s, y)| (0..half(width)).map(move |x| (s, x, y)));
        places.map(|(s, x, y)| texture.texel(level, s, [x, y]).unwrap_or_default()).collect::<Vec<_>>()
    };
    let filter = if name("filter") == "linear" { Filter::Linear } else { Filter::Nearest };
    let wrap = match name("wrap") {
        "repeat" => Wrap::Repeat,
        "mirror" => Wrap::Mirror,
        _ => Wrap::Clamp,
    };
    let sampler = Sampler {
        filter,
        mip: (levels > 1).then_some(filter),
        wrap: [wrap; 3],
        anisotropy: 1,
        bias_eighths: 0,
    };
    Ok(Image {
        unit: unit as u16,
        shape,
        size: [width as u32, height as u32, (depth * layers * faces) as u32],
        levels: (0..levels).map(texels).collect(),
        sampler,
    })
}
