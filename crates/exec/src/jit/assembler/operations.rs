//! Operations that both levels have as one instruction.

use iced_x86::Code;

/// An operation on vectors, with the instruction of each level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::jit) struct Operation {
    pub(super) ymm: Code,
    pub(super) zmm: Code,
}

macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident = $ymm:ident, $zmm:ident;)+) => {
        $($(#[$doc])* pub(in crate::jit) const $name: Operation =
            Operation { ymm: Code::$ymm, zmm: Code::$zmm };)+
    };
}

operations! {
    // Bits.
    MOVE = VEX_Vmovaps_ymm_ymmm256, EVEX_Vmovaps_zmm_k1z_zmmm512;
    AND = VEX_Vpand_ymm_ymm_ymmm256, EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32;
    OR = VEX_Vpor_ymm_ymm_ymmm256, EVEX_Vpord_zmm_k1z_zmm_zmmm512b32;
    XOR = VEX_Vpxor_ymm_ymm_ymmm256, EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32;
    // Numbers of 32 bits.
    ADD = VEX_Vaddps_ymm_ymm_ymmm256, EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er;
    SUBTRACT = VEX_Vsubps_ymm_ymm_ymmm256, EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er;
    MULTIPLY = VEX_Vmulps_ymm_ymm_ymmm256, EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er;
    DIVIDE = VEX_Vdivps_ymm_ymm_ymmm256, EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er;
    ROOT = VEX_Vsqrtps_ymm_ymmm256, EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er;
    /// An approximation of `1 / sqrt(b)`: its relative error is less than 1.5 * 2^-12.
    NEAR_RECIPROCAL_ROOT = VEX_Vrsqrtps_ymm_ymmm256, EVEX_Vrsqrt14ps_zmm_k1z_zmmm512b32;
    /// The second operand if the numbers are equal or one is NaN.
    MIN = VEX_Vminps_ymm_ymm_ymmm256, EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae;
    MAX = VEX_Vmaxps_ymm_ymm_ymmm256, EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae;
    /// To an integral number, by a numbered rounding.
    TO_INTEGRAL = VEX_Vroundps_ymm_ymmm256_imm8, EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae;
    /// `dst * a + b`; `a * b + dst`; `dst * a - b`; `b - dst * a`, each with one rounding.
    FUSED = VEX_Vfmadd213ps_ymm_ymm_ymmm256, EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
    FUSED_SUM = VEX_Vfmadd231ps_ymm_ymm_ymmm256, EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er;
    FUSED_DIFFERENCE = VEX_Vfmsub213ps_ymm_ymm_ymmm256, EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er;
    FUSED_NEGATED = VEX_Vfnmadd213ps_ymm_ymm_ymmm256, EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er;
    // Integers.
    TO_FLOAT = VEX_Vcvtdq2ps_ymm_ymmm256, EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er;
    /// The least integer for numbers without one.
    TO_SIGNED = VEX_Vcvttps2dq_ymm_ymmm256, EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae;
    INTEGER_ADD = VEX_Vpaddd_ymm_ymm_ymmm256, EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
    INTEGER_SUBTRACT = VEX_Vpsubd_ymm_ymm_ymmm256, EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32;
    INTEGER_MULTIPLY = VEX_Vpmulld_ymm_ymm_ymmm256, EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
    UNSIGNED_MIN = VEX_Vpminud_ymm_ymm_ymmm256, EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32;
    UNSIGNED_MAX = VEX_Vpmaxud_ymm_ymm_ymmm256, EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32;
    SIGNED_MIN = VEX_Vpminsd_ymm_ymm_ymmm256, EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32;
    SIGNED_MAX = VEX_Vpmaxsd_ymm_ymm_ymmm256, EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32;
    /// Shifts by the elements of the second operand; counts of 32 and more shift everything out.
    SHIFT_LEFT = VEX_Vpsllvd_ymm_ymm_ymmm256, EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32;
    SHIFT_RIGHT = VEX_Vpsrlvd_ymm_ymm_ymmm256, EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32;
    SHIFT_SIGNED = VEX_Vpsravd_ymm_ymm_ymmm256, EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32;
    /// Shifts by a number. The operand must be a register.
    SHIFT_LEFT_BY = VEX_Vpslld_ymm_ymm_imm8, EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8;
    SHIFT_RIGHT_BY = VEX_Vpsrld_ymm_ymm_imm8, EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8;
    SHIFT_SIGNED_BY = VEX_Vpsrad_ymm_ymm_imm8, EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8;
    /// Lanes of each four from others, whose numbers are two bits each.
    PERMUTE = VEX_Vpermilps_ymm_ymmm256_imm8, EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8;
    // Rows and columns.
    UNPACK_LOW = VEX_Vunpcklps_ymm_ymm_ymmm256, EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32;
    UNPACK_HIGH = VEX_Vunpckhps_ymm_ymm_ymmm256, EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32;
    UNPACK_LOW_PAIRS = VEX_Vunpcklpd_ymm_ymm_ymmm256, EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64;
    UNPACK_HIGH_PAIRS = VEX_Vunpckhpd_ymm_ymm_ymmm256, EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64;
    // Numbers of 64 bits.
    LONG_ADD = VEX_Vaddpd_ymm_ymm_ymmm256, EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er;
    LONG_SUBTRACT = VEX_Vsubpd_ymm_ymm_ymmm256, EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er;
    LONG_MULTIPLY = VEX_Vmulpd_ymm_ymm_ymmm256, EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er;
    LONG_DIVIDE = VEX_Vdivpd_ymm_ymm_ymmm256, EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er;
    LONG_ROOT = VEX_Vsqrtpd_ymm_ymmm256, EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er;
    LONG_TO_INTEGRAL = VEX_Vroundpd_ymm_ymmm256_imm8, EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae;
    /// `dst * a + b` with one rounding.
    LONG_FUSED = VEX_Vfmadd213pd_ymm_ymm_ymmm256, EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er;
    /// Shifts patterns by a number.
    LONG_SHIFT_LEFT_BY = VEX_Vpsllq_ymm_ymm_imm8, EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8;
    /// The sum of patterns.
    LONG_INTEGER_ADD = VEX_Vpaddq_ymm_ymm_ymmm256, EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64;
}
