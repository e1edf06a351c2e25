//! The text of single instructions.

use shisa_agx::{Agx, Ctx, Syntax, instructions};
use shisa_rows::{Insn, Line, print, spell};

/// The AGX crate's value for a syntax.
pub(super) fn syntax(syntax: crate::family::names::Syntax) -> Syntax {
    match syntax {
        crate::family::names::Syntax::Mesa => Syntax::Mesa,
        crate::family::names::Syntax::Applegpu => Syntax::Applegpu,
        _ => Syntax::Full,
    }
}

/// The text of an instruction.
pub(super) fn text(insn: &Insn<Agx>, ctx: Ctx<'_>) -> String {
    let mut text = Vec::new();
    match ctx.syntax {
        Syntax::Applegpu => spell(insn, ctx, &mut Line::new(&mut text)),
        _ => print(insn, ctx, &mut Line::new(&mut text)),
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The text of each instruction, and its offset.
pub(super) fn texts(code: &[u8]) -> impl Iterator<Item = (usize, String)> + '_ {
    instructions(code).map(|(at, insn)| (at, text(&insn, Ctx { pc: at as u32, ..Ctx::default() })))
}
