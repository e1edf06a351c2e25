//! Vertex programs in a real vertex stage, each vertex a pixel.

use super::{Device, Register, Resources, bind::Bound, register};
use crate::{Code, Output, Reflection};
use naga::back::spv;
use std::fmt::Write as _;

/// The group of the buffer that pixels write to: the group of a fragment program's resources, of which there are none
/// here.
const GROUP: u32 = 1;
/// The format of an unused target: a pass must have one.
const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::R8Unorm;

impl Device {
    /// Runs the stage form of a vertex program over `columns` vertices of each of `rows` instances. Its position must
    /// be the pixel centre at the vertex's column and the instance's row, in a target of this size. Returns the
    /// outputs at locations, in the order of the interface, vertex by vertex; all are floats.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn points(
        &self,
        output: &Output,
        resources: Resources,
        [columns, rows]: [u32; 2],
    ) -> Result<Vec<Vec<Register>>, String> {
        let reflection = &output.reflection;
        let kept = reflection.outputs.iter().filter(|o| o.location.is_some()).count();
        self.checked(|| {
            let size = 16 * u64::from(columns) * u64::from(rows) * kept.max(1) as u64;
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
            let buffer = self.empty_buffer(size, usage);
            let programs = [(reflection, resources)];
            let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
            let bound = Bound::new(self, &programs, &[(GROUP, 0, &buffer, false)], stages);
            let vertex = self.module(&bound, &output.code, "", &reflection.entry);
            let keeper = keeper(reflection, columns);
            // wgpu does not see into modules that reach the driver unchanged, so either both stages are such modules
            // or neither is.
            let keeper = match output.code {
                Code::Words(_) => Code::Words(words_of(&keeper)?),
                Code::Text(_) => Code::Text(keeper),
            };
            let fragment = self.module(&bound, &keeper, "", "keep");
            let pipeline = self.points_pipeline(&bound, (&vertex, &reflection.entry), &fragment);
            let target = self.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: columns, height: rows, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format: FORMAT,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
                view_formats: &[],
            });
            let view = target.create_view(&Default::default());
            let mut encoder = self.device.create_command_encoder(&Default::default());
            {
                let attachment = wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations::default(),
                };
                let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                    color_attachments: &[Some(attachment)],
                    ..Default::default()
                });
                pass.set_pipeline(&pipeline);
                bound.groups.iter().for_each(|(i, g)| pass.set_bind_group(*i, g, &[]));
                pass.draw(0..columns, 0..rows);
            }
            let words = self.read(encoder, &buffer, size)?;
            bound.read_memory(self)?;
            Ok(words
                .chunks_exact(4 * kept.max(1))
                .map(|v| v.chunks_exact(4).map(register).collect())
                .collect())
        })
    }

    fn points_pipeline(
        &self,
        bound: &Bound,
        (vertex, entry): (&wgpu::ShaderModule, &str),
        fragment: &wgpu::ShaderModule,
    ) -> wgpu::RenderPipeline {
        let target =
            wgpu::ColorTargetState { format: FORMAT, blend: None, write_mask: wgpu::ColorWrites::empty() };
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&bound.layout),
            vertex: wgpu::VertexState {
                module: vertex,
                entry_point: Some(entry),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::PointList,
                ..Default::default()
            },
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: fragment,
                entry_point: Some("keep"),
                compilation_options: Default::default(),
                targets: &[Some(target)],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Compiles a WGSL fragment program to SPIR-V.
fn words_of(source: &str) -> Result<Vec<u32>, String> {
    let module = naga::front::wgsl::parse_str(source).map_err(|e| e.emit_to_string(source))?;
    let mut validator = naga::valid::Validator::new(Default::default(), Default::default());
    let info = validator.validate(&module).map_err(|e| e.into_inner().to_string())?;
    // 1.3 is the first version with storage buffers.
    let options = spv::Options { lang_version: (1, 3), ..Default::default() };
    spv::write_vec(&module, &info, &options, None).map_err(|e| e.to_string())
}

/// A WGSL fragment program that writes the outputs of a vertex program to a buffer.
fn keeper(vertex: &Reflection, columns: u32) -> String {
    let (mut arguments, mut sets, mut count) = (String::new(), String::new(), 0);
    for output in &vertex.outputs {
        let Some(location) = output.location else { continue };
        let n = output.components.clamp(1, 4);
        let ty = if n > 1 { format!("vec{n}<f32>") } else { "f32".into() };
        let zeros = ", 0.0".repeat(usize::from(4 - n));
        let _ = write!(arguments, ", @location({location}) o{count}: {ty}");
        let _ =
            writeln!(sets, "vertices[first + {count}u] = bitcast<vec4<u32>>(vec4<f32>(o{count}{zeros}));");
        count += 1;
    }
    format!(
        "@group({GROUP}) @binding(0) var<storage, read_write> vertices: array<vec4<u32>>;\n\
         @fragment fn keep(@builtin(position) center: vec4<f32>{arguments}) {{\n\
         let at = vec2<u32>(center.xy);\n\
         let first = (at.y * {columns}u + at.x) * {count}u;\n{sets}}}\n"
    )
}
