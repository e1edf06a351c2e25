//! Names of addresses.

use alloc::{collections::BTreeMap, format, string::String};

/// Names of addresses within a program, for the text of branches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Symbols {
    names: BTreeMap<u32, String>,
    addresses: BTreeMap<String, u32>,
    numbers: BTreeMap<(u32, u32), String>,
}

impl Symbols {
    /// Names derived from the addresses, such as `L_01a0`.
    pub fn numbered(addresses: impl IntoIterator<Item = u32>) -> Symbols {
        let mut symbols = Symbols::default();
        for address in addresses {
            symbols.insert(address, format!("L_{address:04x}"));
        }
        symbols
    }

    /// Names an address; the first name of an address is the one that is printed. Returns false and changes nothing if
    /// the name is taken.
    pub fn insert(&mut self, address: u32, name: String) -> bool {
        if self.addresses.contains_key(&name) {
            return false;
        }
        self.names.entry(address).or_insert_with(|| name.clone());
        self.addresses.insert(name, address);
        true
    }

    /// Gives an address without a name the name of another address.
    pub fn insert_alias(&mut self, address: u32, of: u32) {
        if let Some(name) = self.names.get(&of).cloned() {
            self.names.entry(address).or_insert(name);
        }
    }

    /// Names the number within the instruction at an address whose lowest bit is this one.
    pub fn insert_number(&mut self, address: u32, bit: u32, name: String) {
        self.numbers.insert((address, bit), name);
    }

    /// Whether any numbers within instructions have names.
    pub fn names_numbers(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// The name of the number within the instruction at an address whose lowest bit is this one.
    pub fn number(&self, address: u32, bit: u32) -> Option<&str> {
        self.numbers.get(&(address, bit)).map(String::as_str)
    }

    /// The name of an address.
    pub fn name(&self, address: u32) -> Option<&str> {
        self.names.get(&address).map(String::as_str)
    }

    /// The address of a name.
    pub fn address(&self, name: &str) -> Option<u32> {
        self.addresses.get(name).copied()
    }

    /// The addresses that have names, in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &str)> {
        self.names.iter().map(|(address, name)| (*address, name.as_str()))
    }

    /// Number of addresses that have names.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty() && self.numbers.is_empty()
    }
}
