//! Runs of any number of lanes, split into waves.

use crate::arrangement::{Arrangement, Grid, unit};
use crate::driver::{Driver, Observed};
use crate::environment::Environment;
use crate::observer::Observer;
use crate::program::Program;
use crate::runner::{Results, Runner, Values, ValuesMut};
use crate::wave::Plane;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Reg, Sequencer};

/// Values of a register for every lane of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The first unit of the register.
    pub reg: Reg,
    /// Number of units.
    pub units: u16,
    /// The bits of all lanes, lane after lane; the units of each lane are consecutive.
    pub bits: Vec<u32>,
}

impl Column {
    /// The units of one lane; `None` if the column has no such lane.
    pub fn lane(&self, lane: usize) -> Option<&[u32]> {
        let units = usize::from(self.units);
        self.bits.get(lane.checked_mul(units)?..lane.checked_add(1)?.checked_mul(units)?)
    }

    /// The units of each lane.
    pub fn lanes(&self) -> impl Iterator<Item = &[u32]> {
        self.bits.chunks_exact(usize::from(self.units).max(1))
    }

    /// All values, to be written.
    fn values_mut(&mut self) -> ValuesMut<'_> {
        ValuesMut { reg: self.reg, units: self.units, bits: &mut self.bits }
    }

    /// The values of a unit of the column, lane by lane.
    fn values(&self, unit: usize) -> impl Iterator<Item = u32> {
        self.bits.iter().copied().skip(unit).step_by(usize::from(self.units).max(1))
    }

    /// The index of this unit among the units of a lane.
    fn position(&self, unit: Reg) -> Option<usize> {
        let by = unit.unit.checked_sub(self.reg.unit)?;
        (unit.file == self.reg.file && by < self.units).then_some(by.into())
    }
}

/// The input of a run: number of lanes, their inputs, and the registers to return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Program counter of the first instruction.
    pub entry: u32,
    /// Number of lanes.
    pub lanes: usize,
    /// The lanes as pixels, which run in quads. If the width or height is odd, the missing pixels of quads run as
    /// helper lanes: their binary32 inputs are extrapolated linearly from the two nearest pixels, other inputs are
    /// repeated. Without a grid, lanes have no neighbours and derivatives are zero.
    pub grid: Option<Grid>,
    /// Lanes that only help their quads: see [`Arrangement::helpers`].
    pub helpers: Vec<bool>,
    /// Inputs that differ from lane to lane.
    pub inputs: Vec<Column>,
    /// Inputs that depend on the lane's number in its wave.
    pub by_lane: Vec<(Reg, Plane)>,
    /// Registers that are the same for all lanes: the first unit, and the bits of the units.
    pub uniforms: Vec<(Reg, Vec<u32>)>,
    /// First unit and number of units of the registers to return. A unit that the program does not use has the value of
    /// its input, or zero if it has no input.
    pub outputs: Vec<(Reg, u16)>,
}

/// The result of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The registers of [`Batch::outputs`], in that order.
    pub outputs: Vec<Column>,
    /// For each lane, whether it was killed; the outputs of a killed lane are undefined.
    pub killed: Vec<bool>,
    /// Number of instructions executed, summed over all lanes, including helper lanes.
    pub executed: u64,
}

/// All values, to be read.
impl<'c> From<&'c Column> for Values<'c> {
    fn from(column: &'c Column) -> Values<'c> {
        Values { reg: column.reg, units: column.units, bits: &column.bits }
    }
}

impl Batch {
    /// Runs all lanes to their end.
    ///
    /// # Errors
    /// `eval-batch` if the number of pixels in the grid differs from the number of lanes, or an input does not have a
    /// value for each lane; `eval-register` if an input, uniform or output does not exist; `limit-exceeded` if the
    /// outputs need more memory than the limit; and the errors of [`crate::Machine::run`].
    pub fn run<S: Sequencer, E: Environment, O: Observer<S::State>>(
        &self,
        program: &Program<'_>,
        sequencer: &S,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic> {
        self.drive(program, sequencer, environment, &mut Observed(observer), limits)
    }

    /// As [`Batch::run`]; the driver runs each wave.
    ///
    /// # Errors
    /// Those of [`Batch::run`] and of the driver.
    pub fn drive<S: Sequencer, E: Environment>(
        &self,
        program: &Program<'_>,
        sequencer: &S,
        environment: &mut E,
        driver: &mut dyn Driver<S, E>,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic> {
        let arrangement = Arrangement { lanes: self.lanes, grid: self.grid, helpers: &self.helpers };
        arrangement.waves()?;
        let mut outcome = self.untouched(limits)?;
        let mut runner = Runner::new(program, sequencer, self.entry);
        for (first, bits) in &self.uniforms {
            runner.set_uniform(*first, bits)?;
        }
        for (reg, plane) in &self.by_lane {
            for (lane, &bits) in plane.0.iter().enumerate() {
                runner.machine.set_input(*reg, lane, bits)?;
            }
        }
        let inputs: Vec<Values<'_>> = self.inputs.iter().map(Values::from).collect();
        let mut outputs: Vec<ValuesMut<'_>> = outcome.outputs.iter_mut().map(Column::values_mut).collect();
        let results = Results { outputs: &mut outputs, killed: &mut outcome.killed };
        runner.drive(arrangement, &inputs, results, environment, driver, limits)?;
        outcome.executed = runner.machine.executed();
        Ok(outcome)
    }

    /// The result if the program had no effect.
    fn untouched(&self, limits: &Limits) -> Result<Outcome, Diagnostic> {
        let units = self.outputs.iter().map(|&(_, units)| usize::from(units)).sum::<usize>();
        let bytes = self.lanes.saturating_mul(units.saturating_mul(4) + 1);
        limits.check(Limit::Memory, "bytes of outputs", bytes)?;
        let column = |&(reg, units): &(Reg, u16)| {
            let mut bits = vec![0; self.lanes * usize::from(units)];
            for by in 0..usize::from(units) {
                let of = unit(reg, by)?;
                let given = self.inputs.iter().find_map(|input| Some(input.values(input.position(of)?)));
                let slots = bits.iter_mut().skip(by).step_by(units.into());
                slots.zip(given.into_iter().flatten()).for_each(|(slot, value)| *slot = value);
            }
            Ok(Column { reg, units, bits })
        };
        let outputs = self.outputs.iter().map(column).collect::<Result<_, Diagnostic>>()?;
        Ok(Outcome { outputs, killed: vec![false; self.lanes], executed: 0 })
    }
}

#[cfg(test)]
mod tests;
