//! Multisampled textures. Devices can fill and read them sample by sample in shaders only.

use super::Device;

/// Kind of a texel, where a shader reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Texels {
    Floats,
    Integers,
    Depth,
}

impl Texels {
    /// The kind for a colour target's or texture's format.
    pub(super) fn of(format: wgpu::TextureFormat) -> Texels {
        match format.sample_type(None, None) {
            Some(wgpu::TextureSampleType::Uint) => Texels::Integers,
            _ => Texels::Floats,
        }
    }

    const fn scalar(self) -> &'static str {
        if matches!(self, Texels::Integers) { "u32" } else { "f32" }
    }
}

impl Device {
    /// A multisampled texture whose samples are the layers of another texture.
    pub(super) fn spread(&self, layers: &wgpu::Texture) -> wgpu::Texture {
        let (format, count) = (layers.format(), layers.depth_or_array_layers());
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size: wgpu::Extent3d { depth_or_array_layers: 1, ..layers.size() },
            mip_level_count: 1,
            sample_count: count,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::RENDER_ATTACHMENT,
            view_formats: &[],
        });
        let text = format!(
            "@group(0) @binding(0) var layers: texture_2d_array<{0}>;\n\
             @vertex fn cover(@builtin(vertex_index) n: u32) -> @builtin(position) vec4<f32> {{\n\
             return vec4<f32>(select(-1.0, 3.0, n == 1u), select(-1.0, 3.0, n == 2u), 0.5, 1.0);\n}}\n\
             @fragment fn spread(@builtin(position) at: vec4<f32>, @builtin(sample_index) n: u32)\n\
             -> @location(0) vec4<{0}> {{\nreturn textureLoad(layers, vec2<u32>(at.xy), n, 0);\n}}\n",
            Texels::of(format).scalar()
        );
        let module = self.wgsl(text);
        let pipeline = self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("cover"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: wgpu::MultisampleState { count, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("spread"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let array = wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2Array),
            ..Default::default()
        };
        let view = layers.create_view(&array);
        let group =
            self.group(&pipeline.get_bind_group_layout(0), &[wgpu::BindingResource::TextureView(&view)]);
        let target = texture.create_view(&Default::default());
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: Default::default(),
                })],
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.draw(0..3, 0..1);
        }
        self.queue.submit([encoder.finish()]);
        texture
    }

    /// Records a pass that copies each sample of a texture to a buffer, the first words of each texel: rows of
    /// `pitch` words, all rows of a sample together.
    pub(super) fn collect(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        view: &wgpu::TextureView,
        texels: Texels,
        words: u32,
        pitch: u32,
    ) -> wgpu::Buffer {
        let size = view.texture().size();
        let samples = view.texture().sample_count();
        let bytes = 4 * u64::from(samples * size.height * pitch);
        let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
        let buffer = self.empty_buffer(bytes, usage);
        let (texture, texel) = match texels {
            Texels::Depth => ("depth_multisampled_2d", "vec4<f32>(texel)"),
            Texels::Floats => ("multisampled_2d<f32>", "texel"),
            Texels::Integers => ("multisampled_2d<u32>", "texel"),
        };
        let text = format!(
            "@group(0) @binding(0) var samples: texture_{texture};\n\
             @group(0) @binding(1) var<storage, read_write> all: array<u32>;\n\
             @compute @workgroup_size(8, 8) fn collect(@builtin(global_invocation_id) at: vec3<u32>) {{\n\
             let size = textureDimensions(samples);\n\
             if at.x >= size.x || at.y >= size.y {{ return; }}\n\
             let texel = textureLoad(samples, at.xy, at.z);\n\
             let bits = bitcast<vec4<u32>>({texel});\n\
             let first = (at.z * size.y + at.y) * {pitch}u + at.x * {words}u;\n\
             for (var c = 0u; c < {words}u; c++) {{ all[first + c] = bits[c]; }}\n}}\n"
        );
        let module = self.wgsl(text);
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("collect"),
            compilation_options: Default::default(),
            cache: None,
        });
        let resources = [wgpu::BindingResource::TextureView(view), buffer.as_entire_binding()];
        let group = self.group(&pipeline.get_bind_group_layout(0), &resources);
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(size.width.div_ceil(8), size.height.div_ceil(8), samples);
        drop(pass);
        buffer
    }

    fn wgsl(&self, text: String) -> wgpu::ShaderModule {
        let source = wgpu::ShaderSource::Wgsl(text.into());
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
    }

    /// The resources, bound in their order.
    fn group(&self, layout: &wgpu::BindGroupLayout, resources: &[wgpu::BindingResource]) -> wgpu::BindGroup {
        let entry = |(binding, resource): (u32, &_)| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::clone(resource),
        };
        let entries: Vec<_> = (0..).zip(resources).map(entry).collect();
        self.device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }
}
