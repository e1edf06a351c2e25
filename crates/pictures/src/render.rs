//! A mesh with a vertex program, and a fragment program or plain shading.

use crate::attributes;
use crate::camera;
use crate::counts::Counts;
use crate::drawing::{Cull, Render};
use crate::faults::{Result, wrong};
use crate::fragments::{Pixels, Surface};
use crate::mesh::Mesh;
use crate::picture::Picture;
use crate::samples::{MOST, Sampled};
use crate::shader::{Constant, Lanes, Ran, Shader};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::draw::{Depth, Origin, Viewport};
use shisa_ir::{Binding, Io, Stage};

/// Bytes that a pixel needs: its colour, its depth, and the rectangle around a triangle that covers it.
const PIXEL_BYTES: usize = 256;

/// Sets the matrices of a vertex program that nothing states: four constants are the matrix that shows the whole mesh; the
/// others are rows of unit matrices. Returns the names of the first ones.
///
/// # Errors
/// `picture-input` if the program does not read four constants from the stated one on.
pub fn set_matrices(shader: &mut dyn Shader, mesh: &Mesh, render: &Render) -> Result<Vec<String>> {
    let all = shader.constants();
    let fits = |four: &[Constant]| four.iter().all(|constant| constant.count == 4);
    let first = match &render.matrix {
        Some(name) => {
            let found = all.iter().position(|constant| constant.name == *name);
            let found = found.filter(|at| all.get(*at..at + 4).is_some_and(fits));
            Some(found.ok_or_else(|| {
                let name = shisa_diag::escape(name);
                wrong(format!("the program does not read four constants from `{name}` on"))
            })?)
        }
        None => all.windows(4).position(|four| fits(four) && four.iter().all(|constant| !constant.is_set)),
    };
    let rows = camera::rows(mesh, render.size, shader.has_negative_depth());
    let columns = [0, 1, 2, 3].map(|n| rows.map(|row| row[n]));
    let matrix = if render.columns { columns } else { rows };
    let mut names = Vec::new();
    let own = first.map_or(0..0, |first| first..first + 4);
    for (constant, value) in all.get(own.clone()).into_iter().flatten().zip(matrix) {
        shader.set_constant(&constant.name, 0, &value)?;
        names.push(constant.name.to_string());
    }
    let others = all.iter().enumerate().filter(|(n, constant)| !own.contains(n) && !constant.is_set);
    for (n, (_, constant)) in others.enumerate() {
        let unit = (0..constant.count).map(|component| f32::from(u8::from(usize::from(component) == n % 4)));
        shader.set_constant(&constant.name, 0, &unit.collect::<Vec<f32>>())?;
    }
    Ok(names)
}

/// Draws a mesh: the vertex program runs for all vertices, and the fragment program for the quads around the pixels that each
/// triangle covers. Without a fragment program pixels have the colour that the vertex program outputs, or are lit by their
/// normals. A pixel on an edge belongs to a triangle if the edge is a left one, or a horizontal one at the top.
///
/// # Errors
/// `picture-stage` for programs of other stages; `picture-output` for a vertex program without a position, and a fragment
/// program without the colour; `picture-input` for names that no program has; `limit-exceeded`; what the evaluator refuses.
pub fn render(
    vertex: &mut dyn Shader,
    fragment: Option<&mut dyn Shader>,
    mesh: &Mesh,
    render: &Render,
    limits: &Limits,
) -> Result<Picture> {
    let scene = Scene::of(vertex, fragment.as_deref(), mesh, render, limits)?;
    let mut pixels = scene.pixels(fragment, limits)?;
    scene.draw(&mut pixels)?;
    pixels.picture()
}

/// A mesh whose vertices have been computed.
pub(crate) struct Scene<'m> {
    mesh: &'m Mesh,
    render: &'m Render,
    vertices: Vertices,
    viewport: Viewport,
}

