//! What lies outside of the waves of a program that draws.

use super::Drawing;
use crate::{Result, Settings};
use shisa_diag::Diagnostic;
use shisa_eval::{Access, Environment, Plane, Sample, TextureSet, Workplace, Workspace};
use shisa_ir::{Space, WAVE};
use std::collections::BTreeMap;

type Done = std::result::Result<(), Diagnostic>;

/// Memory, textures, and what vertices give on by a computed number.
pub(super) struct Outside {
    space: Workspace,
    pub(super) textures: TextureSet,
    /// The vertices that the lanes of the wave stand for.
    lanes: [Option<usize>; WAVE],
    /// By vertex.
    pub(super) given: Vec<BTreeMap<u16, u32>>,
}

impl Outside {
    pub(super) fn new(drawing: &Drawing, vertices: usize, settings: &Settings) -> Result<Outside> {
        let mut space = Workspace::new(0, drawing.stack, 0, &settings.limits)?;
        for (address, bytes) in &drawing.buffers {
            space.add(*address, bytes.clone())?;
        }
        let textures = drawing.textures.clone();
        Ok(Outside { space, textures, lanes: [None; WAVE], given: vec![BTreeMap::new(); vertices] })
    }

    /// The contents of the buffers, in the order given.
    pub(super) fn buffers(&self, drawing: &Drawing) -> Vec<Vec<u8>> {
        drawing.buffers.iter().map(|b| self.space.buffer(b.0).unwrap_or_default().to_vec()).collect()
    }
}

impl Environment for Outside {
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.lanes = *lanes;
        self.space.begin();
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.textures.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.textures.store_texel(store)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        self.space.load(space, lane, address, bytes)
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Done {
        self.space.load_lanes(access, planes)
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        if space != Space::Outputs {
            return self.space.store(space, lane, address, bytes);
        }
        let number = u16::try_from(address / 4).ok().filter(|n| *n < 256);
        let number = number.ok_or_else(|| {
            let text = format!("a vertex gives on output {}; the last is 255", address / 4);
            Diagnostic::error("run-output", text)
        })?;
        let vertex = self.lanes.get(lane).copied().flatten().and_then(|v| self.given.get_mut(v));
        if let (Some(vertex), Ok(bits)) = (vertex, bytes.try_into()) {
            vertex.insert(number, u32::from_le_bytes(bits));
        }
        Ok(())
    }
}
