//! What the bits of a row's words are.

use crate::{Form, Isa, Operand, Word};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};

/// A run of bits: the lowest one, how many there are, and what they hold.
type Run = (u8, u8, String);

/// The bits of a row's words in runs, from the lowest up: fixed bits with their value, modifiers, and operands with their
/// parts.
pub fn layout<I: Isa>(form: &Form<I>) -> Vec<Run> {
    let mut rows: Vec<Run> = Vec::new();
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
    rows
}

/// The bits of an operand within its field.
fn operand<I: Isa>(op: &Operand<I>, name: &str) -> Vec<Run> {
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
fn pieces(runs: &[(u8, u8)], what: &str) -> Vec<Run> {
    let what = |i: usize| if runs.len() > 1 { format!("{what}, part {i}") } else { what.to_owned() };
    runs.iter().enumerate().map(|(i, &(lo, width))| (lo, width, what(i))).collect()
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
