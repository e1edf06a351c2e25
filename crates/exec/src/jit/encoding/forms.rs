//! The codes that machine code uses, with their bits: numbers of the manuals of Intel and AMD.

use iced_x86::Code;

/// The bits of a code that do not depend on its operands.
pub(super) struct Form {
    pub(super) space: Space,
    pub(super) prefix: Prefix,
    pub(super) map: Map,
    /// The bit W: operands of 64 bits in most codes.
    pub(super) wide: bool,
    /// The number of the length of vectors: 128, 256 or 512 bits.
    pub(super) length: u8,
    pub(super) opcode: u8,
    /// A part of the opcode in the byte of operands, instead of a register.
    pub(super) digit: Option<u8>,
    pub(super) parts: &'static [Part],
    /// Whether it has a byte of operands.
    pub(super) has_operands: bool,
    /// Bytes of an operand in memory, a power of two.
    bytes: u8,
}

/// How an instruction begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Space {
    Legacy,
    Vex,
    Evex,
}

/// A prefix that is a part of the opcode. Values are the numbers in VEX and EVEX.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Prefix {
    None = 0,
    P66 = 1,
    PF3 = 2,
    PF2 = 3,
}

/// The table of an opcode. Values are the numbers in VEX and EVEX.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Map {
    Short = 0,
    M0F = 1,
    M38 = 2,
    M3A = 3,
}

/// Where an operand goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Reg,
    Vvvv,
    /// A register, or memory.
    Rm,
    /// A register in the lowest bits of the opcode.
    Opcode,
    /// A register in the high half of a last byte.
    Is4,
    /// A number of so many bytes.
    Immediate(u8),
    /// Four bytes from the next instruction to the target of a jump.
    Distance,
}

impl Prefix {
    pub(super) fn byte(self) -> Option<u8> {
        match self {
            Prefix::None => None,
            Prefix::P66 => Some(0x66),
            Prefix::PF3 => Some(0xf3),
            Prefix::PF2 => Some(0xf2),
        }
    }
}

impl Form {
    const fn new(space: Space, prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
        let (wide, length, digit, bytes) = (false, 0, None, 1);
        let (mut has_operands, mut n) = (false, 0);
        while n < parts.len() {
            has_operands |= matches!(parts[n], Part::Rm);
            n += 1;
        }
        Form { space, prefix, map, wide, length, opcode, digit, parts, has_operands, bytes }
    }

    const fn wide(self) -> Form {
        Form { wide: true, ..self }
    }

    const fn digit(self, digit: u8) -> Form {
        Form { digit: Some(digit), ..self }
    }

    /// With an operand in memory of so many bytes, fewer than a vector has.
    const fn of_bytes(self, bytes: u8) -> Form {
        Form { bytes, ..self }
    }

    /// The unit of distances of one byte, as a power of two: with EVEX, the operand's bytes.
    pub(super) fn unit(&self, broadcast: bool) -> u32 {
        match (self.space, broadcast, self.wide) {
            (Space::Evex, false, _) => self.bytes.trailing_zeros(),
            (Space::Evex, true, false) => 2,
            (Space::Evex, true, true) => 3,
            _ => 0,
        }
    }
}

/// An instruction on general registers.
const fn general(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form::new(Space::Legacy, prefix, map, opcode, parts)
}

/// An instruction of AVX on 16 bytes, or on general registers or sets of lanes.
const fn vex128(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form::new(Space::Vex, prefix, map, opcode, parts)
}

/// An instruction of AVX or AVX2 on 32 bytes.
const fn vex(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form { length: 1, ..Form::new(Space::Vex, prefix, map, opcode, parts) }
}

/// Instructions of AVX-512 on 16, 32 and 64 bytes.
const fn evex128(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form { bytes: 16, ..Form::new(Space::Evex, prefix, map, opcode, parts) }
}

const fn evex256(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form { length: 1, bytes: 32, ..Form::new(Space::Evex, prefix, map, opcode, parts) }
}

const fn evex(prefix: Prefix, map: Map, opcode: u8, parts: &'static [Part]) -> Form {
    Form { length: 2, bytes: 64, ..Form::new(Space::Evex, prefix, map, opcode, parts) }
}

