//! The textures of the evaluator's environment, for the batch engine.

use shisa_diag::Diagnostic;
use shisa_eval::{Environment, Plane, Sample};
use shisa_exec::{TextureRead, Textures, Wave};
use shisa_ir::{Lifted, TexOp, TextureRef, WAVE};

/// The textures of an environment.
pub(crate) struct Bound<'e, E> {
    environment: &'e mut E,
    /// The operands of a read.
    operands: Vec<Plane>,
    /// Whether a read failed.
    pub(crate) failed: bool,
}

impl<'e, E: Environment> Bound<'e, E> {
    pub(crate) fn new(environment: &'e mut E) -> Bound<'e, E> {
        Bound { environment, operands: Vec::new(), failed: false }
    }

    /// Whether every texture that a program reads by a fixed number exists. The evaluator fails where a lane reads a
    /// texture that does not, even if nothing uses the result, and the batch engine does not run such a read.
    pub(crate) fn has_textures_of(&mut self, lifted: &Lifted) -> bool {
        let reads = lifted.nodes.textures.iter().filter(|op| !op.changes());
        let mut fixed = reads.filter(|op| matches!(op.texture, TextureRef::Unit(_)));
        // A read for no lane only finds the texture.
        fixed.all(|op| {
            let op = op.map(|_| [&Plane::ZERO; 4]);
            let sample = Sample { op, quads: false, lanes: 0 };
            self.environment.sample(&sample, &mut [Plane::ZERO; 4]).is_ok()
        })
    }
}

impl<E: Environment> Textures for Bound<'_, E> {
    fn read(&mut self, read: &TextureRead<'_>, texels: &mut [[u32; WAVE]; 4]) -> Result<(), Diagnostic> {
        let planes = &mut self.operands;
        planes.clear();
        let numbers: TexOp<usize> = read.op.map(|waves| {
            planes.extend(waves.iter().map(plane));
            planes.len() - waves.len()
        });
        let op =
            numbers.try_map(|first| planes.get(*first..).and_then(|p| p.first_chunk()).ok_or_else(missing));
        let op = op?.map(|planes: &&[Plane; 4]| planes.each_ref());
        let mut results = [Plane::ZERO; 4];
        let sample = Sample { op, quads: read.quads, lanes: read.lanes };
        let sampled = self.environment.sample(&sample, &mut results);
        self.failed |= sampled.is_err();
        sampled?;
        *texels = results.map(|plane| plane.0);
        Ok(())
    }
}

fn plane([low, high]: &Wave<'_>) -> Plane {
    let mut plane = Plane::ZERO;
    let (first, second) = plane.0.split_at_mut(low.len());
    first.copy_from_slice(&low[..]);
    second.copy_from_slice(&high[..]);
    plane
}

#[cold]
fn missing() -> Diagnostic {
    Diagnostic::internal("internal-exec", "a read of a texture has an operand without components")
}
