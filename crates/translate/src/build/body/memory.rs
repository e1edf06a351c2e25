//! Memory as arrays of 32-bit words.

use super::state::Body;
use crate::memory;
use crate::syntax::{AtomicOp, BinaryOp, Expr, Expression, Kind, Literal, Statement};
use shisa_ir::{Atomic, Binary, Scalar, Space, Type, Value};

impl Body<'_, '_> {
    /// Reads a value.
    pub(super) fn load_words(&mut self, space: Space, address: Value, ty: Type) -> Expr {
        let components: Vec<Expr> = (0..u32::from(ty.count))
            .map(|i| {
                let word = match memory::is_uniform(space, self.options) {
                    true => self.uniform_word(space, address, i),
                    false => {
                        let pointer = self.word(space, address, i);
                        self.draft.load(pointer)
                    }
                };
                match ty.scalar {
                    Scalar::F32 => self.float(word),
                    Scalar::I1 => {
                        let zero = self.u32(0);
                        self.binary(BinaryOp::NotEqual, word, zero)
                    }
                    _ => word,
                }
            })
            .collect();
        self.compose(ty, &components)
    }

    /// Writes a value, unless the lane was killed and continues as a helper.
    pub(super) fn store_words(&mut self, space: Space, address: Value, value: Value) {
        let ty = self.ty(value);
        let mut words = Vec::with_capacity(ty.count.into());
        for i in 0..ty.count {
            let part = self.component_of(value, i);
            let component = self.component(part);
            let word = match ty.scalar {
                Scalar::F32 => self.bits(component),
                Scalar::I1 => self.converted(component, Kind::Uint),
                _ => component,
            };
            words.push((self.word(space, address, u32::from(i)), word));
        }
        let store = |body: &mut Self| words.into_iter().for_each(|(pointer, word)| body.store(pointer, word));
        match memory::buffer(space) {
            Some(_) => self.unless_killed(store),
            // Nothing else sees it.
            None => store(self),
        }
    }

    /// The 32-bit word at a byte address plus `after` words.
    fn word(&mut self, space: Space, address: Value, after: u32) -> Expr {
        let base = self.memory(space);
        let address = self.get(address);
        let index = match self.draft.expression(address) {
            Expression::Literal(Literal::U32(n)) => self.u32((n >> 2).wrapping_add(after)),
            _ => self.word_index(address, after),
        };
        self.element(base, index)
    }

    /// The 32-bit word of a uniform buffer at a byte address plus `after` words.
    fn uniform_word(&mut self, space: Space, address: Value, after: u32) -> Expr {
        let base = self.memory(space);
        let address = self.get(address);
        if let Expression::Literal(Literal::U32(n)) = self.draft.expression(address) {
            let word = (n >> 2).wrapping_add(after);
            let pointer = self.member(base, word >> 2);
            let vector = self.draft.load(pointer);
            return self.member(vector, word & 3);
        }
        let word = self.word_index(address, after);
        let [two, three] = [2, 3].map(|n| self.u32(n));
        let index = self.binary(BinaryOp::ShiftRight, word, two);
        let component = self.binary(BinaryOp::And, word, three);
        let pointer = self.element(base, index);
        let vector = self.draft.load(pointer);
        self.element(vector, component)
    }

    /// The index of the word at a byte address, plus `after`.
    fn word_index(&mut self, address: Expr, after: u32) -> Expr {
        let two = self.u32(2);
        let index = self.binary(BinaryOp::ShiftRight, address, two);
        if after == 0 {
            return index;
        }
        let after = self.u32(after);
        self.add(index, after)
    }

    /// Changes a word atomically, unless the lane was killed and continues as a helper; returns the old word if anything
    /// uses it.
    pub(super) fn atomic(
        &mut self,
        v: Value,
        op: Atomic,
        (space, address): (Space, Value),
        operand: Value,
        expected: Value,
    ) -> Option<Expr> {
        let pointer = self.word(space, address, 0);
        let value = self.get(operand);
        let expected = self.get(expected);
        if self.killed.is_none() {
            return self.changed(v, op, pointer, (operand, value), expected);
        }
        let old = self.word_variable();
        self.unless_killed(|body| {
            if let Some(found) = body.changed(v, op, pointer, (operand, value), expected) {
                body.store(old, found);
            }
        });
        Some(self.draft.load(old))
    }

