//! A lifted program, checked once and planned for execution on planes.

use crate::{
    micro::{Micro, P, TexPlan},
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
    pub(crate) samples: Vec<TexPlan>,
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
    /// Plane of the target, where data tells it.
    pub(crate) place: Option<P>,
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

/// Where the registers lie in the arena: those that the program names.
#[derive(Debug)]
pub(crate) struct Layout {
    files: &'static [shisa_ir::File],
    /// First plane of each file, and behind them the first plane of scratch.
    first: Vec<P>,
    /// By file and unit, the plane.
    planes: Vec<Vec<Option<P>>>,
    /// The units, in the order of their planes.
    units: Vec<Reg>,
}

impl Layout {
    /// Registers from plane `start` on; `named` tells of each file which units are.
    pub(crate) fn new(files: &'static [shisa_ir::File], start: P, named: &[Vec<bool>]) -> Self {
        let mut layout = Layout { files, first: vec![start], planes: Vec::new(), units: Vec::new() };
        for (file, named) in (0..).zip(named) {
            let place = |(unit, named): (u16, &bool)| {
                named.then(|| {
                    layout.units.push(Reg::new(FileId(file), unit));
                    start + layout.units.len() as P - 1
                })
            };
            layout.planes.push((0..).zip(named).map(place).collect());
            layout.first.push(start + layout.units.len() as P);
        }
        layout
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

    /// Whether there is such a unit.
    pub(crate) fn exists(&self, reg: Reg) -> bool {
        self.file(reg.file).is_some_and(|(file, _)| reg.unit < file.units)
    }

    /// The plane of a unit; `None` where there is no such unit or the program does not name it.
    pub(crate) fn plane(&self, reg: Reg) -> Option<P> {
        *self.planes.get(usize::from(reg.file.0))?.get(usize::from(reg.unit))?
    }

    /// The unit of a plane.
    pub(crate) fn reg(&self, plane: P) -> Option<Reg> {
        let start = self.first.first()?;
        self.units.get(plane.checked_sub(*start)? as usize).copied()
    }

    /// The planes of all files of these kinds.
    pub(crate) fn of(&self, kinds: &'static [FileKind]) -> impl Iterator<Item = Range<usize>> {
        let spans = self.files.iter().zip(self.first.windows(2));
        spans.filter(|(f, _)| kinds.contains(&f.kind)).map(|(_, span)| match span {
            [first, end] => *first as usize..*end as usize,
            _ => 0..0,
        })
    }
}
