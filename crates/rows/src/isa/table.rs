//! Tables of rows, indexed at compile time by a few bits of the word.

use crate::{Form, Isa, Word};

/// Rows with an index: a few bits of the word select the rows that can match.
pub struct Table<I: Isa> {
    forms: &'static [Form<I>],
    /// The positions and values of the fixed bits of each row.
    pub(super) keys: &'static [(u128, u128)],
    lo: u32,
    width: u32,
    /// For each value of the index bits, the start of its rows in `order`, and one more at the end.
    starts: &'static [u16],
    order: &'static [u16],
}

impl<I: Isa> Table<I> {
    /// A table from the results of [`keys`], [`starts`] and [`order`] for the same rows and index bits.
    pub const fn new(
        forms: &'static [Form<I>],
        keys: &'static [(u128, u128)],
        lo: u32,
        width: u32,
        starts: &'static [u16],
        order: &'static [u16],
    ) -> Self {
        Table { forms, keys, lo, width, starts, order }
    }

    /// The rows, in order.
    pub const fn forms(&self) -> &'static [Form<I>] {
        self.forms
    }

    /// The rows that can match, selected by the index bits.
    #[inline]
    pub(super) fn candidates(&self, key: u128) -> Option<&'static [u16]> {
        let i = (key >> self.lo) as usize & ((1 << self.width) - 1);
        let run = usize::from(*self.starts.get(i)?)..usize::from(*self.starts.get(i + 1)?);
        self.order.get(run)
    }

    /// The first row that matches. Rows earlier in the table win.
    #[inline]
    pub fn find(&self, word: &I::Word) -> Option<u16> {
        let key = word.key();
        let fits = |f: &u16| self.keys.get(usize::from(*f)).is_some_and(|(mask, bits)| key & mask == *bits);
        self.candidates(key)?.iter().copied().find(fits)
    }
}

/// The index bits of a row: the values of the fixed ones, and the positions of the others.
const fn window<I: Isa>(form: &Form<I>, lo: u32, width: u32) -> (usize, usize) {
    let all = (1 << width) - 1;
    ((form.bits >> lo) as usize & all, !(form.mask >> lo) as usize & all)
}

/// The positions and values of the fixed bits of each row, in one compact array. `N` is the number of rows.
pub const fn keys<I: Isa, const N: usize>(forms: &[Form<I>]) -> [(u128, u128); N] {
    assert!(N == forms.len(), "every row has a key");
    let (mut out, mut f) = ([(0, 0); N], 0);
    while f < N {
        out[f] = (forms[f].mask, forms[f].bits);
        f += 1;
    }
    out
}

/// Number of (index value, row) pairs: the length of [`order`].
pub const fn pairs<I: Isa>(forms: &[Form<I>], lo: u32, width: u32) -> usize {
    let (mut n, mut f) = (0, 0);
    while f < forms.len() {
        n += 1usize << window(&forms[f], lo, width).1.count_ones();
        f += 1;
    }
    n
}

/// The rows of each value of the index bits, one value after the other; [`starts`] has the start of each.
pub const fn order<I: Isa, const N: usize, const M: usize>(
    forms: &[Form<I>],
    lo: u32,
    width: u32,
    starts: &[u16; M],
) -> [u16; N] {
    let (mut out, mut next, mut f) = ([0; N], *starts, 0);
    while f < forms.len() {
        let (bits, free) = window(&forms[f], lo, width);
        // Iterates over all values of the bits that are not fixed.
        let mut some = 0;
        loop {
            let v = bits | some;
            out[next[v] as usize] = f as u16;
            next[v] += 1;
            some = some.wrapping_sub(free) & free;
            if some == 0 {
                break;
            }
        }
        f += 1;
    }
    out
}

/// The start of each value's rows in [`order`]; `N` is the number of values plus one.
pub const fn starts<I: Isa, const N: usize>(forms: &[Form<I>], lo: u32, width: u32) -> [u16; N] {
    assert!(N == (1 << width) + 1, "one start for each value and one for the end");
    assert!(pairs(forms, lo, width) <= u16::MAX as usize, "there are too many rows for so wide an index");
    let (mut out, mut f) = ([0; N], 0);
    while f < forms.len() {
        let (bits, free) = window(&forms[f], lo, width);
        let mut some = 0;
        loop {
            out[(bits | some) + 1] += 1;
            some = some.wrapping_sub(free) & free;
            if some == 0 {
                break;
            }
        }
        f += 1;
    }
    let mut v = 1;
    while v < N {
        out[v] += out[v - 1];
        v += 1;
    }
    out
}

/// Number of rows in all groups together.
pub const fn count<I: Isa>(groups: &[&[Form<I>]]) -> usize {
    let (mut n, mut g) = (0, 0);
    while g < groups.len() {
        n += groups[g].len();
        g += 1;
    }
    n
}

/// The rows of all groups, one group after the other; `N` is their [`count`].
pub const fn concat<I: Isa, const N: usize>(groups: &[&[Form<I>]]) -> [Form<I>; N] {
    let (mut out, mut n, mut g) = ([groups[0][0]; N], 0, 0);
    while g < groups.len() {
        let mut i = 0;
        while i < groups[g].len() {
            out[n] = groups[g][i];
            n += 1;
            i += 1;
        }
        g += 1;
    }
    assert!(n == N, "every row is counted");
    out
}

/// Builds the [`Table`] of an instruction set at compile time, from its groups of rows (the first one must not be
/// empty) and the index bits, given as lowest bit and width.
#[macro_export]
macro_rules! table {
    ($isa:ty, $groups:expr, $lo:expr, $width:expr) => {{
        const GROUPS: &[&[$crate::Form<$isa>]] = $groups;
        const FORMS: &[$crate::Form<$isa>; $crate::count(GROUPS)] = &$crate::concat(GROUPS);
        const PAIRS: usize = $crate::pairs(FORMS, $lo, $width);
        const STARTS: &[u16; (1 << $width) + 1] = &$crate::starts(FORMS, $lo, $width);
        const ORDER: &[u16; PAIRS] = &$crate::order(FORMS, $lo, $width, STARTS);
        const KEYS: &[(u128, u128); $crate::count(GROUPS)] = &$crate::keys(FORMS);
        static TABLE: $crate::Table<$isa> = $crate::Table::new(FORMS, KEYS, $lo, $width, STARTS, ORDER);
        &TABLE
    }};
}
