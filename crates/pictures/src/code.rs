//! A lifted program with the registers of its inputs and outputs.

use crate::counts::{Counts, Watch};
use crate::floats::Floats;
use crate::shader::{Lanes, Ran};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Batch, Column, Environment, NoObserver, Plane, Program};
use shisa_ir::{FloatModel, Io, Lifted, Reg, Sequencer};

/// A lifted program that is ready to run on the evaluator.
#[derive(Debug)]
pub struct Code<S> {
    program: Program<'static>,
    sequencer: S,
    entry: u32,
    inputs: Vec<Io>,
    outputs: Vec<Io>,
    floats: Floats,
    limits: Limits,
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
        let floats = Floats::of(&lifted);
        let program = Program::owning(lifted, model, limits)?;
        Ok(Code { program, sequencer, entry, inputs, outputs, floats, limits: limits.clone() })
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
        let column =
            |(io, bits): (&Io, &Vec<u32>)| Column { reg: io.reg, units: io.count.into(), bits: bits.clone() };
        let batch = Batch {
            entry: self.entry,
            lanes: lanes.count,
            grid: lanes.grid,
            helpers: lanes.helpers.to_vec(),
            inputs: self.inputs.iter().zip(lanes.inputs).map(column).collect(),
            by_lane: around.by_lane.to_vec(),
            uniforms: around.uniforms.to_vec(),
            outputs: self.outputs.iter().map(|io| (io.reg, io.count.into())).collect(),
        };
        let (program, sequencer, limits) = (&self.program, &self.sequencer, &self.limits);
        let outcome = match counts {
            Some(counts) => {
                *counts = Counts::of(lanes.count);
                let mut watch = Watch::new(counts, &self.floats);
                batch.run(program, sequencer, environment, &mut watch, limits)?
            }
            None => batch.run(program, sequencer, environment, &mut NoObserver, limits)?,
        };
        Ok(Ran {
            outputs: outcome.outputs.into_iter().map(|column| column.bits).collect(),
            killed: outcome.killed,
            executed: outcome.executed,
        })
    }
}
