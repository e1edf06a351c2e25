//! Runs compute forms over lanes on a graphics device.

use shisa_translate::{Bindings, Code};
use std::sync::mpsc::channel;
use wgpu::*;

type Register = [u32; 4];

/// A device.
pub(crate) struct Gpu {
    device: Device,
    queue: Queue,
    /// Groups: uniforms, none, lanes.
    groups: [BindGroupLayout; 2],
    layout: PipelineLayout,
}

impl Gpu {
    /// The device, or nothing and a word about it.
    pub(crate) fn new() -> Option<Gpu> {
        let instance = Instance::new(InstanceDescriptor {
            backends: Backends::VULKAN,
            ..InstanceDescriptor::new_without_display_handle()
        });
        let adapter = match pollster::block_on(instance.request_adapter(&RequestAdapterOptions::default())) {
            Ok(adapter) => adapter,
            Err(e) => {
                println!("skipped: no Vulkan device ({e})");
                return None;
            }
        };
        let features = Features::PASSTHROUGH_SHADERS;
        if !adapter.features().contains(features) {
            println!("skipped: the device takes no SPIR-V as it is");
            return None;
        }
        let descriptor = DeviceDescriptor { required_features: features, ..Default::default() };
        let (device, queue) = pollster::block_on(adapter.request_device(&descriptor)).ok()?;
        let entry = |binding, ty| BindGroupLayoutEntry {
            binding,
            visibility: ShaderStages::COMPUTE,
            ty: BindingType::Buffer { ty, has_dynamic_offset: false, min_binding_size: None },
            count: None,
        };
        let group = |entries: &[_]| {
            device.create_bind_group_layout(&BindGroupLayoutDescriptor { label: None, entries })
        };
        let groups = [
            group(&[entry(0, BufferBindingType::Uniform)]),
            group(&[
                entry(0, BufferBindingType::Storage { read_only: true }),
                entry(1, BufferBindingType::Storage { read_only: false }),
            ]),
        ];
        let bindings = Bindings::default();
        assert_eq!((bindings.fragment, bindings.lanes), (1, 2));
        let layout = device.create_pipeline_layout(&PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[None, Some(&groups[0]), Some(&groups[1])],
            immediate_size: 0,
        });
        Some(Gpu { device, queue, groups, layout })
    }

    fn buffer(&self, registers: &[Register], usage: BufferUsages) -> Buffer {
        let buffer = self.empty(16 * registers.len() as u64, usage | BufferUsages::COPY_DST);
        let bytes: Vec<u8> = registers.iter().flatten().flat_map(|w| w.to_le_bytes()).collect();
        self.queue.write_buffer(&buffer, 0, &bytes);
        buffer
    }

    fn empty(&self, size: u64, usage: BufferUsages) -> Buffer {
        self.device.create_buffer(&BufferDescriptor { label: None, size, usage, mapped_at_creation: false })
    }

    /// Runs a program of the form that [`Bindings::lanes`] describes; answers `outputs` registers a lane
    /// and the one that tells of kills.
    pub(crate) fn run(
        &self,
        code: &Code,
        uniforms: &[Register],
        lanes: &[Vec<Register>],
        outputs: usize,
    ) -> Vec<Vec<Register>> {
        let module = match code {
            Code::Words(words) => shisa_passthrough::module(&self.device, words, "program_main"),
            Code::Text(text) => self.device.create_shader_module(ShaderModuleDescriptor {
                label: None,
                source: ShaderSource::Wgsl(text.into()),
            }),
        };
        let pipeline = self.device.create_compute_pipeline(&ComputePipelineDescriptor {
            label: None,
            layout: Some(&self.layout),
            module: &module,
            entry_point: Some("program_main"),
            compilation_options: PipelineCompilationOptions::default(),
            cache: None,
        });
        let head = [[lanes.len() as u32, 0, 0, 0]];
        let input: Vec<_> = head.iter().chain(lanes.iter().flatten()).copied().collect();
        let size = (16 * lanes.len() * (outputs + 1)) as u64;
        let buffers = [
            self.buffer(uniforms, BufferUsages::UNIFORM),
            self.buffer(&input, BufferUsages::STORAGE),
            self.empty(size, BufferUsages::STORAGE | BufferUsages::COPY_SRC),
        ];
        let back = self.empty(size, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let group = |layout, buffers: &[Buffer]| {
            let entries: Vec<_> = (0..)
                .zip(buffers)
                .map(|(binding, b)| BindGroupEntry { binding, resource: b.as_entire_binding() })
                .collect();
            self.device.create_bind_group(&BindGroupDescriptor { label: None, layout, entries: &entries })
        };
        let groups = [group(&self.groups[0], &buffers[..1]), group(&self.groups[1], &buffers[1..])];
        let mut encoder = self.device.create_command_encoder(&CommandEncoderDescriptor::default());
        {
            let mut pass = encoder.begin_compute_pass(&ComputePassDescriptor::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(1, &groups[0], &[]);
            pass.set_bind_group(2, &groups[1], &[]);
            pass.dispatch_workgroups((lanes.len() as u32).div_ceil(64), 1, 1);
        }
        encoder.copy_buffer_to_buffer(&buffers[2], 0, &back, 0, size);
        self.queue.submit([encoder.finish()]);
        let (send, receive) = channel();
        back.map_async(MapMode::Read, .., move |r| send.send(r).expect("received below"));
        self.device.poll(PollType::wait_indefinitely()).expect("the device works");
        receive.recv().expect("mapped or not").expect("mapped");
        let bytes = back.get_mapped_range(..).expect("mapped");
        let words: Vec<u32> =
            bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let registers: Vec<Register> = words.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]]).collect();
        registers.chunks_exact(outputs + 1).map(<[Register]>::to_vec).collect()
    }
}
