//! Textures: one binding for each handle and each kind of read through it.

use super::purpose::Purpose;
use super::{Staged, TextureKind};
use crate::launch::MOST_TEXTURES;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{
    Convert, Func, Nodes, Op, SamplerRef, SamplerSlot, Scalar, Shape, TexKind, TexOp, Texture, TextureAccess,
    TextureRef, Type, Value,
};

/// Units from this one on are those of further uses of a handle, of handles in registers, and of handles with large numbers.
const FURTHER: u16 = MOST_TEXTURES[0] + MOST_TEXTURES[1];

/// The source of handles that the program computes.
const IN_REGISTERS: &str = "registers";

/// How a texture is bound.
#[derive(Clone, Debug, PartialEq)]
struct Use {
    /// The source of the handle.
    handle: String,
    shape: Shape,
    access: TextureAccess,
    texels: Scalar,
}

/// Gives each texture of the function a unit, and lists textures and samplers.
///
/// # Errors
/// `internal-handle` for a handle that [`super::texels::adapt`] left as it is, although its offset is not fixed.
pub(super) fn resolve(
    func: &mut Func,
    staged: &Staged,
) -> Result<(Vec<Texture>, Vec<SamplerSlot>), Vec<Diagnostic>> {
    let used = forget(func);
    integers(func, &used, staged);
    let mut faults = Sink::new(used.len().max(1));
    let mut uses: Vec<(u16, Use)> = Vec::new();
    // Queries have no shape of their own: they take that of another use of the handle.
    for queries in [false, true] {
        for &(v, n) in &used {
            let op = func.nodes.textures[n];
            if op.is_query() != queries {
                continue;
            }
            let Some((handle, wanted)) = handle(&func.nodes, &op, staged.handles) else {
                let text = "the handle of a texture is neither at a fixed offset nor in a register";
                faults.push(Diagnostic::internal("internal-handle", text));
                continue;
            };
            let (known, access) = (known(staged, &op), access(&op, func.nodes.ty(v)));
            let (shape, texels) = match (queries, known) {
                (false, _) => (op.shape, texels(access, func.nodes.ty(v))),
                (true, None) => (op.shape, Scalar::F32),
                (true, Some(kind)) => (kind.shape, if kind.integers { Scalar::I32 } else { Scalar::F32 }),
            };
            let one = Use { handle, shape, access, texels };
            let known = uses.iter().find(|(_, u)| queries && u.handle == one.handle).map(|(unit, _)| *unit);
            let unit = known.unwrap_or_else(|| unit(&mut uses, one, wanted));
            let shape = uses.iter().find(|(known, _)| *known == unit).map_or(op.shape, |(_, u)| u.shape);
            let op = &mut func.nodes.textures[n];
            op.shape = shape;
            if matches!(op.texture, TextureRef::Numbered(_)) {
                continue;
            }
            op.texture = TextureRef::Unit(unit);
            if op.compare.is_some() {
                op.sampler = SamplerRef::Unit(unit);
            }
        }
    }
    if faults.errors() > 0 {
        return Err(faults.finish());
    }
    uses.sort_by_key(|(unit, _)| *unit);
    let samplers = uses.iter().filter(|(_, u)| u.access == TextureAccess::Compared);
    let samplers = samplers.map(|(unit, u)| SamplerSlot {
        name: format!("sampler{unit}").into(),
        unit: *unit,
        comparison: true,
        handle: u.handle.clone(),
    });
    let samplers = samplers.collect();
    let texture = |(unit, u): (u16, Use)| Texture {
        access: u.access,
        texels: u.texels,
        indexed: u.handle == IN_REGISTERS,
        handle: u.handle,
        ..Texture::new(format!("texture{unit}"), unit, u.shape)
    };
    Ok((uses.into_iter().map(texture).collect(), samplers))
}

/// What the host knows of the texture of an operation.
fn known(staged: &Staged, op: &TexOp) -> Option<TextureKind> {
    staged.textures.get(&op.unit()?).copied()
}

