//! Lowers integers of 8, 16 and 64 bits and 16-bit floats, for targets that lack them.

mod float16;
mod halves;
mod memory;
mod native;
mod native_float16;
mod small;
mod whole_numbers;
mod wholes;

use crate::dce::drop_unused;
use crate::fold::fold_in;
use crate::*;
use alloc::{vec, vec::Vec};
use shisa_diag::Diagnostic;

/// How a target without 64-bit addresses accesses global memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Addresses {
    /// By the full address; translators that cannot express it refuse the program. Memory has bytes: components of 8 and 16
    /// bits are read and written as they are.
    #[default]
    Full,
    /// By the low 32 bits of the address: all memory that a program accesses is within one 4 GiB window, and a buffer
    /// bound as global memory begins at the window's first byte.
    Window,
}

/// The kinds that a target has and that [`narrow`] would replace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Natives {
    /// 64-bit integers. Sums, products, shifts, comparisons, minimum and maximum of single numbers, and conversions from
    /// and to 32-bit floats stay as they are, between conversions from and to pairs of words ([`Convert::Pair`]). Those
    /// do not stay that are as short on words: shifts by constants of 32 and more, products of 32-bit numbers, and
    /// operations of which only the low word is used and follows from the low words of the operands.
    pub int64: bool,
    /// 16-bit floats that round to the nearest number and preserve denormals, infinities, NaN and the sign of zero. Sums,
    /// products, comparisons, minimum and maximum, roundings to integral numbers, and conversions from and to 32-bit floats
    /// stay as they are; other values of that kind are between conversions. Quotients and fused products and sums are
    /// computed in 32 bits.
    pub float16: bool,
}

/// Converts 64-bit integers into pairs of 32-bit integers, 8-bit and 16-bit integers into zero-extended 32-bit integers,
/// and 16-bit floats into 32-bit floats with the same value and the same rounding. Only 1-bit and 32-bit kinds remain.
/// Memory is read and written in 32-bit words, or in bytes if addresses are [`Addresses::Full`].
///
/// `files` are the function's files, with 32-bit units (or unchanged) for inputs, uniforms and outputs. A 32-bit unit
/// replaces the two 16-bit units at its position, the lower one first.
///
/// Constants fold and dead values are removed: where only the low 32 bits of a 64-bit sum are used, only they are
/// computed.
///
/// A store of part of a 32-bit word becomes two atomic operations, which preserve the other bits of the word. A lane
/// that concurrently reads or writes the same bytes may see zeros or a mix of both values.
///
/// Operations of kinds that the target has stay as they are, between conversions, as [`Natives`] states.
///
/// Operations that have no such form stay as they are, too, and the target may refuse them: the high 64
/// bits of 64-bit products, conversions between 64-bit integers and floats of 16 or 64 bits, and functions of 16-bit
/// floats.
///
/// Runs after [`registers_to_values`], on a function that [`verify`] accepts.
///
/// # Errors
/// `narrow-register` for an indirect read of, or a write to, a file whose unit size changes.
pub fn narrow(
    func: &mut Func,
    files: &'static [File],
    addresses: Addresses,
    natives: Natives,
) -> Result<(), Diagnostic> {
    narrow_in(func, files, addresses, natives, &mut Scratch::new())
}

/// As [`narrow`], in the memory of programs before it.
///
/// # Errors
/// The errors of [`narrow`].
pub fn narrow_in(
    func: &mut Func,
    files: &'static [File],
    addresses: Addresses,
    natives: Natives,
    scratch: &mut Scratch,
) -> Result<(), Diagnostic> {
    drop_unused(func, scratch);
    let shares = if is_narrow(func, files) {
        func.files = files;
        false
    } else {
        replace(func, files, addresses, natives, scratch)?
    };
    fold_in(func, shares, &mut scratch.folding);
    remove_dead_in(func, scratch);
    Ok(())
}

/// Whether the function has only kinds that remain, and its files keep the size of their units.
fn is_narrow(func: &Func, files: &[File]) -> bool {
    let remains = |v: &Value| Replaced::of(func.nodes.ty(*v).scalar) == Replaced::No;
    func.blocks.iter().flat_map(|b| b.params.iter().chain(&b.body)).all(remains)
        && func.files.iter().zip(files).all(|(old, new)| old.unit_bits == new.unit_bits)
}

