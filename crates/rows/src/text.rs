//! The generic printer: mnemonic, modifiers, operands separated by commas.

use crate::{Form, Insn, Isa, Line, Modifier, Name, Operand, Word};

/// A piece of an instruction's text.
pub(crate) enum Piece<I: Isa> {
    /// An operand that all rows share.
    Shared(&'static Operand<I>),
    /// The mnemonic with its suffixes.
    Name,
    /// The blanks before the first operand, if that operand is always written.
    Blank,
    /// An operand of the row, with the separator before it.
    Operand(&'static Operand<I>),
}

/// The separator before the next operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Before {
    /// Blanks up to a column, counted from this offset, at which the mnemonic begins.
    Blanks(usize),
    /// Nothing: the blanks are already written.
    Nothing,
    /// A comma.
    Comma,
}

/// The pieces of a row's text, in the order written.
pub(crate) fn pieces<I: Isa>(form: &'static Form<I>) -> impl Iterator<Item = Piece<I>> {
    let blank = form.operands.first().filter(|op| !op.kind.optional()).map(|_| Piece::Blank);
    let own = form.operands.iter().map(Piece::Operand);
    form.prefix()
        .map(Piece::Shared)
        .chain([Piece::Name])
        .chain(blank)
        .chain(own)
        .chain(form.suffix().map(Piece::Shared))
}

impl<I: Isa> Piece<I> {
    /// The operand, if it is one.
    pub(crate) const fn operand(&self) -> Option<&'static Operand<I>> {
        match self {
            Piece::Shared(op) | Piece::Operand(op) => Some(op),
            _ => None,
        }
    }

    /// Prints the piece, and returns the separator before the next operand.
    pub(crate) fn print(
        &self,
        before: Before,
        insn: &Insn<I>,
        ctx: I::Ctx<'_>,
        out: &mut Line<'_>,
    ) -> Before {
        let form = insn.form();
        match self {
            Piece::Shared(op) => {
                if op.kind.shown(op, insn, ctx) {
                    op.kind.print(op, insn, ctx, out);
                }
                before
            }
            Piece::Name => {
                let start = out.written();
                out.name(&form.label);
                for m in form.suffixes(ctx) {
                    out.text(m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or(""));
                }
                Before::Blanks(start)
            }
            Piece::Blank => {
                before.print(form, out);
                Before::Nothing
            }
            Piece::Operand(op) => {
                if !op.kind.shown(op, insn, ctx) {
                    return before;
                }
                before.print(form, out);
                op.kind.print(op, insn, ctx, out);
                Before::Comma
            }
        }
    }

    /// Whether its text determines all bits that it prints.
    pub(crate) fn is_lossless(&self, insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
        match self {
            Piece::Shared(op) | Piece::Operand(op) => op.kind.faithful(op, insn, ctx),
            Piece::Name => suffixes_are_lossless(insn),
            Piece::Blank => true,
        }
    }
}

impl Before {
    fn print<I: Isa>(self, form: &Form<I>, out: &mut Line<'_>) {
        match self {
            Before::Blanks(start) => {
                let column = (start + I::COLUMN).saturating_sub(out.written());
                out.blanks(column + usize::from(!form.close));
            }
            Before::Nothing => {}
            Before::Comma => out.name(const { &Name::new(", ") }),
        }
    }
}

/// Prints an instruction as text, without a line break.
pub fn print<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
    pieces(insn.form()).fold(Before::Nothing, |before, piece| piece.print(before, insn, ctx, out));
}

/// Whether parsing the text that [`print`] writes yields the same word.
pub fn faithful<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    insn.unknown_bits().is_zero() && determines(insn, ctx)
}

/// Whether the text that [`print`] writes determines all bits that have a meaning in the row.
pub fn determines<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    pieces(insn.form()).all(|piece| piece.is_lossless(insn, ctx))
}

/// Whether the suffixes determine the values of their fields.
fn suffixes_are_lossless<I: Isa>(insn: &Insn<I>) -> bool {
    let form = insn.form();
    form.modifiers.iter().all(|m| m.faithful(m.field.get(&insn.word) as usize, form.refined))
}

impl Modifier {
    /// Whether the value has a name that denotes no earlier value, unless operands distinguish them.
    fn faithful(&self, value: usize, refined: bool) -> bool {
        self.names.get(value).is_some_and(|name| refined || !self.names[..value].contains(name))
    }
}
