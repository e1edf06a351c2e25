//! What surrounds the lanes of a run: textures and memory, which its caller provides.

use crate::memory::{Chunk, LANES, Operand};
use shisa_diag::Diagnostic;
use shisa_ir::scalar::lanes::Words;
use shisa_ir::{Emission, Lanes, Reg, Space, TexOp, TextureRef, WAVE};

/// Chunks of a wave.
pub(crate) const HALVES: usize = WAVE / LANES;

/// One component of a wave: lanes 0 to 15, then 16 to 31.
pub type Wave<'a> = [&'a [u32; LANES]; HALVES];

/// An operation on a texture by lanes of a wave of 32.
#[derive(Debug)]
pub struct Sample<'a> {
    /// The operation. Each operand has four components, of which those that the operand lacks are zero. A 64-bit handle has
    /// two components, the low and the high 32 bits.
    pub op: TexOp<[Wave<'a>; 4]>,
    /// Whether lanes 4k to 4k + 3 are a quad. If not, lanes have no neighbours.
    pub quads: bool,
    /// The lanes whose result is used, or that write. If the operation uses differences between the lanes of a quad, each
    /// quad has all or none of its lanes here; other lanes have any coordinates.
    pub lanes: Lanes,
}

/// An access to memory by lanes of a wave of 32.
#[derive(Debug)]
pub struct MemoryAccess<'a> {
    /// The memory space.
    pub space: Space,
    /// The lanes that access it. Other lanes have any address.
    pub lanes: Lanes,
    /// Low and high 32 bits of the byte address.
    pub address: [&'a Words; 2],
    /// Size of a component in bytes: 1, 2, 4 or 8. The address of a component is where the one before it ends.
    pub bytes: usize,
}

/// Lanes of a wave of 32 that output a vertex, or end a strip.
pub struct Emitting<'a> {
    /// The number of the wave's first lane in the run.
    pub first: usize,
    /// The lanes. No lane depends on what another one outputs, so waves of a run come here in any order; the vertices of a
    /// lane are in the order of the program.
    pub lanes: Lanes,
    pub(crate) outputs: &'a [(Reg, Operand)],
    pub(crate) chunks: &'a [Chunk],
    /// The first chunk of the wave in a slab.
    pub(crate) chunk: usize,
}

impl Emitting<'_> {
    /// As many units of the outputs of a lane from one on as `bits` has; those that the program does not write are zero.
    pub fn outputs(&self, first: Reg, lane: usize, bits: &mut [u32]) {
        bits.fill(0);
        let from = self.outputs.partition_point(|(reg, _)| *reg < first);
        for (reg, operand) in self.outputs.iter().skip(from).take_while(|(reg, _)| reg.file == first.file) {
            let chunk = self.chunks.get(operand.chunk(self.chunk + lane / LANES));
            match (bits.get_mut(usize::from(reg.unit - first.unit)), chunk) {
                (Some(to), Some(chunk)) => *to = chunk.0[lane % LANES],
                _ => break,
            }
        }
    }
}

/// The surroundings of a run. An error ends the run. What an environment does not override does not exist there.
pub trait Environment {
    /// Reads a texture: the bits of the four components of the result, for the lanes of the read. Other lanes may
    /// have any bits.
    ///
    /// # Errors
    /// If no matching texture exists, or the operation is not supported.
    fn sample(&mut self, read: &Sample<'_>, _texels: &mut [Words; 4]) -> Result<(), Diagnostic> {
        Err(absent(&name(read)))
    }

    /// Writes texels, in ascending order of lanes.
    ///
    /// # Errors
    /// As [`Environment::sample`].
    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        Err(absent(&name(store)))
    }

    /// Reads consecutive components, of which each has a word for each lane, or two words, the low one first, if it has 8
    /// bytes. Other lanes may have any bits.
    ///
    /// # Errors
    /// If there is no memory at the address of a lane.
    fn load(&mut self, access: &MemoryAccess<'_>, _values: &mut [Words]) -> Result<(), Diagnostic> {
        Err(no_memory(access.space))
    }

    /// Writes consecutive components, in ascending order of lanes. They have words as in [`Environment::load`].
    ///
    /// # Errors
    /// If there is no memory at the address of a lane, or it may not be written.
    fn store(&mut self, access: &MemoryAccess<'_>, _values: &[Words]) -> Result<(), Diagnostic> {
        Err(no_memory(access.space))
    }

    /// Reads the bytes of a component for one lane, which an atomic operation changes.
    ///
    /// # Errors
    /// As [`Environment::load`].
    fn load_lane(
        &mut self,
        space: Space,
        _lane: usize,
        _address: u64,
        _bytes: &mut [u8],
    ) -> Result<(), Diagnostic> {
        Err(no_memory(space))
    }

    /// Writes the bytes of a component for one lane.
    ///
    /// # Errors
    /// As [`Environment::store`].
    fn store_lane(
        &mut self,
        space: Space,
        _lane: usize,
        _address: u64,
        _bytes: &[u8],
    ) -> Result<(), Diagnostic> {
        Err(no_memory(space))
    }

    /// Receives the outputs of lanes as vertices with these settings, one for each lane of the wave.
    ///
    /// # Errors
    /// If the environment does not accept vertices.
    fn emit(&mut self, _lanes: &Emitting<'_>, _settings: &[Emission; WAVE]) -> Result<(), Diagnostic> {
        Err(absent(ASSEMBLER))
    }

    /// Receives the outputs of lanes as their output vertices of a number, for a stream.
    ///
    /// # Errors
    /// As [`Environment::emit`].
    fn emit_vertex(
        &mut self,
        _lanes: &Emitting<'_>,
        _vertex: &Words,
        _stream: &Words,
    ) -> Result<(), Diagnostic> {
        Err(absent(ASSEMBLER))
    }

    /// Ends the strips of lanes before their output vertices of a number.
    ///
    /// # Errors
    /// As [`Environment::emit`].
    fn end_strip(&mut self, _lanes: &Emitting<'_>, _vertex: &Words) -> Result<(), Diagnostic> {
        Err(absent(ASSEMBLER))
    }
}

/// What receives vertices, for messages.
const ASSEMBLER: &str = "a primitive assembler";

/// Neither textures nor memory, and nothing that takes vertices.
pub(crate) struct NoEnvironment;

impl Environment for NoEnvironment {}

fn name(sample: &Sample<'_>) -> String {
    match sample.op.texture {
        TextureRef::Unit(n) => format!("texture {n}"),
        TextureRef::Numbered(_) | TextureRef::Handle(_) => "a texture with a computed number".into(),
    }
}

fn no_memory(space: Space) -> Diagnostic {
    absent(&format!("{space:?} memory"))
}

fn absent(what: &str) -> Diagnostic {
    let text = format!("the program uses {what}, which the run does not have");
    Diagnostic::error("exec-environment", text).help("use `Runner::run_with`")
}
