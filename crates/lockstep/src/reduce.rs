//! Removes the instructions that a difference does not need.

use crate::compare::{Found, Pair, Ran};
use crate::observed::Observe;
use crate::path::Path;
use crate::search::Shown;
use crate::slice::Slice;
use shisa_diag::Diagnostic;
use shisa_eval::Program;

/// A reduction in progress. A slice has at most [`crate::WINDOW`] steps, which bounds the number of trials.
pub(crate) struct Reduction<'r> {
    pub(crate) program: &'r Program<'static>,
    pub(crate) path: &'r Path,
    pub(crate) pair: &'r Pair<'r>,
    pub(crate) observe: Observe,
    /// The step whose value differs.
    pub(crate) position: usize,
}

impl Reduction<'_> {
    /// The steps before the last one that the difference needs, with the values of the smallest slice. Registers that
    /// removed steps wrote have the values of the recording.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub(crate) fn run(&self, shown: &Shown) -> Result<(Vec<usize>, Found), Diagnostic> {
        let before: Vec<usize> = shown.kept.iter().copied().filter(|step| *step < self.position).collect();
        let (mut kept, mut found) = (before.clone(), shown.found);
        // The end of the slice: 0, 1, 3, 7 steps before the last one, and so on.
        let mut count = 0;
        while count < before.len() {
            let end: Vec<usize> = before.iter().copied().skip(before.len() - count).collect();
            if let Some(smaller) = self.differs(&end)? {
                (kept, found) = (end, smaller);
                break;
            }
            count = 2 * count + 1;
        }
        let mut size = kept.len().div_ceil(2);
        while size > 0 {
            let mut first = 0;
            while first < kept.len() {
                let without: Vec<usize> = kept
                    .iter()
                    .enumerate()
                    .filter(|(n, _)| !(first..first + size).contains(n))
                    .map(|(_, s)| *s)
                    .collect();
                match self.differs(&without)? {
                    Some(smaller) => (kept, found) = (without, smaller),
                    None => first += size,
                }
            }
            size /= 2;
        }
        kept.push(self.position);
        Ok((kept, found))
    }

    /// A value of the last step that differs after these steps.
    fn differs(&self, before: &[usize]) -> Result<Option<Found>, Diagnostic> {
        let kept: Vec<usize> = before.iter().copied().chain([self.position]).collect();
        let Some(slice) = Slice::new(self.program, self.path, &kept, self.observe) else { return Ok(None) };
        Ok(match self.pair.run(&slice)? {
            Ran::Differs(found) if found.observed.position == self.position => Some(found),
            _ => None,
        })
    }
}