const RM: &[Part] = &[Part::Reg, Part::Rm];
const MR: &[Part] = &[Part::Rm, Part::Reg];
const M: &[Part] = &[Part::Rm];
const RVM: &[Part] = &[Part::Reg, Part::Vvvv, Part::Rm];
const RVMI: &[Part] = &[Part::Reg, Part::Vvvv, Part::Rm, Part::Immediate(1)];
const RVMR: &[Part] = &[Part::Reg, Part::Vvvv, Part::Rm, Part::Is4];
const RMI: &[Part] = &[Part::Reg, Part::Rm, Part::Immediate(1)];
const MRI: &[Part] = &[Part::Rm, Part::Reg, Part::Immediate(1)];
const MVR: &[Part] = &[Part::Rm, Part::Vvvv, Part::Reg];
const VMI: &[Part] = &[Part::Vvvv, Part::Rm, Part::Immediate(1)];
const MI: &[Part] = &[Part::Rm, Part::Immediate(1)];
const MI16: &[Part] = &[Part::Rm, Part::Immediate(2)];
const MI32: &[Part] = &[Part::Rm, Part::Immediate(4)];
const RMI32: &[Part] = &[Part::Reg, Part::Rm, Part::Immediate(4)];
const O: &[Part] = &[Part::Opcode];
const OI32: &[Part] = &[Part::Opcode, Part::Immediate(4)];
const D: &[Part] = &[Part::Distance];

/// The form of a code; `None` if machine code does not use it.
pub(super) fn form(code: Code) -> Option<&'static Form> {
    let number = NUMBERS.get(code as usize)?.checked_sub(1)?;
    FORMS.get(usize::from(number)).map(|(_, form)| form)
}

/// For each code of the processor, one more than the number of its form, or zero: a form is found in one step.
static NUMBERS: [u8; 1 + largest_code()] = {
    assert!(FORMS.len() < u8::MAX as usize);
    let mut numbers = [0; 1 + largest_code()];
    let mut n = 0;
    while n < FORMS.len() {
        numbers[FORMS[n].0 as usize] = n as u8 + 1;
        n += 1;
    }
    numbers
};

const fn largest_code() -> usize {
    let (mut largest, mut n) = (0, 0);
    while n < FORMS.len() {
        if FORMS[n].0 as usize > largest {
            largest = FORMS[n].0 as usize;
        }
        n += 1;
    }
    largest
}

macro_rules! forms {
    ($($code:ident = $form:expr;)+) => {
        /// The codes with their forms.
        pub(super) const FORMS: &[(Code, Form)] = &[$((Code::$code, $form)),+];
    };
}

use Map::{M0F, M3A, M38, Short};
use Prefix::{None as NP, P66, PF2, PF3};

