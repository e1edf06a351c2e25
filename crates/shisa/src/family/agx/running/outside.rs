//! The environment of a program's waves.

use super::{UNIFORM_BYTES, set_uniforms};
use crate::run::wrong;
use crate::{Result, Settings};
use shisa_agx::Sequencer;
use shisa_diag::Diagnostic;
use shisa_eval::{
    Access, Dispatch, Environment, Machine, Plane, Program, Sample, Texture, TextureSet, Workplace, Workspace,
};
use shisa_ir::{Space, WAVE};
use std::collections::BTreeMap;

type Done = std::result::Result<(), Diagnostic>;

/// Memory, textures, and vertex outputs with computed numbers.
#[derive(Clone)]
pub(super) struct Outside {
    space: Workspace,
    pub(super) textures: TextureSet,
    /// The vertex of each lane of the wave.
    lanes: [Option<usize>; WAVE],
    /// The outputs by vertex.
    pub(super) given: Vec<BTreeMap<u16, u32>>,
}

impl Outside {
    /// Workgroup memory, a stack for each thread, buffers, textures, and the given number of vertices.
    pub(super) fn new(
        [shared, stack]: [usize; 2],
        buffers: &[(u64, Vec<u8>)],
        textures: TextureSet,
        vertices: usize,
        settings: &Settings,
    ) -> Result<Outside> {
        let mut space = Workspace::new(shared, stack, UNIFORM_BYTES, &settings.limits)?;
        for (address, bytes) in buffers {
            space.add(*address, bytes.clone())?;
        }
        Ok(Outside { space, textures, lanes: [None; WAVE], given: vec![BTreeMap::new(); vertices] })
    }

    /// Sets the uniforms: their initial contents, constants from a given half, and what a one-thread preamble writes.
    ///
    /// # Errors
    /// `run-input` if there are more uniforms than registers; what the evaluator refuses.
    pub(super) fn fill(
        &mut self,
        uniforms: &[u8],
        (first, constants): (usize, &[u8]),
        preamble: Option<&Program<'_>>,
        settings: &Settings,
    ) -> Result<Vec<u8>> {
        let too_many = || wrong("there are more uniforms than registers for them");
        let all = self.space.uniforms_mut();
        all.get_mut(..uniforms.len()).ok_or_else(too_many)?.copy_from_slice(uniforms);
        let slots = first.checked_mul(2).and_then(|at| all.get_mut(at..at.checked_add(constants.len())?));
        slots.ok_or_else(too_many)?.copy_from_slice(constants);
        if let Some(preamble) = preamble {
            let uniforms = self.space.uniforms().to_vec();
            let load = |machine: &mut Machine<'_, _>| set_uniforms(machine, &uniforms);
            Dispatch::alone(preamble, &Sequencer, 0, self, &settings.limits, load)?;
        }
        Ok(self.space.uniforms().to_vec())
    }

    /// The contents of the buffers, in the order given.
    pub(super) fn buffers(&self, buffers: &[(u64, Vec<u8>)]) -> Vec<Vec<u8>> {
        buffers.iter().map(|b| self.space.buffer(b.0).unwrap_or_default().to_vec()).collect()
    }

    /// Stores outputs of a lane's vertex.
    fn give(&mut self, lane: usize, address: u64, bytes: &[u8]) -> Done {
        let components = bytes.chunks(4).zip((address..).step_by(4));
        components.into_iter().try_for_each(|(bytes, address)| self.give_one(lane, address, bytes))
    }

    fn give_one(&mut self, lane: usize, address: u64, bytes: &[u8]) -> Done {
        let number = u16::try_from(address / 4).ok().filter(|n| *n < 256);
        let number = number.ok_or_else(|| {
            let text = format!("a vertex writes output {}; the last is 255", address / 4);
            Diagnostic::error("run-output", text)
        })?;
        let vertex = self.lanes.get(lane).copied().flatten().and_then(|v| self.given.get_mut(v));
        if let (Some(vertex), Ok(bits)) = (vertex, bytes.try_into()) {
            vertex.insert(number, u32::from_le_bytes(bits));
        }
        Ok(())
    }
}

impl Environment for Outside {
    fn bytes(&self) -> usize {
        self.space.bytes() + self.textures.bytes()
    }

    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.lanes = *lanes;
        self.space.begin();
    }

    fn textures(&self) -> Vec<(String, &Texture)> {
        self.textures.textures()
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.textures.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.textures.store_texel(store)
    }

    #[inline]
    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        self.space.load(space, lane, address, bytes)
    }

    #[inline]
    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Done {
        self.space.load_lanes(access, planes)
    }

    #[inline]
    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        match space {
            Space::Outputs => self.give(lane, address, bytes),
            Space::States => {
                let states = bytes.chunks(8).zip((address..).step_by(8));
                let mut store = |(bytes, address)| self.textures.store(space, lane, address, bytes);
                states.into_iter().try_for_each(&mut store)
            }
            _ => self.space.store(space, lane, address, bytes),
        }
    }

    #[inline]
    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Done {
        match access.space {
            Space::Outputs | Space::States => shisa_eval::store_each(self, access, values),
            _ => self.space.store_lanes(access, values),
        }
    }
}

impl Workplace for Outside {
    fn begin(&mut self) {
        self.space.begin();
    }

    fn enter(&mut self, number: u32) {
        self.space.enter(number);
    }
}
