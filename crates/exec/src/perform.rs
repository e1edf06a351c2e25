//! Runs accesses, wave by wave.

use crate::access::{Access, Emission, Located, Several};
use crate::environment::{Emitting, Environment, HALVES, MemoryAccess, Sample, Wave};
use crate::memory::{Chunk, LANES, Lanes, Operand, Slabs};
use shisa_diag::Diagnostic;
use shisa_ir::scalar::lanes::{Words, combine, exchange, votes};
use shisa_ir::scalar::stored;
use shisa_ir::{Atomic, FloatModel, Reg, Scalar, WAVE};

/// The lanes that run an access, and what they see.
#[derive(Clone, Copy)]
pub(crate) struct Situation<'a> {
    /// The lanes that run it.
    pub(crate) set: Lanes,
    /// The lanes that were killed, which have no effects.
    pub(crate) killed: Lanes,
    /// Whether lanes are quads.
    pub(crate) quads: bool,
    pub(crate) model: FloatModel,
    /// The result of the latest arrival at a barrier that has one.
    pub(crate) reduced: &'a Words,
    /// The number of the slab's first lane in the run.
    pub(crate) lane: usize,
}

/// Runs an access.
pub(crate) fn perform(
    access: &Access<Operand>,
    slabs: &mut Slabs<'_>,
    now: Situation<'_>,
    environment: &mut dyn Environment,
) -> Result<(), Diagnostic> {
    let set = if access.has_effect() { now.set & !now.killed } else { now.set };
    for first in (slabs.first..slabs.end).step_by(HALVES) {
        let lanes = (set >> (first * LANES)) as shisa_ir::Lanes;
        if lanes != 0 {
            OfWave { chunks: slabs.chunks, first, lanes, now }.perform(access, environment)?;
        }
    }
    Ok(())
}

/// A wave of a slab. A slab has whole waves, so both halves exist even if lanes of the second are not in use.
struct OfWave<'a> {
    chunks: &'a mut [Chunk],
    /// Its first chunk.
    first: usize,
    lanes: shisa_ir::Lanes,
    now: Situation<'a>,
}

