//! Names of registers in a program.

use super::style::{Given, ProgramStyle};
use crate::container::{Constant, Dvle, OutputEntry};
use crate::picasso::identifier;
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, string::String, vec::Vec};

/// Registers by their numbers in tables: inputs, constants, integers, booleans.
pub(super) const CONSTANTS: u16 = 0x10;
pub(super) const INTEGERS: u16 = 0x70;
pub(super) const BOOLEANS: u16 = 0x78;
const END: u16 = 0x88;

/// The longest name that is used; longer ones do not improve a text.
const LONGEST: usize = 128;

/// Names for the outputs of each kind.
const OUTPUTS: [&str; 10] =
    ["opos", "oquat", "ocol", "otex0", "otex0w", "otex1", "otex2", "otex3", "oview", "odummy"];

/// Whether a name can be that of a procedure.
pub(super) fn usable(name: &str) -> bool {
    identifier(name) && !name.contains('$') && name.len() <= LONGEST
}

/// A table's name as the source spells it, if it can: the source has dollar signs for dots.
pub(super) fn source_name(name: &str) -> Option<Cow<'_, str>> {
    if name.contains('$') || name.len() > LONGEST {
        return None;
    }
    let name = match name.contains('.') {
        true => Cow::Owned(name.replace('.', "$")),
        false => Cow::Borrowed(name),
    };
    identifier(&name).then_some(name)
}

/// Whether `.alias` refuses a name because it looks like a register.
pub(super) fn like_register(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|b| b"ovrcib".contains(&b.to_ascii_lowercase()))
        && bytes.next().is_some_and(|b| b.is_ascii_digit())
}

/// The name of a run of registers.
#[derive(Clone, Debug)]
struct Run {
    first: u16,
    last: u16,
    name: String,
}

/// The names that a program's part of the listing declares.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// By register, inputs and uniforms and constants with values.
    registers: BTreeMap<u16, Run>,
    /// By number.
    outputs: BTreeMap<u16, String>,
    taken: BTreeSet<String>,
}

/// A constant of the table with how it is declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Declared {
    /// `.constf`, `.consti`: by name.
    Alone(String),
    /// The first of this many elements of a `.constfa`.
    Array(String, usize),
    /// `.setf`, `.seti`, `.setb`: by the register's name.
    Set(String),
    /// As an entry of the table.
    Entry,
}

/// Whether a number can express a constant: its bits may not be those of any number.
fn sayable(c: &Constant) -> bool {
    let [first, rest @ ..] = c.data;
    let float = |bits: u32| match (bits >> 24, bits >> 16 & 0x7f, bits & 0xffff) {
        (0, 0, mantissa) | (0, 0x7f, mantissa) => mantissa == 0,
        (high, ..) => high == 0,
    };
    let vector = rest == [0; 3];
    match c.kind {
        0 => vector && first <= 1 && c.register < 16,
        1 => vector && c.register < 4,
        2 => c.data.into_iter().all(float) && c.register < 96,
        _ => false,
    }
}

/// A name of inputs or uniforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbol<'d> {
    /// The name.
    pub name: &'d str,
    /// The letter of its registers: `v`, `c`, `i` or `b`.
    pub bank: char,
    /// The number of its first register.
    pub first: u16,
    /// The number of its last register.
    pub last: u16,
}

impl Dvle {
    /// The names of its inputs and uniforms.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol<'_>> {
        self.uniforms.iter().filter_map(|uniform| {
            let (bank, base) = bank(uniform.first)?;
            let name = self.name(uniform.name)?;
            Some(Symbol { name, bank, first: uniform.first - base, last: uniform.last.checked_sub(base)? })
        })
    }
}

impl Names {
    /// The names of a program's inputs and uniforms, and the source's name for each entry of the table; `None` for
    /// one that only the table can hold.
    pub(super) fn of(dvle: &Dvle) -> (Names, Vec<Option<String>>) {
        let mut names = Names::default();
        let mut entries = Vec::with_capacity(dvle.uniforms.len());
        for u in &dvle.uniforms {
            let name = dvle.name(u.name).and_then(source_name);
            let fits = u.first <= u.last && bank(u.first).is_some() && bank(u.first) == bank(u.last);
            let free = name.filter(|n| fits && !names.taken.contains(n.as_ref()));
            entries.push(free.map(|name| {
                let name = name.into_owned();
                names.taken.insert(name.clone());
                let run = Run { first: u.first, last: u.last, name: name.clone() };
                (u.first..=u.last).for_each(|r| {
                    names.registers.entry(r).or_insert_with(|| run.clone());
                });
                name
            }));
        }
        (names, entries)
    }

