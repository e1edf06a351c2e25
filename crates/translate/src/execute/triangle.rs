//! A vertex and a fragment program as one pipeline.

use super::targets::{Planes, Targets};
use super::{Device, Lane, Register, Resources, bind::Bound, state::State};
use crate::{Code, Kind, Output, Reflection, Target, Variable};
use shisa_ir::{Interpolation, Mask, Sampling, Scalar, Stage};
use std::fmt::Write as _;

/// A triangle that a vertex and a fragment program draw.
#[derive(Clone, Copy, Debug)]
pub struct Triangle<'a> {
    /// The stage form of the vertex program. Its position covers the target from -1 to 1, y upwards.
    pub vertex: &'a Output,
    /// The stage form of the fragment program.
    pub fragment: &'a Output,
    /// What each program reads besides its inputs.
    pub resources: [Resources<'a>; 2],
    /// The vertex program's input registers at each corner, in the order of its interface.
    pub corners: &'a [Vec<Register>; 3],
    /// Width and height of the target in pixels.
    pub size: [u32; 2],
    /// Samples of a pixel.
    pub samples: u32,
    /// Columns and rows that are drawn, from the upper left corner.
    pub drawn: [u32; 2],
}

/// The result of a triangle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Drawn {
    /// The pixels of the target, row by row; the samples of a pixel are adjacent. Pixels that the triangle does not
    /// cover are killed.
    pub pixels: Vec<Lane>,
    /// The texels of each texture that programs write, in the order of their interfaces.
    pub written: Vec<Vec<[f32; 4]>>,
}

/// Targets after a draw call.
pub(super) struct Finished {
    pub(super) targets: Targets,
    /// The contents of each sample.
    pub(super) planes: Vec<Planes>,
    /// The texels of each texture that programs write.
    written: Vec<Vec<[f32; 4]>>,
}

impl Device {
    /// Draws a triangle; the device interpolates its varyings.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn triangle(&self, triangle: &Triangle<'_>) -> Result<Drawn, String> {
        let Triangle { vertex, fragment, resources, corners, size, samples, drawn } = triangle;
        self.checked(|| {
            let drawing = (*size, *samples, None);
            let Finished { targets, planes, written } =
                self.drawn([vertex, fragment], *resources, *corners, drawing, *drawn)?;
            let pixels = (0..size[1] as usize).flat_map(|y| (0..size[0] as usize).map(move |x| (x, y)));
            let targets = &targets;
            let samples = |at| planes.iter().map(move |plane| targets.lane(&fragment.reflection, plane, at));
            Ok(Drawn { pixels: pixels.flat_map(samples).collect(), written })
        })
    }

    /// Draws the triangles of corners to targets of a size, with this number of samples a pixel.
    pub(super) fn drawn(
        &self,
        [vertex, fragment]: [&Output; 2],
        [first, second]: [Resources<'_>; 2],
        corners: &[Vec<Register>],
        (size, samples, state): ([u32; 2], u32, Option<State>),
        drawn: [u32; 2],
    ) -> Result<Finished, String> {
        let inputs = &vertex.reflection.inputs;
        let stride = 16 * inputs.len() as u64;
        let attribute = |(i, input): (u64, &crate::Variable)| {
            let format = match input.components {
                0 | 1 => wgpu::VertexFormat::Float32,
                2 => wgpu::VertexFormat::Float32x2,
                3 => wgpu::VertexFormat::Float32x3,
                _ => wgpu::VertexFormat::Float32x4,
            };
            let location = input.location?;
            Some(wgpu::VertexAttribute { format, offset: 16 * i, shader_location: location })
        };
        let attributes: Vec<_> = (0..).zip(inputs).filter_map(attribute).collect();
        let layout = wgpu::VertexBufferLayout {
            array_stride: stride,
            step_mode: wgpu::VertexStepMode::Vertex,
            attributes: &attributes,
        };
        let given = |corner: &Vec<Register>, i: usize| corner.get(i).copied().unwrap_or_default();
        let words: Vec<u32> =
            corners.iter().flat_map(|c| (0..inputs.len()).flat_map(|i| given(c, i))).collect();
        let buffer = self.buffer(&words, wgpu::BufferUsages::VERTEX);
        let programs = [(&vertex.reflection, first), (&fragment.reflection, second)];
        let bound = Bound::new(self, &programs, &[], wgpu::ShaderStages::VERTEX_FRAGMENT);
        let module = |output: &Output| self.module(&bound, &output.code, "", &output.reflection.entry);
        let (vertex_module, fragment_module) = (module(vertex), module(fragment));
        let targets = Targets::new(self, &fragment.reflection, size, samples, state);
        let layouts = if attributes.is_empty() { &[][..] } else { std::slice::from_ref(&layout) };
        let pipeline = targets.pipeline(
            self,
            &bound,
            (&vertex_module, &vertex.reflection.entry, layouts),
            (&fragment_module, &fragment.reflection.entry),
        );
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let corners = (&buffer, corners.len() as u32);
        targets.draw(&mut encoder, &pipeline, &bound, Some(corners), drawn);
        let planes = targets.read(self, encoder)?;
        bound.read_memory(self)?;
        Ok(Finished { targets, planes, written: bound.read_texels(self)? })
    }
}

