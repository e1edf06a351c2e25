//! What each operation asks of its operands and its type.

use crate::{
    Atomic, Binary, Combine, Convert, Dim, File, FileId, FileKind, LaneOp, Lod, Nodes, Op, SamplerRef,
    Scalar, Space, Swizzle, Ternary, TexKind, TexOp, TextureRef, Type, Unary, Value,
};
use alloc::{format, string::String};

/// Checks one operation; the text tells what is wrong with it.
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
    let yields = !node.op.has_effect() || matches!(node.op, Op::Atomic { .. });
    let valid = if yields { (1..=4).contains(&ty.count) } else { ty == Type::NONE };
    if !valid {
        return Err(format!("{ty} is not a type{}", if yields { "" } else { " of an effect" }));
    }
    let of = |v: Value| nodes.ty(v);
    let is = |v: Value, want: Type| match of(v) == want {
        true => Ok(()),
        false => Err(format!("an operand is {}, not {want}", of(v))),
    };
    let fits = |fits: bool, what: &dyn core::fmt::Debug, a: Type| match fits {
        true => Ok(()),
        false => Err(format!("{what:?} of {a} giving {ty}")),
    };
    match node.op {
        Op::Const(bits) if bits & !(u64::MAX >> (64 - ty.scalar.bits())) != 0 => {
            Err(format!("the constant has more bits than {}", ty.scalar.name()))
        }
        Op::Const(_) | Op::Param | Op::Emit | Op::Barrier => Ok(()),
        Op::Read { reg, swizzle } => {
            register(files, reg.file, reg.unit, top(swizzle, ty), ty.scalar).map(drop)
        }
        Op::ReadAt { file, base, index, swizzle, .. } => {
            register(files, file, base, top(swizzle, ty), ty.scalar)?;
            is(index, Type::I32)
        }
        Op::Write { reg, mask, value } => {
            let value = of(value);
            if mask.count() != value.count || mask.0 > 15 {
                return Err(format!(
                    "{} components of the mask for {} of the value",
                    mask.count(),
                    value.count
                ));
            }
            let top = mask.iter().max().unwrap_or(0);
            match register(files, reg.file, reg.unit, top, value.scalar)? {
                File { kind: FileKind::Input | FileKind::Uniform, name, .. } => {
                    Err(format!("the file {name} is not written"))
                }
                _ => Ok(()),
            }
        }
        Op::Unary { op, a, .. } => fits(ty == of(a) && ty.scalar.is_float() == float_unary(op), &op, of(a)),
        Op::Binary { op, a, b, .. } => {
            is(b, of(a))?;
            let kind = of(a).scalar.is_float() == float_binary(op);
            fits(kind && of(a).count > 0 && ty == op.result(of(a)), &op, of(a))
        }
        Op::Ternary { op: Ternary::Fma, a, b, c, .. } => {
            is(b, of(a))?;
            is(c, of(a))?;
            fits(ty == of(a) && ty.scalar.is_float(), &Ternary::Fma, of(a))
        }
        Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
            is(b, ty)?;
            is(c, ty)?;
            fits(of(a) == Type::BOOL || of(a) == Scalar::I1.by(ty.count), &Ternary::Select, of(a))
        }
        Op::Convert { op, a, .. } => fits(converts(op, of(a), ty), &op, of(a)),
        Op::Swizzle { a, swizzle } => {
            let all = of(a);
            match (0..ty.count).map(|i| swizzle.get(i)).find(|&c| c >= all.count) {
                Some(c) => Err(format!("{} of {all}", ["x", "y", "z", "w"][usize::from(c)])),
                None => fits(all.scalar == ty.scalar, &swizzle, all),
            }
        }
        Op::Join { parts } => {
            if ty.count < 2 {
                return Err("a join of one".into());
            }
            parts.iter().try_for_each(|&p| is(p, ty.with_count(1)))?;
            let last = parts[usize::from(ty.count) - 1];
            match parts[usize::from(ty.count)..].iter().all(|&p| p == last) {
                true => Ok(()),
                false => Err("the unused parts of the join do not repeat the last".into()),
            }
        }
        Op::Texture(t) | Op::TextureStore(t) => texture(nodes, &nodes.textures[t as usize], ty)
            .map_err(|what| format!("a texture operation with {what}")),
        Op::Derivative { a, .. } => fits(ty == of(a) && ty.scalar.is_float(), &"a derivative", of(a)),
        Op::Lane { op, a, b } => match op {
            LaneOp::Any | LaneOp::All => fits(of(a) == Type::BOOL && ty == Type::BOOL, &op, of(a)),
            LaneOp::Ballot => fits(of(a) == Type::BOOL && ty == Type::I32, &op, of(a)),
            LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => {
                is(b, Type::I32)?;
                fits(of(a) == ty, &op, of(a))
            }
            LaneOp::QuadOr => fits(of(a) == ty && !ty.scalar.is_float(), &op, of(a)),
        },
        Op::Load { space, address } => fits(is_address(space, of(address)), &"an address", of(address)),
        Op::Store { space, address, value } => {
            fits(is_address(space, of(address)), &"an address", of(address))?;
            fits(of(value).count > 0 && !matches!(space, Space::Constant(_)), &"a store", of(value))
        }
        Op::Combine { combine, a, .. } => {
            let known = Combine::neutral(combine.op, ty.scalar).is_some();
            fits(of(a) == ty && known && ty.scalar != Scalar::I1, &combine, of(a))
        }
        Op::Atomic { op, space, address, value, expected } => {
            fits(is_address(space, of(address)), &"an address", of(address))?;
            is(value, ty)?;
            is(expected, ty)?;
            let integer = matches!(ty.scalar, Scalar::I32 | Scalar::I64) && ty.count == 1;
            let combines = match op {
                Atomic::Combine(op) => !float_binary(op) && !op.compares(),
                Atomic::Exchange | Atomic::CompareExchange => true,
            };
            let written = !matches!(space, Space::Constant(_));
            let once = op == Atomic::CompareExchange || expected == value;
            fits(integer && combines && written && once, &op, of(value))
        }
        Op::Kill { cond } => is(cond, Type::BOOL),
        Op::SetEmit { vertex, .. } if vertex > 2 => Err(format!("there is no vertex slot {vertex}")),
        Op::SetEmit { .. } => Ok(()),
    }
}