/// Replaces the operations of all blocks. Returns whether some may compute the same.
fn replace(
    func: &mut Func,
    files: &'static [File],
    addresses: Addresses,
    natives: Natives,
    scratch: &mut Scratch,
) -> Result<bool, Diagnostic> {
    let order = func.reverse_postorder();
    let wholes = if natives.int64 { wholes::wholes(func, addresses) } else { Vec::new() };
    let mut narrower = Narrower {
        old: core::mem::take(&mut func.nodes),
        old_files: func.files,
        files,
        addresses,
        wholes,
        float16: natives.float16,
        new: scratch.nodes(),
        made: Vec::new(),
        body: Vec::new(),
        parts: false,
        origin: 0,
    };
    narrower.made = vec![None; narrower.old.list.len()];
    // Few operations become several.
    narrower.new.list.reserve(narrower.old.list.len() * 2);
    let mut blocks: Vec<Block> =
        func.blocks.iter().map(|_| Block { params: Vec::new(), body: Vec::new(), end: End::Exit }).collect();
    // Parameters first: back edges name them before their blocks are visited.
    for id in &order {
        for &p in &func.blocks[id.index()].params {
            let made = narrower.param(p);
            blocks[id.index()].params.extend(made.values());
        }
    }
    for id in &order {
        narrower.body.reserve(func.blocks[id.index()].body.len());
        for &v in &func.blocks[id.index()].body {
            narrower.origin = narrower.old.list[v.index()].origin;
            if let Some(made) = narrower.operation(v)? {
                narrower.made[v.index()] = Some(made);
            }
        }
        blocks[id.index()].body = core::mem::take(&mut narrower.body);
    }
    for id in &order {
        let mut end = func.blocks[id.index()].end.clone();
        if let End::Branch { cond, .. } = &mut end {
            *cond = narrower.one(*cond);
        }
        for edge in end.edges_mut() {
            edge.args = edge.args.iter().flat_map(|&a| narrower.get(a).values()).collect();
        }
        blocks[id.index()].end = end;
    }
    scratch.take_nodes(narrower.old);
    *func = Func { files, nodes: narrower.new, blocks };
    Ok(narrower.parts)
}

/// Which kind a scalar has, of those that are replaced. An operation is replaced as its last operand or result in this order
/// is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Replaced {
    No,
    Small,
    Float16,
    Int64,
}

impl Replaced {
    fn of(scalar: Scalar) -> Replaced {
        match scalar {
            Scalar::I8 | Scalar::I16 => Replaced::Small,
            Scalar::F16 => Replaced::Float16,
            Scalar::I64 => Replaced::Int64,
            Scalar::I1 | Scalar::I32 | Scalar::F32 | Scalar::F64 => Replaced::No,
        }
    }
}

/// The replacement of a value.
#[derive(Clone, Copy)]
enum Made {
    /// A value of 1 or 32 bits, or of a kind that is not narrowed.
    One(Value),
    /// The low and the high 32 bits of a 64-bit value, each with as many components.
    Halves(Value, Value),
}

impl Made {
    fn values(self) -> impl Iterator<Item = Value> {
        let (a, b) = match self {
            Made::One(a) => (a, None),
            Made::Halves(a, b) => (a, Some(b)),
        };
        core::iter::once(a).chain(b)
    }
}

struct Narrower {
    old: Nodes,
    old_files: &'static [File],
    files: &'static [File],
    addresses: Addresses,
    /// The 64-bit values of which all bits are used; empty if the target has no 64-bit integers.
    wholes: Vec<bool>,
    /// Whether 16-bit floats stay as they are, at present.
    float16: bool,
    new: Nodes,
    made: Vec<Option<Made>>,
    body: Vec<Value>,
    /// Whether memory is accessed in parts of a word: each access computes where they are in it.
    parts: bool,
    origin: u32,
}

