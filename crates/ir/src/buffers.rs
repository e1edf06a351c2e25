//! Accesses of global memory through pointers in constant memory, as accesses of buffers.
//!
//! A program finds a buffer by a 64-bit pointer that its host has put into a constant bank. Languages without addresses
//! bind the buffer instead. The pass follows the address of each access to the pointer it starts from: through sums,
//! halves of 32 bits with their carry, selections, and block parameters whose arguments agree.

mod set;

use crate::*;
use alloc::{collections::BTreeMap, vec, vec::Vec};
use set::Set;

/// The largest number of buffers; the numbers have 8 bits.
const MOST: usize = 256;
/// Sums are taken apart down to this depth; the rest is a difference of addresses.
const DEPTH: usize = 24;

/// The result of [`trace_buffers`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traced {
    /// The pointers that accesses start from, in ascending order. Accesses through the pointer at index n are now
    /// accesses of [`Space::Buffer`] n.
    pub pointers: Vec<Pointer>,
    /// Accesses of global memory that do not start from one pointer: the number of the instruction of each.
    pub others: Vec<u32>,
}

/// Replaces accesses of global memory through a pointer in constant memory by accesses of the buffer at the pointer.
/// The new address is the difference between the old one and the pointer, modulo 2^32: a buffer is smaller than 4 GiB,
/// and an access before its first byte, or 4 GiB and more after it, is undefined.
///
/// The pointer is loaded from a constant address: as two 32-bit words one after the other, or as a whole. An access
/// whose address comes from several pointers, or from a pointer in other memory, stays as it is.
///
/// Runs after [`simplify`] and before [`narrow`].
pub fn trace_buffers(func: &mut Func) -> Traced {
    if !func.has(|op| global(*op).is_some()) {
        return Traced::default();
    }
    let order = func.reverse_postorder();
    let terms = Terms::of(func, &order);
    let accesses = func.blocks.iter().flat_map(|b| &b.body);
    let accesses: Vec<(Value, Option<Pointer>)> =
        accesses.filter_map(|&v| Some((v, terms.start(&func.nodes, global(func.nodes.op(v))?)))).collect();
    let mut pointers: Vec<Pointer> = accesses.iter().filter_map(|(_, pointer)| *pointer).collect();
    pointers.sort_unstable();
    pointers.dedup();
    pointers.truncate(MOST);
    let number = |pointer: &Pointer| pointers.binary_search(pointer).ok().and_then(|n| u8::try_from(n).ok());
    let mut numbered = BTreeMap::new();
    let mut others = Vec::new();
    for (v, pointer) in accesses {
        match pointer.and_then(|pointer| Some((pointer, number(&pointer)?))) {
            Some(start) => drop(numbered.insert(v, start)),
            None => others.push(func.nodes.list[v.index()].origin),
        }
    }
    func.rewrite(|b, v| {
        let address = global(b.nodes.op(v))?;
        let (pointer, number) = *numbered.get(&v)?;
        let address = Relative { terms: &terms, pointer }.of(b, address, DEPTH);
        if let Op::Load { space, address: at }
        | Op::Store { space, address: at, .. }
        | Op::Atomic { space, address: at, .. } = &mut b.nodes.list[v.index()].op
        {
            (*space, *at) = (Space::Buffer(number), address);
        }
        None
    });
    Traced { pointers, others }
}

/// The address of an access of global memory.
fn global(op: Op) -> Option<Value> {
    match op {
        Op::Load { space: Space::Global, address }
        | Op::Store { space: Space::Global, address, .. }
        | Op::Atomic { space: Space::Global, address, .. } => Some(address),
        _ => None,
    }
}

/// The values that the addresses of global memory consist of, as far as [`Terms`] follows them.
fn needed(func: &Func, order: &[BlockId]) -> Vec<bool> {
    let mut needed = vec![false; func.nodes.list.len()];
    let accesses = func.blocks.iter().flat_map(|b| &b.body);
    accesses.filter_map(|v| global(func.nodes.op(*v))).for_each(|address| needed[address.index()] = true);
    // A set only grows, so this ends. The uses of a value come after it, but for arguments of a block that comes before.
    loop {
        let mut grew = false;
        for id in order.iter().rev() {
            let block = &func.blocks[id.index()];
            for edge in block.end.edges() {
                for (param, argument) in func.blocks[edge.to.index()].params.iter().zip(&edge.args) {
                    if needed[param.index()] {
                        grew |= !core::mem::replace(&mut needed[argument.index()], true);
                    }
                }
            }
            for &v in block.body.iter().rev() {
                if needed[v.index()] && is_followed(&func.nodes.list[v.index()].op) {
                    func.nodes.operands(v, |o| needed[o.index()] = true);
                }
            }
        }
        if !grew {
            return needed;
        }
    }
}

