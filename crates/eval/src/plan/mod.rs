//! Plans a lifted program: assigns a plane to every value and a loop to every computation.
//!
//! Constants, reads, swizzles, joins and conversions that preserve the bits cost nothing: their values are existing
//! planes. A read is copied only if its register is written before the value's last use.
//!
//! [`planes`], [`layout`], [`micro`] and [`arithmetic`] define a plan; execution needs no other module.

mod compute;
mod constants;
pub(crate) mod cost;
#[cfg(test)]
mod faults;
mod halves;
mod lanes;
pub(crate) mod layout;
mod lifetime;
mod memory;
pub(crate) mod micro;
mod named;
mod narrow;
mod node;
pub(crate) mod planes;
mod planner;
#[cfg(test)]
mod reference;
mod registers;
mod step;
#[cfg(test)]
mod tests;
mod textures;
mod unused;

use crate::program::Program;
use constants::Constants;
use layout::Layout;
use micro::Micro;
use planner::Planner;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{FloatModel, Lifted};
use std::borrow::Cow;

impl<'a> Program<'a> {
    /// Checks and plans a program. Rules that use a float model run in binary32.
    ///
    /// # Errors
    /// As [`Program::with_model`].
    pub fn new(lifted: &'a Lifted, limits: &Limits) -> Result<Self, Diagnostic> {
        Self::with_model(lifted, FloatModel::F32, limits)
    }

    /// Checks and plans a program for a float model.
    ///
    /// # Errors
    /// `eval-malformed` if an operation does not fit its operands or the register files; `eval-unsupported` if the
    /// evaluator cannot run it; `limit-exceeded` if there are more instructions than the limit.
    pub fn with_model(lifted: &'a Lifted, model: FloatModel, limits: &Limits) -> Result<Self, Diagnostic> {
        Self::planned(Cow::Borrowed(lifted), model, limits)
    }

    /// Checks and plans a program for a float model, and takes it over.
    ///
    /// # Errors
    /// As [`Program::with_model`].
    pub fn owning(
        lifted: Lifted,
        model: FloatModel,
        limits: &Limits,
    ) -> Result<Program<'static>, Diagnostic> {
        Program::planned(Cow::Owned(lifted), model, limits)
    }

    fn planned(lifted: Cow<'a, Lifted>, model: FloatModel, limits: &Limits) -> Result<Self, Diagnostic> {
        limits.check(Limit::Instructions, "instructions", lifted.steps.len() + lifted.implied.len())?;
        let constants = Constants::new(&lifted.nodes);
        let layout = Layout::new(lifted.files, constants.len(), &named::units_of(&lifted));
        let scratch = layout.end();
        let mut planner = Planner {
            nodes: &lifted.nodes,
            model,
            layout: &layout,
            constants: &constants,
            // Most nodes are one operation: growth would copy most of the plan's memory.
            ops: Vec::with_capacity(lifted.nodes.list.len()),
            samples: Vec::new(),
            values: Vec::new(),
            last: Vec::new(),
            used: Vec::new(),
            first: 0,
            next: scratch,
        };
        let mut planes = scratch;
        let mut steps = Vec::with_capacity(lifted.steps.len() + lifted.implied.len());
        for step in lifted.steps.iter().chain(&lifted.implied) {
            planner.next = scratch;
            steps.push(planner.step(step)?);
            planes = planes.max(planner.next);
        }
        let Planner { ops, samples, .. } = planner;
        let mut written = Vec::new();
        let mut read = vec![false; scratch as usize];
        let mut note = |plane: planes::PlaneId| {
            // Scratch planes are above all registers.
            if let Some(read) = read.get_mut(plane.index()) {
                *read = true;
            }
        };
        ops.iter().for_each(|op| op.sources(&samples, &mut note));
        steps.iter().flat_map(|step| [step.cond, step.target]).flatten().for_each(note);
        for op in &ops {
            match *op {
                Micro::Write { reg, .. } => written.push(reg),
                Micro::WriteHalves { regs, .. } => written.extend(regs),
                _ => {}
            }
        }
        written.sort_unstable();
        written.dedup();
        Ok(Program {
            lifted,
            model,
            layout,
            constants: constants.into_words(),
            ops,
            samples,
            written,
            read,
            steps,
            planes: planes as usize,
        })
    }
}
