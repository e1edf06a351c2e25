//! Where the registers of a program are in slices.

use crate::files::{UNITS, counterpart, is_uniform};
use shisa_ir::{FileId, Lifted, Op, Reg, Step, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Where the registers of a program are in the files of slices.
#[derive(Debug, Default)]
pub(crate) struct Blocks {
    /// The file and the unit of the first unit that is used, with that unit.
    files: BTreeMap<FileId, (Reg, u16)>,
    /// Files that are read by a computed number.
    indexed: BTreeSet<FileId>,
}

impl Blocks {
    /// The registers of these steps; `None` if they do not fit the files of slices.
    pub(crate) fn new(source: &Lifted, steps: &[&Step]) -> Option<Blocks> {
        let mut blocks = Blocks::default();
        let mut used: BTreeMap<FileId, (u16, u16)> = BTreeMap::new();
        let mut extend = |first: Reg, end: u16| {
            let (from, to) = used.entry(first.file).or_insert((first.unit, end));
            (*from, *to) = ((*from).min(first.unit), (*to).max(end));
        };
        for step in steps {
            let written = source.writes(step).map(|(component, ..)| component);
            for component in source.reads(step).chain(written) {
                extend(component.reg, component.reg.unit.checked_add(component.count)?);
            }
            for index in step.nodes.clone() {
                match source.nodes.op(Value(index)) {
                    // A swizzle or a mask may leave out the first component.
                    Op::Read { reg, .. } | Op::Write { reg, .. } => extend(reg, reg.unit.checked_add(1)?),
                    Op::ReadAt { file: id, .. } => {
                        let file = source.files.get(usize::from(id.0))?;
                        if is_uniform(file) {
                            blocks.indexed.insert(id);
                            extend(Reg::new(id, 0), file.units);
                        }
                    }
                    _ => {}
                }
            }
        }
        let mut taken: BTreeMap<FileId, u16> = BTreeMap::new();
        for (id, (from, to)) in used {
            let file = counterpart(source.files.get(usize::from(id.0))?)?;
            let next = taken.entry(file).or_insert(0);
            blocks.files.insert(id, (Reg::new(file, *next), from));
            *next = next.checked_add(to - from).filter(|end| *end <= UNITS)?;
        }
        Some(blocks)
    }

    /// A unit of a register in the files of slices.
    pub(crate) fn of(&self, reg: Reg) -> Option<Reg> {
        let (to, from) = self.files.get(&reg.file)?;
        Some(Reg { unit: reg.unit.checked_sub(*from)?.checked_add(to.unit)?, ..*to })
    }

    /// Whether a file is read by a computed number and has all of its units in a slice.
    pub(crate) fn is_indexed(&self, file: FileId) -> bool {
        self.indexed.contains(&file)
    }
}
