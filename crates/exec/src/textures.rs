//! The textures of a run, which its caller provides.

use crate::access::Access;
use crate::memory::{LANES, Lanes, Operand, Slabs};
use shisa_diag::Diagnostic;
use shisa_ir::{TexOp, TextureRef, WAVE};

/// Chunks of a wave.
const HALVES: usize = WAVE / LANES;

/// One component of a wave: lanes 0 to 15, then 16 to 31.
pub type Wave<'a> = [&'a [u32; LANES]; HALVES];

/// A read of a texture by a wave of 32 lanes.
#[derive(Debug)]
pub struct TextureRead<'a> {
    /// The operation. Each operand has four components, of which those that the operand lacks are zero.
    pub op: TexOp<[Wave<'a>; 4]>,
    /// Whether lanes 4k to 4k + 3 are a quad. If not, lanes have no neighbours.
    pub quads: bool,
    /// The lanes whose result is used. If the operation uses differences between the lanes of a quad, each quad has all
    /// or none of its lanes here; other lanes have any coordinates.
    pub lanes: shisa_ir::Lanes,
}

/// The textures of a run.
pub trait Textures {
    /// Reads a texture: the bits of the four components of the result, for the lanes of the read. Other lanes may
    /// have any bits.
    ///
    /// # Errors
    /// If no matching texture exists, or the operation is not supported. The error ends the run.
    fn read(&mut self, read: &TextureRead<'_>, texels: &mut [[u32; WAVE]; 4]) -> Result<(), Diagnostic>;
}

/// No textures.
pub(crate) struct NoTextures;

impl Textures for NoTextures {
    fn read(&mut self, read: &TextureRead<'_>, _: &mut [[u32; WAVE]; 4]) -> Result<(), Diagnostic> {
        let name = match read.op.texture {
            TextureRef::Unit(n) => format!("texture {n}"),
            TextureRef::Numbered(_) | TextureRef::Handle(_) => "a texture with a computed number".into(),
        };
        let text = format!("the program reads {name}, and the run has no textures");
        Err(Diagnostic::error("exec-textures", text).help("use `Runner::run_with`"))
    }
}

/// Runs an access for a set of lanes, wave by wave.
pub(crate) fn read(
    access: &Access<Operand>,
    slabs: &mut Slabs<'_>,
    (set, quads): (Lanes, bool),
    textures: &mut dyn Textures,
) -> Result<(), Diagnostic> {
    let mut texels = [[0; WAVE]; 4];
    for first in (slabs.first..slabs.end).step_by(HALVES) {
        let lanes = (set >> (first * LANES)) as shisa_ir::Lanes;
        if lanes == 0 {
            continue;
        }
        // A slab has whole waves, so both halves exist even if lanes of the second are not in use.
        let wave =
            |o: Operand| -> Wave<'_> { std::array::from_fn(|half| &slabs.chunks[o.chunk(first + half)].0) };
        let op = access.op.map(|parts| parts.map(wave));
        textures.read(&TextureRead { op, quads, lanes }, &mut texels)?;
        for (result, texel) in access.results.iter().zip(&texels) {
            for (half, bits) in texel.as_chunks::<LANES>().0.iter().enumerate() {
                slabs.chunks[result.chunk(first + half)].0 = *bits;
            }
        }
    }
    Ok(())
}
