//! What programs draw to, and how it is read back.

use super::{Device, Lane, bind::Bound, register};
use crate::{Kind, Reflection};

/// What colour targets hold where no lane wrote: no program under test is expected to yield it.
const UNTOUCHED: [f32; 4] = [-1.25e-33, 2.5e-33, -5e-33, 7.5e-33];

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// The textures that a program draws to.
pub(super) struct Targets {
    colours: Vec<Option<wgpu::Texture>>,
    depth: Option<wgpu::Texture>,
    size: wgpu::Extent3d,
}

/// What came out: the colour targets in order, then the depth; words of rows that are `pitch` words long.
pub(super) struct Planes {
    colours: Vec<Option<Vec<u32>>>,
    depth: Option<Vec<u32>>,
}

impl Targets {
    pub(super) fn new(device: &Device, reflection: &Reflection, [width, height]: [u32; 2]) -> Targets {
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let make = |format| {
            device.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size,
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        let mut colours: Vec<Option<wgpu::Texture>> = Vec::new();
        for location in reflection.outputs.iter().filter_map(|o| o.location) {
            let location = location as usize;
            if colours.len() <= location {
                colours.resize(location + 1, None);
            }
            colours[location] = Some(make(FORMAT));
        }
        let depth = reflection.outputs.iter().any(|o| o.kind == Kind::Depth).then(|| make(DEPTH));
        Targets { colours, depth, size }
    }

    /// A pipeline that draws triangles here: modules with their entry points, the vertex program with the
    /// layout of its buffer.
    pub(super) fn pipeline(
        &self,
        device: &Device,
        bound: &Bound,
        (vertex, vertex_entry, buffers): (&wgpu::ShaderModule, &str, &[wgpu::VertexBufferLayout]),
        (fragment, fragment_entry): (&wgpu::ShaderModule, &str),
    ) -> wgpu::RenderPipeline {
        let states: Vec<_> = self.colours.iter().map(|c| c.as_ref().map(|_| FORMAT.into())).collect();
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
            depth_stencil: self.depth.as_ref().map(|_| wgpu::DepthStencilState {
                format: DEPTH,
                depth_write_enabled: Some(true),
                depth_compare: Some(wgpu::CompareFunction::Always),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: Default::default(),
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

    /// Draws one triangle, with its corners in a vertex buffer if there is one, to the first pixels of
    /// each row and column.
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
        let depth = self.depth.as_ref().map(|d| d.create_view(&Default::default()));
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: None,
            color_attachments: &colours,
            depth_stencil_attachment: depth.as_ref().map(|view| wgpu::RenderPassDepthStencilAttachment {
                view,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Store,
                }),
                stencil_ops: None,
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

    /// Words of a row in the read-back buffer: rows start at multiples of 256 bytes.
    fn pitch(&self, words: u32) -> u32 {
        (self.size.width * words).next_multiple_of(64)
    }

    pub(super) fn read(&self, device: &Device, mut encoder: wgpu::CommandEncoder) -> Result<Planes, String> {
        let mut offset = 0;
        let mut places = Vec::new();
        for (texture, words) in self.colours.iter().map(|c| (c.as_ref(), 4)).chain([(self.depth.as_ref(), 1)])
        {
            let pitch = self.pitch(words);
            let size = u64::from(pitch) * 4 * u64::from(self.size.height);
            places.push(texture.map(|t| (t, offset, pitch, size)));
            offset += if texture.is_some() { size } else { 0 };
        }
        let usage = wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
        let buffer = device.empty_buffer(offset, usage);
        for &(texture, offset, pitch, _) in places.iter().flatten() {
            let layout = wgpu::TexelCopyBufferLayout {
                offset,
                bytes_per_row: Some(4 * pitch),
                rows_per_image: Some(self.size.height),
            };
            let target = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
            encoder.copy_texture_to_buffer(texture.as_image_copy(), target, self.size);
        }
        let words = device.read(encoder, &buffer, offset)?;
        let mut planes: Vec<Option<Vec<u32>>> = places
            .into_iter()
            .map(|p| p.map(|(_, at, _, size)| words[at as usize / 4..(at + size) as usize / 4].to_vec()))
            .collect();
        let depth = planes.pop().flatten();
        Ok(Planes { colours: planes, depth })
    }

    pub(super) fn lane(&self, reflection: &Reflection, planes: &Planes, (x, y): (usize, usize)) -> Lane {
        let mut killed = false;
        let outputs = reflection.outputs.iter().map(|o| match o.location {
            Some(location) => {
                let plane = planes.colours.get(location as usize).and_then(Option::as_ref);
                let at = y * self.pitch(4) as usize + 4 * x;
                let mut value = plane.and_then(|p| p.get(at..at + 4)).map_or([0; 4], register);
                killed |= value == UNTOUCHED.map(f32::to_bits);
                value[usize::from(o.components.clamp(1, 4))..].fill(0);
                value
            }
            None => {
                let at = y * self.pitch(1) as usize + x;
                [planes.depth.as_ref().and_then(|p| p.get(at)).copied().unwrap_or(0), 0, 0, 0]
            }
        });
        Lane { outputs: outputs.collect(), killed }
    }
}
