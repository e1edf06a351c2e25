//! Running a program of a graphics stage.

use super::emitting::{Components, Emitting};
use super::launched::{KernelOutput, KernelRun};
use super::lines::{lines, name};
use super::memory::Memory;
use super::values::Names;
use super::watch::Watch;
use crate::run::TraceSink;
use crate::{Result, Settings};
use shisa_debug::Code;
use shisa_diag::Limit;
use shisa_eval::{Batch, Column, Environment, Grid, Outcome, Plane};
use shisa_ir::{FloatModel, Lifted, Op, Reg, Space, Stage, WAVE};
use shisa_maxwell::launch::{Launch, Place};
use shisa_maxwell::primitives::{Emitted, STREAMS, Stream};
use shisa_maxwell::{
    ATTRIBUTES, COMPONENTS, Drawing, EMITTED, MOST_SAMPLES, OUTPUTS, PATCH, PIXEL, PixelRegister, Program,
    SPECIALS, Sequencer, ShaderStage, bundle, special_value,
};
use std::collections::{BTreeMap, BTreeSet};

/// The number of `SR_INVOCATION_ID`.
const INVOCATION: u16 = 17;

/// A program of a graphics stage with its memory.
pub(super) struct StageCode {
    pub(super) drawing: Drawing,
    pub(super) run: KernelRun,
    pub(super) lifted: Lifted,
}

/// What a lane starts with.
#[derive(Clone, Debug, Default)]
pub(super) struct Lane {
    /// The inputs of each vertex of its primitive or patch; those of a single vertex or pixel are the first.
    pub(super) vertices: Vec<Components>,
    /// The inputs that belong to the patch.
    pub(super) patch: Components,
    /// Which of several runs for one primitive it is.
    pub(super) invocation: u32,
}

/// The samples of pixels.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    pub(super) coverage: u32,
    /// Whether each pixel is a helper lane that only completes a quad; none if it is empty.
    pub(super) helpers: Vec<bool>,
}

/// The result of lanes.
pub(super) struct Ran {
    /// The outputs of each lane.
    pub(super) lanes: Vec<Components>,
    /// Whether each pixel was discarded.
    pub(super) killed: Vec<bool>,
    pub(super) output: KernelOutput,
}

/// What a lane of a geometry program emits.
#[derive(Default)]
pub(super) struct Streams {
    pub(super) all: [Stream<Components>; STREAMS],
    /// Whether the state of emission is not damaged.
    pub(super) sound: bool,
}

impl Streams {
    /// What a fast program outputs: the vertices of its primitive, with what it stored in place of their own.
    fn passed(lane: &Lane, passed: &[u16], stored: &Components) -> Streams {
        let mut streams = Streams { sound: true, ..Streams::default() };
        let vertex = |own: &Components| {
            let own = own.iter().filter(|(component, _)| passed.contains(component));
            own.chain(stored).map(|(component, bits)| (*component, *bits)).collect()
        };
        streams.all[0].vertices = lane.vertices.iter().map(vertex).collect();
        streams.all[0].primitives = vec![(0..lane.vertices.len()).collect()];
        streams
    }
}

impl StageCode {
    /// Lifts a program.
    ///
    /// # Errors
    /// What the lift refuses.
    pub(super) fn new(drawing: Drawing, run: KernelRun) -> Result<StageCode> {
        let stage = StageCode::stage_of(&drawing);
        let code = run.kernel.code.clone();
        let program = Program { stage, code, workgroup: [1; 3], drawing: Some(drawing) };
        let lifted = shisa_maxwell::lift(&program)?;
        Ok(StageCode { drawing, run, lifted })
    }

    /// The stage of other languages.
    pub(super) fn stage_of(drawing: &Drawing) -> Stage {
        match drawing.stage {
            ShaderStage::Geometry => Stage::Geometry,
            ShaderStage::Fragment => Stage::Fragment,
            _ => Stage::Vertex,
        }
    }

    /// The units of the output file that the program writes.
    fn written(&self) -> Vec<u16> {
        let units = |op: &Op| match *op {
            Op::Write { reg, mask, .. } if reg.file == OUTPUTS => {
                mask.iter().map(|c| reg.unit + u16::from(c)).collect()
            }
            _ => Vec::new(),
        };
        let all: BTreeSet<u16> = self.lifted.nodes.list.iter().flat_map(|node| units(&node.op)).collect();
        all.into_iter().collect()
    }

