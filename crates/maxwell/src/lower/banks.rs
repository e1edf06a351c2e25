//! Constants that the container states.

use super::Staged;
use alloc::vec::Vec;
use shisa_ir::{Builder, Convert, Func, Op, Space, Type, Value};

/// Replaces loads at constant offsets of banks whose contents are known by constants. Returns whether there were any.
pub(super) fn fold_given(func: &mut Func, staged: &Staged) -> bool {
    let mut found = false;
    func.rewrite(|b, v| {
        let Op::Load { space: Space::Constant(bank), address } = b.nodes.op(v) else { return None };
        let Op::Const(offset) = b.nodes.op(address) else { return None };
        let at = (bank, u32::try_from(offset).ok()?);
        let value = match staged.known.get(&at).filter(|_| b.ty(v) == Type::I32) {
            Some(word) => b.constant(Type::I32, (*word).into()),
            None => constant(b, v, usize::try_from(offset).ok()?, staged.constants.get(&bank)?)?,
        };
        found = true;
        Some(value)
    });
    found
}

/// The constant with the type of a load, at a byte offset. Bytes past the end of the bank are zero.
fn constant(b: &mut Builder<'_>, v: Value, offset: usize, bytes: &[u8]) -> Option<Value> {
    let ty = b.ty(v);
    let size = usize::from(ty.scalar.bits() / 8);
    let bits =
        |at: usize| (0..size).rev().fold(0, |n, i| n << 8 | u64::from(*bytes.get(at + i).unwrap_or(&0)));
    if size == 0 {
        return None;
    }
    let int = ty.scalar.as_int();
    let parts: Vec<Value> = (0..usize::from(ty.count))
        .map(|i| b.constant(int.by(1), bits(offset.saturating_add(i * size))))
        .collect();
    let whole = b.join(&parts);
    Some(if int == ty.scalar { whole } else { b.convert(Convert::Bits, whole, ty.scalar) })
}
