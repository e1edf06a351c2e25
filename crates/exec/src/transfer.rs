//! Attributes and results: arrays of the caller. Four units of four lanes are transposed at a time.

use crate::host::transpose;
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

    /// The units in groups of up to four, with the index of their first unit in the array, for lane 0.
    pub(crate) fn groups(&self, operand: impl Fn(Reg) -> Option<Operand>) -> impl Iterator<Item = Group> {
        (0..self.units).step_by(4).map(move |first| {
            let unit = |n: u16| (n < self.units).then(|| Reg { unit: self.reg.unit + n, ..self.reg });
            let operands = [0, 1, 2, 3].map(|i| unit(first + i).and_then(&operand));
            let start = self.offset + usize::from(first) * self.step;
            let units = usize::from(self.units - first).min(4);
            Group { start, stride: self.stride, step: self.step, units, operands }
        })
    }
}

/// Up to four units of a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Group {
    start: usize,
    stride: usize,
    step: usize,
    /// Number of units.
    units: usize,
    operands: [Option<Operand>; 4],
}

impl Group {
    /// Whether the program has one of the units.
    pub(crate) fn is_known(&self) -> bool {
        self.operands.iter().any(Option::is_some)
    }

    /// Loads `count` lanes to a slab from chunk `chunk` on, from lane `first` of the array on. Lanes of the last four that
    /// do not exist have any value.
    pub(crate) fn load(
        &self,
        data: &[u32],
        (first, count): (usize, usize),
        chunk: usize,
        chunks: &mut [Chunk],
    ) {
        for (c, lane) in (chunk..).zip((0..count).step_by(LANES)) {
            let data = data.get(self.start + (first + lane) * self.stride..).unwrap_or_default();
            let rows = data.chunks_exact(self.stride.max(1));
            let at: [usize; 4] = std::array::from_fn(|u| self.operands[u].map_or(u, |o| o.chunk(c)));
            let Ok(to) = chunks.get_disjoint_mut(at) else { continue };
            if self.step == 1 && self.stride >= 4 && count - lane >= LANES && rows.len() >= LANES {
                load_rows(rows, to);
            } else {
                for (u, chunk) in to.into_iter().enumerate() {
                    for (lane, to) in chunk.0.iter_mut().enumerate().take(count - lane) {
                        *to = data.get(lane * self.stride + u * self.step).copied().unwrap_or(0);
                    }
                }
            }
        }
    }

    /// Stores `count` lanes of a slab from chunk `chunk` on to the array from lane `first` on. Units that the program does
    /// not have are zero.
    pub(crate) fn store(
        &self,
        data: &mut [u32],
        (first, count): (usize, usize),
        chunk: usize,
        chunks: &[Chunk],
    ) {
        let whole = self.step == 1 && self.stride >= 4 && self.units == 4;
        for (c, lane) in (chunk..).zip((0..count).step_by(LANES)) {
            let data = data.get_mut(self.start + (first + lane) * self.stride..).unwrap_or_default();
            let from: [&Chunk; 4] =
                self.operands.map(|o| o.and_then(|o| chunks.get(o.chunk(c))).unwrap_or(&Chunk::ZERO));
            let full = whole && count - lane >= LANES && data.len() / self.stride >= LANES;
            if full {
                store_rows(data.chunks_exact_mut(self.stride), from);
                continue;
            }
            for lane in 0..(count - lane).min(LANES) {
                for (u, chunk) in from.iter().enumerate().take(self.units) {
                    if let Some(to) = data.get_mut(lane * self.stride + u * self.step) {
                        *to = chunk.0[lane];
                    }
                }
            }
        }
    }
}

/// Rows of an array that machine code loads or stores by itself.
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
impl Group {
    /// The components, if their units are adjacent.
    pub(crate) fn row(&self) -> Option<[Option<Operand>; 4]> {
        (self.step == 1).then_some(self.operands)
    }

