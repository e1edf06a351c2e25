//! Rows: everything about one encoding form of an instruction.

use crate::{Field, Insn, Isa, Lift, Modifier, Name, Operand, Slot, Spelling, Word};
use shisa_diag::Diagnostic;

/// A rule that an instruction must obey beyond its encoding.
pub struct Rule<I: Isa> {
    /// Code of the finding.
    pub code: shisa_diag::Code,
    /// Finds a breach.
    pub check: fn(&Insn<I>, I::Ctx<'_>) -> Option<Diagnostic>,
}

/// A row: one encoding form of an instruction.
pub struct Form<I: Isa> {
    /// Mnemonic without modifiers.
    pub name: &'static str,
    /// The same, ready to be copied.
    pub label: Name,
    /// Every bit that the row gives a meaning, the lowest 64 first.
    pub known: [u64; 3],
    /// Values of the fixed bits, which lie in the lowest 128 bits of the word.
    pub bits: u128,
    /// Which bits are fixed.
    pub mask: u128,
    /// Bits without a meaning that are set all the same, as compilers do.
    pub filler: u128,
    /// Suffixes in the order written.
    pub modifiers: &'static [Modifier],
    /// The suffixes, with the same fields, in an edition of the instruction set that names them differently
    /// ([`Isa::older`]).
    pub older: Option<&'static [Modifier]>,
    /// Whether no blank stands before the first operand.
    pub close: bool,
    /// Whether operands tell apart the values of modifiers that share a name.
    pub refined: bool,
    /// Operands in the order written.
    pub operands: &'static [Operand<I>],
    /// Whether it takes none of the operands that stand before the mnemonic in other rows.
    pub bare: bool,
    /// What only this instruction set knows about a form: versions, stages, length.
    pub attr: I::Attr,
    /// Further rules.
    pub rules: &'static [Rule<I>],
    /// One sentence for people.
    pub summary: &'static str,
    /// Text and word; both directions are tested.
    pub examples: &'static [(&'static str, I::Word)],
    /// How another tool writes the instruction, if its text differs in more than the operands' kinds.
    pub spelling: Option<Spelling<I>>,
    /// The rows that win where this one and they both match, by name; at most two.
    pub yields_to: [Option<&'static str>; 2],
    /// The one statement of what the instruction does.
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
    /// A row with no modifiers, rules, summary or examples yet.
    ///
    /// # Panics
    /// At compile time: when a fixed bit is set outside the mask, two operands share a slot, or operands
    /// overlap each other or the fixed bits.
    pub const fn new(
        name: &'static str,
        bits: u128,
        mask: u128,
        operands: &'static [Operand<I>],
        attr: I::Attr,
        lift: fn(&mut Lift<'_, '_, I>),
    ) -> Self {
        assert!(bits & !mask == 0, "a fixed bit lies outside the mask");
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

    /// Says that operands tell apart the values of modifiers that share a name.
    pub const fn refined(mut self) -> Self {
        self.refined = true;
        self
    }

    /// Sets bits that mean nothing, as compilers do. The machine ignores them; the assembler writes them.
    pub const fn filler(mut self, bits: u128) -> Self {
        self.filler = bits;
        self
    }

    /// Names the suffixes as an older edition of the instruction set does, where it differs.
    pub const fn older(mut self, modifiers: &'static [Modifier]) -> Self {
        self.older = Some(modifiers);
        self
    }

    /// Writes no blank before the first operand.
    pub const fn close(mut self) -> Self {
        self.close = true;
        self
    }

    /// Takes none of the operands that stand before the mnemonic in other rows: their bits mean nothing.
    pub const fn bare(mut self) -> Self {
        self.bare = true;
        self
    }

    /// Says what only this instruction set knows.
    pub const fn attr(mut self, attr: I::Attr) -> Self {
        self.attr = attr;
        self
    }

    /// Adds rules.
    pub const fn rules(mut self, rules: &'static [Rule<I>]) -> Self {
        self.rules = rules;
        self
    }

    /// Says in one sentence what it does.
    pub const fn says(mut self, summary: &'static str) -> Self {
        self.summary = summary;
        self
    }

    /// Adds tested examples.
    pub const fn examples(mut self, examples: &'static [(&'static str, I::Word)]) -> Self {
        self.examples = examples;
        self
    }

    /// Says how another tool writes the instruction.
    pub const fn spelled(mut self, spelling: Spelling<I>) -> Self {
        self.spelling = Some(spelling);
        self
    }

    /// Declares that `other` wins where both match. May be said twice.
    ///
    /// # Panics
    /// At compile time, when it is said a third time.
    pub const fn yields_to(mut self, other: &'static str) -> Self {
        let next = self.yields_to[0].is_some() as usize;
        assert!(self.yields_to[next].is_none(), "a row yields to two names at most");
        self.yields_to[next] = Some(other);
        self
    }

    /// The operand of this slot.
    pub fn operand(&self, slot: Slot) -> Option<&Operand<I>> {
        self.operands.iter().find(|o| o.slot == slot)
    }

    /// Of the operands before the mnemonic that rows share those that this one takes: it does without one
    /// whose bits are fixed.
    pub fn prefix(&self) -> impl Iterator<Item = &'static Operand<I>> + use<I> {
        let fixed = if self.bare { u128::MAX } else { self.mask };
        I::prefix().iter().filter(move |o| !o.field.touches(fixed))
    }

    /// Of the operands at the end that rows share those that this one takes, as [`Form::prefix`].
    pub fn suffix(&self) -> impl Iterator<Item = &'static Operand<I>> + use<I> {
        let fixed = self.mask;
        I::suffix().iter().filter(move |o| !o.field.touches(fixed))
    }

    /// The suffixes as this edition of the instruction set names them.
    #[inline]
    pub fn suffixes(&self, ctx: I::Ctx<'_>) -> &'static [Modifier] {
        match self.older {
            Some(names) if I::older(ctx) => names,
            _ => self.modifiers,
        }
    }

    /// The fields of its modifiers and operands, those that all rows share included.
    pub fn fields(&self) -> impl Iterator<Item = &Field> {
        let shared = self.prefix().chain(self.suffix());
        shared.chain(self.operands).map(|o| &o.field).chain(self.modifiers.iter().map(|m| &m.field))
    }

    /// A word with every bit set that the row gives a meaning.
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

    /// Whether any bit lies within `mask` (the lowest 128 bits of the word).
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

    /// Whether both have a bit.
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
