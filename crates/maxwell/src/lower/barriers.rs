//! Barriers of the workgroup.

use super::RESULT;
use shisa_ir::{Arrival, Func, Mask, Op, Swizzle, Type, WAVE};

/// Gives each barrier with a result its own: the result goes to a register, and is read from there. A barrier that waits
/// for as many threads as the workgroup has waits for all.
pub(super) fn resolve(func: &mut Func) {
    if !func.has(|op| matches!(op, Op::Arrive { .. } | Op::Reduced)) {
        return;
    }
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Arrive { how, .. } if has_result(how) => {
            let node = b.nodes.list[v.index()];
            let arrived = b.push(node.op, node.ty);
            let result = b.push(Op::Reduced, Type::I32);
            b.write(RESULT, Mask::first(1), result);
            // The barrier itself moves before its result.
            Some(arrived)
        }
        Op::Reduced => Some(b.read(RESULT, Swizzle::IDENTITY, Type::I32)),
        _ => None,
    });
}

const fn has_result(how: Arrival) -> bool {
    !matches!(how, Arrival::Wait | Arrival::Pass)
}

/// Barriers for a constant number of threads that is the whole workgroup's, once constants are folded.
pub(super) fn whole(func: &mut Func, threads: u32) {
    if !func.has(|op| matches!(op, Op::Arrive { .. })) {
        return;
    }
    let all = u64::from(threads.next_multiple_of(WAVE as u32));
    func.rewrite(|b, v| {
        let Op::Arrive { how, number, threads, vote } = b.nodes.op(v) else { return None };
        if how != Arrival::Pass && b.nodes.op(threads) == Op::Const(all) {
            let threads = b.i32(0);
            b.nodes.list[v.index()].op = Op::Arrive { how, number, threads, vote };
        }
        None
    });
}
