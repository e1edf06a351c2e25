//! Bindings of a translation's resources, from its reflection.

use super::{Device, Image, Resources};
use crate::texture::TexelFormat;
use crate::{Reflection, Uniform};
use shisa_ir::{Dim, Filter, Sampler, Scalar, TextureAccess, Wrap};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Bind groups and the layout of a pipeline that uses them.
#[derive(Debug)]
pub(super) struct Bound<'a> {
    pub(super) layout: wgpu::PipelineLayout,
    pub(super) groups: Vec<(u32, wgpu::BindGroup)>,
    /// The bindings of each group, in ascending order.
    bindings: BTreeMap<u32, Vec<u32>>,
    /// Textures that programs write.
    written: Vec<wgpu::Texture>,
    memory: Vec<(&'a RefCell<Vec<u32>>, wgpu::Buffer)>,
}

/// A storage buffer besides the program's own resources: group, binding, buffer, whether it is read-only.
pub(super) type Extra<'a> = (u32, u32, &'a wgpu::Buffer, bool);

enum Resource<'a> {
    Uniform(wgpu::Buffer),
    Storage(&'a wgpu::Buffer, bool),
    Texture {
        view: wgpu::TextureView,
        dimension: wgpu::TextureViewDimension,
        sample_type: wgpu::TextureSampleType,
        multisampled: bool,
    },
    /// A texture that is written or changed.
    Written {
        view: wgpu::TextureView,
        dimension: wgpu::TextureViewDimension,
        format: wgpu::TextureFormat,
        access: wgpu::StorageTextureAccess,
    },
    Sampler(wgpu::Sampler),
    Comparison(wgpu::Sampler),
}