impl Narrower {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let v = self.new.push(op, ty, self.origin);
        self.body.push(v);
        v
    }

    fn param(&mut self, p: Value) -> Made {
        let Node { ty, origin, .. } = self.old.list[p.index()];
        let word = self.replaced(ty);
        let mut param = || self.new.push(Op::Param, word, origin);
        let made = if ty.scalar == Scalar::I64 { Made::Halves(param(), param()) } else { Made::One(param()) };
        self.made[p.index()] = Some(made);
        made
    }

    /// The replacement of a value; in a function that [`verify`] accepts, each operand has one.
    fn get(&mut self, v: Value) -> Made {
        match self.made[v.index()] {
            Some(made) => made,
            None => Made::One(self.push(Op::Const(0), Type::BOOL)),
        }
    }

    /// The replacement of a value that is not 64 bits wide.
    fn one(&mut self, v: Value) -> Value {
        match self.get(v) {
            Made::One(v) | Made::Halves(v, _) => v,
        }
    }

    fn halves(&mut self, v: Value) -> (Value, Value) {
        match self.get(v) {
            Made::Halves(low, high) => (low, high),
            Made::One(v) => (v, v),
        }
    }

    /// The type of a value before the pass.
    fn was(&self, v: Value) -> Type {
        self.old.ty(v)
    }

    /// The type of a value's replacement: that of each 32-bit part, for 64-bit values.
    fn replaced(&self, ty: Type) -> Type {
        if ty.scalar == Scalar::F16 && self.float16 { ty } else { word(ty) }
    }

    fn unary(&mut self, op: Unary, a: Value) -> Value {
        let ty = self.new.ty(a);
        self.push(Op::Unary { op, rule: FloatRule::IEEE, a }, ty)
    }

    fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        let ty = op.result(self.new.ty(a));
        self.push(Op::Binary { op, rule: FloatRule::IEEE, a, b }, ty)
    }

    fn select(&mut self, a: Value, b: Value, c: Value) -> Value {
        let ty = self.new.ty(b);
        self.push(Op::Ternary { op: Ternary::Select, rule: FloatRule::IEEE, a, b, c }, ty)
    }

    fn convert(&mut self, op: Convert, a: Value, ty: Type) -> Value {
        self.push(Op::Convert { op, rule: FloatRule::IEEE, a }, ty)
    }

    /// A constant with as many components as `like` has.
    fn number(&mut self, n: u32, like: Value) -> Value {
        let ty = Scalar::I32.by(self.new.ty(like).count);
        self.push(Op::Const(n.into()), ty)
    }

    fn component(&mut self, a: Value, i: u8) -> Value {
        let ty = self.new.ty(a);
        if ty.count == 1 {
            return a;
        }
        self.push(Op::Swizzle { a, swizzle: Swizzle::splat(i) }, ty.with_count(1))
    }

    fn join(&mut self, parts: &[Value]) -> Value {
        match *parts {
            [one] => one,
            _ => {
                let at = |i: usize| parts[i.min(parts.len() - 1)];
                let ty = self.new.ty(parts[0]).with_count(parts.len() as u8);
                self.push(Op::Join { parts: [at(0), at(1), at(2), at(3)] }, ty)
            }
        }
    }

    /// The replacement of an operation; `None` for one that yields no value.
    fn operation(&mut self, v: Value) -> Result<Option<Made>, Diagnostic> {
        let node = self.old.list[v.index()];
        Ok(Some(match node.op {
            Op::Read { reg, swizzle } => self.read(node.ty, reg, swizzle),
            Op::ReadAt { file, base, stride, index, swizzle } => {
                self.same_units(file)?;
                let index = self.one(index);
                let at = |base| Op::ReadAt { file, base, stride, index, swizzle };
                self.read_same(node.ty, file, base, swizzle, at)
            }
            Op::Write { reg, mask, value } => {
                self.same_units(reg.file)?;
                self.write(reg, mask, value);
                return Ok(None);
            }
            Op::Load { space, address } => self.load(node.ty, space, address),
            Op::Store { space, address, value } => {
                self.store(space, address, value);
                return Ok(None);
            }
            Op::Atomic { op, space, address, value, expected } if node.ty == Type::I32 => {
                let (value, expected) = (self.one(value), self.one(expected));
                let address = self.address(address);
                Made::One(self.push(Op::Atomic { op, space, address, value, expected }, node.ty))
            }
            Op::Atomic { op, space, address, value, expected } if node.ty == Type::I64 => {
                let (value, expected) = (self.restored(value), self.restored(expected));
                let address = self.address(address);
                let whole = self.push(Op::Atomic { op, space, address, value, expected }, node.ty);
                self.carried(whole)
            }
            Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => match self.texture(node, t) {
                Some(made) => made,
                None => return Ok(None),
            },
            _ => match self.kind(v) {
                Replaced::Int64 => self.of_halves(v),
                Replaced::Float16 if self.float16 => self.of_native_float16(v),
                Replaced::Float16 => self.of_float16(v),
                Replaced::Small => Made::One(self.of_small(v)),
                Replaced::No => match self.copy(v) {
                    Some(v) => Made::One(v),
                    None => return Ok(None),
                },
            },
        }))
    }

    /// Which kind of the result and the operands determines how an operation is replaced.
    fn kind(&self, v: Value) -> Replaced {
        let mut kind = Replaced::of(self.was(v).scalar);
        self.old.operands(v, |o| kind = kind.max(Replaced::of(self.was(o).scalar)));
        kind
    }

    /// A value in its original kind, for an operation that is not narrowed.
    fn restored(&mut self, v: Value) -> Value {
        let ty = self.was(v);
        match self.get(v) {
            Made::Halves(low, high) => self.whole(low, high, ty),
            Made::One(one) if is_small(ty.scalar) => self.convert(Convert::Truncate, one, ty),
            Made::One(one) if ty.scalar == Scalar::F16 && self.new.ty(one) != ty => {
                let bits = self.packed(one);
                let bits = self.convert(Convert::Truncate, bits, Scalar::I16.by(ty.count));
                self.convert(Convert::Bits, bits, ty)
            }
            Made::One(one) => one,
        }
    }

    /// The replacement of a value that has its original kind.
    fn carried(&mut self, whole: Value) -> Made {
        let ty = self.new.ty(whole);
        match ty.scalar {
            Scalar::I64 => self.parted(whole),
            Scalar::I8 | Scalar::I16 => Made::One(self.convert(Convert::ZeroExtend, whole, word(ty))),
            Scalar::F16 if !self.float16 => {
                let bits = self.convert(Convert::Bits, whole, Scalar::I16.by(ty.count));
                let bits = self.convert(Convert::ZeroExtend, bits, Scalar::I32.by(ty.count));
                Made::One(self.unpacked(bits))
            }
            _ => Made::One(whole),
        }
    }

    /// A texture operation, which is copied unchanged.
    fn texture(&mut self, node: Node, t: u32) -> Option<Made> {
        let op = *self.old.textures.get(t as usize)?;
        let op = op.map(|v| self.restored(*v));
        let t = self.new.textures.len() as u32;
        self.new.textures.push(op);
        let op = match node.op {
            Op::TextureStore(_) => Op::TextureStore(t),
            Op::TextureAtomic(_) => Op::TextureAtomic(t),
            _ => Op::Texture(t),
        };
        let whole = self.push(op, node.ty);
        if node.ty == Type::NONE {
            return None;
        }
        Some(self.carried(whole))
    }

    /// The operation applied to the replacements of its operands.
    fn copy(&mut self, v: Value) -> Option<Value> {
        let mut node = self.old.list[v.index()];
        map_operands(&mut node, None, |o| match self.made[o.index()] {
            Some(Made::One(v) | Made::Halves(v, _)) => v,
            None => o,
        });
        let v = self.push(node.op, self.replaced(node.ty));
        (node.ty != Type::NONE).then_some(v)
    }

    /// Whether the unit size of a file is unchanged.
    fn keeps_units(&self, file: FileId) -> bool {
        let bits = |files: &[File]| files.get(usize::from(file.0)).map(|f| f.unit_bits);
        bits(self.files) == bits(self.old_files)
    }

    fn same_units(&self, file: FileId) -> Result<(), Diagnostic> {
        if self.keeps_units(file) {
            return Ok(());
        }
        let text = "a 16-bit register is written or read by a computed index, and the target has no 16-bit registers";
        Err(Diagnostic::error("narrow-register", text))
    }

    fn read(&mut self, ty: Type, reg: Reg, swizzle: Swizzle) -> Made {
        if self.keeps_units(reg.file) {
            let at = |unit| Op::Read { reg: Reg { unit, ..reg }, swizzle };
            return self.read_same(ty, reg.file, reg.unit, swizzle, at);
        }
        // Each component is assembled from the 32-bit units that hold it.
        let bits = u16::from(ty.scalar.bits());
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for i in 0..ty.count {
            let unit = reg.unit + u16::from(swizzle.get(i)) * bits.div_ceil(16);
            low.push(self.sixteens(reg.file, unit, bits));
            if bits == 64 {
                high.push(self.sixteens(reg.file, unit + 2, bits));
            }
        }
        let low = self.join(&low);
        match ty.scalar {
            Scalar::I64 => Made::Halves(low, self.join(&high)),
            Scalar::I1 => Made::One(self.convert(Convert::Truncate, low, ty)),
            Scalar::F32 => Made::One(self.convert(Convert::Bits, low, ty)),
            Scalar::F64 => {
                let high = self.join(&high);
                Made::One(self.whole(low, high, ty))
            }
            Scalar::F16 => Made::One(self.unpacked(low)),
            _ => Made::One(low),
        }
    }

    /// Up to 32 bits starting at a 16-bit unit, from a file whose units now have 32 bits.
    fn sixteens(&mut self, file: FileId, unit: u16, bits: u16) -> Value {
        let mut read = |unit| {
            let op = Op::Read { reg: Reg::new(file, unit), swizzle: Swizzle::IDENTITY };
            self.push(op, Type::I32)
        };
        let first = read(unit / 2);
        let sixteen = self.number(16, first);
        let value = match (unit % 2, bits) {
            (0, _) => first,
            (_, 0..=16) => self.binary(Binary::LShr, first, sixteen),
            _ => {
                let op = Op::Read { reg: Reg::new(file, unit / 2 + 1), swizzle: Swizzle::IDENTITY };
                let next = self.push(op, Type::I32);
                let low = self.binary(Binary::LShr, first, sixteen);
                let high = self.binary(Binary::Shl, next, sixteen);
                self.binary(Binary::Or, low, high)
            }
        };
        self.masked(value, bits.min(32) as u8)
    }

    /// A read from a file whose unit size is unchanged.
    fn read_same(
        &mut self,
        ty: Type,
        file: FileId,
        unit: u16,
        swizzle: Swizzle,
        at: impl Fn(u16) -> Op,
    ) -> Made {
        let unit_bits = self.files.get(usize::from(file.0)).map_or(32, |f| f.unit_bits);
        match (ty.scalar, unit_bits) {
            (Scalar::I64, 32) => {
                let mut half = |n: u16| {
                    let parts: Vec<Value> = (0..ty.count)
                        .map(|i| {
                            let first = match at(unit + 2 * u16::from(swizzle.get(i)) + n) {
                                Op::Read { reg, .. } => Op::Read { reg, swizzle: Swizzle::IDENTITY },
                                Op::ReadAt { file, base, stride, index, .. } => {
                                    Op::ReadAt { file, base, stride, index, swizzle: Swizzle::IDENTITY }
                                }
                                op => op,
                            };
                            self.push(first, Type::I32)
                        })
                        .collect();
                    self.join(&parts)
                };
                Made::Halves(half(0), half(1))
            }
            (Scalar::I8 | Scalar::I16 | Scalar::F16, 32) => {
                let whole = self.push(at(unit), Scalar::I32.by(ty.count));
                let bits = self.masked(whole, ty.scalar.bits());
                Made::One(if ty.scalar == Scalar::F16 { self.unpacked(bits) } else { bits })
            }
            _ => {
                let whole = self.push(at(unit), ty);
                self.carried(whole)
            }
        }
    }

    fn write(&mut self, reg: Reg, mask: Mask, value: Value) {
        let ty = self.was(value);
        let unit_bits = self.files.get(usize::from(reg.file.0)).map_or(32, |f| f.unit_bits);
        match self.get(value) {
            Made::Halves(low, high) if unit_bits == 32 => {
                for (i, c) in (0..).zip(mask.iter()) {
                    for (n, half) in [(0, low), (1, high)] {
                        let value = self.component(half, i);
                        let reg = Reg { unit: reg.unit + 2 * u16::from(c) + n, ..reg };
                        self.push(Op::Write { reg, mask: Mask(1), value }, Type::NONE);
                    }
                }
            }
            Made::Halves(low, high) => {
                let value = self.whole(low, high, ty);
                self.push(Op::Write { reg, mask, value }, Type::NONE);
            }
            Made::One(one) => {
                let value = match ty.scalar {
                    Scalar::I8 | Scalar::I16 | Scalar::F16 if unit_bits < 32 => self.restored(value),
                    Scalar::F16 => self.packed(one),
                    _ => one,
                };
                self.push(Op::Write { reg, mask, value }, Type::NONE);
            }
        }
    }
}

/// The type of a value that is narrowed: that of each 32-bit part, for 64-bit values.
fn word(ty: Type) -> Type {
    match ty.scalar {
        Scalar::F16 => Scalar::F32.by(ty.count),
        Scalar::I8 | Scalar::I16 | Scalar::I64 => Scalar::I32.by(ty.count),
        _ => ty,
    }
}

fn is_small(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I8 | Scalar::I16)
}
