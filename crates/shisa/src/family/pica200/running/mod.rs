//! Runs PICA200 on the evaluator.

mod captured;
mod geometry;
mod json;
mod lines;
mod pictures;
mod watch;

use crate::run::{LatestSteps, RunOptions, TraceSink, TraceStep, wrong};
use crate::{Program as FileProgram, Result, Settings};
use geometry::Geometry;
use shisa_diag::{Diagnostic, Limit};
use shisa_engines::{Choice, Engine, Lift};
use shisa_eval::{
    Batch, Column, Driver, Environment, Machine, NoEnvironment, Observed, Portion, Program, Progress,
    first_lanes,
};
use shisa_ir::{FileId, Lanes, Lifted, Reg, WAVE};
use shisa_pica200::container::Shbin;
use shisa_pica200::upload::{Uniforms, stored};
use shisa_pica200::{
    ADDRESS, BOOLEANS, CONSTANTS, FILES, FLAGS, INPUTS, OUTPUTS, Options, Program as CodeWords, Sequencer,
    container::Dvle,
};
use std::collections::{BTreeMap, btree_map::Entry};
use watch::Watch;

/// A register of four components, bit patterns of binary32.
pub type ShaderRegister = [u32; 4];

/// Runs of one program of a shader binary with the same uniforms.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaderSet {
    /// Number of the program, from 0.
    pub program: usize,
    /// Uniforms; the program's constants override them.
    pub uniforms: Uniforms,
    /// Whether each run continues with the registers, the output bank and the vertex slots of the run before it.
    /// `b15` is true from the second run.
    pub keep_registers: bool,
    /// The runs.
    pub runs: Vec<ShaderRun>,
}

/// The inputs of one run. Registers not named are zero, constants not named have the set's value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderRun {
    /// By the number of the input register.
    pub inputs: BTreeMap<u8, ShaderRegister>,
    /// By the number of the constant; these override the set's and the program's.
    pub constants: BTreeMap<u8, ShaderRegister>,
}

impl ShaderRun {
    /// The value of an input register.
    fn input(&self, number: u8) -> ShaderRegister {
        self.inputs.get(&number).copied().unwrap_or_default()
    }
}

/// The result of one run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaderResult {
    /// The registers that the program's output mask or output table names.
    pub outputs: Vec<(u8, ShaderRegister)>,
    /// `a0.x`, `a0.y`, `aL`; zero with another engine than the evaluator.
    pub address: [i32; 3],
    /// `cmp.x`, `cmp.y`; false with another engine than the evaluator.
    pub flags: [bool; 2],
    /// Words executed; 0 if the engine does not count them.
    pub steps: u64,
    /// Vertices emitted.
    pub emits: Vec<ShaderEmit>,
    /// Triangles that were output.
    pub triangles: Vec<ShaderTriangle>,
}

/// A vertex that a geometry program emitted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShaderEmit {
    /// The vertex slot.
    pub slot: u8,
    /// Whether it completes a triangle.
    pub primitive: bool,
    /// Whether that triangle's winding is flipped.
    pub flipped: bool,
    /// The registers that the program's output mask or output table names.
    pub outputs: Vec<(u8, ShaderRegister)>,
}

/// A triangle: the outputs in the vertex slots 0, 1, 2, and whether the winding is flipped.
pub type ShaderTriangle = shisa_pica200::primitives::Triangle<Vec<(u8, ShaderRegister)>>;

/// The result of a set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShaderOutput {
    /// Run by run.
    pub results: Vec<ShaderResult>,
    /// Every instruction with its register writes; empty unless requested.
    pub trace: Vec<TraceStep>,
}

/// A program of a shader binary as engines take it, with its constants.
pub(super) fn source(file: &Shbin, number: usize, settings: &Settings) -> Result<Lift<Sequencer>> {
    let Some((program, dvle)) = file.program(number).zip(file.programs.get(number)) else {
        return Err(crate::error::no_program(number + 1, file.programs.len()).into());
    };
    let options = &settings.pica200.options;
    let constants = registers(shisa_pica200::upload::constants(dvle, options));
    Ok(Lift { constants, ..executable(&program, options)? })
}

/// Compiles code words for the wanted engine, or for the next one that takes them. The words may be the whole memory of a
/// shader unit: only those that control can reach count.
///
/// # Errors
/// `limit-exceeded`; what the lift refuses.
pub fn compile(program: &CodeWords, wanted: Engine, settings: &Settings) -> Result<shisa_engines::Program> {
    settings.limits.check(Limit::Instructions, "words of code", program.code.len())?;
    let lift = executable(program, &settings.pica200.options)?;
    Ok(shisa_engines::Program::new(Box::new(lift), Choice { wanted, ..settings.choice() })?)
}

