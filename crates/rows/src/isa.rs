//! What an instruction set provides: its words, its rows, and their operands.
//!
//! The types of this module are one definition: a row has operands, an operand has a kind, a kind sees the decoded
//! instruction, and the instruction its row.

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

    /// Reports the registers that an instruction reads or writes though none of its operands names them: a carry that is
    /// added, condition codes that a destination sets as well. [`code::effects`](crate::code::effects) adds them.
    fn implied(insn: &Insn<Self>, found: &mut dyn FnMut(Registers)) {
        let _ = (insn, found);
    }

    /// Whether an older edition of the instruction set is meant, which names some suffixes differently.
    fn older(ctx: Self::Ctx<'_>) -> bool {
        let _ = ctx;
        false
    }

    /// Which edition of the instruction set is meant. In one edition a text that names no address always stands
    /// for the same word.
    fn edition(ctx: Self::Ctx<'_>) -> u8 {
        let _ = ctx;
        0
    }

    /// Blanks are written behind a mnemonic up to this column.
    const COLUMN: usize = 0;

    /// Begins a lift: the truth value on which all effects of the instruction depend, if there is one.
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

    /// Decodes what instructions of different lengths begin with: `cut` gives the part that a row, told by its number
    /// in the table, sees. The index bits are part of every row's.
    #[inline]
    pub fn decode_part(word: I::Word, cut: impl Fn(usize) -> Option<I::Word>) -> Option<Self> {
        let table = I::table();
        table.candidates(word.key())?.iter().find_map(|&form| {
            let row = usize::from(form);
            let (word, (mask, bits)) = (cut(row)?, table.keys.get(row)?);
            (word.key() & mask == *bits).then_some(Insn { word, form })
        })
    }

    /// An instruction of a chosen row, without asking whether the word matches it.
    pub(crate) const fn of(word: I::Word, form: u16) -> Self {
        Insn { word, form }
    }

    /// The row's number in the table.
    #[inline]
    pub const fn number(&self) -> usize {
        self.form as usize
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

/// Name of an operand within its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Slot(pub u8);

/// An operand of a row.
pub struct Operand<I: Isa> {
    /// Its name within the row.
    pub slot: Slot,
    /// Its bits.
    pub field: Field,
    /// What the bits mean.
    pub kind: &'static dyn Kind<I>,
}

impl<I: Isa> Clone for Operand<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Operand<I> {}

/// A kind of operand: how its bits are written as text, how the text is read back, and what value they are.
///
/// These six methods define a kind. [`Details`] and [`Hints`] hold what only some kinds have; a kind that has nothing
/// to add implements both without methods:
///
/// ```ignore
/// impl Details<Agal> for Dest {}
/// impl Hints<Agal> for Dest {}
/// ```
pub trait Kind<I: Isa>: Details<I> + Hints<I> + Sync + core::any::Any {
    /// Names the kind in the reference: `vector source`, `write mask`.
    fn describe(&self) -> &'static str;

    /// Writes the operand as text.
    fn print(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>);

    /// Reads the operand from text into `word`.
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

    /// Whether [`Kind::parse`] reads the same bits from the text that [`Kind::print`] writes.
    fn faithful(&self, op: &Operand<I>, insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool;

    /// Emits the operations that read the operand, and returns its value.
    fn read(&self, op: &Operand<I>, lift: &mut Lift<'_, '_, I>) -> Value;

    /// Emits the operations that write `value` to the operand. The default refuses to lift the instruction: it is for
    /// operands that are only read.
    fn write(&self, op: &Operand<I>, lift: &mut Lift<'_, '_, I>, value: Value) {
        let _ = (op, value);
        lift.refuse(Diagnostic::error("lift-operand", "this operand cannot be written"));
    }
}