/// Whether the terms of an operation follow from those of its operands.
fn is_followed(op: &Op) -> bool {
    matches!(
        op,
        Op::Binary { op: Binary::IAdd | Binary::ISub, .. }
            | Op::Ternary { op: Ternary::Select, .. }
            | Op::Convert { op: Convert::Pair | Convert::Bits | Convert::Truncate, .. }
            | Op::Swizzle { .. }
            | Op::Join { .. }
    )
}

/// The constants that each value has as terms: the value is their sum plus a number that does not depend on them.
struct Terms {
    /// The index of the set of each value; [`NONE`] for a value that no address consists of.
    indices: Vec<u32>,
    /// `None` where nothing has reached the value.
    sets: Vec<Option<Set>>,
}

/// No set.
const NONE: u32 = u32::MAX;

impl Terms {
    fn of(func: &Func, order: &[BlockId]) -> Terms {
        let mut count = 0;
        let index = |needed: bool| {
            let index = if needed { count } else { NONE };
            count += u32::from(needed);
            index
        };
        let indices = needed(func, order).into_iter().map(index).collect();
        let mut terms = Terms { indices, sets: vec![None; count as usize] };
        let has_parameters = func.blocks.iter().any(|b| !b.params.is_empty());
        // A set that is known only shrinks, so this ends. Without parameters nothing comes from a later block.
        loop {
            let mut changed = false;
            for id in order {
                let block = &func.blocks[id.index()];
                for &v in &block.body {
                    if !terms.is_settled(v) {
                        changed |= terms.set(v, terms.of_value(&func.nodes, v));
                    }
                }
                for edge in block.end.edges() {
                    for (&param, &argument) in func.blocks[edge.to.index()].params.iter().zip(&edge.args) {
                        // The argument of a back edge may not be known yet.
                        if !terms.is_settled(param)
                            && let Some(set) = terms.found(argument)
                        {
                            changed |= terms.set(param, set);
                        }
                    }
                }
            }
            if !changed || !has_parameters {
                return terms;
            }
        }
    }

    /// Whether the terms of a value cannot change any more: it has none, or none are asked for.
    fn is_settled(&self, v: Value) -> bool {
        self.indices[v.index()] == NONE || self.found(v).is_some_and(|set| set.is_empty())
    }

    /// Removes the terms of a value that are not in a set; returns whether there were any, or the value was unknown.
    fn set(&mut self, v: Value, set: Set) -> bool {
        let Some(slot) = self.sets.get_mut(self.indices[v.index()] as usize) else { return false };
        let left = slot.map_or(set, |before| before.common(set));
        let changed = *slot != Some(left);
        *slot = Some(left);
        changed
    }

    /// The terms of a value, if anything has reached it.
    fn found(&self, v: Value) -> Option<Set> {
        let index = *self.indices.get(v.index())?;
        self.sets.get(index as usize).copied().flatten()
    }

    /// The terms of a value that was reached; of another one, none.
    fn known(&self, v: Value) -> Set {
        self.found(v).unwrap_or(Set::EMPTY)
    }

    fn of_value(&self, nodes: &Nodes, v: Value) -> Set {
        let node = &nodes.list[v.index()];
        match node.op {
            Op::Load { space: Space::Constant(bank), address } if node.ty.count == 1 => {
                loaded(nodes, bank, address, 0).into_iter().collect()
            }
            Op::Binary { op: Binary::IAdd, a, b, .. } => self.known(a).sum(self.known(b)),
            Op::Binary { op: Binary::ISub, a, b, .. } => {
                if self.known(b).is_empty() {
                    self.known(a)
                } else {
                    Set::EMPTY
                }
            }
            Op::Ternary { op: Ternary::Select, b, c, .. } => self.known(b).common(self.known(c)),
            Op::Convert { op: Convert::Pair, a, .. } if node.ty.count == 1 => {
                let [low, high] = [0, 1].map(|i| self.of_component(nodes, a, i));
                low.iter().copied().filter(|p| high.contains(&above(*p))).collect()
            }
            Op::Convert { op: Convert::Bits, a, .. } => self.known(a),
            Op::Convert { op: Convert::Truncate, a, .. } if is_wide(nodes, a) && node.ty == Type::I32 => {
                self.known(a)
            }
            Op::Swizzle { a, swizzle } if node.ty.count == 1 => self.of_component(nodes, a, swizzle.get(0)),
            _ => Set::EMPTY,
        }
    }

