//! Runs of any number of lanes, cut into waves.

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
    /// How many units.
    pub units: u16,
    /// Lane by lane, the units of each lane together.
    pub bits: Vec<u32>,
}

impl Column {
    /// The units of one lane; `None` where the column has no such lane.
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

    /// Which of the units of a lane is this one.
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

/// Lanes that are the pixels of a rectangle, row by row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid {
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

/// What runs: how many lanes, with which inputs, and which registers to return.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Program counter of the first instruction.
    pub entry: u32,
    /// How many lanes.
    pub lanes: usize,
    /// The lanes as pixels. They run in quads then; the pixels that an odd width or height lacks run as
    /// helpers, with binary32 inputs continued linearly from the two nearest pixels and others repeated.
    /// Without a grid there are no neighbours, and derivatives are zero.
    pub grid: Option<Grid>,
    /// Inputs that differ from lane to lane.
    pub inputs: Vec<Column>,
    /// Inputs that lanes have by their number in the wave.
    pub by_lane: Vec<(Reg, Plane)>,
    /// First unit and units that are the same for all lanes.
    pub uniforms: Vec<(Reg, Vec<u32>)>,
    /// First unit and number of units of the registers to be returned. A unit that the program does not name has the
    /// value of its input, zero where it has none.
    pub outputs: Vec<(Reg, u16)>,
}

/// The result of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The registers of [`Batch::outputs`], in that order.
    pub outputs: Vec<Column>,
    /// For each lane whether it was killed; its outputs mean nothing then.
    pub killed: Vec<bool>,
    /// Instructions executed, counted for each lane, helpers included.
    pub executed: u64,
}

impl Batch {
    /// Runs all lanes to their end.
    ///
    /// # Errors
    /// `eval-batch` when the grid does not have as many pixels as the batch has lanes, or an input does not have a value
    /// for each lane; `eval-register` when an input, uniform or output does not exist; `limit-exceeded` when outputs need
    /// more memory than the limit; and as [`Machine::run`].
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
            let places: [Place; WAVE] = std::array::from_fn(|lane| self.place(wave * WAVE + lane));
            let present = places.iter().filter(|p| **p != Place::None).count();
            machine.restart(self.entry, first_lanes(present))?;
            let helpers = places.iter().enumerate().filter(|(_, p)| matches!(p, Place::Helper { .. }));
            machine.set_killed(helpers.fold(0, |set, (lane, _)| set | 1 << lane));
            self.load(&mut machine, &places)?;
            let pixels = places.map(Place::pixel);
            environment.wave(&pixels);
            if O::ACTIVE {
                observer.wave(&pixels);
            }
            machine.run(environment, observer, limits)?;
            for (lane, index) in places.into_iter().map(Place::pixel).enumerate() {
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
            let text = format!("a grid of {width} by {height} pixels does not hold {} lanes", self.lanes);
            return Err(Diagnostic::error("eval-batch", text));
        }
        Ok((width.div_ceil(2) * height.div_ceil(2)).div_ceil(WAVE / 4))
    }

    /// Refuses inputs that lack values.
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

    /// The result where the program does nothing.
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

    /// The lane of the batch that the `index`-th lane of all waves runs.
    fn place(&self, index: usize) -> Place {
        let Some(Grid { width, height }) = self.grid else {
            return if index < self.lanes { Place::Lane(index) } else { Place::None };
        };
        let (quad, corner) = (index / 4, index % 4);
        let row = width.div_ceil(2).max(1);
        let (x, y) = (quad % row * 2 + corner % 2, quad / row * 2 + corner / 2);
        if quad / row >= height.div_ceil(2) {
            Place::None
        } else if x < width && y < height {
            Place::Lane(y * width + x)
        } else {
            Place::Helper { x, y }
        }
    }

    fn load<S: Sequencer>(
        &self,
        machine: &mut Machine<'_, S>,
        places: &[Place; WAVE],
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
                for (lane, place) in places.iter().enumerate() {
                    let bits = match (*place, self.grid) {
                        (Place::Lane(index), _) => at(index)?,
                        (Place::Helper { x, y }, Some(grid)) => grid.beyond(x, y, float, at)?,
                        // No lane runs here.
                        (Place::Helper { .. } | Place::None, _) => 0,
                    };
                    machine.set_input(reg, lane, bits)?;
                }
            }
        }
        Ok(())
    }
}

impl Grid {
    /// The value at a pixel just outside, from those of the pixels.
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
enum Place {
    /// A lane of the batch.
    Lane(usize),
    /// A pixel outside of the grid that completes a quad.
    Helper { x: usize, y: usize },
    /// Nothing: the batch has ended.
    None,
}

impl Place {
    fn pixel(self) -> Option<usize> {
        match self {
            Place::Lane(index) => Some(index),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests;
