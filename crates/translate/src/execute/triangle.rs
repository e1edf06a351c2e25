//! A vertex and a fragment program as one pipeline.

use super::{Device, Lane, Register, Resources, bind::Bound, targets::Targets};
use crate::Output;

/// A triangle as a vertex and a fragment program draw it.
#[derive(Clone, Copy, Debug)]
pub struct Triangle<'a> {
    /// The stage form of the vertex program. Its position covers the target from -1 to 1, y upwards.
    pub vertex: &'a Output,
    /// The stage form of the fragment program.
    pub fragment: &'a Output,
    /// What each of them reads besides its inputs.
    pub resources: [Resources<'a>; 2],
    /// The vertex program's input registers at each corner, in the order of its interface.
    pub corners: &'a [Vec<Register>; 3],
    /// Width and height of the target in pixels.
    pub size: [u32; 2],
}

impl Device {
    /// Draws a triangle, its varyings interpolated by the device, and returns the pixels of the target,
    /// row by row. Those that the triangle does not cover come back as killed.
    ///
    /// # Errors
    /// What the device says against the code.
    pub fn triangle(&self, triangle: &Triangle<'_>) -> Result<Vec<Lane>, String> {
        let Triangle { vertex, fragment, resources, corners, size } = triangle;
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
        self.checked(|| {
            let module = |output: &Output| self.module(&output.code, "", &output.reflection.entry);
            let (vertex_module, fragment_module) = (module(vertex), module(fragment));
            let buffer = self.buffer(&words, wgpu::BufferUsages::VERTEX);
            let [first, second] = *resources;
            let programs = [(&vertex.reflection, first), (&fragment.reflection, second)];
            let bound = Bound::new(self, &programs, &[], wgpu::ShaderStages::VERTEX_FRAGMENT);
            let targets = Targets::new(self, &fragment.reflection, *size);
            let layouts = if attributes.is_empty() { &[][..] } else { std::slice::from_ref(&layout) };
            let pipeline = targets.pipeline(
                self,
                &bound,
                (&vertex_module, &vertex.reflection.entry, layouts),
                (&fragment_module, &fragment.reflection.entry),
            );
            let mut encoder = self.device.create_command_encoder(&Default::default());
            targets.draw(&mut encoder, &pipeline, &bound, Some(&buffer), *size);
            let planes = targets.read(self, encoder)?;
            let pixels = (0..size[1] as usize).flat_map(|y| (0..size[0] as usize).map(move |x| (x, y)));
            Ok(pixels.map(|at| targets.lane(&fragment.reflection, &planes, at)).collect())
        })
    }
}