/// Code words as engines take them.
fn executable(program: &CodeWords, options: &Options) -> Result<Lift<Sequencer>> {
    Ok(Lift {
        lifted: shisa_pica200::lift_reachable(program, options)?,
        sequencer: Sequencer,
        entry: program.entry,
        model: options.float_model(),
        upload: options.upload,
        constants: Vec::new(),
    })
}

/// Registers with their units.
fn registers(list: impl Iterator<Item = (FileId, u16, [u32; 4])>) -> Vec<(Reg, Vec<u32>)> {
    let one = |(file, number, data): (FileId, u16, [u32; 4])| {
        let units = u16::from(FILES.get(usize::from(file.0))?.units_per_register);
        Some((Reg::new(file, number * units), data.into_iter().take(units.into()).collect()))
    };
    list.filter_map(one).collect()
}

/// Runs programs of the shader binary that contains a program, set by set.
///
/// # Errors
/// `program-isa` for a program of another instruction set; what the lift refuses; `run-input` if inputs do not fit
/// the file; what the evaluator refuses, such as `limit-exceeded`.
pub fn run(program: &FileProgram<'_>, sets: &[ShaderSet], options: RunOptions) -> Result<Vec<ShaderOutput>> {
    let mut steps = LatestSteps::new(options.trace);
    let mut outputs = execute(super::shader_binary(program)?, sets, &mut steps, program.settings())?;
    for (n, output) in outputs.iter_mut().enumerate() {
        output.trace = steps.take(Some(n));
    }
    Ok(outputs)
}

fn execute(
    file: &Shbin,
    sets: &[ShaderSet],
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<Vec<ShaderOutput>> {
    let mut lifts: BTreeMap<usize, Lifted> = BTreeMap::new();
    for set in sets {
        let program = file.program(set.program);
        let program = program.ok_or_else(|| {
            wrong(format!("there is no program {}: the file has {}", set.program, file.programs.len()))
        })?;
        if let Entry::Vacant(entry) = lifts.entry(set.program) {
            entry.insert(shisa_pica200::lift(&program, &settings.pica200.options)?);
        }
    }
    let model = settings.pica200.options.float_model();
    let mut plans = BTreeMap::new();
    for (&n, lifted) in &lifts {
        plans.insert(n, Program::with_model(lifted, model, &settings.limits)?);
    }
    let one = |(number, set): (usize, &ShaderSet)| match (
        plans.get(&set.program),
        file.programs.get(set.program),
    ) {
        (Some(plan), Some(dvle)) => Set { number, set, plan, dvle, file, settings }.run(trace),
        _ => Ok(ShaderOutput::default()),
    };
    sets.iter().enumerate().map(one).collect()
}

/// A set with its program.
struct Set<'a> {
    number: usize,
    set: &'a ShaderSet,
    plan: &'a Program<'a>,
    dvle: &'a Dvle,
    file: &'a Shbin,
    settings: &'a Settings,
}

