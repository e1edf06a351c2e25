//! A lifted program, checked once and planned for execution on planes.

use crate::plan::layout::Layout;
use crate::plan::micro::{Micro, SampleId, TexPlan};
use crate::plan::planes::{PlaneId, RegisterId};
use core::ops::Range;
use shisa_diag::Diagnostic;
use shisa_ir::{FloatModel, Lifted, Reg};
use std::borrow::Cow;

/// A program ready to run. Its creation checks every operation, so running needs no checks. Any number of machines can
/// share one program.
#[derive(Debug)]
pub struct Program<'a> {
    pub(crate) lifted: Cow<'a, Lifted>,
    pub(crate) model: FloatModel,
    pub(crate) layout: Layout,
    /// The bits of the constant planes.
    pub(crate) constants: Vec<u32>,
    pub(crate) ops: Vec<Micro>,
    pub(crate) samples: Vec<TexPlan>,
    /// The planes of the registers that any step writes.
    pub(crate) written: Vec<RegisterId>,
    /// For each plane up to the last register, whether any step reads it.
    pub(crate) read: Vec<bool>,
    /// One for each step; the implied steps come after the others.
    pub(crate) steps: Vec<StepPlan>,
    /// Number of planes in the arena.
    pub(crate) planes: usize,
}

/// The plan of a step.
#[derive(Clone, Debug)]
pub(crate) struct StepPlan {
    /// A range of [`Program::ops`].
    pub(crate) ops: Range<usize>,
    /// What the step costs for a wave.
    pub(crate) cost: u64,
    /// The condition.
    pub(crate) cond: Option<PlaneId>,
    /// The target, if each lane computes it.
    pub(crate) target: Option<PlaneId>,
    /// Whether inactive lanes also run it.
    pub(crate) whole_wave: bool,
}

impl<'a> Program<'a> {
    /// Whether any step reads this unit of a register. Inputs and uniforms that no step reads need not be set.
    pub fn reads(&self, reg: Reg) -> bool {
        self.layout.plane(reg).is_some_and(|p| self.read.get(p.index()) == Some(&true))
    }

    /// Whether the program uses this unit of a register, so that its machines hold it.
    pub(crate) fn names(&self, reg: Reg) -> bool {
        self.layout.plane(reg).is_some()
    }

    /// The model of its floats.
    pub fn model(&self) -> FloatModel {
        self.model
    }

    /// The lifted program.
    pub fn lifted(&self) -> &Lifted {
        &self.lifted
    }

    /// The operations of a step.
    pub(crate) fn ops(&self, step: &StepPlan) -> Result<&[Micro], Diagnostic> {
        self.ops.get(step.ops.clone()).ok_or_else(|| {
            let text =
                format!("a step of the evaluator's plan has operations {:?} of {}", step.ops, self.ops.len());
            Diagnostic::internal("internal-plan", text)
        })
    }

    /// A texture operation.
    pub(crate) fn sample(&self, id: SampleId) -> Result<&TexPlan, Diagnostic> {
        self.samples.get(id.index()).ok_or_else(|| {
            let text = format!(
                "the evaluator's plan names texture operation {} of {}",
                id.index(),
                self.samples.len()
            );
            Diagnostic::internal("internal-plan", text)
        })
    }
}
