//! Which numbers of an instruction a relocation can fill in.

use super::fillable::Fillable;
use super::{Address, Bank, Constant, Number};
use crate::Maxwell;
use core::any::Any;
use shisa_rows::Insn;

/// The numbers of an instruction that a relocation can fill in.
pub(crate) fn fillable(insn: &Insn<Maxwell>) -> impl Iterator<Item = Fillable> {
    insn.form().operands.iter().filter_map(|op| {
        let (kind, bits) = (op.kind as &dyn Any, op.field.get(&insn.word));
        let number = kind.downcast_ref::<Number>().map(|kind| kind.fillable(op, bits));
        let address = || kind.downcast_ref::<Address>().map(|kind| kind.fillable(op, bits));
        let bank = || kind.downcast_ref::<Bank>().map(|kind| kind.fillable(op, bits));
        let constant = || kind.downcast_ref::<Constant>().map(|_| Constant::fillable(op, bits));
        number.or_else(address).or_else(bank).or_else(constant)
    })
}
