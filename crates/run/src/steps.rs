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

#[cfg(test)]
mod tests {
    use super::Steps;
    use crate::sink::{LatestSteps, NoTrace};
    use crate::step::{TraceStep, TraceWrite};

    #[test]
    fn steps_are_received_when_they_are_complete() {
        let mut latest = LatestSteps::new(9);
        let mut steps = Steps::new(&mut latest);
        assert!(steps.needed && steps.current().is_none());
        // Without a step a write belongs to none.
        steps.write("vt0.x".into(), [0].into_iter(), &[1], &[2]);
        steps.begin(TraceStep { instruction: 4, ..TraceStep::default() });
        steps.write("vt0.y".into(), [0, 2, 9].into_iter(), &[1, 2, 3], &[4, 5, 6]);
        steps.begin(TraceStep::default());
        steps.current().unwrap().instruction = 7;
        drop(steps);
        let all = latest.take(None);
        assert_eq!(all.iter().map(|s| s.instruction).collect::<Vec<_>>(), [4, 7]);
        let write = TraceWrite { register: "vt0.y".into(), old: vec![1, 3], values: vec![4, 6] };
        assert_eq!((&*all[0].writes, &*all[1].writes), (&[write][..], &[][..]));
        assert!(!Steps::new(&mut NoTrace).needed);
    }
}
