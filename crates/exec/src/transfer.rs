//! Attributes and results: arrays of the caller. Four units of four lanes are transposed at a time.

use crate::level::transpose;
use crate::memory::{Chunk, LANES, Operand};
use shisa_diag::Diagnostic;
use shisa_ir::{File, FileKind, Reg};

/// Consecutive units of a register in an array of the caller: unit `u` of lane `n` is element
/// `offset + n * stride + u * step`. Interleaved attributes have a step of 1, separate arrays a stride of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The first unit.
    pub reg: Reg,
    /// Number of units.
    pub units: u16,
    /// Index of the first unit of lane 0.
    pub offset: usize,
    /// Elements from one lane to the next.
    pub stride: usize,
    /// Elements from one unit to the next.
    pub step: usize,
}

impl Slot {
    /// Checks that the array has elements for all lanes.
    fn check(&self, lanes: usize, length: usize, files: &[File], kind: FileKind) -> Result<(), Diagnostic> {
        let name = || format!("unit {} of register file {}", self.reg.unit, self.reg.file.0);
        let file = files.get(usize::from(self.reg.file.0)).filter(|f| f.kind == kind);
        let last = self.reg.unit.checked_add(self.units);
        if last.filter(|last| file.is_some_and(|f| *last <= f.units)).is_none() {
            let what = if kind == FileKind::Input { "input" } else { "output" };
            let text = format!("{} units from {} on are no {what} registers", self.units, name());
            return Err(Diagnostic::error("exec-attribute", text));
        }
        let end = || {
            let lane = lanes.checked_sub(1)?.checked_mul(self.stride)?;
            let unit = usize::from(self.units).checked_sub(1)?.checked_mul(self.step)?;
            self.offset.checked_add(lane)?.checked_add(unit)?.checked_add(1)
        };
        let needed = if lanes == 0 || self.units == 0 { Some(0) } else { end() };
        if needed.is_some_and(|needed| needed <= length) {
            return Ok(());
        }
        let needed = needed.map_or("more elements than memory can have".to_string(), |n| n.to_string());
        let text = format!("the array of {} has {length} elements", name());
        Err(Diagnostic::error("exec-attribute", text).note(format!("{lanes} lanes need {needed}")))
    }

    /// Whether the slot has a unit.
    fn has(&self, reg: Reg) -> bool {
        reg.file == self.reg.file && reg.unit >= self.reg.unit && reg.unit - self.reg.unit < self.units
    }

    /// The groups of up to four units, each with the index of its first unit in the slot.
    fn groups(&self) -> impl Iterator<Item = (u16, [Option<Reg>; 4])> {
        (0..self.units).step_by(4).map(|first| {
            let unit = |n: u16| (n < self.units).then(|| Reg { unit: self.reg.unit + n, ..self.reg });
            (first, [0, 1, 2, 3].map(|i| unit(first + i)))
        })
    }

    /// The index of a unit of a lane.
    fn index(&self, unit: u16, lane: usize) -> usize {
        self.offset + usize::from(unit) * self.step + lane * self.stride
    }
}

/// Values of an input register for all lanes.
#[derive(Clone, Copy, Debug)]
pub struct Attribute<'a> {
    /// The register, and where its values are.
    pub slot: Slot,
    /// The bits.
    pub data: &'a [u32],
}

impl Attribute<'_> {
    pub(crate) fn check(&self, lanes: usize, files: &[File]) -> Result<(), Diagnostic> {
        self.slot.check(lanes, self.data.len(), files, FileKind::Input)
    }

    /// Whether the attribute has a unit.
    pub(crate) fn has(&self, reg: Reg) -> bool {
        self.slot.has(reg)
    }

    /// Loads `count` lanes from lane `first` on to the operands of the units that the program reads. Lanes of the last
    /// four that do not exist are zero.
    pub(crate) fn load(
        &self,
        first: usize,
        count: usize,
        operand: impl Fn(Reg) -> Option<Operand>,
        chunks: &mut [Chunk],
    ) {
        for (unit, regs) in self.slot.groups() {
            let to = regs.map(|r| r.and_then(&operand));
            if to.iter().all(Option::is_none) {
                continue;
            }
            for c in 0..count.div_ceil(LANES) {
                let rows = self.rows(unit, first + c * LANES, (count - c * LANES).min(LANES));
                let columns = columns(&rows);
                for (to, column) in to.iter().zip(columns) {
                    if let Some(to) = to
                        && let Some(chunk) = chunks.get_mut(to.chunk(c))
                    {
                        *chunk = column;
                    }
                }
            }
        }
    }

    /// Four units of `count` lanes from a unit and a lane on. Units and lanes that do not exist are zero.
    #[inline(always)]
    fn rows(&self, unit: u16, lane: usize, count: usize) -> [[u32; 4]; LANES] {
        let mut rows = [[0; 4]; LANES];
        let slot = &self.slot;
        if slot.step == 1 && count == LANES {
            let mut left = self.data.get(slot.index(unit, lane)..).unwrap_or_default();
            for row in &mut rows {
                match left.first_chunk() {
                    Some(four) => *row = *four,
                    None => row.iter_mut().zip(left).for_each(|(to, from)| *to = *from),
                }
                left = left.get(slot.stride..).unwrap_or_default();
            }
            return rows;
        }
        for (row, lane) in rows.iter_mut().zip(lane..lane + count) {
            let at = slot.index(unit, lane);
            *row = [0, 1, 2, 3].map(|u| self.data.get(at + u * slot.step).copied().unwrap_or(0));
        }
        rows
    }
}

