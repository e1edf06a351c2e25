//! A random source, and random functions in the form that recovery yields: correctly typed, with all values between
//! blocks in registers.

use crate::*;
use alloc::{vec, vec::Vec};

/// A seeded random source (SplitMix64).
pub struct Random(u64);

impl Random {
    /// The numbers that follow from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// A random element of a list.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }
}

/// A function of `n` empty blocks with random edges between them, some unreachable.
pub fn random_graph(random: &mut Random, n: usize) -> Func {
    let mut func = Func { files: &[], nodes: Nodes::default(), blocks: Vec::new() };
    let cond = func.nodes.push(Op::Const(1), Type::BOOL, 0);
    for _ in 0..n {
        let mut edge = || Edge::to(BlockId(random.below(n) as u32));
        let (yes, no) = (edge(), edge());
        let end = match random.below(5) {
            0 => End::Exit,
            1 => End::Jump(yes),
            _ => End::Branch { cond, yes, no },
        };
        func.blocks.push(Block { params: vec![], body: vec![], end });
    }
    func
}

const fn file(
    name: &'static str,
    kind: FileKind,
    unit_bits: u8,
    per: u8,
    units: u16,
    scalar: Scalar,
) -> File {
    File { name, kind, unit_bits, units_per_register: per, units, scalar }
}

/// Files of all shapes. Only the last one is read by a computed index.
pub static FILES: &[File] = &[
    file("t", FileKind::Temp, 32, 4, 16, Scalar::F32),
    file("h", FileKind::Temp, 16, 1, 10, Scalar::I16),
    file("p", FileKind::Temp, 1, 1, 8, Scalar::I1),
    file("o", FileKind::Output, 32, 4, 8, Scalar::F32),
    file("i", FileKind::Input, 32, 4, 16, Scalar::F32),
    file("u", FileKind::Uniform, 32, 4, 32, Scalar::F32),
    file("a", FileKind::Temp, 32, 4, 16, Scalar::F32),
];
const INDEXED: FileId = FileId(6);

/// A function of `blocks` blocks over [`FILES`].
pub fn random_func(random: &mut Random, blocks: usize) -> Func {
    let mut func = super::random_graph(random, blocks);
    func.files = FILES;
    func.nodes = Nodes::default();
    for b in 0..blocks {
        let mut maker = Maker { random, nodes: &mut func.nodes, body: Vec::new(), origin: b as u32 };
        for _ in 0..maker.random.below(12) {
            maker.statement();
        }
        let cond = maker.value(Type::BOOL, 2);
        let body = maker.body;
        func.blocks[b].body = body;
        if let End::Branch { cond: c, .. } = &mut func.blocks[b].end {
            *c = cond;
        }
    }
    func
}

struct Maker<'a> {
    random: &'a mut Random,
    nodes: &'a mut Nodes,
    body: Vec<Value>,
    origin: u32,
}

