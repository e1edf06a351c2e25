//! Rows: all facts about one encoding form of an instruction.

use crate::{Field, Insn, Isa, Lift, Modifier, Name, Operand, Slot, Spelling, Word};
use shisa_diag::Diagnostic;

/// A rule for an instruction beyond its encoding.
pub struct Rule<I: Isa> {
    /// Code of the finding.
    pub code: shisa_diag::Code,
    /// Returns a diagnostic if the instruction breaks the rule.
    pub check: fn(&Insn<I>, I::Ctx<'_>) -> Option<Diagnostic>,
}

/// A row: one encoding form of an instruction.
pub struct Form<I: Isa> {
    /// Mnemonic without modifiers.
    pub name: &'static str,
    /// The mnemonic as a [`Name`], ready to be copied.
    pub label: Name,
    /// Every bit that has a meaning in the row, the lowest 64 first.
    pub known: [u64; 3],
    /// Values of the fixed bits, which are in the lowest 128 bits of the word.
    pub bits: u128,
    /// The positions of the fixed bits.
    pub mask: u128,
    /// Bits without a meaning that compilers set nevertheless.
    pub filler: u128,
    /// Suffixes in the order in which they are written.
    pub modifiers: &'static [Modifier],
    /// The suffixes, with the same fields, in an edition of the instruction set that names them differently
    /// ([`Isa::older`]).
    pub older: Option<&'static [Modifier]>,
    /// Whether there is no blank before the first operand.
    pub close: bool,
    /// Whether operands distinguish the values of modifiers that share a name.
    pub refined: bool,
    /// Operands in the order in which they are written.
    pub operands: &'static [Operand<I>],
    /// Whether the row takes none of the operands that come before the mnemonic in other rows.
    pub bare: bool,
    /// Attributes that only this instruction set has: versions, stages, length.
    pub attr: I::Attr,
    /// Further rules.
    pub rules: &'static [Rule<I>],
    /// One sentence that describes the instruction.
    pub summary: &'static str,
    /// Text and word; tests check both directions.
    pub examples: &'static [(&'static str, I::Word)],
    /// The text of another tool, if it differs in more than the operands' kinds.
    pub spelling: Option<Spelling<I>>,
    /// The rows, by name, that win if both they and this row match; at most two.
    pub yields_to: [Option<&'static str>; 2],
    /// Whether every row before it in the table wins if both match.
    pub otherwise: bool,
    /// The only definition of what the instruction does.
    pub lift: fn(&mut Lift<'_, '_, I>),
}

// Derived impls would require the projections of `I` to be `Copy`, which references to them do not need.
impl<I: Isa> Clone for Rule<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Rule<I> {}

impl<I: Isa> Clone for Form<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Form<I> {}

impl<I: Isa> Form<I> {
    /// A row without modifiers, rules, summary or examples.
    ///
    /// # Panics
    /// At compile time, if a fixed bit is set outside the mask, two operands share a slot, or operands overlap each
    /// other or the fixed bits.
    pub const fn new(
        name: &'static str,
        bits: u128,
        mask: u128,
        operands: &'static [Operand<I>],
        attr: I::Attr,
        lift: fn(&mut Lift<'_, '_, I>),
    ) -> Self {
        assert!(bits & !mask == 0, "a fixed bit is outside the mask");
        let mut known = [mask as u64, (mask >> 64) as u64, 0];
        let mut i = 0;
        while i < operands.len() {
            known = operands[i].field.cover(known);
            assert!(!operands[i].field.touches(mask), "an operand overlaps the fixed bits");
            let mut j = i + 1;
            while j < operands.len() {
                assert!(operands[i].slot.0 != operands[j].slot.0, "two operands share a slot");
                assert!(!operands[i].field.overlaps(&operands[j].field), "two operands share a bit");
                j += 1;
            }
            i += 1;
        }
        Form {
            name,
            label: Name::new(name),
            known,
            bits,
            mask,
            filler: 0,
            modifiers: &[],
            older: None,
            close: false,
            refined: false,
            operands,
            bare: false,
            attr,
            rules: &[],
            summary: "",
            examples: &[],
            spelling: None,
            yields_to: [None; 2],
            otherwise: false,
            lift,
        }
    }

    /// Adds suffixes.
    pub const fn modifiers(mut self, modifiers: &'static [Modifier]) -> Self {
        let mut i = 0;
        while i < modifiers.len() {
            self.known = modifiers[i].field.cover(self.known);
            i += 1;
        }
        self.modifiers = modifiers;
        self
    }

    /// States that operands distinguish the values of modifiers that share a name.
    pub const fn refined(mut self) -> Self {
        self.refined = true;
        self
    }

    /// Sets bits without a meaning, as compilers do. The hardware ignores them; the assembler writes them.
    pub const fn filler(mut self, bits: u128) -> Self {
        self.filler = bits;
        self
    }

