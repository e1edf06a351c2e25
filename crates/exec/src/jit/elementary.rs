//! Functions that are computed in binary64 and rounded once. Sums of series are precise enough to round as the exact
//! definition does, unless the sum lies near a point where rounding changes: such lanes are reported.

use super::assembler::{Source, Vector, With};
use super::context::Long;
use super::lower::{DOUBT, K, LANES, Lowering, OUT, T, long};
use crate::memory::Operand;
use iced_x86::Code;

const NONE: With = With { mask: None, zero: false, rounding: None };
const MOVE: Code = Code::EVEX_Vmovaps_zmm_k1z_zmmm512;
const FUSED: Code = Code::EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
const SUBTRACT: Code = Code::EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
const DIVIDE: Code = Code::EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
const COMPARE: Code = Code::EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae;
/// Rounds to the nearest integral number, without exceptions.
const NEAREST: u8 = 8;
/// The significand in 0.75 to 1.5; NaN of negative numbers.
const AROUND_1: u8 = 0b1011;
/// Less; greater or equal; equal; not equal.
const LESS: u8 = 0x11;
const AT_LEAST: u8 = 0x1d;
const DIFFERENT: u8 = 4;

/// The factors of `2^x`, the last first.
const EXP: [Long; 12] = [
    Long::Exp11,
    Long::Exp10,
    Long::Exp9,
    Long::Exp8,
    Long::Exp7,
    Long::Exp6,
    Long::Exp5,
    Long::Exp4,
    Long::Exp3,
    Long::Exp2,
    Long::Exp1,
    Long::Exp0,
];

/// The factors of the logarithm, the last first.
const LOG: [Long; 11] = [
    Long::Log10,
    Long::Log9,
    Long::Log8,
    Long::Log7,
    Long::Log6,
    Long::Log5,
    Long::Log4,
    Long::Log3,
    Long::Log2,
    Long::Log1,
    Long::Log0,
];

/// Half of the lanes, as numbers of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Low,
    High,
}

