//! Runs of any number of lanes, split into waves.

use crate::environment::{Environment, no_register};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::program::Program;
use crate::wave::{Plane, first_lanes};
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{FileKind, Lanes, Reg, Scalar, Sequencer, WAVE};

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

/// The unit `by` units after `first`.
fn unit(first: Reg, by: usize) -> Result<Reg, Diagnostic> {
    let unit = u16::try_from(by).ok().and_then(|by| first.unit.checked_add(by));
    Ok(Reg { unit: unit.ok_or_else(|| no_register(first))?, ..first })
}

/// The lanes of a batch as the pixels of a rectangle, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Number of pixels in a row.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
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

impl Batch {
    /// Runs all lanes to their end.
    ///
    /// # Errors
    /// `eval-batch` if the number of pixels in the grid differs from the number of lanes, or an input does not have a
    /// value for each lane; `eval-register` if an input, uniform or output does not exist; `limit-exceeded` if the
    /// outputs need more memory than the limit; and the errors of [`Machine::run`].
    pub fn run<S: Sequencer, E: Environment, O: Observer<S::State>>(
        &self,
        program: &Program<'_>,
        sequencer: &S,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic> {
        let waves = self.waves()?;
        let mut outcome = self.untouched(limits)?;
        self.check_inputs()?;
        let mut machine = Machine::new(program, sequencer, self.entry, Lanes::MAX);
        machine.set_quads(self.grid.is_some());
        for (first, bits) in &self.uniforms {
            for (by, &bits) in bits.iter().enumerate() {
                machine.set_uniform(unit(*first, by)?, bits)?;
            }
        }
        for (reg, plane) in &self.by_lane {
            for (lane, &bits) in plane.0.iter().enumerate() {
                machine.set_input(*reg, lane, bits)?;
            }
        }
        for wave in 0..waves {
            let roles: [Role; WAVE] = std::array::from_fn(|lane| self.role(wave * WAVE + lane));
            let present = roles.iter().filter(|p| **p != Role::None).count();
            machine.restart(self.entry, first_lanes(present))?;
            let helpers = roles.iter().enumerate().filter(|(_, p)| matches!(p, Role::Helper { .. }));
            machine.set_killed(helpers.fold(0, |set, (lane, _)| set | 1 << lane));
            self.load(&mut machine, &roles)?;
            let pixels = roles.map(Role::pixel);
            environment.wave(&pixels);
            if O::ACTIVE {
                observer.wave(&pixels);
            }
            machine.run(environment, observer, limits)?;
            for (lane, index) in roles.into_iter().map(Role::pixel).enumerate() {
                let Some(index) = index else { continue };
                if let Some(killed) = outcome.killed.get_mut(index) {
                    *killed = machine.killed() >> lane & 1 != 0;
                }
                for column in &mut outcome.outputs {
                    let units = usize::from(column.units);
                    for by in 0..units {
                        let reg = unit(column.reg, by)?;
                        let bits = machine.register(reg, lane)?;
                        if program.names(reg)
                            && let Some(slot) = column.bits.get_mut(index * units + by)
                        {
                            *slot = bits;
                        }
                    }
                }
            }
        }
        outcome.executed = machine.executed();
        Ok(outcome)
    }

    /// The number of waves.
    fn waves(&self) -> Result<usize, Diagnostic> {
        let Some(Grid { width, height }) = self.grid else { return Ok(self.lanes.div_ceil(WAVE)) };
        if width.checked_mul(height) != Some(self.lanes) {
            let text = format!(
                "a grid of {width} by {height} pixels does not match a batch of {} lanes",
                self.lanes
            );
            return Err(Diagnostic::error("eval-batch", text));
        }
        Ok((width.div_ceil(2) * height.div_ceil(2)).div_ceil(WAVE / 4))
    }

    /// Rejects inputs that lack values.
    fn check_inputs(&self) -> Result<(), Diagnostic> {
        for Column { reg, units, bits } in &self.inputs {
            let needed = self.lanes.saturating_mul(usize::from(*units));
            if bits.len() < needed {
                let (file, have) = (reg.file.0, bits.len());
                let text =
                    format!("the input of unit {} of register file {file} has {have} values", reg.unit);
                return Err(Diagnostic::error("eval-batch", text)
                    .note(format!("{} lanes of {units} units need {needed} values", self.lanes)));
            }
        }
        Ok(())
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

    /// What the `index`-th lane of all waves runs.
    fn role(&self, index: usize) -> Role {
        let Some(Grid { width, height }) = self.grid else {
            return if index < self.lanes { Role::Lane(index) } else { Role::None };
        };
        let (quad, corner) = (index / 4, index % 4);
        let row = width.div_ceil(2).max(1);
        let (x, y) = (quad % row * 2 + corner % 2, quad / row * 2 + corner / 2);
        if quad / row >= height.div_ceil(2) {
            Role::None
        } else if x < width && y < height {
            Role::Lane(y * width + x)
        } else {
            Role::Helper { x, y }
        }
    }

    fn load<S: Sequencer>(
        &self,
        machine: &mut Machine<'_, S>,
        roles: &[Role; WAVE],
    ) -> Result<(), Diagnostic> {
        for column in &self.inputs {
            let file = machine.program().lifted().files.get(usize::from(column.reg.file.0));
            let float = file.is_some_and(|f| f.scalar == Scalar::F32 && f.kind == FileKind::Input);
            let units = usize::from(column.units);
            for by in 0..units {
                let reg = unit(column.reg, by)?;
                let at = |index: usize| {
                    column.bits.get(index * units + by).copied().ok_or_else(|| {
                        let text = format!("lane {index} of a batch of {} has no input", self.lanes);
                        Diagnostic::internal("internal-batch", text)
                    })
                };
                for (lane, role) in roles.iter().enumerate() {
                    let bits = match (*role, self.grid) {
                        (Role::Lane(index), _) => at(index)?,
                        (Role::Helper { x, y }, Some(grid)) => grid.beyond(x, y, float, at)?,
                        // This lane runs nothing.
                        (Role::Helper { .. } | Role::None, _) => 0,
                    };
                    machine.set_input(reg, lane, bits)?;
                }
            }
        }
        Ok(())
    }
}

impl Grid {
    /// The value at a pixel just outside the grid, extrapolated from the values of the pixels.
    fn beyond(
        self,
        x: usize,
        y: usize,
        float: bool,
        at: impl Fn(usize) -> Result<u32, Diagnostic>,
    ) -> Result<u32, Diagnostic> {
        let (nx, ny) = (x.min(self.width.saturating_sub(1)), y.min(self.height.saturating_sub(1)));
        let nearest = at(ny * self.width + nx)?;
        if !float {
            return Ok(nearest);
        }
        let base = f32::from_bits(nearest);
        let mut value = base;
        if x > nx && nx > 0 {
            value += base - f32::from_bits(at(ny * self.width + nx - 1)?);
        }
        if y > ny && ny > 0 {
            value += base - f32::from_bits(at((ny - 1) * self.width + nx)?);
        }
        Ok(value.to_bits())
    }
}

/// What a lane of a wave runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// A lane of the batch.
    Lane(usize),
    /// A pixel outside of the grid that completes a quad.
    Helper { x: usize, y: usize },
    /// Nothing: the batch has no more lanes.
    None,
}

impl Role {
    fn pixel(self) -> Option<usize> {
        match self {
            Role::Lane(index) => Some(index),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
