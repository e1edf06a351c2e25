//! The rows, grouped by family. Rows whose name ends in i reach the constants with the second or third
//! source instead of the first or second.

mod arithmetic;
mod flow;
mod geometry;
mod multiply;

use crate::{Pica200, operand::PicaLift};
use shisa_rows::{Form, Operand, Table, table};

/// A row for a six-bit opcode.
const fn op(
    name: &'static str,
    code: u32,
    operands: &'static [Operand<Pica200>],
    lift: fn(&mut PicaLift<'_, '_>),
) -> Form<Pica200> {
    Form::new(name, (code as u128) << 26, 0xfc00_0000, operands, (), lift)
}

/// All rows.
pub(crate) fn rows() -> &'static Table<Pica200> {
    table!(Pica200, &[arithmetic::ROWS, multiply::ROWS, flow::ROWS, geometry::ROWS], 26, 6)
}
