//! Texture operations: how their level of detail is found, and which of them the languages can express.

use crate::{Form, GlslVersion, Options, Program, SamplerState, Target};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Dim, Lod, Nodes, Op, SamplerRef, SamplerSlot, Scalar, Shape, Stage, TexKind, TexOp, Texture,
    TextureAccess, TextureRef, Type, Value,
};

/// Whether the state of the operation's sampler fixes level 0.
pub(crate) fn is_level_zero(op: &TexOp, options: &Options) -> bool {
    options.sampler_state == SamplerState::Baked && op.sampler.state().is_some_and(|s| s.mip.is_none())
}

/// Whether the level of detail comes from derivatives.
pub(crate) fn implicit(op: &TexOp, options: &Options) -> bool {
    op.is_convergent() && !is_level_zero(op, options)
}

/// Whether the operation takes derivatives across the quad when it runs in the form that the options state.
pub(crate) fn derives(op: &TexOp, program: &Program, options: &Options) -> bool {
    implicit(op, options) && program.interface.stage == Stage::Fragment && options.form == Form::Stage
}

/// The format of an image that a program writes or changes. The code of no family states one: four floats hold what
/// is converted, and integers of the size of a texel hold bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TexelFormat {
    Rgba32Float,
    R8Uint,
    R16Uint,
    R32Uint,
    Rg32Uint,
    Rgba32Uint,
    R64Uint,
}

impl TexelFormat {
    /// The format for an access; `None` for images that are only read.
    pub(crate) fn of(access: TextureAccess) -> Option<TexelFormat> {
        Some(match access {
            TextureAccess::Sampled | TextureAccess::Read | TextureAccess::Compared => return None,
            TextureAccess::Written => TexelFormat::Rgba32Float,
            TextureAccess::Bits(1) => TexelFormat::R8Uint,
            TextureAccess::Bits(2) => TexelFormat::R16Uint,
            TextureAccess::Bits(8) => TexelFormat::Rg32Uint,
            TextureAccess::Bits(16) => TexelFormat::Rgba32Uint,
            TextureAccess::Changed(8) => TexelFormat::R64Uint,
            TextureAccess::Bits(_) | TextureAccess::Changed(_) => TexelFormat::R32Uint,
        })
    }

    /// Its name in WGSL, or the name that WGSL would have for it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            TexelFormat::Rgba32Float => "rgba32float",
            TexelFormat::R8Uint => "r8uint",
            TexelFormat::R16Uint => "r16uint",
            TexelFormat::R32Uint => "r32uint",
            TexelFormat::Rg32Uint => "rg32uint",
            TexelFormat::Rgba32Uint => "rgba32uint",
            TexelFormat::R64Uint => "r64uint",
        }
    }
}

