//! The planes of the registers that the program uses.

use super::planes::{RegisterId, RegisterSpan};
use shisa_ir::{File, FileId, FileKind, Reg};

/// The planes of all units that the program uses.
#[derive(Debug)]
pub(crate) struct Layout {
    files: &'static [File],
    /// By file.
    held: Vec<Held>,
    /// The first plane of all registers.
    start: u32,
    /// The units, in the order of their planes.
    units: Vec<Reg>,
}

/// The planes of a file.
#[derive(Debug)]
struct Held {
    /// The plane of each unit; `None` if the program does not use the unit.
    planes: Vec<Option<RegisterId>>,
    /// All planes of the file.
    span: RegisterSpan,
}

/// A unit that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// It has a plane.
    Named(RegisterId),
    /// The program does not use it: nothing reads or writes it.
    Unnamed,
}

impl Layout {
    /// Registers from plane `start` on; `named` states for each unit of each file whether the program uses it.
    pub(super) fn new(files: &'static [File], start: u32, named: &[Vec<bool>]) -> Self {
        let mut layout = Layout { files, held: Vec::new(), start, units: Vec::new() };
        for (file, named) in (0..).zip(named) {
            let first = RegisterId::new(layout.end());
            // Programs use few of the units of large files.
            let mut planes = vec![None; named.len()];
            for (unit, _) in (0..).zip(named).filter(|(_, named)| **named) {
                planes[usize::from(unit)] = Some(RegisterId::new(layout.end()));
                layout.units.push(Reg::new(FileId(file), unit));
            }
            let count = layout.end() - first.index() as u32;
            layout.held.push(Held { planes, span: RegisterSpan::new(first, count) });
        }
        layout
    }

    /// The first plane after the registers.
    pub(super) fn end(&self) -> u32 {
        self.start + self.units.len() as u32
    }

    /// The file of this number.
    pub(crate) fn file(&self, file: FileId) -> Option<&'static File> {
        self.files.get(usize::from(file.0))
    }

    /// A unit; `None` if the file or the unit does not exist.
    #[inline]
    pub(crate) fn unit(&self, reg: Reg) -> Option<Unit> {
        let plane = self.held.get(usize::from(reg.file.0))?.planes.get(usize::from(reg.unit))?;
        Some(plane.map_or(Unit::Unnamed, Unit::Named))
    }

    /// The plane of a unit; `None` if the unit does not exist or the program does not use it.
    #[inline]
    pub(crate) fn plane(&self, reg: Reg) -> Option<RegisterId> {
        match self.unit(reg)? {
            Unit::Named(plane) => Some(plane),
            Unit::Unnamed => None,
        }
    }

    /// The planes of `count` units starting at `reg`; `None` unless the program uses all of them.
    pub(super) fn span(&self, reg: Reg, count: u16) -> Option<RegisterSpan> {
        let last = reg.unit.checked_add(count.checked_sub(1)?)?;
        let planes = self.held.get(usize::from(reg.file.0))?.planes.get(reg.unit.into()..=last.into())?;
        planes.iter().all(Option::is_some).then_some(())?;
        Some(RegisterSpan::new((*planes.first()?)?, count.into()))
    }

    /// The planes of all units of a file; `None` unless the program uses all of them.
    pub(super) fn whole(&self, file: FileId) -> Option<RegisterSpan> {
        let held = self.held.get(usize::from(file.0))?;
        (held.span.len() as usize == held.planes.len()).then_some(held.span)
    }

    /// The unit of a plane.
    pub(crate) fn reg(&self, plane: RegisterId) -> Option<Reg> {
        self.units.get(plane.index().checked_sub(self.start as usize)?).copied()
    }

    /// The units that have planes, in the order of their planes.
    pub(crate) fn units(&self) -> &[Reg] {
        &self.units
    }

    /// The planes of all registers.
    pub(crate) fn all(&self) -> RegisterSpan {
        RegisterSpan::new(RegisterId::new(self.start), self.units.len() as u32)
    }

    /// The planes of each file of these kinds.
    pub(crate) fn of(&self, kinds: &'static [FileKind]) -> impl Iterator<Item = RegisterSpan> {
        self.files
            .iter()
            .zip(&self.held)
            .filter(|(file, _)| kinds.contains(&file.kind))
            .map(|(_, held)| held.span)
    }
}
