//! Operand and type requirements of each operation.

use super::textures::check_texture;
use crate::{
    Atomic, Combine, File, FileId, FileKind, LaneOp, Mask, Nodes, Op, Reg, Scalar, Space, Swizzle, Ternary,
    TexKind, Type, Value,
};
use alloc::{format, string::String};
use core::fmt::Debug;

/// Checks one operation; the error text states what is wrong.
pub(super) fn check_node(nodes: &Nodes, files: &[File], v: Value) -> Result<(), String> {
    let Some(node) = nodes.list.get(v.index()) else { return Err("it does not exist".into()) };
    if let Some(t) = node.op.texture()
        && nodes.textures.get(t as usize).is_none()
    {
        return Err(format!("there is no texture operation {t}"));
    }
    let mut missing = None;
    nodes.operands(v, |o| {
        if o.index() >= nodes.list.len() {
            missing = Some(o);
        }
    });
    if let Some(o) = missing {
        return Err(format!("its operand {o:?} does not exist"));
    }
    let ty = node.ty;
    let yields = !node.op.has_effect() || matches!(node.op, Op::Atomic { .. } | Op::TextureAtomic(_));
    let valid = if yields { (1..=4).contains(&ty.count) } else { ty == Type::NONE };
    if !valid {
        return Err(format!("{ty} is not a type{}", if yields { "" } else { " of an effect" }));
    }
    Operation { nodes, files, ty }.check(node.op)
}

/// An operation whose operands exist, with its type.
struct Operation<'a> {
    nodes: &'a Nodes,
    files: &'a [File],
    ty: Type,
}

