//! The compute form of a program, ready to run.

use super::bind::Bound;
use super::{Device, Register, Resources, register};
use crate::Output;

/// The compute form of a program with its lanes, on a device.
#[derive(Debug)]
pub struct Kernel<'d> {
    device: &'d Device,
    bound: Bound<'d>,
    pipeline: wgpu::ComputePipeline,
    result: wgpu::Buffer,
    lanes: usize,
    /// Registers that a lane writes.
    stride: usize,
}

impl<'d> Kernel<'d> {
    pub(super) fn new(
        device: &'d Device,
        output: &Output,
        resources: Resources<'d>,
        inputs: &[Vec<Register>],
    ) -> Result<Kernel<'d>, String> {
        let layout = output.reflection.lanes.as_ref().ok_or("not the compute form")?;
        let (stride, lanes) = (layout.output_stride as usize, inputs.len());
        let storage = wgpu::BufferUsages::STORAGE;
        let input = device.buffer(&lane_words(inputs, layout.input_stride as usize), storage);
        let result = device.empty_buffer(size(stride, lanes), storage | wgpu::BufferUsages::COPY_SRC);
        let extra = [
            (layout.group, layout.input_binding, &input, true),
            (layout.group, layout.output_binding, &result, false),
        ];
        let programs = [(&output.reflection, resources)];
        let bound = Bound::new(device, &programs, &extra, wgpu::ShaderStages::COMPUTE);
        let pipeline = device.compute_pipeline(&bound, output);
        Ok(Kernel { device, bound, pipeline, result, lanes, stride })
    }

    /// Runs it a number of times, one after the other, and waits for the end.
    ///
    /// # Errors
    /// What the device reports.
    pub fn run(&self, times: u32) -> Result<(), String> {
        let device = self.device;
        device.queue.submit([self.encoder(times).finish()]);
        device.device.poll(wgpu::PollType::wait_indefinitely()).map(drop).map_err(|e| e.to_string())
    }

    /// Runs it once; returns what each lane writes.
    pub(super) fn results(&self) -> Result<Vec<Vec<Register>>, String> {
        let words = self.device.read(self.encoder(1), &self.result, size(self.stride, self.lanes))?;
        self.bound.read_memory(self.device)?;
        let lanes = words.chunks_exact(4 * self.stride).take(self.lanes);
        Ok(lanes.map(|lane| lane.chunks_exact(4).map(register).collect()).collect())
    }

    /// Runs it once; returns the texels of each texture that the program writes.
    pub(super) fn texels(&self) -> Result<Vec<Vec<[f32; 4]>>, String> {
        self.run(1)?;
        self.bound.read_memory(self.device)?;
        self.bound.read_texels(self.device)
    }

    fn encoder(&self, times: u32) -> wgpu::CommandEncoder {
        let mut encoder = self.device.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&self.pipeline);
            self.bound.groups.iter().for_each(|(i, g)| pass.set_bind_group(*i, g, &[]));
            let groups = (self.lanes as u32).div_ceil(crate::LANES_A_WORKGROUP);
            (0..times).for_each(|_| pass.dispatch_workgroups(groups.max(1), 1, 1));
        }
        encoder
    }
}

/// Bytes of the result of all lanes.
fn size(stride: usize, lanes: usize) -> u64 {
    (16 * stride * lanes.max(1)) as u64
}

/// The input buffer of a kernel: the number of lanes, then their registers.
pub(super) fn lane_words(inputs: &[Vec<Register>], stride: usize) -> Vec<u32> {
    let mut words = vec![inputs.len() as u32, 0, 0, 0];
    for lane in inputs {
        for i in 0..stride {
            words.extend(lane.get(i).copied().unwrap_or_default());
        }
    }
    words
}
