//! Input registers that contain the time.

use crate::arena::Arena;
use crate::plan::planes::RegisterId;
use crate::program::Program;
use crate::wave::Plane;
use shisa_diag::Diagnostic;
use shisa_ir::Reg;

/// Input registers that contain the time when a step begins. The time is the estimated cost of everything that the run
/// has executed before: it never goes back within a run, is the same in all lanes, and is not the time of hardware.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Receives the low 32 bits.
    pub low: Reg,
    /// Receives the high 32 bits.
    pub high: Option<Reg>,
    /// The time is rounded down to a multiple of this number; 0 and 1 do not round.
    pub unit: u32,
}

/// The registers of clocks that a program reads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clocks {
    shown: Vec<Shown>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shown {
    register: RegisterId,
    unit: u64,
    shift: u32,
}

impl Clocks {
    /// Those of the registers that the program uses.
    pub(crate) fn new(program: &Program<'_>, clocks: &[Clock]) -> Self {
        let mut shown = Vec::new();
        for clock in clocks {
            for (reg, shift) in [(Some(clock.low), 0), (clock.high, 32)] {
                if let Some(register) = reg.and_then(|reg| program.layout.plane(reg)) {
                    shown.push(Shown { register, unit: clock.unit.max(1).into(), shift });
                }
            }
        }
        Clocks { shown }
    }

    /// Sets the registers to this time.
    #[inline]
    pub(crate) fn show(&self, time: u64, arena: &mut Arena) -> Result<(), Diagnostic> {
        for &Shown { register, unit, shift } in &self.shown {
            *arena.register_mut(register)? = Plane::splat(((time - time % unit) >> shift) as u32);
        }
        Ok(())
    }
}
