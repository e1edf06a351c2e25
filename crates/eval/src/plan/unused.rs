//! Removal of operations whose results nothing reads, such as unused high halves.

use super::planes::PlaneId;
use super::planner::Planner;

impl Planner<'_> {
    /// Removes unused operations from the step whose operations begin at `start`.
    pub(super) fn remove_unused(&mut self, start: usize, control: [Option<PlaneId>; 2]) {
        let scratch = self.layout.end() as usize;
        let used = &mut self.used;
        used.clear();
        used.resize(self.next as usize - scratch, false);
        // Constants and registers are below scratch and need no mark.
        let slot = |plane: usize| plane.checked_sub(scratch);
        let mark = |used: &mut Vec<bool>, plane: PlaneId| {
            if let Some(used) = slot(plane.index()).and_then(|i| used.get_mut(i)) {
                *used = true;
            }
        };
        for plane in control.into_iter().flatten() {
            mark(used, plane);
        }
        // From the last operation on, operations that are needed move to the end, next to those after them.
        let mut needed = self.ops.len();
        for i in (start..self.ops.len()).rev() {
            let op = &self.ops[i];
            if let Some(computed) = op.computes() {
                let first = computed.first.index();
                let read = |plane| slot(plane).is_none_or(|i| used.get(i) == Some(&true));
                if !(first..first + computed.count()).any(read) {
                    continue;
                }
            }
            op.sources(&self.samples, |plane| mark(used, plane));
            needed -= 1;
            self.ops.swap(i, needed);
        }
        self.ops.drain(start..needed);
    }
}
