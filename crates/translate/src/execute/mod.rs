//! Runs translations on a graphics device through wgpu, for tests and chores.
//!
//! [`Device::lanes`] runs the compute form of any program. [`Device::pixels`] runs a fragment program in a real
//! fragment stage, each lane a pixel. [`Device::triangle`] draws with a vertex and a fragment program,
//! [`Device::scene`] several triangles with a depth test, blending and culling.
//! [`Device::points`] draws each vertex of a vertex program as a pixel. [`Device::compute`] runs a compute program.
//! Values are bit patterns, four to a register. [`judge_wgsl`] needs no device.

mod bind;
mod judge;
mod kernel;
mod numbers;
mod pixels;
mod points;
pub mod random;
mod samples;
pub mod scene;
mod state;
mod targets;
mod triangle;

pub use judge::judge_wgsl;
pub use kernel::Kernel;
pub use numbers::without_gaps;
pub use triangle::{Drawn, Triangle, passing};

use crate::{Code, Output, Pointer};
use bind::Bound;
use shisa_ir::{Sampler, Shape};
use std::cell::RefCell;

/// An open graphics device.
#[derive(Debug)]
pub struct Device {
    device: wgpu::Device,
    queue: wgpu::Queue,
    filters_floats: bool,
    name: String,
    words: Option<WordsModule>,
}

/// Makes a shader module of SPIR-V words and the name of their entry point.
pub type WordsModule = fn(&wgpu::Device, &[u32], &str) -> wgpu::ShaderModule;

/// A register: four bit patterns.
pub type Register = [u32; 4];

/// What a program reads besides its inputs.
#[derive(Clone, Copy, Debug, Default)]
pub struct Resources<'a> {
    /// The registers of each uniform array, in the order of the interface; missing ones are zero. In an array of
    /// booleans, bit n of the array is register n.
    pub uniforms: &'a [Vec<Register>],
    /// The textures.
    pub textures: &'a [Image],
    /// Separate samplers. Comparison samplers yield 1 if the program's number is not greater than the texel.
    pub samplers: &'a [(u16, Sampler)],
    /// The words of global memory from the beginning of the window; programs change them. If two programs draw
    /// together, only one of them can have memory.
    pub memory: Option<&'a RefCell<Vec<u32>>>,
    /// The words of constant banks, by number; missing ones are zero.
    pub banks: &'a [(u8, Vec<u32>)],
    /// The words of the buffers at pointers; programs change them.
    pub buffers: &'a [(Pointer, RefCell<Vec<u32>>)],
}

/// A texture with its sampler state.
#[derive(Clone, Debug)]
pub struct Image {
    /// Its unit.
    pub unit: u16,
    /// Its shape.
    pub shape: Shape,
    /// Width, height and slices of level 0. Slices are depth, samples, or layers (six for a cube).
    pub size: [u32; 3],
    /// The texels of each level, slice after slice, row after row. Integers are given as the floats with their bits.
    pub levels: Vec<Vec<[f32; 4]>>,
    /// Sampler state of the texture's own sampler; the bias is in the code already.
    pub sampler: Sampler,
}

/// The result of one lane.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lane {
    /// The outputs in the order of the interface. Components that an output lacks are zero.
    pub outputs: Vec<Register>,
    /// Whether the lane was killed; its outputs are then meaningless.
    pub killed: bool,
}

