//! Textures and samplers: those that a program names, and their uses.

use super::states;
use crate::UNIFORMS;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{
    Convert, Func, Nodes, Op, Reg, SamplerRef, SamplerSlot, Scalar, Space, Swizzle, TexKind, TexOp, Texture,
    TextureAccess, TextureRef, Type, Value,
};

/// The least number of a texture, and of a sampler, that is assigned to a handle. State registers have lower ones.
const HANDLES: [u16; 2] = [64, 8];
/// The number of the first texture that holds what was drawn before. In the end these are numbered after all others.
pub(super) const TILE: u16 = 0x8000;
/// The largest number of operations that compute a handle.
const LONGEST: usize = 64;

/// The sources of texture or sampler handles, in the order in which the program uses them.
struct Handles {
    /// The number of the first.
    first: u16,
    places: Vec<String>,
}

impl Handles {
    /// Numbers after the highest number of a state register.
    fn behind(states: impl Iterator<Item = u16>, least: u16) -> Handles {
        Handles { first: states.max().map_or(least, |n| least.max(n + 1)), places: Vec::new() }
    }

    /// The number of a handle: that of an earlier one with the same source, or the next.
    fn number(&mut self, place: String) -> Option<u16> {
        let known = self.places.iter().position(|p| *p == place);
        let n = known.unwrap_or_else(|| {
            self.places.push(place);
            self.places.len() - 1
        });
        self.first.checked_add(u16::try_from(n).ok()?)
    }

    /// The name for a number, and the source of its handle.
    fn name(&self, n: u16, state: &str, handle: &str) -> (String, String) {
        let at = n.checked_sub(self.first);
        match at.and_then(|i| Some((i, self.places.get(usize::from(i))?))) {
            Some((i, place)) => (format!("{handle}{i}"), place.clone()),
            None => (format!("{state}{n}"), String::new()),
        }
    }
}

/// Assigns numbers to textures and samplers that are named by handles, and lists all. Handles with the same source
/// (constants, uniforms, memory that the program reads by address) are one texture for the whole run.
///
/// # Errors
/// `translate-bindless` for a handle that depends on anything else, `translate-texture` if one is used for two
/// purposes.
pub(super) fn resolve(func: &mut Func) -> Result<(Vec<Texture>, Vec<SamplerSlot>), Vec<Diagnostic>> {
    forget(func);
    let mut all = core::mem::take(&mut func.nodes.textures);
    let mut faults = Sink::new(all.len().max(1));
    for t in &mut all {
        if t.towards_zero {
            let text =
                "languages do not define how a store to an image rounds, and this store rounds towards zero";
            faults.push(Diagnostic::error("translate-texture", text));
        }
        match t.texture {
            TextureRef::Numbered(v) => match func.nodes.op(v) {
                Op::Const(n) => t.texture = TextureRef::Unit(n as u16),
                _ => {
                    let text = "which texture is used is only known at run time";
                    faults.push(Diagnostic::error("translate-bindless", text));
                }
            },
            TextureRef::Handle(v) => {
                t.texture = states::bound(&func.nodes, v).map_or(t.texture, TextureRef::Unit);
            }
            TextureRef::Unit(_) => {}
        }
        if let SamplerRef::Handle(v) = t.sampler {
            t.sampler = states::bound(&func.nodes, v).map_or(t.sampler, SamplerRef::Unit);
        }
    }
    let states = all.iter().filter_map(|t| match t.sampler {
        SamplerRef::Unit(n) => Some(n),
        _ => None,
    });
    let mut samplers = Handles::behind(states, HANDLES[1]);
    let states = all.iter().filter_map(TexOp::unit).filter(|n| *n < TILE);
    let mut textures = Handles::behind(states, HANDLES[0]);
    for t in &mut all {
        let mut number = |v: Value, of: &mut Handles, kind: &str| {
            let found = place(&func.nodes, v, &mut LONGEST.clone());
            let n = found.and_then(|p| of.number(format!("{kind}{p}")));
            if n.is_none() {
                let text = "which texture or sampler is used is only known at run time";
                faults.push(Diagnostic::error("translate-bindless", text));
            }
            n.unwrap_or(0)
        };
        if let TextureRef::Handle(v) = t.texture {
            t.texture = TextureRef::Unit(number(v, &mut textures, ""));
        }
        if let SamplerRef::Handle(v) = t.sampler {
            // Programs load a sampler from an address, or else name it by its number in a heap.
            let kind = if func.nodes.ty(v).scalar == Scalar::I64 { "address " } else { "" };
            t.sampler = SamplerRef::Unit(number(v, &mut samplers, kind));
        }
    }
    let tile = textures.first.saturating_add(textures.places.len() as u16);
    for t in &mut all {
        if let Some(n) = t.unit().and_then(|unit| unit.checked_sub(TILE)) {
            t.texture = TextureRef::Unit(tile.saturating_add(n));
        }
    }
    if faults.errors() == 0 {
        let (listed, slots) =
            (list(func, &all, (&textures, tile), &mut faults), slots(&all, &samplers, &mut faults));
        if faults.errors() == 0 {
            func.nodes.textures = all;
            return Ok((listed, slots));
        }
    }
    Err(faults.finish())
}

