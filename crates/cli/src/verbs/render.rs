//! `shisa render`

use super::pixel::{PixelArgs, PixelSession};
use crate::input::Input;
use crate::options::Global;
use crate::picture::{Inputs, PictureOut, Pixels};
use crate::report::Report;
use crate::saved;
use crate::selected::Selected;
use crate::stop::{Status, Stop};
use serde_json::{Value, json};
use shisa::data::pictures::{Mesh, PixelOf, PixelRun, Render as Drawing, Shader, render_pixel, set_matrices};
use shisa::diag::escape;
use shisa_verbs::{Reading, Rendering, rendered, set_defaults};
use std::ffi::OsString;

/// Draw a mesh with a vertex program and a fragment program, and write the picture as PNG
///
/// Without a fragment program, and for PICA200, whose pixels are fixed functions, pixels have the colour that the vertex
/// program outputs, or are lit by their normals.
#[derive(Debug, clap::Args)]
pub(crate) struct Render {
    /// The vertex program. FILE#N and FILE#NAME are one of a file's programs
    #[arg(value_name = "VERT")]
    vertex: OsString,
    /// The fragment program, of the same instruction set
    #[arg(value_name = "FRAG")]
    fragment: Option<OsString>,
    /// The mesh: Wavefront OBJ, or glTF 2.0 as .gltf with its buffers inside or as .glb
    #[arg(long, value_name = "MESH")]
    mesh: OsString,
    #[command(flatten)]
    output: PictureOut,
    /// The size in pixels
    #[arg(long, value_name = "WxH", default_value = "256x256")]
    size: Pixels,
    #[command(flatten)]
    rendering: Rendering,
    #[command(flatten)]
    pixel: PixelArgs,
    /// The triangle whose pixel is debugged, by its number in the mesh, from 1. By default the visible one; without a fragment
    /// program lanes 0 to 2 are its corners
    #[arg(long, value_name = "N", requires = "pixel", conflicts_with_all = ["output", "heat"])]
    triangle: Option<usize>,
    #[command(flatten)]
    inputs: Inputs,
    /// Take constants and textures of the fragment program from an input of `shisa run`; --input is for the vertex program
    #[arg(long, value_name = "IN.json", requires = "fragment")]
    fragment_input: Option<OsString>,
    #[command(flatten)]
    reading: Reading,
}

/// Which run a pixel has, as data.
fn which(found: &PixelRun) -> Value {
    json!({
        "stage": found.stage.name(), "triangle": found.triangle, "visible": found.visible,
        "covering": found.covering,
    })
}

impl Render {
    /// Draws the picture.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.pixel.pixel.is_none() {
            self.output.check(global)?;
        }
        let inputs = [Some(&self.vertex), self.fragment.as_ref(), Some(&self.mesh)];
        let standard = inputs.iter().flatten().filter(|name| **name == "-").count();
        if standard + usize::from(self.inputs.is_standard()) > 1 {
            return Err(Stop::Failed("only one of programs, mesh and input can be standard input".into()));
        }
        let settings = self.reading.settings(global.settings()?);
        let limits = &settings.limits;
        let mut report = Report::new(global);
        let given = self.inputs.read(limits)?;
        let own = Inputs::of_file(self.fragment_input.clone()).read(limits)?;
        let mesh_file = Input::read(&self.mesh, limits.file)?;
        let mesh = match Mesh::read(&mesh_file.bytes, limits) {
            Ok(mesh) => mesh,
            Err(faults) => {
                report.all(&faults, &mesh_file);
                return Ok(report.status());
            }
        };
        let vertex_file = Input::programs(&self.vertex, limits)?;
        let fragment_file = self.fragment.as_ref().map(|name| Input::programs(name, limits)).transpose()?;
        let Some(vertex) = vertex_file.open(None, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let fragment = match &fragment_file {
            Some(file) => match file.open(None, &settings, &mut report)? {
                Some(selected) => Some((file, selected)),
                None => return Ok(report.status()),
            },
            None => None,
        };
        if let Some((file, selected)) = &fragment
            && selected.file.isa() != vertex.file.isa()
        {
            let name = |selected: &Selected<'_>| selected.file.isa().map_or("unknown", |isa| isa.name());
            let (own, other) = (name(selected), name(&vertex));
            let text = format!(
                "{} is a program of {own}, and the vertex program is one of {other}",
                escape(&file.name)
            );
            return Err(Stop::Failed(text));
        }
        let drawing = Drawing {
            size: self.size.0,
            format: self.output.target_format(),
            counts: self.output.counts(),
            ..self.rendering.drawing()
        };
        let vertex_program = vertex.first().ok();
        let Some(mut vertex) = given.shader(vertex.first(), &vertex_file, &mut report) else {
            return Ok(report.status());
        };
        let mut pixels = None;
        if let Some((file, selected)) = &fragment {
            let Some(shader) = own.shader(selected.first(), file, &mut report) else {
                return Ok(report.status());
            };
            pixels = Some(shader);
        }
        let drawn = match &mut pixels {
            Some(pixels) => given.set(&mut [&mut vertex, &mut *pixels]),
            None => given.set(&mut [&mut vertex]),
        };
        if let Some(pixel) = self.pixel.pixel {
            let run = drawn.and_then(|()| {
                set_matrices(&mut vertex, &mesh, &drawing)?;
                let pixel = PixelOf { pixel, triangle: self.triangle };
                let Some(pixels) = &mut pixels else {
                    return Ok((render_pixel(&mut vertex, None, &mesh, &drawing, pixel, limits)?, None));
                };
                let note = set_defaults(&mut *pixels)?;
                let fragment = Some(&mut *pixels as &mut dyn Shader);
                Ok((render_pixel(&mut vertex, fragment, &mesh, &drawing, pixel, limits)?, note))
            });
            match run {
                Ok((found, note)) => {
                    let which = Some((found.which(), which(&found)));
                    let picture = pixels.as_ref().unwrap_or(&vertex).picture().clone();
                    let own = fragment.as_ref().map(|(file, selected)| (*file, selected.first().ok(), &own));
                    let (input, program, given) = own.unwrap_or((&vertex_file, vertex_program, &given));
                    report.all(note.as_slice(), input);
                    let (program, settings) = (program.as_ref(), &settings);
                    let (run, lane) = (found.run, found.lane);
                    let saved = saved::of_picture((input, None), given.text(), picture, settings, global)?;
                    let session = PixelSession { run, lane, saved, which, input, program, settings };
                    self.pixel.debug(session, global, &mut report)?;
                }
                Err(e) => report.all(&e.diagnostics, &vertex_file),
            }
            return Ok(report.status());
        }
        let drawn = drawn.and_then(|()| {
            let fragment = pixels.as_mut().map(|pixels| pixels as &mut dyn Shader);
            rendered(&mut vertex, fragment, &mesh, &drawing, limits)
        });
        match drawn {
            Ok((picture, note)) => {
                report.all(note.as_slice(), fragment_file.as_ref().unwrap_or(&vertex_file));
                self.output.write(&picture, global)?;
            }
            Err(e) => report.all(&e.diagnostics, &vertex_file),
        }
        Ok(report.status())
    }
}
