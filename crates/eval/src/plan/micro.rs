//! The operations that a program is planned into: operations on whole planes.

use super::planes::{PlaneId, RegisterId, RegisterSpan, ScratchId, Wide};
use crate::loops::Loop;
use shisa_ir::scalar::Arithmetic;
use shisa_ir::scalar::lanes::Combination;
use shisa_ir::{Arrival, Atomic, Axis, Emission, FloatRule, LaneOp, Scalar, Space, TexOp};

/// One operation over all lanes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Micro {
    /// A loop over planes of 32-bit words.
    Loop { run: Loop, dst: ScratchId, args: [PlaneId; 3] },
    /// Lane by lane through `shisa_ir::scalar`.
    ByLane { op: Arithmetic, dst: Computed, args: [Wide; 3] },
    /// A dot product of binary32 components whose sum is rounded once.
    Dot { rule: FloatRule, dst: ScratchId, count: u8, a: [PlaneId; 4], b: [PlaneId; 4] },
    /// Reads unit `offset + index * stride` of a file; zero outside of the file.
    Gather { dst: ScratchId, file: RegisterSpan, offset: u32, stride: u32, index: PlaneId },
    /// Register write, where lanes are active.
    Write { reg: RegisterId, src: PlaneId },
    /// Writes the low half of each 32-bit word to one 16-bit register, the high half to another.
    WriteHalves { regs: [RegisterId; 2], src: PlaneId },
    /// The value of the second or the first of the two lanes that a derivative is taken between.
    Neighbour { axis: Axis, second: bool, dst: ScratchId, a: PlaneId },
    /// Cross-lane operation.
    Lane { op: LaneOp, dst: Computed, a: Wide, b: PlaneId },
    /// Texture operation: four binary32 planes.
    Texture { dst: ScratchId, sample: SampleId },
    /// Texture operation that writes a texel.
    TextureStore { sample: SampleId },
    /// `count` components of kind `scalar`; a 64-bit component has two planes.
    Load { space: Space, dst: ScratchId, address: Wide, scalar: Scalar, count: u8 },
    /// The first `count` of these components of kind `scalar`.
    Store { space: Space, address: Wide, scalar: Scalar, count: u8, values: [Wide; 4] },
    /// Combines the values of the active lanes, the lowest lane first.
    Combine { how: Combination, dst: Computed, a: Wide },
    /// Changes a component in memory.
    Atomic {
        op: Atomic,
        space: Space,
        address: Wide,
        dst: Computed,
        scalar: Scalar,
        value: Wide,
        expected: Wide,
    },
    /// Only lanes where `cond` holds run the rest of the step.
    Guard { cond: PlaneId },
    /// Lanes where `cond` holds become helpers.
    Kill { cond: PlaneId },
    /// Selects the vertex slot.
    SetEmit(Emission),
    /// Passes the outputs to the environment.
    Emit,
    /// Passes the outputs to the environment as an output vertex, in lanes where `cond` holds.
    EmitVertex { cond: PlaneId, vertex: PlaneId, stream: PlaneId },
    /// Ends the strip before an output vertex, in lanes where `cond` holds.
    EndStrip { cond: PlaneId, vertex: PlaneId },
    /// Ends the step with [`crate::Progress::Barrier`].
    Barrier,
    /// Ends the step with [`crate::Progress::Barrier`], at the barrier that planes number.
    Arrive { how: Arrival, number: PlaneId, threads: PlaneId, vote: PlaneId },
    /// The result of the latest reduction at a barrier.
    Reduced { dst: ScratchId },
}

/// The planes of a computed component: two if it has 64 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Computed {
    pub(crate) first: ScratchId,
    pub(crate) wide: bool,
}

impl Computed {
    /// Number of planes.
    pub(crate) fn count(self) -> usize {
        1 + usize::from(self.wide)
    }
}

/// Index into [`crate::Program`]'s texture operations. Only the planner makes them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleId(u32);

impl SampleId {
    pub(super) const fn new(number: u32) -> Self {
        SampleId(number)
    }

    pub(crate) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A texture operation on planes: an operand has one plane for each component, or two for a 64-bit handle.
pub(crate) type TexPlan = TexOp<[PlaneId; 4]>;

impl Micro {
    /// Calls `f` with every plane that the operation reads.
    pub(super) fn sources(&self, samples: &[TexPlan], mut f: impl FnMut(PlaneId)) {
        match *self {
            Micro::Loop { run, args, .. } => args.into_iter().take(run.operands()).for_each(f),
            Micro::Write { src, .. } | Micro::WriteHalves { src, .. } => f(src),
            Micro::ByLane { args, .. } => args.into_iter().flatten().for_each(f),
            Micro::Dot { a, b, .. } => a.into_iter().chain(b).for_each(f),
            Micro::Gather { file, index, .. } => {
                file.iter().for_each(|unit| f(unit.into()));
                f(index);
            }
            Micro::Neighbour { a, .. } => f(a),
            Micro::Lane { a, b, .. } => [a[0], a[1], b].into_iter().for_each(f),
            Micro::Texture { sample, .. } | Micro::TextureStore { sample } => {
                if let Some(sample) = samples.get(sample.index()) {
                    sample.map(|planes| planes.iter().for_each(|p| f(*p)));
                }
            }
            Micro::Load { address, .. } => address.into_iter().for_each(f),
            Micro::Store { address, count, values, .. } => {
                let values = values.into_iter().take(count.into()).flatten();
                address.into_iter().chain(values).for_each(f);
            }
            Micro::Combine { a, .. } => a.into_iter().for_each(f),
            Micro::Atomic { address, value, expected, .. } => {
                address.into_iter().chain(value).chain(expected).for_each(f);
            }
            Micro::Guard { cond } | Micro::Kill { cond } => f(cond),
            Micro::EmitVertex { cond, vertex, stream } => [cond, vertex, stream].into_iter().for_each(f),
            Micro::EndStrip { cond, vertex } => [cond, vertex].into_iter().for_each(f),
            Micro::Arrive { number, threads, vote, .. } => [number, threads, vote].into_iter().for_each(f),
            Micro::SetEmit(_) | Micro::Emit | Micro::Barrier | Micro::Reduced { .. } => {}
        }
    }

    /// The planes that the operation computes, if computing them is its only effect.
    pub(super) fn computes(&self) -> Option<Computed> {
        match *self {
            Micro::Loop { dst, .. }
            | Micro::Dot { dst, .. }
            | Micro::Gather { dst, .. }
            | Micro::Neighbour { dst, .. }
            | Micro::Reduced { dst } => Some(Computed { first: dst, wide: false }),
            Micro::ByLane { dst, .. } | Micro::Lane { dst, .. } | Micro::Combine { dst, .. } => Some(dst),
            Micro::Texture { .. } | Micro::Load { .. } | Micro::Atomic { .. } => None,
            Micro::Write { .. }
            | Micro::WriteHalves { .. }
            | Micro::TextureStore { .. }
            | Micro::Store { .. }
            | Micro::Guard { .. }
            | Micro::Kill { .. }
            | Micro::SetEmit(_)
            | Micro::Emit
            | Micro::EmitVertex { .. }
            | Micro::EndStrip { .. }
            | Micro::Barrier
            | Micro::Arrive { .. } => None,
        }
    }
}