/// Removes operations that no block has.
fn forget(func: &mut Func) {
    let mut kept = Vec::new();
    for v in func.blocks.iter().flat_map(|b| &b.body) {
        if let Op::Texture(n) | Op::TextureStore(n) | Op::TextureAtomic(n) =
            &mut func.nodes.list[v.index()].op
            && let Some(t) = func.nodes.textures.get(*n as usize)
        {
            kept.push(*t);
            *n = kept.len() as u32 - 1;
        }
    }
    func.nodes.textures = kept;
}

/// A description of a value's computation, if it is the same in all lanes and at all times.
fn place(nodes: &Nodes, v: Value, left: &mut usize) -> Option<String> {
    *left = left.checked_sub(1)?;
    let ty = nodes.ty(v);
    let mut part = |v| place(nodes, v, left);
    Some(match nodes.op(v) {
        Op::Const(n) => format!("{n:#x}"),
        Op::Read { reg, swizzle } if reg.file == UNIFORMS => uniform(reg, swizzle, ty),
        Op::Load { space: Space::Global, address } => format!("{ty} at [{}]", part(address)?),
        Op::Unary { op, a, .. } => format!("{op:?}({})", part(a)?),
        Op::Binary { op, a, b, .. } => format!("{op:?}({}, {})", part(a)?, part(b)?),
        Op::Ternary { op, a, b, c, .. } => format!("{op:?}({}, {}, {})", part(a)?, part(b)?, part(c)?),
        Op::Convert { op: Convert::ZeroExtend, a, .. } => part(a)?,
        Op::Convert { op, a, .. } => format!("{op:?}({})", part(a)?),
        Op::Swizzle { a, swizzle } => {
            let components: String =
                (0..ty.count).map(|i| b"xyzw"[usize::from(swizzle.get(i))] as char).collect();
            format!("({}).{components}", part(a)?)
        }
        Op::Join { parts } => {
            let mut text = String::new();
            for p in parts.iter().take(usize::from(ty.count)) {
                text.push_str(if text.is_empty() { "(" } else { ", " });
                text.push_str(&part(*p)?);
            }
            text + ")"
        }
        _ => return None,
    })
}

/// A uniform in the spelling of listings; for several the first, with their type.
fn uniform(reg: Reg, swizzle: Swizzle, ty: Type) -> String {
    let units = u16::from(ty.scalar.bits()).div_ceil(16);
    let unit = reg.unit + u16::from(swizzle.get(0)) * units;
    match (ty.scalar, ty.count) {
        (Scalar::I16, 1) => half_name(unit),
        (Scalar::I32, 1) if unit.is_multiple_of(2) => format!("u{}", unit / 2),
        (Scalar::I64, 1) if unit.is_multiple_of(2) => format!("u{}_u{}", unit / 2, unit / 2 + 1),
        _ => format!("{ty} from {} {swizzle:?}", half_name(unit)),
    }
}

/// The name of a half of the uniforms.
pub(super) fn half_name(unit: u16) -> String {
    format!("u{}{}", unit / 2, if unit.is_multiple_of(2) { "l" } else { "h" })
}

/// The textures; from number `tile` on they hold what was drawn before.
fn list(func: &Func, all: &[TexOp], (handles, tile): (&Handles, u16), faults: &mut Sink) -> Vec<Texture> {
    let mut list: Vec<Texture> = Vec::new();
    let mut texels = alloc::vec![Scalar::F32; all.len()];
    for node in &func.nodes.list {
        if let Op::Texture(n) = node.op {
            texels[n as usize] = node.ty.scalar;
        }
    }
    for (t, texels) in all.iter().zip(texels) {
        let Some(unit) = t.unit() else { continue };
        let access = match (t.kind, t.compare) {
            (TexKind::Store(_), _) => TextureAccess::Written,
            (_, Some(_)) => TextureAccess::Compared,
            _ => TextureAccess::Read,
        };
        let (name, handle) = match unit.checked_sub(tile) {
            Some(n) => (format!("tile{n}"), String::new()),
            None => handles.name(unit, "ts", "texture"),
        };
        match list.iter().find(|known| known.unit == unit) {
            None => list.push(Texture { access, texels, handle, ..Texture::new(name, unit, t.shape) }),
            Some(known) if known.shape != t.shape => {
                let text =
                    format!("{name} is of shape {} and of shape {}", known.shape.name(), t.shape.name());
                faults.push(Diagnostic::error("translate-texture", text));
            }
            Some(known) if known.access != access => {
                let mut ways = [known.access, access];
                ways.sort_unstable();
                let text = match ways {
                    [_, TextureAccess::Written] => format!("{name} is read and written"),
                    _ => format!("{name} is read with comparisons and without"),
                };
                faults.push(Diagnostic::error("translate-texture", text));
            }
            Some(_) => {}
        }
    }
    list.sort_by_key(|t| t.unit);
    list
}

fn slots(all: &[TexOp], handles: &Handles, faults: &mut Sink) -> Vec<SamplerSlot> {
    let mut list: Vec<SamplerSlot> = Vec::new();
    for t in all {
        let SamplerRef::Unit(unit) = t.sampler else { continue };
        let (name, handle) = handles.name(unit, "ss", "sampler");
        let comparison = t.compare.is_some();
        match list.iter().find(|known| known.unit == unit) {
            None => list.push(SamplerSlot { name: name.into(), unit, comparison, handle }),
            Some(known) if known.comparison != comparison => {
                let text = format!("{name} is used with comparisons and without");
                faults.push(Diagnostic::error("translate-texture", text));
            }
            Some(_) => {}
        }
    }
    list.sort_by_key(|s| s.unit);
    list
}
