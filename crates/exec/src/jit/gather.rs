//! Tables of uniforms that are read by a computed index: a row of four for each lane.

use super::assembler::{Source, Vector, With, Word};
use super::context::Field;
use super::lower::{K, Lowering, OUT, T};
use crate::memory::{LANES, Operand, rows_end};
use iced_x86::{Code, Register};

const NONE: With = With { mask: None, zero: false, rounding: None };
const LESS: u8 = 1;
const TABLE: Register = Register::R10;

impl Lowering<'_> {
    /// Four elements of a table for each lane, from `offset + index * stride` on; zeros past its end.
    pub(super) fn gather(
        &mut self,
        dst: [Operand; 4],
        table: usize,
        (offset, stride): (u32, u32),
        index: Operand,
    ) {
        self.settle(&[index]);
        let units = self.program.tables.get(table).map_or(0, |t| u32::from(t.units));
        let index = self.loaded(index, T[0]);
        // The row of zeros follows the units.
        self.number(OUT, units);
        self.number(T[1], rows_end(units, offset, stride));
        let less = Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
        self.asm.compare(less, K[0], index, Source::Vector(T[1]), LESS, NONE);
        self.number(T[1], stride);
        let multiply = Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
        self.asm.vector2(multiply, T[0], index, Source::Vector(T[1]), NONE);
        self.number(T[1], offset);
        let add = Code::EVEX_Vpaddd_zmm_k1z_zmm_zmmm512b32;
        self.asm.vector2(add, OUT, T[0], Source::Vector(T[1]), With::mask(K[0]));
        self.asm.store(Field::Scratch.address(), OUT, NONE);
        self.asm.word(Code::Mov_r64_rm64, TABLE, Word::Memory(Field::Table(table).address()));
        // Quarter q of vector r has the row of lane 4 * q + r.
        for lane in 0..LANES {
            let mut at = Field::Scratch.address();
            at.offset += (lane * size_of::<u32>()) as i32;
            self.asm.word(Code::Mov_r32_rm32, Register::EAX, Word::Memory(at));
            self.asm.quarter(rows(lane % 4), TABLE, Register::RAX, (lane / 4) as u8);
        }
        self.transpose(dst);
    }

    /// Rows of four elements as four components.
    fn transpose(&mut self, dst: [Operand; 4]) {
        let [a, b, c, d] = [rows(0), rows(1), rows(2), rows(3)];
        let low = Code::EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32;
        let high = Code::EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32;
        self.asm.vector2(low, OUT, a, Source::Vector(b), NONE);
        self.asm.vector2(high, a, a, Source::Vector(b), NONE);
        self.asm.vector2(low, b, c, Source::Vector(d), NONE);
        self.asm.vector2(high, c, c, Source::Vector(d), NONE);
        let low = Code::EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64;
        let high = Code::EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64;
        // `d` is free: a result in memory passes through it.
        for (dst, (code, x, y)) in
            dst.into_iter().zip([(low, OUT, b), (high, OUT, b), (low, a, c), (high, a, c)])
        {
            // A component that nothing uses has no slab.
            if dst.is_uniform() {
                continue;
            }
            let register = self.registers.get(dst);
            self.asm.vector2(code, register.unwrap_or(d), x, Source::Vector(y), NONE);
            if register.is_none() {
                let to = self.address(dst);
                self.asm.store(to, d, NONE);
            }
            self.forget(dst);
        }
    }

    /// A number in all lanes.
    fn number(&mut self, to: Vector, n: u32) {
        self.asm.word(Code::Mov_r32_imm32, Register::EAX, Word::Number(n));
        self.asm.splat(to, Register::EAX);
    }
}

/// The register with every fourth row.
fn rows(n: usize) -> Vector {
    T[n]
}
