//! Cubins: ELF files of CUDA code.
//!
//! A function `K` has its code in `.text.K`, of which bits 24–31 of the section's `sh_info` are its number of
//! registers and bits 20–24 of its flags its number of barriers. `.nv.info` and `.nv.info.K` hold
//! [`attributes`], `.nv.constantN` and `.nv.constantN.K` bank N of constants, `.nv.shared.K` shared memory,
//! `.nv.global` and `.nv.global.init` global memory, `.rel.S` and `.rela.S` the relocations of section `S`.

use super::attribute::{Attribute, attributes};
use super::edit::Edit;
use super::elf::{Elf, HEADER, SYMBOL, SYMBOLS, Section, Symbol, machine};
use super::moved::Moved;
use super::places::with_places;
use super::reader::Reader;
use super::relocation::{self, Relocation, Table};
use super::tables::{self, Code, Told};
use crate::bundle::BUNDLE_BYTES;
use crate::flow::Targets;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};
use alloc::{format, vec::Vec};
use shisa_diag::bytes::put;
use shisa_diag::{Diagnostic, Limit, Limits, Record};

/// The ELF machine number of CUDA.
pub(super) const MACHINE: u16 = 190;

/// A file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cubin<'a> {
    /// The file.
    pub elf: Elf<'a>,
    /// In the order of the table.
    pub symbols: Vec<Symbol<'a>>,
    /// The functions, kernels and others, in the order of their sections.
    pub functions: Vec<Function<'a>>,
    /// All relocations, in the order of the file.
    pub relocations: Vec<Relocation>,
    /// Where the relocations of each section are, in the order of the sections.
    pub(super) tables: Vec<Table>,
}

/// A function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Function<'a> {
    /// Its name, which is in its section's name.
    pub name: &'a str,
    /// The number of its section.
    pub section: usize,
    /// Whether the host launches it; other functions are only called.
    pub kernel: bool,
    /// The number of registers that it uses.
    pub registers: u8,
    /// The number of barriers of the block that it uses.
    pub barriers: u8,
    /// The offset of its code in the file.
    pub offset: usize,
    /// Its code.
    pub code: &'a [u8],
}

/// A bank of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bank<'a> {
    /// The number of the bank.
    pub number: u8,
    /// The function that it belongs to; `None` if it belongs to all.
    pub function: Option<&'a str>,
    /// The number of its section.
    pub section: usize,
    /// Its bytes before relocation.
    pub data: &'a [u8],
}

