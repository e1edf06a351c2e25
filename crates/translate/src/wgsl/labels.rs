//! Names that are unique in their scope and not reserved by WGSL.

use super::words;
use crate::syntax::{Name, decimal, is_register};

/// A name of [`Labels`].
#[derive(Clone, Copy, Default)]
pub(super) struct Label {
    start: u32,
    end: u32,
}

/// The names given so far.
pub(super) struct Labels {
    /// The text of all names, one after the other.
    text: String,
    /// The requested names.
    given: Vec<Given>,
    /// One more than the index of a name in `given`, by the hash of the name; 0 for none. At least half are 0.
    slots: Vec<u32>,
    /// The function whose names are being assigned; names of the module are visible everywhere.
    scope: u32,
}

struct Given {
    wanted: Label,
    /// The number of names derived from it at module scope.
    module: u32,
    /// The function that last requested it, and the number of names derived from it there.
    scope: u32,
    times: u32,
}

/// The module scope.
const MODULE: u32 = 0;

impl Labels {
    pub(super) fn new() -> Labels {
        let text = String::with_capacity(1024);
        Labels { text, given: Vec::with_capacity(64), slots: vec![0; 256], scope: MODULE }
    }

    /// Begins a function: the names of earlier functions are free again.
    pub(super) fn open(&mut self) {
        self.scope += 1;
    }

    pub(super) fn text(&self, label: Label) -> &str {
        &self.text[label.start as usize..label.end as usize]
    }

    /// A name that is not in use yet: the requested one, or the requested one followed by `_` and a number.
    pub(super) fn unique(&mut self, wanted: Name) -> Label {
        let start = self.text.len();
        wanted.write(&mut self.text);
        self.spell(start);
        let wanted = Label { start: start as u32, end: self.text.len() as u32 };
        let known = self.find(wanted);
        let given = &mut self.given[known];
        if given.scope != self.scope {
            (given.scope, given.times) = (self.scope, given.module);
        }
        let times = given.times;
        given.times += 1;
        if self.scope == MODULE {
            given.module = given.times;
        }
        if times > 0 {
            self.text.push('_');
            decimal(&mut self.text, times);
        }
        Label { start: start as u32, end: self.text.len() as u32 }
    }

    /// The index in `given` of a requested name. Adds it if it is new.
    fn find(&mut self, wanted: Label) -> usize {
        if 2 * self.given.len() >= self.slots.len() {
            self.slots = vec![0; 2 * self.slots.len()];
            for i in 0..self.given.len() {
                let slot = self.slot(self.given[i].wanted);
                self.slots[slot] = i as u32 + 1;
            }
        }
        let slot = self.slot(wanted);
        if self.slots[slot] == 0 {
            let module = u32::from(is_reserved(self.text(wanted)));
            self.given.push(Given { wanted, module, scope: self.scope, times: module });
            self.slots[slot] = self.given.len() as u32;
        }
        self.slots[slot] as usize - 1
    }

    /// The slot of a name: the one that has it, or a free one for it.
    fn slot(&self, wanted: Label) -> usize {
        let name = self.text(wanted);
        let hash = name.bytes().fold(0u32, |h, b| (h ^ u32::from(b)).wrapping_mul(0x0100_0193));
        let last = self.slots.len() - 1;
        let mut slot = (hash ^ (hash >> 15)) as usize & last;
        while let Some(known) = (self.slots[slot] as usize).checked_sub(1) {
            if self.text(self.given[known].wanted) == name {
                break;
            }
            slot = (slot + 1) & last;
        }
        slot
    }

    /// Makes an identifier from the text from `start`. The result never ends in `_` and a number, which is the form
    /// of derived names.
    fn spell(&mut self, start: usize) {
        let name = &self.text.as_bytes()[start..];
        let plain = name.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'_');
        if !plain || !name.first().is_some_and(u8::is_ascii_alphabetic) {
            let part = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let spelled: String = std::iter::once('n').chain(self.text[start..].chars().map(part)).collect();
            self.text.replace_range(start.., &spelled);
        }
        let name = &self.text.as_bytes()[start..];
        let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 && name[..name.len() - digits].ends_with(b"_") {
            self.text.push('_');
        }
    }
}

/// Whether the language reserves a name.
fn is_reserved(name: &str) -> bool {
    if is_register(name.as_bytes()) {
        // Number types are the only reserved names that look like registers.
        return matches!(name, "f16" | "f32" | "f64" | "i32" | "i64" | "u32" | "u64");
    }
    words::is_reserved(name)
}
