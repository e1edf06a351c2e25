//! Comparisons of rows: one definition for selections, conditions and votes.

use crate::operand::{A, AgxLift, B, COND};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Value};

/// The comparison of two integers. The signed comparisons extend each source from its own size.
pub(super) fn integers(l: &mut AgxLift<'_, '_>) -> Value {
    let cond = l.insn.field(COND);
    let signed = cond & 4 != 0;
    let [a, b] = [A, B].map(|slot| {
        let v = l.src(slot);
        let op = if signed { Convert::SignExtend } else { Convert::ZeroExtend };
        if l.ty(v).scalar == Scalar::I32 { v } else { l.convert(op, v, Scalar::I32) }
    });
    let held = match cond & 7 {
        0 | 4 => l.ieq(a, b),
        1 => l.ult(a, b),
        2 => l.ult(b, a),
        5 => l.slt(a, b),
        6 => l.slt(b, a),
        _ => {
            missing(l);
            l.ieq(a, b)
        }
    };
    if cond & 8 != 0 { l.not(held) } else { held }
}

/// The comparison of two floats. `fltn` and `fgtn` are also true if the second source is NaN.
pub(super) fn floats(l: &mut AgxLift<'_, '_>) -> Value {
    let cond = l.insn.field(COND);
    let (a, b) = (l.src(A), l.src(B));
    let held = match cond & 7 {
        0 => l.feq(a, b),
        1 => l.flt(a, b),
        2 => l.flt(b, a),
        5 => l.fle(b, a),
        6 => l.fle(a, b),
        n @ (3 | 7) => {
            let ordered = if n == 3 { l.flt(a, b) } else { l.flt(b, a) };
            let nan = l.fne(b, b);
            l.or(ordered, nan)
        }
        _ => {
            missing(l);
            l.feq(a, b)
        }
    };
    if cond & 8 != 0 { l.not(held) } else { held }
}

fn missing(l: &mut AgxLift<'_, '_>) {
    l.refuse(Diagnostic::error("lift-condition", "this comparison does not exist"));
}
