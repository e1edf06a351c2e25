//! Banks of constants: contents that the container states, and choices among banks.

use super::Staged;
use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Builder, Convert, Func, Nodes, Op, Space, Type, Value};

/// The last bank.
const LAST: u8 = 17;
/// The position of a bank's number in the address of a load that chooses the bank.
const NUMBER: i32 = 16;

/// Bytes of the largest bank. Those after them are zero.
const SIZE: usize = 1 << NUMBER;

/// Replaces loads at constant offsets by constants: of banks whose contents are known, and past the end of any bank. Returns
/// whether there were any.
pub(super) fn fold_given(func: &mut Func, staged: &Staged) -> bool {
    let mut found = false;
    func.rewrite(|b, v| {
        let Op::Load { space: Space::Constant(bank), address } = b.nodes.op(v) else { return None };
        let Op::Const(offset) = b.nodes.op(address) else { return None };
        let at = (bank, u32::try_from(offset).ok()?);
        let value = match staged.known.get(&at).filter(|_| b.ty(v) == Type::I32) {
            Some(word) => b.constant(Type::I32, (*word).into()),
            None => {
                let offset = usize::try_from(offset).ok()?;
                let ty = b.ty(v);
                let end = offset.saturating_add(usize::from(ty.scalar.bits() / 8) * usize::from(ty.count));
                let known = staged.constants.get(&bank).map(Vec::as_slice);
                constant(b, v, offset, if end > SIZE { &[] } else { known? })?
            }
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

/// Replaces loads whose bank the program computes by loads from each bank from the one that the instruction names on, of
/// which one is chosen. Returns a warning if there were any.
pub(super) fn choose(func: &mut Func) -> Option<Diagnostic> {
    if !func.has(|op| matches!(op, Op::Load { space: Space::Constants, .. })) {
        return None;
    }
    let mut lowest = None;
    func.rewrite(|b, v| {
        let Op::Load { space: Space::Constants, address } = b.nodes.op(v) else { return None };
        let ty = b.ty(v);
        let first = u8::try_from(fixed(b.nodes, address, 8) >> NUMBER).map_or(LAST, |bank| bank.min(LAST));
        lowest = Some(lowest.map_or(first, |lowest: u8| lowest.min(first)));
        let (number, low) = (b.i32(NUMBER), b.i32((1 << NUMBER) - 1));
        let (bank, offset) = (b.lshr(address, number), b.and(address, low));
        let mut value = b.load(Space::Constant(first), offset, ty);
        for other in first + 1..=LAST {
            let number = b.i32(other.into());
            let here = b.ieq(bank, number);
            let loaded = b.load(Space::Constant(other), offset, ty);
            value = b.select(here, loaded, value);
        }
        Some(value)
    });
    let first = lowest?;
    let text =
        format!("the program chooses among constant banks: the host must bind all from {first} to {LAST}");
    Some(Diagnostic::warning("translate-banks", text))
}

/// The constant part of a sum.
fn fixed(nodes: &Nodes, v: Value, depth: u8) -> u32 {
    let Some(depth) = depth.checked_sub(1) else { return 0 };
    match nodes.op(v) {
        Op::Const(bits) => bits as u32,
        Op::Binary { op: Binary::IAdd, a, b, .. } => {
            fixed(nodes, a, depth).wrapping_add(fixed(nodes, b, depth))
        }
        Op::Binary { op: Binary::And, a, .. } => fixed(nodes, a, depth),
        _ => 0,
    }
}