impl<'a> Bound<'a> {
    pub(super) fn new(
        device: &Device,
        programs: &[(&Reflection, Resources<'a>)],
        extra: &[Extra],
        stages: wgpu::ShaderStages,
    ) -> Bound<'a> {
        let storage = |words: &'a RefCell<Vec<u32>>| {
            let usage = wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC;
            (words, device.buffer(&words.borrow(), usage))
        };
        let window = programs.iter().find_map(|(_, resources)| resources.memory);
        let mut memory: Vec<_> = window.into_iter().map(storage).collect();
        // The buffers at pointers follow the window, program by program.
        let mut pointed = memory.len();
        for (_, resources) in programs {
            memory.extend(resources.buffers.iter().map(|(_, words)| storage(words)));
        }
        let mut groups: BTreeMap<u32, Vec<(u32, Resource)>> = BTreeMap::new();
        let mut written = Vec::new();
        for (reflection, resources) in programs {
            // Per-lane arrays follow the lane's inputs.
            let bound = |u: &Uniform| reflection.lanes.is_none() || !u.per_lane;
            for (i, u) in reflection.uniforms.iter().enumerate().filter(|(_, u)| bound(u)) {
                let mut words = vec![0; 4 * u.registers as usize];
                let given = resources.uniforms.get(i).into_iter().flatten().flatten();
                words.iter_mut().zip(given).for_each(|(to, from)| *to = *from);
                let buffer = device.buffer(&words, wgpu::BufferUsages::UNIFORM);
                let group = groups.entry(u.slot.group).or_default();
                group.push((u.slot.binding, Resource::Uniform(buffer)));
            }
            for t in &reflection.textures {
                let Some(image) = resources.textures.iter().find(|i| i.unit == t.unit) else { continue };
                let (texture, view, dimension) = device.texture(image, t.access, t.texels);
                let group = groups.entry(t.slot.group).or_default();
                let multisampled = image.shape.multisampled;
                let sample_type = match t.access {
                    TextureAccess::Compared => wgpu::TextureSampleType::Depth,
                    _ if t.texels == Scalar::I32 => wgpu::TextureSampleType::Uint,
                    _ => wgpu::TextureSampleType::Float { filterable: !multisampled },
                };
                let resource = match t.access {
                    access if access.is_stored() => Resource::Written {
                        view,
                        dimension,
                        format: texture.format(),
                        access: match access {
                            TextureAccess::Changed(_) => wgpu::StorageTextureAccess::Atomic,
                            _ => wgpu::StorageTextureAccess::WriteOnly,
                        },
                    },
                    _ => Resource::Texture { view, dimension, sample_type, multisampled },
                };
                group.push((t.slot.binding, resource));
                if let Some(binding) = t.sampler_binding {
                    group.push((binding, Resource::Sampler(device.sampler(image.sampler, false))));
                }
                if t.access.is_stored() {
                    written.push(texture);
                }
            }
            for s in &reflection.samplers {
                let state = resources.samplers.iter().find(|(unit, _)| *unit == s.unit);
                let sampler = device.sampler(state.map_or_else(Sampler::default, |s| s.1), s.comparison);
                let resource = match s.comparison {
                    true => Resource::Comparison(sampler),
                    false => Resource::Sampler(sampler),
                };
                groups.entry(s.slot.group).or_default().push((s.slot.binding, resource));
            }
        }
        for &(group, binding, buffer, read_only) in extra {
            groups.entry(group).or_default().push((binding, Resource::Storage(buffer, read_only)));
        }
        let mut global = programs.iter().flat_map(|(r, _)| &r.memory).filter(|m| m.name == "global");
        if let (Some(m), Some(_), Some((_, buffer))) = (global.next(), window, memory.first()) {
            let resource = Resource::Storage(buffer, !m.written);
            groups.entry(m.slot.group).or_default().push((m.slot.binding, resource));
        }
        for (reflection, resources) in programs {
            for m in &reflection.memory {
                let resource = match (m.pointer, m.size) {
                    (Some(pointer), _) => {
                        let number = resources.buffers.iter().position(|(known, _)| *known == pointer);
                        let Some((_, buffer)) = number.and_then(|n| memory.get(pointed + n)) else {
                            continue;
                        };
                        Resource::Storage(buffer, !m.written)
                    }
                    (None, Some(size)) => {
                        let own = resources.banks.iter().find(|(n, _)| m.name == format!("c{n}"));
                        let mut words = own.map_or(Vec::new(), |(_, words)| words.clone());
                        words.resize(size as usize / 4, 0);
                        Resource::Uniform(device.buffer(&words, wgpu::BufferUsages::UNIFORM))
                    }
                    (None, None) => continue,
                };
                groups.entry(m.slot.group).or_default().push((m.slot.binding, resource));
            }
            pointed += resources.buffers.len();
        }
        groups.values_mut().for_each(|list| list.sort_by_key(|(binding, _)| *binding));
        let last = groups.keys().last().map_or(0, |g| g + 1);
        let mut layouts = vec![None; last as usize];
        let mut bound = Vec::new();
        for (group, list) in &groups {
            let layout = device.group_layout(list, stages);
            let entries: Vec<_> = list
                .iter()
                .map(|(binding, r)| wgpu::BindGroupEntry { binding: *binding, resource: r.as_binding() })
                .collect();
            let made = device.device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: None,
                layout: &layout,
                entries: &entries,
            });
            bound.push((*group, made));
            layouts[*group as usize] = Some(layout);
        }
        let layouts: Vec<_> = layouts.iter().map(Option::as_ref).collect();
        let layout = device.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        let numbers = |list: &Vec<(u32, Resource)>| list.iter().map(|(binding, _)| *binding).collect();
        let bindings = groups.iter().map(|(group, list)| (*group, numbers(list))).collect();
        Bound { layout, groups: bound, bindings, written, memory }
    }

    /// The bindings of each group, in ascending order.
    pub(super) fn bindings(&self) -> &BTreeMap<u32, Vec<u32>> {
        &self.bindings
    }

    /// Reads back the memory buffers after everything that was submitted.
    pub(super) fn read_memory(&self, device: &Device) -> Result<(), String> {
        for (words, buffer) in &self.memory {
            let encoder = device.device.create_command_encoder(&Default::default());
            let size = 4 * words.borrow().len() as u64;
            let read = device.read(encoder, buffer, size)?;
            *words.borrow_mut() = read;
        }
        Ok(())
    }

    /// The texels of each texture that programs write.
    pub(super) fn read_texels(&self, device: &Device) -> Result<Vec<Vec<[f32; 4]>>, String> {
        self.written.iter().map(|texture| device.read_texels(texture)).collect()
    }
}

