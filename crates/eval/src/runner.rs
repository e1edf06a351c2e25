//! Runs of one program again and again, on values in slices.

use crate::arrangement::{Arrangement, Role, unit};
use crate::driver::{Driver, Observed, Portion};
use crate::environment::{Environment, no_register};
use crate::machine::Machine;
use crate::observer::Observer;
use crate::position::Progress;
use crate::program::Program;
use crate::wave::{Plane, first_lanes};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{File, FileKind, Lanes, Reg, Scalar, Sequencer, WAVE};

/// Values of a register for every lane of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Values<'v> {
    /// The first unit of the register.
    pub reg: Reg,
    /// Number of units.
    pub units: u16,
    /// The bits of all lanes, lane after lane; the units of each lane are consecutive.
    pub bits: &'v [u32],
}

/// Space for values of a register for every lane of a run, laid out as [`Values`].
#[derive(Debug, PartialEq, Eq)]
pub struct ValuesMut<'v> {
    /// The first unit of the register.
    pub reg: Reg,
    /// Number of units.
    pub units: u16,
    /// The bits of all lanes.
    pub bits: &'v mut [u32],
}

/// Space for the results of a run.
#[derive(Debug)]
pub struct Results<'r, 'v> {
    /// The registers to return. Units that the program does not use are left as they are; so are values past the end of
    /// a slice that is too short.
    pub outputs: &'r mut [ValuesMut<'v>],
    /// For each lane, whether it was killed; may be shorter.
    pub killed: &'r mut [bool],
}

/// Runs a program again and again. A run allocates nothing that an earlier run has not, as far as the program's
/// sequencer and the environment allow it.
#[derive(Debug)]
pub struct Runner<'p, S: Sequencer> {
    pub(crate) machine: Machine<'p, S>,
    entry: u32,
}

