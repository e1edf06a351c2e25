//! Names that are unique in their scope and not reserved by WGSL.

use super::text::Text;
use super::words::{Hash, is_reserved};
use crate::syntax::{Name, decimal, part_of_name};

/// A name of [`Labels`].
#[derive(Clone, Copy, Default)]
pub(super) struct Label {
    start: u32,
    length: u32,
}

/// The names given so far.
#[derive(Default)]
pub(super) struct Labels {
    /// The text of all names, one after the other, and [`SHORT`] bytes that belong to none.
    text: Text,
    /// The end of the last name.
    end: usize,
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
/// The length of most names at most.
const SHORT: usize = 16;
/// The number of slots at first, a power of two.
const SLOTS: usize = 64;

impl Labels {
    /// Forgets all names.
    pub(super) fn clear(&mut self) {
        self.text.0.clear();
        self.text.0.reserve(1024);
        self.end = 0;
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

    /// Appends a name to a text.
    #[inline]
    pub(super) fn write(&self, label: Label, out: &mut Text) {
        let (start, length) = (label.start as usize, label.length as usize);
        match self.text.0[start..].first_chunk::<SHORT>() {
            Some(short) if length <= SHORT => out.push_first(length, short),
            _ => out.0.extend_from_slice(self.text(label)),
        }
    }

    fn text(&self, label: Label) -> &[u8] {
        &self.text.0[label.start as usize..][..label.length as usize]
    }

    /// A name that is not in use yet: the requested one, or the requested one followed by `_` and a number.
    pub(super) fn unique(&mut self, wanted: Name) -> Label {
        let start = self.end;
        self.text.0.truncate(start);
        wanted.write(&mut self.text);
        self.finish();
        let scope = self.scope;
        let given = self.given(start);
        if given.scope != scope {
            (given.scope, given.times) = (scope, given.module);
        }
        let times = given.times;
        given.times += 1;
        if scope == MODULE {
            given.module = given.times;
        }
        if times > 0 {
            self.text.0.truncate(self.end);
            self.text.push('_');
            decimal(&mut self.text, times);
            self.finish();
        }
        Label { start: start as u32, length: (self.end - start) as u32 }
    }

    /// Ends a name.
    #[inline]
    fn finish(&mut self) {
        self.end = self.text.0.len();
        self.text.0.extend_from_slice(&[0; SHORT]);
    }

    /// The entry of the last name, which starts at `start`. Adds the name if it is new, as an identifier.
    #[inline(always)]
    fn given(&mut self, start: usize) -> &mut Given {
        let number = match self.find(start) {
            Ok(known) => known,
            Err(free) if is_identifier(&self.text.0[start..self.end]) => self.add(start, free),
            Err(_) => self.spelled(start),
        };
        &mut self.given[number]
    }

    /// As [`Labels::given`], of a name that has to be spelled differently.
    #[cold]
    fn spelled(&mut self, start: usize) -> usize {
        self.spell(start);
        self.find(start).unwrap_or_else(|free| self.add(start, free))
    }

    /// Adds the last name. Returns the index of its entry.
    #[inline(always)]
    fn add(&mut self, start: usize, (slot, hash): (usize, Hash)) -> usize {
        let name = &self.text.0[start..self.end];
        let module = u32::from(is_reserved(name, hash));
        let wanted = Label { start: start as u32, length: name.len() as u32 };
        let number = self.given.len();
        self.given.push(Given { wanted, hash, module, scope: self.scope, times: module });
        self.slots[slot] = number as u32 + 1;
        if 2 * number >= self.slots.len() - 2 {
            self.grow();
        }
        number
    }

    /// Doubles the number of slots.
    #[cold]
    fn grow(&mut self) {
        self.slots = vec![0; 2 * self.slots.len()];
        let last = self.slots.len() - 1;
        for (given, number) in self.given.iter().zip(1..) {
            let mut slot = given.hash.slot(self.slots.len());
            while self.slots[slot] != 0 {
                slot = (slot + 1) & last;
            }
            self.slots[slot] = number;
        }
    }

    /// The index of the last name in `given`, or a free slot for it and its hash.
    #[inline(always)]
    fn find(&self, start: usize) -> Result<usize, (usize, Hash)> {
        let (text, last) = (&self.text.0[start..], self.slots.len() - 1);
        let hash = Hash::new(text, self.end - start);
        let mut slot = hash.slot(self.slots.len());
        while let Some(known) = (self.slots[slot] as usize).checked_sub(1) {
            let given = &self.given[known];
            if given.hash == hash && self.text(given.wanted) == &text[..self.end - start] {
                return Ok(known);
            }
            slot = (slot + 1) & last;
        }
        Err((slot, hash))
    }

    /// Makes an identifier from the last name that is not yet in the form of one of ours.
    fn spell(&mut self, start: usize) {
        self.text.0.truncate(self.end);
        let name = &self.text.0[start..];
        if !(name.first().is_some_and(u8::is_ascii_alphabetic) && name.iter().all(|b| part_of_name(*b))) {
            let part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let name = String::from_utf8_lossy(name).into_owned();
            self.text.0.truncate(start);
            std::iter::once('n').chain(name.chars().map(part)).for_each(|c| self.text.push(c));
        }
        if ends_in_number(&self.text.0[start..]) {
            self.text.push('_');
        }
        self.finish();
    }
}

/// Whether a name is an identifier that cannot be a derived name: it does not end in `_` and a number.
#[inline]
fn is_identifier(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic)
        && name.iter().all(|b| part_of_name(*b))
        && !ends_in_number(name)
}

/// Whether a name ends in `_` and a number.
#[inline]
fn ends_in_number(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    digits > 0 && name[..name.len() - digits].ends_with(b"_")
}
