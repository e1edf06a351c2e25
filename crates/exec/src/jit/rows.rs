//! Rows of four elements for each lane: tables of uniforms that are read by a computed index, attributes, results.

use super::assembler::{Address, Label, Mask, Source, Vector, With, Word};
use super::context::Field;
use super::lower::{CHUNK, DOUBT, K, Lowering, OUT, T};
use super::tables::{Row, Scaled};
use crate::memory::{LANES, Operand};
use iced_x86::{Code, Register};

const NONE: With = With { mask: None, zero: false, rounding: None };
const LESS: u8 = 1;
const AT_LEAST: u8 = 5;
/// The address of a table.
const TABLE: Register = Register::R10;
/// The address of a row, the bytes from one row to the next, and three times as many.
pub(super) const FIRST: Register = Register::R10;
pub(super) const STRIDE: Register = Register::R11;
pub(super) const THREE: Register = Register::RCX;
/// Four rows.
const ROWS: [Word; 4] = [
    Word::Memory(Address { base: FIRST, offset: 0 }),
    Word::Indexed { base: FIRST, index: STRIDE, scale: 1, offset: 0 },
    Word::Indexed { base: FIRST, index: STRIDE, scale: 2, offset: 0 },
    Word::Indexed { base: FIRST, index: THREE, scale: 1, offset: 0 },
];
/// The operand of a component that nothing uses.
const UNUSED: Operand = Operand::uniform(0);

