//! The run of one pixel of a mesh, for a debugger.

use crate::attributes;
use crate::drawing::Render;
use crate::faults::{Result, wrong};
use crate::mesh::Mesh;
use crate::render::Scene;
use crate::samples::Sampled;
use crate::shader::{Lanes, Shader};
use shisa_debug::Captured;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Stage;

/// The largest number of triangles that a message lists.
const LISTED: usize = 16;

/// A pixel of a rendered picture, and one of the triangles that cover it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PixelOf {
    /// Its column and its row, from 0.
    pub pixel: [usize; 2],
    /// The triangle, by its number in the mesh, from 1. `None` is the visible one.
    pub triangle: Option<usize>,
}

/// The run of a pixel of a rendered picture.
pub struct PixelRun {
    /// The run of its quad, or of the corners of its triangle.
    pub run: Captured,
    /// The lane of the pixel, or of the corner that is nearest to it.
    pub lane: usize,
    /// The stage of the program: that of vertices where no fragment program makes the pixel.
    pub stage: Stage,
    /// The triangle, by its number in the mesh, from 1.
    pub triangle: usize,
    /// The triangle whose colour was drawn last, by its number; `None` if the program discards the pixel.
    pub visible: Option<usize>,
    /// All triangles that cover the pixel, by their numbers, in the order in which they are drawn.
    pub covering: Vec<usize>,
}

impl PixelRun {
    /// Which run it is, in words.
    pub fn which(&self) -> String {
        let own = self.triangle;
        let what = match self.stage {
            Stage::Vertex => format!("the corners of triangle {own}"),
            _ => format!("triangle {own}"),
        };
        let is_seen = match self.visible {
            Some(visible) if visible == own => "which is visible".to_owned(),
            Some(visible) => format!("hidden by triangle {visible}"),
            None => "which is discarded, as all others are".to_owned(),
        };
        let others: Vec<usize> = self.covering.iter().copied().filter(|number| *number != own).collect();
        match others.len() {
            0 if self.visible.is_none() => format!("{what}, which is discarded; no other covers the pixel"),
            0 => format!("{what}, {is_seen}; no other covers the pixel"),
            _ => format!("{what}, {is_seen}; others that cover the pixel: {}", listed(&others)),
        }
    }
}

/// Numbers in a message.
fn listed(numbers: &[usize]) -> String {
    let names: Vec<String> = numbers.iter().take(LISTED).map(usize::to_string).collect();
    let more = numbers.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    names.join(", ") + &rest
}

/// The run that makes a pixel of [`render`](fn@crate::render), for a debugger: that of its quad by the fragment program, or
/// without one that of the vertex program for the corners of its triangle.
///
/// # Errors
/// `picture-input` if the picture has no such pixel, nothing or not the chosen triangle covers it; those of the picture.
pub fn render_pixel(
    vertex: &mut dyn Shader,
    fragment: Option<&mut dyn Shader>,
    mesh: &Mesh,
    render: &Render,
    of: PixelOf,
    limits: &Limits,
) -> Result<PixelRun> {
    let PixelOf { pixel: [x, y], triangle } = of;
    let [width, height] = render.size;
    if x >= width || y >= height {
        return Err(wrong(format!("there is no pixel {x},{y}: the picture has {width}x{height} pixels")));
    }
    let at = y * width + x;
    let scene = Scene::of(vertex, fragment.as_deref(), mesh, render, limits)?;
    let mut fragment = fragment;
    // A borrow that ends before the second picture.
    let reborrowed = fragment.as_mut().map(|shader| &mut **shader as &mut dyn Shader);
    let mut pixels = scene.pixels(reborrowed, limits)?.only(at);
    scene.draw(&mut pixels)?;
    let covered = pixels.covered()?;
    let covering: Vec<usize> = covered.triangles.iter().map(|index| index + 1).collect();
    let visible = covered.visible.map(|index| index + 1);
    let Some(last) = covering.last() else {
        return Err(wrong(format!("no triangle covers the pixel {x},{y}")));
    };
    let triangle = match triangle {
        None => visible.unwrap_or(*last),
        Some(number) if covering.contains(&number) => number,
        Some(number) => {
            let text = format!("triangle {number} does not cover the pixel {x},{y}");
            let covering = listed(&covering);
            return Err(vec![
                Diagnostic::error("picture-input", text).note(format!("triangles that cover it: {covering}")),
            ]);
        }
    };
    let index = triangle - 1;
    let internal =
        || vec![Diagnostic::internal("internal-picture", "a triangle that covers a pixel is not drawn")];
    let (stage, (run, lane)) = match fragment {
        Some(shader) => {
            let mut pixels = scene.pixels(Some(shader), limits)?.only(at);
            scene.draw_triangle(index, &mut pixels)?;
            (Stage::Fragment, pixels.captured()?.ok_or_else(internal)?)
        }
        None => {
            let sampled = scene.sampled(index).ok_or_else(internal)?;
            let corners = *mesh.triangles.get(index).ok_or_else(internal)?;
            let lane = nearest(&sampled, [x, y]).ok_or_else(internal)?;
            (Stage::Vertex, (corners_run(vertex, mesh, render, corners)?, lane))
        }
    };
    Ok(PixelRun { run, lane, stage, triangle, visible, covering })
}

/// The corner with the largest part of a pixel.
fn nearest(sampled: &Sampled, [x, y]: [usize; 2]) -> Option<usize> {
    let all = &sampled.centres;
    let (column, row) = (x.checked_sub(all.x)?, y.checked_sub(all.y)?);
    let [space, _] = all.pixels.get(row * all.width + column)?.weights;
    let corners = space.iter().enumerate();
    corners.max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(corner, _)| corner)
}

/// The run of a vertex program for some vertices.
fn corners_run(
    vertex: &mut dyn Shader,
    mesh: &Mesh,
    render: &Render,
    corners: [usize; 3],
) -> Result<Captured> {
    let all = attributes::inputs(vertex.inputs(), mesh, &render.attributes)?;
    let inputs: Vec<Vec<u32>> = vertex
        .inputs()
        .iter()
        .zip(all)
        .map(|(io, bits)| {
            let count = usize::from(io.count);
            corners.iter().flat_map(|corner| bits.iter().skip(corner * count).take(count).copied()).collect()
        })
        .collect();
    vertex.captured(&Lanes { count: corners.len(), grid: None, helpers: &[], inputs: &inputs })
}