impl<'a> Cubin<'a> {
    /// Whether bytes begin like a cubin.
    pub fn sniff(bytes: &[u8]) -> bool {
        machine(bytes) == Some(MACHINE)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// All its faults: `cubin-magic`, `cubin-cut`, `cubin-range`, `cubin-overlap`, `cubin-info`, `cubin-bundles`, `limit-exceeded`.
    pub fn read(bytes: &'a [u8], limits: &Limits) -> Result<Cubin<'a>, Vec<Diagnostic>> {
        let mut reader = Reader::new(bytes, limits, ["cubin-cut", "cubin-range"]);
        let cubin = Cubin::of(&mut reader);
        reader.finish(cubin)
    }

    fn of(reader: &mut Reader<'a, '_>) -> Option<Cubin<'a>> {
        let magic = reader.head(0, HEADER, "the header")?;
        if !Cubin::sniff(magic) {
            let d = Diagnostic::error("cubin-magic", "this is not an ELF file of CUDA code");
            reader.sink.push(d.at_bytes(0..20, "").note("a cubin has 64 bits and machine 190"));
            return None;
        }
        let elf = Elf::read(reader)?;
        let symbols = elf.symbols(reader)?;
        let named = |name: &str| name.starts_with(TEXT);
        let texts = elf.sections.iter().filter(|s| named(s.name)).count();
        reader.limit(Limit::Programs, "functions", texts)?;
        let (functions, relocations, tables) = (Vec::new(), Vec::new(), Vec::new());
        let mut cubin = Cubin { elf, symbols, functions, relocations, tables };
        let kernels = cubin.symbols.iter().filter(|s| s.function() && s.other & KERNEL != 0);
        let kernels: BTreeSet<u16> = kernels.map(|s| s.section).collect();
        for (number, section) in cubin.elf.sections.iter().enumerate() {
            if let Some(name) = section.name.strip_prefix(TEXT) {
                let kernel = u16::try_from(number).is_ok_and(|n| kernels.contains(&n));
                cubin.functions.push(function(reader, number, section, name, kernel));
            }
            if section.kind == INFO {
                check_info(reader, section);
            }
            let target = section.info as usize;
            if matches!(section.kind, 4 | 9) && target < cubin.elf.sections.len() {
                let entries = relocation::read(target, section.data, section.offset, section.kind == 4);
                let first = cubin.relocations.len();
                cubin.relocations.extend(entries);
                cubin.tables.push(Table { of: target, number, range: first..cubin.relocations.len() });
            }
        }
        cubin.tables.sort_by_key(|table| table.of);
        Some(cubin)
    }

    /// The chip that the code is for, as a number: 53 is sm_53.
    pub const fn chip(&self) -> u8 {
        self.elf.flags as u8
    }

    /// The chip that the source was compiled for, which is the base of this one.
    pub const fn virtual_chip(&self) -> u8 {
        (self.elf.flags >> 16) as u8
    }

    /// The attributes of the file, and those of each function, in the order of the file.
    pub fn attributes(&self) -> impl Iterator<Item = (Option<&'a str>, Attribute<'a>)> + '_ {
        self.infos().flat_map(|(of, data)| attributes(data).flatten().map(move |a| (of, a)))
    }

