//! A lifted program with the registers of its inputs and outputs.

use crate::counts::{Counts, Watch};
use crate::faults::not_recorded;
use crate::shader::{Lanes, Ran};
use shisa_debug::{BatchRun, Captured, Floats, Line, NameOf};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Batch, Column, Environment, NoObserver, Plane, Program};
use shisa_ir::{FloatModel, Io, Lifted, Reg, Sequencer};

/// A lifted program that is ready to run on the evaluator.
#[derive(Debug)]
pub struct Code<S> {
    program: Program<'static>,
    model: FloatModel,
    sequencer: S,
    entry: u32,
    inputs: Vec<Io>,
    outputs: Vec<Io>,
    floats: Floats,
    limits: Limits,
    /// The names of registers and the listing, for a debugger.
    listed: Option<(NameOf, Vec<Line>)>,
}

/// Registers that are set besides the inputs of lanes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Around<'a> {
    /// Those that are the same for all lanes: the first unit, and the bits of the units.
    pub uniforms: &'a [(Reg, Vec<u32>)],
    /// Those that depend on the lane's number in its wave.
    pub by_lane: &'a [(Reg, Plane)],
}

impl<S: Sequencer> Code<S> {
    /// Prepares a program that begins at `entry`, with its inputs and outputs.
    ///
    /// # Errors
    /// `limit-exceeded` if there are more instructions than the limit.
    pub fn new(
        lifted: Lifted,
        (sequencer, entry): (S, u32),
        model: FloatModel,
        (inputs, outputs): (Vec<Io>, Vec<Io>),
        limits: &Limits,
    ) -> Result<Code<S>, Diagnostic> {
        let floats = Floats::new(&lifted);
        let program = Program::owning(lifted, model, limits)?;
        let (limits, listed) = (limits.clone(), None);
        Ok(Code { program, model, sequencer, entry, inputs, outputs, floats, limits, listed })
    }

    /// Adds the names of registers and the listing, which a debugger needs.
    pub fn listed(self, name_of: NameOf, lines: Vec<Line>) -> Code<S> {
        Code { listed: Some((name_of, lines)), ..self }
    }

    /// Its inputs.
    pub fn inputs(&self) -> &[Io] {
        &self.inputs
    }

    /// Its outputs.
    pub fn outputs(&self) -> &[Io] {
        &self.outputs
    }

    /// The limits that it was prepared with.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Runs lanes, and counts what each of them cost.
    ///
    /// # Errors
    /// What the evaluator refuses.
    pub fn run<E: Environment>(
        &self,
        lanes: &Lanes<'_>,
        around: Around<'_>,
        environment: &mut E,
        counts: Option<&mut Counts>,
    ) -> Result<Ran, Diagnostic> {
        let batch = self.batch(lanes, around);
        let (program, sequencer, limits) = (&self.program, &self.sequencer, &self.limits);
        let outcome = match counts {
            Some(counts) => {
                *counts = Counts::of(lanes.count);
                let mut watch = Watch::new(counts, &self.floats);
                let outcome = batch.run(program, sequencer, environment, &mut watch, limits)?;
                watch.finish();
                outcome
            }
            None => batch.run(program, sequencer, environment, &mut NoObserver, limits)?,
        };
        Ok(Ran {
            outputs: outcome.outputs.into_iter().map(|column| column.bits).collect(),
            killed: outcome.killed,
            executed: outcome.executed,
        })
    }

    fn batch(&self, lanes: &Lanes<'_>, around: Around<'_>) -> Batch {
        let column =
            |(io, bits): (&Io, &Vec<u32>)| Column { reg: io.reg, units: io.count.into(), bits: bits.clone() };
        Batch {
            entry: self.entry,
            lanes: lanes.count,
            grid: lanes.grid,
            helpers: lanes.helpers.to_vec(),
            inputs: self.inputs.iter().zip(lanes.inputs).map(column).collect(),
            by_lane: around.by_lane.to_vec(),
            uniforms: around.uniforms.to_vec(),
            outputs: self.outputs.iter().map(|io| (io.reg, io.count.into())).collect(),
        }
    }
}

impl<S> Code<S>
where
    S: Sequencer<State: Send + Sync> + Clone + Send + Sync + 'static,
{
    /// The run of lanes, for a debugger.
    ///
    /// # Errors
    /// `picture-stage` for a program without a listing ([`Code::listed`]).
    pub fn captured<E: Environment + Clone + Send + Sync + 'static>(
        &self,
        lanes: &Lanes<'_>,
        around: Around<'_>,
        environment: E,
    ) -> Result<Captured, Diagnostic> {
        let (name_of, lines) = self.listed.as_ref().ok_or_else(not_recorded)?;
        let run = BatchRun {
            program: Program::owning(self.program.lifted().clone(), self.model, &self.limits)?,
            sequencer: self.sequencer.clone(),
            batch: self.batch(lanes, around),
            environment,
            limits: self.limits.clone(),
        };
        Ok(Captured::new(run, *name_of, lines.clone()))
    }
}
