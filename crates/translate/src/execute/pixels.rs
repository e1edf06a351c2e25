//! Fragment programs in a real fragment stage.

use super::{Device, Lane, Register, Resources, bind::Bound, lane_words, register};
use crate::{Code, Kind, Output, Reflection};
use std::fmt::Write as _;

/// What colour targets hold where no lane wrote: no program under test is expected to yield it.
const UNTOUCHED: [f32; 4] = [-1.25e-33, 2.5e-33, -5e-33, 7.5e-33];

const FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Rgba32Float;
const DEPTH: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

impl Device {
    /// Runs the stage form of a fragment program over a grid of pixels, given the input registers of
    /// each, row by row. Quads are the 2 by 2 blocks of the grid; where width or height is odd, those at
    /// its edge have no neighbours.
    ///
    /// WGSL is called with exactly the given inputs. A SPIR-V module gets interpolated inputs: they must
    /// change linearly over the grid, and are as exact as the device interpolates.
    ///
    /// # Errors
    /// What the device says against the code.
    pub fn pixels(
        &self,
        output: &Output,
        resources: Resources,
        width: u32,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Lane>, String> {
        let reflection = &output.reflection;
        let width = width.max(1);
        let height = (inputs.len() as u32).div_ceil(width).max(1);
        // The buffer's place: a group that no stage's resources take.
        let group = 3;
        let fragment_entry = match &output.code {
            Code::Text(_) => harness(reflection, width, group),
            Code::Words(_) => String::new(),
        };
        self.checked(|| {
            let fragment = self.module(&output.code, &fragment_entry, &reflection.entry);
            let text = vertex_stage(reflection, fragment_entry.is_empty(), group);
            let vertex = self.module(&Code::Text(text), "", "cover");
            let words = match &output.code {
                Code::Text(_) => lane_words(inputs, reflection.inputs.len()),
                Code::Words(_) => corners(inputs, reflection.inputs.len(), width, height),
            };
            let buffer = self.buffer(&words, wgpu::BufferUsages::STORAGE);
            let stages = wgpu::ShaderStages::VERTEX_FRAGMENT;
            let bound = Bound::new(self, reflection, resources, &[(group, 0, &buffer, true)], stages);
            let targets = Targets::new(self, reflection, width, height);
            let states: Vec<_> = targets.colours.iter().map(|c| c.as_ref().map(|_| FORMAT.into())).collect();
            let entry = if fragment_entry.is_empty() { reflection.entry.as_str() } else { "pixel" };
            let pipeline = self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: None,
                layout: Some(&bound.layout),
                vertex: wgpu::VertexState {
                    module: &vertex,
                    entry_point: Some("cover"),
                    compilation_options: Default::default(),
                    buffers: &[],
                },
                primitive: Default::default(),
                depth_stencil: targets.depth.as_ref().map(|_| wgpu::DepthStencilState {
                    format: DEPTH,
                    depth_write_enabled: Some(true),
                    depth_compare: Some(wgpu::CompareFunction::Always),
                    stencil: Default::default(),
                    bias: Default::default(),
                }),
                multisample: Default::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &fragment,
                    entry_point: Some(entry),
                    compilation_options: Default::default(),
                    targets: &states,
                }),
                multiview_mask: None,
                cache: None,
            });
            let mut encoder = self.device.create_command_encoder(&Default::default());
            targets.draw(&mut encoder, &pipeline, &bound);
            let planes = targets.read(self, encoder)?;
            let at = |lane: usize| (lane % width as usize, lane / width as usize);
            Ok((0..inputs.len()).map(|lane| targets.lane(reflection, &planes, at(lane))).collect())
        })
    }
}

/// A fragment entry point that calls the program with the inputs of its pixel.
fn harness(reflection: &Reflection, width: u32, group: u32) -> String {
    let count = reflection.inputs.len();
    let mut arguments = String::new();
    for (i, input) in reflection.inputs.iter().enumerate() {
        let part = ["x", "xy", "xyz", "xyzw"][usize::from(input.components.clamp(1, 4) - 1)];
        let ty = match (input.scalar, input.components) {
            ("f32", 0 | 1) => "f32".into(),
            ("f32", n) => format!("vec{n}<f32>"),
            (_, 0 | 1) => "u32".into(),
            (_, n) => format!("vec{n}<u32>"),
        };
        let _ = write!(arguments, "bitcast<{ty}>(pixel_inputs[first + {i}u].{part}), ");
    }
    let (returns, call) = match reflection.outputs.is_empty() {
        true => (String::new(), ""),
        false => (format!(" -> {}_out", reflection.function), "return "),
    };
    format!(
        "@group({group}) @binding(0) var<storage> pixel_inputs: array<vec4<u32>>;\n\
         @fragment fn pixel(@builtin(position) place: vec4<f32>){returns} {{\n\
         let at = vec2<u32>(place.xy);\n\
         let first = 1u + (at.y * {width}u + at.x) * {count}u;\n\
         {call}{}({arguments});\n}}\n",
        reflection.function
    )
}