    /// Sets the suffixes of an older edition of the instruction set, if they differ.
    pub const fn older(mut self, modifiers: &'static [Modifier]) -> Self {
        self.older = Some(modifiers);
        self
    }

    /// Omits the blank before the first operand.
    pub const fn close(mut self) -> Self {
        self.close = true;
        self
    }

    /// Takes none of the operands that come before the mnemonic in other rows: their bits have no meaning.
    pub const fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Sets the attributes that only this instruction set has.
    pub const fn attr(mut self, attr: I::Attr) -> Self {
        self.attr = attr;
        self
    }

    /// Adds rules.
    pub const fn rules(mut self, rules: &'static [Rule<I>]) -> Self {
        self.rules = rules;
        self
    }

    /// Sets the one-sentence description.
    pub const fn says(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Adds tested examples.
    pub const fn examples(mut self, examples: &'static [(&'static str, I::Word)]) -> Self {
        self.examples = examples;
        self
    }

    /// Sets the text of another tool.
    pub const fn spelled(mut self, spelling: Spelling<I>) -> Self {
        self.spelling = Some(spelling);
        self
    }

    /// Declares that `other` wins if both rows match. May be called twice.
    ///
    /// # Panics
    /// At compile time, if it is called a third time.
    pub const fn yields_to(mut self, other: &'static str) -> Self {
        let next = self.yields_to[0].is_some() as usize;
        assert!(self.yields_to[next].is_none(), "a row yields to two names at most");
        self.yields_to[next] = Some(other);
        self
    }

    /// Declares that every row before it in the table wins if both match: the row is for words that have no other row.
    pub const fn otherwise(mut self) -> Self {
        self.otherwise = true;
        self
    }

    /// The operand of this slot.
    pub fn operand(&self, slot: Slot) -> Option<&Operand<I>> {
        self.operands.iter().find(|o| o.slot == slot)
    }

    /// The shared operands before the mnemonic that this row takes: all of them except those whose bits are fixed.
    pub fn prefix(&self) -> impl Iterator<Item = &'static Operand<I>> + use<I> {
        let fixed = if self.bare { u128::MAX } else { self.mask };
        I::prefix().iter().filter(move |o| !o.field.touches(fixed))
    }

    /// The shared operands at the end that this row takes, as [`Form::prefix`].
    pub fn suffix(&self) -> impl Iterator<Item = &'static Operand<I>> + use<I> {
        let fixed = self.mask;
        I::suffix().iter().filter(move |o| !o.field.touches(fixed))
    }

    /// The suffixes in the edition of the instruction set that the context selects.
    #[inline]
    pub fn suffixes(&self, ctx: I::Ctx<'_>) -> &'static [Modifier] {
        match self.older {
            Some(names) if I::older(ctx) => names,
            _ => self.modifiers,
        }
    }

    /// The fields of its modifiers and operands, including the shared operands.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let shared = self.prefix().chain(self.suffix());
        shared.chain(self.operands).map(|o| &o.field).chain(self.modifiers.iter().map(|m| &m.field))
    }

    /// A word in which every bit that has a meaning in the row is set.
    #[inline]
    pub fn known(&self) -> I::Word {
        let mut w = I::Word::from_words(self.known);
        for op in self.prefix().chain(self.suffix()) {
            op.field.set(&mut w, u64::MAX);
        }
        w
    }

    /// The word in which only the fixed bits and the filler are set.
    #[inline]
    pub fn template(&self) -> I::Word {
        let bits = self.bits | self.filler;
        I::Word::from_words([bits as u64, (bits >> 64) as u64, 0])
    }
}

impl Field {
    /// `words` with the field's bits set.
    const fn cover(&self, mut words: [u64; 3]) -> [u64; 3] {
        let mut i = 0;
        while i < self.len as usize {
            let (lo, width) = self.runs[i];
            let mut b = lo as usize;
            while b < lo as usize + width as usize && b < 192 {
                words[b / 64] |= 1 << (b % 64);
                b += 1;
            }
            i += 1;
        }
        words
    }

    /// Whether any bit is within `mask` (the lowest 128 bits of the word).
    const fn touches(&self, mask: u128) -> bool {
        let mut i = 0;
        while i < self.len as usize {
            let (lo, width) = self.runs[i];
            let bits = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
            if lo < 128 && mask >> lo & bits != 0 {
                return true;
            }
            i += 1;
        }
        false
    }

    /// Whether both fields have a bit in common.
    const fn overlaps(&self, other: &Field) -> bool {
        let mut i = 0;
        while i < self.len as usize {
            let mut j = 0;
            while j < other.len as usize {
                let ((a, n), (b, m)) = (self.runs[i], other.runs[j]);
                if (a as u16) < b as u16 + m as u16 && (b as u16) < a as u16 + n as u16 {
                    return true;
                }
                j += 1;
            }
            i += 1;
        }
        false
    }
}
