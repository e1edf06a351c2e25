//! The registers of a wave and the lanes that are active.

use super::surroundings::Surroundings;
use crate::{
    arena::{Arena, Missing},
    plan::planes::{PlaneId, RegisterId},
    program::Program,
    wave::Plane,
};
use shisa_diag::Diagnostic;
use shisa_ir::{Lanes, WAVE};

/// Runs the operations of a program for one wave.
#[derive(Debug)]
pub(crate) struct Executor<'a> {
    pub(crate) program: &'a Program<'a>,
    pub(crate) arena: Arena,
    /// Whether neighbouring lanes form quads.
    pub(crate) quads: bool,
    /// The active lanes, also as a mask over planes.
    pub(super) mask: (Lanes, Plane),
}

impl<'a> Executor<'a> {
    /// All registers are zero, and no lane is active.
    pub(crate) fn new(program: &'a Program<'a>) -> Self {
        let arena = Arena::new(&program.constants, program.planes);
        Executor { program, arena, quads: true, mask: (0, Plane::ZERO) }
    }

    /// Sets the active lanes.
    #[inline]
    pub(crate) fn activate(&mut self, lanes: Lanes) {
        if self.mask.0 != lanes {
            self.mask = (lanes, Plane::mask(lanes));
        }
    }

    /// A plane of the plan.
    #[inline]
    pub(crate) fn plane(&self, id: PlaneId) -> Result<&Plane, Missing> {
        self.arena.sources().plane(id)
    }

    /// Writes a unit of a register in the active lanes.
    #[inline]
    pub(super) fn write(
        &mut self,
        id: RegisterId,
        new: &Plane,
        around: &mut Surroundings<'_>,
    ) -> Result<(), Diagnostic> {
        let (active, mask) = &self.mask;
        let slot = self.arena.register_mut(id)?;
        let all = *active == Lanes::MAX;
        if let Some(observer) = &mut around.observer {
            let reg = self.program.layout.reg(id).ok_or_else(|| no_register(id))?;
            let after = if all { *new } else { slot.blended(new, mask) };
            observer.write(reg, *active, slot, &after);
            *slot = after;
        } else if all {
            *slot = *new;
        } else {
            *slot = slot.blended(new, mask);
        }
        Ok(())
    }
}

#[cold]
fn no_register(id: RegisterId) -> Diagnostic {
    let text = format!("the evaluator's plan writes plane {}, which is not a register", id.index());
    Diagnostic::internal("internal-plan", text)
}

/// Computes the low and, if there are two planes, the high 32 bits of a component, one lane at a time.
pub(super) fn by_lane(planes: &mut [Plane], f: impl Fn(usize) -> u64) {
    for lane in 0..WAVE {
        let bits = f(lane);
        for (plane, half) in planes.iter_mut().zip([bits as u32, (bits >> 32) as u32]) {
            plane.0[lane] = half;
        }
    }
}