    /// The terms of a component of a vector.
    fn of_component(&self, nodes: &Nodes, v: Value, i: u8) -> Set {
        match nodes.op(v) {
            Op::Join { parts } => parts.get(usize::from(i)).map_or(Set::EMPTY, |p| self.known(*p)),
            Op::Load { space: Space::Constant(bank), address } if nodes.ty(v).scalar.bits() == 32 => {
                loaded(nodes, bank, address, 4 * u32::from(i)).into_iter().collect()
            }
            Op::Convert { op: Convert::Pair, a, .. } => {
                let whole = self.known(a);
                if i == 0 { whole } else { whole.iter().copied().map(above).collect() }
            }
            Op::Swizzle { a, swizzle } => self.of_component(nodes, a, swizzle.get(i)),
            _ => Set::EMPTY,
        }
    }

    /// The pointer that an address starts from, if there is only one.
    fn start(&self, nodes: &Nodes, address: Value) -> Option<Pointer> {
        match self.known(address)[..] {
            [pointer] if is_wide(nodes, address) => Some(pointer),
            _ => None,
        }
    }
}

fn is_wide(nodes: &Nodes, v: Value) -> bool {
    nodes.ty(v) == Scalar::I64.by(1)
}

/// The upper word of a pointer.
fn above(p: Pointer) -> Pointer {
    Pointer { offset: p.offset.wrapping_add(4), ..p }
}

fn loaded(nodes: &Nodes, bank: u8, address: Value, more: u32) -> Option<Pointer> {
    match nodes.op(address) {
        Op::Const(offset) => Some(Pointer { bank, offset: (offset as u32).wrapping_add(more) }),
        _ => None,
    }
}

/// Differences between values and a pointer.
struct Relative<'a> {
    terms: &'a Terms,
    pointer: Pointer,
}

impl Relative<'_> {
    /// The low 32 bits of a value, less the pointer if it is one of its terms.
    fn of(&self, b: &mut Builder<'_>, v: Value, depth: usize) -> Value {
        let (op, ty) = (b.nodes.op(v), b.ty(v));
        if !self.has(v) {
            return low(b, v, depth);
        }
        let Some(next) = depth.checked_sub(1) else { return self.difference(b, v, 0) };
        match op {
            Op::Load { .. } => b.i32(0),
            Op::Binary { op: Binary::IAdd, a, b: other, .. } => {
                let (x, y) = (self.of(b, a, next), self.of(b, other, next));
                b.iadd(x, y)
            }
            Op::Binary { op: Binary::ISub, a, b: other, .. } => {
                let (x, y) = (self.of(b, a, next), low(b, other, next));
                b.isub(x, y)
            }
            Op::Ternary { op: Ternary::Select, a, b: yes, c: no, .. } => {
                let (x, y) = (self.of(b, yes, next), self.of(b, no, next));
                b.select(a, x, y)
            }
            Op::Convert { op: Convert::Truncate, a, .. } => self.of(b, a, next),
            Op::Convert { op: Convert::Pair, a, .. } if ty.count == 1 => match b.nodes.op(a) {
                Op::Join { parts: [first, ..] } => self.of(b, first, next),
                Op::Load { .. } => b.i32(0),
                _ => self.difference(b, v, next),
            },
            _ => self.difference(b, v, next),
        }
    }

    fn has(&self, v: Value) -> bool {
        self.terms.known(v).contains(&self.pointer)
    }

    fn difference(&self, b: &mut Builder<'_>, v: Value, depth: usize) -> Value {
        let v = low(b, v, depth);
        let offset = b.constant(Type::I32, self.pointer.offset.into());
        let pointer = b.load(Space::Constant(self.pointer.bank), offset, Type::I32);
        b.isub(v, pointer)
    }
}

/// The low 32 bits of an integer.
fn low(b: &mut Builder<'_>, v: Value, depth: usize) -> Value {
    if b.ty(v) == Type::I32 {
        return v;
    }
    match (b.nodes.op(v), depth.checked_sub(1)) {
        (Op::Const(bits), _) => b.constant(Type::I32, bits & 0xffff_ffff),
        (Op::Convert { op: Convert::ZeroExtend | Convert::SignExtend, a, .. }, _) if b.ty(a) == Type::I32 => {
            a
        }
        (Op::Convert { op: Convert::Pair, a, .. }, _) => b.component(a, 0),
        (Op::Binary { op: op @ (Binary::IAdd | Binary::ISub), a, b: other, .. }, Some(next)) => {
            let (x, y) = (low(b, a, next), low(b, other, next));
            b.binary(op, x, y)
        }
        _ => b.convert(Convert::Truncate, v, Scalar::I32),
    }
}

#[cfg(test)]
mod tests;
