//! One run of a program and of its translation.

use super::world::{self, Filling};
use super::{Case, Fault, compare, registers, words};
use crate::execute::Counts;
use shisa::Lowered;
use shisa::agx::Drawing;
use shisa::eval::TextureSet;
use shisa_translate::Output;
use shisa_translate::execute::{Device, Image, Resources};
use std::cell::RefCell;

/// A program, its translation, and the environment of both.
pub(super) struct Trial<'a> {
    pub(super) case: &'a Case,
    pub(super) lowered: &'a Lowered,
    pub(super) output: &'a Output,
    pub(super) device: &'a Device,
    /// Samples of a pixel.
    pub(super) samples: u16,
    pub(super) filling: Filling,
    /// Bytes of memory from address 0.
    pub(super) memory: Vec<u8>,
    /// Bytes of the uniforms.
    pub(super) uniforms: Vec<u8>,
}

impl<'a> Trial<'a> {
    pub(super) fn new(
        case: &'a Case,
        lowered: &'a Lowered,
        output: &'a Output,
        device: &'a Device,
        (samples, filling): (u16, Filling),
    ) -> Trial<'a> {
        let (memory, uniforms) = world::filled(lowered, filling);
        Trial { case, lowered, output, device, samples, filling, memory, uniforms }
    }

    /// The evaluator's input.
    pub(super) fn drawing(&self, textures: TextureSet) -> Drawing {
        Drawing {
            code: self.case.code.clone(),
            stack: self.case.stack,
            uniforms: self.uniforms.clone(),
            buffers: vec![(0, self.memory.clone())],
            textures,
            ..Drawing::default()
        }
    }

    /// The result of `run` with the program's resources on the device, and the memory's words after it.
    pub(super) fn on_device<T>(
        &self,
        textures: &[Image],
        run: impl FnOnce(Resources<'_>) -> Result<T, String>,
    ) -> Result<(T, Vec<u32>), Fault> {
        let (arrays, memory) = ([registers(&self.uniforms)], RefCell::new(words(&self.memory)));
        let resources =
            Resources { uniforms: &arrays, textures, memory: Some(&memory), ..Resources::default() };
        let done = run(resources)?;
        Ok((done, memory.into_inner()))
    }

    /// Compares the memory after the run, except for words that lanes race to write: words that a run of only some of
    /// the lanes also changes, to another value.
    pub(super) fn compare_memory(
        &self,
        some: &[u8],
        want: &[u8],
        got: &[u32],
        counts: &mut Counts,
    ) -> Result<(), Fault> {
        let [before, some, want] = [&self.memory, some, want].map(words);
        for (i, got) in got.iter().enumerate() {
            let raced = some[i] != before[i] && some[i] != want[i];
            let done = compare(|| format!("memory at {:#x}", 4 * i), want[i], &[], *got, counts);
            if !raced {
                done?;
            }
        }
        Ok(())
    }
}
