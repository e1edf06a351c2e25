//! A program for tests of pictures.

use crate::{Constant, Counts, Image, Lanes, Ran, Result, Shader, Slot};
use shisa_diag::Diagnostic;
use shisa_ir::{Binding, FileId, Io, Mask, Reg, Scalar, Stage};

/// A program that outputs its inputs, and discards lanes whose first component is above a limit.
pub(crate) struct Copy {
    pub(crate) stage: Stage,
    pub(crate) inputs: Vec<Io>,
    pub(crate) outputs: Vec<Io>,
    pub(crate) most: f32,
}

pub(crate) fn io(name: &'static str, scalar: Scalar, count: u8, binding: Binding) -> Io {
    Io { name: name.into(), reg: Reg::new(FileId(0), 0), scalar, count, used: Mask::first(count), binding }
}

impl Shader for Copy {
    fn stage(&self) -> Stage {
        self.stage
    }

    fn inputs(&self) -> &[Io] {
        &self.inputs
    }

    fn outputs(&self) -> &[Io] {
        &self.outputs
    }

    fn constants(&self) -> Vec<Constant> {
        Vec::new()
    }

    fn textures(&self) -> Vec<Slot> {
        Vec::new()
    }

    fn set_constant(&mut self, _: &str, _: usize, _: &[f32]) -> Result<()> {
        Ok(())
    }

    fn set_texture(&mut self, _: &str, _: &Image) -> Result<()> {
        Ok(())
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Result<Ran> {
        if let Some(counts) = counts {
            *counts = Counts { steps: vec![3; lanes.count], ..Counts::of(lanes.count) };
        }
        let killed =
            (0..lanes.count).map(|lane| f32::from_bits(lanes.inputs[0][lane * 4]) > self.most).collect();
        Ok(Ran { outputs: lanes.inputs.to_vec(), killed, executed: 3 * lanes.count as u64 })
    }

    /// An error with the lanes.
    fn captured(&mut self, lanes: &Lanes<'_>) -> Result<shisa_debug::Captured> {
        let inputs: Vec<f32> = lanes.inputs[0].iter().map(|bits| f32::from_bits(*bits)).collect();
        let text = format!("{:?} {:?}", lanes.helpers, inputs);
        Err(vec![Diagnostic::error("lanes", text)])
    }
}
