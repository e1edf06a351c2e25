//! Runs of a program over arrays of the caller.

use crate::code::Code;
use crate::codes::internal;
use crate::host::HostLevel;
use crate::memory::{Chunk, LANES, Operand, SLAB, first_lanes};
use crate::program::{Load, Program};
use crate::run::{Budget, End, Memory, Work};
use crate::transfer::{Attribute, Group, Outputs};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::FileId;

/// What a run loads and stores, in memory that is reused.
#[derive(Default)]
struct Transfers {
    /// Inputs that no attribute has.
    missing: Vec<Operand>,
    /// The number of the attribute, and what of it is loaded.
    loads: Vec<(usize, Group)>,
    stores: Vec<Group>,
}

/// Runs a program over lanes. Nothing is allocated by a run, after the first one with as many attributes and results.
pub struct Runner<'p> {
    program: &'p Program,
    code: Code,
    memory: Memory,
    /// Whether uniforms changed since the instructions on uniforms ran.
    stale: bool,
    limits: Limits,
    transfers: Transfers,
}

impl Program {
    /// The memory of a run, with all uniforms zero, for the widest vector units of this processor.
    pub fn runner(&self) -> Runner<'_> {
        Runner::new(self)
    }
}

impl<'p> Runner<'p> {
    fn new(program: &'p Program) -> Runner<'p> {
        let code = Code::of(HostLevel::best()).unwrap_or(Code::BASE);
        Runner {
            program,
            code,
            memory: Memory::new(program),
            stale: true,
            limits: Limits::default(),
            transfers: Transfers::default(),
        }
    }

    /// Uses other vector units; `false`, without effect, if this processor lacks them.
    pub fn set_level(&mut self, level: HostLevel) -> bool {
        let code = Code::of(level);
        self.code = code.unwrap_or(self.code);
        code.is_some()
    }

    /// The vector units in use.
    pub fn level(&self) -> HostLevel {
        self.code.level()
    }

    /// Sets the limits of runs: [`Limits::run_steps`] counts instructions of the compiled program over all lanes,
    /// [`Limits::lane_steps`] those of a lane.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets the units of a uniform file from the first on. Units beyond the slice keep their values; units that the
    /// program does not read are ignored.
    pub fn set_uniforms(&mut self, file: FileId, units: &[u32]) {
        self.stale = true;
        self.memory.set_uniforms(self.program, file, units);
    }

    /// Runs lanes 0 to `lanes`. Input units that no attribute has are zero. `killed`, if it is not empty, has one element
    /// a lane, which is set if the lane was killed.
    ///
    /// # Errors
    /// `exec-attribute` if an array is too short for the lanes or names a register that does not exist;
    /// `limit-exceeded`. After an error the outputs of some lanes are written.
    pub fn run(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
    ) -> Result<(), Diagnostic> {
        attributes.iter().try_for_each(|a| a.check(lanes, self.program.files))?;
        outputs.check(lanes, self.program.files)?;
        let mut left = self.limits.run_steps;
        if self.stale {
            let mut budget = Budget { run: &mut left, lane: u64::MAX };
            self.code
                .run(self.program, &mut self.memory, Work::Uniforms, &mut budget)
                .map_err(|e| self.limit(e))?;
            self.stale = false;
        }
        self.plan(attributes, outputs);
        for first in (0..lanes).step_by(SLAB) {
            let count = (lanes - first).min(SLAB);
            let chunks = &mut self.memory.chunks;
            for slab in &self.transfers.missing {
                (0..count.div_ceil(LANES)).for_each(|c| chunks[slab.chunk(c)] = Chunk::ZERO);
            }
            for (number, group) in &self.transfers.loads {
                let data = attributes.get(*number).map(|a| a.data).unwrap_or_default();
                group.load(data, first, count, chunks);
            }
            let mut budget = Budget { run: &mut left, lane: self.limits.lane_steps };
            let work = Work::Slab(first_lanes(count));
            self.code.run(self.program, &mut self.memory, work, &mut budget).map_err(|e| self.limit(e))?;
            for group in &self.transfers.stores {
                group.store(outputs.data, first, count, &self.memory.chunks);
            }
            for (lane, killed) in killed.iter_mut().skip(first).take(count).enumerate() {
                *killed = self.memory.killed >> lane & 1 != 0;
            }
        }
        Ok(())
    }

    /// Finds what to load and to store.
    fn plan(&mut self, attributes: &[Attribute<'_>], outputs: &Outputs<'_>) {
        let Transfers { missing, loads, stores } = &mut self.transfers;
        missing.clear();
        loads.clear();
        stores.clear();
        let program = self.program;
        let unknown = |load: &&Load| !attributes.iter().any(|a| a.has(load.reg));
        missing.extend(program.inputs.iter().filter(unknown).map(|load| load.to));
        // The first attribute of a register counts.
        for (number, attribute) in attributes.iter().enumerate().rev() {
            loads.extend(attribute.slot.groups(|reg| program.input(reg)).map(|group| (number, group)));
        }
        stores.extend(outputs.slots.iter().flat_map(|slot| slot.groups(|reg| program.output(reg))));
    }

    fn limit(&self, end: End) -> Diagnostic {
        match end {
            End::Run => self.limits.exceeded(Limit::RunSteps, "the number of instructions of all lanes"),
            End::Lane => self.limits.exceeded(Limit::LaneSteps, "the number of instructions of a lane"),
            End::Internal => internal("a compiled program leads to a block that does not exist"),
        }
    }
}
