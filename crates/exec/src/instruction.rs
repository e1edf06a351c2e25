//! Instructions, before and after their operands have a location in memory.

use crate::kernel::{One, Sum, Three, Two};
use shisa_ir::scalar::Arithmetic;

/// An instruction over all lanes. `P` is a component: its number while a program is compiled, its operand in a compiled
/// program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Instruction<P> {
    /// A kernel of one operand.
    One { kernel: One, dst: P, args: [P; 1] },
    /// A kernel of two operands.
    Two { kernel: Two, dst: P, args: [P; 2] },
    /// A kernel of three operands.
    Three { kernel: Three, dst: P, args: [P; 3] },
    /// `start` plus three products.
    Dot3 { kernel: Sum, dst: P, start: Option<P>, args: [[P; 3]; 2] },
    /// `start` plus four products.
    Dot4 { kernel: Sum, dst: P, start: Option<P>, args: [[P; 4]; 2] },
    /// The reciprocal square root of float24.
    Rsqrt24 { dst: P, a: P },
    /// An operation without a kernel: lane by lane by its definition.
    ByLane { op: Arithmetic, dst: P, args: [P; 3] },
    /// Four elements of a table of uniforms, from `offset + index * stride` on; outside of it, the
    /// element that the table has there.
    Gather { dst: [P; 4], table: u32, offset: u32, stride: u32, index: P },
    /// Replaces the value in the lanes that run. `dst` belongs to several instructions.
    Blend { dst: P, src: P },
    /// Lanes where the condition holds are killed.
    Kill { cond: P },
}

impl<P: Copy> Instruction<P> {
    /// Calls `f` with every component that it computes.
    pub(crate) fn results(&self, f: impl FnMut(P)) {
        self.map(f, |_| ());
    }

    /// Calls `f` with every operand.
    pub(crate) fn operands(&self, f: impl FnMut(P)) {
        // The replacement is the same, so the copy is only read.
        self.map(|_| (), f);
    }

    /// The same instruction with other components: the result by `result`, the operands by `operand`.
    pub(crate) fn map<Q>(
        &self,
        mut result: impl FnMut(P) -> Q,
        mut operand: impl FnMut(P) -> Q,
    ) -> Instruction<Q> {
        match *self {
            Instruction::One { kernel, dst, args } => {
                let args = args.map(&mut operand);
                Instruction::One { kernel, dst: result(dst), args }
            }
            Instruction::Two { kernel, dst, args } => {
                let args = args.map(&mut operand);
                Instruction::Two { kernel, dst: result(dst), args }
            }
            Instruction::Three { kernel, dst, args } => {
                let args = args.map(&mut operand);
                Instruction::Three { kernel, dst: result(dst), args }
            }
            Instruction::Dot3 { kernel, dst, start, args } => {
                let start = start.map(&mut operand);
                let args = args.map(|side| side.map(&mut operand));
                Instruction::Dot3 { kernel, dst: result(dst), start, args }
            }
            Instruction::Dot4 { kernel, dst, start, args } => {
                let start = start.map(&mut operand);
                let args = args.map(|side| side.map(&mut operand));
                Instruction::Dot4 { kernel, dst: result(dst), start, args }
            }
            Instruction::Rsqrt24 { dst, a } => {
                let a = operand(a);
                Instruction::Rsqrt24 { dst: result(dst), a }
            }
            Instruction::ByLane { op, dst, args } => {
                let args = args.map(&mut operand);
                Instruction::ByLane { op, dst: result(dst), args }
            }
            Instruction::Gather { dst, table, offset, stride, index } => {
                let index = operand(index);
                Instruction::Gather { dst: dst.map(&mut result), table, offset, stride, index }
            }
            Instruction::Blend { dst, src } => {
                let src = operand(src);
                Instruction::Blend { dst: result(dst), src }
            }
            Instruction::Kill { cond } => Instruction::Kill { cond: operand(cond) },
        }
    }
}
