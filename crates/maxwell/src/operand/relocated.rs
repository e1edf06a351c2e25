//! Which numbers of an instruction a relocation can fill in.

use super::fillable::Fillable;
use super::{Address, Bank, Constant, FloatNumber, Number, Target};
use crate::Maxwell;
use core::any::Any;
use shisa_rows::Insn;

/// The numbers of an instruction at `pc` that a relocation can fill in.
pub(crate) fn fillable(insn: &Insn<Maxwell>, pc: u32) -> impl Iterator<Item = Fillable> {
    insn.form().operands.iter().filter_map(move |op| {
        let (kind, bits) = (op.kind as &dyn Any, op.field.get(&insn.word));
        let number = kind.downcast_ref::<Number>().map(|kind| kind.fillable(op, bits));
        let float = || kind.downcast_ref::<FloatNumber>().map(|kind| kind.fillable(op, insn));
        let target = || kind.downcast_ref::<Target>().map(|_| Target::fillable(op, bits, pc));
        let address = || kind.downcast_ref::<Address>().map(|kind| kind.fillable(op, bits));
        let bank = || kind.downcast_ref::<Bank>().map(|kind| kind.fillable(op, bits));
        let constant = || kind.downcast_ref::<Constant>().map(|_| Constant::fillable(op, bits));
        number.or_else(float).or_else(target).or_else(address).or_else(bank).or_else(constant)
    })
}
