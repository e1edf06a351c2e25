//! Float operations as operations on 32-bit integers, for targets that lack the format or a direction of rounding.

mod arithmetic;
mod conversions;
mod number;
mod order;
mod parts;
mod words;

use crate::dce::drop_operations;
use crate::fold::fold_words;
use crate::native::{is_double, is_int64};
use crate::*;
use alloc::vec::Vec;
use number::{Format, SIGN};
use parts::{Cut, Number, Wide};
use words::{Made, Words, highest, highest_mut};

/// What a target lacks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lacks {
    /// 64-bit floats. Conversions between them and 64-bit integers take and yield pairs of words, too.
    pub doubles: bool,
    /// The operations of [`is_double_arithmetic`]. A target that lacks `doubles` but has these gets them between
    /// conversions from and to pairs of words ([`Convert::Pair`]); it needs no other value of 64 bits.
    pub arithmetic: bool,
    /// The operations of [`is_int64_arithmetic`], which a target that lacks `doubles` gets between conversions from and to
    /// pairs of words, too. A function with such operations stays as it is if the target lacks them.
    pub int64: bool,
    /// Rounding other than to the nearest, of 32-bit and 64-bit floats.
    pub rounding: bool,
}

/// The function with operations on integers in place of those that a target lacks, with the same results, and its tree;
/// `None` if there are none.
///
/// 64-bit values become vectors of two 32-bit integers, the low word first. A sum of doubles is some 240 operations.
///
/// A function with other operations on 64-bit values than those below stays as it is, and the target may refuse it.
/// * Constants, parameters, selections, loads and stores, [`Convert::Pair`], [`Convert::Bits`].
/// * Arithmetic except division, minimum and maximum, comparisons, square root, reciprocals, roundings to integral numbers.
/// * Conversions from and to 32-bit floats and integers of 32 and 64 bits.
///
/// `tree` is what the structuriser made of the function.
pub fn emulate(func: &Func, tree: &Tree, lacks: Lacks) -> Option<(Func, Tree)> {
    let is_wide = |ty: Type| matches!(ty.scalar, Scalar::F64 | Scalar::I64);
    if !func.nodes.list.iter().any(|n| is_wide(n.ty) || is_directed(n.op)) {
        return None;
    }
    let types: Vec<Type> = func.nodes.list.iter().map(|n| n.ty).collect();
    let added = Value(types.len() as u32);
    let (emulation, mut any) = (Emulation { types, lacks }, false);
    let (mut func, mut tree) = (func.clone(), tree.clone());
    for node in &mut func.nodes.list {
        node.ty = emulation.replaced(node.ty);
    }
    for block in &mut func.blocks {
        let mut made = Made::default();
        let mut body = Vec::with_capacity(block.body.len());
        for v in core::mem::take(&mut block.body) {
            let first = func.nodes.list.len() as u32;
            any |= emulation.operation(&mut func.nodes, v, &mut made)?;
            body.extend((first..func.nodes.list.len() as u32).map(Value));
            body.push(v);
        }
        block.body = body;
    }
    if !any {
        return None;
    }
    for (ty, _) in &mut tree.vars {
        *ty = emulation.replaced(*ty);
    }
    // Operations of the same numbers take them apart alike, and constants are taken apart here.
    let replaced = fold_words(added, &mut func);
    tree.map(|v| replaced[v.index()]);
    drop_operations(&mut func);
    Some((func, tree))
}