fn top(swizzle: Swizzle, ty: Type) -> u8 {
    (0..ty.count).map(|i| swizzle.get(i)).max().unwrap_or(0)
}

/// The file, if components up to `top` lie inside it.
fn register(files: &[File], file: FileId, unit: u16, top: u8, scalar: Scalar) -> Result<&File, String> {
    let Some(f) = files.get(usize::from(file.0)) else { return Err(format!("there is no file {}", file.0)) };
    let end = u32::from(unit) + (u32::from(top) + 1) * u32::from(f.units_of(scalar));
    if end > u32::from(f.units) {
        return Err(format!("the register reaches behind the file {}", f.name));
    }
    Ok(f)
}

/// Whether an address may have this type: 32 bits, in global memory also 64.
fn is_address(space: Space, ty: Type) -> bool {
    ty == Type::I32 || space == Space::Global && ty == Scalar::I64.by(1)
}

/// What is wrong with a texture operation.
fn texture(nodes: &Nodes, t: &TexOp, ty: Type) -> Result<(), String> {
    let coordinates = t.shape.dim.coordinates();
    let float = |v: Value, count: u8| nodes.ty(v).scalar.is_float() && nodes.ty(v).count == count;
    let integer = |v: Value, count: u8| nodes.ty(v) == Scalar::I32.by(count);
    let stores = matches!(t.kind, TexKind::Store(_));
    let filters = matches!(t.kind, TexKind::Sample | TexKind::Gather(_));
    let lod = match (t.kind, t.lod) {
        (TexKind::Gather(_), lod) => lod == Lod::Zero,
        (TexKind::Fetch | TexKind::Store(_), Lod::Zero) => true,
        (TexKind::Fetch | TexKind::Store(_), Lod::Level(v)) => !t.shape.multisampled && integer(v, 1),
        (TexKind::Fetch | TexKind::Store(_), _) => false,
        (TexKind::Sample, Lod::Zero) | (_, Lod::Implicit) => true,
        (_, Lod::Bias(v)) | (TexKind::Sample, Lod::Level(v)) => float(v, 1),
        (TexKind::Sample, Lod::Gradient(x, y)) => float(x, coordinates) && float(y, coordinates),
        (TexKind::Detail, _) => false,
    };
    let computed = !matches!(t.lod, Lod::Zero | Lod::Level(_));
    let flat = t.shape.dim != Dim::Cube;
    let checks = [
        (
            t.shape.exists() && (t.is_exact() || !t.shape.multisampled) && (flat || !t.is_exact()),
            "such a shape",
        ),
        (
            if t.is_exact() { integer(t.coord, coordinates) } else { float(t.coord, coordinates) },
            "such a coordinate",
        ),
        (lod, "such a level of detail"),
        (t.least.is_none_or(|v| computed && float(v, 1)), "such a least level of detail"),
        (t.layer.map(|v| integer(v, 1)) == t.shape.arrayed.then_some(true), "such a layer"),
        (t.sample.map(|v| integer(v, 1)) == t.shape.multisampled.then_some(true), "such a sample"),
        (t.compare.is_none_or(|v| filters && float(v, 1)), "such a comparison"),
        (t.offset.is_none_or(|v| filters && flat && integer(v, coordinates)), "such an offset"),
        (
            !matches!(t.texture, TextureRef::Handle(v) if !is_address(Space::Global, nodes.ty(v))),
            "such a handle",
        ),
        (!matches!(t.texture, TextureRef::Numbered(v) if !integer(v, 1)), "such a number"),
        (stores || !t.towards_zero, "rounding of what is not stored"),
        (!matches!(t.sampler, SamplerRef::Handle(v) if !integer(v, 1)), "such a sampler"),
        (!t.is_exact() || t.sampler == SamplerRef::Texture, "a sampler that nobody asks"),
        (!matches!(t.kind, TexKind::Gather(4..)), "such a component"),
        (!matches!(t.kind, TexKind::Store(v) if nodes.ty(v).count != 4), "such a texel"),
        (if stores { ty == Type::NONE } else { ty.count == 4 }, "such a result"),
    ];
    match checks.iter().find(|(right, _)| !right) {
        None => Ok(()),
        Some((_, what)) => Err(format!("{what}: {} at {}, giving {ty}", t.shape.name(), nodes.ty(t.coord))),
    }
}

