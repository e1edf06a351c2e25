//! Rows of four elements for each lane: tables of uniforms that are read by a computed index, attributes, results.

use super::assembler::operations::{
    INTEGER_MULTIPLY, MOVE, Operation, SHIFT_LEFT_BY, UNPACK_HIGH, UNPACK_HIGH_PAIRS, UNPACK_LOW,
    UNPACK_LOW_PAIRS, UNSIGNED_MIN,
};
use super::assembler::{General, Label, Source, Vector};
use super::context::{Address, Field};
use super::lower::{GROUP, Lowering, OUT, T};
use super::tables::{Row, Scaled};
use crate::memory::Operand;
use iced_x86::{Code, Register};

/// The address of a table.
const TABLE: Register = Register::R10;
/// The address of a row, the bytes from one row to the next, and three times as many.
pub(super) const FIRST: Register = Register::R10;
pub(super) const STRIDE: Register = Register::R11;
pub(super) const THREE: Register = Register::RCX;
/// Four rows.
const ROWS: [General; 4] = [
    General::Memory(Address { base: FIRST, offset: 0 }),
    General::Indexed { base: FIRST, index: STRIDE, scale: 1, offset: 0 },
    General::Indexed { base: FIRST, index: STRIDE, scale: 2, offset: 0 },
    General::Indexed { base: FIRST, index: THREE, scale: 1, offset: 0 },
];
/// The operand of a component that nothing uses.
const UNUSED: Operand = Operand::uniform(0);