/// Whether an operation rounds in another direction than to the nearest number. Roots and functions of 32-bit floats, which
/// are not replaced, are none.
fn is_directed(op: Op) -> bool {
    let is_function = matches!(op, Op::Unary { .. });
    !is_function && op.rounding().is_some_and(|rule| rule.round != Round::Nearest && !rule.model)
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

    /// Replaces an operation that the target lacks. What it needs is appended to the nodes; its value stays. Returns whether it
    /// was one; `None` for an operation on 64-bit values without a replacement.
    fn operation(&self, nodes: &mut Nodes, v: Value, made: &mut Made) -> Option<bool> {
        let (Node { op, origin, .. }, ty) = (nodes.list[v.index()], self.types[v.index()]);
        let (mut pairs, mut single) = (false, true);
        let mut see = |ty: Type| {
            pairs |= self.is_pair(ty.scalar);
            single &= !self.is_pair(ty.scalar) || ty.count == 1;
        };
        see(ty);
        nodes.operands(v, |o| see(self.types[o.index()]));
        let is_lacking = pairs || self.lacks.rounding && is_directed(op);
        if !is_lacking {
            return Some(false);
        }
        let replacement = self.replacement(&mut Words::new(nodes, origin, made), op, ty).filter(|_| single);
        match replacement {
            Some(op) => nodes.list[v.index()].op = op,
            None if pairs => return None,
            // The target refuses it.
            None => return Some(false),
        }
        Some(true)
    }

    /// Whether the target has an operation on values of 64 bits that are pairs of words elsewhere.
    fn is_native(&self, op: Op, ty: Type) -> bool {
        let of = |v: Value| self.types[v.index()];
        self.lacks.doubles
            && (!self.lacks.arithmetic && is_double(op, ty, of) || !self.lacks.int64 && is_int64(op, ty, of))
    }

    /// The same operation on values that are made of pairs of words. A value of 64 bits that it yields becomes a pair
    /// again.
    fn of_pairs(&self, words: &mut Words<'_>, op: Op, ty: Type) -> Op {
        let pair = |a| Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a };
        let mut node = Node { op, ty, origin: 0 };
        map_operands(&mut node, None, |v| match self.types[v.index()] {
            ty if self.is_pair(ty.scalar) => words.build.push(pair(v), ty),
            _ => v,
        });
        if self.is_pair(ty.scalar) { pair(words.build.push(node.op, ty)) } else { node.op }
    }

    /// The operation that yields the same in words.
    fn replacement(&self, words: &mut Words<'_>, op: Op, ty: Type) -> Option<Op> {
        if self.is_native(op, ty) {
            return Some(self.of_pairs(words, op, ty));
        }
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
                self.function(words, op, rule, to?, &n)?
            }
            Op::Binary { op: op @ (Binary::FMin | Binary::FMax), rule, a, b } => {
                let (a, b) = (self.operand(words, a, part), self.operand(words, b, part));
                words.extreme(op, to?, rule, &a, &b)
            }
            Op::Binary { op: Binary::FMul | Binary::FAdd | Binary::FSub, rule, .. }
            | Op::Ternary { op: Ternary::Fma, rule, .. } => {
                let cut = self.cut(words, op, to?, part)?;
                words.rounded(to?, rule, &cut)
            }
            Op::Binary { op: op @ (Binary::FEq | Binary::FNe | Binary::FLt | Binary::FLe), a, b, .. } => {
                let format = Format::of(self.types[a.index()].scalar)?;
                let (a, b) = (self.operand(words, a, part), self.operand(words, b, part));
                return Some(Bits::Truth(words.comparison(op, format, &a, &b)));
            }
            Op::Convert { op: op @ (Convert::SignedToFloat | Convert::UnsignedToFloat), rule, a }
                if is_whole(self.types[a.index()].scalar) =>
            {
                let bits = self.operand(words, a, part);
                let n = words.integer_as_number(&bits, op == Convert::SignedToFloat);
                words.finished(to?, rule, &n)
            }
            Op::Convert { op: op @ (Convert::FloatToSigned | Convert::FloatToUnsigned), rule, a }
                if is_whole(ty.scalar) =>
            {
                let n = self.float(words, rule, a, part)?;
                let count = if ty.scalar == Scalar::I64 { 2 } else { 1 };
                words.number_as_integer(&n, op == Convert::FloatToSigned, count)
            }
            Op::Convert { op: Convert::Float, rule, a } => {
                let n = self.float(words, rule, a, part)?;
                words.finished(to?, rule, &n)
            }
            _ => return None,
        }))
    }

    /// A component of a product or sum before rounding. Several operations may round the same one.
    fn cut(&self, words: &mut Words<'_>, mut op: Op, to: Format, part: u8) -> Option<Cut> {
        if let Op::Binary { rule, .. } | Op::Ternary { rule, .. } = &mut op {
            rule.round = Round::Nearest;
        }
        if let Some(cut) = words.latest(op, part) {
            return Some(cut);
        }
        let exact = match op {
            Op::Binary { op: Binary::FMul, rule, a, b } => {
                let (a, b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                words.product_of(rule, &a, &b)
            }
            Op::Binary { op: op @ (Binary::FAdd | Binary::FSub), rule, a, b } => {
                let (a, mut b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                if op == Binary::FSub {
                    b.negative = words.not(b.negative);
                }
                words.sum_of(&a, &b, to.words)
            }
            Op::Ternary { op: Ternary::Fma, rule, a, b, c } => {
                let (a, b) = (self.float(words, rule, a, part)?, self.float(words, rule, b, part)?);
                let c = self.float(words, rule, c, part)?;
                let product = words.product_of(rule, &a, &b);
                words.sum_of(&product, &c, 2 * to.words)
            }
            _ => return None,
        };
        let cut = words.cut(to, &exact);
        words.remember(op, part, cut.clone());
        Some(cut)
    }

    /// An operand as a number.
    fn float(&self, words: &mut Words<'_>, rule: FloatRule, v: Value, part: u8) -> Option<Number> {
        let format = Format::of(self.types[v.index()].scalar)?;
        let bits = self.operand(words, v, part);
        Some(words.unpacked(format, rule, &bits))
    }

    /// A function of a number; `None` for one without a replacement.
    fn function(
        &self,
        words: &mut Words<'_>,
        op: Unary,
        rule: FloatRule,
        to: Format,
        n: &Number,
    ) -> Option<Wide> {
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
            Unary::FRound => words.integral_of(Round::Nearest, n),
            _ => return None,
        };
        Some(words.finished(to, rule, &n))
    }
}

/// The bits of a component.
enum Bits {
    Words(Wide),
    Truth(Value),
}

/// Whether integers of a kind are converted from and to floats.
fn is_whole(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64)
}

/// The same value: an operation without effect.
fn copied(a: Value) -> Op {
    Op::Binary { op: Binary::Or, rule: FloatRule::IEEE, a, b: a }
}

fn joined(parts: &[Value]) -> Op {
    let at = |i: usize| parts[i.min(parts.len() - 1)];
    Op::Join { parts: [at(0), at(1), at(2), at(3)] }
}
