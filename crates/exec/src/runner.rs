//! Runs of a program over arrays of the caller.

use crate::code::Code;
use crate::codes::unsupported;
use crate::environment::{Environment, NoEnvironment};
use crate::host::HostLevel;
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
use crate::jit::{Machine, Units, Whole};
use crate::memory::{Chunk, LANES, Lanes, Operand, first_lanes};
use crate::plan;
use crate::program::Program;
use crate::task::{Budget, Task, Work};
use crate::transfer::{Attribute, Group, Outputs, Slot};
use crate::working::Memory;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::Reg;

/// What a run loads and stores, in memory that is reused.
#[derive(Default)]
struct Transfers {
    /// The slots of attributes and of results for which the rest was found; none before the first run.
    attributes: Vec<Slot>,
    outputs: Vec<Slot>,
    /// Inputs that no attribute has.
    missing: Vec<Operand>,
    loads: Vec<Load>,
    stores: Vec<Store>,
}

/// A group of an attribute.
struct Load {
    /// The number of the attribute.
    attribute: usize,
    group: Group,
    /// The number of the array, if machine code loads the group by itself.
    array: Option<usize>,
}

/// A group of the results.
struct Store {
    group: Group,
    /// The number of the array, if machine code stores the group by itself.
    array: Option<usize>,
}

/// Runs a program over lanes. Nothing is allocated by a run, after the first one with as many attributes and results.
pub struct Runner {
    program: Program,
    code: Code,
    memory: Memory,
    /// Whether uniforms changed since the instructions on uniforms ran.
    stale: bool,
    limits: Limits,
    /// Whether lanes 4k to 4k + 3 are a quad.
    quads: bool,
    transfers: Transfers,
    /// What machine code needs, if the program has any that is in use.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    machine: Option<Machine>,
    /// Number of chunks that ran without machine code of the whole program.
    left_chunks: u64,
}

impl Program {
    /// The memory of a run, with all uniforms zero, for the widest vector units of this processor.
    pub fn runner(&self) -> Runner {
        Runner::new(self)
    }
}

impl Runner {
    fn new(program: &Program) -> Runner {
        let code = Code::of(HostLevel::best()).unwrap_or(Code::BASE);
        Runner {
            program: program.clone(),
            code,
            memory: Memory::new(&program.plan),
            stale: true,
            limits: Limits::default(),
            quads: false,
            transfers: Transfers::default(),
            #[cfg(all(feature = "jit", target_arch = "x86_64"))]
            machine: program.machine.as_ref().map(|code| code.machine(&program.plan)),
            left_chunks: 0,
        }
    }

    /// Uses other vector units, and no machine code; `false`, without effect, if this processor lacks them.
    pub fn set_level(&mut self, level: HostLevel) -> bool {
        let code = Code::of(level);
        self.code = code.unwrap_or(self.code);
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if code.is_some() {
            self.machine = None;
        }
        code.is_some()
    }

    /// The vector units in use.
    pub fn level(&self) -> HostLevel {
        self.code.level()
    }

    /// How often 16 lanes ran without machine code although there is some, because a result was in doubt, or many had been
    /// before: the program, or a piece of it.
    pub fn left_chunks(&self) -> u64 {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if let Some(Machine::Pieces(pieces)) = &self.machine {
            return pieces.left_chunks();
        }
        self.left_chunks
    }