impl Set<'_> {
    fn run(&self, trace: &mut dyn TraceSink) -> Result<ShaderOutput> {
        let limits = &self.settings.limits;
        let registers = self.dvle.enabled_outputs().count_ones() as usize + 2;
        let bytes = self.set.runs.len().saturating_mul(registers * size_of::<(u8, ShaderRegister)>());
        limits.check(Limit::Memory, "bytes of outputs", bytes)?;
        let geometry = self.dvle.stage() == Some(shisa_ir::Stage::Geometry);
        let alone = !self.set.keep_registers && self.set.runs.iter().all(|r| r.constants.is_empty());
        if trace.takes_runs() {
            trace.run(None, Box::new(self.captured(geometry, alone)?));
        }
        let choice = self.settings.choice();
        if !alone {
            choice.refuse("runs that continue others or have constants of their own", trace);
        } else if choice.wanted != Engine::Evaluator
            && let Some(results) = self.at_once(&choice, geometry, trace)?
        {
            return Ok(ShaderOutput { results, trace: Vec::new() });
        }
        let mut machine = self.machine()?;
        let mut watch = Watch::new(self.plan.lifted(), self.number, trace);
        let mut results = Vec::with_capacity(self.set.runs.len());
        if !geometry && alone {
            for (n, runs) in self.set.runs.chunks(WAVE).enumerate() {
                machine.restart(self.dvle.entry, first_lanes(runs.len()))?;
                for (lane, run) in runs.iter().enumerate() {
                    self.inputs(&mut machine, run, lane)?;
                }
                watch.begin(n, n * WAVE);
                machine.run(&mut NoEnvironment, &mut watch, limits)?;
                for lane in 0..runs.len() {
                    results.push(self.result(&machine, lane, watch.steps(lane))?);
                }
            }
            return Ok(ShaderOutput { results, trace: Vec::new() });
        }
        let mut driver = Observed(&mut watch);
        self.one_by_one(&mut driver, |driver, machine, state| {
            let mut result = self.result(machine, 0, driver.0.steps(0))?;
            if let Some((emits, triangles)) = state.take().next() {
                (result.emits, result.triangles) = (emits, triangles);
            }
            results.push(result);
            Ok(())
        })?;
        Ok(ShaderOutput { results, trace: Vec::new() })
    }

    /// A vertex with the set's uniforms.
    fn machine(&self) -> Result<Machine<'_, Sequencer>> {
        let mut machine = Machine::new(self.plan, &Sequencer, self.dvle.entry, Lanes::MAX);
        machine.set_quads(false);
        self.uniforms(&mut machine)?;
        Ok(machine)
    }

    /// The state of the assemblers of lanes before a run, where so many bytes have been emitted.
    fn assemblers(&self, lanes: usize, bytes: usize) -> Geometry {
        let limit = self.settings.limits.bound(Limit::Memory);
        Geometry::new(self.dvle.enabled_outputs(), lanes, bytes, limit)
    }

    /// Runs one vertex or primitive after the other, and calls `each` after each.
    fn one_by_one<D: Driver<Sequencer, Geometry>>(
        &self,
        driver: &mut D,
        mut each: impl FnMut(&mut D, &Machine<'_, Sequencer>, &mut Geometry) -> Result<()>,
    ) -> Result<()> {
        let limits = &self.settings.limits;
        let mut machine = self.machine()?;
        let mut state = self.assemblers(1, 0);
        for (n, run) in self.set.runs.iter().enumerate() {
            if n == 0 || !self.set.keep_registers {
                machine.restart(self.dvle.entry, 1)?;
                state = self.assemblers(1, state.bytes);
            } else {
                machine.run_again(self.dvle.entry);
                machine.set_uniform(Reg::new(BOOLEANS, 15), 1)?;
            }
            self.inputs(&mut machine, run, 0)?;
            for (&number, value) in &run.constants {
                set(&mut machine, CONSTANTS, number, |m, reg, i| {
                    m.set_uniform(reg, stored(value[i], &self.settings.pica200.options))
                })?;
            }
            let mut lanes = [None; WAVE];
            lanes[0] = Some(n);
            let group = if self.set.keep_registers { 0 } else { n as u64 };
            while driver.run(&Portion { group, wave: n, lanes }, &mut machine, &mut state, limits)?
                != Progress::Done
            {}
            each(driver, &machine, &mut state)?;
            for &number in run.constants.keys() {
                let uniforms = self.all_uniforms();
                let value = uniforms.floats.get(usize::from(number));
                let value = value.ok_or_else(|| wrong(format!("there is no constant c{number}")))?;
                set(&mut machine, CONSTANTS, number, |m, reg, i| m.set_uniform(reg, value[i]))?;
            }
        }
        Ok(())
    }

    /// All runs as one batch, with the numbers of its outputs.
    fn batch(&self) -> Result<(Batch, Vec<u8>)> {
        let options = &self.settings.pica200.options;
        let input = |number: u8| {
            let bits = self
                .set
                .runs
                .iter()
                .flat_map(|run| run.input(number))
                .map(|bits| stored(bits, options))
                .collect();
            Column { reg: Reg::new(INPUTS, 4 * u16::from(number)), units: 4, bits }
        };
        self.set.runs.iter().try_for_each(known)?;
        let numbers: Vec<u8> = written(self.dvle.enabled_outputs()).collect();
        let batch = Batch {
            entry: self.dvle.entry,
            lanes: self.set.runs.len(),
            inputs: (0..16).map(input).collect(),
            uniforms: self.all_uniforms().registers().into(),
            outputs: numbers.iter().map(|n| (Reg::new(OUTPUTS, 4 * u16::from(*n)), 4)).collect(),
            ..Batch::default()
        };
        Ok((batch, numbers))
    }

    /// The results of all runs as one batch; `None` if only the evaluator takes the program.
    fn at_once(
        &self,
        choice: &Choice<'_>,
        geometry: bool,
        trace: &mut dyn TraceSink,
    ) -> Result<Option<Vec<ShaderResult>>> {
        let options = &self.settings.pica200.options;
        let (batch, numbers) = self.batch()?;
        let lifted = (self.plan.lifted(), &Sequencer);
        let mut assemblers = geometry.then(|| self.assemblers(batch.lanes, 0));
        let environment: &mut dyn Environment = match &mut assemblers {
            Some(assemblers) => assemblers,
            None => &mut NoEnvironment,
        };
        let Some(outcome) = choice.run(&batch, lifted, options.float_model(), environment, trace)? else {
            return Ok(None);
        };
        let mut results = vec![ShaderResult::default(); self.set.runs.len()];
        for (number, column) in numbers.into_iter().zip(&outcome.outputs) {
            for (result, units) in results.iter_mut().zip(column.bits.as_chunks().0) {
                result.outputs.push((number, *units));
            }
        }
        for (result, (emits, triangles)) in
            results.iter_mut().zip(assemblers.iter_mut().flat_map(Geometry::take))
        {
            (result.emits, result.triangles) = (emits, triangles);
        }
        Ok(Some(results))
    }

    /// The set's uniforms, overridden by the program's constants.
    fn all_uniforms(&self) -> Uniforms {
        let options = &self.settings.pica200.options;
        let mut uniforms = self.set.uniforms.clone();
        uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = stored(*bits, options));
        uniforms.load(self.dvle, options);
        uniforms
    }

    fn uniforms(&self, machine: &mut Machine<'_, Sequencer>) -> Result<()> {
        for (first, units) in self.all_uniforms().registers() {
            for (bits, unit) in units.iter().zip(first.unit..) {
                machine.set_uniform(Reg { unit, ..first }, *bits)?;
            }
        }
        Ok(())
    }

    fn inputs(&self, machine: &mut Machine<'_, Sequencer>, run: &ShaderRun, lane: usize) -> Result<()> {
        known(run)?;
        for number in 0..16 {
            let value = run.input(number);
            set(machine, INPUTS, number, |m, reg, i| {
                m.set_input(reg, lane, stored(value[i], &self.settings.pica200.options))
            })?;
        }
        Ok(())
    }

    fn result(
        &self,
        machine: &Machine<'_, Sequencer>,
        lane: usize,
        steps: u64,
    ) -> std::result::Result<ShaderResult, Diagnostic> {
        let at = |file: FileId, unit: u16| machine.register(Reg::new(file, unit), lane);
        let register = |n: u8| {
            let unit = |i: u16| at(OUTPUTS, 4 * u16::from(n) + i);
            Ok([unit(0)?, unit(1)?, unit(2)?, unit(3)?])
        };
        let address = |unit: u16| at(ADDRESS, unit).map(|bits| bits as i32);
        Ok(ShaderResult {
            outputs: outputs(self.dvle.enabled_outputs(), &register)?,
            address: [address(0)?, address(1)?, address(2)?],
            flags: [at(FLAGS, 0)? != 0, at(FLAGS, 1)? != 0],
            steps,
            ..ShaderResult::default()
        })
    }
}

