//! Removal of operations whose results nothing reads, such as unused high halves.

use super::planes::PlaneId;
use super::planner::Planner;

impl Planner<'_> {
    /// Removes unused operations from the step whose operations begin at `start`.
    pub(super) fn remove_unused(&mut self, start: usize, control: [Option<PlaneId>; 2]) {
        let scratch = self.layout.end() as usize;
        let mut used = vec![false; self.next as usize - scratch];
        // Constants and registers are below scratch and need no mark.
        let slot = |plane: usize| plane.checked_sub(scratch);
        let mark = |used: &mut Vec<bool>, plane: PlaneId| {
            if let Some(used) = slot(plane.index()).and_then(|i| used.get_mut(i)) {
                *used = true;
            }
        };
        for plane in control.into_iter().flatten() {
            mark(&mut used, plane);
        }
        let mut needed = Vec::with_capacity(self.ops.len() - start);
        while self.ops.len() > start
            && let Some(op) = self.ops.pop()
        {
            if let Some(computed) = op.computes() {
                let first = computed.first.index();
                let read = |plane| slot(plane).is_none_or(|i| used.get(i) == Some(&true));
                if !(first..first + computed.count()).any(read) {
                    continue;
                }
            }
            op.sources(&self.samples, |plane| mark(&mut used, plane));
            needed.push(op);
        }
        self.ops.extend(needed.into_iter().rev());
    }
}