impl Operation<'_> {
    fn check(&self, op: Op) -> Result<(), String> {
        let ty = self.ty;
        let of = |v: Value| self.nodes.ty(v);
        match op {
            Op::Const(bits) if bits & !(u64::MAX >> (64 - ty.scalar.bits())) != 0 => {
                Err(format!("the constant has more bits than {}", ty.scalar.name()))
            }
            Op::Const(_) | Op::Param | Op::Emit | Op::Barrier => Ok(()),
            Op::Read { reg, swizzle } => {
                self.register(reg.file, reg.unit, top(swizzle, ty), ty.scalar).map(drop)
            }
            Op::ReadAt { file, base, index, swizzle, .. } => {
                self.register(file, base, top(swizzle, ty), ty.scalar)?;
                self.is(index, Type::I32)
            }
            Op::Write { reg, mask, value } => self.write(reg, mask, of(value)),
            Op::Unary { op, a, .. } => {
                self.fits(ty == of(a) && ty.scalar.is_float() == op.is_float(), &op, of(a))
            }
            Op::Binary { op, a, b, .. } => {
                self.is(b, of(a))?;
                let kind = of(a).scalar.is_float() == op.is_float();
                self.fits(kind && of(a).count > 0 && ty == op.result(of(a)), &op, of(a))
            }
            Op::Ternary { op: Ternary::Fma, a, b, c, .. } => {
                self.is(b, of(a))?;
                self.is(c, of(a))?;
                self.fits(ty == of(a) && ty.scalar.is_float(), &Ternary::Fma, of(a))
            }
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                self.is(b, ty)?;
                self.is(c, ty)?;
                self.fits(of(a) == Type::BOOL || of(a) == Scalar::I1.by(ty.count), &Ternary::Select, of(a))
            }
            Op::Convert { op, a, .. } => self.fits(op.converts(of(a), ty), &op, of(a)),
            Op::Swizzle { a, swizzle } => self.swizzle(of(a), swizzle),
            Op::Join { parts } => self.join(parts),
            Op::Texture(t) | Op::TextureStore(t) | Op::TextureAtomic(t) => {
                let operation = &self.nodes.textures[t as usize];
                let fits = match operation.kind {
                    TexKind::Store(_) | TexKind::Bits { .. } => matches!(op, Op::TextureStore(_)),
                    TexKind::Atomic { op: atomic, value, expected } => {
                        let once = atomic == Atomic::CompareExchange || expected == value;
                        once && matches!(op, Op::TextureAtomic(_)) && self.is_atomic(atomic, Space::Texels)
                    }
                    _ => matches!(op, Op::Texture(_)),
                };
                if !fits {
                    return Err("a texture operation of another kind".into());
                }
                check_texture(self.nodes, operation, ty)
                    .map_err(|what| format!("a texture operation with {what}"))
            }
            Op::Derivative { a, .. } => {
                self.fits(ty == of(a) && ty.scalar.is_float(), &"a derivative", of(a))
            }
            Op::Lane { op, a, b } => self.lane(op, a, b),
            Op::Load { space, address } => self.address(space, address),
            Op::Store { space, address, value } => {
                self.address(space, address)?;
                self.fits(of(value).count > 0 && space.is_writable(), &"a store", of(value))
            }
            Op::Combine { combine, a, .. } => {
                let known = Combine::neutral(combine.op, ty.scalar).is_some();
                self.fits(of(a) == ty && known && ty.scalar != Scalar::I1, &combine, of(a))
            }
            Op::Atomic { op, space, address, value, expected } => {
                self.address(space, address)?;
                self.is(value, ty)?;
                self.is(expected, ty)?;
                let once = op == Atomic::CompareExchange || expected == value;
                self.fits(once && self.is_atomic(op, space), &op, of(value))
            }
            Op::Kill { cond } => self.is(cond, Type::BOOL),
            Op::EmitVertex { cond, vertex, stream } => {
                self.is(cond, Type::BOOL)?;
                self.is(vertex, Type::I32)?;
                self.is(stream, Type::I32)
            }
            Op::EndStrip { cond, vertex } => {
                self.is(cond, Type::BOOL)?;
                self.is(vertex, Type::I32)
            }
            Op::Arrive { number, threads, vote, .. } => {
                self.is(number, Type::I32)?;
                self.is(threads, Type::I32)?;
                self.is(vote, Type::BOOL)
            }
            Op::Reduced if ty != Type::I32 => Err(format!("the result of a barrier as {ty}")),
            Op::Reduced => Ok(()),
            Op::SetEmit { vertex, .. } if vertex > 2 => Err(format!("there is no vertex slot {vertex}")),
            Op::SetEmit { .. } => Ok(()),
        }
    }

    fn is(&self, v: Value, want: Type) -> Result<(), String> {
        let ty = self.nodes.ty(v);
        if ty == want { Ok(()) } else { Err(format!("an operand is {ty}, not {want}")) }
    }

    fn fits(&self, fits: bool, what: &dyn Debug, a: Type) -> Result<(), String> {
        if fits { Ok(()) } else { Err(format!("{what:?} of {a} giving {}", self.ty)) }
    }

    /// The file, if components up to `top` are inside it.
    fn register(&self, file: FileId, unit: u16, top: u8, scalar: Scalar) -> Result<&File, String> {
        let Some(f) = self.files.get(usize::from(file.0)) else {
            return Err(format!("there is no file {}", file.0));
        };
        let end = u32::from(unit) + (u32::from(top) + 1) * u32::from(f.units_of(scalar));
        if end > u32::from(f.units) {
            return Err(format!("the register extends past the end of the file {}", f.name));
        }
        Ok(f)
    }

    fn write(&self, reg: Reg, mask: Mask, value: Type) -> Result<(), String> {
        if mask.count() != value.count || mask.0 > 15 {
            return Err(format!("{} components of the mask for {} of the value", mask.count(), value.count));
        }
        let top = mask.iter().max().unwrap_or(0);
        match self.register(reg.file, reg.unit, top, value.scalar)? {
            File { kind: FileKind::Input | FileKind::Uniform, name, .. } => {
                Err(format!("the file {name} is read-only"))
            }
            _ => Ok(()),
        }
    }

    fn swizzle(&self, all: Type, swizzle: Swizzle) -> Result<(), String> {
        match (0..self.ty.count).map(|i| swizzle.get(i)).find(|&c| c >= all.count) {
            Some(c) => Err(format!("{} of {all}", ["x", "y", "z", "w"][usize::from(c)])),
            None => self.fits(all.scalar == self.ty.scalar, &swizzle, all),
        }
    }

    fn join(&self, parts: [Value; 4]) -> Result<(), String> {
        if self.ty.count < 2 {
            return Err("a join has a single component".into());
        }
        let (used, unused) = parts.split_at(usize::from(self.ty.count));
        used.iter().try_for_each(|&p| self.is(p, self.ty.with_count(1)))?;
        if unused.iter().any(|p| Some(p) != used.last()) {
            return Err("the unused parts of the join do not repeat the last".into());
        }
        Ok(())
    }

    fn lane(&self, op: LaneOp, a: Value, b: Value) -> Result<(), String> {
        let (ty, of) = (self.ty, self.nodes.ty(a));
        let fits = match op {
            LaneOp::Any | LaneOp::All => of == Type::BOOL && ty == Type::BOOL,
            LaneOp::Ballot => of == Type::BOOL && ty == Type::I32,
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => {
                self.is(b, Type::I32)?;
                of == ty
            }
            LaneOp::QuadOr => of == ty && !ty.scalar.is_float(),
        };
        self.fits(fits, &op, of)
    }

    fn address(&self, space: Space, address: Value) -> Result<(), String> {
        let ty = self.nodes.ty(address);
        self.fits(space.takes(ty), &"an address", ty)
    }

    fn is_atomic(&self, op: Atomic, space: Space) -> bool {
        let integer = matches!(self.ty.scalar, Scalar::I32 | Scalar::I64);
        let combines = match op {
            Atomic::Combine(op) => integer && !op.is_float() && !op.compares(),
            Atomic::CombineFloats(op, _) => op.is_float() && Combine::neutral(op, self.ty.scalar).is_some(),
            Atomic::Increment | Atomic::Decrement | Atomic::Exchange | Atomic::CompareExchange => integer,
        };
        combines && self.ty.count == 1 && space.is_writable()
    }
}

fn top(swizzle: Swizzle, ty: Type) -> u8 {
    (0..ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0)
}
