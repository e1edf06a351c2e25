//! Instructions of a program as instructions of the processor: operands, results, and what may be in doubt.

use super::assembler::operations::{MOVE, Operation};
use super::assembler::{Assembler, Comparison, General, Label, Mask, Relation, Source, Vector};
use super::coded::{Rounding, rounding};
use super::context::{Address, CONTEXT, Field, Long, Word};
use super::registers::Registers;
use super::tables::{Row, Scaled};
use super::vectors::Vectors;
use crate::instruction::Instruction;
use crate::kernel::{One, Sum, Three, Two};
use crate::memory::{Chunk, Operand};
use crate::plan::Plan;
use iced_x86::{Code, Register};

/// The address of the first chunk: uniforms.
pub(super) const CHUNKS: Register = Register::R12;
/// The address of the current group of the first slab, less that slab's location.
pub(super) const SLABS: Register = Register::R13;
/// The number of the current group of lanes, as many as a register has.
pub(super) const GROUP: Register = Register::RBP;

/// The result of an instruction whose slab is in memory.
pub(super) const OUT: Vector = Vector(0);
/// For the steps of an instruction.
pub(super) const T: [Vector; 4] = [Vector(1), Vector(2), Vector(3), Vector(4)];
/// The largest magnitudes of float24 results.
pub(super) const LARGEST: Vector = Vector(5);

/// The lanes that run.
pub(super) const LANES: Mask = Mask::Lanes;
/// For the steps of an instruction.
pub(super) const K: [Mask; 2] = [Mask::Step(0), Mask::Step(1)];

/// The code of a program while it is made.
pub(super) struct Lowering<'p> {
    pub(super) asm: Assembler,
    pub(super) program: &'p Plan,
    pub(super) registers: Registers,
    /// Where code goes on that leaves its lanes to the other engine.
    pub(super) unfinished: Label,
    /// Whether the control register says that results are rounded toward zero.
    pub(super) truncates: bool,
    /// The conditions that are in registers as sets of lanes, as many as the level has registers for, and the one to
    /// replace next.
    pub(super) conditions: Vec<Option<Operand>>,
    oldest: usize,
    /// The products of an index that the context has.
    pub(super) scaled: Option<Scaled>,
    /// For each slab, whether its value may be a NaN that differs from the exact one.
    doubtful: Vec<bool>,
    /// For each slab, whether that is so after some instruction of the program.
    ever_doubtful: Vec<bool>,
}

/// A constant for all lanes.
pub(super) fn word(n: Word) -> Source {
    Source::Word(n)
}

/// A constant of 64 bits for all lanes.
pub(super) fn long(n: Long) -> Source {
    Source::Long(n)
}

