//! Metadata of cubins about their functions, as comments of listings.

use crate::Result;
use shisa_diag::{Limit, Limits, escape};
use shisa_maxwell::container::{Attribute, Bank, Cubin, Function, Relocation};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The metadata of a file, by function.
pub(super) struct Facts<'c> {
    cubin: &'c Cubin<'c>,
    limits: &'c Limits,
    /// Attributes of functions by name, and of the file.
    attributes: BTreeMap<Option<&'c str>, Vec<Attribute<'c>>>,
    /// Banks of constants, by the same keys.
    banks: BTreeMap<Option<&'c str>, Vec<Bank<'c>>>,
}

impl<'c> Facts<'c> {
    /// All of a file.
    pub(super) fn new(cubin: &'c Cubin<'c>, limits: &'c Limits) -> Facts<'c> {
        let mut facts = Facts { cubin, limits, attributes: BTreeMap::new(), banks: BTreeMap::new() };
        cubin.attributes().for_each(|(of, attribute)| facts.attribute(of, attribute));
        cubin.banks().for_each(|bank| facts.bank(bank));
        facts
    }

    /// Those of one function: a file may have thousands of others.
    pub(super) fn of(cubin: &'c Cubin<'c>, function: &Function<'c>, limits: &'c Limits) -> Facts<'c> {
        let mut facts = Facts { cubin, limits, attributes: BTreeMap::new(), banks: BTreeMap::new() };
        let name = Some(function.name);
        cubin.attributes_of(name).for_each(|attribute| facts.attribute(name, attribute));
        cubin.banks().filter(|bank| bank.function == name).for_each(|bank| facts.bank(bank));
        facts
    }

    fn attribute(&mut self, of: Option<&'c str>, attribute: Attribute<'c>) {
        self.attributes.entry(of).or_default().push(attribute);
    }

    fn bank(&mut self, bank: Bank<'c>) {
        self.banks.entry(bank.function).or_default().push(bank);
    }

    /// Appends the metadata of the file: its toolkit, attributes, constants, memory, and relocations outside of code;
    /// then that of its functions.
    pub(super) fn all(&self, text: &mut String) -> Result<()> {
        let (cubin, version) = (self.cubin, self.cubin.elf.version);
        let (major, minor) = (version / 10, version % 10);
        let (chip, of) = (cubin.chip(), cubin.virtual_chip());
        let _ = writeln!(text, "\n// The file: toolkit {major}.{minor}, sm_{chip} of compute_{of}");
        self.attributes(text, None)?;
        for (_, section) in cubin.memories() {
            self.line(text, &format!("{}: {:#x} bytes", section.name, section.size))?;
        }
        let code: Vec<usize> = cubin.functions.iter().map(|f| f.section).collect();
        for (number, section) in cubin.elf.sections.iter().enumerate() {
            if code.binary_search(&number).is_err() {
                self.relocations(text, number, &format!("{} ", section.name))?;
            }
        }
        cubin.functions.iter().try_for_each(|f| self.function(text, f))
    }

    /// Appends the metadata of a function: registers, barriers, attributes, constants, relocations.
    pub(super) fn function(&self, text: &mut String, function: &Function<'_>) -> Result<()> {
        let Function { name, registers, barriers, section, .. } = *function;
        let _ = writeln!(text, "\n// {}: {registers} registers, {barriers} barriers", escape(name));
        self.attributes(text, Some(name))?;
        self.relocations(text, section, "")
    }

    /// Appends attributes and constants.
    fn attributes(&self, text: &mut String, of: Option<&str>) -> Result<()> {
        for attribute in self.attributes.get(&of).into_iter().flatten() {
            self.line(text, &self.cubin.attribute_text(attribute))?;
        }
        for bank in self.banks.get(&of).into_iter().flatten() {
            self.line(text, &format!("constant bank {}: {:#x} bytes", bank.number, bank.data.len()))?;
        }
        Ok(())
    }

    /// Appends the relocations of a section.
    fn relocations(&self, text: &mut String, section: usize, of: &str) -> Result<()> {
        self.cubin.relocations_of(section).try_for_each(|r| {
            let kind = r.known().map_or_else(|| format!("relocation {}", r.kind), |k| k.name.into());
            let symbol = self.cubin.symbols.get(r.symbol as usize).map_or("", |s| s.name);
            let number = if symbol.is_empty() { format!("symbol {}", r.symbol) } else { String::new() };
            let added = match self.added(r) {
                0 => String::new(),
                added @ 1.. => format!(" + {added:#x}"),
                added => format!(" - {:#x}", added.unsigned_abs()),
            };
            self.line(text, &format!("{of}{:#x}: {kind} {symbol}{number}{added}", r.offset))
        })
    }

    /// The number that is added to the symbol of a relocation: in its entry, or in the bytes that it fills in.
    fn added(&self, r: &Relocation) -> i128 {
        let held = || r.known()?.held(self.cubin.field(r)?).map(i128::from);
        r.addend.map(i128::from).or_else(held).unwrap_or(0)
    }

    fn line(&self, text: &mut String, what: &str) -> Result<()> {
        let _ = writeln!(text, "//   {}", escape(what));
        Ok(self.limits.check(Limit::TextOut, "bytes of text", text.len())?)
    }
}
