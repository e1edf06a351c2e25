//! What a row tells about itself.

use super::Section;
use shisa_rows::{Field, Form, Isa, Word};

/// The bits of the word: fixed ones, modifiers and operands, from the lowest up.
pub(super) fn bits<I: Isa>(form: &Form<I>) -> Section {
    let mut rows: Vec<(u8, String, String)> = Vec::new();
    for (lo, width) in runs_of(form.mask) {
        let value = form.template().get(u32::from(lo), u32::from(width));
        rows.push((lo, range(lo, width), format!("{value:#x}")));
    }
    let parts = |field: &Field, what: &str| -> Vec<(u8, String, String)> {
        let what = |i: usize| {
            if field.runs().len() > 1 { format!("{what}, part {i}") } else { what.to_owned() }
        };
        field.runs().iter().enumerate().map(|(i, &(lo, w))| (lo, range(lo, w), what(i))).collect()
    };
    for m in form.modifiers {
        rows.extend(parts(&m.field, &format!("modifier {}", m.names.join(" "))));
    }
    for op in form.operands {
        rows.extend(parts(&op.field, op.kind.describe()));
    }
    rows.sort();
    let lines = rows.into_iter().map(|(_, bits, what)| format!("{bits:>9}  {what}")).collect();
    Section { heading: "Bits", lines }
}

/// The text and the word of each tested example.
pub(super) fn examples<I: Isa>(form: &Form<I>, word: impl Fn(&I::Word) -> String) -> Option<Section> {
    let lines: Vec<String> =
        form.examples.iter().map(|(text, w)| format!("{text}\n    {}", word(w))).collect();
    (!lines.is_empty()).then_some(Section { heading: "Examples", lines })
}

fn range(lo: u8, width: u8) -> String {
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
