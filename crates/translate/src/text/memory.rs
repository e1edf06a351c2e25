//! Memory as arrays of words.

use super::body::Body;
use naga::{
    AtomicFunction, Barrier, BinaryOperator, Block, Expression, Handle, Literal, ScalarKind, Statement,
};
use shisa_ir::{Atomic, Binary, Scalar, Space, Type, Value};

type Expr = Handle<Expression>;

impl Body<'_, '_> {
    pub(super) fn load(&mut self, space: Space, address: Value, ty: Type) -> Expr {
        let components: Vec<Expr> = (0..u32::from(ty.count))
            .map(|i| {
                let pointer = self.word(space, address, i);
                let word = self.push(Expression::Load { pointer });
                match ty.scalar {
                    Scalar::F32 => self.float(word),
                    Scalar::I1 => {
                        let zero = self.u32(0);
                        self.binary(BinaryOperator::NotEqual, word, zero)
                    }
                    _ => word,
                }
            })
            .collect();
        self.compose(ty, components)
    }

    pub(super) fn store_words(&mut self, space: Space, address: Value, value: Value) {
        let ty = self.program.func.nodes.ty(value);
        for i in 0..ty.count {
            let part = self.part(value, i);
            let component = self.component(part);
            let word = match ty.scalar {
                Scalar::F32 => self.bits(component),
                Scalar::I1 => {
                    self.push(Expression::As { expr: component, kind: ScalarKind::Uint, convert: Some(4) })
                }
                _ => component,
            };
            let pointer = self.word(space, address, u32::from(i));
            self.store(pointer, word);
        }
    }

    /// The word at a byte address, or one behind it.
    fn word(&mut self, space: Space, address: Value, behind: u32) -> Expr {
        let base = self.memory(space);
        let address = self.get(address);
        let index = match *self.expression(address) {
            Expression::Literal(Literal::U32(n)) => self.u32((n >> 2).wrapping_add(behind)),
            _ => {
                let two = self.u32(2);
                let index = self.binary(BinaryOperator::ShiftRight, address, two);
                match behind {
                    0 => index,
                    n => {
                        let n = self.u32(n);
                        self.add(index, n)
                    }
                }
            }
        };
        self.push(Expression::Access { base, index })
    }

    /// Changes a word at once; what was there, if anything asks for it.
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
        let fun = match op {
            Atomic::Combine(Binary::IAdd) => AtomicFunction::Add,
            Atomic::Combine(Binary::ISub) => AtomicFunction::Subtract,
            Atomic::Combine(Binary::And) => AtomicFunction::And,
            Atomic::Combine(Binary::Or) => AtomicFunction::InclusiveOr,
            Atomic::Combine(Binary::Xor) => AtomicFunction::ExclusiveOr,
            Atomic::Combine(Binary::UMin) => AtomicFunction::Min,
            Atomic::Combine(Binary::UMax) => AtomicFunction::Max,
            Atomic::Exchange => AtomicFunction::Exchange { compare: None },
            Atomic::CompareExchange => {
                let expected = self.get(expected);
                return Some(self.exchange(pointer, expected, value));
            }
            Atomic::Combine(op) => return Some(self.combine_word(pointer, op, value, operand)),
        };
        let ty = self.types.of(naga::Scalar::U32, 1);
        let asked = !self.plan.is_unused(v) || op == Atomic::Exchange;
        let result = asked.then(|| self.raw(Expression::AtomicResult { ty, comparison: false }));
        self.statement(Statement::Atomic { pointer, fun, value, result });
        result
    }

    /// A compared exchange may fail for no reason: it is tried until the word was exchanged or is another.
    fn exchange(&mut self, pointer: Expr, expected: Expr, value: Expr) -> Expr {
        let old = self.word_variable();
        let body = self.inner(|body| {
            let (found, exchanged) = body.try_exchange(pointer, expected, value);
            body.store(old, found);
            let differs = body.binary(BinaryOperator::NotEqual, found, expected);
            let done = body.binary(BinaryOperator::LogicalOr, exchanged, differs);
            body.leave_if(done);
        });
        self.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
        self.push(Expression::Load { pointer: old })
    }

    /// An operation that no language has at once: tried until nobody changed the word meanwhile.
    fn combine_word(&mut self, pointer: Expr, op: Binary, value: Expr, operand: Value) -> Expr {
        let old = self.word_variable();
        let first = self.push(Expression::Load { pointer });
        self.store(old, first);
        let body = self.inner(|body| {
            let expected = body.push(Expression::Load { pointer: old });
            let new = body.integer_binary(op, expected, value, operand, Type::I32);
            let (found, exchanged) = body.try_exchange(pointer, expected, new);
            body.store(old, found);
            body.leave_if(exchanged);
        });
        self.statement(Statement::Loop { body, continuing: Block::new(), break_if: None });
        self.push(Expression::Load { pointer: old })
    }

    /// What was found, and whether it was exchanged.
    fn try_exchange(&mut self, pointer: Expr, expected: Expr, value: Expr) -> (Expr, Expr) {
        let ty = self.types.compared();
        let result = self.raw(Expression::AtomicResult { ty, comparison: true });
        let fun = AtomicFunction::Exchange { compare: Some(expected) };
        self.statement(Statement::Atomic { pointer, fun, value, result: Some(result) });
        let member = |body: &mut Self, index| body.push(Expression::AccessIndex { base: result, index });
        (member(self, 0), member(self, 1))
    }

    fn leave_if(&mut self, condition: Expr) {
        let accept = Block::from_vec(vec![Statement::Break]);
        self.statement(Statement::If { condition, accept, reject: Block::new() });
    }

    fn word_variable(&mut self) -> Expr {
        let ty = self.types.of(naga::Scalar::U32, 1);
        self.variable("old".into(), ty)
    }

    /// Waits for the workgroup, and for what it wrote.
    pub(super) fn barrier(&mut self) {
        let mut flags = Barrier::empty();
        for u in self.plan.memory.iter().filter(|u| u.written) {
            flags |= match u.space {
                Space::Shared => Barrier::WORK_GROUP,
                Space::Global => Barrier::STORAGE,
                _ => Barrier::empty(),
            };
        }
        let flags = if flags.is_empty() { Barrier::WORK_GROUP } else { flags };
        self.statement(Statement::ControlBarrier(flags));
    }
}
