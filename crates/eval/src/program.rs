//! A lifted program, checked once and planned for execution on planes.

use crate::{
    micro::{Micro, P, SamplePlan},
    plan,
};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{FileId, FileKind, FloatModel, Lifted, Reg};

/// A program ready to run. Making one checks every operation, so that running needs no checks; one
/// program serves any number of machines.
#[derive(Debug)]
pub struct Program<'a> {
    pub(crate) lifted: &'a Lifted,
    pub(crate) model: FloatModel,
    pub(crate) layout: Layout,
    /// Bits of the constant planes.
    pub(crate) constants: Vec<u32>,
    pub(crate) ops: Vec<Micro>,
    pub(crate) samples: Vec<SamplePlan>,
    /// The registers' planes that any step writes.
    pub(crate) written: Vec<P>,
    /// By plane, up to the last register, whether any step looks at it.
    pub(crate) read: Vec<bool>,
    /// One for each step, the implied ones behind the others.
    pub(crate) steps: Vec<StepPlan>,
    /// Planes of the arena.
    pub(crate) planes: usize,
}

/// What runs for a step.
#[derive(Clone, Debug)]
pub(crate) struct StepPlan {
    pub(crate) ops: Range<usize>,
    /// Plane of the condition.
    pub(crate) cond: Option<P>,
    /// Whether inactive lanes run it too.
    pub(crate) whole_wave: bool,
}

impl<'a> Program<'a> {
    /// Checks and plans a program. Rules that name a float model run in binary32.
    ///
    /// # Errors
    /// As [`Program::with_model`].
    pub fn new(lifted: &'a Lifted, limits: &Limits) -> Result<Self, Diagnostic> {
        Self::with_model(lifted, FloatModel::F32, limits)
    }

    /// Checks and plans a program for a float model.
    ///
    /// # Errors
    /// `eval-malformed` when an operation does not fit its operands or the register files,
    /// `eval-unsupported` when this evaluator cannot run it, `limit-exceeded` when there are more
    /// instructions than the limit.
    pub fn with_model(lifted: &'a Lifted, model: FloatModel, limits: &Limits) -> Result<Self, Diagnostic> {
        limits.check(Limit::Instructions, "instructions", lifted.steps.len() + lifted.implied.len())?;
        plan::program(lifted, model)
    }

    /// Whether any step looks at this unit of a register. Inputs and uniforms that none looks at need not be set.
    pub fn reads(&self, reg: Reg) -> bool {
        self.layout.plane(reg).is_some_and(|p| self.read.get(p as usize) == Some(&true))
    }

    /// The program as it was lifted.
    pub fn lifted(&self) -> &'a Lifted {
        self.lifted
    }
}

/// Where the registers lie in the arena.
#[derive(Debug)]
pub(crate) struct Layout {
    /// First plane of each file, and behind them the first plane of scratch.
    first: Vec<P>,
    files: &'static [shisa_ir::File],
}

impl Layout {
    /// Registers from plane `start` on.
    pub(crate) fn new(files: &'static [shisa_ir::File], start: P) -> Self {
        let mut at = start;
        let mut first = vec![at];
        first.extend(files.iter().map(|f| {
            at += P::from(f.units);
            at
        }));
        Layout { first, files }
    }

    /// The first plane that is no register.
    pub(crate) fn end(&self) -> P {
        self.first.last().copied().unwrap_or(0)
    }

    /// The file with its first plane.
    pub(crate) fn file(&self, file: FileId) -> Option<(&'static shisa_ir::File, P)> {
        let i = usize::from(file.0);
        Some((self.files.get(i)?, *self.first.get(i)?))
    }

    /// The plane of a unit.
    pub(crate) fn plane(&self, reg: Reg) -> Option<P> {
        let (file, first) = self.file(reg.file)?;
        (reg.unit < file.units).then(|| first + P::from(reg.unit))
    }

    /// The unit of a plane.
    pub(crate) fn reg(&self, plane: P) -> Option<Reg> {
        let i = self.first.partition_point(|&f| f <= plane).checked_sub(1)?;
        let unit = u16::try_from(plane - self.first.get(i)?).ok()?;
        let file = self.files.get(i)?;
        (unit < file.units).then(|| Reg::new(FileId(i as u8), unit))
    }

    /// The planes of all files of these kinds.
    pub(crate) fn of(&self, kinds: &'static [FileKind]) -> impl Iterator<Item = Range<usize>> {
        let spans = self.files.iter().zip(&self.first);
        spans.filter(|(f, _)| kinds.contains(&f.kind)).map(|(f, &first)| {
            let first = first as usize;
            first..first + usize::from(f.units)
        })
    }
}