    /// Whether the group has one of these components.
    pub(crate) fn meets(&self, operands: &[Option<Operand>; 4]) -> bool {
        self.operands.iter().flatten().any(|o| operands.contains(&Some(*o)))
    }

    /// Whether rows of four elements do not overlap.
    pub(crate) fn is_separate(&self) -> bool {
        self.stride >= 4
    }

    /// The index of a lane's row.
    pub(crate) fn index(&self, lane: usize) -> usize {
        self.start + lane * self.stride
    }

    /// Bytes from one row to the next.
    pub(crate) fn bytes(&self) -> u64 {
        (self.stride * size_of::<u32>()) as u64
    }

    /// Number of lanes from `first` on that have a row of four elements.
    pub(crate) fn rows(&self, length: usize, first: usize) -> usize {
        let Some(last) = length.checked_sub(self.start + 4) else { return 0 };
        let rows = last.checked_div(self.stride).map_or(usize::MAX, |last| last + 1);
        rows.saturating_sub(first)
    }
}

/// Four units of 16 lanes, each the beginning of a row.
#[inline(always)]
fn load_rows<'a>(mut rows: impl Iterator<Item = &'a [u32]>, [x, y, z, w]: [&mut Chunk; 4]) {
    let mut row = || rows.next().and_then(|row| row.first_chunk()).copied();
    for from in (0..LANES).step_by(4) {
        let (Some(a), Some(b), Some(c), Some(d)) = (row(), row(), row(), row()) else { return };
        let columns = transpose([a, b, c, d]);
        x.0[from..from + 4].copy_from_slice(&columns[0]);
        y.0[from..from + 4].copy_from_slice(&columns[1]);
        z.0[from..from + 4].copy_from_slice(&columns[2]);
        w.0[from..from + 4].copy_from_slice(&columns[3]);
    }
}

/// Four units of 16 lanes to the beginnings of rows.
#[inline(always)]
fn store_rows<'a>(mut rows: impl Iterator<Item = &'a mut [u32]>, [x, y, z, w]: [&Chunk; 4]) {
    for from in (0..LANES).step_by(4) {
        let quarter =
            |chunk: &Chunk| [chunk.0[from], chunk.0[from + 1], chunk.0[from + 2], chunk.0[from + 3]];
        let four = transpose([quarter(x), quarter(y), quarter(z), quarter(w)]);
        for row in &four {
            let Some(to) = rows.next().and_then(|to| to.first_chunk_mut()) else { return };
            *to = *row;
        }
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
    /// Checks that the register is an input, and that the array has values for all lanes.
    ///
    /// # Errors
    /// `exec-attribute`.
    pub fn check(&self, lanes: usize, files: &[File]) -> Result<(), Diagnostic> {
        self.slot.check(lanes, self.data.len(), files, FileKind::Input)
    }

    /// Whether the attribute has a unit.
    pub(crate) fn has(&self, reg: Reg) -> bool {
        self.slot.has(reg)
    }
}

/// Where results go.
#[derive(Debug)]
pub struct Outputs<'a> {
    /// The registers, and where their values go. Units that the program never writes are zero.
    pub slots: &'a [Slot],
    /// The array. Elements between the units of slots keep their values.
    pub data: &'a mut [u32],
}

impl Outputs<'_> {
    /// Checks that the registers are outputs, and that the array has elements for all lanes.
    ///
    /// # Errors
    /// `exec-attribute`.
    pub fn check(&self, lanes: usize, files: &[File]) -> Result<(), Diagnostic> {
        self.slots.iter().try_for_each(|s| s.check(lanes, self.data.len(), files, FileKind::Output))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn columns_are_rows() {
        let rows = [[0, 1, 2, 3], [10, 11, 12, 13], [20, 21, 22, 23], [30, 31, 32, 33]];
        let columns = [[0, 10, 20, 30], [1, 11, 21, 31], [2, 12, 22, 32], [3, 13, 23, 33]];
        assert_eq!(crate::host::transpose(rows), columns);
        assert_eq!(crate::host::transpose(columns), rows);
    }
}