impl Device {
    /// Opens the first Vulkan device.
    ///
    /// # Errors
    /// Why none could be opened.
    pub fn open() -> Result<Device, String> {
        let mut settings = wgpu::InstanceDescriptor::new_without_display_handle();
        settings.backends = wgpu::Backends::VULKAN;
        let instance = wgpu::Instance::new(settings);
        let adapter = pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions::default()))
            .map_err(|e| format!("no graphics device: {e}"))?;
        let filterable = wgpu::Features::FLOAT32_FILTERABLE;
        // Groups are visible to both stages of a draw.
        let shared = wgpu::Features::VERTEX_WRITABLE_STORAGE;
        let stencil = wgpu::Features::DEPTH32FLOAT_STENCIL8;
        let blends = wgpu::Features::FLOAT32_BLENDABLE;
        // Colours with 32 bits a component may be multisampled.
        let formats = wgpu::Features::TEXTURE_ADAPTER_SPECIFIC_FORMAT_FEATURES;
        let atomics = wgpu::Features::TEXTURE_ATOMIC
            | wgpu::Features::SHADER_INT64
            | wgpu::Features::SHADER_INT64_ATOMIC_ALL_OPS;
        let features = adapter.features()
            & (filterable
                | shared
                | stencil
                | blends
                | formats
                | atomics
                | wgpu::Features::SHADER_F64
                | wgpu::Features::PASSTHROUGH_SHADERS);
        let description = wgpu::DeviceDescriptor {
            required_features: features,
            required_limits: adapter.limits(),
            ..Default::default()
        };
        let (device, queue) = pollster::block_on(adapter.request_device(&description))
            .map_err(|e| format!("no graphics device: {e}"))?;
        let name = adapter.get_info().name;
        let filters_floats = features.contains(filterable);
        Ok(Device { device, queue, filters_floats, name, words: None })
    }

    /// Makes modules from SPIR-V with `module`. By default wgpu parses SPIR-V and writes it anew, which drops its
    /// decorations. To pass SPIR-V to the driver unchanged, except for the binding numbers, takes an unsafe call.
    ///
    /// # Errors
    /// If the device does not accept SPIR-V unchanged.
    pub fn with_words(mut self, module: WordsModule) -> Result<Device, String> {
        if !self.device.features().contains(wgpu::Features::PASSTHROUGH_SHADERS) {
            return Err("the device takes no SPIR-V as it is".into());
        }
        self.words = Some(module);
        Ok(self)
    }

    /// Whether the device computes with 64-bit floats.
    pub fn has_doubles(&self) -> bool {
        self.device.features().contains(wgpu::Features::SHADER_F64)
    }

    /// Whether the device computes with 64-bit integers.
    pub fn has_int64(&self) -> bool {
        self.device.features().contains(wgpu::Features::SHADER_INT64)
    }

    /// Name of the device, as its driver reports it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs the compute form of a program over lanes. Each lane is given as its input registers, followed by the
    /// registers of its per-lane arrays.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn lanes(
        &self,
        output: &Output,
        resources: Resources,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Lane>, String> {
        let lane = |mut outputs: Vec<Register>| {
            let killed = outputs.pop().is_some_and(|k| k[0] != 0);
            Lane { outputs, killed }
        };
        Ok(self.kernel(output, resources, inputs)?.into_iter().map(lane).collect())
    }

    /// Runs the compute form of a geometry program over lanes, given as in [`Device::lanes`]. Returns the vertices of
    /// each lane, the outputs of a vertex in the order of the interface; where vertices form strips, followed by how the
    /// vertex goes on.
    ///
    /// # Errors
    /// What the device reports about the code; a lane with more vertices than there is room for.
    pub fn primitives(
        &self,
        output: &Output,
        resources: Resources,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Vec<Vec<Register>>>, String> {
        let strips = output.reflection.geometry.as_ref().is_some_and(|g| g.strips.is_some());
        let outputs = (output.reflection.outputs.len() + usize::from(strips)).max(1);
        let lane = |registers: Vec<Register>| {
            let (count, vertices) = registers.split_first().ok_or("the lane wrote no count of vertices")?;
            let (count, room) = (count[0] as usize, vertices.len() / outputs);
            match count > room {
                true => Err(format!("{count} vertices where there is room for {room}")),
                false => Ok(vertices.chunks_exact(outputs).take(count).map(<[Register]>::to_vec).collect()),
            }
        };
        self.kernel(output, resources, inputs)?.into_iter().map(lane).collect()
    }

    /// Runs the compute form of a program over lanes, given as in [`Device::lanes`]. Returns the texels of each
    /// texture that the program writes, in the order of the interface.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn texels(
        &self,
        output: &Output,
        resources: Resources,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Vec<[f32; 4]>>, String> {
        self.checked(|| Kernel::new(self, output, resources, inputs)?.texels())
    }

    /// Runs a kernel; returns what each lane writes.
    fn kernel(
        &self,
        output: &Output,
        resources: Resources,
        inputs: &[Vec<Register>],
    ) -> Result<Vec<Vec<Register>>, String> {
        self.checked(|| Kernel::new(self, output, resources, inputs)?.results())
    }

    /// Makes the compute form of a program ready to run over lanes, given as in [`Device::lanes`], any number of times.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn prepare<'d>(
        &'d self,
        output: &Output,
        resources: Resources<'d>,
        inputs: &[Vec<Register>],
    ) -> Result<Kernel<'d>, String> {
        self.checked(|| Kernel::new(self, output, resources, inputs))
    }

    /// Runs the stage form of a compute program in `groups` workgroups along x, y and z. Returns the texels of each
    /// texture that the program writes, in the order of the interface.
    ///
    /// # Errors
    /// What the device reports about the code.
    pub fn compute(
        &self,
        output: &Output,
        resources: Resources,
        [x, y, z]: [u32; 3],
    ) -> Result<Vec<Vec<[f32; 4]>>, String> {
        self.checked(|| {
            let programs = [(&output.reflection, resources)];
            let bound = Bound::new(self, &programs, &[], wgpu::ShaderStages::COMPUTE);
            let pipeline = self.compute_pipeline(&bound, output);
            let mut encoder = self.device.create_command_encoder(&Default::default());
            {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&pipeline);
                bound.groups.iter().for_each(|(i, g)| pass.set_bind_group(*i, g, &[]));
                pass.dispatch_workgroups(x, y, z);
            }
            self.queue.submit([encoder.finish()]);
            bound.read_memory(self)?;
            bound.read_texels(self)
        })
    }

    fn compute_pipeline(&self, bound: &Bound, output: &Output) -> wgpu::ComputePipeline {
        let entry = &output.reflection.entry;
        let module = self.module(bound, &output.code, "", entry);
        self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: Some(&bound.layout),
            module: &module,
            entry_point: Some(entry),
            compilation_options: Default::default(),
            cache: None,
        })
    }

    fn module(&self, bound: &Bound, code: &Code, appended: &str, entry: &str) -> wgpu::ShaderModule {
        if let (Code::Words(words), Some(module)) = (code, self.words) {
            return module(&self.device, &numbers::without_gaps(words, bound.bindings()), entry);
        }
        let source = match code {
            Code::Text(text) => wgpu::ShaderSource::Wgsl(format!("{text}{appended}").into()),
            Code::Words(words) => wgpu::ShaderSource::SpirV(words.into()),
        };
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source })
    }

    /// Runs `f`; device errors meanwhile become the result.
    fn checked<T>(&self, f: impl FnOnce() -> Result<T, String>) -> Result<T, String> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let result = f();
        match pollster::block_on(scope.pop()) {
            Some(e) => Err(e.to_string()),
            None => result,
        }
    }

    fn buffer(&self, words: &[u32], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let buffer = self.empty_buffer(bytes.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
        self.queue.write_buffer(&buffer, 0, &bytes);
        buffer
    }

    fn empty_buffer(&self, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&wgpu::BufferDescriptor {
            label: None,
            size: size.max(16),
            usage,
            mapped_at_creation: false,
        })
    }

    /// The texels of level 0, as the bits of floats; components that the format lacks are zero.
    fn read_texels(&self, texture: &wgpu::Texture) -> Result<Vec<[f32; 4]>, String> {
        let size = texture.size();
        let texel = texture.format().block_copy_size(None).unwrap_or(16);
        let row = (texel * size.width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let rows = size.height * size.depth_or_array_layers;
        let usage = wgpu::BufferUsages::COPY_SRC | wgpu::BufferUsages::COPY_DST;
        let buffer = self.empty_buffer(u64::from(row) * u64::from(rows), usage);
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(row),
            rows_per_image: Some(size.height),
        };
        let mut encoder = self.device.create_command_encoder(&Default::default());
        let to = wgpu::TexelCopyBufferInfo { buffer: &buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), to, size);
        let words = self.read(encoder, &buffer, buffer.size())?;
        let rows = words.chunks_exact(row as usize / 4);
        let texels = rows.flat_map(|row| row.chunks_exact(texel as usize / 4).take(size.width as usize));
        Ok(texels.map(|t| register(t).map(f32::from_bits)).collect())
    }

    /// Submits the commands and reads a buffer back.
    fn read(
        &self,
        mut encoder: wgpu::CommandEncoder,
        buffer: &wgpu::Buffer,
        size: u64,
    ) -> Result<Vec<u32>, String> {
        let usage = wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST;
        let copy = self.empty_buffer(size, usage);
        encoder.copy_buffer_to_buffer(buffer, 0, &copy, 0, size);
        self.queue.submit([encoder.finish()]);
        copy.map_async(wgpu::MapMode::Read, .., |_| {});
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|e| e.to_string())?;
        let bytes = copy.get_mapped_range(..).map_err(|e| format!("{e:?}"))?;
        let words = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]));
        Ok(words.take(size as usize / 4).collect())
    }
}

fn register(words: &[u32]) -> Register {
    std::array::from_fn(|i| words.get(i).copied().unwrap_or(0))
}