impl Resource<'_> {
    fn as_binding(&self) -> wgpu::BindingResource<'_> {
        match self {
            Resource::Uniform(b) => b.as_entire_binding(),
            Resource::Storage(b, _) => b.as_entire_binding(),
            Resource::Texture { view, .. } | Resource::Written { view, .. } => {
                wgpu::BindingResource::TextureView(view)
            }
            Resource::Sampler(s) | Resource::Comparison(s) => wgpu::BindingResource::Sampler(s),
        }
    }

    fn ty(&self) -> wgpu::BindingType {
        let buffer = |ty| wgpu::BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None };
        match self {
            Resource::Uniform(_) => buffer(wgpu::BufferBindingType::Uniform),
            Resource::Storage(_, read_only) => {
                buffer(wgpu::BufferBindingType::Storage { read_only: *read_only })
            }
            Resource::Texture { dimension: view_dimension, sample_type, multisampled, .. } => {
                wgpu::BindingType::Texture {
                    sample_type: *sample_type,
                    view_dimension: *view_dimension,
                    multisampled: *multisampled,
                }
            }
            Resource::Written { dimension, format, access, .. } => wgpu::BindingType::StorageTexture {
                access: *access,
                format: *format,
                view_dimension: *dimension,
            },
            Resource::Sampler(_) => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering),
            Resource::Comparison(_) => wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Comparison),
        }
    }
}

fn texture_format(format: TexelFormat) -> wgpu::TextureFormat {
    match format {
        TexelFormat::Rgba32Float => wgpu::TextureFormat::Rgba32Float,
        TexelFormat::R8Uint => wgpu::TextureFormat::R8Uint,
        TexelFormat::R16Uint => wgpu::TextureFormat::R16Uint,
        TexelFormat::R32Uint => wgpu::TextureFormat::R32Uint,
        TexelFormat::Rg32Uint => wgpu::TextureFormat::Rg32Uint,
        TexelFormat::Rgba32Uint => wgpu::TextureFormat::Rgba32Uint,
        TexelFormat::R64Uint => wgpu::TextureFormat::R64Uint,
    }
}

