//! How another tool writes an instruction: another name, other operands, or the same in another order.

use crate::{Insn, Isa, Line, Modifier, Operand};

/// An instruction's text in the manner of another tool. It is only written, never read.
pub struct Spelling<I: Isa> {
    /// The mnemonic without suffixes.
    pub name: &'static str,
    /// Suffixes in the order written.
    pub modifiers: &'static [Modifier],
    /// Operands in the order written. They need not be the row's.
    pub operands: &'static [Operand<I>],
    /// Words that are written otherwise, and how.
    pub unless: Option<Unless<I>>,
}

impl<I: Isa> Clone for Spelling<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Spelling<I> {}

/// Of which instructions it holds, and how these are written.
type Unless<I> = (fn(&Insn<I>) -> bool, &'static Spelling<I>);

impl<I: Isa> Spelling<I> {
    /// A spelling without suffixes.
    pub const fn new(name: &'static str, operands: &'static [Operand<I>]) -> Self {
        Spelling { name, modifiers: &[], operands, unless: None }
    }

    /// Adds suffixes.
    pub const fn modifiers(mut self, modifiers: &'static [Modifier]) -> Self {
        self.modifiers = modifiers;
        self
    }

    /// Writes words of which something holds in another way.
    pub const fn unless(mut self, holds: fn(&Insn<I>) -> bool, other: &'static Spelling<I>) -> Self {
        self.unless = Some((holds, other));
        self
    }
}

/// Writes an instruction as its row's [`Spelling`] has it, or with the row's own name and operands where the
/// row has none; without the end of the line.
pub fn spell<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
    let form = insn.form();
    let own = || Spelling::new(form.name, form.operands).modifiers(form.modifiers);
    let mut spelling = form.spelling.unwrap_or_else(own);
    while let Some((holds, other)) = spelling.unless
        && holds(insn)
    {
        spelling = *other;
    }
    out.text(spelling.name);
    for m in spelling.modifiers {
        out.text(m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or(""));
    }
    let mut between = " ";
    for op in spelling.operands.iter().filter(|op| op.kind.shown(op, insn, ctx)) {
        out.text(core::mem::replace(&mut between, ", "));
        op.kind.print(op, insn, ctx, out);
    }
}
