//! Relocations that fill in addresses inside of functions.

use super::moved::Moved;
use super::{Cubin, Function, Relocation, Written};
use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use shisa_diag::Diagnostic;
use shisa_diag::bytes::{part, put};

/// The offset of the number that is added to the symbol in an entry that states it.
const ADDEND: usize = 16;

/// Where a file holds the number that is added to a symbol.
struct Added {
    number: i64,
    /// The section with the number, its offset there, and its bytes.
    section: usize,
    at: usize,
    bytes: usize,
}

impl<'a> Cubin<'a> {
    /// The bytes of the section of a relocation from its field on; `None` if the field begins outside of the section.
    pub fn field(&self, relocation: &Relocation) -> Option<&'a [u8]> {
        let section = self.elf.sections.get(relocation.section)?;
        section.data.get(usize::try_from(relocation.offset).ok()?..)
    }

    /// Makes addresses inside of a function, which relocations fill in as a distance from one of its symbols, follow its
    /// instructions. Code that holds such a distance itself states it anew.
    pub(super) fn refer<'e>(
        &self,
        function: &Function<'a>,
        moved: &Moved,
        edits: &mut BTreeMap<usize, Cow<'e, [u8]>>,
    ) -> Result<(), Diagnostic>
    where
        'a: 'e,
    {
        let begins = moved.begins();
        let new = |at: u64| Some(begins.get(usize::try_from(at / 8).ok()?)? + at % 8);
        for relocation in &self.relocations {
            let symbol = self.symbols.get(relocation.symbol as usize);
            let Some(symbol) = symbol.filter(|symbol| usize::from(symbol.section) == function.section) else {
                continue;
            };
            let Some(old) = self.added(relocation) else { continue };
            let target = symbol.value.checked_add_signed(old.number).and_then(new);
            // The symbol of the function stays at its start.
            let base = if symbol.value == 0 { Some(0) } else { new(symbol.value) };
            let (Some(base), Some(target)) = (base, target) else { continue };
            let number = target.wrapping_sub(base);
            let Some(section) = self.elf.sections.get(old.section).filter(|_| number != old.number as u64)
            else {
                continue;
            };
            let data = edits.entry(old.section).or_insert(Cow::Borrowed(section.data)).to_mut();
            let number = number.to_le_bytes();
            put(data, old.at, part(&number, 0..old.bytes)?)?;
        }
        Ok(())
    }

    /// The number that is added to the symbol of a relocation of an address, unless it is 0 or in code.
    fn added(&self, relocation: &Relocation) -> Option<Added> {
        let kind = relocation.known().filter(|kind| matches!(kind.written, Written::Value(_)))?;
        let added = match relocation.addend {
            Some(number) => {
                let mut tables = self.elf.sections.iter().enumerate();
                let inside = |at: usize, len: usize| (at..at + len).contains(&relocation.at);
                let (section, table) = tables.find(|(_, s)| inside(s.offset, s.data.len()))?;
                Added { number, section, at: relocation.at - table.offset + ADDEND, bytes: 8 }
            }
            None => {
                let is_whole = kind.written == Written::Value(0) && kind.bit == 0 && kind.width >= 32;
                let is_code = self.functions.iter().any(|f| f.section == relocation.section);
                let field = self.field(relocation).filter(|_| is_whole && !is_code)?;
                let (number, at) = (kind.held(field)? as i64, usize::try_from(relocation.offset).ok()?);
                Added { number, section: relocation.section, at, bytes: usize::from(kind.width) / 8 }
            }
        };
        (added.number != 0).then_some(added)
    }
}