impl Lowering<'_> {
    /// 2 to the power of `a`.
    pub(super) fn power_of_two(&mut self, dst: Operand, a: Operand, is_float24: bool) -> bool {
        self.in_halves(dst, a, is_float24, |l, half| {
            let [x, whole, sum, _] = T;
            let code = Code::EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
            l.asm.vector1_number(code, whole, Source::Vector(x), NEAREST, NONE);
            l.asm.vector2(SUBTRACT, x, x, Source::Vector(whole), NONE);
            l.series(sum, x, &EXP);
            // The result is exact if `x` was integral.
            l.asm.vector2(Code::EVEX_Vxorpd_zmm_k1z_zmm_zmmm512b64, OUT, OUT, Source::Vector(OUT), NONE);
            l.asm.compare(COMPARE, K[1], x, Source::Vector(OUT), DIFFERENT, NONE);
            let scale = Code::EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er;
            l.asm.vector2(scale, x, sum, Source::Vector(whole), NONE);
            if is_float24 {
                l.asm.compare(COMPARE, K[1], x, long(Long::Vanishing24), AT_LEAST, With::mask(K[1]));
            }
            l.doubt(x, half, is_float24);
        })
    }

    /// The base-2 logarithm.
    pub(super) fn logarithm(&mut self, dst: Operand, a: Operand, is_float24: bool) -> bool {
        self.in_halves(dst, a, is_float24, |l, half| {
            let [x, whole, sum, _] = T;
            // x = 2^whole * m, with m from 0.75 to 1.5.
            l.asm.vector1(Code::EVEX_Vgetexppd_zmm_k1z_zmmm512b64_sae, whole, Source::Vector(x), NONE);
            let significand = Code::EVEX_Vgetmantpd_zmm_k1z_zmmm512b64_imm8_sae;
            l.asm.vector1_number(significand, x, Source::Vector(x), AROUND_1, NONE);
            l.asm.compare(COMPARE, K[0], x, long(Long::One), LESS, NONE);
            let add = Code::EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
            l.asm.vector2(add, whole, whole, long(Long::One), With::mask(K[0]));
            // s = (m - 1) / (m + 1), and the series in its square.
            l.asm.vector2(add, sum, x, long(Long::One), NONE);
            l.asm.vector2(SUBTRACT, x, x, long(Long::One), NONE);
            l.asm.vector2(DIVIDE, x, x, Source::Vector(sum), NONE);
            let multiply = Code::EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
            l.asm.vector2(multiply, OUT, x, Source::Vector(x), NONE);
            l.series(sum, OUT, &LOG);
            // The result is exact if m was 1.
            l.asm.vector2(Code::EVEX_Vxorpd_zmm_k1z_zmm_zmmm512b64, OUT, OUT, Source::Vector(OUT), NONE);
            l.asm.compare(COMPARE, K[1], x, Source::Vector(OUT), DIFFERENT, NONE);
            l.asm.vector2(FUSED, x, sum, Source::Vector(whole), NONE);
            l.doubt(x, half, is_float24);
        })
    }

    /// `1 / sqrt(a)`, rounded as the definition does.
    pub(super) fn reciprocal_root(&mut self, dst: Operand, a: Operand) -> bool {
        if self.truncates {
            return false;
        }
        self.in_halves(dst, a, false, |l, _| {
            let [x, one, ..] = T;
            l.asm.vector1(Code::EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er, x, Source::Vector(x), NONE);
            l.long_in(one, Long::One);
            l.asm.vector2(DIVIDE, x, one, Source::Vector(x), NONE);
        })
    }

    /// Applies `f` to both halves of an operand: it replaces the numbers in the first temporary register, and can use
    /// all but the last one.
    fn in_halves(
        &mut self,
        dst: Operand,
        a: Operand,
        is_float24: bool,
        mut f: impl FnMut(&mut Self, Half),
    ) -> bool {
        if self.truncates != is_float24 {
            // The other rounding would apply to each step.
            return false;
        }
        let number = self.source(a);
        let kept = T[3];
        for half in [Half::High, Half::Low] {
            let from = self.register(number, T[0]);
            match half {
                Half::High => {
                    self.asm.high_half(T[0], from);
                    self.asm.widened(T[0], T[0]);
                }
                Half::Low => self.asm.widened(T[0], from),
            }
            f(self, half);
            let to = if half == Half::High { kept } else { OUT };
            self.asm.narrowed(to, T[0]);
        }
        self.asm.halves(OUT, OUT, kept);
        self.result(dst, |l, d| match is_float24 {
            true => l.finished24(d, OUT),
            false => l.asm.vector1(MOVE, d, Source::Vector(OUT), NONE),
        });
        true
    }

    /// `to` = the sum of a series in `x` by its factors, the last first.
    fn series(&mut self, to: Vector, x: Vector, factors: &[Long]) {
        let Some((last, others)) = factors.split_first() else { return };
        self.long_in(to, *last);
        for factor in others {
            self.asm.vector2(FUSED, to, x, long(*factor), NONE);
        }
    }

    /// A constant of 64 bits in all lanes of a half.
    fn long_in(&mut self, to: Vector, n: Long) {
        if let Source::Broadcast(address) = long(n) {
            let code = Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64;
            self.asm.vector1(code, to, Source::Memory(address), NONE);
        }
    }

    /// Reports the lanes of a half whose results are too near to a point where rounding changes, unless they are exact:
    /// `K[1]` has the lanes that are not.
    fn doubt(&mut self, result: Vector, half: Half, is_float24: bool) {
        let (moved, bits) = match is_float24 {
            true => (Long::NearNumber24, Long::NearBits24),
            false => (Long::NearMiddle32, Long::NearBits32),
        };
        let add = Code::EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
        self.asm.vector2(add, OUT, result, long(moved), NONE);
        let none = Code::EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64;
        self.asm.test(none, K[0], OUT, long(bits), With::mask(K[1]));
        if !is_float24 {
            // Denormal results have fewer bits.
            self.asm.compare(COMPARE, K[1], result, long(Long::Normal32), LESS, With::mask(K[1]));
            self.asm.compare(COMPARE, K[1], result, long(Long::Vanishing32), AT_LEAST, With::mask(K[1]));
            self.asm.sets(Code::VEX_Korw_kr_kr_kr, K[0], K[0], K[1]);
        }
        if half == Half::High {
            self.asm.shifted(K[0], K[0], 8);
        }
        self.asm.sets(Code::VEX_Kandw_kr_kr_kr, K[0], K[0], LANES);
        self.asm.sets(Code::VEX_Korw_kr_kr_kr, DOUBT, DOUBT, K[0]);
    }
}
