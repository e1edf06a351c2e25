//! The two banks of the outputs of geometry programs.
//!
//! `emit` exchanges the banks: a component that is not written before the next `emit` has the value of two vertices before
//! (hardware test of Azahar, pull request 2338). The row of `emit` does not know which components a program writes, so the
//! exchange is added to its steps here, for these components alone.

use crate::uses::Uses;
use crate::{BANK, OUTPUTS};
use shisa_ir::{Builder, Lifted, Mask, Op, Reg, Scalar, Swizzle, Value};

/// Makes every instruction that emits a vertex exchange the banks afterwards.
pub(crate) fn exchange(lifted: &mut Lifted) {
    let emits = |lifted: &Lifted, index: usize| {
        lifted.steps[index].nodes.clone().any(|n| lifted.nodes.op(Value(n)) == Op::Emit)
    };
    if !lifted.nodes.list.iter().any(|node| node.op == Op::Emit) {
        return;
    }
    let uses = Uses::of(&lifted.nodes);
    for index in 0..lifted.steps.len() {
        if emits(lifted, index) {
            lifted.append(index, |b| exchanged(b, &uses.outputs));
        }
    }
}

/// Exchanges the components of each register that the masks have.
fn exchanged(b: &mut Builder<'_>, masks: &[u8]) {
    for (register, mask) in (0..).zip(masks).filter(|(_, mask)| **mask != 0) {
        let mask = Mask(*mask);
        let banks = [OUTPUTS, BANK].map(|file| Reg::new(file, 4 * register));
        let [shown, other] =
            banks.map(|reg| b.read(reg, Swizzle::IDENTITY.under(mask), Scalar::F32.by(mask.count())));
        b.write(banks[0], mask, other);
        b.write(banks[1], mask, shown);
    }
}