/// Checks that the inputs of a run are registers.
fn known(run: &ShaderRun) -> Result<()> {
    match run.inputs.keys().find(|&&n| n > 15) {
        Some(number) => Err(wrong(format!("there is no register v{number}: the last is v15"))),
        None => Ok(()),
    }
}

/// Sets the four components of a register.
fn set<'a>(
    machine: &mut Machine<'a, Sequencer>,
    file: FileId,
    number: u8,
    mut put: impl FnMut(
        &mut Machine<'a, Sequencer>,
        Reg,
        usize,
    ) -> std::result::Result<(), shisa_diag::Diagnostic>,
) -> Result<()> {
    for i in 0..4 {
        put(machine, Reg::new(file, 4 * u16::from(number) + i as u16), i)?;
    }
    Ok(())
}

/// The output registers of a mask.
fn written(mask: u16) -> impl Iterator<Item = u8> {
    (0..16).filter(move |n| mask >> n & 1 != 0)
}

/// The output registers of a mask, each with what `register` says.
fn outputs(
    mask: u16,
    register: &dyn Fn(u8) -> std::result::Result<ShaderRegister, Diagnostic>,
) -> std::result::Result<Vec<(u8, ShaderRegister)>, Diagnostic> {
    let mut list = Vec::with_capacity(mask.count_ones() as usize);
    for number in written(mask) {
        list.push((number, register(number)?));
    }
    Ok(list)
}
