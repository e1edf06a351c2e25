//! Rows outside of a table that a program replaces by a constant: where the program selects the constant for an index past
//! the end, and limits the index before it reads, the table has the constant outside.

use super::Draft;
use super::parts::{Part, Parts};
use crate::instruction::Instruction;
use crate::kernel::{Three, Two};
use crate::memory::rows_end;
use crate::plan::Table;

/// A row that is read with a limited index, and replaced outside of the table.
struct Replaced {
    /// The index before it was limited.
    index: Part,
    /// Selected components, instead of those of the row.
    dst: [Part; 4],
    outside: u32,
}

/// An instruction that reads a row: its table, its list and its position there; `None` if the row is not replaced.
struct Row {
    table: usize,
    list: usize,
    at: usize,
    replaced: Option<Replaced>,
}

/// Gives tables their elements outside, if all rows that are read from a table are replaced by the same bits there.
pub(super) fn find(draft: &mut Draft) {
    if draft.tables.is_empty() {
        return;
    }
    let mut uses = vec![0u32; draft.parts.len()];
    draft.uses(|part| uses[part.index()] += 1);
    let mut search = Search::new(&draft.parts, &draft.tables, &uses);
    let lists = draft.blocks.iter().map(|b| &b.body).chain([&draft.uniform]);
    for (list, instructions) in lists.enumerate() {
        search.list = list;
        instructions.iter().enumerate().for_each(|(at, i)| search.instruction(at, i));
    }
    let rows = search.rows();
    let mut selected = vec![false; draft.parts.len()];
    for (n, table) in draft.tables.iter_mut().enumerate() {
        let of_table: Vec<&Row> = rows.iter().filter(|row| row.table == n).collect();
        let replaced: Option<Vec<&Replaced>> = of_table.iter().map(|row| row.replaced.as_ref()).collect();
        let Some([first, others @ ..]) = replaced.as_deref() else { continue };
        if others.iter().any(|row| row.outside != first.outside) {
            continue;
        }
        table.outside = first.outside;
        for Row { list, at, replaced, .. } in of_table {
            let list = draft.blocks.get_mut(*list).map_or(&mut draft.uniform, |b| &mut b.body);
            if let (Some(Instruction::Gather { dst, index, .. }), Some(row)) = (list.get_mut(*at), replaced) {
                (*dst, *index) = (row.dst, row.index);
                row.dst.iter().for_each(|part| selected[part.index()] = true);
            }
        }
    }
    // The instructions that read rows compute what was selected.
    let is_computed = |i: &Instruction<Part>| match i {
        Instruction::Three { kernel: Three::Select, dst, .. } => !selected[dst.index()],
        _ => true,
    };
    draft.uniform.retain(is_computed);
    draft.blocks.iter_mut().for_each(|b| b.body.retain(is_computed));
}

/// What is known of the instructions so far.
struct Search<'d> {
    parts: &'d Parts,
    tables: &'d [Table],
    uses: &'d [u32],
    /// The list of the next instruction.
    list: usize,
    /// What computes each component.
    computed: Vec<Computed>,
    rows: Vec<Found>,
}

/// What computes a component, if that is of interest.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Computed {
    Otherwise,
    /// The smaller one of another component and a constant.
    Limited(Part, u32),
    /// Whether another component is at most a constant.
    AtMost(Part, u32),
    /// An element, by its number, of a row.
    Element {
        row: usize,
        number: usize,
    },
}

/// An instruction that reads a row: its table, its list and its position there.
struct Found {
    table: usize,
    list: usize,
    at: usize,
    /// The index before it was limited, and the limit, if that is the last row of the table.
    limited: Option<(Part, u32)>,
    dst: [Part; 4],
    selected: [Option<(Part, u32)>; 4],
}

impl<'d> Search<'d> {
    fn new(parts: &'d Parts, tables: &'d [Table], uses: &'d [u32]) -> Search<'d> {
        let computed = vec![Computed::Otherwise; parts.len()];
        Search { parts, tables, uses, list: 0, computed, rows: Vec::new() }
    }

    fn instruction(&mut self, at: usize, i: &Instruction<Part>) {
        match *i {
            Instruction::Two { kernel: Two::UMin, dst, args: [x, y] } => {
                for (x, limit) in [(x, y), (y, x)] {
                    if let Some(limit) = self.parts.bits(limit) {
                        self.computed[dst.index()] = Computed::Limited(x, limit);
                    }
                }
            }
            Instruction::Two { kernel: Two::ULe, dst, args: [x, limit] } => {
                if let Some(limit) = self.parts.bits(limit) {
                    self.computed[dst.index()] = Computed::AtMost(x, limit);
                }
            }
            Instruction::Gather { dst, table, offset, stride, index } => {
                let table = table as usize;
                let units: u32 = self.tables.get(table).map_or(0, |t| t.units.into());
                let end = rows_end(units, offset, stride);
                // The last row is the one at the limit, and has all of its elements in the table.
                let limited = match self.computed[index.index()] {
                    Computed::Limited(x, last)
                        if last.checked_add(1) == Some(end)
                            && offset.saturating_add(last.saturating_mul(stride)) + 4 <= units =>
                    {
                        Some((x, last))
                    }
                    _ => None,
                };
                let row = self.rows.len();
                for (number, part) in dst.iter().enumerate() {
                    self.computed[part.index()] = Computed::Element { row, number };
                }
                let list = self.list;
                self.rows.push(Found { table, list, at, limited, dst, selected: [None; 4] });
            }
            Instruction::Three { kernel: Three::Select, dst, args: [cond, yes, no] } => {
                if let Computed::Element { row, number } = self.computed[yes.index()]
                    && let Computed::AtMost(x, last) = self.computed[cond.index()]
                    && let Some(outside) = self.parts.bits(no)
                    && let Some(row) = self.rows.get_mut(row)
                    && row.list == self.list
                    && self.uses[yes.index()] == 1
                    && row.limited == Some((x, last))
                {
                    row.selected[number] = Some((dst, outside));
                }
            }
            _ => {}
        }
    }

    fn rows(self) -> Vec<Row> {
        let row = |found: Found| {
            let replaced = found.replaced(self.uses);
            Row { table: found.table, list: found.list, at: found.at, replaced }
        };
        self.rows.into_iter().map(row).collect()
    }
}

impl Found {
    fn replaced(&self, uses: &[u32]) -> Option<Replaced> {
        let (index, _) = self.limited?;
        let outside = self.selected.iter().flatten().map(|(_, outside)| *outside).next()?;
        let mut dst = self.dst;
        for (part, selected) in dst.iter_mut().zip(self.selected) {
            match selected {
                Some((by, bits)) if bits == outside => *part = by,
                None if uses[part.index()] == 0 => {}
                _ => return None,
            }
        }
        Some(Replaced { index, dst, outside })
    }
}
