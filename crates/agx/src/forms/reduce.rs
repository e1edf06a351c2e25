//! One result of all active lanes of a quad or SIMD-group, or of those before each lane.

use super::row;
use crate::Agx;
use crate::applegpu;
use crate::facts::{Facts, Scope};
use crate::operand::{A, ALU_A, AgxLift, D, DEST_44, OPERATION, PREFIX, PREFIXES, REDUCTION, exactly};
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Combine, Convert, NanRule, Scalar};
use shisa_rows::Form;

/// Mesa 25.2 does not know the cache hint of the destination, bit 7.
const MASK: u128 = 0x23f_ac00_807f;

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Agx>] = &[
    row("quad", Facts::reduction(Scope::Quad), 6, (MASK, 0x806f), &[DEST_44, ALU_A, PREFIX, REDUCTION], reduce).says("Combines the sources of all active lanes of the quad, or of those before.").spelled(applegpu::QUAD)
        .examples(&[("quad     r2, r2, fadd", 0x1244_896f)]),
    row("simd", Facts::reduction(Scope::Wave), 6, (MASK, 0x2000_806f), &[DEST_44, ALU_A, PREFIX, REDUCTION], reduce).says("Combines the sources of all active lanes of the SIMD-group, or of those before.").spelled(applegpu::SIMD)
        .examples(&[("simd     r1, r3, smin", 0x8080_2246_856f), ("simd     r1l, r2l, prefix, or", 0x40_6044_846f)]),
];

/// 16-bit floats are combined in that precision; results of 32 bits are exactly theirs.
fn reduce(l: &mut AgxLift<'_, '_>) {
    let (op, float) = match l.insn.field(OPERATION) {
        0 => (Binary::And, false),
        1 => (Binary::FAdd, true),
        2 => (Binary::Or, false),
        3 => (Binary::FMul, true),
        4 => (Binary::Xor, false),
        5 => (Binary::FMin, true),
        7 => (Binary::FMax, true),
        16 => (Binary::IAdd, false),
        20 => (Binary::SMin, false),
        22 => (Binary::SMax, false),
        28 => (Binary::UMin, false),
        30 => (Binary::UMax, false),
        _ => return l.refuse(Diagnostic::error("lift-reduction", "this reduction does not exist")),
    };
    let combine = Combine { op, quad: l.insn.word >> 29 & 1 == 0, before: l.insn.field(PREFIXES) != 0 };
    let mut v = l.src(A);
    if float {
        let half = l.ty(v).scalar == Scalar::I16;
        let kind = if half { Scalar::F16 } else { Scalar::F32 };
        v = l.convert(Convert::Bits, v, kind);
        l.rule.nan = NanRule::Number;
        l.rule.flush &= !half;
        v = l.combine(combine, v);
        if half {
            v = exactly(l, |l| l.convert(Convert::Float, v, Scalar::F32));
        }
    } else {
        v = l.combine(combine, v);
    }
    l.set(D, v);
}