impl Lowering<'_> {
    /// Four elements of a table for each lane, from `offset + index * stride` on.
    pub(super) fn gather(&mut self, dst: [Operand; 4], of: Row) {
        let Some(table) = self.program.tables.get(of.scaled.table) else {
            return self.asm.fault("a row is of no table");
        };
        self.settle(&[of.scaled.index]);
        if self.scaled != Some(of.scaled) {
            self.scale(of.scaled, table.end(of.scaled.stride));
        }
        let offset = (of.offset.min(table.units.into()) as usize * size_of::<u32>()) as i32;
        self.asm.word(Code::Mov_r64_rm64, TABLE, General::Memory(Field::Table(of.scaled.table).address()));
        // Quarter q of vector r has the row of lane 4 * q + r.
        for lane in 0..self.asm.vectors().lanes() {
            let mut at = Field::Scratch.address();
            at.offset += (lane * size_of::<u32>()) as i32;
            self.asm.word(Code::Mov_r32_rm32, Register::EAX, General::Memory(at));
            let row = General::Indexed { base: TABLE, index: Register::RAX, scale: 4, offset };
            self.asm.load_quarter(T[lane % 4], row, (lane / 4) as u8);
        }
        self.transpose(dst);
    }

    /// Stores the products of index and stride to the context. An index from `end` on, of which all rows are outside of the
    /// table, is replaced by it.
    fn scale(&mut self, of: Scaled, end: u32) {
        let index = self.loaded(of.index, T[0]);
        self.number(T[1], end);
        self.asm.vector2(UNSIGNED_MIN, T[0], index, Source::Vector(T[1]));
        if of.stride.is_power_of_two() {
            self.asm.vector1_number(SHIFT_LEFT_BY, T[0], Source::Vector(T[0]), of.stride.ilog2() as u8);
        } else {
            self.number(T[1], of.stride);
            self.asm.vector2(INTEGER_MULTIPLY, T[0], T[0], Source::Vector(T[1]));
        }
        self.asm.store_elements(Field::Scratch.address(), T[0]);
        self.scaled = Some(of);
    }

    /// Rows of four elements as four components.
    fn transpose(&mut self, dst: [Operand; 4]) {
        let [a, b, c, d] = T;
        let (low, high) = (UNPACK_LOW, UNPACK_HIGH);
        self.asm.vector2(low, OUT, a, Source::Vector(b));
        self.asm.vector2(high, a, a, Source::Vector(b));
        self.asm.vector2(low, b, c, Source::Vector(d));
        self.asm.vector2(high, c, c, Source::Vector(d));
        let (low, high): (Operation, Operation) = (UNPACK_LOW_PAIRS, UNPACK_HIGH_PAIRS);
        // `d` is free: a result in memory passes through it.
        for (dst, (code, x, y)) in
            dst.into_iter().zip([(low, OUT, b), (high, OUT, b), (low, a, c), (high, a, c)])
        {
            // A component that nothing uses has no slab.
            if dst.is_uniform() {
                continue;
            }
            let register = self.registers.get(dst);
            self.asm.vector2(code, register.unwrap_or(d), x, Source::Vector(y));
            if register.is_none() {
                let to = self.address(dst);
                self.asm.store(to, d);
            }
            self.forget(dst);
        }
    }

    /// Loads four units of the chunk's lanes: from an array of the caller, or from chunks if the array is not used.
    pub(super) fn load_rows(&mut self, array: usize, units: [Option<Operand>; 4]) {
        let [chunks, end] = [self.asm.label(), self.asm.label()];
        self.rows(Field::Input(array), Field::InputStride(array), chunks);
        for quarter in 0..self.asm.vectors().quarters() {
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
                self.asm.vector1(MOVE, register, from);
            }
        }
        self.asm.bind(end);
    }

    /// Stores four units of the chunk's lanes: to an array of the caller, or to chunks if the array is not used.
    pub(super) fn store_rows(&mut self, array: usize, units: [Operand; 4]) {
        let [chunks, end] = [self.asm.label(), self.asm.label()];
        self.rows(Field::Output(array), Field::OutputStride(array), chunks);
        let [a, b, c, d] = T;
        let (low, high) = (UNPACK_LOW, UNPACK_HIGH);
        let (x, y) = (self.loaded(units[0], a), self.source(units[1]));
        self.asm.vector2(low, OUT, x, y);
        self.asm.vector2(high, a, x, y);
        let (z, w) = (self.loaded(units[2], b), self.source(units[3]));
        self.asm.vector2(low, c, z, w);
        self.asm.vector2(high, b, z, w);
        let (low, high): (Operation, Operation) = (UNPACK_LOW_PAIRS, UNPACK_HIGH_PAIRS);
        self.asm.vector2(low, d, OUT, Source::Vector(c));
        self.asm.vector2(high, OUT, OUT, Source::Vector(c));
        self.asm.vector2(low, c, a, Source::Vector(b));
        self.asm.vector2(high, a, a, Source::Vector(b));
        for quarter in 0..self.asm.vectors().quarters() {
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
                self.asm.store(to, register);
            }
        }
    }

    /// The addresses of the chunk's first rows in an array; jumps to `unused` if the array is not used.
    fn rows(&mut self, first: Field, stride: Field, unused: Label) {
        self.asm.word(Code::Cmp_r64_rm64, GROUP, General::Memory(Field::Whole.address()));
        self.asm.jump(Code::Jae_rel32_64, unused);
        self.asm.word(Code::Mov_r64_rm64, Register::RAX, General::Memory(first.address()));
        self.asm.word(Code::Test_rm64_r64, Register::RAX, General::Register(Register::RAX));
        self.asm.jump(Code::Je_rel32_64, unused);
        self.asm.word(Code::Mov_r64_rm64, STRIDE, General::Memory(stride.address()));
        self.asm.product(FIRST, GROUP, self.asm.vectors().lanes() as u32);
        self.asm.word(Code::Imul_r64_rm64, FIRST, General::Register(STRIDE));
        self.asm.word(Code::Add_r64_rm64, FIRST, General::Register(Register::RAX));
        let three = General::Indexed { base: STRIDE, index: STRIDE, scale: 2, offset: 0 };
        self.asm.word(Code::Lea_r64_m, THREE, three);
    }

    /// The addresses of the next four rows.
    fn next_rows(&mut self, quarter: u8) {
        if quarter + 1 < self.asm.vectors().quarters() {
            let next = General::Indexed { base: FIRST, index: STRIDE, scale: 4, offset: 0 };
            self.asm.word(Code::Lea_r64_m, FIRST, next);
        }
    }

    /// A number in all lanes.
    fn number(&mut self, to: Vector, n: u32) {
        self.asm.word(Code::Mov_r32_imm32, Register::EAX, General::Number(n));
        self.asm.splat(to, Register::EAX);
    }
}
