//! Cross-lane operations.

use super::executor::Executor;
use crate::barriers::Arrived;
use crate::plan::planes::PlaneId;
use crate::wave::each;
use shisa_diag::Diagnostic;
use shisa_ir::{Arrival, Axis};

/// The lane whose value a derivative uses for `lane`: the second or the first of the two lanes that it is taken
/// between.
pub(super) fn neighbour(axis: Axis, second: bool, lane: usize) -> usize {
    let bit = match axis {
        Axis::X => 1,
        Axis::Y => 2,
    };
    if second { lane | bit } else { lane & !bit }
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
        Arrived::numbered(number, threads, how, lanes, votes)
    }
}
