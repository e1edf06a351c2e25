//! What PIXLD reads.

use super::PIXEL_MODE;
use crate::operand::{AT, D, MaxwellLift, P, PT, fixed_address};
use crate::registers::{PIXEL, PixelRegister};
use shisa_diag::Diagnostic;
use shisa_ir::{Op, Reg, Swizzle, Type};

/// Modes as nouveau's code generator names them: the number of samples, the covered ones, the position of a sample or of
/// the centroid as IPA takes it (two numbers of 12 bits in 1/4096 of a pixel), the number of the own sample.
pub(super) fn pixel(l: &mut MaxwellLift<'_, '_>) {
    if l.insn.field(P) != PT {
        let text = "nothing public describes the predicate that PIXLD writes";
        return l.refuse(Diagnostic::error("lift-pixel", text));
    }
    let register = match PIXEL_MODE.get(&l.insn.word) {
        0 => PixelRegister::Samples,
        1 => PixelRegister::Coverage,
        3 => PixelRegister::Offsets,
        4 => PixelRegister::CentroidOffset,
        5 => PixelRegister::Sample,
        2 => {
            let text = "nothing public describes how PIXLD.COVERED differs from PIXLD.COVMASK";
            return l.refuse(Diagnostic::error("lift-pixel", text));
        }
        _ => return l.refuse(Diagnostic::error("lift-pixel", "this mode of PIXLD does not exist")),
    };
    let value = if register == PixelRegister::Offsets {
        let index = l.src(AT);
        let base = register.unit();
        l.push(Op::ReadAt { file: PIXEL, base, stride: 1, index, swizzle: Swizzle::IDENTITY }, Type::I32)
    } else if fixed_address(&l.insn) == Some(0) {
        l.read(Reg::new(PIXEL, register.unit()), Swizzle::IDENTITY, Type::I32)
    } else {
        let text = "nothing public describes the address of this mode of PIXLD; compilers write [RZ]";
        return l.refuse(Diagnostic::error("lift-pixel", text));
    };
    l.set(D, value);
}
