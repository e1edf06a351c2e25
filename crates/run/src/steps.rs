//! Steps under construction, from what an engine reports.

use crate::sink::TraceSink;
use crate::step::{TraceStep, TraceWrite};

/// The step under construction, and the receiver of complete ones.
pub struct Steps<'t> {
    sink: &'t mut dyn TraceSink,
    /// Whether the receiver needs steps.
    pub needed: bool,
    current: Option<TraceStep>,
}

impl<'t> Steps<'t> {
    /// Without a step, for a receiver.
    pub fn new(sink: &'t mut dyn TraceSink) -> Self {
        Steps { needed: sink.needs_steps(), sink, current: None }
    }

    /// Completes the step under construction, and begins another.
    pub fn begin(&mut self, step: TraceStep) {
        self.complete();
        self.current = Some(step);
    }

    /// The step under construction.
    pub fn current(&mut self) -> Option<&mut TraceStep> {
        self.current.as_mut()
    }

    /// Adds a write of these lanes of the wave to the step; `old` and `new` have a value for each lane of the wave.
    pub fn write(
        &mut self,
        register: String,
        lanes: impl Iterator<Item = usize> + Clone,
        old: &[u32],
        new: &[u32],
    ) {
        let Some(step) = &mut self.current else { return };
        let of = |plane: &[u32]| lanes.clone().filter_map(|lane| plane.get(lane).copied()).collect();
        step.writes.push(TraceWrite { register, old: of(old), values: of(new) });
    }

    fn complete(&mut self) {
        if let Some(step) = self.current.take() {
            self.sink.step(step);
        }
    }
}

/// A run that fails leaves its last step complete, too.
impl Drop for Steps<'_> {
    fn drop(&mut self) {
        self.complete();
    }
}
