//! Float operations as operations on 32-bit integers, for targets that lack the format or a direction of rounding.

mod arithmetic;
mod conversions;
mod number;
mod order;
#[cfg(test)]
mod tests;
mod words;

use crate::*;
use alloc::{collections::BTreeMap, vec::Vec};
use number::{Format, Number, SIGN};
use words::{Wide, Words, highest, highest_mut};

/// What a target lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// 64-bit floats. Conversions between them and 64-bit integers take and yield pairs of words, too.
    pub doubles: bool,
    /// Rounding other than to the nearest, of 32-bit and 64-bit floats.
    pub rounding: bool,
}

/// The function with operations on integers in place of those that a target lacks, with the same results, and its tree;
/// `None` if there are none.
///
/// 64-bit values become vectors of two 32-bit integers, the low word first. A sum of doubles is some 400 operations.
///
/// A function with other operations on 64-bit values than those below stays as it is, and the target may refuse it.
/// * Constants, parameters, selections, loads and stores, [`Convert::Pair`], [`Convert::Bits`].
/// * Arithmetic except division, minimum and maximum, comparisons, square root, reciprocals, roundings to integral numbers.
/// * Conversions from and to 32-bit floats and integers of 32 and 64 bits.
///
/// `tree` is what the structuriser made of the function.
pub fn emulate(func: &Func, tree: &Tree, lacks: Lacks) -> Option<(Func, Tree)> {
    if !func.nodes.list.iter().any(|n| n.ty.scalar == Scalar::F64 || is_directed(n.op)) {
        return None;
    }
    let types = func.nodes.list.iter().map(|n| n.ty).collect();
    let emulation = Emulation { types, lacks };
    if !emulation.is_needed(func) {
        return None;
    }
    let (mut func, mut tree) = (func.clone(), tree.clone());
    for node in &mut func.nodes.list {
        node.ty = emulation.replaced(node.ty);
    }
    for block in &mut func.blocks {
        let mut constants = BTreeMap::new();
        let mut body = Vec::with_capacity(block.body.len());
        for v in core::mem::take(&mut block.body) {
            let first = func.nodes.list.len() as u32;
            emulation.operation(&mut func.nodes, v, &mut constants);
            body.extend((first..func.nodes.list.len() as u32).map(Value));
            body.push(v);
        }
        block.body = body;
    }
    for (ty, _) in &mut tree.vars {
        *ty = emulation.replaced(*ty);
    }
    Some((func, tree))
}

/// Whether an operation rounds in another direction than to the nearest number.
fn is_directed(op: Op) -> bool {
    op.rounding().is_some_and(|rule| rule.round != Round::Nearest && !rule.model)
}

struct Emulation {
    /// The types of values before.
    types: Vec<Type>,
    lacks: Lacks,
}

impl Emulation {
    /// Whether values of a kind become pairs of words.
    fn is_pair(&self, scalar: Scalar) -> bool {
        self.lacks.doubles && matches!(scalar, Scalar::F64 | Scalar::I64)
    }

    fn replaced(&self, ty: Type) -> Type {
        if self.is_pair(ty.scalar) { Scalar::I32.by(2) } else { ty }
    }

    /// Whether the function has operations that the target lacks, and all of them can be replaced.
    fn is_needed(&self, func: &Func) -> bool {
        let mut needed = false;
        for v in func.blocks.iter().flat_map(|b| b.params.iter().chain(&b.body)) {
            let (mut pairs, mut doubles, mut single) = (false, false, true);
            let mut see = |ty: Type| {
                pairs |= self.is_pair(ty.scalar);
                doubles |= self.is_pair(ty.scalar) && ty.scalar == Scalar::F64;
                single &= !self.is_pair(ty.scalar) || ty.count == 1;
            };
            see(func.nodes.ty(*v));
            func.nodes.operands(*v, |o| see(func.nodes.ty(o)));
            if pairs && !(single && self.is_replaced(func.nodes.op(*v), func.nodes.ty(*v))) {
                return false;
            }
            needed |= doubles || self.rounds(func.nodes.op(*v), func.nodes.ty(*v));
        }
        needed
    }

    /// Whether an operation with an operand or a result that becomes a pair of words has a replacement.
    fn is_replaced(&self, op: Op, ty: Type) -> bool {
        use {Binary::*, Unary::*};
        let was = |v: Value| self.types[v.index()].scalar;
        let double = |v: Value, rule: FloatRule| was(v) == Scalar::F64 && !rule.model;
        match op {
            Op::Const(_) | Op::Param | Op::Load { .. } | Op::Store { .. } => true,
            Op::Unary {
                op: FNeg | FAbs | FFloor | FCeil | FTrunc | FRound | FSqrt | FRsqrt | FRcp,
                rule,
                a,
            } => double(a, rule),
            Op::Binary { op: FAdd | FSub | FMul | FMin | FMax | FEq | FNe | FLt | FLe, rule, a, .. } => {
                double(a, rule)
            }
            Op::Ternary { op: Ternary::Select, .. } => true,
            Op::Ternary { op: Ternary::Fma, rule, a, .. } => double(a, rule),
            Op::Convert { op: Convert::Pair, .. } => true,
            Op::Convert { op: Convert::Bits, a, .. } => self.is_pair(was(a)) && self.is_pair(ty.scalar),
            Op::Convert { op, rule, a } => !rule.model && Self::converts(op, was(a), ty.scalar),
            _ => false,
        }
    }