    /// The inputs of lanes, and what is in registers at their end: all outputs that the program writes.
    fn batch(&self, lanes: &[Lane], vertices: u32, settings: &Settings) -> Result<Batch> {
        let mut batch = Batch {
            entry: bundle::address(0),
            lanes: lanes.len(),
            outputs: self.written().iter().map(|unit| (Reg::new(OUTPUTS, *unit), 1)).collect(),
            ..Batch::default()
        };
        let mut columns: BTreeMap<Reg, Vec<u32>> = BTreeMap::new();
        let count = lanes.len();
        let mut bytes = 0usize;
        let mut put = |reg: Reg, lane: usize, bits: u32| {
            let column = columns.entry(reg).or_insert_with(|| {
                bytes = bytes.saturating_add(count.saturating_mul(4));
                Vec::new()
            });
            column.resize(count, 0);
            if let Some(slot) = column.get_mut(lane) {
                *slot = bits;
            }
            settings.limits.check(Limit::Memory, "bytes of inputs", bytes)
        };
        for (number, lane) in lanes.iter().enumerate() {
            for (vertex, components) in (0..).zip(&lane.vertices) {
                for (component, bits) in components {
                    put(Reg::new(ATTRIBUTES, vertex * COMPONENTS + component), number, *bits)?;
                }
            }
            for (component, bits) in &lane.patch {
                put(Reg::new(PATCH, *component), number, *bits)?;
            }
            if lane.invocation != 0 {
                put(Reg::new(SPECIALS, INVOCATION), number, lane.invocation)?;
            }
        }
        batch.inputs = columns.into_iter().map(|(reg, bits)| Column { reg, units: 1, bits }).collect();
        batch.by_lane = special_registers(&self.run.launch, vertices);
        Ok(batch)
    }

