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

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    #[test]
    fn the_first_name_of_an_address_is_printed_and_all_are_found() {
        let mut symbols = Symbols::default();
        assert_eq!((symbols.is_empty(), symbols.len()), (true, 0));
        assert!(symbols.insert(8, "a".into()));
        assert!(symbols.insert(8, "b".into()));
        assert!(!symbols.insert(12, "a".into()), "the name is taken");
        assert_eq!((symbols.name(8), symbols.name(12)), (Some("a"), None));
        assert_eq!(
            (symbols.address("a"), symbols.address("b"), symbols.address("c")),
            (Some(8), Some(8), None)
        );
        symbols.insert_alias(16, 8);
        symbols.insert_alias(20, 12);
        symbols.insert_alias(8, 16);
        assert_eq!(symbols.iter().collect::<Vec<_>>(), [(8, "a"), (16, "a")]);
        assert!(!symbols.is_empty() && symbols.len() == 2);
    }

    #[test]
    fn numbers_within_instructions_have_names() {
        let mut symbols = Symbols::numbered([0x1a0, 16]);
        assert_eq!(symbols.iter().collect::<Vec<_>>(), [(16, "L_0010"), (0x1a0, "L_01a0")]);
        assert!(!symbols.names_numbers());
        symbols.insert_number(16, 3, "x".into());
        assert!(symbols.names_numbers());
        assert_eq!(
            [symbols.number(16, 3), symbols.number(16, 4), symbols.number(3, 16)],
            [Some("x"), None, None]
        );
        let mut symbols = Symbols::default();
        symbols.insert_number(16, 3, "x".into());
        assert_eq!((symbols.is_empty(), symbols.len()), (false, 0));
    }
}