    /// Whether a conversion between these kinds has a replacement.
    fn converts(op: Convert, from: Scalar, to: Scalar) -> bool {
        let is_float = |kind| Format::of(kind).is_some();
        let is_integer = |kind| matches!(kind, Scalar::I32 | Scalar::I64);
        match op {
            Convert::Float => is_float(from) && is_float(to),
            Convert::SignedToFloat | Convert::UnsignedToFloat => is_integer(from) && is_float(to),
            Convert::FloatToSigned | Convert::FloatToUnsigned => is_float(from) && is_integer(to),
            _ => false,
        }
    }

    /// Whether an operation rounds in a direction that the target lacks, and has a replacement.
    fn rounds(&self, op: Op, ty: Type) -> bool {
        use Binary::*;
        let is_known = match op {
            Op::Binary { op: FAdd | FSub | FMul, .. } | Op::Ternary { op: Ternary::Fma, .. } => true,
            Op::Convert { op, a, .. } => Self::converts(op, self.types[a.index()].scalar, ty.scalar),
            _ => false,
        };
        self.lacks.rounding && is_known && is_directed(op) && Format::of(ty.scalar).is_some()
    }

    /// Replaces an operation. What it needs is appended to the nodes; its value stays.
    fn operation(&self, nodes: &mut Nodes, v: Value, constants: &mut BTreeMap<u32, Value>) {
        let (Node { op, origin, .. }, ty) = (nodes.list[v.index()], self.types[v.index()]);
        let mut pairs = self.is_pair(ty.scalar);
        nodes.operands(v, |o| pairs |= self.is_pair(self.types[o.index()].scalar));
        if !pairs && !self.rounds(op, ty) {
            return;
        }
        let mut words = Words::new(nodes, origin, constants);
        // What has no replacement stays, and the target refuses it.
        if let Some(op) = self.replacement(&mut words, op, ty) {
            nodes.list[v.index()].op = op;
        }
    }

    /// The operation that yields the same in words.
    fn replacement(&self, words: &mut Words<'_>, op: Op, ty: Type) -> Option<Op> {
        Some(match op {
            // The same of the words.
            Op::Param | Op::Load { .. } | Op::Store { .. } | Op::Ternary { op: Ternary::Select, .. } => op,
            Op::Const(bits) => {
                let halves = [bits as u32, (bits >> 32) as u32].map(|half| words.number(half));
                joined(&halves)
            }
            Op::Convert { op: Convert::Pair | Convert::Bits, a, .. } => copied(a),
            _ if ty.count == 1 => self.component(words, op, ty, 0)?,
            _ => {
                let mut parts = Vec::new();
                for part in 0..ty.count {
                    let component = self.component(words, op, ty, part)?;
                    parts.push(words.build.push(component, ty.with_count(1)));
                }
                joined(&parts)
            }
        })
    }

    /// An operation that yields a component of the result; `None` for operations without a replacement.
    fn component(&self, words: &mut Words<'_>, op: Op, ty: Type, part: u8) -> Option<Op> {
        let whole = |op, a| Op::Convert { op, rule: FloatRule::IEEE, a };
        Some(match (self.bits(words, op, ty, part)?, ty.scalar) {
            (Bits::Truth(truth), _) => copied(truth),
            (Bits::Words(bits), Scalar::F64 | Scalar::I64) if !self.is_pair(ty.scalar) => {
                whole(Convert::Pair, words.build.join(&bits))
            }
            (Bits::Words(bits), scalar) => match bits[..] {
                [word] if scalar == Scalar::F32 => whole(Convert::Bits, word),
                [word] => copied(word),
                _ => joined(&bits),
            },
        })
    }

