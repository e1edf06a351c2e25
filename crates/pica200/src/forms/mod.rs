//! The rows, grouped by effect. Rows whose name ends in i reach the constants with the second or third source instead
//! of the first or second.

mod arithmetic;
mod flow;
mod geometry;
mod multiply;
#[cfg(test)]
mod tests;

use crate::attributes::{Attributes, Reads, Role};
use crate::{Pica200, operand::PicaLift};
use shisa_ir::Mask;
use shisa_rows::{Form, Insn, Operand, Table, table};

/// The lowest bit of the opcode. The highest six bits of a word are its opcode; some rows leave the lowest one to three
/// of them to operands.
const OPCODE: u32 = 26;
/// Bits of the opcode.
const OPCODE_BITS: u32 = 6;
/// How many values the opcode has.
pub(crate) const OPCODES: usize = 1 << OPCODE_BITS;

/// Operates on each component separately.
const EACH: Attributes = Attributes::new(Role::Compute).reads([Reads::Masked(Mask::ALL); 3]);
/// Reads other components than those it writes.
const WHOLE: Attributes = Attributes::new(Role::Compute);
/// Operates on the x component.
const SCALAR: Attributes = WHOLE.reads([Reads::These(Mask::first(1)); 3]);

/// A row for a six-bit opcode.
const fn op(
    name: &'static str,
    code: u32,
    operands: &'static [Operand<Pica200>],
    attributes: Attributes,
    lift: fn(&mut PicaLift<'_, '_>),
) -> Form<Pica200> {
    Form::new(name, (code as u128) << OPCODE, 0xfc00_0000, operands, attributes, lift)
}

/// All rows.
pub(crate) fn rows() -> &'static Table<Pica200> {
    table!(Pica200, &[arithmetic::ROWS, multiply::ROWS, flow::ROWS, geometry::ROWS], OPCODE, OPCODE_BITS)
}

/// The word of `end`.
pub(crate) const END: u32 = alone(Role::End);
/// The word of `nop`.
pub(crate) const NOP: u32 = alone(Role::Nop);

/// The word of a role that takes no operands.
///
/// # Panics
/// At compile time, when no row of control flow has the role.
const fn alone(role: Role) -> u32 {
    let mut i = 0;
    while i < flow::ROWS.len() {
        let form = &flow::ROWS[i];
        if form.attr.role as u8 == role as u8 && form.operands.is_empty() {
            return form.bits as u32;
        }
        i += 1;
    }
    panic!("no row of control flow has the role")
}

/// The opcode of a word, which determines its row.
#[inline]
pub(crate) const fn opcode(code: u32) -> usize {
    (code >> OPCODE) as usize
}

/// The row of an opcode, if there is one.
pub(crate) fn of_opcode(opcode: usize) -> Option<&'static Form<Pica200>> {
    let insn = Insn::<Pica200>::decode((opcode as u64) << OPCODE)?;
    Some(insn.form())
}
