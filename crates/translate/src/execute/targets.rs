//! The targets that programs draw to, and how they are read back.

use super::{Device, Lane, bind::Bound, register, samples::Texels};
use crate::{Kind, Reflection, Variable};
use shisa_ir::Scalar;

/// The value of colour targets that no lane wrote: no program under test is expected to yield it.
const UNTOUCHED: [u16; 4] = [51_237, 38_449, 62_987, 29_863];
/// The same for the depth target.
const UNTOUCHED_DEPTH: f32 = 0.712_345;

/// The textures that a program draws to.
pub(super) struct Targets {
    colours: Vec<Option<wgpu::Texture>>,
    /// Has stencil values if the program outputs them.
    depth: wgpu::Texture,
    size: wgpu::Extent3d,
    samples: u32,
}

/// The contents of targets: the colours in order, then depth and stencil. Rows are [`Targets::pitch`] words long.
pub(super) struct Planes {
    colours: Vec<Option<Vec<u32>>>,
    depth: Vec<u32>,
    stencil: Vec<u32>,
}

impl Targets {
    /// Targets for the outputs of a program with this number of samples a pixel.
    pub(super) fn new(
        device: &Device,
        reflection: &Reflection,
        [width, height]: [u32; 2],
        samples: u32,
    ) -> Targets {
        let read = match samples {
            1 => wgpu::TextureUsages::COPY_SRC,
            _ => wgpu::TextureUsages::TEXTURE_BINDING,
        };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let make = |format| {
            device.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: samples,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | read,
                view_formats: &[],
            })
        };
        let mut colours: Vec<Option<wgpu::Texture>> = Vec::new();
        for output in &reflection.outputs {
            let Some(location) = output.location.map(|n| n as usize) else { continue };
            if colours.len() <= location {
                colours.resize(location + 1, None);
            }
            colours[location] = Some(make(format(output)));
        }
        let depth = match reflection.outputs.iter().any(|o| o.kind == Kind::Stencil) {
            true => wgpu::TextureFormat::Depth32FloatStencil8,
            false => wgpu::TextureFormat::Depth32Float,
        };
        Targets { colours, depth: make(depth), size, samples }
    }

    /// A pipeline that draws triangles to these targets, from two modules with their entry points; the vertex program
    /// also has the layout of its buffer.
    pub(super) fn pipeline(
        &self,
        device: &Device,
        bound: &Bound,
        (vertex, vertex_entry, buffers): (&wgpu::ShaderModule, &str, &[wgpu::VertexBufferLayout]),
        (fragment, fragment_entry): (&wgpu::ShaderModule, &str),
    ) -> wgpu::RenderPipeline {
        let states: Vec<_> = self.colours.iter().map(|c| c.as_ref().map(|c| c.format().into())).collect();
        let buffers: Vec<_> = buffers.iter().cloned().map(Some).collect();
        device.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: Some(&bound.layout),
            vertex: wgpu::VertexState {
                module: vertex,
                entry_point: Some(vertex_entry),
                compilation_options: Default::default(),
                buffers: &buffers,
            },
            primitive: Default::default(),
            depth_stencil: Some(wgpu::DepthStencilState {
                format: self.depth.format(),
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: if self.has_stencil() { replacing() } else { Default::default() },
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: fragment,
                entry_point: Some(fragment_entry),
                compilation_options: Default::default(),
                targets: &states,
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// Draws one triangle to the first pixels of each row and column. Its corners come from a vertex buffer if there
    /// is one.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        bound: &Bound,
        corners: Option<&wgpu::Buffer>,
        [width, height]: [u32; 2],
    ) {
        let [r, g, b, a] = UNTOUCHED.map(f64::from);
        let views: Vec<_> =
            self.colours.iter().map(|c| c.as_ref().map(|c| c.create_view(&Default::default()))).collect();
        let colours: Vec<_> = views
            .iter()
            .map(|view| {
                view.as_ref().map(|view| wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a }),
                        store: wgpu::StoreOp::Store,
                    },
                })
            })
            .collect();
        let depth = self.depth.create_view(&Default::default());
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &colours,
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(UNTOUCHED_DEPTH),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: self.has_stencil().then_some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0),
                    store: wgpu::StoreOp::Store,
                }),
            }),
            timestamp_writes: None,
            occlusion_query_set: None,
            multiview_mask: None,
        });
        pass.set_pipeline(pipeline);
        bound.groups.iter().for_each(|(i, g)| pass.set_bind_group(*i, g, &[]));
        if let Some(corners) = corners {
            pass.set_vertex_buffer(0, corners.slice(..));
        }
        pass.set_scissor_rect(0, 0, width, height);
        pass.draw(0..3, 0..1);
    }

    fn has_stencil(&self) -> bool {
        self.depth.format().has_stencil_aspect()
    }

    /// Length in words of a target's row in the read-back buffer, for pixels of so many bytes: rows start at
    /// multiples of 256 bytes.
    fn pitch(&self, bytes: u32) -> u32 {
        (self.size.width * bytes).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT) / 4
    }

    /// Reads each sample.
    pub(super) fn read(&self, device: &Device, encoder: wgpu::CommandEncoder) -> Result<Vec<Planes>, String> {
        match self.samples {
            1 => Ok(vec![self.copied(device, encoder)?]),
            _ => self.collected(device, encoder),
        }
    }

    /// Reads multisampled targets. Stencil values of multisampled targets are not read.
    fn collected(&self, device: &Device, mut encoder: wgpu::CommandEncoder) -> Result<Vec<Planes>, String> {
        let mut made = Vec::new();
        for target in self.colours.iter().flatten().chain([&self.depth]) {
            let depth = target.format().has_depth_aspect();
            let words = if depth { 1 } else { words(target) };
            let texels = if depth { Texels::Depth } else { Texels::of(target.format()) };
            let aspect = if depth { wgpu::TextureAspect::DepthOnly } else { wgpu::TextureAspect::All };
            let view = target.create_view(&wgpu::TextureViewDescriptor { aspect, ..Default::default() });
            made.push(device.collect(&mut encoder, &view, texels, words, self.pitch(4 * words)));
        }
        device.queue.submit([encoder.finish()]);
        let all = made.iter().map(|buffer| {
            let encoder = device.device.create_command_encoder(&Default::default());
            device.read(encoder, buffer, buffer.size())
        });
        let all = all.collect::<Result<Vec<_>, _>>()?;
        let sample = |n: u32| {
            let part = |words: &Vec<u32>| {
                let each = words.len() / self.samples as usize;
                words[each * n as usize..each * (n as usize + 1)].to_vec()
            };
            let mut parts = all.iter().map(part);
            let colours = self.colours.iter().map(|c| c.as_ref().and_then(|_| parts.next())).collect();
            Planes { colours, depth: parts.next().unwrap_or_default(), stencil: Vec::new() }
        };
        Ok((0..self.samples).map(sample).collect())
    }

    fn copied(&self, device: &Device, mut encoder: wgpu::CommandEncoder) -> Result<Planes, String> {
        let mut offset = 0;
        let mut places = Vec::new();
        let colours = self.colours.iter().map(|t| t.as_ref().map(|t| (t.as_image_copy(), 4 * words(t))));
        let aspect = |aspect| wgpu::TexelCopyTextureInfo { aspect, ..self.depth.as_image_copy() };
        let depth = Some((aspect(wgpu::TextureAspect::DepthOnly), 4));
        let stencil = self.has_stencil().then(|| (aspect(wgpu::TextureAspect::StencilOnly), 1));
        for plane in colours.chain([depth, stencil]) {
            let pitch = plane.as_ref().map_or(0, |(_, bytes)| self.pitch(*bytes));
            let size = u64::from(pitch) * 4 * u64::from(self.size.height);
            places.push(plane.map(|(from, _)| (from, offset, pitch, size)));
            offset += size;
        }
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = device.empty_buffer(offset, usage);
        for &(from, offset, pitch, _) in places.iter().flatten() {
            let layout = wgpu::TexelCopyBufferLayout {
                offset,
                bytes_per_row: Some(4 * pitch),
                rows_per_image: Some(self.size.height),
            };
            let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
            encoder.copy_texture_to_buffer(from, target, self.size);
        }
        let words = device.read(encoder, &buffer, offset)?;
        let mut planes: Vec<Option<Vec<u32>>> = places
            .into_iter()
            .map(|p| p.map(|(_, at, _, size)| words[at as usize / 4..(at + size) as usize / 4].to_vec()))
            .collect();
        let [stencil, depth] = [(); 2].map(|()| planes.pop().flatten().unwrap_or_default());
        Ok(Planes { colours: planes, depth, stencil })
    }

    pub(super) fn lane(&self, reflection: &Reflection, planes: &Planes, (x, y): (usize, usize)) -> Lane {
        let pixel = |target: &wgpu::Texture, plane: &[u32]| {
            let words = words(target);
            let at = y * self.pitch(4 * words) as usize + words as usize * x;
            plane.get(at..at + words as usize).map_or(Vec::new(), <[u32]>::to_vec)
        };
        let depth = planes.depth.get(y * self.pitch(4) as usize + x).copied().unwrap_or_default();
        let four = planes.stencil.get(y * self.pitch(1) as usize + x / 4).copied().unwrap_or_default();
        let stencil = four >> (8 * (x % 4)) & 0xff;
        let colour = |location: u32| {
            let n = location as usize;
            let (target, plane) = (self.colours.get(n)?.as_ref()?, planes.colours.get(n)?.as_ref()?);
            let words = pixel(target, plane);
            let float = target.format().sample_type(None, None) != Some(wgpu::TextureSampleType::Uint);
            let untouched = UNTOUCHED.map(|n| if float { f32::from(n).to_bits() } else { n.into() });
            Some((words[..] == untouched[..words.len()], words))
        };
        let mut killed = depth == UNTOUCHED_DEPTH.to_bits();
        let outputs = reflection.outputs.iter().map(|o| match o.location {
            Some(location) => {
                let (untouched, words) = colour(location).unwrap_or_default();
                killed = untouched;
                register(&words)
            }
            None if o.kind == Kind::Stencil => register(&[stencil]),
            None => register(&[depth]),
        });
        Lane { outputs: outputs.collect(), killed }
    }
}

/// The format of a target for an output. No format has three components.
fn format(output: &Variable) -> wgpu::TextureFormat {
    use wgpu::TextureFormat as Format;
    match (output.scalar, output.components) {
        (Scalar::F32, 1) => Format::R32Float,
        (Scalar::F32, 2) => Format::Rg32Float,
        (Scalar::F32, _) => Format::Rgba32Float,
        (_, 1) => Format::R32Uint,
        (_, 2) => Format::Rg32Uint,
        _ => Format::Rgba32Uint,
    }
}

/// Stencil state that stores the program's value.
fn replacing() -> wgpu::StencilState {
    let face =
        wgpu::StencilFaceState { pass_op: wgpu::StencilOperation::Replace, ..wgpu::StencilFaceState::IGNORE };
    wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0xff }
}

/// 32-bit words in a pixel of a target.
fn words(target: &wgpu::Texture) -> u32 {
    target.format().components().into()
}
