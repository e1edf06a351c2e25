//! Names that are unique in their scope and not reserved by WGSL.

use super::text::Text;
use super::words::{Hash, is_reserved};
use crate::syntax::{Name, decimal, part_of_name};

/// A name of [`Labels`].
#[derive(Clone, Copy, Default)]
pub(super) struct Label {
    start: u32,
    end: u32,
}

/// The names given so far.
#[derive(Default)]
pub(super) struct Labels {
    /// The text of all names, one after the other.
    text: Text,
    /// The requested names.
    given: Vec<Given>,
    /// One more than the index of a name in `given`, by the hash of the name; 0 for none. At least half are 0.
    slots: Vec<u32>,
    /// The function whose names are being assigned; names of the module are visible everywhere.
    scope: u32,
}

struct Given {
    wanted: Label,
    hash: Hash,
    /// The number of names derived from it at module scope.
    module: u32,
    /// The function that last requested it, and the number of names derived from it there.
    scope: u32,
    times: u32,
}

/// The module scope.
const MODULE: u32 = 0;
/// The number of slots at first, a power of two.
const SLOTS: usize = 64;

impl Labels {
    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        self.text.0.clear();
        self.text.0.reserve(1024);
        self.given.clear();
        self.given.reserve(32);
        self.slots.clear();
        self.slots.resize(SLOTS, 0);
        self.scope = MODULE;
    }

    /// Begins a function: the names of earlier functions are free again.
    pub(super) fn open(&mut self) {
        self.scope += 1;
    }

    pub(super) fn text(&self, label: Label) -> &[u8] {
        &self.text.0[label.start as usize..label.end as usize]
    }

    /// A name that is not in use yet: the requested one, or the requested one followed by `_` and a number.
    pub(super) fn unique(&mut self, wanted: Name) -> Label {
        let start = self.text.0.len();
        wanted.write(&mut self.text);
        let hash = self.spell(start);
        let scope = self.scope;
        let given = self.given(Label { start: start as u32, end: self.text.0.len() as u32 }, hash);
        if given.scope != scope {
            (given.scope, given.times) = (scope, given.module);
        }
        let times = given.times;
        given.times += 1;
        if scope == MODULE {
            given.module = given.times;
        }
        if times > 0 {
            self.text.push('_');
            decimal(&mut self.text, times);
        }
        Label { start: start as u32, end: self.text.0.len() as u32 }
    }

    /// The entry of a requested name. Adds it if it is new.
    fn given(&mut self, wanted: Label, hash: Hash) -> &mut Given {
        if 2 * self.given.len() >= self.slots.len() {
            self.grow();
        }
        let name = self.text(wanted);
        let known = |g: &Given| g.hash == hash && self.text(g.wanted) == name;
        let slot = self.slot(hash, known);
        if self.slots[slot] == 0 {
            let module = u32::from(is_reserved(name, hash));
            self.given.push(Given { wanted, hash, module, scope: self.scope, times: module });
            self.slots[slot] = self.given.len() as u32;
        }
        &mut self.given[self.slots[slot] as usize - 1]
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        for i in 0..self.given.len() {
            let slot = self.slot(self.given[i].hash, |_| false);
            self.slots[slot] = i as u32 + 1;
        }
    }

    /// The slot of the name with this hash for which `found` holds, or a free one for it.
    fn slot(&self, hash: Hash, found: impl Fn(&Given) -> bool) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = hash.slot(self.slots.len());
        while let Some(known) = (self.slots[slot] as usize).checked_sub(1) {
            if found(&self.given[known]) {
                break;
            }
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Makes an identifier from the text from `start`, and returns its hash. The result never ends in `_` and a
    /// number, which is the form of derived names.
    fn spell(&mut self, start: usize) -> Hash {
        let (mut hash, plain) = identifier(&self.text.0[start..]);
        if !plain {
            let part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let wanted = String::from_utf8_lossy(&self.text.0[start..]).into_owned();
            self.text.0.truncate(start);
            std::iter::once('n').chain(wanted.chars().map(part)).for_each(|c| self.text.push(c));
            (hash, _) = identifier(&self.text.0[start..]);
        }
        let name = &self.text.0[start..];
        let mut head = name;
        while let [rest @ .., b'0'..=b'9'] = head {
            head = rest;
        }
        if head.len() < name.len() && head.ends_with(b"_") {
            self.text.push('_');
            hash = hash.with(b'_');
        }
        hash
    }
}

/// The hash of a name, and whether the name is an identifier.
fn identifier(name: &[u8]) -> (Hash, bool) {
    let mut plain = name.first().is_some_and(u8::is_ascii_alphabetic);
    let mut hash = Hash::EMPTY;
    for &b in name {
        plain &= part_of_name(b);
        hash = hash.with(b);
    }
    (hash, plain)
}
