//! Banks of constants: contents that the container states, and choices among banks.

use super::Staged;
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Func, Nodes, Op, Space, Type, Value};

/// The last bank.
const LAST: u8 = 17;
/// The position of a bank's number in the address of a load that chooses the bank.
const NUMBER: i32 = 16;

/// Bytes of the largest bank. Those after them are zero.
const SIZE: usize = 1 << NUMBER;

/// The components of what a bank holds at a byte offset: contents that the container or the launch states, and zero past the
/// end of any bank.
pub(super) fn known(staged: &Staged, bank: u8, offset: u64, ty: Type) -> Option<[u64; 4]> {
    let word = u32::try_from(offset).ok().and_then(|offset| staged.known.get(&(bank, offset)));
    if let Some(word) = word.filter(|_| ty == Type::I32) {
        return Some([(*word).into(); 4]);
    }
    let size = usize::from(ty.scalar.bits() / 8);
    if size == 0 {
        return None;
    }
    let offset = usize::try_from(offset).ok()?;
    let contents = match offset.saturating_add(size * usize::from(ty.count)) {
        end if end > SIZE => &[],
        _ => staged.constants.get(&bank)?.as_slice(),
    };
    let byte = |at: usize| u64::from(contents.get(at).copied().unwrap_or(0));
    let number = |at: usize| (0..size).rev().fold(0, |n, i| n << 8 | byte(at.saturating_add(i)));
    Some([0, 1, 2, 3].map(|i| number(offset.saturating_add(i * size))))
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