impl<'p, S: Sequencer> Runner<'p, S> {
    /// A runner of a program from `entry`; all registers are zero.
    pub fn new(program: &'p Program<'p>, sequencer: &'p S, entry: u32) -> Runner<'p, S> {
        Runner { machine: Machine::new(program, sequencer, entry, Lanes::MAX), entry }
    }

    /// Sets units of a register, from the first on, for all lanes of all runs that follow.
    ///
    /// # Errors
    /// `eval-register` if one does not exist.
    pub fn set_uniform(&mut self, first: Reg, bits: &[u32]) -> Result<(), Diagnostic> {
        for (by, &bits) in bits.iter().enumerate() {
            self.machine.set_uniform(unit(first, by)?, bits)?;
        }
        Ok(())
    }

    /// Runs lanes to their end. Inputs that are not given have the values of the run before.
    ///
    /// # Errors
    /// The errors of [`crate::Batch::run`].
    pub fn run<'h, E: Environment, O: Observer<S::State>>(
        &mut self,
        lanes: impl Into<Arrangement<'h>>,
        inputs: &[Values<'_>],
        results: Results<'_, '_>,
        environment: &mut E,
        observer: &mut O,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        self.drive(lanes.into(), inputs, results, environment, &mut Observed(observer), limits)
    }

    /// As [`Runner::run`]; the driver runs each wave.
    ///
    /// # Errors
    /// Those of [`Runner::run`] and of the driver.
    pub(crate) fn drive<E: Environment>(
        &mut self,
        arrangement: Arrangement<'_>,
        inputs: &[Values<'_>],
        results: Results<'_, '_>,
        environment: &mut E,
        driver: &mut dyn Driver<S, E>,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        self.machine.begin();
        let machine = &mut self.machine;
        let waves = arrangement.waves()?;
        inputs.iter().try_for_each(|input| check(input, arrangement.lanes))?;
        machine.set_quads(arrangement.grid.is_some());
        for wave in 0..waves {
            let roles: [Role; WAVE] = std::array::from_fn(|lane| arrangement.role(wave * WAVE + lane));
            let present = roles.iter().filter(|p| **p != Role::None).count();
            machine.restart(self.entry, first_lanes(present))?;
            let helpers = roles.iter().enumerate().filter(|(_, role)| arrangement.helps(**role));
            machine.set_killed(helpers.fold(0, |set, (lane, _)| set | 1 << lane));
            inputs.iter().try_for_each(|input| load(machine, input, arrangement, &roles))?;
            let pixels = roles.map(Role::pixel);
            environment.wave(&pixels);
            let portion = Portion { group: 0, wave, lanes: pixels };
            // The wave is the only one of its workgroup; barriers are passed.
            while driver.run(&portion, machine, environment, limits)? != Progress::Done {}
            for (lane, index) in pixels.into_iter().enumerate() {
                if let Some(killed) = index.and_then(|index| results.killed.get_mut(index)) {
                    *killed = machine.killed() >> lane & 1 != 0;
                }
            }
            for values in results.outputs.iter_mut() {
                store(machine, values, &pixels)?;
            }
        }
        Ok(())
    }
}

/// Rejects an input that lacks values.
pub(crate) fn check(Values { reg, units, bits }: &Values<'_>, lanes: usize) -> Result<(), Diagnostic> {
    let needed = lanes.saturating_mul(usize::from(*units));
    if bits.len() >= needed {
        return Ok(());
    }
    let (file, have) = (reg.file.0, bits.len());
    let text = format!("the input of unit {} of register file {file} has {have} values", reg.unit);
    Err(Diagnostic::error("eval-batch", text)
        .note(format!("{lanes} lanes of {units} units need {needed} values")))
}

/// Sets an input of all lanes of a wave.
fn load<S: Sequencer>(
    machine: &mut Machine<'_, S>,
    input: &Values<'_>,
    arrangement: Arrangement<'_>,
    roles: &[Role; WAVE],
) -> Result<(), Diagnostic> {
    let float = is_extrapolated(machine.program().lifted().files, input.reg);
    for by in 0..usize::from(input.units) {
        if let Some(plane) = machine.unit_mut(unit(input.reg, by)?)? {
            fill(plane, input, by, float, arrangement, roles)?;
        }
    }
    Ok(())
}

/// Sets a unit of an input of all lanes of a wave.
fn fill(
    plane: &mut Plane,
    input: &Values<'_>,
    by: usize,
    float: bool,
    arrangement: Arrangement<'_>,
    roles: &[Role; WAVE],
) -> Result<(), Diagnostic> {
    let (units, first) = (usize::from(input.units), roles[0].pixel());
    // Without a grid, the lanes of a wave follow each other.
    let whole = first.filter(|first| arrangement.grid.is_none() && first + WAVE <= arrangement.lanes);
    if let Some(bits) = whole.and_then(|first| input.bits.get(first * units..(first + WAVE) * units)) {
        plane.0.iter_mut().zip(bits.iter().skip(by).step_by(units)).for_each(|(slot, bits)| *slot = *bits);
        return Ok(());
    }
    for (slot, role) in plane.0.iter_mut().zip(roles) {
        *slot = value(input, by, float, arrangement, *role)?;
    }
    Ok(())
}

/// Whether the values of a register are extrapolated for helper lanes.
pub(crate) fn is_extrapolated(files: &[File], reg: Reg) -> bool {
    let file = files.get(usize::from(reg.file.0));
    file.is_some_and(|f| f.scalar == Scalar::F32 && f.kind == FileKind::Input)
}

/// A unit of an input for a lane with this role.
pub(crate) fn value(
    input: &Values<'_>,
    by: usize,
    float: bool,
    arrangement: Arrangement<'_>,
    role: Role,
) -> Result<u32, Diagnostic> {
    let at = |index: usize| {
        input.bits.get(index * usize::from(input.units) + by).copied().ok_or_else(|| {
            let text = format!("lane {index} of a run of {} has no input", arrangement.lanes);
            Diagnostic::internal("internal-batch", text)
        })
    };
    match (role, arrangement.grid) {
        (Role::Lane(index), _) => at(index),
        (Role::Helper { x, y }, Some(grid)) => grid.beyond(x, y, float, at),
        // This lane runs nothing.
        (Role::Helper { .. } | Role::None, _) => Ok(0),
    }
}

/// Takes the values of a register from the lanes of a wave, for the lanes of the run that they are.
fn store<S: Sequencer>(
    machine: &Machine<'_, S>,
    values: &mut ValuesMut<'_>,
    lanes: &[Option<usize>; WAVE],
) -> Result<(), Diagnostic> {
    let units = usize::from(values.units);
    for by in 0..units {
        let reg = unit(values.reg, by)?;
        let plane = machine.plane(reg).ok_or_else(|| no_register(reg))?;
        if machine.program().names(reg) {
            for (bits, index) in plane.0.iter().zip(lanes) {
                if let Some(slot) = index.and_then(|index| values.bits.get_mut(index * units + by)) {
                    *slot = *bits;
                }
            }
        }
    }
    Ok(())
}