    /// The attributes of a function, or those of the file, in the order of the file.
    pub fn attributes_of(&self, function: Option<&str>) -> impl Iterator<Item = Attribute<'a>> {
        self.infos().filter(move |(of, _)| *of == function).flat_map(|(_, data)| attributes(data).flatten())
    }

    /// The sections of attributes, with the functions that they are about; `None` for the file.
    fn infos(&self) -> impl Iterator<Item = (Option<&'a str>, &'a [u8])> + '_ {
        let infos = self.elf.sections.iter().filter(|s| s.kind == INFO);
        infos.map(|section| (section.name.strip_prefix(".nv.info."), section.data))
    }

    /// An attribute in one line, with names for symbols.
    pub fn attribute_text(&self, attribute: &Attribute<'_>) -> String {
        attribute.text(&|n| self.symbols.get(n as usize).map(|s| s.name.to_string()))
    }

    /// The banks of constants, in the order of the file.
    pub fn banks(&self) -> impl Iterator<Item = Bank<'a>> + '_ {
        (0..self.elf.sections.len()).filter_map(|number| self.bank(number))
    }

    /// The bank of constants that a section holds, by its number.
    pub fn bank(&self, section: usize) -> Option<Bank<'a>> {
        let held = self.elf.sections.get(section)?;
        let (number, function) = bank(held.name)?;
        Some(Bank { number, function, section, data: held.data })
    }

    /// The sections of shared memory and of global memory, in the order of the file, with their numbers.
    /// The name states which it is; one without data holds zeros.
    pub fn memories(&self) -> impl Iterator<Item = (usize, &Section<'a>)> + '_ {
        let memory = |name: &str| name.starts_with(".nv.shared") || name.starts_with(".nv.global");
        self.elf.sections.iter().enumerate().filter(move |(_, s)| memory(s.name))
    }

    /// The file with new code in some functions, by their number in [`Cubin::functions`]. Only the code and the
    /// fields that state offsets and sizes change. Among attributes that list offsets of instructions, those of EXIT
    /// and of reads of the block's number are recomputed, and so are those of SYNC and BRK with their targets.
    /// Offsets in other attributes, in relocations and in symbols inside of the function follow the instruction, and so do
    /// addresses inside of the function that relocations fill in.
    /// Entries for a removed instruction are left out, and its relocation becomes one that does nothing. Tables of
    /// constants for `BRX` branches get the new offsets, as far as the code identifies them; [`Cubin::lost`] reports
    /// what cannot follow.
    ///
    /// # Errors
    /// `cubin-layout` if code of another length cannot be fitted in, or if there was no code.
    pub fn write<'e, E>(&self, code: &BTreeMap<usize, E>) -> Result<Vec<u8>, Diagnostic>
    where
        E: Copy + Into<Edit<'e>>,
    {
        let mut edits: BTreeMap<usize, Cow<'_, [u8]>> = BTreeMap::new();
        let infos = self.elf.sections.iter().enumerate().filter(|(_, s)| s.kind == INFO);
        let infos: BTreeMap<&str, usize> =
            infos.filter_map(|(n, s)| Some((s.name.strip_prefix(".nv.info.")?, n))).collect();
        let told = Tables::new(self);
        for (number, edit) in code {
            let edit: Edit<'e> = (*edit).into();
            let Some(function) = self.functions.get(*number).filter(|f| f.code != edit.code) else {
                continue;
            };
            let moved = Moved::new(function.code, edit.code);
            edits.insert(function.section, Cow::Borrowed(edit.code));
            self.relocate(function.section, &moved, &mut edits)?;
            self.refer(function, &moved, &mut edits)?;
            self.move_symbols(function, &moved, &mut edits)?;
            for ((bank, at), entry) in told.follow(function, edit, &moved).0 {
                if let Some(bank) = told.banks.get(&(function.name, bank)) {
                    let data = edits.entry(bank.section).or_insert(Cow::Borrowed(bank.data)).to_mut();
                    put(data, at, &entry.to_le_bytes())?;
                }
            }
            let info = infos.get(function.name).and_then(|n| Some((*n, self.elf.sections.get(*n)?)));
            if let Some((number, section)) = info {
                let info = with_places(section.data, function.code, edit, &moved)?;
                edits.insert(number, Cow::Owned(info));
            }
        }
        self.elf.write(&edits.iter().map(|(n, data)| (*n, &**data)).collect())
    }

    /// Targets of branches through a register, `SYNC` and `BRK` of each function, as attributes list them.
    pub fn targets(&self) -> BTreeMap<&'a str, Targets> {
        let mut found: BTreeMap<&'a str, Targets> = BTreeMap::new();
        for (function, attribute) in self.attributes() {
            let Some(function) = function else { continue };
            for branch in attribute.branches() {
                found.entry(function).or_default().insert(branch.place, branch.targets);
            }
        }
        found
    }

    /// References that cannot follow the code that [`Cubin::write`] would write, as warnings: `maxwell-jump-table`.
    pub fn lost<'e, E>(&self, code: &BTreeMap<usize, E>) -> Vec<Diagnostic>
    where
        E: Copy + Into<Edit<'e>>,
    {
        let told = Tables::new(self);
        let lost = |(number, edit): (&usize, &E)| {
            let (function, edit) = (self.functions.get(*number)?, (*edit).into());
            Some(told.follow(function, edit, &Moved::new(function.code, edit.code)).1)
        };
        code.iter().filter_map(lost).flatten().collect()
    }

    /// Moves the symbols inside of a function, such as nested functions, with its instructions.
    fn move_symbols<'e>(
        &self,
        function: &Function<'a>,
        moved: &Moved,
        edits: &mut BTreeMap<usize, Cow<'e, [u8]>>,
    ) -> Result<(), Diagnostic>
    where
        'a: 'e,
    {
        let (old_end, begins) = (function.code.len() as u64, moved.begins());
        let begin = |at: u64| {
            begins.get((at / 8) as usize).copied().ok_or_else(|| {
                let text = format!("offset {at:#x} of {old_end:#x} has no instruction");
                Diagnostic::internal("internal-maxwell-file", text)
            })
        };
        for (number, table) in self.elf.sections.iter().enumerate().filter(|(_, s)| s.kind == SYMBOLS) {
            for (n, entry) in Record::<SYMBOL>::all(table.data).enumerate() {
                let (start, size) = (entry.long::<8>(), entry.long::<16>());
                let inside = start > 0 && start < old_end && size <= old_end - start;
                if usize::from(entry.half::<6>()) != function.section || !inside {
                    continue;
                }
                let new = begin(start)?;
                // Symbols without a size still have none.
                let end = if size == 0 { new } else { begin(start + size)? };
                let data = edits.entry(number).or_insert(Cow::Borrowed(table.data)).to_mut();
                put(data, n * SYMBOL + 8, &new.to_le_bytes())?;
                put(data, n * SYMBOL + 16, &end.saturating_sub(new).to_le_bytes())?;
            }
        }
        Ok(())
    }
}

