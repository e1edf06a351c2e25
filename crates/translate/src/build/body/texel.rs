//! Atomic operations on texels.

use super::state::Body;
use crate::build::natives::{ChangedTexture, TexelChange};
use crate::syntax::{BinaryOp, Expr, FunctionId, Statement};
use shisa_ir::{Atomic, Binary, TexKind, TexOp, Type, Value};

impl Body<'_, '_> {
    /// Changes a texel atomically, unless the lane was killed and continues as a helper; returns the old texel.
    pub(super) fn change_texel(&mut self, t: &TexOp) -> Expr {
        let TexKind::Atomic { op, value: operand, expected } = t.kind else {
            return self.nothing("a texture operation changes nothing");
        };
        let Some(number) = self.texture_number(t) else {
            return self.nothing("a texture operation has no texture");
        };
        let mut at = vec![self.get(t.coord)];
        at.extend(t.layer.map(|l| self.get(l)));
        let operands = (operand, self.get(operand), self.get(expected));
        if self.killed.is_none() {
            return self.changed_texel(number, op, &at, operands);
        }
        let old = self.word_variable();
        self.unless_killed(|body| {
            let found = body.changed_texel(number, op, &at, operands);
            body.store(old, found);
        });
        self.draft.load(old)
    }

    /// Changes a texel of a texture of the interface; returns the old texel.
    fn changed_texel(
        &mut self,
        texture: usize,
        op: Atomic,
        at: &[Expr],
        (operand, value, expected): (Value, Expr, Expr),
    ) -> Expr {
        let (change, value) = match op {
            Atomic::Combine(Binary::IAdd) => (TexelChange::Add, value),
            Atomic::Combine(Binary::ISub) => {
                let zero = self.u32(0);
                (TexelChange::Add, self.binary(BinaryOp::Subtract, zero, value))
            }
            Atomic::Combine(Binary::And) => (TexelChange::And, value),
            Atomic::Combine(Binary::Or) => (TexelChange::InclusiveOr, value),
            Atomic::Combine(Binary::Xor) => (TexelChange::ExclusiveOr, value),
            Atomic::Combine(Binary::UMin) => (TexelChange::Min, value),
            Atomic::Combine(Binary::UMax) => (TexelChange::Max, value),
            Atomic::Exchange => (TexelChange::Exchange, value),
            Atomic::CompareExchange => {
                let function = self.texel_function(texture, TexelChange::CompareExchange);
                return self.call_at(function, at, &[value, expected]);
            }
            Atomic::Combine(op) => return self.combine_texel(texture, op, at, (operand, value)),
            Atomic::CombineFloats(..) | Atomic::Increment | Atomic::Decrement => {
                return self.nothing("an atomic operation was planned that no language has");
            }
        };
        let function = self.texel_function(texture, change);
        self.call_at(function, at, &[value])
    }

    /// An atomic operation that no language has on unsigned texels: a compare-exchange loop.
    fn combine_texel(
        &mut self,
        texture: usize,
        op: Binary,
        at: &[Expr],
        (operand, value): (Value, Expr),
    ) -> Expr {
        let reads = self.texel_function(texture, TexelChange::InclusiveOr);
        let exchanges = self.texel_function(texture, TexelChange::CompareExchange);
        let old = self.word_variable();
        let zero = self.u32(0);
        let first = self.call_at(reads, at, &[zero]);
        self.store(old, first);
        self.statement(Statement::Loop);
        let expected = self.draft.load(old);
        let new = self.integer_binary(op, expected, value, operand, Type::I32);
        let found = self.call_at(exchanges, at, &[new, expected]);
        self.store(old, found);
        let exchanged = self.binary(BinaryOp::Equal, found, expected);
        self.leave_if(exchanged);
        self.statement(Statement::End);
        self.draft.load(old)
    }

    fn call_at(&mut self, function: FunctionId, at: &[Expr], operands: &[Expr]) -> Expr {
        self.call(function, &[at, operands].concat())
    }

    /// The function that changes texels of a texture of the interface.
    fn texel_function(&mut self, texture: usize, change: TexelChange) -> FunctionId {
        let program = self.program;
        let (Some(listed), Some(global)) =
            (program.interface.textures.get(texture), self.globals.textures.get(texture))
        else {
            self.impossible("a texture operation has no texture");
            return FunctionId::new(0);
        };
        let changed = ChangedTexture {
            image: global.image,
            coordinates: listed.shape.dim.coordinates(),
            layered: listed.shape.arrayed,
        };
        self.helpers.texel(self.draft.types, (&listed.name, change), changed)
    }
}
