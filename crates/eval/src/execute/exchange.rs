//! Cross-lane operations.

use super::executor::Executor;
use crate::barriers::{Arrived, Quota};
use crate::plan::planes::PlaneId;
use crate::wave::{Plane, each};
use shisa_diag::Diagnostic;
use shisa_ir::{Arrival, Axis, LaneOp, Lanes, WAVE};

/// The lane whose value a derivative uses for `lane`: the second or the first of the two lanes that it is taken
/// between.
pub(super) fn neighbour(axis: Axis, second: bool, lane: usize) -> usize {
    let bit = match axis {
        Axis::X => 1,
        Axis::Y => 2,
    };
    if second { lane | bit } else { lane & !bit }
}

/// Combines the values of the active lanes in ascending order, of the whole wave or of each quad. Each lane gets the
/// result over all of these lanes, or over the lanes before it.
pub(super) fn combine(
    active: Lanes,
    quad: bool,
    before: bool,
    start: u64,
    next: impl Fn(usize, u64) -> u64,
) -> [u64; WAVE] {
    let group = if quad { 4 } else { WAVE };
    let mut out = [0; WAVE];
    for (g, out) in out.chunks_mut(group).enumerate() {
        let mut sum = start;
        for (i, out) in out.iter_mut().enumerate() {
            let lane = g * group + i;
            *out = sum;
            if active >> lane & 1 != 0 {
                sum = next(lane, sum);
            }
        }
        if !before {
            out.fill(sum);
        }
    }
    out
}

/// One 32-bit half of the result of a cross-lane operation, for every lane.
pub(super) fn exchange(op: LaneOp, active: Lanes, dst: &mut Plane, a: &Plane, b: &Plane) {
    let votes = a.lanes() & active;
    match op {
        LaneOp::Any => *dst = Plane::splat((votes != 0).into()),
        LaneOp::All => *dst = Plane::splat((votes == active).into()),
        LaneOp::Ballot => *dst = Plane::splat(votes),
        LaneOp::Shuffle | LaneOp::ShuffleXor | LaneOp::Fetch => {
            let there = if op == LaneOp::Fetch { Lanes::MAX } else { active };
            for (lane, dst) in dst.0.iter_mut().enumerate() {
                let other = b.0[lane] ^ if op == LaneOp::ShuffleXor { lane as u32 } else { 0 };
                *dst = a.0[source(there, lane, other)];
            }
        }
        LaneOp::QuadOr => {
            for (dst, a) in dst.0.chunks_exact_mut(4).zip(a.0.chunks_exact(4)) {
                dst.fill(a.iter().fold(0, |bits, v| bits | v));
            }
        }
    }
}

/// The lane that a shuffle reads: the lane itself if the other lane is not active.
fn source(active: Lanes, lane: usize, other: u32) -> usize {
    let there = other < WAVE as u32 && active >> other & 1 != 0;
    if there { other as usize } else { lane }
}

impl Executor<'_> {
    /// The arrival of the active lanes, at least one, at a numbered barrier.
    ///
    /// # Errors
    /// `eval-barrier` if the lanes do not agree, or if there is no such barrier or number of threads.
    pub(super) fn arrived(
        &self,
        how: Arrival,
        operands: [PlaneId; 2],
        vote: PlaneId,
    ) -> Result<Arrived, Diagnostic> {
        let lanes = self.mask.0;
        let [mut number, mut threads] = [0; 2];
        for (id, to) in operands.into_iter().zip([&mut number, &mut threads]) {
            let plane = self.plane(id)?;
            let mut values = each(lanes).map(|lane| plane.0[lane]);
            *to = values.next().unwrap_or(0);
            if let Some(other) = values.find(|v| v != to) {
                let text = format!("lanes of a wave disagree about a barrier: {to:#x} and {other:#x}");
                return Err(Diagnostic::error("eval-barrier", text));
            }
        }
        let votes = self.plane(vote)?.lanes() & lanes;
        Arrived::numbered(number, Quota::of(threads)?, how, lanes, votes)
    }
}
