//! What an instruction set provides, and decoding by its rows.

use crate::{Form, Lift, Operand, Slot, Word};
use shisa_ir::{FloatRule, Value};

/// An instruction set: its words and its rows.
pub trait Isa: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The fused word.
    type Word: Word;
    /// What print, parse, check and lift know of an instruction's surroundings: program counter, chip,
    /// stage, version, symbols. Matching never sees it.
    type Ctx<'a>: Copy;
    /// What only this instruction set knows about a form.
    type Attr: Copy + Send + Sync + 'static;

    /// The rows.
    fn table() -> &'static Table<Self>;

    /// The rule that an instruction's modifiers give its float operations.
    fn float_rule(insn: &Insn<Self>, ctx: Self::Ctx<'_>) -> FloatRule {
        let _ = (insn, ctx);
        FloatRule::IEEE
    }

    /// Operands that every row has and that stand before the mnemonic, such as a guard. They write the
    /// blank behind themselves.
    fn prefix() -> &'static [Operand<Self>] {
        &[]
    }

    /// Operands that every row has and that stand behind all others. They write the blank before
    /// themselves.
    fn suffix() -> &'static [Operand<Self>] {
        &[]
    }

    /// Whether an older edition of the instruction set is meant, which names some suffixes differently.
    fn older(ctx: Self::Ctx<'_>) -> bool {
        let _ = ctx;
        false
    }

    /// Blanks are written behind a mnemonic up to this column.
    const COLUMN: usize = 0;

    /// Begins a lift: the truth value on which all effects of the instruction depend, if there is one.
    fn guard(lift: &mut Lift<'_, '_, Self>) -> Option<Value> {
        let _ = lift;
        None
    }
}

/// Rows with an index: a few bits of the word lead to the rows that can match.
pub struct Table<I: Isa> {
    forms: &'static [Form<I>],
    lo: u32,
    width: u32,
    /// For each value of the index bits, where its rows begin in `order`; one more at the end.
    starts: &'static [u16],
    order: &'static [u16],
}

impl<I: Isa> Table<I> {
    /// A table from what [`starts`] and [`order`] computed for the same rows and index bits.
    pub const fn new(
        forms: &'static [Form<I>],
        lo: u32,
        width: u32,
        starts: &'static [u16],
        order: &'static [u16],
    ) -> Self {
        Table { forms, lo, width, starts, order }
    }

    /// The rows, in order.
    pub const fn forms(&self) -> &'static [Form<I>] {
        self.forms
    }

    /// The first row that matches. Rows earlier in the table win.
    #[inline]
    pub fn find(&self, word: &I::Word) -> Option<u16> {
        let key = word.key();
        let i = (key >> self.lo) as usize & ((1 << self.width) - 1);
        let run = usize::from(*self.starts.get(i)?)..usize::from(*self.starts.get(i + 1)?);
        self.order.get(run)?.iter().copied().find(|&f| {
            let form = &self.forms[usize::from(f)];
            key & form.mask == form.bits
        })
    }
}

const fn matches<I: Isa>(form: &Form<I>, lo: u32, width: u32, value: usize) -> bool {
    let window = ((1u128 << width) - 1) << lo;
    ((value as u128) << lo) & form.mask & window == form.bits & window
}

/// How many (index value, row) pairs there are: the length of [`order`].
pub const fn pairs<I: Isa>(forms: &[Form<I>], lo: u32, width: u32) -> usize {
    let (mut n, mut f) = (0, 0);
    while f < forms.len() {
        let fixed = (forms[f].mask >> lo & ((1u128 << width) - 1)).count_ones();
        n += 1usize << (width - fixed);
        f += 1;
    }
    n
}

/// The rows of each value of the index bits, one value behind the other.
pub const fn order<I: Isa, const N: usize>(forms: &[Form<I>], lo: u32, width: u32) -> [u16; N] {
    let (mut out, mut n, mut v) = ([0; N], 0, 0);
    while v < 1 << width {
        let mut f = 0;
        while f < forms.len() {
            if matches(&forms[f], lo, width, v) {
                out[n] = f as u16;
                n += 1;
            }
            f += 1;
        }
        v += 1;
    }
    assert!(n == N, "the order's length is what `pairs` says");
    out
}

/// Where each value's rows begin in [`order`]; `N` is one more than the number of values.
pub const fn starts<I: Isa, const N: usize>(forms: &[Form<I>], lo: u32, width: u32) -> [u16; N] {
    assert!(N == (1 << width) + 1, "one start for each value and one for the end");
    let (mut out, mut n, mut v) = ([0; N], 0, 0);
    while v < 1 << width {
        out[v] = n;
        let mut f = 0;
        while f < forms.len() {
            n += matches(&forms[f], lo, width, v) as u16;
            f += 1;
        }
        v += 1;
    }
    out[N - 1] = n;
    out
}

/// How many rows all groups have together.
pub const fn count<I: Isa>(groups: &[&[Form<I>]]) -> usize {
    let (mut n, mut g) = (0, 0);
    while g < groups.len() {
        n += groups[g].len();
        g += 1;
    }
    n
}

/// The rows of all groups, one group behind the other; `N` is their [`count`].
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

/// Makes the [`Table`] of an instruction set at compile time: its groups of rows (the first not empty),
/// and the index bits as lowest bit and width.
#[macro_export]
macro_rules! table {
    ($isa:ty, $groups:expr, $lo:expr, $width:expr) => {{
        const GROUPS: &[&[$crate::Form<$isa>]] = $groups;
        const FORMS: &[$crate::Form<$isa>; $crate::count(GROUPS)] = &$crate::concat(GROUPS);
        const PAIRS: usize = $crate::pairs(FORMS, $lo, $width);
        const ORDER: &[u16; PAIRS] = &$crate::order(FORMS, $lo, $width);
        const STARTS: &[u16; (1 << $width) + 1] = &$crate::starts(FORMS, $lo, $width);
        static TABLE: $crate::Table<$isa> = $crate::Table::new(FORMS, $lo, $width, STARTS, ORDER);
        &TABLE
    }};
}

/// A decoded instruction: its word and its row. Operands are read on demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insn<I: Isa> {
    /// The fused word.
    pub word: I::Word,
    /// The row's number in the table.
    form: u16,
}

impl<I: Isa> Insn<I> {
    /// Decodes a word; `None` when no row matches.
    #[inline]
    pub fn decode(word: I::Word) -> Option<Self> {
        let form = I::table().find(&word)?;
        Some(Insn { word, form })
    }

    /// An instruction of a chosen row, without asking whether the word matches it.
    pub(crate) const fn of(word: I::Word, form: u16) -> Self {
        Insn { word, form }
    }

    /// Its row.
    #[inline]
    pub fn form(&self) -> &'static Form<I> {
        &I::table().forms()[usize::from(self.form)]
    }

    /// The bits of an operand; 0 if the row has none of that name.
    pub fn field(&self, slot: Slot) -> u64 {
        self.form().operand(slot).map_or(0, |o| o.field.get(&self.word))
    }

    /// Bits that the row gives no meaning and that are not as its filler has them.
    pub fn unknown_bits(&self) -> I::Word {
        let form = self.form();
        let (filler, known) =
            (I::Word::from_words([form.filler as u64, (form.filler >> 64) as u64, 0]), form.known());
        // Set without need, or missing.
        self.word.without(&filler).or(&filler.without(&self.word)).without(&known)
    }
}