/// Why the texture of an operation is not used.
pub(crate) enum Unlisted {
    /// The interface and the operation do not fit.
    Interface(&'static str),
    /// No language here expresses it.
    Language(&'static str),
}

/// The texture and the sampler of an operation with a result of a type, as the interface lists them. The sampler is
/// `None` if the operation needs none, or uses the texture's own.
///
/// # Errors
/// The mismatch between interface and operation, or what no language expresses.
pub(crate) fn listed<'a>(
    program: &'a Program,
    op: &TexOp,
    result: Type,
) -> Result<(&'a Texture, Option<&'a SamplerSlot>), Unlisted> {
    use Unlisted::{Interface, Language};
    let interface = program.interface;
    let is_it = |t: &&Texture| match op.texture {
        TextureRef::Unit(unit) => t.unit == unit && (op.is_query() || t.shape == op.shape),
        TextureRef::Numbered(_) => t.indexed && t.shape == op.shape && fits(t, op, result),
        TextureRef::Handle(_) => false,
    };
    let Some(texture) = interface.textures.iter().find(is_it) else {
        return Err(Interface("a texture is used that the interface does not name"));
    };
    if op.is_query() {
        return Ok((texture, None));
    }
    let change = TextureAccess::of_change(op.kind, result);
    if change.is_none() && texture.texels != result.scalar {
        return Err(Interface("the texels of a texture are not what the interface says"));
    }
    if change.is_none() && texture.texels != Scalar::F32 && op.kind != TexKind::Fetch {
        return Err(Language("filtering texels that are integers"));
    }
    if change != Some(texture.access).filter(|access| access.is_stored()) {
        return Err(Interface("a texture is not used as the interface says"));
    }
    let own = texture.access == TextureAccess::Sampled;
    let separate = match op.sampler {
        _ if op.is_exact() => None,
        SamplerRef::Texture | SamplerRef::State(_) if own => None,
        SamplerRef::Handle(_) if own && texture.indexed => None,
        SamplerRef::Handle(_) if texture.indexed => Some(texture.unit),
        SamplerRef::Unit(n) => Some(n),
        _ => return Err(Interface("a texture has no sampler")),
    };
    let slot = |number: u16| interface.samplers.iter().find(|s| s.unit == number);
    let sampler = match separate.map(slot) {
        None => None,
        Some(Some(slot)) if slot.comparison == op.compare.is_some() => Some(slot),
        Some(_) => return Err(Interface("a sampler is not used as the interface says")),
    };
    if op.compare.is_some() != (texture.access == TextureAccess::Compared) {
        return Err(Interface("a texture is not compared as the interface says"));
    }
    Ok((texture, sampler))
}

/// Whether an array of textures is the one that an operation with a result of a type chooses from.
fn fits(texture: &Texture, op: &TexOp, result: Type) -> bool {
    let change = TextureAccess::of_change(op.kind, result);
    let compared = texture.access == TextureAccess::Compared;
    match change {
        Some(change) => texture.access == change,
        None if op.is_query() => true,
        None => {
            !texture.access.is_stored() && compared == op.compare.is_some() && texture.texels == result.scalar
        }
    }
}

/// Whether a size query needs the number of levels: to determine whether a level exists, or as its result.
pub(crate) fn asks_levels(program: &Program, op: &TexOp, v: Value) -> bool {
    let nodes = &program.func.nodes;
    if op.kind != TexKind::Size || op.shape.multisampled {
        return false;
    }
    nodes.op(op.coord) != Op::Const(0) || uses_levels(program, v)
}

/// Whether anything but the first three components of a size is used.
pub(crate) fn uses_levels(program: &Program, v: Value) -> bool {
    let nodes = &program.func.nodes;
    program.func.blocks.iter().flat_map(|b| &b.body).any(|&user| {
        let mut takes = false;
        nodes.operands(user, |o| takes |= o == v);
        takes
            && match nodes.op(user) {
                Op::Swizzle { swizzle, .. } => swizzle.sources(nodes.ty(user).count).has(3),
                _ => true,
            }
    })
}

/// The texel offsets, if they are constants in the range that languages accept.
pub(crate) fn offset(nodes: &Nodes, op: &TexOp) -> Option<[i32; 3]> {
    let offset = op.offset?;
    let count = op.shape.dim.coordinates();
    let mut all = [0; 3];
    for (i, slot) in (0..count).zip(&mut all) {
        *slot = component(nodes, offset, i, 8)?;
    }
    all.iter().all(|n| (-8..8).contains(n)).then_some(all)
}

fn component(nodes: &Nodes, v: Value, i: u8, depth: u8) -> Option<i32> {
    let depth = depth.checked_sub(1)?;
    match nodes.op(v) {
        Op::Const(n) => Some(n as u32 as i32),
        Op::Join { parts } => component(nodes, *parts.get(usize::from(i))?, 0, depth),
        Op::Swizzle { a, swizzle } => component(nodes, a, swizzle.get(i), depth),
        _ => None,
    }
}

/// The level of detail; a constant 0 becomes [`Lod::Zero`].
pub(crate) fn level(nodes: &Nodes, op: &TexOp) -> Lod {
    match op.lod {
        Lod::Level(v) if nodes.op(v) == Op::Const(0) => Lod::Zero,
        lod => lod,
    }
}

/// The property of an operation that no language can express.
pub(crate) fn refused(nodes: &Nodes, op: &TexOp) -> Option<&'static str> {
    if op.kind == TexKind::Location {
        return Some("the location of a texel");
    }
    if op.offset.is_some() && offset(nodes, op).is_none() {
        return Some("an offset that is not a constant from -8 to 7");
    }
    if op.changes() && (level(nodes, op) != Lod::Zero || op.shape.multisampled) {
        return Some("writing a texel of another level than 0, or one of several samples,");
    }
    let flat = matches!(op.shape.dim, Dim::D2 | Dim::Cube);
    (matches!(op.kind, TexKind::Gather(_)) && !flat).then_some("a gather from a texture that is not flat")
}

