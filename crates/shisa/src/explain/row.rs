//! What a row tells about itself.

use super::Section;
use shisa_rows::{Form, Isa, Modifier, OneOf, Operand, Word};

/// The bits of the word: fixed ones, modifiers, and operands with their parts, from the lowest up.
/// `place` tells a run of bits, given as lowest bit and width.
pub(super) fn bits<I: Isa>(form: &Form<I>, place: impl Fn(u8, u8) -> String) -> Section {
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
        rows.into_iter().map(|(lo, width, what)| (place(lo, width), what)).collect();
    let column = rows.iter().map(|(place, _)| place.len()).max().unwrap_or(0);
    let lines = rows.into_iter().map(|(place, what)| format!("{place:>column$}  {what}")).collect();
    Section { heading: "Bits", lines }
}

/// The bits of an operand, as far as the field goes.
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

/// Where bits of an operand lie in the word.
fn runs<I: Isa>(op: &Operand<I>, lo: u8, width: u8) -> Vec<(u8, u8)> {
    op.field.part(lo, width).collect()
}

/// A row of the table for each run; of several the parts are counted.
fn pieces(runs: &[(u8, u8)], what: &str) -> Vec<(u8, u8, String)> {
    let what = |i: usize| if runs.len() > 1 { format!("{what}, part {i}") } else { what.to_owned() };
    runs.iter().enumerate().map(|(i, &(lo, width))| (lo, width, what(i))).collect()
}

/// For each suffix of the mnemonic its number, its bits, and what each value is written as.
pub(super) fn modifiers(list: &[Modifier], place: impl Fn(u8, u8) -> String) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, m) in (1..).zip(list) {
        let runs: Vec<String> = m.field.runs().iter().map(|&(lo, width)| place(lo, width)).collect();
        lines.push(match (runs.as_slice(), m.names) {
            ([], [name, ..]) => format!("modifier {n}: always {name}"),
            _ => format!("modifier {n}, bits {}", runs.join(" and ")),
        });
        if runs.is_empty() {
            continue;
        }
        let known = m.names.iter().enumerate().filter(|(_, name)| !undefined(name));
        let mut names: Vec<&str> = Vec::new();
        for (_, name) in known {
            if !names.contains(name) {
                names.push(name);
            }
        }
        let beyond = m.names.len()..1 << m.field.width();
        let values = |fits: &dyn Fn(&str) -> bool| {
            let values = (0..m.names.len()).filter(|v| m.names.get(*v).is_some_and(|name| fits(name)));
            values.collect::<Vec<_>>()
        };
        for name in names {
            let shown = if name.is_empty() { "nothing" } else { name };
            lines.push(format!("  {:<8} {shown}", ranges(&values(&|n| n == name))));
        }
        let mut none = values(&|n| undefined(n));
        none.extend(beyond);
        if !none.is_empty() {
            lines.push(format!("  {:<8} undefined", ranges(&none)));
        }
    }
    lines
}

/// Whether it is the name of a value that the machine does not define.
fn undefined(name: &str) -> bool {
    name.contains("INVALID") || name.contains("???")
}

/// Rising numbers with runs in short: `0-3 7`.
fn ranges(values: &[usize]) -> String {
    let runs = values.chunk_by(|a, b| *a + 1 == *b).filter_map(|run| match run {
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
        [] => None,
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// The names of operands that are one of some names.
pub(super) fn names<I: Isa>(form: &Form<I>) -> Option<Section> {
    let mut lines = Vec::new();
    for (n, op) in (1..).zip(form.operands) {
        let kind: &dyn std::any::Any = op.kind;
        if let Some(one) = kind.downcast_ref::<OneOf>().filter(|one| one.names.len() > 1) {
            let named = (0..).zip(one.names).filter(|(_, name)| !name.is_empty() && !undefined(name));
            let named: Vec<String> = named.map(|(value, name)| format!("{value} {name}")).collect();
            lines.push(format!("operand {n}: {}", named.join(", ")));
        }
    }
    (!lines.is_empty()).then_some(Section { heading: "Names", lines })
}

/// The opcode with what its operands are.
pub(super) fn written<I: Isa>(form: &Form<I>) -> String {
    let operands: Vec<String> = form.operands.iter().map(|o| format!("<{}>", o.kind.describe())).collect();
    format!("{} {}", form.name, operands.join(", ")).trim_end().to_owned()
}

/// The text and the word of each tested example.
pub(super) fn examples<I: Isa>(form: &Form<I>, word: impl Fn(&I::Word) -> String) -> Option<Section> {
    let lines: Vec<String> =
        form.examples.iter().map(|(text, w)| format!("{text}\n    {}", word(w))).collect();
    (!lines.is_empty()).then_some(Section { heading: "Examples", lines })
}

/// A run of bits: `3-7`.
pub(super) fn range(lo: u8, width: u8) -> String {
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
