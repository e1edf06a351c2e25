//! Names of registers.

use shisa_ir::{File, FileId, FileKind, Reg, Scalar};
use std::collections::BTreeMap;

/// The name of a unit of a register, such as `r4.x`; the register files come from the program.
pub type NameOf = fn(&'static [File], Reg) -> String;

/// A register or a part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its units, the first component or the low half first.
    pub units: Vec<Reg>,
    /// Whether the units are halves of one value.
    pub joined: bool,
    /// What a unit holds.
    pub scalar: Scalar,
    /// The bits of a unit.
    pub bits: u8,
}

/// The registers of a program by name.
#[derive(Debug)]
pub struct Names {
    files: &'static [File],
    name_of: NameOf,
    by_name: BTreeMap<String, Named>,
    /// Names of other things, such as uniforms that a container names.
    symbols: BTreeMap<String, String>,
}

impl Names {
    /// The names of all registers of these files.
    pub fn new(files: &'static [File], name_of: NameOf) -> Names {
        let mut by_name: BTreeMap<String, Named> = BTreeMap::new();
        for (number, file) in (0..).zip(files) {
            for unit in 0..file.units {
                let reg = Reg::new(FileId(number), unit);
                let name = name_of(files, reg);
                let one = |units| Named { units, joined: false, scalar: file.scalar, bits: file.unit_bits };
                // `r4.x` is also a part of `r4`, and the half `r4l` of `r4`.
                if let Some((whole, _)) = name.rsplit_once('.').filter(|(_, component)| component.len() == 1)
                {
                    by_name.entry(whole.to_owned()).or_insert_with(|| one(Vec::new())).units.push(reg);
                } else if let Some(whole) = half(file, &name) {
                    let joined = || Named { joined: true, scalar: Scalar::I32, ..one(Vec::new()) };
                    by_name.entry(whole.to_owned()).or_insert_with(joined).units.push(reg);
                }
                by_name.insert(name, one(vec![reg]));
            }
        }
        Names { files, name_of, by_name, symbols: BTreeMap::new() }
    }

    /// Adds a name for a register, such as `projection` for `c0`.
    pub fn add(&mut self, name: String, register: String) {
        self.symbols.insert(name, register);
    }

    /// The name of a unit.
    pub fn of(&self, reg: Reg) -> String {
        (self.name_of)(self.files, reg)
    }

    /// The register that a symbol names: `c0` for `projection`.
    pub fn symbol(&self, name: &str) -> Option<&str> {
        self.symbols.get(name).map(String::as_str)
    }

    /// A register by its name.
    pub fn get(&self, name: &str) -> Option<&Named> {
        match self.symbols.get(name) {
            Some(register) => self.by_name.get(register),
            None => self.by_name.get(name),
        }
    }

    /// All names, symbols first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.symbols.keys().chain(self.by_name.keys()).map(String::as_str)
    }

    /// The known name that is most like an unknown one.
    pub fn nearest(&self, name: &str) -> Option<&str> {
        shisa_rows::nearest(name, self.all())
    }

    /// The kind of a unit's file.
    pub fn kind(&self, reg: Reg) -> Option<FileKind> {
        self.files.get(usize::from(reg.file.0)).map(|file| file.kind)
    }

    /// The names of the registers of a kind among units; a vector is one of them.
    pub fn registers(&self, units: &[Reg], kind: FileKind) -> Vec<String> {
        let name = |reg: &Reg| {
            let name = self.of(*reg);
            let whole =
                name.split_once('.').map(|(whole, _)| whole).filter(|whole| self.get(whole).is_some());
            match whole {
                Some(whole) => whole.to_owned(),
                None => name,
            }
        };
        let mut registers: Vec<String> =
            units.iter().filter(|reg| self.kind(**reg) == Some(kind)).map(name).collect();
        registers.dedup();
        registers
    }

    /// What a unit holds.
    pub fn scalar(&self, reg: Reg) -> Option<Scalar> {
        self.files.get(usize::from(reg.file.0)).map(|file| file.scalar)
    }
}

/// The name of the register of which a 16-bit unit is a half.
fn half<'n>(file: &File, name: &'n str) -> Option<&'n str> {
    let whole = name.strip_suffix('l').or_else(|| name.strip_suffix('h'))?;
    (file.unit_bits == 16 && whole.ends_with(|c: char| c.is_ascii_digit())).then_some(whole)
}
