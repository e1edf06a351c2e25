//! What the bits of operands mean one by one, for the reference.

use super::Source;
use shisa_rows::Part;

/// The most parts that an operand has.
const MOST: usize = 6;
/// In how many respects sources differ: sign, sign that inverts, magnitude, and up to two bits of parts.
const WAYS: usize = 24;

/// Parts and how many of them there are.
type List = ([Part; MOST], usize);

const NOTHING: Part = Part::new(0, 0, "");

/// The bits after those of a name, which end with `first`.
const fn list(name: &[Part], way: usize, reuse: bool) -> List {
    let (mut parts, mut count, mut at) = ([NOTHING; MOST], 0, 0);
    while count < name.len() {
        parts[count] = name[count];
        at = name[count].lo + name[count].width;
        count += 1;
    }
    let changes = [
        (way & 1, if way & 2 != 0 { "all bits inverted" } else { "negative" }),
        (way >> 2 & 1, "magnitude"),
        (way >> 3, "which part"),
        (reuse as usize, "stays in the operand cache"),
    ];
    let mut i = 0;
    while i < changes.len() {
        let (width, what) = changes[i];
        if width > 0 {
            parts[count] = Part::new(at, width as u8, what);
            at += width as u8;
            count += 1;
        }
        i += 1;
    }
    (parts, count)
}

const fn lists(name: &[Part], reuse: bool) -> [List; WAYS] {
    let (mut all, mut way) = ([([NOTHING; MOST], 0); WAYS], 0);
    while way < WAYS {
        all[way] = list(name, way, reuse);
        way += 1;
    }
    all
}

static REGISTERS: [List; WAYS] = lists(&[Part::new(0, 8, "register number")], true);
static CONSTANTS: [List; WAYS] =
    lists(&[Part::new(0, 14, "offset in words"), Part::new(14, 5, "bank")], false);

impl Source {
    /// Which of them it is.
    fn way(self) -> usize {
        let parts = if self.parts.is_empty() { 0 } else { self.parts.len().ilog2() as usize };
        usize::from(self.negate)
            | usize::from(self.inverts) << 1
            | usize::from(self.absolute) << 2
            | parts << 3
    }

    fn of(self, all: &'static [List; WAYS]) -> &'static [Part] {
        all.get(self.way()).and_then(|(parts, count)| parts.get(..*count)).unwrap_or_default()
    }

    /// The bits of a register that is read.
    pub(super) fn register_parts(self) -> &'static [Part] {
        self.of(&REGISTERS)
    }

    /// The bits of a constant that is read.
    pub(super) fn constant_parts(self) -> &'static [Part] {
        self.of(&CONSTANTS)
    }
}

/// The bits of a register that is written, as far as the operand has them.
pub(super) const WRITTEN: &[Part] =
    &[Part::new(0, 8, "register number"), Part::new(8, 1, "sets the condition codes")];
/// The bits of a predicate that is read, as far as the operand has them.
pub(crate) const PREDICATE: &[Part] = &[Part::new(0, 3, "predicate number"), Part::new(3, 1, "negated")];
/// The bits of an address; the offset is as wide as the operand.
pub(super) const ADDRESS: &[Part] = &[Part::new(0, 8, "register number"), Part::new(8, 32, "offset")];
/// The bits of the upper part of a float.
pub(super) const UPPER: &[Part] = &[
    Part::new(0, 20, "upper bits"),
    Part::new(20, 1, "negative"),
    Part::new(21, 1, "magnitude"),
    Part::new(22, 2, "which part"),
];
/// The bits of a whole float of 32 bits.
pub(super) const WHOLE: &[Part] =
    &[Part::new(0, 32, "number"), Part::new(32, 1, "negative"), Part::new(33, 1, "magnitude")];