    /// The words of a component of an operand.
    fn operand(&self, words: &mut Words<'_>, v: Value, part: u8) -> Wide {
        let scalar = self.types[v.index()].scalar;
        let one = |words: &mut Words<'_>| words.build.component(v, part);
        match scalar {
            _ if self.is_pair(scalar) => [0, 1].map(|half| words.build.component(v, half)).to_vec(),
            Scalar::F64 | Scalar::I64 => {
                let pair = Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: one(words) };
                let two = words.build.push(pair, Scalar::I32.by(2));
                [0, 1].map(|half| words.build.component(two, half)).to_vec()
            }
            Scalar::F32 => {
                let one = one(words);
                [words.build.convert(Convert::Bits, one, Scalar::I32)].to_vec()
            }
            _ => [one(words)].to_vec(),
        }
    }

    /// A component of the result; `None` for operations without a replacement.
    fn bits(&self, words: &mut Words<'_>, op: Op, ty: Type, part: u8) -> Option<Bits> {
        let to = Format::of(ty.scalar);
        Some(Bits::Words(match op {
            Op::Unary { op: op @ (Unary::FNeg | Unary::FAbs), a, .. } => {
                let mut bits = self.operand(words, a, part);
                *highest_mut(&mut bits) = match op {
                    Unary::FNeg => words.with(Binary::Xor, highest(&bits), SIGN),
                    _ => words.with(Binary::And, highest(&bits), !SIGN),
                };
                bits
            }
            Op::Unary { op, rule, a } => {
                let n = self.float(words, rule, a, part)?;
                self.function(words, op, rule, to?, &n)
            }
            Op::Binary { op: op @ (Binary::FMin | Binary::FMax), rule, a, b } => {
                let (a, b) = (self.operand(words, a, part), self.operand(words, b, part));
                words.extreme(op, to?, rule, &a, &b)
            }
            Op::Binary { op: Binary::FMul, rule, a, b } => {
                let (a, b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                let product = words.product_of(rule, &a, &b);
                words.finished(to?, rule, &product)
            }
            Op::Binary { op: op @ (Binary::FAdd | Binary::FSub), rule, a, b } => {
                let (a, mut b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                if op == Binary::FSub {
                    b.negative = words.not(b.negative);
                }
                let sum = words.sum_of(rule.round, &a, &b, to?.words);
                words.finished(to?, rule, &sum)
            }
            Op::Binary { op, a, b, .. } => {
                let format = Format::of(self.types[a.index()].scalar)?;
                let (a, b) = (self.operand(words, a, part), self.operand(words, b, part));
                return Some(Bits::Truth(words.comparison(op, format, &a, &b)));
            }
            Op::Ternary { rule, a, b, c, .. } => {
                let (a, b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                let c = self.float(words, rule, c, part)?;
                let product = words.product_of(rule, &a, &b);
                let sum = words.sum_of(rule.round, &product, &c, 2 * to?.words);
                words.finished(to?, rule, &sum)
            }
            Op::Convert { op: op @ (Convert::SignedToFloat | Convert::UnsignedToFloat), rule, a } => {
                let bits = self.operand(words, a, part);
                let n = words.integer_as_number(&bits, op == Convert::SignedToFloat);
                words.finished(to?, rule, &n)
            }
            Op::Convert { op: op @ (Convert::FloatToSigned | Convert::FloatToUnsigned), rule, a } => {
                let n = self.float(words, rule, a, part)?;
                let count = if ty.scalar == Scalar::I64 { 2 } else { 1 };
                words.number_as_integer(&n, op == Convert::FloatToSigned, count)
            }
            Op::Convert { rule, a, .. } => {
                let n = self.float(words, rule, a, part)?;
                words.finished(to?, rule, &n)
            }
            _ => return None,
        }))
    }

    /// An operand as a number.
    fn float(&self, words: &mut Words<'_>, rule: FloatRule, v: Value, part: u8) -> Option<Number> {
        let format = Format::of(self.types[v.index()].scalar)?;
        let bits = self.operand(words, v, part);
        Some(words.unpacked(format, rule, &bits))
    }

    fn function(&self, words: &mut Words<'_>, op: Unary, rule: FloatRule, to: Format, n: &Number) -> Wide {
        // The digits of the format, and one to round by.
        let digits = to.fraction + 3;
        let n = match op {
            Unary::FSqrt => words.root_of(n, digits),
            Unary::FRcp => words.reciprocal_of(n, digits),
            Unary::FRsqrt => {
                let root = words.root_of(n, digits);
                let root = words.finished(to, FloatRule::IEEE, &root);
                let root = words.unpacked(to, FloatRule::IEEE, &root);
                words.reciprocal_of(&root, digits)
            }
            Unary::FFloor => words.integral_of(Round::Down, n),
            Unary::FCeil => words.integral_of(Round::Up, n),
            Unary::FTrunc => words.integral_of(Round::Zero, n),
            _ => words.integral_of(Round::Nearest, n),
        };
        words.finished(to, rule, &n)
    }
}

/// The bits of a component.
enum Bits {
    Words(Wide),
    Truth(Value),
}

/// The same value: an operation without effect.
fn copied(a: Value) -> Op {
    Op::Binary { op: Binary::Or, rule: FloatRule::IEEE, a, b: a }
}

fn joined(parts: &[Value]) -> Op {
    let at = |i: usize| parts[i.min(parts.len() - 1)];
    Op::Join { parts: [at(0), at(1), at(2), at(3)] }
}