    /// An unused name.
    fn fresh(&mut self, wanted: String) -> String {
        let mut name = wanted;
        while self.taken.contains(&name) {
            name.push('_');
        }
        self.taken.insert(name.clone());
        name
    }

    /// Names the outputs; returns the name for each entry of the table, `-` for none.
    pub(super) fn outputs(&mut self, entries: &[OutputEntry]) -> Vec<String> {
        let mut kinds = BTreeSet::new();
        let mut one = |e: &OutputEntry| {
            let name = OUTPUTS.get(usize::from(e.kind))?;
            if e.register >= 16 || self.outputs.contains_key(&e.register) {
                return None;
            }
            let again = !kinds.insert(e.kind);
            let name = if again { format!("{name}_{}", e.register) } else { String::from(*name) };
            let name = self.fresh(name);
            self.outputs.insert(e.register, name.clone());
            Some(name)
        };
        entries.iter().map(|e| one(e).unwrap_or_else(|| "-".into())).collect()
    }

    /// The declarations of constants with values; those without a fixed register get names. Neighbours in ascending
    /// order are arrays, since single ones are allocated from the top down.
    pub(super) fn constants(&mut self, dvle: &Dvle, style: &ProgramStyle) -> Vec<Declared> {
        let mut declared = Vec::new();
        let mut at = 0;
        while let Some(c) = dvle.constants.get(at) {
            let rest = dvle.constants.get(at..).unwrap_or_default();
            at += 1;
            if !sayable(c) || style.constants == Given::Entries {
                declared.push(Declared::Entry);
                continue;
            }
            let base = [BOOLEANS, INTEGERS, CONSTANTS].get(usize::from(c.kind)).copied().unwrap_or(CONSTANTS);
            let register = base + c.register;
            if c.kind == 0 || style.constants == Given::Placed || self.registers.contains_key(&register) {
                declared.push(Declared::Set(self.register(register)));
                continue;
            }
            let rises = |(n, other): &(u16, &Constant)| {
                (other.kind, other.register) == (2, c.register + n)
                    && sayable(other)
                    && !self.registers.contains_key(&(register + n))
            };
            let array = if c.kind == 2 { (0..).zip(rest).take_while(rises).count().max(1) } else { 1 };
            at += array - 1;
            let name = self.fresh(format!("{}{}", if c.kind == 2 { "k" } else { "ki" }, c.register));
            let named = Run { first: register, last: register + array as u16 - 1, name: name.clone() };
            (named.first..=named.last).for_each(|r| {
                self.registers.insert(r, named.clone());
            });
            declared.push(if array > 1 { Declared::Array(name, array) } else { Declared::Alone(name) });
        }
        declared
    }

    /// The source's name for a register of the tables.
    pub(super) fn register(&self, register: u16) -> String {
        self.indexed(register, "")
    }

    /// A register with an index register, such as `a0.x`; without one if that is empty.
    pub(super) fn indexed(&self, register: u16, index: &str) -> String {
        let Some(run) = self.registers.get(&register) else {
            let (letter, n) =
                bank(register).map_or(('c', register), |(letter, base)| (letter, register - base));
            return if index.is_empty() { format!("{letter}{n}") } else { format!("{letter}{n}[{index}]") };
        };
        let offset = register - run.first;
        match (index, offset) {
            ("", 0) if run.first == run.last => run.name.clone(),
            ("", n) => format!("{}[{n}]", run.name),
            (_, 0) => format!("{}[{index}]", run.name),
            (_, n) => format!("{}[{index}+{n}]", run.name),
        }
    }

    /// An output.
    pub(super) fn output(&self, number: u16) -> String {
        self.outputs.get(&number).cloned().unwrap_or_else(|| format!("o{number}"))
    }

    /// The names of outputs, each with its register.
    pub(super) fn output_names(&self) -> impl Iterator<Item = (&str, u16)> {
        self.outputs.iter().map(|(register, name)| (name.as_str(), *register))
    }
}

/// The letter of a register of the tables, and the number of the first register of its bank.
pub(super) fn bank(register: u16) -> Option<(char, u16)> {
    match register {
        0..0x10 => Some(('v', 0)),
        CONSTANTS..INTEGERS => Some(('c', CONSTANTS)),
        INTEGERS..0x74 => Some(('i', INTEGERS)),
        BOOLEANS..END => Some(('b', BOOLEANS)),
        _ => None,
    }
}
