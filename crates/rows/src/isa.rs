//! The parts of an instruction set: words, rows, and operands.
//!
//! The types of this module refer to each other: a row has operands, an operand has a kind, a kind reads the decoded
//! instruction, and the instruction refers to its row.

pub(crate) mod details;
pub(crate) mod form;
pub mod hints;
pub(crate) mod lift;
pub(crate) mod modifier;
pub(crate) mod spelling;
pub(crate) mod table;

use crate::{Field, Line, Scan, Word};
use details::{Details, Registers};
use form::Form;
use hints::Hints;
use lift::Lift;
use shisa_diag::Diagnostic;
use shisa_ir::{FloatRule, Value};
use table::Table;

/// An instruction set: its words and its rows.
pub trait Isa: Copy + core::fmt::Debug + Eq + Send + Sync + 'static {
    /// The fused word.
    type Word: Word;
    /// The context that printing, parsing, checks and lifting use: program counter, chip, stage, version, symbols.
    /// Matching never sees it.
    type Ctx<'a>: Copy;
    /// Attributes of a row that only this instruction set has.
    type Attr: Copy + Send + Sync + 'static;

    /// The rows.
    fn table() -> &'static Table<Self>;

    /// The float rule that an instruction's modifiers select.
    fn float_rule(insn: &Insn<Self>, ctx: Self::Ctx<'_>) -> FloatRule {
        let _ = (insn, ctx);
        FloatRule::IEEE
    }

    /// Operands that every row has and that come before the mnemonic, such as a guard. They write the blank after
    /// themselves.
    fn prefix() -> &'static [Operand<Self>] {
        &[]
    }

    /// Operands that every row has and that come after all others. They write the blank before themselves.
    fn suffix() -> &'static [Operand<Self>] {
        &[]
    }

    /// Reports the registers that an instruction reads or writes although none of its operands names them: a carry that
    /// is added, or condition codes that a destination also sets. [`code::effects`](crate::code::effects) adds them.
    fn implied(insn: &Insn<Self>, found: &mut dyn FnMut(Registers)) {
        let _ = (insn, found);
    }

    /// Whether the context selects an older edition of the instruction set, which names some suffixes differently.
    fn older(ctx: Self::Ctx<'_>) -> bool {
        let _ = ctx;
        false
    }

    /// The edition of the instruction set. Within one edition, a text that contains no address always encodes the same
    /// word.
    fn edition(ctx: Self::Ctx<'_>) -> u8 {
        let _ = ctx;
        0
    }

    /// Blanks are written after a mnemonic up to this column.
    const COLUMN: usize = 0;

    /// Begins a lift. Returns the truth value on which all effects of the instruction depend, if there is one.
    fn guard(lift: &mut Lift<'_, '_, Self>) -> Option<Value> {
        let _ = lift;
        None
    }
}

/// A decoded instruction: its word and its row. Operands are read on demand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insn<I: Isa> {
    /// The fused word.
    pub word: I::Word,
    /// The row's index in the table.
    form: u16,
}

impl<I: Isa> Insn<I> {
    /// Decodes a word; `None` if no row matches.
    #[inline]
    pub fn decode(word: I::Word) -> Option<Self> {
        let form = I::table().find(&word)?;
        Some(Insn { word, form })
    }

    /// Decodes the start of an instruction whose length is not known yet: `cut` returns the part of the word that a
    /// row, given by its index in the table, sees. Every row sees at least the bits of `seen`, and the index bits.
    #[inline]
    pub fn decode_part(word: I::Word, seen: u64, cut: impl Fn(usize) -> Option<I::Word>) -> Option<Self> {
        let (table, key) = (I::table(), word.key());
        table.candidates(key)?.iter().find_map(|&form| {
            let row = usize::from(form);
            let (mask, bits) = table.keys.get(row)?;
            if (key as u64 ^ *bits as u64) & *mask as u64 & seen != 0 {
                return None;
            }
            let word = cut(row)?;
            (word.key() & mask == *bits).then_some(Insn { word, form })
        })
    }

    /// An instruction of a given row, without a check that the word matches it.
    pub(crate) const fn of(word: I::Word, form: u16) -> Self {
        Insn { word, form }
    }

    /// The row's index in the table.
    #[inline]
    pub const fn number(&self) -> usize {
        self.form as usize
    }

    /// Its row.
    #[inline]
    pub fn form(&self) -> &'static Form<I> {
        &I::table().forms()[usize::from(self.form)]
    }

    /// The bits of an operand; 0 if the row has no operand in this slot.
    pub fn field(&self, slot: Slot) -> u64 {
        self.form().operand(slot).map_or(0, |o| o.field.get(&self.word))
    }

    /// Bits without a meaning in the row that differ from the row's filler.
    pub fn unknown_bits(&self) -> I::Word {
        let form = self.form();
        let (filler, known) =
            (I::Word::from_words([form.filler as u64, (form.filler >> 64) as u64, 0]), form.known());
        // Set although the filler has them clear, or clear although the filler has them set.
        self.word.without(&filler).or(&filler.without(&self.word)).without(&known)
    }
}

/// The name of an operand within its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u8);

/// An operand of a row.
pub struct Operand<I: Isa> {
    /// Its name within the row.
    pub slot: Slot,
    /// Its bits.
    pub field: Field,
    /// The meaning of the bits.
    pub kind: &'static dyn Kind<I>,
}

impl<I: Isa> Clone for Operand<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Operand<I> {}

/// A kind of operand: how its bits are printed as text, how the text is parsed, and which value they denote.
///
/// These six methods define a kind. [`Details`] and [`Hints`] hold what only some kinds have; a kind that has nothing
/// to add implements both without methods:
///
/// ```ignore
/// impl Details<Agal> for Dest {}
/// impl Hints<Agal> for Dest {}
/// ```
pub trait Kind<I: Isa>: Details<I> + Hints<I> + Sync + core::any::Any {
    /// The name of the kind in the reference: `vector source`, `write mask`.
    fn describe(&self) -> &'static str;

    /// Prints the operand as text.
    fn print(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>);

    /// Parses the operand into `word`.
    ///
    /// # Errors
    /// A diagnostic that points at the offending text.
    fn parse(
        &self,
        op: &Operand<I>,
        word: &mut I::Word,
        text: &mut Scan<'_>,
        ctx: I::Ctx<'_>,
    ) -> Result<(), Diagnostic>;

    /// Whether [`Kind::parse`] reads the same bits back from the text that [`Kind::print`] writes.
    fn faithful(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool;

    /// Emits the operations that read the operand, and returns the operand's value.
    fn read(&self, op: &Operand<I>, lift: &mut Lift<'_, '_, I>) -> Value;

    /// Emits the operations that write `value` to the operand. The default refuses to lift the instruction, for
    /// operands that are read-only.
    fn write(&self, op: &Operand<I>, lift: &mut Lift<'_, '_, I>, value: Value) {
        let _ = (op, value);
        lift.refuse(Diagnostic::error("lift-operand", "this operand cannot be written"));
    }
}
