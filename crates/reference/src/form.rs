//! Rows as data.

use crate::data::{Bits, Example, FormData, Hex, Length, ModifierData, OperandData, PartData};
use shisa_rows::{Field, Form, Isa, Operand, Word};

/// The form of a row; `length` is that of its instructions where they differ.
pub(crate) fn form<I: Isa>(form: &Form<I>, length: Option<Length>) -> FormData {
    FormData {
        name: form.name,
        summary: form.summary,
        mask: Hex(form.mask),
        bits: Hex(form.bits),
        filler: (form.filler != 0).then_some(Hex(form.filler)),
        length,
        modifiers: modifiers(form),
        prefix: form.prefix().map(operand).collect(),
        operands: form.operands.iter().map(operand).collect(),
        suffix: form.suffix().map(operand).collect(),
        rules: form.rules.iter().map(|rule| rule.code).collect(),
        examples: form.examples.iter().map(|(text, word)| Example { text, word: hex(word) }).collect(),
    }
}

/// A word in hexadecimal.
pub(crate) fn hex(word: &impl Word) -> String {
    let digits: String = word.words().iter().rev().map(|piece| format!("{piece:016x}")).collect();
    match digits.trim_start_matches('0') {
        "" => "0x0".to_owned(),
        digits => format!("0x{digits}"),
    }
}

fn modifiers<I: Isa>(form: &Form<I>) -> Vec<ModifierData> {
    let older = |number: usize, names| {
        let older = form.older?.get(number)?.names;
        (older != names).then_some(older)
    };
    let list = form.modifiers.iter().enumerate();
    list.map(|(number, modifier)| ModifierData {
        bits: bits(&modifier.field),
        names: modifier.names,
        older: older(number, modifier.names),
    })
    .collect()
}

fn operand<I: Isa>(operand: &Operand<I>) -> OperandData {
    // Kinds state the parts of their widest operand.
    let width = operand.field.width() as u8;
    let parts = operand.kind.parts().iter().filter(|part| part.lo < width);
    OperandData {
        kind: operand.kind.describe(),
        bits: bits(&operand.field),
        parts: parts
            .map(|part| PartData { lo: part.lo, width: part.width.min(width - part.lo), name: part.name })
            .collect(),
    }
}

fn bits(field: &Field) -> Vec<Bits> {
    field.runs().to_vec()
}