    /// Sets the limits of runs: [`Limits::run_steps`] counts instructions of the compiled program over all lanes,
    /// [`Limits::lane_steps`] those of a lane.
    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
    }

    /// Sets whether lanes 4k to 4k + 3 of a run are a quad: upper left, upper right, lower left, lower right. Without
    /// quads, which is the default, lanes have no neighbours and derivatives are zero.
    pub fn set_quads(&mut self, quads: bool) {
        self.quads = quads;
    }

    /// Sets units of a uniform file from `first` on. Other units keep their values; units that the program does not read
    /// are ignored.
    pub fn set_uniforms(&mut self, first: Reg, units: &[u32]) {
        self.stale = true;
        self.memory.set_uniforms(&self.program.plan, first, units);
    }

    /// Runs lanes 0 to `lanes`. Input units that no attribute has are zero. `killed`, if it is not empty, has one element
    /// a lane, which is set if the lane was killed.
    ///
    /// # Errors
    /// `exec-attribute` if an array is too short for the lanes or names a register that does not exist; `exec-environment`
    /// if the program reads a texture, uses memory or emits vertices; `exec-divergent` if only some lanes of a quad run an instruction that needs all;
    /// `limit-exceeded`. After an error the outputs of some lanes are written.
    pub fn run(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
    ) -> Result<(), Diagnostic> {
        self.run_with(lanes, attributes, outputs, killed, &mut NoEnvironment)
    }

    /// As [`Runner::run`], with textures and memory.
    ///
    /// # Errors
    /// As [`Runner::run`], and those of the environment; `exec-unsupported` if the program waits at barriers, which needs a
    /// [`crate::WaveRunner`].
    pub fn run_with(
        &mut self,
        lanes: usize,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        killed: &mut [bool],
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        let plan = &self.program.plan;
        attributes.iter().try_for_each(|a| a.check(lanes, plan.files))?;
        outputs.check(lanes, plan.files)?;
        let slab = plan.lanes();
        let mut left = self.limits.run_steps;
        if plan.has_barriers() {
            return Err(unsupported("barriers in batches"));
        }
        if self.stale || plan.loads_once() {
            let mut lane = u64::MAX;
            let budget = Budget { run: &mut left, lane: &mut lane };
            self.task(Task { work: Work::Uniforms, budget, environment: &mut *environment })?;
            self.stale = false;
        }
        self.plan(attributes, outputs);
        for first in (0..lanes).step_by(slab) {
            let count = (lanes - first).min(slab);
            let dead = self.slab(attributes, outputs, (first, count), &mut left, environment)?;
            for (lane, killed) in killed.iter_mut().skip(first).take(count).enumerate() {
                *killed = dead >> lane & 1 != 0;
            }
        }
        Ok(())
    }

    /// Runs the lanes of a slab. Returns those that were killed.
    fn slab(
        &mut self,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        (first, count): (usize, usize),
        left: &mut u64,
        environment: &mut dyn Environment,
    ) -> Result<Lanes, Diagnostic> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if let Some(Machine::Whole(mut whole)) = self.machine.take_if(|m| matches!(m, Machine::Whole(_))) {
            let skips = whole.doubt.skips();
            let ran = (!skips).then(|| {
                self.slab_by_code(&mut whole, attributes, outputs, (first, count), left, environment)
            });
            self.machine = Some(Machine::Whole(whole));
            match ran {
                Some(result) => return result,
                None => self.left_chunks += count.div_ceil(LANES) as u64,
            }
        }
        self.load(attributes, (first, count), 0);
        self.lanes((first, count), left, environment)?;
        self.store(outputs, (first, count), (0, 0));
        Ok(self.memory.killed)
    }

    /// Runs lanes of the run from `first` on as the first of the slab.
    fn lanes(
        &mut self,
        (first, count): (usize, usize),
        left: &mut u64,
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        let mut lane = self.limits.lane_steps;
        let budget = Budget { run: left, lane: &mut lane };
        let work = Work::Slab { lanes: first_lanes(count), first, quads: self.quads };
        self.task(Task { work, budget, environment })
    }

    fn task(&mut self, task: Task<'_>) -> Result<(), Diagnostic> {
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        let parts = self.machine.as_mut().and_then(Machine::parts);
        #[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
        let parts = None;
        let run = self.code.run(&self.program.plan, &mut self.memory, task, parts);
        run.map(|_| ()).map_err(|end| end.error(&self.limits))
    }

    /// As [`Runner::slab`], with machine code. Chunks that it leaves are run without it.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    fn slab_by_code(
        &mut self,
        Whole { code, state, doubt }: &mut Whole,
        attributes: &[Attribute<'_>],
        outputs: &mut Outputs<'_>,
        (first, count): (usize, usize),
        left: &mut u64,
        environment: &mut dyn Environment,
    ) -> Result<Lanes, Diagnostic> {
        let whole = self.whole_chunks(attributes, outputs, first, count);
        state.set_whole(whole);
        for load in &self.transfers.loads {
            if let (Some(array), Some(of)) = (load.array, attributes.get(load.attribute)) {
                state.set_input(array, of.data.get(load.group.index(first)..), load.group.bytes());
            }
        }
        for store in &self.transfers.stores {
            if let Some(array) = store.array {
                let data = outputs.data.get_mut(store.group.index(first)..);
                state.set_output(array, data, store.group.bytes());
            }
        }
        self.load(attributes, (first, count), whole);
        let (mut done, mut dead) = (0, 0);
        while done < count {
            let steps = (&mut *left, self.limits.lane_steps);
            let run = code.run(
                &self.program.plan,
                &mut self.memory,
                state,
                done / LANES,
                first_lanes(count),
                steps,
            )?;
            dead |= run.killed;
            let reached = (run.chunk * LANES).min(count);
            self.store(outputs, (first + done, reached - done), (done / LANES, whole));
            doubt.finished(run.chunk - done / LANES);
            let again = (count - reached).min(LANES);
            if again > 0 {
                // The chunk's lanes run as those of the first chunk, which has been stored.
                self.left_chunks += 1;
                doubt.left();
                self.load(attributes, (first + reached, again), 0);
                self.lanes((first + reached, again), left, &mut *environment)?;
                self.store(outputs, (first + reached, again), (0, 0));
                dead |= self.memory.killed << reached;
            }
            done = reached + again;
        }
        Ok(dead)
    }

    /// Number of the slab's chunks of which every lane has a row in the arrays that machine code uses by itself.
    #[cfg(all(feature = "jit", target_arch = "x86_64"))]
    fn whole_chunks(
        &self,
        attributes: &[Attribute<'_>],
        outputs: &Outputs<'_>,
        first: usize,
        count: usize,
    ) -> usize {
        let loads = self.transfers.loads.iter().filter(|load| load.array.is_some());
        let loads = loads.filter_map(|load| Some((&load.group, attributes.get(load.attribute)?.data.len())));
        let stores = self.transfers.stores.iter().filter(|store| store.array.is_some());
        let stores = stores.map(|store| (&store.group, outputs.data.len()));
        let rows = loads.chain(stores).map(|(group, length)| group.rows(length, first));
        rows.fold(count, usize::min) / LANES
    }

    /// Loads the inputs of lanes from `first` on to chunks of the slab; those that machine code loads by itself only from
    /// chunk `whole` on.
    fn load(&mut self, attributes: &[Attribute<'_>], (first, count): (usize, usize), whole: usize) {
        let chunks = &mut self.memory.chunks;
        for slab in &self.transfers.missing {
            (0..count.div_ceil(LANES)).for_each(|c| chunks[slab.chunk(c)] = Chunk::ZERO);
        }
        for load in &self.transfers.loads {
            let data = attributes.get(load.attribute).map(|a| a.data).unwrap_or_default();
            let skipped = if load.array.is_some() { (whole * LANES).min(count) } else { 0 };
            load.group.load(data, (first + skipped, count - skipped), skipped / LANES, chunks);
        }
    }

    /// Stores the outputs of lanes from `first` on, which the slab has from chunk `chunk` on; those that machine code
    /// stores by itself only from chunk `whole` on.
    fn store(
        &self,
        outputs: &mut Outputs<'_>,
        (first, count): (usize, usize),
        (chunk, whole): (usize, usize),
    ) {
        for store in &self.transfers.stores {
            let from = if store.array.is_some() { whole.max(chunk) } else { chunk };
            let skipped = ((from - chunk) * LANES).min(count);
            let lanes = (first + skipped, count - skipped);
            store.group.store(outputs.data, lanes, from, &self.memory.chunks);
        }
    }

    /// Finds what to load and to store, unless the slots are those of the last run.
    fn plan(&mut self, attributes: &[Attribute<'_>], outputs: &Outputs<'_>) {
        let Transfers { attributes: known, outputs: known_outputs, missing, loads, stores } =
            &mut self.transfers;
        let slots = || attributes.iter().map(|a| a.slot);
        if !known_outputs.is_empty()
            && known_outputs.as_slice() == outputs.slots
            && slots().eq(known.iter().copied())
        {
            return;
        }
        known.clear();
        known.extend(slots());
        known_outputs.clear();
        known_outputs.extend_from_slice(outputs.slots);
        missing.clear();
        loads.clear();
        stores.clear();
        let plan = &self.program.plan;
        let unknown = |load: &&plan::Load| !attributes.iter().any(|a| a.has(load.reg));
        missing.extend(plan.inputs.iter().filter(unknown).map(|load| load.to));
        // The first attribute of a register counts.
        for (attribute, of) in attributes.iter().enumerate().rev() {
            let groups = of.slot.groups(|reg| plan.input(reg)).filter(Group::is_known);
            loads.extend(groups.map(|group| Load { attribute, group, array: None }));
        }
        let groups = outputs.slots.iter().flat_map(|slot| slot.groups(|reg| plan.output(reg)));
        stores.extend(groups.map(|group| Store { group, array: None }));
        #[cfg(all(feature = "jit", target_arch = "x86_64"))]
        if let Some(Machine::Whole(whole)) = &mut self.machine {
            let Whole { code, state, .. } = whole.as_mut();
            state.forget_arrays();
            for n in 0..loads.len() {
                let array = code.input(&loads[n].group);
                let alone = |row: &Units| loads.iter().filter(|load| load.group.meets(row)).count() == 1;
                loads[n].array = array.filter(|(_, row)| alone(row)).map(|(array, _)| array);
            }
            for n in 0..stores.len() {
                let array = code.output(&stores[n].group);
                let alone = |row: &Units| stores.iter().filter(|store| store.group.meets(row)).count() == 1;
                stores[n].array = array.filter(|(_, row)| alone(row)).map(|(array, _)| array);
            }
        }
    }
}
