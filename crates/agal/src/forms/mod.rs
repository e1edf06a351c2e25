//! The rows: one for each opcode, grouped by family. Opcode numbers are the final ones, as every player
//! since AGAL 2 has them.

mod arithmetic;
mod compare;
mod control;
mod matrix;
mod texture;
mod vector;

use crate::operand::AgalLift;
use crate::{Agal, Attr, Yields};
use shisa_ir::Stage;
use shisa_rows::{Form, Operand, Table, table};

/// A row for opcode `code` that exists since AGAL 1 in both stages.
const fn op(
    name: &'static str,
    code: u32,
    operands: &'static [Operand<Agal>],
    yields: Yields,
    lift: fn(&mut AgalLift<'_, '_>),
) -> Form<Agal> {
    let attr = Attr { since: 1, stage: None, yields };
    Form::new(name, code as u128, 0xffff_ffff, operands, attr, lift)
}

/// The row exists from this version on.
const fn since(mut form: Form<Agal>, version: u8) -> Form<Agal> {
    form.attr.since = version;
    form
}

/// The row is for one stage only.
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
