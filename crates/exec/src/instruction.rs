//! Instructions, before and after their operands have a location in memory.

use crate::access::Access;
use crate::kernel::{One, Sum, Three, Two};
use shisa_ir::Axis;
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
    /// The value of the second or the first of the two lanes of its quad between which a derivative is taken; zero if lanes
    /// are no quads.
    Neighbour { axis: Axis, second: bool, dst: P, a: P },
    /// The access with this number, which has operands and results. No other instruction has the number.
    Access { number: u32 },
    /// Replaces the value in the lanes that run. `dst` belongs to several instructions.
    Blend { dst: P, src: P },
    /// Lanes where the condition holds are killed.
    Kill { cond: P },
}

impl<P: Copy> Instruction<P> {
    /// Calls `f` with every component that it computes. `accesses` are those of the program.
    pub(crate) fn results(&self, accesses: &[Access<P>], mut f: impl FnMut(P)) {
        match self.access(accesses) {
            Some(access) => _ = access.map(&mut f, &mut |_| ()),
            // The replacement is the same, so the copy is only read.
            None => _ = self.map(&mut f, &mut |_| ()),
        }
    }

    /// Calls `f` with every operand.
    pub(crate) fn operands(&self, accesses: &[Access<P>], mut f: impl FnMut(P)) {
        match self.access(accesses) {
            Some(access) => _ = access.map(&mut |_| (), &mut f),
            None => _ = self.map(&mut |_| (), &mut f),
        }
    }

    /// The access of the instruction, if it has one.
    pub(crate) fn access<'a>(&self, accesses: &'a [Access<P>]) -> Option<&'a Access<P>> {
        match self {
            Instruction::Access { number } => accesses.get(*number as usize),
            _ => None,
        }
    }

    /// The same instruction with other results.
    pub(crate) fn with_results(&self, accesses: &mut [Access<P>], mut result: impl FnMut(P) -> P) -> Self {
        if let Instruction::Access { number } = self
            && let Some(access) = accesses.get_mut(*number as usize)
        {
            *access = access.map(&mut result, &mut |operand| operand);
        }
        self.map(&mut result, &mut |operand| operand)
    }

    /// The same instruction with other components: the result by `result`, the operands by `operand`. Those of an access
    /// are in the access. It is compiled once for all callers.
    pub(crate) fn map<Q>(
        &self,
        result: &mut dyn FnMut(P) -> Q,
        operand: &mut dyn FnMut(P) -> Q,
    ) -> Instruction<Q> {
        match *self {
            Instruction::One { kernel, dst, args } => {
                let args = args.map(&mut *operand);
                Instruction::One { kernel, dst: result(dst), args }
            }
            Instruction::Two { kernel, dst, args } => {
                let args = args.map(&mut *operand);
                Instruction::Two { kernel, dst: result(dst), args }
            }
            Instruction::Three { kernel, dst, args } => {
                let args = args.map(&mut *operand);
                Instruction::Three { kernel, dst: result(dst), args }
            }
            Instruction::Dot3 { kernel, dst, start, args } => {
                let start = start.map(&mut *operand);
                let args = args.map(|side| side.map(&mut *operand));
                Instruction::Dot3 { kernel, dst: result(dst), start, args }
            }
            Instruction::Dot4 { kernel, dst, start, args } => {
                let start = start.map(&mut *operand);
                let args = args.map(|side| side.map(&mut *operand));
                Instruction::Dot4 { kernel, dst: result(dst), start, args }
            }
            Instruction::Rsqrt24 { dst, a } => {
                let a = operand(a);
                Instruction::Rsqrt24 { dst: result(dst), a }
            }
            Instruction::ByLane { op, dst, args } => {
                let args = args.map(&mut *operand);
                Instruction::ByLane { op, dst: result(dst), args }
            }
            Instruction::Gather { dst, table, offset, stride, index } => {
                let index = operand(index);
                Instruction::Gather { dst: dst.map(&mut *result), table, offset, stride, index }
            }
            Instruction::Neighbour { axis, second, dst, a } => {
                let a = operand(a);
                Instruction::Neighbour { axis, second, dst: result(dst), a }
            }
            Instruction::Access { number } => Instruction::Access { number },
            Instruction::Blend { dst, src } => {
                let src = operand(src);
                Instruction::Blend { dst: result(dst), src }
            }
            Instruction::Kill { cond } => Instruction::Kill { cond: operand(cond) },
        }
    }
}

/// What the lanes do at a barrier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Arrive<P> {
    /// They wait for all waves ([`shisa_ir::Op::Barrier`]).
    Everybody,
    /// They arrive at a numbered barrier ([`shisa_ir::Op::Arrive`]).
    Numbered { how: shisa_ir::Arrival, number: P, threads: P, vote: P },
}

impl<P: Copy> Arrive<P> {
    /// Calls `f` with every operand.
    pub(crate) fn operands(&self, f: impl FnMut(P)) {
        _ = self.map(f);
    }

    /// The same with other operands.
    pub(crate) fn map<Q>(&self, f: impl FnMut(P) -> Q) -> Arrive<Q> {
        match *self {
            Arrive::Everybody => Arrive::Everybody,
            Arrive::Numbered { how, number, threads, vote } => {
                let [number, threads, vote] = [number, threads, vote].map(f);
                Arrive::Numbered { how, number, threads, vote }
            }
        }
    }
}
