//! Instructions without code of their own, for one group of lanes: as the engine without machine code runs them.
//!
//! Among them are accesses that see no other lanes of the wave than those of a quad: reads of textures and of memory, and
//! 64-bit arithmetic. An access that fails, or that some lanes of a quad run without the others, leaves the chunk to the
//! engine without machine code, which meets the same fault and reports it. So what code calls has no effect besides its
//! results.

use crate::access::{Access, Together};
use crate::environment::{Environment, HALVES};
use crate::host::Separate;
use crate::memory::{Chunk, LANES, Lanes, Operand, Slabs};
use crate::perform::{Situation, perform};
use crate::plan::Plan;
use crate::quads;
use crate::run::compute;
use shisa_ir::WAVE;

/// What the instructions of a run see besides the chunks.
pub(crate) struct Around<'a> {
    /// The program.
    pub(crate) program: &'a Plan,
    /// Textures and memory.
    pub(crate) environment: &'a mut dyn Environment,
    /// Whether lanes 4k to 4k + 3 are a quad.
    pub(crate) quads: bool,
}

/// Whether an access can run so: without an effect, and for a group of a wave.
pub(super) fn takes(access: &Access<Operand>) -> bool {
    !access.has_effect() && matches!(access.together(), Together::Alone | Together::Quads)
}

/// A group of lanes.
pub(super) struct Group {
    /// Its chunk.
    pub(super) chunk: usize,
    /// Its first lane there.
    pub(super) first: usize,
    /// Number of its lanes.
    pub(super) width: usize,
}

impl Around<'_> {
    /// Runs an instruction for these lanes of a group; `None` if the other engine must run the chunk.
    pub(super) fn run(
        &mut self,
        number: usize,
        chunks: &mut [Chunk],
        group: &Group,
        lanes: u16,
    ) -> Option<()> {
        let i = self.program.instructions.get(number)?;
        let set = Lanes::from(lanes) << (group.chunk * LANES + group.first);
        if let Some(access) = i.access(&self.program.accesses) {
            if access.together() == Together::Quads && self.quads && !quads::are_whole(set) {
                return None;
            }
            // Only lanes that run get results.
            let first = group.chunk - group.chunk % HALVES;
            let model = self.program.model;
            let now = Situation { set, killed: 0, quads: self.quads, model, reduced: &[0; WAVE] };
            let mut wave = Slabs { chunks, first, end: first + HALVES };
            return perform(access, &mut wave, now, self.environment).ok();
        }
        // Other groups of the chunk keep their lanes: an instruction that computes has one result.
        let mut old = None;
        i.results(&self.program.accesses, |o| {
            old = chunks.get(o.chunk(group.chunk)).map(|c| (o.chunk(group.chunk), *c));
        });
        let mut slabs = Slabs { chunks: &mut *chunks, first: group.chunk, end: group.chunk + 1 };
        compute::<Separate>(i, self.program, &mut slabs);
        if let Some((at, old)) = old
            && let Some(new) = chunks.get_mut(at)
        {
            let lanes = group.first..group.first + group.width;
            for (lane, (new, old)) in new.0.iter_mut().zip(old.0).enumerate() {
                *new = if lanes.contains(&lane) { *new } else { old };
            }
        }
        Some(())
    }
}
