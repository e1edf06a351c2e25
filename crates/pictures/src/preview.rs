//! A fragment program over a rectangle.

use crate::counts::Counts;
use crate::faults::{Result, wrong};
use crate::picture::Picture;
use crate::shader::{Lanes, Shader};
use shisa_debug::Captured;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::{Grid, TargetFormat};
use shisa_ir::{Binding, Interpolation, Io, Scalar, Stage};
use std::collections::BTreeMap;
use std::ops::Range;

/// The values of an input at the corners: upper left, upper right, lower left, lower right.
pub type Corners = [[f32; 4]; 4];

/// The corners of inputs that nothing states: the first component grows to the right, the second downwards, and the others
/// are 0 and 1.
pub const CORNERS: Corners =
    [[0.0, 0.0, 0.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 1.0]];

/// Bytes that a pixel needs besides its inputs and outputs.
const PIXEL_BYTES: usize = 64;

/// A rectangle, and what its program reads.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Pixels of a row, and rows.
    pub size: [usize; 2],
    /// The corners of inputs by name; others have [`CORNERS`].
    pub corners: BTreeMap<String, Corners>,
    /// The number of the colour that is shown.
    pub target: u32,
    /// Its format; `None` keeps the floats of the program.
    pub format: Option<TargetFormat>,
    /// Whether to count what pixels cost.
    pub counts: bool,
}

impl Default for Preview {
    fn default() -> Preview {
        Preview { size: [256; 2], corners: BTreeMap::new(), target: 0, format: None, counts: false }
    }
}

/// Runs a fragment program for all pixels of a rectangle, whose front is visible: the position of a pixel is its centre with
/// depth 0.5 and w 1. The inputs are linear between the corners; flat ones have the value of the upper left corner.
///
/// # Errors
/// `picture-stage` for a program of another stage; `picture-output` if it does not write the colour; `picture-input` for
/// an input that it does not have; `limit-exceeded`; what the evaluator refuses.
pub fn preview(shader: &mut dyn Shader, preview: &Preview, limits: &Limits) -> Result<Picture> {
    let target = checked(shader, preview)?;
    let ([width, height], inputs) = (preview.size, shader.inputs().to_vec());
    let components = |list: &[Io]| list.iter().map(|io| 8 * usize::from(io.count)).sum::<usize>();
    let each = components(&inputs) + components(shader.outputs()) + PIXEL_BYTES;
    let count = width.saturating_mul(height);
    limits.check(Limit::Memory, "bytes of pixels", count.saturating_mul(each)).map_err(|d| vec![d])?;
    let values: Vec<Vec<u32>> = inputs.iter().map(|io| pixels(io, preview, 0..width, 0..height)).collect();
    let lanes = Lanes { count, grid: Some(Grid { width, height }), helpers: &[], inputs: &values };
    let mut counts = preview.counts.then(Counts::default);
    let ran = shader.run(&lanes, counts.as_mut())?;
    let io = shader.outputs().get(target);
    let color = ran.outputs.get(target).zip(io).map(|(bits, io)| colors(bits, io));
    let mut pixels = color.filter(|pixels| pixels.len() == count).ok_or_else(|| {
        let text = format!("a run of {count} pixels returned other numbers of colours");
        vec![Diagnostic::internal("internal-picture", text)]
    })?;
    if let Some(format) = preview.format {
        pixels.iter_mut().for_each(|color| *color = format.stored(*color));
    }
    let drawn = ran.killed.iter().map(|killed| !killed).collect();
    let executed = ran.executed;
    Ok(Picture { width, height, pixels, drawn, counts, executed, ..Picture::default() })
}

/// The run of the quad of a pixel of [`preview`](fn@preview), for a debugger, and the pixel's lane in it. Pixels of the quad
/// outside of the rectangle are helpers.
///
/// # Errors
/// `picture-input` if the rectangle has no such pixel; those of the picture.
pub fn preview_quad(
    shader: &mut dyn Shader,
    preview: &Preview,
    [x, y]: [usize; 2],
) -> Result<(Captured, usize)> {
    checked(shader, preview)?;
    let [width, height] = preview.size;
    if x >= width || y >= height {
        return Err(wrong(format!("there is no pixel {x},{y}: the picture has {width}x{height} pixels")));
    }
    let [left, top] = [x - x % 2, y - y % 2];
    let inputs = shader.inputs().iter();
    let values: Vec<Vec<u32>> = inputs.map(|io| pixels(io, preview, left..left + 2, top..top + 2)).collect();
    let helpers = [0, 1, 2, 3].map(|lane| left + lane % 2 >= width || top + lane / 2 >= height);
    let grid = Some(Grid { width: 2, height: 2 });
    let lanes = Lanes { count: 4, grid, helpers: &helpers, inputs: &values };
    Ok((shader.captured(&lanes)?, 2 * (y % 2) + x % 2))
}