impl Maker<'_> {
    fn push(&mut self, op: Op, ty: Type) -> Value {
        let v = self.nodes.push(op, ty, self.origin);
        self.body.push(v);
        v
    }

    fn ty(&mut self) -> Type {
        self.random.pick(&Scalar::ALL).by(self.random.below(4) as u8 + 1)
    }

    fn rule(&mut self) -> FloatRule {
        let mut flag = || self.random.below(4) == 0;
        let (flush, saturate, zero_product, model) = (flag(), flag(), flag(), flag());
        let round = self.random.pick(&[Round::Nearest, Round::Zero, Round::Up, Round::Down]);
        let nan = self.random.pick(&[NanRule::Any, NanRule::Number, NanRule::Second]);
        FloatRule { round, flush, saturate, zero_product, nan, model }
    }

    /// A register of a file with room for components up to the highest of `top`, if the file is large enough.
    fn place(&mut self, file: u8, scalar: Scalar, top: u8) -> Option<Reg> {
        let f = &FILES[usize::from(file)];
        let need = u16::from(f.units_of(scalar)) * (u16::from(top) + 1);
        let room = f.units.checked_sub(need)?;
        let unit = self.random.below(usize::from(room) + 1) as u16;
        Some(Reg::new(FileId(file), if f.units_per_register == 4 && need <= 4 { unit & !3 } else { unit }))
    }

    fn swizzle(&mut self) -> Swizzle {
        if self.random.below(2) == 0 { Swizzle::IDENTITY } else { Swizzle(self.random.bits() as u8) }
    }

    fn statement(&mut self) {
        match self.random.below(12) {
            0 => {
                let (ty, address) = (self.ty(), self.value(Type::I32, 1));
                let value = self.value(ty, 2);
                self.push(Op::Store { space: Space::Shared, address, value }, Type::NONE);
            }
            1 => {
                let cond = self.value(Type::BOOL, 2);
                self.push(Op::Kill { cond }, Type::NONE);
            }
            2 if self.random.below(2) == 0 => {
                let kind = match self.random.below(2) {
                    0 => TexKind::Store(self.value(Scalar::F32.by(4), 1)),
                    _ => {
                        let (bytes, count) = self.random.pick(&[(1, 1), (2, 1), (4, 1), (8, 2), (16, 4)]);
                        TexKind::Bits { value: self.value(Scalar::I32.by(count), 1), bytes }
                    }
                };
                let op = self.texture(kind, 1);
                self.nodes.textures.push(op);
                self.push(Op::TextureStore(self.nodes.textures.len() as u32 - 1), Type::NONE);
            }
            2 => {
                let emit = Op::SetEmit { vertex: self.random.below(3) as u8, primitive: true, flip: false };
                let cond = self.value(Type::BOOL, 2);
                let (vertex, stream) = (self.value(Type::I32, 2), self.value(Type::I32, 1));
                let strip = [Op::EmitVertex { cond, vertex, stream }, Op::EndStrip { cond, vertex }];
                let op = self.random.pick(&[emit, Op::Emit, Op::Barrier, strip[0], strip[1]]);
                self.push(op, Type::NONE);
            }
            _ => {
                let file = self.random.pick(&[0, 0, 0, 1, 2, 3, 6]);
                let mut ty = self.ty();
                if file == 2 {
                    ty.scalar = self.random.pick(&[Scalar::I1, Scalar::I1, Scalar::I8]);
                }
                let mut mask = Mask(self.random.below(15) as u8 + 1);
                if self.random.below(2) == 0 {
                    mask = Mask::ALL;
                }
                let top = 7 - mask.0.leading_zeros() as u8;
                if let Some(reg) = self.place(file, ty.scalar, top) {
                    let value = self.value(ty.with_count(mask.count()), 3);
                    self.push(Op::Write { reg, mask, value }, Type::NONE);
                }
            }
        }
    }

    /// A value of the type.
    fn value(&mut self, ty: Type, depth: usize) -> Value {
        let known: Vec<Value> = self.body.iter().copied().filter(|&v| self.nodes.ty(v) == ty).collect();
        if !known.is_empty() && self.random.below(3) == 0 {
            return self.random.pick(&known);
        }
        if depth == 0 || self.random.below(3) == 0 {
            return self.leaf(ty);
        }
        self.operation(ty, depth - 1).unwrap_or_else(|| self.leaf(ty))
    }

    fn leaf(&mut self, ty: Type) -> Value {
        let swizzle = self.swizzle();
        let top = (0..ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0);
        let file = self.random.pick(&[0, 0, 1, 2, 3, 4, 5]);
        match self.place(file, ty.scalar, top) {
            Some(reg) if self.random.below(6) > 0 => self.push(Op::Read { reg, swizzle }, ty),
            _ if self.random.below(4) == 0 && ty.scalar.bits() == 32 => {
                let index = Op::Const(self.random.below(3) as u64);
                let index = self.push(index, Type::I32);
                self.push(Op::ReadAt { file: INDEXED, base: 0, stride: 4, index, swizzle }, ty)
            }
            _ => {
                let bits = self.random.bits() & (u64::MAX >> (64 - ty.scalar.bits()));
                let bits = if self.random.below(3) == 0 { bits & 1 } else { bits };
                self.push(Op::Const(bits), ty)
            }
        }
    }

    fn operation(&mut self, ty: Type, depth: usize) -> Option<Value> {
        use {Binary::*, Unary::*};
        let rule = self.rule();
        let is_float = ty.scalar.is_float();
        let op = match self.random.below(10) {
            0 | 1 => {
                let a = self.value(ty, depth);
                let op = if is_float {
                    let list = [
                        FNeg, FAbs, FSat, FFloor, FCeil, FTrunc, FRound, FSqrt, FRsqrt, FRcp, FExp2, FLog2,
                        FSin, FCos, FSinc,
                    ];
                    self.random.pick(&list)
                } else {
                    self.random.pick(&[INeg, Not, PopCount, LeadingZeros, ReverseBits])
                };
                Op::Unary { op, rule, a }
            }
            2 | 3 => {
                let (mut a_ty, mut list) =
                    (ty, vec![IAdd, ISub, IMul, UMulHi, SMulHi, UMin, UMax, SMin, SMax, And, Or, Xor]);
                if is_float {
                    list = vec![FAdd, FSub, FMul, FDiv, FMin, FMax, FPow];
                    if ty.count == 1 && self.random.below(3) == 0 {
                        (a_ty, list) = (ty.with_count(self.random.below(4) as u8 + 1), vec![FDot]);
                    }
                } else if ty.scalar == Scalar::I1 && self.random.below(2) == 0 {
                    a_ty = self.ty().with_count(ty.count);
                    list = if a_ty.scalar.is_float() {
                        vec![FEq, FNe, FLt, FLe]
                    } else {
                        vec![IEq, INe, ULt, ULe, SLt, SLe]
                    };
                } else {
                    list.extend([Shl, LShr, AShr]);
                }
                let (a, b) = (self.value(a_ty, depth), self.value(a_ty, depth));
                Op::Binary { op: self.random.pick(&list), rule, a, b }
            }
            4 => {
                let op = if is_float {
                    self.random.pick(&[Ternary::Fma, Ternary::Select])
                } else {
                    Ternary::Select
                };
                let cond = Scalar::I1.by(if self.random.below(2) == 0 { 1 } else { ty.count });
                let a = self.value(if op == Ternary::Select { cond } else { ty }, depth);
                let (b, c) = (self.value(ty, depth), self.value(ty, depth));
                Op::Ternary { op, rule, a, b, c }
            }
            5 => return self.conversion(ty, rule, depth),
            6 => {
                let a = self.ty();
                let a = self.value(ty.with_count(a.count), depth);
                let count = self.nodes.ty(a).count;
                let picks: Vec<u8> = (0..4).map(|_| self.random.below(usize::from(count)) as u8).collect();
                Op::Swizzle { a, swizzle: Swizzle::from_slice(&picks) }
            }
            7 if ty.count > 1 => {
                let mut parts = [Value(0); 4];
                for i in 0..4 {
                    parts[i] = if i < usize::from(ty.count) {
                        self.value(ty.with_count(1), depth)
                    } else {
                        parts[i - 1]
                    };
                }
                Op::Join { parts }
            }
            8 => {
                let address = self.value(Type::I32, depth);
                Op::Load {
                    space: self.random.pick(&[
                        Space::Shared,
                        Space::Local,
                        Space::Constant(3),
                        Space::Constants,
                    ]),
                    address,
                }
            }
            9 => return self.across(ty, depth),
            _ => return None,
        };
        Some(self.push(op, ty))
    }

    fn conversion(&mut self, ty: Type, rule: FloatRule, depth: usize) -> Option<Value> {
        use Convert::*;
        let from = self.random.pick(&Scalar::ALL);
        let op = match (from.is_float(), ty.scalar.is_float()) {
            _ if ty.scalar.bits() == 64 && ty.count == 1 && self.random.below(2) == 0 => {
                let kind = self.random.pick(&[Scalar::I32, Scalar::F32]);
                let a = self.value(kind.by(2), depth);
                return Some(self.push(Op::Convert { op: Pair, rule, a }, ty));
            }
            _ if ty.scalar.bits() == 32 && ty.count == 2 && self.random.below(2) == 0 => {
                let a = self.value(Scalar::I64.by(1), depth);
                return Some(self.push(Op::Convert { op: Pair, rule, a }, ty));
            }
            _ if from.bits() == ty.scalar.bits() && from != ty.scalar => Bits,
            (true, true) => Float,
            (true, false) => self.random.pick(&[FloatToSigned, FloatToUnsigned]),
            (false, true) => self.random.pick(&[SignedToFloat, UnsignedToFloat]),
            (false, false) if from.bits() > ty.scalar.bits() => Truncate,
            (false, false) if from.bits() < ty.scalar.bits() => self.random.pick(&[ZeroExtend, SignExtend]),
            _ => return None,
        };
        if op == Float && from == ty.scalar {
            return None;
        }
        let a = self.value(from.by(ty.count), depth);
        Some(self.push(Op::Convert { op, rule, a }, ty))
    }

    /// Operations that use other lanes or textures.
    fn across(&mut self, ty: Type, depth: usize) -> Option<Value> {
        if ty == Scalar::F32.by(4) {
            let component = self.random.below(4) as u8;
            let kind = self.random.pick(&[
                TexKind::Sample,
                TexKind::Sample,
                TexKind::Gather(component),
                TexKind::Fetch,
                TexKind::Detail,
            ]);
            let op = self.texture(kind, depth);
            let i = self.nodes.textures.len() as u32;
            self.nodes.textures.push(op);
            return Some(self.push(Op::Texture(i), ty));
        }
        if ty.scalar == Scalar::F32 {
            let a = self.value(ty, depth);
            let axis = self.random.pick(&[Axis::X, Axis::Y]);
            return Some(self.push(Op::Derivative { axis, a }, ty));
        }
        if ty.count > 1 {
            return None;
        }
        if ty == Type::I32 && self.random.below(2) == 0 {
            return Some(self.together(depth));
        }
        let (op, a) = match ty.scalar {
            Scalar::I1 => (self.random.pick(&[LaneOp::Any, LaneOp::All]), Type::BOOL),
            Scalar::I32 if self.random.below(2) == 0 => (LaneOp::Ballot, Type::BOOL),
            _ if !ty.scalar.is_float() && self.random.below(3) == 0 => (LaneOp::QuadOr, ty),
            _ => (self.random.pick(&[LaneOp::Shuffle, LaneOp::ShuffleXor, LaneOp::Fetch]), ty),
        };
        let a = self.value(a, depth);
        let b = match op {
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => self.value(Type::I32, depth),
            _ => a,
        };
        Some(self.push(Op::Lane { op, a, b }, ty))
    }

    /// A texture operation of a kind, with a random valid shape and random valid operands.
    pub(super) fn texture(&mut self, kind: TexKind, depth: usize) -> TexOp {
        let exact = kind.is_exact();
        let all = Shape::ALL.into_iter();
        let shapes: Vec<Shape> =
            all.filter(|s| if exact { s.dim != Dim::Cube } else { !s.multisampled }).collect();
        let shape = self.random.pick(&shapes);
        let of = |scalar: Scalar| scalar.by(shape.dim.coordinates());
        let coord = self.value(of(if exact { Scalar::I32 } else { Scalar::F32 }), depth);
        let lod = match (kind, self.random.below(5)) {
            (TexKind::Gather(_), _) => Lod::Zero,
            (_, 0..=1) if exact && !shape.multisampled => Lod::Level(self.value(Type::I32, depth)),
            _ if exact => Lod::Zero,
            (_, 0) => Lod::Implicit,
            (_, 1) => Lod::Bias(self.value(Type::F32, depth)),
            (TexKind::Sample, 2) => Lod::Level(self.value(Type::F32, depth)),
            (TexKind::Sample, 3) => {
                Lod::Gradient(self.value(of(Scalar::F32), depth), self.value(of(Scalar::F32), depth))
            }
            (TexKind::Sample, _) => Lod::Zero,
            _ => Lod::Implicit,
        };
        let state = Sampler {
            filter: Filter::Linear,
            mip: self.random.pick(&[None, Some(Filter::Nearest)]),
            wrap: [self.random.pick(&[Wrap::Clamp, Wrap::Repeat, Wrap::Mirror]); 3],
            anisotropy: 1,
            bias_eighths: self.random.below(256) as u8 as i8,
        };
        let mut some =
            |yes: bool, ty: Type| (yes && self.random.below(2) == 0).then(|| self.value(ty, depth));
        let filters = matches!(kind, TexKind::Sample | TexKind::Gather(_));
        let least = some(!matches!(lod, Lod::Zero | Lod::Level(_)), Type::F32);
        let compare = some(filters, Type::F32);
        let offset = some(filters && shape.dim != Dim::Cube, of(Scalar::I32));
        TexOp {
            kind,
            texture: match self.random.below(4) {
                0 => TextureRef::Handle(self.value(Scalar::I64.by(1), depth)),
                n => TextureRef::Unit(n as u16),
            },
            shape,
            coord,
            layer: shape.arrayed.then(|| self.value(Type::I32, depth)),
            sample: shape.multisampled.then(|| self.value(Type::I32, depth)),
            lod,
            least,
            compare,
            offset,
            sampler: match self.random.below(4) {
                _ if exact => SamplerRef::Texture,
                0 => SamplerRef::State(state),
                1 => SamplerRef::Unit(self.random.below(8) as u16),
                2 => SamplerRef::Handle(self.value(Type::I32, depth)),
                _ => SamplerRef::Texture,
            },
            towards_zero: false,
            traps: false,
        }
    }

    /// An operation that combines lanes or changes shared memory, of 32 bits.
    fn together(&mut self, depth: usize) -> Value {
        use Binary::*;
        let a = self.value(Type::I32, depth);
        let op = self.random.pick(&[And, Or, Xor, IAdd, SMin, SMax, UMin, UMax]);
        if self.random.below(2) == 0 {
            let [quad, before] = [0, 1].map(|_| self.random.below(2) == 0);
            let combine = Combine { op, quad, before };
            return self.push(Op::Combine { combine, rule: FloatRule::IEEE, a }, Type::I32);
        }
        if self.random.below(4) == 0 {
            return self.float_atomic(a, depth);
        }
        let counters = [Atomic::Increment, Atomic::Decrement];
        let others = [Atomic::Combine(op), Atomic::Exchange, Atomic::CompareExchange];
        let op =
            if self.random.below(4) == 0 { self.random.pick(&counters) } else { self.random.pick(&others) };
        let value = self.value(Type::I32, depth);
        let expected = if op == Atomic::CompareExchange { self.value(Type::I32, depth) } else { value };
        if self.random.below(4) == 0 {
            let op = self.texture(TexKind::Atomic { op, value, expected }, 1);
            self.nodes.textures.push(op);
            return self.push(Op::TextureAtomic(self.nodes.textures.len() as u32 - 1), Type::I32);
        }
        self.push(Op::Atomic { op, space: Space::Shared, address: a, value, expected }, Type::I32)
    }

    /// The bits of the float that a combination of floats in shared memory replaces.
    fn float_atomic(&mut self, address: Value, depth: usize) -> Value {
        let ty = Scalar::F32.by(1);
        let value = self.value(ty, depth);
        let rule = FloatRule { flush: self.random.below(2) == 0, ..FloatRule::IEEE };
        let op = Atomic::CombineFloats(self.random.pick(&[Binary::FAdd, Binary::FMin]), rule);
        let a = self.push(Op::Atomic { op, space: Space::Shared, address, value, expected: value }, ty);
        self.push(Op::Convert { op: Convert::Bits, rule: FloatRule::IEEE, a }, Type::I32)
    }
}
