//! Facts that a row states.

use super::Section;
use shisa_rows::{Form, Isa, Operand, Word};

/// The bits of the word: fixed ones, modifiers, and operands with their parts, from the lowest up. `names` spells a
/// run of bits, given its lowest bit and width.
pub(crate) fn bits<I: Isa>(form: &Form<I>, names: impl Fn(u8, u8) -> String) -> Section {
    let mut rows: Vec<(u8, u8, String)> = Vec::new();
    for (lo, width) in runs_of(form.mask) {
        let value = form.template().get(u32::from(lo), u32::from(width));
        rows.push((lo, width, format!("{value:#x}")));
    }
    for (n, m) in (1..).zip(form.modifiers) {
        rows.extend(pieces(m.field.runs(), &format!("modifier {n}")));
    }
    for (n, op) in (1..).zip(form.operands) {
        rows.extend(operand(op, &format!("operand {n}, {}", op.kind.describe())));
    }
    for op in form.prefix().chain(form.suffix()) {
        rows.extend(operand(op, op.kind.describe()));
    }
    rows.sort();
    let rows: Vec<(String, String)> =
        rows.into_iter().map(|(lo, width, what)| (names(lo, width), what)).collect();
    let column = rows.iter().map(|(bits, _)| bits.len()).max().unwrap_or(0);
    let lines = rows.into_iter().map(|(bits, what)| format!("{bits:>column$}  {what}")).collect();
    Section { heading: "Bits", lines }
}

/// The bits of an operand within its field.
fn operand<I: Isa>(op: &Operand<I>, name: &str) -> Vec<(u8, u8, String)> {
    let width = op.field.width() as u8;
    let parts: Vec<_> = op.kind.parts().iter().filter(|p| p.lo < width).collect();
    if parts.len() < 2 {
        return pieces(op.field.runs(), name);
    }
    let (mut rows, mut end) = (Vec::new(), 0);
    for part in parts {
        rows.extend(pieces(&runs(op, end, part.lo - end), &format!("{name}: zero")));
        let last = (part.lo + part.width).min(width);
        rows.extend(pieces(&runs(op, part.lo, last - part.lo), &format!("{name}: {}", part.name)));
        end = last;
    }
    rows.extend(pieces(&runs(op, end, width - end), &format!("{name}: zero")));
    rows
}

/// The runs of the word's bits that hold these bits of an operand.
fn runs<I: Isa>(op: &Operand<I>, lo: u8, width: u8) -> Vec<(u8, u8)> {
    op.field.part(lo, width).collect()
}

/// A row of the table for each run; if there are several, the parts are numbered.
fn pieces(runs: &[(u8, u8)], what: &str) -> Vec<(u8, u8, String)> {
    let what = |i: usize| if runs.len() > 1 { format!("{what}, part {i}") } else { what.to_owned() };
    runs.iter().enumerate().map(|(i, &(lo, width))| (lo, width, what(i))).collect()
}

/// The opcode with the kinds of its operands.
pub(crate) fn written<I: Isa>(form: &Form<I>) -> String {
    let operands: Vec<String> = form.operands.iter().map(|o| format!("<{}>", o.kind.describe())).collect();
    format!("{} {}", form.name, operands.join(", ")).trim_end().to_owned()
}

/// The text and the word of each tested example.
pub(crate) fn examples<I: Isa>(form: &Form<I>, word: impl Fn(&I::Word) -> String) -> Option<Section> {
    let lines: Vec<String> =
        form.examples.iter().map(|(text, w)| format!("{text}\n    {}", word(w))).collect();
    (!lines.is_empty()).then_some(Section { heading: "Examples", lines })
}

/// A run of bits: `3-7`.
pub(crate) fn range(lo: u8, width: u8) -> String {
    if width == 1 { lo.to_string() } else { format!("{lo}-{}", u32::from(lo) + u32::from(width) - 1) }
}

/// The runs of set bits of a mask as lowest bit and width.
fn runs_of(mask: u128) -> Vec<(u8, u8)> {
    let mut runs: Vec<(u8, u8)> = Vec::new();
    for bit in 0..128u8 {
        if mask >> bit & 1 != 0 {
            match runs.last_mut() {
                Some((lo, width)) if *lo + *width == bit => *width += 1,
                _ => runs.push((bit, 1)),
            }
        }
    }
    runs
}