/// Refuses what a shader cannot draw; returns the position of the colour among its outputs.
fn checked(shader: &dyn Shader, preview: &Preview) -> Result<usize> {
    let stage = shader.stage();
    if stage != Stage::Fragment {
        let text = format!("a {} program has no pixels", stage.name());
        let help =
            "`shisa render` draws a mesh with a vertex program; `shisa preview` runs fragment programs";
        return Err(vec![Diagnostic::error("picture-stage", text).help(help)]);
    }
    let [width, height] = preview.size;
    if width == 0 || height == 0 {
        return Err(wrong("a picture has at least one pixel"));
    }
    known(shader.inputs(), preview)?;
    target(shader.outputs(), preview.target)
}

/// Refuses corners of inputs that the program does not have.
fn known(inputs: &[Io], preview: &Preview) -> Result<()> {
    let varyings = || inputs.iter().filter(|io| is_varying(io)).map(|io| &*io.name);
    let Some(name) = preview.corners.keys().find(|name| varyings().all(|own| own != *name)) else {
        return Ok(());
    };
    let names: Vec<&str> = varyings().collect();
    let name = shisa_diag::escape(name);
    let has = if names.is_empty() { "none".into() } else { names.join(", ") };
    Err(wrong(format!("the program reads no varying `{name}`; it reads {has}")))
}

fn is_varying(io: &Io) -> bool {
    matches!(io.binding, Binding::Location(_) | Binding::Varying { .. })
}

/// The position of a colour among the outputs.
pub(crate) fn target(outputs: &[Io], number: u32) -> Result<usize> {
    let found = outputs.iter().position(|io| io.binding == Binding::Location(number));
    found.ok_or_else(|| {
        let d = Diagnostic::error("picture-output", format!("the program writes no colour {number}"));
        let others = outputs.iter().filter_map(|io| match io.binding {
            Binding::Location(number) => Some(number.to_string()),
            _ => None,
        });
        let others: Vec<String> = others.collect();
        vec![match others.is_empty() {
            true => d.note("it writes none"),
            false => d.note(format!("it writes {}", others.join(", "))),
        }]
    })
}

/// The colours of lanes: components that the program does not write are 0, and alpha is 1.
pub(crate) fn colors(bits: &[u32], io: &Io) -> Vec<[f32; 4]> {
    let component = |lane: &[u32], n: u8| match lane.get(usize::from(n)).filter(|_| io.used.has(n)) {
        Some(bits) => float(*bits, io.scalar),
        None => f32::from(u8::from(n == 3)),
    };
    let lanes = bits.chunks_exact(usize::from(io.count).max(1));
    lanes.map(|lane| [0, 1, 2, 3].map(|n| component(lane, n))).collect()
}

/// A component as a float.
fn float(bits: u32, scalar: Scalar) -> f32 {
    match scalar {
        Scalar::F32 => f32::from_bits(bits),
        _ => bits as f32,
    }
}

/// The values of an input at the pixels of some columns and rows.
fn pixels(io: &Io, preview: &Preview, columns: Range<usize>, rows: Range<usize>) -> Vec<u32> {
    let [width, height] = preview.size;
    let corners = match preview.corners.get(&*io.name) {
        Some(corners) => corners,
        None => &CORNERS,
    };
    let count = usize::from(io.count);
    let mut bits = Vec::with_capacity(columns.len() * rows.len() * count);
    for y in rows {
        for x in columns.clone() {
            let at = [(x, width), (y, height)].map(|(n, size)| (n as f32 + 0.5) / size as f32);
            let value = value(io, [x, y], at, corners);
            bits.extend(value.into_iter().cycle().take(count));
        }
    }
    bits
}

/// The bits of an input at a pixel, and at its position in the rectangle from 0 to 1.
fn value(io: &Io, [x, y]: [usize; 2], at: [f32; 2], corners: &Corners) -> [u32; 4] {
    let number = |n: u32| match io.scalar {
        Scalar::F32 => (n as f32).to_bits(),
        _ => n,
    };
    let floats = |four: [f32; 4]| four.map(f32::to_bits);
    match io.binding {
        Binding::Varying { interpolation: Interpolation::Flat, .. } => floats(corners[0]),
        Binding::Location(_) | Binding::Varying { .. } => floats(between(corners, at)),
        Binding::PixelPosition => floats([x as f32 + 0.5, y as f32 + 0.5, 0.5, 1.0]),
        Binding::Pixel => [number(x as u32), number(y as u32), 0, 0],
        Binding::PointCoordinate => floats([at[0], at[1], 0.0, 0.0]),
        Binding::PixelDepth => floats([0.5; 4]),
        Binding::FrontFacing | Binding::SampleMask => [number(1); 4],
        _ => [0; 4],
    }
}

/// The value between corners.
fn between(corners: &Corners, [x, y]: [f32; 2]) -> [f32; 4] {
    let mix = |a: f32, b: f32, by: f32| a + (b - a) * by;
    let [upper_left, upper_right, lower_left, lower_right] = corners;
    [0, 1, 2, 3].map(|n| {
        let upper = mix(upper_left[n], upper_right[n], x);
        mix(upper, mix(lower_left[n], lower_right[n], x), y)
    })
}

#[cfg(test)]
mod tests;
