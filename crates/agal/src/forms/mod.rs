//! The rows: one for each opcode, grouped by family. Opcode numbers are the final ones, which every player has had
//! since AGAL 2.

mod arithmetic;
mod compare;
mod control;
mod matrix;
mod texture;
mod vector;

use crate::operand::{AgalLift, Operands};
use crate::{Agal, Attr, Effect, Yields};
use shisa_ir::Stage;
use shisa_rows::{Form, Table, table};

/// A row for opcode `code`, which exists since AGAL 1 in both stages.
const fn op(
    name: &'static str,
    code: u32,
    operands: Operands,
    yields: Yields,
    lift: fn(&mut AgalLift<'_, '_>),
) -> Form<Agal> {
    let attr = Attr {
        since: 1,
        assembled_since: 1,
        too_new: [3726; 2],
        stage: None,
        yields,
        effect: Effect::Compute,
        wants: operands.wants(yields),
    };
    Form::new(name, code as u128, 0xffff_ffff, operands.list, attr, lift)
}

/// The row with the first version that has it.
const fn since(mut form: Form<Agal>, version: u8) -> Form<Agal> {
    form.attr.since = version;
    form.attr.assembled_since = version;
    form
}

/// AGALMiniAssembler accepts the opcode in every version; Flash Player reports `numbers` before the version that has
/// it.
const fn always_assembled(mut form: Form<Agal>, numbers: [u16; 2]) -> Form<Agal> {
    form.attr.assembled_since = 1;
    form.attr.too_new = numbers;
    form
}

/// The row with its opcode's effect.
const fn effect(mut form: Form<Agal>, effect: Effect) -> Form<Agal> {
    form.attr.effect = effect;
    form
}

/// The row, restricted to one stage.
const fn only(mut form: Form<Agal>, stage: Stage) -> Form<Agal> {
    form.attr.stage = Some(stage);
    form
}

/// The rows by family.
pub(crate) const FAMILIES: &[&[Form<Agal>]] =
    &[arithmetic::ROWS, vector::ROWS, matrix::ROWS, compare::ROWS, control::ROWS, texture::ROWS];

/// All rows.
pub(crate) fn rows() -> &'static Table<Agal> {
    table!(Agal, FAMILIES, 0, 6)
}

/// The mnemonic of the first opcode with this effect, for messages.
pub(crate) fn name_of(effect: Effect) -> &'static str {
    rows().forms().iter().find(|f| f.attr.effect == effect).map_or("?", |f| f.name)
}