/// The columns of rows.
#[inline(always)]
fn columns(rows: &[[u32; 4]; LANES]) -> [Chunk; 4] {
    let mut columns = [Chunk::ZERO; 4];
    for (from, four) in (0..LANES).step_by(4).zip(rows.as_chunks::<4>().0) {
        let [x, y, z, w] = transpose(*four);
        columns[0].0[from..from + 4].copy_from_slice(&x);
        columns[1].0[from..from + 4].copy_from_slice(&y);
        columns[2].0[from..from + 4].copy_from_slice(&z);
        columns[3].0[from..from + 4].copy_from_slice(&w);
    }
    columns
}

/// The rows of columns.
#[inline(always)]
fn rows(columns: [&Chunk; 4]) -> [[u32; 4]; LANES] {
    let mut rows = [[0; 4]; LANES];
    for (from, four) in (0..LANES).step_by(4).zip(rows.as_chunks_mut::<4>().0) {
        let part = |column: &Chunk| column.0[from..].first_chunk().copied().unwrap_or_default();
        *four = transpose(columns.map(part));
    }
    rows
}

/// Where results go.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The registers, and where their values go. Units that the program does not write are left alone.
    pub slots: &'a [Slot],
    /// The array.
    pub data: &'a mut [u32],
}

impl Outputs<'_> {
    pub(crate) fn check(&self, lanes: usize, files: &[File]) -> Result<(), Diagnostic> {
        self.slots.iter().try_for_each(|s| s.check(lanes, self.data.len(), files, FileKind::Output))
    }

    /// Stores `count` lanes from lane `first` on, of the units that the program writes.
    pub(crate) fn store(
        &mut self,
        first: usize,
        count: usize,
        operand: impl Fn(Reg) -> Option<Operand>,
        chunks: &[Chunk],
    ) {
        for slot in self.slots {
            for (unit, regs) in slot.groups() {
                let from = regs.map(|r| r.and_then(&operand));
                if from.iter().all(Option::is_none) {
                    continue;
                }
                let whole = slot.step == 1 && from.iter().all(Option::is_some);
                for c in 0..count.div_ceil(LANES) {
                    let zero = Chunk::ZERO;
                    let rows = rows(
                        from.map(|from| from.and_then(|from| chunks.get(from.chunk(c))).unwrap_or(&zero)),
                    );
                    let lane = first + c * LANES;
                    let present = rows.iter().take(count - c * LANES);
                    if whole {
                        let mut left = self.data.get_mut(slot.index(unit, lane)..).unwrap_or_default();
                        for row in present {
                            if let Some(to) = left.first_chunk_mut() {
                                *to = *row;
                            }
                            left = left.get_mut(slot.stride..).unwrap_or_default();
                        }
                        continue;
                    }
                    for (row, lane) in present.zip(lane..) {
                        let at = slot.index(unit, lane);
                        for (u, (value, from)) in row.iter().zip(from).enumerate() {
                            if from.is_some()
                                && let Some(to) = self.data.get_mut(at + u * slot.step)
                            {
                                *to = *value;
                            }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_rows() {
        let rows = [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]];
        let columns = [[0, 10, 20, 30], [1, 11, 21, 31], [2, 12, 22, 32], [3, 13, 23, 33]];
        assert_eq!(crate::level::transpose(rows), columns);
        assert_eq!(crate::level::transpose(columns), rows);
    }
}
