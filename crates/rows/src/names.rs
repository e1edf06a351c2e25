//! Rows by mnemonic.

use crate::{Form, Isa};
use alloc::{vec, vec::Vec};

/// Rows by mnemonic, for parsing.
#[derive(Debug)]
pub struct Names<I: Isa> {
    /// Rows by name, then in table order.
    sorted: Vec<(&'static str, u16)>,
    /// The range of a name's rows in `sorted`, in the first slot from the name's hash on that was free.
    slots: Vec<(u16, u16)>,
    isa: core::marker::PhantomData<I>,
}

impl<I: Isa> Default for Names<I> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Isa> Names<I> {
    /// Sorts the names of the table.
    pub fn new() -> Self {
        let forms = I::table().forms();
        let mut sorted: Vec<_> = forms.iter().enumerate().map(|(i, f)| (f.name, i as u16)).collect();
        sorted.sort_unstable();
        // At most half full, so that a free slot always exists.
        let mut slots = vec![(0, 0); (2 * sorted.len()).next_power_of_two()];
        let mut start = 0;
        for rows in sorted.chunk_by(|a, b| a.0 == b.0) {
            let name = rows.first().map_or("", |row| row.0);
            let free = probes(name, slots.len()).find(|at| slots.get(*at) == Some(&(0, 0)));
            if let Some(slot) = free.and_then(|at| slots.get_mut(at)) {
                *slot = (start, start + rows.len() as u16);
            }
            start += rows.len() as u16;
        }
        Names { sorted, slots, isa: core::marker::PhantomData }
    }

    /// The rows of this name, in table order.
    pub fn find(&self, name: &str) -> impl Iterator<Item = (u16, &'static Form<I>)> + Clone + '_ {
        let rows = probes(name, self.slots.len()).find_map(|at| {
            let (start, end) = *self.slots.get(at)?;
            let rows = self.sorted.get(usize::from(start)..usize::from(end))?;
            rows.first().is_none_or(|row| row.0 == name).then_some(rows)
        });
        rows.unwrap_or_default().iter().map(|&(_, i)| (i, &I::table().forms()[usize::from(i)]))
    }

    /// All mnemonics in alphabetical order, without duplicates.
    pub fn all(&self) -> impl Iterator<Item = &'static str> + '_ {
        let mut last = "";
        self.sorted.iter().filter_map(move |&(n, _)| (core::mem::replace(&mut last, n) != n).then_some(n))
    }
}

/// The slots of a table whose size is a power of two, in the order in which a name is searched.
fn probes(name: &str, slots: usize) -> impl Iterator<Item = usize> {
    let hash = name.bytes().fold(0usize, |hash, b| (hash ^ usize::from(b)).wrapping_mul(0x0100_0193));
    (0..slots).map(move |i| (hash ^ hash >> 15).wrapping_add(i) & (slots - 1))
}
