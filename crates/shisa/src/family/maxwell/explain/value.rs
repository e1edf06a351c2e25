//! The values of suffixes and of operands that have names.

use crate::explain::{Section, row};
use shisa_maxwell::Maxwell;
use shisa_rows::{Form, Modifier, OneOf};

/// Names bits of the instruction, or of its control bits.
pub(in super::super) fn bit_names(lo: u8, width: u8) -> String {
    match lo.checked_sub(64) {
        None => row::range(lo, width),
        Some(lo) => format!("control {}", row::range(lo, width)),
    }
}

/// For each suffix of the mnemonic its number, its bits, and the name of each value.
pub(super) fn modifiers(list: &[Modifier]) -> Vec<String> {
    let mut lines = Vec::new();
    for (n, m) in (1..).zip(list) {
        let runs: Vec<String> = m.field.runs().iter().map(|&(lo, width)| bit_names(lo, width)).collect();
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

/// Whether it is the name of a value that the hardware does not define.
fn undefined(name: &str) -> bool {
    name.contains("INVALID") || name.contains("???")
}

/// Ascending numbers, with runs abbreviated: `0-3 7`.
fn ranges(values: &[usize]) -> String {
    let runs = values.chunk_by(|a, b| *a + 1 == *b).filter_map(|run| match run {
        [one] => Some(one.to_string()),
        [first, .., last] => Some(format!("{first}-{last}")),
        [] => None,
    });
    runs.collect::<Vec<_>>().join(" ")
}

/// The names of operands whose values are names.
pub(super) fn names(form: &Form<Maxwell>) -> Option<Section> {
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