/// The facts in a file about tables through which its functions branch.
struct Tables<'a> {
    /// Targets of branches, by function.
    targets: BTreeMap<&'a str, Targets>,
    /// The banks of constants of single functions, by function and number.
    banks: BTreeMap<(&'a str, u8), Bank<'a>>,
}

impl<'a> Tables<'a> {
    fn new(cubin: &Cubin<'a>) -> Tables<'a> {
        let own = |bank: Bank<'a>| Some(((bank.function?, bank.number), bank));
        Tables { targets: cubin.targets(), banks: cubin.banks().filter_map(own).collect() }
    }

    /// The new entries of tables of a function's branches after its code moved, and what cannot follow.
    fn follow(
        &self,
        function: &Function<'a>,
        edit: Edit<'_>,
        moved: &Moved,
    ) -> (BTreeMap<tables::Place, u32>, Vec<Diagnostic>) {
        let banks = self.banks.range((function.name, 0)..=(function.name, u8::MAX));
        let told = Told {
            listed: self.targets.get(function.name),
            banks: banks.map(|((_, number), bank)| (*number, bank.data)).collect(),
        };
        let before = Code { name: function.name, offset: function.offset, bytes: function.code };
        tables::follow(&before, edit, moved, &told)
    }
}

/// The prefix of names of code sections.
const TEXT: &str = ".text.";
/// The kind of sections of attributes.
pub(super) const INFO: u32 = 0x7000_0000;
/// The bit of a symbol that marks a kernel.
const KERNEL: u8 = 0x10;

fn function<'a>(
    reader: &mut Reader<'_, '_>,
    number: usize,
    section: &Section<'a>,
    name: &'a str,
    kernel: bool,
) -> Function<'a> {
    if !section.data.len().is_multiple_of(BUNDLE_BYTES) {
        let message = format!("the code of {name:?} has {:#x} bytes, no whole bundles", section.data.len());
        let end = section.offset + section.data.len();
        reader.sink.push(Diagnostic::error("cubin-bundles", message).at_bytes(section.offset..end, ""));
    }
    Function {
        name,
        section: number,
        kernel,
        registers: (section.info >> 24) as u8,
        barriers: (section.flags >> 20) as u8 & 0x1f,
        offset: section.offset,
        code: section.data,
    }
}

/// The number of a section's bank, and the function that it is for.
fn bank(name: &str) -> Option<(u8, Option<&str>)> {
    let (number, function) = match name.strip_prefix(".nv.constant")?.split_once('.') {
        Some((number, function)) => (number, Some(function)),
        None => (name.strip_prefix(".nv.constant")?, None),
    };
    Some((number.parse().ok()?, function))
}

fn check_info(reader: &mut Reader<'_, '_>, section: &Section<'_>) {
    if let Some(at) = attributes(section.data).find_map(Result::err) {
        let d = Diagnostic::error("cubin-info", format!("an attribute of {} cannot be read", section.name));
        let at = section.offset + at;
        reader.sink.push(d.at_bytes(at..section.offset + section.data.len(), "from here on"));
    }
}
