//! Sets of few pointers.

use crate::Pointer;
use core::ops::Deref;

/// More terms of a sum than this are not followed.
pub(super) const TERMS: usize = 8;

/// The constants that a value has as terms: for a value of 64 bits pointers in constant memory, for one of 32 bits words of
/// them. No constant occurs twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Set {
    list: [Pointer; TERMS],
    count: usize,
}

impl Set {
    /// No terms.
    pub(super) const EMPTY: Set = Set { list: [Pointer { bank: 0, offset: 0 }; TERMS], count: 0 };

    /// The terms of a sum of two values. A constant that is added twice is no start of an address.
    pub(super) fn sum(self, other: Set) -> Set {
        let own = self.iter().filter(|p| !other.contains(p));
        own.chain(other.iter().filter(|p| !self.contains(p))).copied().collect()
    }

    /// The terms that two values have in common.
    pub(super) fn common(self, other: Set) -> Set {
        self.iter().filter(|p| other.contains(p)).copied().collect()
    }
}

impl Deref for Set {
    type Target = [Pointer];

    fn deref(&self) -> &[Pointer] {
        &self.list[..self.count]
    }
}

/// Of different constants; of too many, no set at all.
impl FromIterator<Pointer> for Set {
    fn from_iter<I: IntoIterator<Item = Pointer>>(pointers: I) -> Set {
        let mut set = Set::EMPTY;
        for pointer in pointers {
            let Some(slot) = set.list.get_mut(set.count) else { return Set::EMPTY };
            *slot = pointer;
            set.count += 1;
        }
        set
    }
}
