//! Atomic operations that targets lack, as loops of compare-exchanges.

use crate::*;
use alloc::{collections::BTreeMap, vec, vec::Vec};

/// Replaces increments, decrements, and atomic operations on floats of 16 and 32 bits, by a loop: it computes the new word
/// from the one that it read, and stores it if the word in memory is still the same.
///
/// Runs after [`registers_to_values`] and before [`narrow`]. Other atomic operations stay as they are.
pub fn loop_atomics(func: &mut Func) {
    let mut replaced = BTreeMap::new();
    let mut b = 0;
    while b < func.blocks.len() {
        let lacks = |v: &Value| matches!(func.nodes.op(*v), Op::Atomic { op, .. } if is_looped(op, func.nodes.ty(*v)));
        if let Some(at) = func.blocks[b].body.iter().position(lacks) {
            let v = func.blocks[b].body[at];
            replaced.insert(v, Looped::new(func, v).split(b, at));
        }
        b += 1;
    }
    if !replaced.is_empty() {
        func.rename(|v| replaced.get(&v).copied().unwrap_or(v));
    }
}

/// Whether an operation on values of a type becomes a loop.
fn is_looped(op: Atomic, ty: Type) -> bool {
    match op {
        Atomic::Increment | Atomic::Decrement => ty == Type::I32,
        Atomic::CombineFloats(..) => matches!(ty.scalar, Scalar::F16 | Scalar::F32) && ty.count == 1,
        _ => false,
    }
}

/// An operation that becomes a loop.
struct Looped<'a> {
    func: &'a mut Func,
    origin: u32,
    op: Atomic,
    space: Space,
    address: Value,
    value: Value,
    ty: Type,
}

impl Looped<'_> {
    fn new(func: &mut Func, v: Value) -> Looped<'_> {
        let Node { op, ty, origin } = func.nodes.list[v.index()];
        let (op, space, address, value) = match op {
            Op::Atomic { op, space, address, value, .. } => (op, space, address, value),
            _ => (Atomic::Exchange, Space::Global, v, v),
        };
        Looped { func, origin, op, space, address, value, ty }
    }

    /// Builds operations at the end of a list.
    fn build<T>(&mut self, body: &mut Vec<Value>, f: impl FnOnce(&mut Builder<'_>) -> T) -> T {
        let start = self.func.nodes.list.len() as u32;
        let made = f(&mut Builder::new(&mut self.func.nodes, self.origin));
        body.extend((start..self.func.nodes.list.len() as u32).map(Value));
        made
    }

    /// Splits the block at the operation, which is at `at` in its body. Returns the previous value.
    fn split(mut self, block: usize, at: usize) -> Value {
        let [turn, after] = [0, 1].map(|i| BlockId((self.func.blocks.len() + i) as u32));
        let mut body = core::mem::take(&mut self.func.blocks[block].body);
        let rest = body.split_off(at + 1);
        body.truncate(at);
        let end = core::mem::replace(&mut self.func.blocks[block].end, End::Exit);
        let (space, address, narrow) = (self.space, self.address, self.ty.scalar.bits() < 32);
        // The address of the 32-bit word, and the position of a 16-bit half in it.
        let (word, by, first) = self.build(&mut body, |b| {
            let ty = b.ty(address);
            let (word, by) = match narrow {
                false => (address, b.i32(0)),
                true => {
                    let (upper, others) = (b.constant(ty, 2), b.constant(ty, !3 & mask(ty)));
                    let by = b.and(address, upper);
                    let by = if ty == Type::I32 { by } else { b.convert(Convert::Truncate, by, Scalar::I32) };
                    let bits = b.i32(3);
                    (b.and(address, others), b.shl(by, bits))
                }
            };
            // A texel is read as it is changed: another view of it may be older.
            let first = match space {
                Space::Texels => {
                    let none = b.i32(0);
                    b.atomic(Atomic::Combine(Binary::Or), (space, word), none, None)
                }
                _ => b.load(space, word, Type::I32),
            };
            (word, by, first)
        });
        let expected = self.func.nodes.push(Op::Param, Type::I32, self.origin);
        let result = self.func.nodes.push(Op::Param, Type::I32, self.origin);
        let mut loop_body = Vec::new();
        let new = self.changed(&mut loop_body, expected, by);
        let (found, done) = self.build(&mut loop_body, |b| {
            let found = b.atomic(Atomic::CompareExchange, (space, word), new, Some(expected));
            (found, b.ieq(found, expected))
        });
        let mut tail = Vec::new();
        let old = self.part(&mut tail, result, by);
        tail.extend(rest);
        let own = &mut self.func.blocks[block];
        (own.body, own.end) = (body, End::Jump(Edge { to: turn, args: vec![first] }));
        let (yes, no) = (Edge { to: after, args: vec![found] }, Edge { to: turn, args: vec![found] });
        let end_of_turn = End::Branch { cond: done, yes, no };
        self.func.blocks.push(Block { params: vec![expected], body: loop_body, end: end_of_turn });
        self.func.blocks.push(Block { params: vec![result], body: tail, end });
        old
    }

    /// The value of the operation's type in a word.
    fn part(&mut self, body: &mut Vec<Value>, word: Value, by: Value) -> Value {
        let scalar = self.ty.scalar;
        self.build(body, |b| match scalar {
            Scalar::F16 => {
                let half = b.lshr(word, by);
                let half = b.convert(Convert::Truncate, half, Scalar::I16);
                b.convert(Convert::Bits, half, Scalar::F16)
            }
            Scalar::F32 => b.convert(Convert::Bits, word, Scalar::F32),
            _ => word,
        })
    }

    /// The word with the new value.
    fn changed(&mut self, body: &mut Vec<Value>, word: Value, by: Value) -> Value {
        let old = self.part(body, word, by);
        let (op, value, scalar) = (self.op, self.value, self.ty.scalar);
        self.build(body, |b| match op {
            Atomic::Increment => {
                let (one, zero) = (b.i32(1), b.i32(0));
                let over = b.ule(value, old);
                let next = b.iadd(old, one);
                b.select(over, zero, next)
            }
            Atomic::Decrement => {
                let (one, zero) = (b.i32(1), b.i32(0));
                let none = b.ieq(old, zero);
                let above = b.ult(value, old);
                let over = b.or(none, above);
                let next = b.isub(old, one);
                b.select(over, value, next)
            }
            Atomic::CombineFloats(op, rule) => {
                b.rule = rule;
                let new = b.binary(op, old, value);
                b.rule = FloatRule::IEEE;
                if scalar == Scalar::F32 {
                    return b.convert(Convert::Bits, new, Scalar::I32);
                }
                let bits = b.convert(Convert::Bits, new, Scalar::I16);
                let bits = b.convert(Convert::ZeroExtend, bits, Scalar::I32);
                let all = b.i32(0xffff);
                let place = b.shl(all, by);
                let rest = b.not(place);
                let (kept, moved) = (b.and(word, rest), b.shl(bits, by));
                b.or(kept, moved)
            }
            _ => value,
        })
    }
}

/// All bits of a type.
fn mask(ty: Type) -> u64 {
    u64::MAX >> (64 - ty.scalar.bits())
}

#[cfg(test)]
mod tests;
