//! The generic printer: mnemonic, modifiers, operands separated by commas.

use crate::{Insn, Isa, Line, Modifier, Name, Operand, Word};
use alloc::vec::Vec;

/// Writes an instruction as text, without the end of the line.
pub fn print<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>, out: &mut Line<'_>) {
    let form = insn.form();
    let shown = |op: &&Operand<I>| op.kind.shown(op, insn, ctx);
    for op in form.prefix().filter(shown) {
        op.kind.print(op, insn, ctx, out);
    }
    let start = out.written();
    out.name(&form.label);
    for m in form.suffixes(ctx) {
        out.text(m.names.get(m.field.get(&insn.word) as usize).copied().unwrap_or(""));
    }
    let mut first = true;
    for op in form.operands {
        if !shown(&op) {
            continue;
        }
        if first {
            if I::COLUMN > 0 {
                (out.written() - start..I::COLUMN).for_each(|_| out.byte(b' '));
            }
            if !form.close {
                out.byte(b' ');
            }
        } else {
            out.name(const { &Name::new(", ") });
        }
        first = false;
        op.kind.print(op, insn, ctx, out);
    }
    for op in form.suffix().filter(shown) {
        op.kind.print(op, insn, ctx, out);
    }
}

/// Whether parsing the text that [`print`] writes gives the same word.
pub fn faithful<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    insn.unknown_bits().is_zero() && tells(insn, ctx)
}

/// Whether the text that [`print`] writes tells all bits to which the row gives a meaning.
pub fn tells<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> bool {
    let form = insn.form();
    let faithful = |op: &Operand<I>| op.kind.faithful(op, insn, ctx);
    suffixes_tell(insn)
        && form.operands.iter().all(faithful)
        && form.prefix().all(faithful)
        && form.suffix().all(faithful)
}

/// Whether the suffixes tell the values of their fields.
pub(crate) fn suffixes_tell<I: Isa>(insn: &Insn<I>) -> bool {
    let form = insn.form();
    form.modifiers.iter().all(|m| m.faithful(m.field.get(&insn.word) as usize, form.refined))
}

impl Modifier {
    /// Whether the value has a name, which stands for no value before it unless operands tell them apart.
    fn faithful(&self, value: usize, refined: bool) -> bool {
        self.names.get(value).is_some_and(|name| refined || !self.names[..value].contains(name))
    }
}

/// The candidate that differs from `word` by the fewest letters inserted, removed, changed or swapped,
/// for a hint; `None` when none is close. The first of several equals wins.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Longer words are no slips of the pen, and the table below stays small.
    const LONGEST: usize = 32;
    let word = word.to_ascii_lowercase();
    let close = |c: &&str| c.len() <= LONGEST && word.len() <= LONGEST;
    let allowed = (word.len() / 3).max(1);
    let scored = candidates.into_iter().filter(close).map(|c| (distance(word.as_bytes(), c.as_bytes()), c));
    scored.filter(|s| s.0 <= allowed).min_by_key(|s| s.0).map(|s| s.1)
}

/// Edit distance with swaps of neighbours.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for (i, x) in a.iter().enumerate() {
        let mut row = alloc::vec![i + 1; b.len() + 1];
        for (j, y) in b.iter().enumerate() {
            let swapped = i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y;
            let swap = if swapped { before[j - 1] + 1 } else { usize::MAX };
            row[j + 1] = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1).min(swap);
        }
        before = core::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or(0)
}