impl Device {
    fn group_layout(&self, list: &[(u32, Resource)], stages: wgpu::ShaderStages) -> wgpu::BindGroupLayout {
        let entries: Vec<_> = list
            .iter()
            .map(|(binding, r)| wgpu::BindGroupLayoutEntry {
                binding: *binding,
                visibility: stages,
                ty: r.ty(),
                count: None,
            })
            .collect();
        let description = wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries };
        self.device.create_bind_group_layout(&description)
    }

    /// Makes a texture for one kind of access. A filtered texture is binary32 if the device can filter that, else 8
    /// bits a component.
    fn texture(
        &self,
        image: &Image,
        access: TextureAccess,
        texels: Scalar,
    ) -> (wgpu::Texture, wgpu::TextureView, wgpu::TextureViewDimension) {
        use wgpu::TextureViewDimension as View;
        let (dimension, view) = match (image.shape.dim, image.shape.arrayed) {
            (Dim::D1, _) => (wgpu::TextureDimension::D1, View::D1),
            (Dim::D2, false) => (wgpu::TextureDimension::D2, View::D2),
            (Dim::D2, true) => (wgpu::TextureDimension::D2, View::D2Array),
            (Dim::Cube, false) => (wgpu::TextureDimension::D2, View::Cube),
            (Dim::Cube, true) => (wgpu::TextureDimension::D2, View::CubeArray),
            (Dim::D3, _) => (wgpu::TextureDimension::D3, View::D3),
        };
        let uses = wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST;
        let (format, uses) = match TexelFormat::of(access) {
            Some(format) => {
                let uses = wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC;
                let atomic = match access {
                    TextureAccess::Changed(_) => wgpu::TextureUsages::STORAGE_ATOMIC,
                    _ => wgpu::TextureUsages::empty(),
                };
                (texture_format(format), uses | atomic)
            }
            // Depth textures can be filled only in the 16-bit format.
            None if access == TextureAccess::Compared => (wgpu::TextureFormat::Depth16Unorm, uses),
            _ if texels == Scalar::I32 => (wgpu::TextureFormat::Rgba32Uint, uses),
            _ if self.filters_floats => (wgpu::TextureFormat::Rgba32Float, uses),
            _ => (wgpu::TextureFormat::Rgba8Unorm, uses),
        };
        let [width, height, depth] = image.size;
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: depth };
        let texture = self.device.create_texture(&wgpu::TextureDescriptor {
            label: None,
            size,
            mip_level_count: image.levels.len().max(1) as u32,
            sample_count: 1,
            dimension,
            format,
            usage: uses,
            view_formats: &[],
        });
        for (level, texels) in (0..).zip(&image.levels).filter(|_| !access.is_stored()) {
            let size = size.mip_level_size(level, dimension);
            let whole = |c: f32, most: f32| (c * most).round();
            let bytes: Vec<u8> = match format {
                wgpu::TextureFormat::Rgba32Float | wgpu::TextureFormat::Rgba32Uint => {
                    texels.iter().flatten().flat_map(|c| c.to_le_bytes()).collect()
                }
                wgpu::TextureFormat::Depth16Unorm => {
                    texels.iter().flat_map(|t| (whole(t[0], 65535.0) as u16).to_le_bytes()).collect()
                }
                _ => texels.iter().flatten().map(|c| whole(*c, 255.0) as u8).collect(),
            };
            let texel = format.block_copy_size(None).unwrap_or(4);
            let target = wgpu::TexelCopyTextureInfo { mip_level: level, ..texture.as_image_copy() };
            let layout = wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some(texel * size.width),
                rows_per_image: Some(size.height),
            };
            self.queue.write_texture(target, &bytes, layout, size);
        }
        let texture = if image.shape.multisampled { self.spread(&texture) } else { texture };
        let description = wgpu::TextureViewDescriptor { dimension: Some(view), ..Default::default() };
        let made = texture.create_view(&description);
        (texture, made, view)
    }

    fn sampler(&self, state: Sampler, compares: bool) -> wgpu::Sampler {
        let wrap = |w| match w {
            Wrap::Clamp => wgpu::AddressMode::ClampToEdge,
            Wrap::Repeat => wgpu::AddressMode::Repeat,
            Wrap::Mirror => wgpu::AddressMode::MirrorRepeat,
        };
        let filter = match state.filter {
            Filter::Nearest => wgpu::FilterMode::Nearest,
            Filter::Linear => wgpu::FilterMode::Linear,
        };
        let linear = state.filter == Filter::Linear && state.mip == Some(Filter::Linear);
        self.device.create_sampler(&wgpu::SamplerDescriptor {
            address_mode_u: wrap(state.wrap[0]),
            address_mode_v: wrap(state.wrap[1]),
            address_mode_w: wrap(state.wrap[2]),
            mag_filter: filter,
            min_filter: filter,
            mipmap_filter: match state.mip {
                Some(Filter::Linear) => wgpu::MipmapFilterMode::Linear,
                _ => wgpu::MipmapFilterMode::Nearest,
            },
            lod_max_clamp: if state.mip.is_some() { 32.0 } else { 0.0 },
            // Devices allow anisotropy only if all filters are linear.
            anisotropy_clamp: if linear { u16::from(state.anisotropy.max(1)) } else { 1 },
            compare: compares.then_some(wgpu::CompareFunction::LessEqual),
            ..Default::default()
        })
    }
}