/// Removes operations that no block has. Returns the others: their values and their numbers.
fn forget(func: &mut Func) -> Vec<(Value, usize)> {
    let (mut kept, mut used) = (Vec::new(), Vec::new());
    for &v in func.blocks.iter().flat_map(|b| &b.body) {
        if let Op::Texture(n) | Op::TextureStore(n) | Op::TextureAtomic(n) =
            &mut func.nodes.list[v.index()].op
            && let Some(t) = func.nodes.textures.get(*n as usize)
        {
            kept.push(*t);
            *n = kept.len() as u32 - 1;
            used.push((v, kept.len() - 1));
        }
    }
    func.nodes.textures = kept;
    used
}

/// The source of the handle, and the unit that it should have.
fn handle(nodes: &Nodes, op: &TexOp, first: u16) -> Option<(String, u16)> {
    match op.texture {
        TextureRef::Unit(n) => {
            Some((format!("handle {n:#x}"), n.checked_sub(first).filter(|n| *n < FURTHER).unwrap_or(FURTHER)))
        }
        TextureRef::Numbered(_) => Some((IN_REGISTERS.into(), FURTHER)),
        TextureRef::Handle(v) => {
            let (bank, offset) = super::texels::fixed(nodes, v)?;
            Some((format!("c[{bank:#x}][{offset:#x}]"), FURTHER))
        }
    }
}

fn access(op: &TexOp, result: Type) -> TextureAccess {
    if let Some(change) = TextureAccess::of_change(op.kind, result) {
        return change;
    }
    match (op.kind, op.compare) {
        (_, Some(_)) => TextureAccess::Compared,
        (TexKind::Fetch | TexKind::Size | TexKind::Samples, _) => TextureAccess::Read,
        _ => TextureAccess::Sampled,
    }
}

/// The unit of a use: that of an earlier one which has the same binding, or the one it should have if that is free. A
/// texture that is both filtered and read without a filter has one binding.
fn unit(uses: &mut Vec<(u16, Use)>, one: Use, wanted: u16) -> u16 {
    use TextureAccess::{Read, Sampled};
    let plain = |access| matches!(access, Read | Sampled);
    let same = |u: &Use| {
        (&u.handle, u.shape, u.texels) == (&one.handle, one.shape, one.texels)
            && (u.access == one.access || plain(u.access) && plain(one.access))
    };
    if let Some((unit, u)) = uses.iter_mut().find(|(_, u)| same(u)) {
        if one.access == Sampled {
            u.access = Sampled;
        }
        return *unit;
    }
    let free = |n: &u16| uses.iter().all(|(unit, _)| unit != n);
    let unit = core::iter::once(wanted).chain(FURTHER..).find(free).unwrap_or(u16::MAX);
    uses.push((unit, one));
    unit
}

/// The kind of the components of a texel, after [`integers`].
fn texels(access: TextureAccess, result: Type) -> Scalar {
    match access {
        TextureAccess::Written => Scalar::F32,
        TextureAccess::Bits(_) => Scalar::I32,
        _ => result.scalar,
    }
}

/// Fetches of integers: those of which the host knows it, and those whose result is only used as integers. Instructions do
/// not state what texels are, and registers have bits.
fn integers(func: &mut Func, used: &[(Value, usize)], staged: &Staged) {
    let whole = |&&(v, n): &&(Value, usize)| {
        let op = &func.nodes.textures[n];
        op.kind == TexKind::Fetch
            && known(staged, op)
                .map_or_else(|| Purpose::of(func, v) == Purpose::Integer, |kind| kind.integers)
    };
    let whole: Vec<Value> = used.iter().filter(whole).map(|(v, _)| *v).collect();
    if whole.is_empty() {
        return;
    }
    for v in &whole {
        func.nodes.list[v.index()].ty = Scalar::I32.by(4);
    }
    // The bits of an integer are the integer.
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Convert { op: Convert::Bits, a, .. } if b.ty(a) == b.ty(v) => Some(a),
        Op::Swizzle { a, .. } if b.ty(a).scalar != b.ty(v).scalar => {
            let scalar = b.ty(a).scalar;
            b.nodes.list[v.index()].ty.scalar = scalar;
            None
        }
        _ => None,
    });
}