    /// Changes a word atomically; returns the old word if anything uses it.
    fn changed(
        &mut self,
        v: Value,
        op: Atomic,
        pointer: Expr,
        (operand, value): (Value, Expr),
        expected: Expr,
    ) -> Option<Expr> {
        let change = match op {
            Atomic::Combine(Binary::IAdd) => AtomicOp::Add,
            Atomic::Combine(Binary::ISub) => AtomicOp::Subtract,
            Atomic::Combine(Binary::And) => AtomicOp::And,
            Atomic::Combine(Binary::Or) => AtomicOp::InclusiveOr,
            Atomic::Combine(Binary::Xor) => AtomicOp::ExclusiveOr,
            Atomic::Combine(Binary::UMin) => AtomicOp::Min,
            Atomic::Combine(Binary::UMax) => AtomicOp::Max,
            Atomic::Exchange => AtomicOp::Exchange,
            Atomic::CompareExchange => return Some(self.exchange(pointer, expected, value)),
            Atomic::Combine(op) => return Some(self.combine_word(pointer, op, value, operand)),
            Atomic::CombineFloats(..) | Atomic::Increment | Atomic::Decrement => {
                self.impossible("an atomic operation was planned that no language has");
                return None;
            }
        };
        let ty = self.types.of(Kind::Uint, 1);
        let used = !self.plan.is_unused(v) || op == Atomic::Exchange;
        let result = used.then(|| self.push(Expression::AtomicResult { ty, comparison: false }));
        self.statement(Statement::Atomic { op: change, pointer, value, result });
        result
    }

    /// A compare-exchange may fail spuriously: it is repeated until the word was exchanged or differs.
    fn exchange(&mut self, pointer: Expr, expected: Expr, value: Expr) -> Expr {
        let old = self.word_variable();
        self.statement(Statement::Loop);
        let (found, exchanged) = self.try_exchange(pointer, expected, value);
        self.store(old, found);
        let differs = self.binary(BinaryOp::NotEqual, found, expected);
        let done = self.binary(BinaryOp::LogicalOr, exchanged, differs);
        self.leave_if(done);
        self.statement(Statement::End);
        self.draft.load(old)
    }

    /// An atomic operation that no language has: a compare-exchange loop.
    fn combine_word(&mut self, pointer: Expr, op: Binary, value: Expr, operand: Value) -> Expr {
        let old = self.word_variable();
        let first = self.draft.load(pointer);
        self.store(old, first);
        self.statement(Statement::Loop);
        let expected = self.draft.load(old);
        let new = self.integer_binary(op, expected, value, operand, Type::I32);
        let (found, exchanged) = self.try_exchange(pointer, expected, new);
        self.store(old, found);
        self.leave_if(exchanged);
        self.statement(Statement::End);
        self.draft.load(old)
    }

    /// The old word, and whether it was exchanged.
    fn try_exchange(&mut self, pointer: Expr, expected: Expr, value: Expr) -> (Expr, Expr) {
        let ty = self.types.exchanged();
        let result = self.push(Expression::AtomicResult { ty, comparison: true });
        let op = AtomicOp::CompareExchange(expected);
        self.statement(Statement::Atomic { op, pointer, value, result: Some(result) });
        (self.member(result, 0), self.member(result, 1))
    }

    pub(super) fn word_variable(&mut self) -> Expr {
        let ty = self.types.of(Kind::Uint, 1);
        self.local("old".into(), ty)
    }

    /// A workgroup barrier that also orders memory writes.
    pub(super) fn barrier(&mut self) {
        let written = |space| self.plan.memory.iter().any(|u| u.written && u.space == space);
        let storage = self.plan.memory.iter().any(|u| u.written && memory::buffer(u.space).is_some());
        let workgroup = written(Space::Shared) || !storage;
        self.statement(Statement::Barrier { storage, workgroup });
    }
}
