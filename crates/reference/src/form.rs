//! Rows as data.

use crate::data::{Bits, Example, FormData, Hex, ModifierData, OperandData, PartData};
use crate::described::Described;
use crate::effects::effects;
use crate::sections::Part;
use shisa_rows::{Field, Form, Isa, OneOf, Operand, Word};

/// The form of a row, with its part of the explanation of the instruction.
pub(crate) fn form<I: Described>(form: &Form<I>, part: Part<'_>) -> FormData {
    let (facts, effects) = (I::facts(form), effects(form));
    let (pseudocode, unstated) = match part.effect {
        Ok(pseudocode) => (Some(pseudocode), Vec::new()),
        Err(reasons) => (None, reasons),
    };
    let examples = form.examples.iter().zip(part.digits);
    FormData {
        name: form.name,
        summary: form.summary,
        written: part.written.to_owned(),
        also: part.also.iter().filter(|line| line.trim() != form.summary).cloned().collect(),
        group: facts.group,
        chips: facts.chips,
        stages: facts.stages,
        timing: facts.timing,
        mask: Hex(form.mask),
        bits: Hex(form.bits),
        filler: (form.filler != 0).then_some(Hex(form.filler)),
        length: facts.length,
        modifiers: modifiers(form),
        prefix: form.prefix().map(operand).collect(),
        operands: form.operands.iter().map(operand).collect(),
        suffix: form.suffix().map(operand).collect(),
        rules: form.rules.iter().map(|rule| rule.code).collect(),
        effects: effects.list.into_iter().collect(),
        operations: effects.operations.into_iter().collect(),
        pseudocode,
        unstated,
        examples: examples
            .map(|((text, word), digits)| Example {
                text,
                word: hex(word),
                digits: digits.to_owned(),
                program: I::program(form, text),
            })
            .collect(),
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
        optional: operand.kind.optional(),
        names: names(operand),
    }
}

/// The text of each value, if values are names.
fn names<I: Isa>(operand: &Operand<I>) -> &'static [&'static str] {
    let kind: &dyn core::any::Any = operand.kind;
    kind.downcast_ref::<OneOf>().map_or(&[], |one| one.names)
}

fn bits(field: &Field) -> Vec<Bits> {
    field.runs().to_vec()
}
