//! The relocations of each section of a cubin.

use super::cubin::Cubin;
use super::elf::Symbol;
use super::moved::Moved;
use super::relocation::{Place, Relocation};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::{format, vec::Vec};
use shisa_diag::bytes::put;
use shisa_diag::{Diagnostic, Limits};

/// The offset of a relocation's kind in its entry; kind 0 does nothing.
const KIND: usize = 8;

impl<'a> Cubin<'a> {
    /// The relocations of a section, in the order of the file.
    pub fn relocations_of(&self, section: usize) -> impl Iterator<Item = &Relocation> {
        self.tables_of(section).map(|(_, relocation)| relocation)
    }

    /// The relocations of a section, each with the number of the section that holds it.
    fn tables_of(&self, section: usize) -> impl Iterator<Item = (usize, &Relocation)> {
        let first = self.tables.partition_point(|table| table.of < section);
        let own = self.tables.iter().skip(first).take_while(move |table| table.of == section);
        own.flat_map(|table| {
            let list = self.relocations.get(table.range.clone()).into_iter().flatten();
            list.map(|relocation| (table.number, relocation))
        })
    }

    /// The bytes of a section with its relocations applied. `value` returns the value of a symbol, by its number: for
    /// constants and code the offset in its section, for memory its address, for textures the index of their header.
    /// Relocations that cannot be applied leave the bytes unchanged, and are reported.
    pub fn relocated(
        &self,
        section: usize,
        value: &dyn Fn(u32, &Symbol<'a>) -> Option<u64>,
        limits: &Limits,
    ) -> (Vec<u8>, Vec<Diagnostic>) {
        let mut data = self.elf.sections.get(section).map_or(&[][..], |s| s.data).to_vec();
        let mut sink = shisa_diag::Sink::new(limits.diagnostics);
        for relocation in self.relocations_of(section) {
            let symbol = self.symbols.get(relocation.symbol as usize);
            let place = symbol.and_then(|symbol| {
                let bank = self.bank(symbol.section.into()).map_or(0, |bank| bank.number);
                Some(Place { value: value(relocation.symbol, symbol)?, bank })
            });
            let applied = match place {
                Some(place) => relocation.apply(&mut data, place),
                None => {
                    let name = symbol.map_or("", |s| s.name);
                    let message = format!("the value of symbol {} {name:?} is not known", relocation.symbol);
                    let d = Diagnostic::error("cubin-relocation", message);
                    Err(d.at_bytes(relocation.at..relocation.at + 16, ""))
                }
            };
            applied.unwrap_or_else(|d| sink.push(d));
        }
        (data, sink.finish())
    }

    /// Moves the relocations of a section with its instructions.
    pub(super) fn relocate<'e>(
        &self,
        section: usize,
        moved: &Moved,
        edits: &mut BTreeMap<usize, Cow<'e, [u8]>>,
    ) -> Result<(), Diagnostic>
    where
        'a: 'e,
    {
        for (number, relocation) in self.tables_of(section) {
            let table = self.elf.sections.get(number);
            let (Some(table), Ok(place)) = (table, u32::try_from(relocation.offset)) else {
                continue;
            };
            let to = moved.to(place & !7).map(|to| u64::from(to | place & 7));
            if to == Some(relocation.offset) {
                continue;
            }
            let data = edits.entry(number).or_insert(Cow::Borrowed(table.data)).to_mut();
            let entry = relocation.at - table.offset;
            match to {
                Some(to) => put(data, entry, &to.to_le_bytes())?,
                None => put(data, entry + KIND, &[0; 4])?,
            }
        }
        Ok(())
    }
}
