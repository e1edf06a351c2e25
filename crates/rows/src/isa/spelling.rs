//! The text of an instruction in another tool: another name, other operands, or another order.

use crate::{Insn, Isa, Line, Modifier, Operand};

/// An instruction's text as another tool writes it. It is only printed, never parsed.
pub struct Spelling<I: Isa> {
    /// The mnemonic without suffixes.
    pub name: &'static str,
    /// Suffixes in the order in which they are written.
    pub modifiers: &'static [Modifier],
    /// Operands in the order in which they are written. They need not be the row's operands.
    pub operands: &'static [Operand<I>],
    /// The words that are written differently, and their spelling.
    pub unless: Option<Unless<I>>,
}

impl<I: Isa> Clone for Spelling<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I: Isa> Copy for Spelling<I> {}

/// A condition on instructions, and the spelling of those that satisfy it.
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

    /// Writes instructions for which `holds` returns true with another spelling.
    pub const fn unless(mut self, holds: fn(&Insn<I>) -> bool, other: &'static Spelling<I>) -> Self {
        self.unless = Some((holds, other));
        self
    }
}

/// Prints an instruction with its row's [`Spelling`], or with the row's own name and operands if the row has none;
/// without a line break.
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