impl<'p> Lowering<'p> {
    /// For code of a whole program, which may have any path through it.
    pub(super) fn of_program(program: &'p Plan, vectors: Vectors) -> Lowering<'p> {
        let mut l = Lowering::new(program, Registers::of_program(program, vectors), vectors);
        let instructions = program.of_lanes();
        l.truncates = instructions.iter().any(|i| rounding(i) == Some(Rounding::TowardZero));
        if instructions.iter().any(|i| nan(i) == Nan::Made) {
            for i in instructions.iter().filter(|i| nan(i) != Nan::Exact) {
                i.results(&program.accesses, |o| mark(&l.registers, &mut l.ever_doubtful, o, true));
            }
        }
        l
    }

    /// For instructions that follow each other.
    pub(super) fn new(program: &'p Plan, registers: Registers, vectors: Vectors) -> Lowering<'p> {
        let mut asm = Assembler::new(vectors);
        Lowering {
            unfinished: asm.label(),
            asm,
            program,
            truncates: false,
            conditions: vec![None; vectors.conditions().into()],
            oldest: 0,
            scaled: None,
            doubtful: vec![false; registers.count()],
            ever_doubtful: vec![false; registers.count()],
            registers,
        }
    }

    /// Forgets what is known about registers: control flow meets here.
    pub(super) fn start_block(&mut self) {
        self.conditions.fill(None);
        self.scaled = None;
        self.doubtful.clone_from(&self.ever_doubtful);
    }

    /// Where an operand is in memory.
    pub(super) fn address(&self, o: Operand) -> Address {
        let base = if o.is_uniform() { CHUNKS } else { SLABS };
        Address { base, offset: (o.chunk(0) * size_of::<Chunk>()) as i32 }
    }

    /// An operand.
    pub(super) fn source(&self, o: Operand) -> Source {
        match self.registers.get(o) {
            Some(register) => Source::Vector(register),
            None => Source::Memory(self.address(o)),
        }
    }

    /// A source in a register: its own, or `spare`.
    pub(super) fn register(&mut self, source: Source, spare: Vector) -> Vector {
        match source {
            Source::Vector(register) => register,
            Source::Memory(_) => {
                self.asm.vector1(MOVE, spare, source);
                spare
            }
            Source::Word(n) => {
                self.asm.splat_word(spare, n);
                spare
            }
            Source::Long(n) => {
                self.asm.splat_long(spare, n);
                spare
            }
        }
    }

    /// An operand in a register: its own, or `spare`.
    pub(super) fn loaded(&mut self, o: Operand, spare: Vector) -> Vector {
        let source = self.source(o);
        self.register(source, spare)
    }

    /// Computes a result: `f` writes it to the given register in its last instruction.
    pub(super) fn result(&mut self, dst: Operand, f: impl FnOnce(&mut Self, Vector)) {
        let register = self.registers.get(dst);
        f(self, register.unwrap_or(OUT));
        if register.is_none() {
            let to = self.address(dst);
            self.asm.store(to, OUT);
        }
        self.forget(dst);
    }

    /// A condition in this slab has been replaced.
    pub(super) fn forget(&mut self, dst: Operand) {
        for condition in &mut self.conditions {
            if *condition == Some(dst) {
                *condition = None;
            }
        }
        if self.scaled.is_some_and(|scaled| scaled.index == dst) {
            self.scaled = None;
        }
    }

    fn is_doubtful(&self, o: Operand) -> bool {
        let slab = self.registers.slab(o).and_then(|n| self.doubtful.get(n));
        slab.copied().unwrap_or(false)
    }

    /// Reports lanes in which one of these values is NaN, before an instruction after which this could not be seen.
    pub(super) fn settle(&mut self, values: &[Operand]) {
        let mut left: Vec<Operand> = Vec::with_capacity(values.len());
        for value in values {
            if self.is_doubtful(*value) && !left.contains(value) {
                left.push(*value);
            }
        }
        for pair in left.chunks(2) {
            let a = self.loaded(pair[0], T[3]);
            let b = self.source(pair[pair.len() - 1]);
            self.asm.compare(Comparison::Float(Relation::Unordered), K[0], a, b, Some(LANES));
            self.asm.report(K[0]);
            for value in pair {
                mark(&self.registers, &mut self.doubtful, *value, false);
            }
        }
    }

    /// The lanes where a condition holds.
    pub(super) fn condition(&mut self, cond: Operand) -> Mask {
        if let Some(n) = (0..).zip(&self.conditions).find(|(_, c)| **c == Some(cond)).map(|(n, _)| n) {
            return Mask::Condition(n);
        }
        let bits = self.loaded(cond, T[3]);
        self.asm.lowest_bits(K[0], bits);
        K[0]
    }

    /// Computes a condition: `f` writes it to the given set.
    pub(super) fn comparison(&mut self, dst: Operand, f: impl FnOnce(&mut Self, Mask)) {
        let n = self.oldest;
        self.oldest = if n + 1 < self.conditions.len() { n + 1 } else { 0 };
        let set = match self.conditions.get_mut(n) {
            Some(condition) => {
                *condition = None;
                Mask::Condition(n as u8)
            }
            None => K[0],
        };
        f(self, set);
        self.result(dst, |l, d| l.asm.ones(d, set));
        if let Some(condition) = self.conditions.get_mut(n) {
            *condition = Some(dst);
        }
    }

    /// An instruction whose result is rounded to nearest.
    pub(super) fn nearest(&mut self, op: Operation, dst: Vector, a: Vector, b: Source) {
        match self.truncates {
            true => {
                let b = self.register(b, T[3]);
                self.asm.nearest2(op, dst, a, b);
            }
            false => self.asm.vector2(op, dst, a, b),
        }
    }

    /// As [`Lowering::nearest`], with one operand.
    pub(super) fn nearest1(&mut self, op: Operation, dst: Vector, a: Source) {
        match self.truncates {
            true => {
                let a = self.register(a, T[3]);
                self.asm.nearest1(op, dst, a);
            }
            false => self.asm.vector1(op, dst, a),
        }
    }

    /// Code for an instruction that has some ([`rounding`]). `lanes` are those that run.
    pub(super) fn instruction(&mut self, i: &Instruction<Operand>, lanes: Mask) {
        let accesses = &self.program.accesses;
        let mut passed = matches!(*i, Instruction::Blend { dst, .. } if self.is_doubtful(dst));
        i.operands(accesses, |o| passed |= self.is_doubtful(o));
        let doubtful = match nan(i) {
            Nan::Exact => false,
            Nan::Made => true,
            Nan::Passed => passed,
        };
        if !self.code(i, lanes) {
            self.asm.fault("an instruction has no code");
        }
        i.results(accesses, |o| mark(&self.registers, &mut self.doubtful, o, doubtful));
    }

    /// `false` if there is none.
    fn code(&mut self, i: &Instruction<Operand>, lanes: Mask) -> bool {
        match *i {
            Instruction::One { kernel, dst, args: [a] } => return self.one(kernel, dst, a),
            Instruction::Two { kernel, dst, args } => return self.two(kernel, dst, args),
            Instruction::Three { kernel, dst, args } => return self.three(kernel, dst, args),
            Instruction::Dot3 { kernel, dst, start, args: [a, b] } => self.sum(kernel, dst, start, &a, &b),
            Instruction::Dot4 { kernel, dst, start, args: [a, b] } => self.sum(kernel, dst, start, &a, &b),
            Instruction::Rsqrt24 { dst, a } => self.reciprocal_root24(dst, a),
            Instruction::Gather { dst, table, offset, stride, index } => {
                let scaled = Scaled { table: table as usize, stride, index };
                self.gather(dst, Row { offset, scaled });
            }
            Instruction::Blend { dst, src } => self.blend(dst, src, lanes),
            Instruction::Kill { cond } => self.kill(cond),
            Instruction::Neighbour { axis, second, dst, a } => self.neighbour(dst, a, axis, second),
            Instruction::ByLane { .. } | Instruction::Access { .. } => return false,
        }
        true
    }

    fn blend(&mut self, dst: Operand, src: Operand, lanes: Mask) {
        match self.registers.get(dst) {
            Some(to) => {
                let from = self.source(src);
                self.asm.blend(to, from, lanes);
            }
            None => {
                let from = self.loaded(src, OUT);
                let to = self.address(dst);
                self.asm.store_lanes(to, from, lanes);
            }
        }
        self.forget(dst);
    }

    fn kill(&mut self, cond: Operand) {
        let cond = self.condition(cond);
        self.asm.running(K[0], cond);
        self.asm.bits_of(Register::EAX, K[0]);
        let offset = Field::Killed.offset();
        let killed = General::Indexed { base: CONTEXT, index: GROUP, scale: 2, offset };
        self.asm.write_word(Code::Or_rm16_r16, killed, General::Register(Register::AX));
    }
}

/// Marks the slab of an operand.
fn mark(registers: &Registers, slabs: &mut [bool], o: Operand, doubtful: bool) {
    if let Some(slab) = registers.slab(o).and_then(|n| slabs.get_mut(n)) {
        *slab = doubtful;
    }
}

/// What the result of an instruction has to do with NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nan {
    /// The result is exact.
    Exact,
    /// Where the code's result is NaN, the exact one may differ. Where an operand is NaN, so is the result.
    Made,
    /// The result is one of the operands, or differs from one in its sign.
    Passed,
}

fn nan(i: &Instruction<Operand>) -> Nan {
    match i {
        Instruction::One { kernel, .. } => match kernel {
            One::Copy | One::FNeg | One::FAbs | One::Flush | One::Flush24 | One::UnsignedZero => Nan::Passed,
            One::FFloor | One::FCeil | One::FTrunc | One::FRound => Nan::Made,
            One::FSqrt | One::FRsqrt | One::FRcp | One::FExp2 | One::FLog2 => Nan::Made,
            One::FastRsqrt | One::FastExp2 => Nan::Made,
            _ => Nan::Exact,
        },
        Instruction::Two { kernel, .. } => match kernel {
            Two::FAdd | Two::FSub | Two::FMul | Two::FMulZero | Two::FDiv | Two::FMin | Two::FMax => {
                Nan::Made
            }
            _ => Nan::Exact,
        },
        Instruction::Three { kernel, .. } => match kernel {
            Three::Select => Nan::Passed,
            Three::Fma | Three::MulAdd | Three::MulAddZero => Nan::Made,
            Three::FastMulAdd | Three::FastMulAddZero => Nan::Made,
            Three::FmaHalf | Three::MulAddZero24 => Nan::Exact,
        },
        Instruction::Dot3 { kernel, .. } | Instruction::Dot4 { kernel, .. } => match kernel {
            Sum::Plain | Sum::Zero | Sum::Fast | Sum::FastZero => Nan::Made,
            Sum::Zero24 => Nan::Exact,
        },
        Instruction::Blend { .. } | Instruction::Neighbour { .. } => Nan::Passed,
        Instruction::Rsqrt24 { .. }
        | Instruction::ByLane { .. }
        | Instruction::Gather { .. }
        | Instruction::Access { .. }
        | Instruction::Kill { .. } => Nan::Exact,
    }
}