/// A vertex program in WGSL whose first input is its position and whose others are what a fragment program
/// interpolates, in the order of its interface.
pub fn passing(fragment: &Reflection) -> Output {
    let varying = |v: &&Variable| v.location.is_some();
    let (mut arguments, mut members, mut sets) = (String::new(), String::new(), String::new());
    let position = Variable {
        name: "position".into(),
        kind: Kind::Location,
        location: Some(0),
        scalar: Scalar::F32,
        components: 4,
        used: Mask::ALL,
        interpolation: Interpolation::Perspective,
        sampling: Sampling::Centre,
    };
    let mut inputs = vec![position];
    for (i, v) in (1..).zip(fragment.inputs.iter().filter(varying)) {
        let ty = if v.components > 1 { format!("vec{}<f32>", v.components) } else { "f32".into() };
        let location = v.location.unwrap_or(0);
        let how = match (v.interpolation, v.sampling) {
            (Interpolation::Flat, _) => "@interpolate(flat) ",
            (Interpolation::Perspective, Sampling::Centre) => "",
            (Interpolation::Perspective, Sampling::Centroid) => "@interpolate(perspective, centroid) ",
            (Interpolation::Perspective, Sampling::Sample) => "@interpolate(perspective, sample) ",
            (Interpolation::Linear, Sampling::Centre) => "@interpolate(linear) ",
            (Interpolation::Linear, Sampling::Centroid) => "@interpolate(linear, centroid) ",
            (Interpolation::Linear, Sampling::Sample) => "@interpolate(linear, sample) ",
        };
        let _ = write!(arguments, ", @location({i}) i{i}: {ty}");
        let _ = writeln!(members, "@location({location}) {how}o{i}: {ty},");
        let _ = writeln!(sets, "o.o{i} = i{i};");
        inputs.push(Variable { location: Some(i), ..v.clone() });
    }
    let text = format!(
        "struct Out {{ @builtin(position) corner: vec4<f32>,\n{members} }}\n\
         @vertex fn pass_main(@location(0) corner: vec4<f32>{arguments}) -> Out {{\n\
         var o: Out;\no.corner = corner;\n{sets}return o;\n}}\n",
    );
    let reflection = Reflection {
        target: Target::Wgsl,
        stage: Stage::Vertex,
        function: "pass".into(),
        entry: "pass_main".into(),
        inputs,
        outputs: Vec::new(),
        uniforms: Vec::new(),
        textures: Vec::new(),
        samplers: Vec::new(),
        memory: Vec::new(),
        ..fragment.clone()
    };
    Output { code: Code::Text(text), reflection, source_map: Vec::new(), warnings: Vec::new() }
}
