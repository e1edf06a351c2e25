//! Accesses: what a program does outside of the registers of its lanes, and arithmetic on 64-bit values. An instruction has
//! the number of an access, so that instructions stay small.

use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::lanes::Combination;
use shisa_ir::{Atomic, LaneOp, Reg, Scalar, Space, TexKind, TexOp};

/// One to four components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Several<P> {
    parts: [P; 4],
    count: u8,
}

impl<P: Copy> Several<P> {
    /// The first `count` of these components, at least one.
    pub(crate) fn new(parts: [P; 4], count: u8) -> Several<P> {
        Several { parts, count: count.clamp(1, 4) }
    }

    /// The components.
    pub(crate) fn list(&self) -> &[P] {
        &self.parts[..usize::from(self.count)]
    }

    fn map<Q: Copy>(&self, f: &mut dyn FnMut(P) -> Q) -> Several<Q> {
        let first = f(self.parts[0]);
        let mut parts = [first; 4];
        for (to, from) in parts.iter_mut().zip(self.list()).skip(1) {
            *to = f(*from);
        }
        Several { parts, count: self.count }
    }
}

/// Memory that the lanes access.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Located<P> {
    pub(crate) space: Space,
    /// The low and the high 32 bits of the byte address.
    pub(crate) address: [P; 2],
    /// The kind of a component. One of 64 bits is two components here, the low word first.
    pub(crate) kind: Scalar,
}

impl<P: Copy> Located<P> {
    fn map<Q>(&self, f: &mut dyn FnMut(P) -> Q) -> Located<Q> {
        Located { space: self.space, address: self.address.map(f), kind: self.kind }
    }
}

/// What lanes output besides what they have at their end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Emission<P> {
    /// A vertex for a slot ([`shisa_ir::Op::Emit`]). The settings are a word of [`shisa_ir::Emission`].
    Slot { settings: P },
    /// A vertex with a number ([`shisa_ir::Op::EmitVertex`]), where the condition holds.
    Vertex { cond: P, vertex: P, stream: P },
    /// The end of a strip ([`shisa_ir::Op::EndStrip`]), where the condition holds.
    EndStrip { cond: P, vertex: P },
}

impl<P: Copy> Emission<P> {
    fn map<Q>(&self, f: &mut dyn FnMut(P) -> Q) -> Emission<Q> {
        match *self {
            Emission::Slot { settings } => Emission::Slot { settings: f(settings) },
            Emission::Vertex { cond, vertex, stream } => {
                Emission::Vertex { cond: f(cond), vertex: f(vertex), stream: f(stream) }
            }
            Emission::EndStrip { cond, vertex } => Emission::EndStrip { cond: f(cond), vertex: f(vertex) },
        }
    }
}

/// An access. `P` is a component, as in [`crate::instruction::Instruction`].
#[derive(Clone, Debug)]
pub(crate) enum Access<P> {
    /// A read of a texture. Components that an operand lacks are zero.
    Texture { results: Several<P>, op: TexOp<[P; 4]> },
    /// A write of a texel.
    TextureStore { op: TexOp<[P; 4]> },
    /// Reads consecutive components.
    Load { at: Located<P>, results: Several<P> },
    /// Writes consecutive components.
    Store { at: Located<P>, values: Several<P> },
    /// Changes a component, one lane after the other. A component of 64 bits has two results, values and expected values.
    Atomic { at: Located<P>, op: Atomic, results: Several<P>, value: [P; 2], expected: [P; 2] },
    /// An operation between lanes.
    Lane { op: LaneOp, result: P, a: P, b: P },
    /// A combination of lanes.
    Combine { how: Combination, result: P, a: P },
    /// An operation on 64-bit values, lane by lane by its definition. An operand has a low and a high word.
    Wide { op: Arithmetic, results: Several<P>, args: [[P; 2]; 3] },
    /// The result of the wave's latest arrival at a barrier that has one.
    Reduced { result: P },
    /// Outputs a vertex, with the components of output units in order, or ends a strip.
    Emit { emission: Emission<P>, outputs: Box<[(Reg, P)]> },
}