impl Lowering<'_> {
    /// Four elements of a table for each lane, from `offset + index * stride` on. Lanes whose row is not in the table are
    /// in doubt.
    pub(super) fn gather(&mut self, dst: [Operand; 4], of: Row, lanes: Mask) {
        self.settle(&[of.index]);
        if !self.scaled.is_some_and(|scaled| scaled.serves(of)) {
            self.scale(of, lanes);
        }
        // A row past the end, of which all lanes are in doubt, is the row of zeros after the table.
        let units = self.program.tables.get(of.table).map_or(0, |t| u32::from(t.units));
        let offset = (of.offset.min(units) as usize * size_of::<u32>()) as i32;
        self.asm.word(Code::Mov_r64_rm64, TABLE, Word::Memory(Field::Table(of.table).address()));
        // Quarter q of vector r has the row of lane 4 * q + r.
        for lane in 0..LANES {
            let mut at = Field::Scratch.address();
            at.offset += (lane * size_of::<u32>()) as i32;
            self.asm.word(Code::Mov_r32_rm32, Register::EAX, Word::Memory(at));
            let row = Word::Indexed { base: TABLE, index: Register::RAX, scale: 4, offset };
            self.asm.load_quarter(T[lane % 4], row, (lane / 4) as u8);
        }
        self.transpose(dst);
    }

    /// Stores the products of index and stride to the context, zero for lanes whose row is outside of the table.
    fn scale(&mut self, of: Row, lanes: Mask) {
        let index = self.loaded(of.index, T[0]);
        self.number(T[1], of.end);
        let compare = Code::EVEX_Vpcmpud_kr_k1_zmm_zmmm512b32_imm8;
        self.asm.compare(compare, K[1], index, Source::Vector(T[1]), AT_LEAST, With::mask(lanes));
        self.asm.sets(Code::VEX_Korw_kr_kr_kr, DOUBT, DOUBT, K[1]);
        self.asm.compare(compare, K[0], index, Source::Vector(T[1]), LESS, NONE);
        let with = With::zeroing(K[0]);
        if of.stride.is_power_of_two() {
            let (code, by) = (Code::EVEX_Vpslld_zmm_k1z_zmmm512b32_imm8, of.stride.ilog2() as u8);
            self.asm.vector1_number(code, T[0], Source::Vector(index), by, with);
        } else {
            self.number(T[1], of.stride);
            let code = Code::EVEX_Vpmulld_zmm_k1z_zmm_zmmm512b32;
            self.asm.vector2(code, T[0], index, Source::Vector(T[1]), with);
        }
        self.asm.store(Field::Scratch.address(), T[0], NONE);
        self.scaled = Some(Scaled { table: of.table, stride: of.stride, index: of.index, end: of.end });
    }

    /// Rows of four elements as four components.
    fn transpose(&mut self, dst: [Operand; 4]) {
        let [a, b, c, d] = T;
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

    /// Loads four units of the chunk's lanes: from an array of the caller, or from chunks if the array is not used.
    pub(super) fn load_rows(&mut self, array: usize, units: [Option<Operand>; 4]) {
        let [chunks, end] = [self.asm.label(), self.asm.label()];
        self.rows(Field::Input(array), Field::InputStride(array), chunks);
        for quarter in 0..4 {
            for (to, row) in T.into_iter().zip(ROWS) {
                self.asm.load_quarter(to, row, quarter);
            }
            self.next_rows(quarter);
        }
        self.transpose(units.map(|unit| unit.unwrap_or(UNUSED)));
        self.asm.jump(Code::Jmp_rel32_64, end);
        self.asm.bind(chunks);
        for unit in units.into_iter().flatten() {
            if let Some(register) = self.registers.get(unit) {
                let from = Source::Memory(self.address(unit));
                self.asm.vector1(Code::EVEX_Vmovaps_zmm_k1z_zmmm512, register, from, NONE);
            }
        }
        self.asm.bind(end);
    }

    /// Stores four units of the chunk's lanes: to an array of the caller, or to chunks if the array is not used.
    pub(super) fn store_rows(&mut self, array: usize, units: [Operand; 4]) {
        let [chunks, end] = [self.asm.label(), self.asm.label()];
        self.rows(Field::Output(array), Field::OutputStride(array), chunks);
        let [a, b, c, d] = T;
        let low = Code::EVEX_Vunpcklps_zmm_k1z_zmm_zmmm512b32;
        let high = Code::EVEX_Vunpckhps_zmm_k1z_zmm_zmmm512b32;
        let (x, y) = (self.loaded(units[0], a), self.source(units[1]));
        self.asm.vector2(low, OUT, x, y, NONE);
        self.asm.vector2(high, a, x, y, NONE);
        let (z, w) = (self.loaded(units[2], b), self.source(units[3]));
        self.asm.vector2(low, c, z, w, NONE);
        self.asm.vector2(high, b, z, w, NONE);
        let low = Code::EVEX_Vunpcklpd_zmm_k1z_zmm_zmmm512b64;
        let high = Code::EVEX_Vunpckhpd_zmm_k1z_zmm_zmmm512b64;
        self.asm.vector2(low, d, OUT, Source::Vector(c), NONE);
        self.asm.vector2(high, OUT, OUT, Source::Vector(c), NONE);
        self.asm.vector2(low, c, a, Source::Vector(b), NONE);
        self.asm.vector2(high, a, a, Source::Vector(b), NONE);
        for quarter in 0..4 {
            for (from, row) in [d, OUT, c, a].into_iter().zip(ROWS) {
                self.asm.store_quarter(row, from, quarter);
            }
            self.next_rows(quarter);
        }
        self.asm.jump(Code::Jmp_rel32_64, end);
        self.asm.bind(chunks);
        self.store_chunks(units);
        self.asm.bind(end);
    }

    /// Stores components to their chunks.
    pub(super) fn store_chunks(&mut self, units: impl IntoIterator<Item = Operand>) {
        for unit in units {
            if let Some(register) = self.registers.get(unit) {
                let to = self.address(unit);
                self.asm.store(to, register, NONE);
            }
        }
    }

    /// The addresses of the chunk's first rows in an array; jumps to `unused` if the array is not used.
    fn rows(&mut self, first: Field, stride: Field, unused: Label) {
        self.asm.word(Code::Cmp_r64_rm64, CHUNK, Word::Memory(Field::Whole.address()));
        self.asm.jump(Code::Jae_rel32_64, unused);
        self.asm.word(Code::Mov_r64_rm64, Register::RAX, Word::Memory(first.address()));
        self.asm.word(Code::Test_rm64_r64, Register::RAX, Word::Register(Register::RAX));
        self.asm.jump(Code::Je_rel32_64, unused);
        self.asm.word(Code::Mov_r64_rm64, STRIDE, Word::Memory(stride.address()));
        self.asm.product(FIRST, CHUNK, LANES as u32);
        self.asm.word(Code::Imul_r64_rm64, FIRST, Word::Register(STRIDE));
        self.asm.word(Code::Add_r64_rm64, FIRST, Word::Register(Register::RAX));
        let three = Word::Indexed { base: STRIDE, index: STRIDE, scale: 2, offset: 0 };
        self.asm.word(Code::Lea_r64_m, THREE, three);
    }

    /// The addresses of the next four rows.
    fn next_rows(&mut self, quarter: u8) {
        if quarter < 3 {
            let next = Word::Indexed { base: FIRST, index: STRIDE, scale: 4, offset: 0 };
            self.asm.word(Code::Lea_r64_m, FIRST, next);
        }
    }

    /// A number in all lanes.
    fn number(&mut self, to: Vector, n: u32) {
        self.asm.word(Code::Mov_r32_imm32, Register::EAX, Word::Number(n));
        self.asm.splat(to, Register::EAX);
    }
}