/// Refuses operations that a text language cannot express.
pub(crate) fn check_text(
    program: &Program,
    (v, op): (Value, &TexOp),
    (target, form): (Target, Form),
    derives: bool,
) -> Result<(), Diagnostic> {
    let nodes = &program.func.nodes;
    let lod = level(nodes, op);
    let at_zero = lod == Lod::Zero || !derives;
    let Shape { dim, arrayed, multisampled } = op.shape;
    let filters = !op.is_exact();
    let wgsl = target == Target::Wgsl;
    let es = matches!(target, Target::Glsl(GlslVersion::Es300 | GlslVersion::Es310));
    let before430 = es || target == Target::Glsl(GlslVersion::Core330);
    if matches!(op.texture, TextureRef::Numbered(_)) {
        let text =
            format!("{} cannot express which texture is used: that is only known at run time", target.name());
        return Err(Diagnostic::error("translate-bindless", text).help("SPIR-V can: translate to `spirv`"));
    }
    let fault = match op.kind {
        _ if refused(nodes, op).is_some() => refused(nodes, op),
        TexKind::Detail => Some("asking for a level of detail"),
        TexKind::Atomic { .. } if wgsl => Some("an atomic operation on a texel"),
        TexKind::Atomic { .. } if dim == Dim::Cube => Some("an atomic operation on a texel of a cube"),
        TexKind::Bits { bytes: 1 | 2, .. } if wgsl || es => Some("writing a texel of one byte or two"),
        TexKind::Bits { bytes: 8, .. } if es => Some("writing a texel of eight bytes"),
        TexKind::Size | TexKind::Samples if before430 && asks_levels(program, op, v) => {
            Some("asking for the number of levels of a texture")
        }
        TexKind::Size | TexKind::Samples => None,
        _ if op.least.is_some() => Some("a least level of detail"),
        _ if op.compare.is_some() && !at_zero && lod != Lod::Implicit => {
            Some("a comparison at a level of detail that is neither 0 nor computed")
        }
        _ if arrayed && multisampled && (wgsl || es) => Some("a texture with layers and samples"),
        _ if arrayed && dim == Dim::D1 && (wgsl || es) => Some("a texture of one dimension with layers"),
        _ if dim == Dim::D1 && wgsl && filters && (op.offset.is_some() || !matches!(lod, Lod::Implicit)) => {
            Some("a sample of one dimension at a given level or offset")
        }
        _ if op.changes()
            && crate::interface::outputs_vertex(program.interface.stage)
            && form == Form::Stage =>
        {
            Some("writing texels in a vertex program")
        }
        _ => None,
    };
    fault.map_or(Ok(()), |what| Err(cannot(what, target.name())))
}

/// The error for an operation that a language cannot express.
pub(crate) fn cannot(what: &str, language: &str) -> Diagnostic {
    Diagnostic::error("translate-texture", format!("{what} cannot be expressed in {language}"))
}