fn converts(op: Convert, from: Type, to: Type) -> bool {
    let (a, b) = (from.scalar, to.scalar);
    let ints = !a.is_float() && !b.is_float();
    if op == Convert::Pair {
        let pairs = |two: Type, one: Type| {
            (two.count, two.scalar.bits(), one.count, one.scalar.bits()) == (2, 32, 1, 64)
        };
        return pairs(from, to) || pairs(to, from);
    }
    let kinds = match op {
        Convert::Bits => a.bits() == b.bits(),
        Convert::Float => a.is_float() && b.is_float(),
        Convert::FloatToSigned | Convert::FloatToUnsigned => a.is_float() && !b.is_float(),
        Convert::SignedToFloat | Convert::UnsignedToFloat => !a.is_float() && b.is_float(),
        Convert::Truncate => ints && a.bits() > b.bits(),
        Convert::ZeroExtend | Convert::SignExtend => ints && a.bits() < b.bits(),
        Convert::Pair => false,
    };
    kinds && from.count == to.count
}

fn float_unary(op: Unary) -> bool {
    use Unary::*;
    !matches!(op, INeg | Not | PopCount | LeadingZeros | ReverseBits)
}

fn float_binary(op: Binary) -> bool {
    use Binary::*;
    matches!(op, FAdd | FSub | FMul | FDiv | FMin | FMax | FPow | FDot | FEq | FNe | FLt | FLe)
}