forms! {
    // General registers.
    Add_r64_rm64 = general(NP, Short, 0x03, RM).wide();
    Add_rm64_imm32 = general(NP, Short, 0x81, MI32).wide().digit(0);
    Call_rm64 = general(NP, Short, 0xff, M).digit(2);
    Cmp_r64_rm64 = general(NP, Short, 0x3b, RM).wide();
    Imul_r64_rm64 = general(NP, M0F, 0xaf, RM).wide();
    Imul_r64_rm64_imm32 = general(NP, Short, 0x69, RMI32).wide();
    Inc_rm64 = general(NP, Short, 0xff, M).wide().digit(0);
    Lea_r64_m = general(NP, Short, 0x8d, RM).wide();
    Mov_r32_imm32 = general(NP, Short, 0xb8, OI32);
    Mov_r32_rm32 = general(NP, Short, 0x8b, RM);
    Mov_r64_rm64 = general(NP, Short, 0x8b, RM).wide();
    Mov_rm16_imm16 = general(P66, Short, 0xc7, MI16).digit(0);
    Mov_rm16_r16 = general(P66, Short, 0x89, MR);
    Mov_rm64_r64 = general(NP, Short, 0x89, MR).wide();
    Movzx_r32_rm16 = general(NP, M0F, 0xb7, RM);
    Or_rm16_r16 = general(P66, Short, 0x09, MR);
    Pop_r64 = general(NP, Short, 0x58, O);
    Popcnt_r32_rm32 = general(PF3, M0F, 0xb8, RM);
    Push_r64 = general(NP, Short, 0x50, O);
    Retnq = general(NP, Short, 0xc3, &[]);
    Shl_rm64_imm8 = general(NP, Short, 0xc1, MI).wide().digit(4);
    Sub_rm64_imm32 = general(NP, Short, 0x81, MI32).wide().digit(5);
    Sub_rm64_r64 = general(NP, Short, 0x29, MR).wide();
    Test_rm32_imm32 = general(NP, Short, 0xf7, MI32).digit(0);
    Test_rm32_r32 = general(NP, Short, 0x85, MR);
    Test_rm64_r64 = general(NP, Short, 0x85, MR).wide();
    Xor_r32_rm32 = general(NP, Short, 0x33, RM);
    // Jumps.
    Jae_rel32_64 = general(NP, M0F, 0x83, D);
    Jb_rel32_64 = general(NP, M0F, 0x82, D);
    Je_rel32_64 = general(NP, M0F, 0x84, D);
    Jmp_rel32_64 = general(NP, Short, 0xe9, D);
    Jne_rel32_64 = general(NP, M0F, 0x85, D);
    // The control register, and registers as a whole.
    VEX_Vldmxcsr_m32 = vex128(NP, M0F, 0xae, M).digit(2);
    VEX_Vstmxcsr_m32 = vex128(NP, M0F, 0xae, M).digit(3);
    VEX_Vzeroupper = vex128(NP, M0F, 0x77, &[]);
    // Sets of lanes.
    VEX_Kandnw_kr_kr_kr = vex(NP, M0F, 0x42, RVM);
    VEX_Kandw_kr_kr_kr = vex(NP, M0F, 0x41, RVM);
    VEX_Kmovw_kr_r32 = vex128(NP, M0F, 0x92, RM);
    VEX_Kmovw_r32_kr = vex128(NP, M0F, 0x93, RM);
    VEX_Kortestw_kr_kr = vex128(NP, M0F, 0x98, RM);
    VEX_Korw_kr_kr_kr = vex(NP, M0F, 0x45, RVM);
    VEX_Kshiftlw_kr_kr_imm8 = vex128(P66, M3A, 0x32, RMI).wide();
    VEX_Kxorw_kr_kr_kr = vex(NP, M0F, 0x47, RVM);
    // Vectors of AVX2.
    VEX_Vaddpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x58, RVM);
    VEX_Vaddps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x58, RVM);
    VEX_Vblendvpd_ymm_ymm_ymmm256_ymm = vex(P66, M3A, 0x4b, RVMR);
    VEX_Vblendvps_ymm_ymm_ymmm256_ymm = vex(P66, M3A, 0x4a, RVMR);
    VEX_Vbroadcastsd_ymm_m64 = vex(P66, M38, 0x19, RM);
    VEX_Vcmppd_ymm_ymm_ymmm256_imm8 = vex(P66, M0F, 0xc2, RVMI);
    VEX_Vcmpps_ymm_ymm_ymmm256_imm8 = vex(NP, M0F, 0xc2, RVMI);
    VEX_Vcvtdq2ps_ymm_ymmm256 = vex(NP, M0F, 0x5b, RM);
    VEX_Vcvtpd2ps_xmm_ymmm256 = vex(P66, M0F, 0x5a, RM);
    VEX_Vcvtps2pd_ymm_xmmm128 = vex(NP, M0F, 0x5a, RM);
    VEX_Vcvttps2dq_ymm_ymmm256 = vex(PF3, M0F, 0x5b, RM);
    VEX_Vdivpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x5e, RVM);
    VEX_Vdivps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x5e, RVM);
    VEX_Vextractf128_xmmm128_ymm_imm8 = vex(P66, M3A, 0x19, MRI);
    VEX_Vfmadd213pd_ymm_ymm_ymmm256 = vex(P66, M38, 0xa8, RVM).wide();
    VEX_Vfmadd213ps_ymm_ymm_ymmm256 = vex(P66, M38, 0xa8, RVM);
    VEX_Vfmadd231ps_ymm_ymm_ymmm256 = vex(P66, M38, 0xb8, RVM);
    VEX_Vfmsub213ps_ymm_ymm_ymmm256 = vex(P66, M38, 0xaa, RVM);
    VEX_Vfnmadd213ps_ymm_ymm_ymmm256 = vex(P66, M38, 0xac, RVM);
    VEX_Vinsertf128_ymm_ymm_xmmm128_imm8 = vex(P66, M3A, 0x18, RVMI);
    VEX_Vmaskmovps_m256_ymm_ymm = vex(P66, M38, 0x2e, MVR);
    VEX_Vmaxpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x5f, RVM);
    VEX_Vmaxps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x5f, RVM);
    VEX_Vminpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x5d, RVM);
    VEX_Vminps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x5d, RVM);
    VEX_Vmovaps_ymm_ymmm256 = vex(NP, M0F, 0x28, RM);
    VEX_Vmovaps_ymmm256_ymm = vex(NP, M0F, 0x29, MR);
    VEX_Vmovd_xmm_rm32 = vex128(P66, M0F, 0x6e, RM);
    VEX_Vmovmskps_r32_ymm = vex(NP, M0F, 0x50, RM);
    VEX_Vmovups_xmm_xmmm128 = vex128(NP, M0F, 0x10, RM);
    VEX_Vmovups_xmmm128_xmm = vex128(NP, M0F, 0x11, MR);
    VEX_Vmulpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x59, RVM);
    VEX_Vmulps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x59, RVM);
    VEX_Vpaddd_ymm_ymm_ymmm256 = vex(P66, M0F, 0xfe, RVM);
    VEX_Vpaddq_ymm_ymm_ymmm256 = vex(P66, M0F, 0xd4, RVM);
    VEX_Vpand_ymm_ymm_ymmm256 = vex(P66, M0F, 0xdb, RVM);
    VEX_Vpandn_ymm_ymm_ymmm256 = vex(P66, M0F, 0xdf, RVM);
    VEX_Vpbroadcastd_ymm_xmmm32 = vex(P66, M38, 0x58, RM);
    VEX_Vpcmpeqd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x76, RVM);
    VEX_Vpcmpeqq_ymm_ymm_ymmm256 = vex(P66, M38, 0x29, RVM);
    VEX_Vpcmpgtd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x66, RVM);
    VEX_Vpermilps_ymm_ymmm256_imm8 = vex(P66, M3A, 0x04, RMI);
    VEX_Vpmaxsd_ymm_ymm_ymmm256 = vex(P66, M38, 0x3d, RVM);
    VEX_Vpmaxud_ymm_ymm_ymmm256 = vex(P66, M38, 0x3f, RVM);
    VEX_Vpminsd_ymm_ymm_ymmm256 = vex(P66, M38, 0x39, RVM);
    VEX_Vpminud_ymm_ymm_ymmm256 = vex(P66, M38, 0x3b, RVM);
    VEX_Vpmovsxdq_ymm_xmmm128 = vex(P66, M38, 0x25, RM);
    VEX_Vpmulld_ymm_ymm_ymmm256 = vex(P66, M38, 0x40, RVM);
    VEX_Vpor_ymm_ymm_ymmm256 = vex(P66, M0F, 0xeb, RVM);
    VEX_Vpslld_ymm_ymm_imm8 = vex(P66, M0F, 0x72, VMI).digit(6);
    VEX_Vpsllq_ymm_ymm_imm8 = vex(P66, M0F, 0x73, VMI).digit(6);
    VEX_Vpsllvd_ymm_ymm_ymmm256 = vex(P66, M38, 0x47, RVM);
    VEX_Vpsrad_ymm_ymm_imm8 = vex(P66, M0F, 0x72, VMI).digit(4);
    VEX_Vpsravd_ymm_ymm_ymmm256 = vex(P66, M38, 0x46, RVM);
    VEX_Vpsrld_ymm_ymm_imm8 = vex(P66, M0F, 0x72, VMI).digit(2);
    VEX_Vpsrlq_ymm_ymm_imm8 = vex(P66, M0F, 0x73, VMI).digit(2);
    VEX_Vpsrlvd_ymm_ymm_ymmm256 = vex(P66, M38, 0x45, RVM);
    VEX_Vpsubd_ymm_ymm_ymmm256 = vex(P66, M0F, 0xfa, RVM);
    VEX_Vptest_ymm_ymmm256 = vex(P66, M38, 0x17, RM);
    VEX_Vpxor_ymm_ymm_ymmm256 = vex(P66, M0F, 0xef, RVM);
    VEX_Vroundpd_ymm_ymmm256_imm8 = vex(P66, M3A, 0x09, RMI);
    VEX_Vroundps_ymm_ymmm256_imm8 = vex(P66, M3A, 0x08, RMI);
    VEX_Vrsqrtps_ymm_ymmm256 = vex(NP, M0F, 0x52, RM);
    VEX_Vsqrtpd_ymm_ymmm256 = vex(P66, M0F, 0x51, RM);
    VEX_Vsqrtps_ymm_ymmm256 = vex(NP, M0F, 0x51, RM);
    VEX_Vsubpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x5c, RVM);
    VEX_Vsubps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x5c, RVM);
    VEX_Vunpckhpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x15, RVM);
    VEX_Vunpckhps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x15, RVM);
    VEX_Vunpcklpd_ymm_ymm_ymmm256 = vex(P66, M0F, 0x14, RVM);
    VEX_Vunpcklps_ymm_ymm_ymmm256 = vex(NP, M0F, 0x14, RVM);
    // Vectors of AVX-512.
    EVEX_Vaddpd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M0F, 0x58, RVM).wide();
    EVEX_Vaddps_zmm_k1z_zmm_zmmm512b32_er = evex(NP, M0F, 0x58, RVM);
    EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x65, RVM);
    EVEX_Vbroadcastsd_zmm_k1z_xmmm64 = evex(P66, M38, 0x19, RM).wide().of_bytes(8);
    EVEX_Vcmppd_kr_k1_zmm_zmmm512b64_imm8_sae = evex(P66, M0F, 0xc2, RVMI).wide();
    EVEX_Vcmpps_kr_k1_zmm_zmmm512b32_imm8_sae = evex(NP, M0F, 0xc2, RVMI);
    EVEX_Vcvtdq2ps_zmm_k1z_zmmm512b32_er = evex(NP, M0F, 0x5b, RM);
    EVEX_Vcvtpd2ps_ymm_k1z_zmmm512b64_er = evex(P66, M0F, 0x5a, RM).wide();
    EVEX_Vcvtps2pd_zmm_k1z_ymmm256b32_sae = evex(NP, M0F, 0x5a, RM).of_bytes(32);
    EVEX_Vcvttps2dq_zmm_k1z_zmmm512b32_sae = evex(PF3, M0F, 0x5b, RM);
    EVEX_Vcvttps2udq_zmm_k1z_zmmm512b32_sae = evex(NP, M0F, 0x78, RM);
    EVEX_Vcvtudq2ps_zmm_k1z_zmmm512b32_er = evex(PF2, M0F, 0x7a, RM);
    EVEX_Vdivpd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M0F, 0x5e, RVM).wide();
    EVEX_Vdivps_zmm_k1z_zmm_zmmm512b32_er = evex(NP, M0F, 0x5e, RVM);
    EVEX_Vextractf32x4_xmmm128_k1z_zmm_imm8 = evex(P66, M3A, 0x19, MRI).of_bytes(16);
    EVEX_Vextractf32x8_ymmm256_k1z_zmm_imm8 = evex(P66, M3A, 0x1b, MRI).of_bytes(32);
    EVEX_Vfmadd213pd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M38, 0xa8, RVM).wide();
    EVEX_Vfmadd213ps_zmm_k1z_zmm_zmmm512b32_er = evex(P66, M38, 0xa8, RVM);
    EVEX_Vfmadd231ps_zmm_k1z_zmm_zmmm512b32_er = evex(P66, M38, 0xb8, RVM);
    EVEX_Vfmsub213ps_zmm_k1z_zmm_zmmm512b32_er = evex(P66, M38, 0xaa, RVM);
    EVEX_Vfnmadd213ps_zmm_k1z_zmm_zmmm512b32_er = evex(P66, M38, 0xac, RVM);
    EVEX_Vgetexppd_zmm_k1z_zmmm512b64_sae = evex(P66, M38, 0x42, RM).wide();
    EVEX_Vgetmantpd_zmm_k1z_zmmm512b64_imm8_sae = evex(P66, M3A, 0x26, RMI).wide();
    EVEX_Vinsertf32x4_zmm_k1z_zmm_xmmm128_imm8 = evex(P66, M3A, 0x18, RVMI).of_bytes(16);
    EVEX_Vinsertf32x8_zmm_k1z_zmm_ymmm256_imm8 = evex(P66, M3A, 0x1a, RVMI).of_bytes(32);
    EVEX_Vmaxps_zmm_k1z_zmm_zmmm512b32_sae = evex(NP, M0F, 0x5f, RVM);
    EVEX_Vminps_zmm_k1z_zmm_zmmm512b32_sae = evex(NP, M0F, 0x5d, RVM);
    EVEX_Vmovaps_ymmm256_k1z_ymm = evex256(NP, M0F, 0x29, MR);
    EVEX_Vmovaps_zmm_k1z_zmmm512 = evex(NP, M0F, 0x28, RM);
    EVEX_Vmovaps_zmmm512_k1z_zmm = evex(NP, M0F, 0x29, MR);
    EVEX_Vmovups_xmm_k1z_xmmm128 = evex128(NP, M0F, 0x10, RM);
    EVEX_Vmovups_xmmm128_k1z_xmm = evex128(NP, M0F, 0x11, MR);
    EVEX_Vmulpd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M0F, 0x59, RVM).wide();
    EVEX_Vmulps_zmm_k1z_zmm_zmmm512b32_er = evex(NP, M0F, 0x59, RVM);
    EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M0F, 0xfe, RVM);
    EVEX_Vpaddq_zmm_k1z_zmm_zmmm512b64 = evex(P66, M0F, 0xd4, RVM).wide();
    EVEX_Vpandd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M0F, 0xdb, RVM);
    EVEX_Vpbroadcastd_zmm_k1z_r32 = evex(P66, M38, 0x7c, RM);
    EVEX_Vpbroadcastd_zmm_k1z_xmmm32 = evex(P66, M38, 0x58, RM).of_bytes(4);
    EVEX_Vpcmpd_kr_k1_zmm_zmmm512b32_imm8 = evex(P66, M3A, 0x1f, RVMI);
    EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8 = evex(P66, M3A, 0x1e, RVMI);
    EVEX_Vpermilps_zmm_k1z_zmmm512b32_imm8 = evex(P66, M3A, 0x04, RMI);
    EVEX_Vpmaxsd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x3d, RVM);
    EVEX_Vpmaxud_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x3f, RVM);
    EVEX_Vpminsd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x39, RVM);
    EVEX_Vpminud_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x3b, RVM);
    EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x40, RVM);
    EVEX_Vpord_zmm_k1z_zmm_zmmm512b32 = evex(P66, M0F, 0xeb, RVM);
    EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8 = evex(P66, M0F, 0x72, VMI).digit(6);
    EVEX_Vpsllvd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x47, RVM);
    EVEX_Vpsllq_zmm_k1z_zmmm512b64_imm8 = evex(P66, M0F, 0x73, VMI).digit(6).wide();
    EVEX_Vpsrad_zmm_k1z_zmmm512b32_imm8 = evex(P66, M0F, 0x72, VMI).digit(4);
    EVEX_Vpsravd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x46, RVM);
    EVEX_Vpsrld_zmm_k1z_zmmm512b32_imm8 = evex(P66, M0F, 0x72, VMI).digit(2);
    EVEX_Vpsrlvd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M38, 0x45, RVM);
    EVEX_Vpsubd_zmm_k1z_zmm_zmmm512b32 = evex(P66, M0F, 0xfa, RVM);
    EVEX_Vptestmd_kr_k1_zmm_zmmm512b32 = evex(P66, M38, 0x27, RVM);
    EVEX_Vptestnmq_kr_k1_zmm_zmmm512b64 = evex(PF3, M38, 0x27, RVM).wide();
    EVEX_Vpxord_zmm_k1z_zmm_zmmm512b32 = evex(P66, M0F, 0xef, RVM);
    EVEX_Vrangeps_zmm_k1z_zmm_zmmm512b32_imm8_sae = evex(P66, M3A, 0x50, RVMI);
    EVEX_Vrndscalepd_zmm_k1z_zmmm512b64_imm8_sae = evex(P66, M3A, 0x09, RMI).wide();
    EVEX_Vrndscaleps_zmm_k1z_zmmm512b32_imm8_sae = evex(P66, M3A, 0x08, RMI);
    EVEX_Vrsqrt14ps_zmm_k1z_zmmm512b32 = evex(P66, M38, 0x4e, RM);
    EVEX_Vscalefpd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M38, 0x2c, RVM).wide();
    EVEX_Vsqrtpd_zmm_k1z_zmmm512b64_er = evex(P66, M0F, 0x51, RM).wide();
    EVEX_Vsqrtps_zmm_k1z_zmmm512b32_er = evex(NP, M0F, 0x51, RM);
    EVEX_Vsubpd_zmm_k1z_zmm_zmmm512b64_er = evex(P66, M0F, 0x5c, RVM).wide();
    EVEX_Vsubps_zmm_k1z_zmm_zmmm512b32_er = evex(NP, M0F, 0x5c, RVM);
    EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64 = evex(P66, M0F, 0x15, RVM).wide();
    EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32 = evex(NP, M0F, 0x15, RVM);
    EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64 = evex(P66, M0F, 0x14, RVM).wide();
    EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32 = evex(NP, M0F, 0x14, RVM);
}