    fn execute(
        &self,
        batch: &Batch,
        environment: &mut (impl Environment + Clone + Send + Sync + 'static),
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Outcome> {
        let code = Code {
            lifted: &self.lifted,
            sequencer: Sequencer,
            model: FloatModel::F32,
            name_of: name,
            symbols: &[],
            lines: &|| lines(&self.run.kernel.code, settings.maxwell.chip.unwrap_or_default()),
        };
        let observer = |trace| Watch::new(&self.lifted, trace);
        Ok(code.run(batch, environment, trace, observer, &settings.choice())?)
    }

    fn ran(&self, outcome: Outcome, memory: Memory) -> Ran {
        let units = self.written();
        let mut lanes = vec![Components::new(); outcome.killed.len()];
        for (unit, column) in units.iter().zip(&outcome.outputs) {
            for (lane, bits) in lanes.iter_mut().zip(&column.bits) {
                lane.insert(*unit, *bits);
            }
        }
        let buffers = memory.buffers(&self.run.buffers);
        let executed = outcome.executed;
        let output = KernelOutput { buffers, textures: memory.textures, executed, ..KernelOutput::default() };
        Ran { lanes, killed: outcome.killed, output }
    }

    /// The result of no lanes.
    pub(super) fn untouched(&self) -> KernelOutput {
        let buffers = self.run.buffers.iter().map(|(_, bytes)| bytes.clone()).collect();
        KernelOutput { buffers, textures: self.run.textures.clone(), ..KernelOutput::default() }
    }

    /// Makes the next run begin with the memory that a run left; returns its result with what ran before it.
    pub(super) fn follow(&mut self, output: KernelOutput, before: &KernelOutput) -> KernelOutput {
        for ((_, bytes), after) in self.run.buffers.iter_mut().zip(&output.buffers) {
            bytes.clone_from(after);
        }
        self.run.textures.clone_from(&output.textures);
        KernelOutput { executed: before.executed + output.executed, ..output }
    }

    /// Runs lanes that have nothing to do with each other: vertices, or points of a tessellated patch.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(super) fn vertices(
        &self,
        lanes: &[Lane],
        vertices: u32,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Ran> {
        let batch = self.batch(lanes, vertices, settings)?;
        let mut memory = Memory::new(&self.run, &settings.limits)?;
        let outcome = self.execute(&batch, &mut memory, trace, settings)?;
        Ok(self.ran(outcome, memory))
    }

    /// Runs pixels of a rectangle, row by row, in quads.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(super) fn pixels(
        &self,
        lanes: &[Lane],
        grid: Grid,
        samples: Samples,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<Ran> {
        let mut batch = self.batch(lanes, 0, settings)?;
        batch.grid = Some(grid);
        batch.helpers = samples.helpers;
        batch.uniforms = pixel_registers(samples.coverage);
        let mut memory = Memory::new(&self.run, &settings.limits)?;
        let outcome = self.execute(&batch, &mut memory, trace, settings)?;
        Ok(self.ran(outcome, memory))
    }

    /// Runs a geometry program. Each lane has its streams; of a fast program the first one, with the input primitive.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(super) fn primitives(
        &self,
        lanes: &[Lane],
        vertices: u32,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<(Vec<Streams>, KernelOutput)> {
        let mut batch = self.batch(lanes, vertices, settings)?;
        batch.outputs.push((Reg::new(EMITTED, 0), 1));
        let memory = Memory::new(&self.run, &settings.limits)?;
        let mut emitting =
            Emitting::new(memory, lanes.len(), self.written(), settings.limits.bound(Limit::Memory));
        let outcome = self.execute(&batch, &mut emitting, trace, settings)?;
        let states = outcome.outputs.last().map_or(&[][..], |column| &column.bits);
        let header = self.drawing.header.as_ref();
        let lane = |(emitted, state): (&Emitted<Components>, &u32)| {
            let mut streams = Streams::default();
            streams.sound = emitted.finish(*state, header, &mut streams.all);
            streams
        };
        let emitted: Vec<Streams> = emitting.lanes.iter().zip(states).map(lane).collect();
        let ran = self.ran(outcome, emitting.memory);
        if !self.drawing.is_fast() {
            return Ok((emitted, ran.output));
        }
        let passed = shisa_maxwell::passed(&self.drawing);
        let lane = |(lane, stored)| Streams::passed(lane, &passed, stored);
        Ok((lanes.iter().zip(&ran.lanes).map(lane).collect(), ran.output))
    }

    /// Runs the invocations of a patch in one wave. Returns also the attributes of the patch that they stored.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub(super) fn patch(
        &self,
        lanes: &[Lane],
        vertices: u32,
        trace: &mut dyn TraceSink,
        settings: &Settings,
    ) -> Result<(Ran, Components)> {
        let batch = self.batch(lanes, vertices, settings)?;
        let mut memory = Memory::new(&self.run, &settings.limits)?;
        let outcome = self.execute(&batch, &mut memory, trace, settings)?;
        let mut patch = Components::new();
        for component in Names::numbers() {
            let mut word = [0; 4];
            memory.load(Space::Shared, 0, u64::from(component) * 4, &mut word)?;
            patch.insert(component, u32::from_le_bytes(word));
        }
        Ok((self.ran(outcome, memory), patch))
    }
}

/// The special registers of lanes whose primitives have a number of vertices, other than the number of the invocation.
pub(super) fn special_registers(launch: &Launch, vertices: u32) -> Vec<(Reg, Plane)> {
    let places: [Place; WAVE] = std::array::from_fn(|lane| Place {
        lane: lane as u32,
        vertices,
        y_direction: 1f32.to_bits(),
        ..Place::default()
    });
    let plane = |number: u8| Plane(places.map(|place| special_value(number, launch, &place)));
    let numbers = (0..=u8::MAX).filter(|number| u16::from(*number) != INVOCATION);
    numbers.map(|number| (Reg::new(SPECIALS, number.into()), plane(number))).collect()
}

/// The registers of pixels that have one sample.
pub(super) fn pixel_registers(coverage: u32) -> Vec<(Reg, Vec<u32>)> {
    let pixel = |register: PixelRegister, bits: Vec<u32>| (Reg::new(PIXEL, register.unit()), bits);
    vec![
        pixel(PixelRegister::Samples, vec![1]),
        pixel(PixelRegister::Coverage, vec![coverage]),
        pixel(PixelRegister::Offsets, vec![0; MOST_SAMPLES.into()]),
    ]
}