impl OfWave<'_> {
    fn perform(
        &mut self,
        access: &Access<Operand>,
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        match access {
            Access::Texture { results, op } => {
                let mut texels = [[0; WAVE]; 4];
                let op = op.map(|parts| parts.map(|part| self.halves(part)));
                environment.sample(&Sample { op, quads: self.now.quads, lanes: self.lanes }, &mut texels)?;
                self.set_all(results, &texels);
            }
            Access::TextureStore { op } => {
                let op = op.map(|parts| parts.map(|part| self.halves(part)));
                environment.store_texel(&Sample { op, quads: self.now.quads, lanes: self.lanes })?;
            }
            Access::Load { at, results } => {
                let mut values = [[0; WAVE]; 4];
                let count = results.list().len();
                let address = at.address.map(|part| self.words(part));
                environment.load(&self.memory(at, &address, self.lanes), &mut values[..count])?;
                if at.kind == Scalar::I1 {
                    values.as_flattened_mut().iter_mut().for_each(|bits| *bits &= 1);
                }
                self.set_all(results, &values);
            }
            Access::Store { at, values: parts } => {
                let mut values = [[0; WAVE]; 4];
                for (to, part) in values.iter_mut().zip(parts.list()) {
                    *to = self.words(*part);
                }
                let address = at.address.map(|part| self.words(part));
                let count = parts.list().len();
                environment.store(&self.memory(at, &address, self.lanes), &values[..count])?;
            }
            Access::Atomic { at, op, results, value, expected } => {
                let operands = [*value, *expected].map(|words| words.map(|part| self.words(part)));
                let [low, high] = self.atomic(at, *op, &operands, environment)?;
                self.set_all(results, &[low, high, [0; WAVE], [0; WAVE]]);
            }
            Access::Lane { op, result, a, b } => {
                let (mut to, [a, b]) = ([0; WAVE], [*a, *b].map(|part| self.words(part)));
                exchange(*op, self.lanes, &mut to, &a, &b);
                self.set(*result, &to);
            }
            Access::Combine { how, result, a } => {
                let own = self.words(*a);
                let combined = combine(*how, self.now.model, self.lanes, |lane| own[lane].into());
                self.set(*result, &combined.map(|bits| bits as u32));
            }
            Access::Wide { op, results, args } => {
                let args = args.map(|words| words.map(|part| self.words(part)));
                let (mut low, mut high) = ([0; WAVE], [0; WAVE]);
                for lane in (0..WAVE).filter(|lane| self.lanes >> lane & 1 != 0) {
                    let args = args.each_ref().map(|words| wide(words, lane));
                    let bits = op.evaluate(self.now.model, args);
                    (low[lane], high[lane]) = (bits as u32, (bits >> 32) as u32);
                }
                self.set_all(results, &[low, high, [0; WAVE], [0; WAVE]]);
            }
            Access::Reduced { result } => self.set(*result, self.now.reduced),
            Access::Emit { emission, outputs } => self.emit(emission, outputs, environment)?,
        }
        Ok(())
    }

    fn emit(
        &self,
        emission: &Emission<Operand>,
        outputs: &[(Reg, Operand)],
        environment: &mut dyn Environment,
    ) -> Result<(), Diagnostic> {
        let (first, chunk) = (self.now.lane + self.first * LANES, self.first);
        let of = |lanes| Emitting { first, lanes, outputs, chunks: self.chunks, chunk };
        let holds = |cond: Operand| of(self.lanes & votes(&self.words(cond)));
        match *emission {
            Emission::Slot { settings } => {
                environment.emit(&of(self.lanes), &self.words(settings).map(shisa_ir::Emission::of_word))
            }
            Emission::Vertex { cond, vertex, stream } => {
                let (lanes, vertex, stream) = (holds(cond), self.words(vertex), self.words(stream));
                if lanes.lanes == 0 { Ok(()) } else { environment.emit_vertex(&lanes, &vertex, &stream) }
            }
            Emission::EndStrip { cond, vertex } => {
                let (lanes, vertex) = (holds(cond), self.words(vertex));
                if lanes.lanes == 0 { Ok(()) } else { environment.end_strip(&lanes, &vertex) }
            }
        }
    }

    /// Changes a component in memory, one lane after the other. Returns what was there.
    fn atomic(
        &self,
        at: &Located<Operand>,
        op: Atomic,
        operands: &[[Words; 2]; 2],
        environment: &mut dyn Environment,
    ) -> Result<[Words; 2], Diagnostic> {
        let (mut old, address) = ([[0; WAVE]; 2], at.address.map(|part| self.words(part)));
        let bytes = size(at.kind);
        for lane in (0..WAVE).filter(|lane| self.lanes >> lane & 1 != 0) {
            let (address, mut there) = (wide(&address, lane), [0; 8]);
            let operands = operands.each_ref().map(|words| wide(words, lane));
            environment.load_lane(at.space, lane, address, &mut there[..bytes])?;
            let before = u64::from_le_bytes(there);
            (old[0][lane], old[1][lane]) = (before as u32, (before >> 32) as u32);
            let after = stored(op, self.now.model, at.kind, before, operands).to_le_bytes();
            environment.store_lane(at.space, lane, address, &after[..bytes])?;
        }
        Ok(old)
    }

    fn memory<'m>(
        &self,
        at: &Located<Operand>,
        [low, high]: &'m [Words; 2],
        lanes: shisa_ir::Lanes,
    ) -> MemoryAccess<'m> {
        MemoryAccess { space: at.space, lanes, address: [low, high], bytes: size(at.kind) }
    }

    fn halves(&self, operand: Operand) -> Wave<'_> {
        std::array::from_fn(|half| &self.chunks[operand.chunk(self.first + half)].0)
    }

    fn words(&self, operand: Operand) -> Words {
        let mut words = [0; WAVE];
        for (to, half) in words.as_chunks_mut::<LANES>().0.iter_mut().zip(self.halves(operand)) {
            *to = *half;
        }
        words
    }

    /// Sets a component in the lanes that run; one that is uniform has the value of the first lane.
    fn set(&mut self, result: Operand, words: &Words) {
        if result.is_uniform() {
            self.chunks[result.chunk(0)] = Chunk::splat(words[0]);
            return;
        }
        for (half, bits) in words.as_chunks::<LANES>().0.iter().enumerate() {
            let to = &mut self.chunks[result.chunk(self.first + half)].0;
            match (self.lanes >> (half * LANES)) as u16 {
                0 => {}
                u16::MAX => *to = *bits,
                lanes => {
                    for (lane, (to, bits)) in to.iter_mut().zip(bits).enumerate() {
                        let mask = 0u32.wrapping_sub(u32::from(lanes >> lane & 1));
                        *to = bits & mask | *to & !mask;
                    }
                }
            }
        }
    }

    fn set_all(&mut self, results: &Several<Operand>, values: &[Words; 4]) {
        results.list().iter().zip(values).for_each(|(result, words)| self.set(*result, words));
    }
}

/// The 64-bit value of a lane, from its low and high words.
fn wide([low, high]: &[Words; 2], lane: usize) -> u64 {
    u64::from(low[lane]) | u64::from(high[lane]) << 32
}

/// Size of a component in memory, in bytes.
fn size(kind: Scalar) -> usize {
    usize::from(kind.bits()).div_ceil(8)
}
