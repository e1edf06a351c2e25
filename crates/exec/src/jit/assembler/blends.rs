//! Results that only some lanes get.

use super::operations::{AND, INTEGER_SUBTRACT, MOVE, UNSIGNED_MAX};
use super::{Assembler, Encoded, Mask, Source, Vector};
use crate::jit::context::{Address, Word};
use crate::jit::vectors::Vectors;
use iced_x86::{Code, Instruction};

/// Writes only these lanes.
pub(super) fn merging(mut i: Instruction, set: Mask) -> Instruction {
    i.set_op_mask(set.register());
    i
}

/// Writes these lanes, and zero to the others.
pub(super) fn zeroing(i: Instruction, set: Mask) -> Instruction {
    let mut i = merging(i, set);
    i.set_zeroing_masking(true);
    i
}

impl Assembler {
    /// `dst` = `yes` in the lanes of a set, `no` in the others. With AVX2 the first set of steps is lost if the set is that
    /// of the lanes that run.
    pub(in crate::jit) fn select(&mut self, dst: Vector, no: Vector, yes: Source, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.set_in_register(set).ymm();
                let code = Code::VEX_Vblendvps_ymm_ymm_ymmm256_ymm;
                self.put(match yes.encoded(Vectors::Ymm) {
                    Encoded::Register(yes) => Instruction::with4(code, dst.ymm(), no.ymm(), yes, set),
                    Encoded::Memory(yes) => Instruction::with4(code, dst.ymm(), no.ymm(), yes, set),
                });
            }
            Vectors::Zmm => {
                let (dst, no) = (dst.of(Vectors::Zmm), no.of(Vectors::Zmm));
                let code = Code::EVEX_Vblendmps_zmm_k1z_zmm_zmmm512b32;
                self.instruction3(code, dst, no, yes, |i| merging(i, set));
            }
        }
    }

    /// Replaces the lanes of a set.
    pub(in crate::jit) fn blend(&mut self, dst: Vector, src: Source, set: Mask) {
        self.select(dst, dst, src, set);
    }

    /// Stores the lanes of a set.
    pub(in crate::jit) fn store_lanes(&mut self, to: Address, from: Vector, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.set_in_register(set).ymm();
                let code = Code::VEX_Vmaskmovps_m256_ymm_ymm;
                self.put(Instruction::with3(code, to.operand(), set, from.ymm()));
            }
            Vectors::Zmm => {
                let code = Code::EVEX_Vmovaps_zmmm512_k1z_zmm;
                let i = Instruction::with2(code, to.operand(), from.of(Vectors::Zmm));
                self.put(i.map(|i| merging(i, set)));
            }
        }
    }

    /// `src` in the lanes of a set, which a comparison made, and zero in the others.
    pub(in crate::jit) fn keep(&mut self, dst: Vector, src: Vector, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.step(set);
                self.vector2(AND, dst, set, Source::Vector(src));
            }
            Vectors::Zmm => {
                let code = self.code(MOVE);
                let i = Instruction::with2(code, dst.of(Vectors::Zmm), src.of(Vectors::Zmm));
                self.put(i.map(|i| zeroing(i, set)));
            }
        }
    }

    /// Some bits of `src` in the lanes of a set, which a comparison made, and zero in the others.
    pub(in crate::jit) fn keep_bits(&mut self, dst: Vector, src: Vector, bits: Word, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                self.vector2(AND, dst, src, Source::Word(bits));
                self.keep(dst, dst, set);
            }
            Vectors::Zmm => {
                let (code, zmm) = (self.code(AND), Vectors::Zmm);
                self.instruction3(code, dst.of(zmm), src.of(zmm), Source::Word(bits), |i| zeroing(i, set));
            }
        }
    }

    /// Each lane that runs of `largest` = the larger one of it and `a`, without sign. `a` is lost.
    pub(in crate::jit) fn raise(&mut self, largest: Vector, a: Vector) {
        match self.vectors {
            Vectors::Ymm => {
                self.and_set(a, Mask::Lanes);
                self.vector2(UNSIGNED_MAX, largest, largest, Source::Vector(a));
            }
            Vectors::Zmm => {
                let (code, to) = (self.code(UNSIGNED_MAX), largest.of(Vectors::Zmm));
                self.instruction3(code, to, to, Source::Vector(a), |i| merging(i, Mask::Lanes));
            }
        }
    }

    /// Subtracts an integer in the lanes of a set, which a comparison made. With AVX2 the set is lost.
    pub(in crate::jit) fn subtract_where(&mut self, dst: Vector, n: Word, set: Mask) {
        match self.vectors {
            Vectors::Ymm => {
                let set = self.step(set);
                self.vector2(AND, set, set, Source::Word(n));
                self.vector2(INTEGER_SUBTRACT, dst, dst, Source::Vector(set));
            }
            Vectors::Zmm => {
                let (code, to) = (self.code(INTEGER_SUBTRACT), dst.of(Vectors::Zmm));
                self.instruction3(code, to, to, Source::Word(n), |i| merging(i, set));
            }
        }
    }
}