/// A triangle over all pixels. With `feeds` it carries the inputs of its corners from the buffer.
fn vertex_stage(reflection: &Reflection, feeds: bool, group: u32) -> String {
    let inputs = reflection.inputs.iter().filter(|_| feeds);
    let (mut members, mut sets) = (String::new(), String::new());
    for (i, input) in inputs.enumerate() {
        let location = input.location.unwrap_or(0);
        let part = ["x", "xy", "xyz", "xyzw"][usize::from(input.components.clamp(1, 4) - 1)];
        let ty = if input.components > 1 { format!("vec{}<f32>", input.components) } else { "f32".into() };
        let _ = writeln!(members, "@location({location}) i{i}: {ty},");
        let count = reflection.inputs.len();
        let _ = writeln!(sets, "o.i{i} = bitcast<vec4<f32>>(corners[n * {count}u + {i}u]).{part};");
    }
    let buffer = format!("@group({group}) @binding(0) var<storage> corners: array<vec4<u32>>;\n");
    format!(
        "struct Out {{ @builtin(position) place: vec4<f32>,\n{members} }}\n{}\
         @vertex fn cover(@builtin(vertex_index) n: u32) -> Out {{\n\
         var o: Out;\n\
         o.place = vec4<f32>(select(-1.0, 1.0, n == 1u), select(1.0, -1.0, n == 2u), 0.5, 1.0);\n\
         {sets}return o;\n}}\n",
        if feeds { &buffer } else { "" }
    )
}

/// The inputs at the triangle's corners: the grid's first corner, twice its (even) width right, twice its
/// height down, continued linearly from the pixels that there are.
fn corners(inputs: &[Vec<Register>], count: usize, width: u32, height: u32) -> Vec<u32> {
    let [far_x, far_y] = [width, height].map(|n| 2.0 * f64::from(n.next_multiple_of(2)));
    let at = |lane: usize, i: usize, c: usize| {
        let word = inputs.get(lane).and_then(|l| l.get(i)).map_or(0, |r: &Register| r[c]);
        f64::from(f32::from_bits(word))
    };
    let mut words = Vec::new();
    for (x, y) in [(0.0, 0.0), (far_x, 0.0), (0.0, far_y)] {
        for i in 0..count {
            for c in 0..4 {
                let base = at(0, i, c);
                let right = if width > 1 { at(1, i, c) - base } else { 0.0 };
                let down = if height > 1 { at(width as usize, i, c) - base } else { 0.0 };
                let value = base + (x - 0.5) * right + (y - 0.5) * down;
                words.push((value as f32).to_bits());
            }
        }
    }
    words
}

/// The textures that a program draws to. They are twice as wide and high as the grid, so that one
/// triangle covers it without being clipped: clipping would split it, and some devices load nothing from
/// buffers in lanes that only help.
struct Targets {
    colours: Vec<Option<wgpu::Texture>>,
    depth: Option<wgpu::Texture>,
    size: wgpu::Extent3d,
}

/// What came out: the colour targets in order, then the depth; words of rows that are `pitch` words long.
struct Planes {
    colours: Vec<Option<Vec<u32>>>,
    depth: Option<Vec<u32>>,
}

impl Targets {
    fn new(device: &Device, reflection: &Reflection, width: u32, height: u32) -> Targets {
        let [width, height] = [width, height].map(|n| 2 * n.next_multiple_of(2));
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

    fn draw(&self, encoder: &mut wgpu::CommandEncoder, pipeline: &wgpu::RenderPipeline, bound: &Bound) {
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
        pass.set_scissor_rect(0, 0, self.size.width / 2, self.size.height / 2);
        pass.draw(0..3, 0..1);
    }

    /// Words of a row in the read-back buffer: rows start at multiples of 256 bytes.
    fn pitch(&self, words: u32) -> u32 {
        (self.size.width * words).next_multiple_of(64)
    }

    fn read(&self, device: &Device, mut encoder: wgpu::CommandEncoder) -> Result<Planes, String> {
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

    fn lane(&self, reflection: &Reflection, planes: &Planes, (x, y): (usize, usize)) -> Lane {
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
