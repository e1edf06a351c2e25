//! Facts that a row states.

use super::Section;
use shisa_rows::{Form, Isa};

/// The bits of the word, from the lowest up. `names` spells a run of bits, given its lowest bit and width.
pub(crate) fn bits<I: Isa>(form: &Form<I>, names: impl Fn(u8, u8) -> String) -> Section {
    let layout = shisa_rows::layout(form).into_iter();
    let rows: Vec<(String, String)> = layout.map(|(lo, width, what)| (names(lo, width), what)).collect();
    let column = rows.iter().map(|(bits, _)| bits.len()).max().unwrap_or(0);
    let lines = rows.into_iter().map(|(bits, what)| format!("{bits:>column$}  {what}")).collect();
    Section { heading: "Bits", lines }
}

/// The opcode with the kinds of its operands.
pub(crate) fn written<I: Isa>(form: &Form<I>) -> String {
    let operands: Vec<String> = form.operands.iter().map(|o| format!("<{}>", o.kind.describe())).collect();
    format!("{} {}", form.name, operands.join(", ")).trim_end().to_owned()
}

/// The effect of an instruction as pseudocode, below its text.
pub(crate) fn effect(text: &str, code: &str) -> Vec<String> {
    let code = if code.trim().is_empty() { "nothing" } else { code };
    std::iter::once(format!("{text}:")).chain(code.lines().map(|line| format!("  {line}"))).collect()
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