impl<'m> Scene<'m> {
    /// Runs the vertex program.
    ///
    /// # Errors
    /// Those of [`render`].
    pub(crate) fn of(
        vertex: &mut dyn Shader,
        fragment: Option<&dyn Shader>,
        mesh: &'m Mesh,
        render: &'m Render,
        limits: &Limits,
    ) -> Result<Scene<'m>> {
        for (shader, stage) in [(Some(&*vertex), Stage::Vertex), (fragment, Stage::Fragment)] {
            if let Some(own) = shader.map(Shader::stage).filter(|own| *own != stage) {
                let text = format!("a {} program is given as the {} program", own.name(), stage.name());
                return Err(vec![Diagnostic::error("picture-stage", text)]);
            }
        }
        let [width, height] = render.size;
        if width == 0 || height == 0 {
            return Err(wrong("a picture has at least one pixel"));
        }
        if !matches!(render.samples, 1 | MOST) {
            return Err(wrong(format!("a pixel has 1 or {MOST} samples, not {}", render.samples)));
        }
        let count = width.saturating_mul(height);
        let bytes = count.saturating_mul(PIXEL_BYTES).saturating_mul(render.samples);
        limits.check(Limit::Memory, "bytes of pixels", bytes).map_err(|d| vec![d])?;
        let vertices = Vertices::of(vertex, mesh, render, limits)?;
        let (origin, depth) = (Origin::UpperLeft, Depth::ZeroToOne);
        let viewport = Viewport { width, height, origin, depth, clips_depth: true };
        Ok(Scene { mesh, render, vertices, viewport })
    }

    /// A picture without pixels.
    ///
    /// # Errors
    /// `picture-output` for a fragment program without the colour.
    pub(crate) fn pixels<'p, 's>(
        &self,
        fragment: Option<&'p mut (dyn Shader + 's)>,
        limits: &'p Limits,
    ) -> Result<Pixels<'p, 's>> {
        let outputs = &self.vertices.outputs;
        let surface = match &fragment {
            Some(shader) => Surface::of_program(&**shader, outputs, self.render.target)?,
            None => Surface::plain(outputs),
        };
        Ok(Pixels::new(self.render, surface, fragment, self.vertices.executed, limits))
    }

    /// The pixels of a triangle, by its index in the mesh; `None` if it is not drawn.
    pub(crate) fn sampled(&self, number: usize) -> Option<Sampled> {
        let [a, b, c] = self.mesh.triangles.get(number)?.map(|corner| self.vertices.position(corner));
        let sampled = Sampled::of(&self.viewport, [a?, b?, c?], self.render.samples)?;
        let culled = match self.render.cull {
            Cull::Nothing => None,
            Cull::Counterclockwise => Some(true),
            Cull::Clockwise => Some(false),
        };
        (culled.is_none() || culled != sampled.centres.counterclockwise).then_some(sampled)
    }

    /// Draws a triangle, by its index in the mesh.
    ///
    /// # Errors
    /// `limit-exceeded`; what the evaluator refuses.
    pub(crate) fn draw_triangle(&self, number: usize, pixels: &mut Pixels<'_, '_>) -> Result<()> {
        match self.sampled(number) {
            Some(sampled) => pixels.triangle(&sampled, &self.vertices.ran, self.mesh, number),
            None => Ok(()),
        }
    }

    /// Draws all triangles.
    ///
    /// # Errors
    /// `limit-exceeded`; what the evaluator refuses.
    pub(crate) fn draw(&self, pixels: &mut Pixels<'_, '_>) -> Result<()> {
        (0..self.mesh.triangles.len()).try_for_each(|number| self.draw_triangle(number, pixels))
    }
}

/// The outputs of all vertices.
struct Vertices {
    outputs: Vec<Io>,
    ran: Ran,
    /// The position among the outputs.
    position: usize,
    is_negative: bool,
    executed: u64,
}

impl Vertices {
    fn of(shader: &mut dyn Shader, mesh: &Mesh, render: &Render, limits: &Limits) -> Result<Vertices> {
        let outputs = shader.outputs().to_vec();
        let position = outputs.iter().position(|io| io.binding == Binding::Position).ok_or_else(|| {
            vec![Diagnostic::error("picture-output", "the vertex program writes no position")]
        })?;
        let count = mesh.vertices.len();
        let components = |list: &[Io]| list.iter().map(|io| 8 * usize::from(io.count)).sum::<usize>();
        let each = components(shader.inputs()) + components(&outputs);
        limits.check(Limit::Memory, "bytes of vertices", count.saturating_mul(each)).map_err(|d| vec![d])?;
        let inputs = attributes::inputs(shader.inputs(), mesh, &render.attributes)?;
        let lanes = Lanes { count, grid: None, helpers: &[], inputs: &inputs };
        let mut counts: Option<Counts> = None;
        let ran = shader.run(&lanes, counts.as_mut())?;
        let executed = ran.executed;
        Ok(Vertices { outputs, ran, position, is_negative: shader.has_negative_depth(), executed })
    }

    /// The position of a vertex, with the visible z from 0 to w.
    fn position(&self, vertex: usize) -> Option<[f32; 4]> {
        let bits = self.ran.outputs.get(self.position)?;
        let count = usize::from(self.outputs.get(self.position)?.count);
        let own = bits.get(vertex.checked_mul(count)?..)?.get(..count)?;
        let mut position = [0.0, 0.0, 0.0, 1.0];
        position.iter_mut().zip(own).for_each(|(to, bits)| *to = f32::from_bits(*bits));
        if self.is_negative {
            position[2] = -position[2];
        }
        Some(position)
    }
}

#[cfg(test)]
mod tests;