/// The lanes that must run an access together, as they do in the evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Together {
    /// None.
    Alone,
    /// All lanes of each quad.
    Quads,
    /// All lanes of a wave that have not ended.
    Living,
    /// All lanes that a wave can have.
    Whole,
}

impl<P: Copy> Access<P> {
    /// The same access with other components: the results by `result`, the operands by `operand`. It is compiled once
    /// for all callers.
    pub(crate) fn map<Q: Copy>(
        &self,
        result: &mut dyn FnMut(P) -> Q,
        operand: &mut dyn FnMut(P) -> Q,
    ) -> Access<Q> {
        match self {
            Access::Texture { results, op } => {
                let op = op.map(|parts| parts.map(&mut *operand));
                Access::Texture { results: results.map(result), op }
            }
            Access::TextureStore { op } => {
                Access::TextureStore { op: op.map(|parts| parts.map(&mut *operand)) }
            }
            Access::Load { at, results } => {
                let at = at.map(operand);
                Access::Load { at, results: results.map(result) }
            }
            Access::Store { at, values } => {
                let at = at.map(operand);
                Access::Store { at, values: values.map(operand) }
            }
            Access::Atomic { at, op, results, value, expected } => {
                let at = at.map(operand);
                let [value, expected] = [value, expected].map(|words| words.map(&mut *operand));
                Access::Atomic { at, op: *op, results: results.map(result), value, expected }
            }
            Access::Lane { op, result: to, a, b } => {
                let [a, b] = [*a, *b].map(operand);
                Access::Lane { op: *op, result: result(*to), a, b }
            }
            Access::Combine { how, result: to, a } => {
                let a = operand(*a);
                Access::Combine { how: *how, result: result(*to), a }
            }
            Access::Wide { op, results, args } => {
                let args = args.map(|words| words.map(&mut *operand));
                Access::Wide { op: *op, results: results.map(result), args }
            }
            Access::Reduced { result: to } => Access::Reduced { result: result(*to) },
            Access::Emit { emission, outputs } => {
                let emission = emission.map(operand);
                let outputs = outputs.iter().map(|(reg, part)| (*reg, operand(*part))).collect();
                Access::Emit { emission, outputs }
            }
        }
    }

    /// Whether it has an effect other than its results.
    pub(crate) fn has_effect(&self) -> bool {
        self.changes_environment() || self.emits()
    }

    /// Whether it changes memory or textures.
    pub(crate) fn changes_environment(&self) -> bool {
        matches!(self, Access::TextureStore { .. } | Access::Store { .. } | Access::Atomic { .. })
    }

    /// Whether it outputs a vertex, or ends a strip.
    pub(crate) fn emits(&self) -> bool {
        matches!(self, Access::Emit { .. })
    }

    /// Whether it needs the environment of a run.
    pub(crate) fn uses_environment(&self) -> bool {
        !matches!(
            self,
            Access::Lane { .. } | Access::Combine { .. } | Access::Wide { .. } | Access::Reduced { .. }
        )
    }

    /// The lanes that must run it together. A sample without a filter between levels reads level 0, and without
    /// anisotropy reads it at one position.
    pub(crate) fn together(&self) -> Together {
        match self {
            Access::Texture { op, .. } => {
                let sampler = op.sampler.state();
                let is_fixed = sampler.is_some_and(|s| s.mip.is_none() && s.anisotropy <= 1);
                match op.is_convergent() && !(is_fixed && matches!(op.kind, TexKind::Sample)) {
                    true => Together::Quads,
                    false => Together::Alone,
                }
            }
            Access::Lane { op: LaneOp::Fetch | LaneOp::QuadOr, .. } => Together::Whole,
            Access::Lane { .. } | Access::Combine { .. } => Together::Living,
            _ => Together::Alone,
        }
    }
}
