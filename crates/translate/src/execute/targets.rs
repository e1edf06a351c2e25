//! The targets that programs draw to, and how they are read back.

use super::state::{Sample, State};
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
    /// Has stencil values if the program outputs them, or if they count what is drawn.
    depth: wgpu::Texture,
    size: wgpu::Extent3d,
    samples: u32,
    /// With a state stencil values count the triangles that are drawn. Without one all depths and colours are stored.
    state: Option<State>,
}

/// The contents of targets: the colours in order, then depth and stencil. Rows are [`Targets::pitch`] words long.
pub(super) struct Planes {
    colours: Vec<Option<Vec<u32>>>,
    depth: Vec<u32>,
    stencil: Vec<u32>,
}

impl Targets {
    /// Targets for the outputs of a program with this number of samples a pixel, and what happens before they are
    /// stored.
    pub(super) fn new(
        device: &Device,
        reflection: &Reflection,
        [width, height]: [u32; 2],
        samples: u32,
        state: Option<State>,
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
        let outputs_stencil = reflection.outputs.iter().any(|o| o.kind == Kind::Stencil);
        let depth = match outputs_stencil || state.is_some() {
            true => wgpu::TextureFormat::Depth32FloatStencil8,
            false => wgpu::TextureFormat::Depth32Float,
        };
        Targets { colours, depth: make(depth), size, samples, state }
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
        let blend = self.state.and_then(|state| state.blend);
        let state = |c: &wgpu::Texture| wgpu::ColorTargetState { blend, ..c.format().into() };
        let states: Vec<_> = self.colours.iter().map(|c| c.as_ref().map(state)).collect();
        let stencil = match self.state {
            Some(_) => stencil(wgpu::StencilOperation::IncrementClamp),
            // The program's value is stored.
            None if self.has_stencil() => stencil(wgpu::StencilOperation::Replace),
            None => Default::default(),
        };
        let (compare, writes) = match self.state {
            Some(state) => (state.compare, state.writes),
            None => (wgpu::CompareFunction::Always, true),
        };
        let primitive = match self.state {
            Some(State { front, cull, .. }) => {
                wgpu::PrimitiveState { front_face: front, cull_mode: cull, ..Default::default() }
            }
            None => Default::default(),
        };
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
            primitive,
            depth_stencil: Some(wgpu::DepthStencilState {
                format: self.depth.format(),
                depth_write_enabled: Some(writes),
                depth_compare: Some(compare),
                stencil,
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

    /// Draws triangles to the first pixels of each row and column. Their corners come from a vertex buffer with this
    /// number of them; without one, one triangle is drawn.
    pub(super) fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        pipeline: &wgpu::RenderPipeline,
        bound: &Bound,
        corners: Option<(&wgpu::Buffer, u32)>,
        [width, height]: [u32; 2],
    ) {
        let (untouched, depth_untouched) = match self.state {
            Some(state) => ([0; 4], state.cleared),
            None => (UNTOUCHED, UNTOUCHED_DEPTH),
        };
        let color = |[r, g, b, a]: [f64; 4]| wgpu::Color { r, g, b, a };
        let cleared = color(untouched.map(f64::from));
        let views: Vec<_> =
            self.colours.iter().map(|c| c.as_ref().map(|c| c.create_view(&Default::default()))).collect();
        let colours: Vec<_> = views
            .iter()
            .map(|view| {
                view.as_ref().map(|view| wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Clear(cleared), store: wgpu::StoreOp::Store },
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
                    load: wgpu::LoadOp::Clear(depth_untouched),
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
        if let Some((corners, _)) = corners {
            pass.set_vertex_buffer(0, corners.slice(..));
        }
        if let Some(state) = &self.state {
            pass.set_blend_constant(color(state.constant.map(f64::from)));
        }
        pass.set_scissor_rect(0, 0, width, height);
        pass.draw(0..corners.map_or(3, |(_, count)| count), 0..1);
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

    /// Reads multisampled targets. Stencil values are read if they count what is drawn; each is a word.
    fn collected(&self, device: &Device, mut encoder: wgpu::CommandEncoder) -> Result<Vec<Planes>, String> {
        let mut made = Vec::new();
        let colours = self.colours.iter().flatten();
        let colours = colours.map(|c| (c, words(c), Texels::of(c.format()), wgpu::TextureAspect::All));
        let depth = (&self.depth, 1, Texels::Depth, wgpu::TextureAspect::DepthOnly);
        let stencil = (&self.depth, 1, Texels::Integers, wgpu::TextureAspect::StencilOnly);
        let counts = self.state.map(|_| stencil);
        for (target, words, texels, aspect) in colours.chain([depth]).chain(counts) {
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
            // Without a state there are no stencil values.
            let [depth, stencil] = [(); 2].map(|()| parts.next().unwrap_or_default());
            Planes { colours, depth, stencil }
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

    /// What a sample has after a draw call with a state.
    pub(super) fn sample(&self, planes: &Planes, at: (usize, usize)) -> Sample {
        let color = self.colour(planes, 0, at).map_or([0; 4], |(_, words)| register(&words));
        let (depth, drawn) = self.depth_and_stencil(planes, at);
        Sample { color: color.map(f32::from_bits), depth: f32::from_bits(depth), drawn }
    }

    /// A colour of a pixel, with its target.
    fn colour(
        &self,
        planes: &Planes,
        location: u32,
        (x, y): (usize, usize),
    ) -> Option<(&wgpu::Texture, Vec<u32>)> {
        let n = location as usize;
        let (target, plane) = (self.colours.get(n)?.as_ref()?, planes.colours.get(n)?.as_ref()?);
        let words = words(target);
        let at = y * self.pitch(4 * words) as usize + words as usize * x;
        Some((target, plane.get(at..at + words as usize).map_or(Vec::new(), <[u32]>::to_vec)))
    }

    fn depth_and_stencil(&self, planes: &Planes, (x, y): (usize, usize)) -> (u32, u32) {
        let word = |plane: &[u32], at: usize| plane.get(at).copied().unwrap_or_default();
        let at = y * self.pitch(4) as usize + x;
        let stencil = match self.samples {
            1 => word(&planes.stencil, y * self.pitch(1) as usize + x / 4) >> (8 * (x % 4)) & 0xff,
            _ => word(&planes.stencil, at),
        };
        (word(&planes.depth, at), stencil)
    }

    pub(super) fn lane(&self, reflection: &Reflection, planes: &Planes, (x, y): (usize, usize)) -> Lane {
        let (depth, stencil) = self.depth_and_stencil(planes, (x, y));
        let colour = |location: u32| {
            let (target, words) = self.colour(planes, location, (x, y))?;
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

/// Stencil state that changes the value of what passes all tests.
fn stencil(pass_op: wgpu::StencilOperation) -> wgpu::StencilState {
    let face = wgpu::StencilFaceState { pass_op, ..wgpu::StencilFaceState::IGNORE };
    wgpu::StencilState { front: face, back: face, read_mask: 0xff, write_mask: 0xff }
}

/// 32-bit words in a pixel of a target.
fn words(target: &wgpu::Texture) -> u32 {
    target.format().components().into()
}
