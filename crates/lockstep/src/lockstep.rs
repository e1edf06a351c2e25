//! Engines compared on a recorded run.

use crate::compare::{Pair, first_output};
use crate::difference::{Compared, Difference, Located, Output, Reduced, Slot, Verdict};
use crate::engine::Engine;
use crate::observed::Observed;
use crate::path::{Path, Shape, groups};
use crate::reduce::Reduction;
use crate::search::{Search, Shown};
use crate::slice::Slice;
use shisa_debug::{Recorded, Session, Time};
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::{Invocation, Results};
use shisa_ir::{At, print_lifted};

/// Compares engines with the first one on a recorded run, each up to its first difference. With `values`, or if only the
/// evaluator repeats the run as a whole, the values of all instructions are compared, too.
///
/// # Errors
/// The error of the reference if it does not run the program; `internal-…` for a fault of shisa.
pub fn lockstep(
    session: &Session,
    engines: &[&dyn Engine],
    values: bool,
    limits: &Limits,
) -> Result<Vec<Compared>, Diagnostic> {
    let recorded = session.recorded();
    let Some((reference, others)) = engines.split_first() else { return Ok(Vec::new()) };
    let lifted = recorded.program().lifted();
    let steps = lifted.steps.iter().chain(&lifted.implied);
    let shapes: Vec<Shape> = steps.map(|step| Shape::of(lifted, step)).collect();
    let whole = match recorded.invocation() {
        Some(invocation) => Some((invocation, reference.run(invocation, limits)?)),
        None => None,
    };
    let one = |other: &&dyn Engine| {
        let pair = Pair { reference: *reference, other: *other, limits };
        let run = Comparison { recorded, shapes: &shapes, pair };
        let verdict = match &whole {
            Some((invocation, expected)) => run.whole(*invocation, expected, values)?,
            None => run.every_value()?,
        };
        Ok(Compared { engine: other.name().to_owned(), bounds: run.pair.bounds(), verdict })
    };
    others.iter().map(one).collect()
}

/// Two engines on a recorded run.
struct Comparison<'l> {
    recorded: &'l dyn Recorded,
    shapes: &'l [Shape],
    pair: Pair<'l>,
}

impl Comparison<'_> {
    /// Compares the outputs of the whole program, of which the reference has these.
    fn whole(
        &self,
        invocation: &dyn Invocation,
        expected: &Results,
        values: bool,
    ) -> Result<Verdict, Diagnostic> {
        let results = match self.pair.other.run(invocation, self.pair.limits) {
            Err(d) if d.code.starts_with("internal-") => return Err(d),
            Err(d) if values => return self.values_of_refused(d),
            Err(d) => return Ok(Verdict::Refused(d)),
            Ok(results) => results,
        };
        let files = self.recorded.program().lifted().files;
        match first_output(self.pair.bounds(), files, expected, &results) {
            Some(output) => {
                let located = self.locate(&output)?;
                Ok(Verdict::Differs(Box::new(Difference { output: Some(output), located })))
            }
            None if values => self.every_value(),
            None => {
                let (lanes, buffers) = (results.lanes.killed.len(), results.buffers.len());
                Ok(Verdict::Outputs { lanes, buffers })
            }
        }
    }

    /// Compares the values of a program that the other engine does not take as a whole.
    fn values_of_refused(&self, reason: Diagnostic) -> Result<Verdict, Diagnostic> {
        Ok(match self.every_value()? {
            Verdict::Values { steps: 0, .. } => Verdict::Refused(reason),
            verdict => verdict,
        })
    }

    /// The instruction that an output differs for.
    fn locate(&self, output: &Output) -> Result<Option<Located>, Diagnostic> {
        match output.slot {
            Slot::Register { lane, .. } | Slot::Discarded { lane } => self.of_lane(lane),
            Slot::Memory { .. } => match self.every_value()? {
                Verdict::Differs(difference) => Ok(difference.located),
                _ => Ok(None),
            },
        }
    }

    fn path(&self, lanes: Vec<usize>) -> Result<Path, Diagnostic> {
        Path::of(self.recorded, self.shapes, lanes)
    }

    fn search<'s>(&'s self, path: &'s Path) -> Search<'s> {
        Search { program: self.recorded.program(), path, pair: &self.pair, unchecked: 0 }
    }

    /// The first instruction of a lane whose value differs.
    fn of_lane(&self, lane: usize) -> Result<Option<Located>, Diagnostic> {
        let path = self.path(vec![lane])?;
        let shown = match self.search(&path).every_value()? {
            None => self.search(&path).last_values()?,
            shown => shown,
        };
        shown.map(|shown| self.reduced(&path, &shown)).transpose().map(Option::flatten)
    }

    /// Compares all values of all lanes.
    fn every_value(&self) -> Result<Verdict, Diagnostic> {
        let (mut lanes, mut steps, mut unchecked) = (0, 0, 0);
        for group in groups(self.recorded)? {
            let path = self.path(group)?;
            let mut search = self.search(&path);
            if let Some(shown) = search.every_value()? {
                let located = self.reduced(&path, &shown)?;
                return Ok(Verdict::Differs(Box::new(Difference { output: None, located })));
            }
            lanes += path.lanes.len();
            steps += (path.taken.len() - search.unchecked) * path.lanes.len();
            unchecked += (search.unchecked + path.cut) * path.lanes.len();
        }
        Ok(Verdict::Values { lanes, steps, unchecked })
    }

    /// A value that differs, with the program reduced to what it needs.
    fn reduced(&self, path: &Path, shown: &Shown) -> Result<Option<Located>, Diagnostic> {
        let (program, position) = (self.recorded.program(), shown.found.observed.position);
        let (pair, observe) = (&self.pair, shown.observe);
        let reduction = Reduction { program, path, pair, observe, position };
        let (kept, found) = reduction.run(shown)?;
        let lifted = program.lifted();
        let taken = kept.iter().filter_map(|step| path.taken.get(*step));
        let steps: Vec<(Time, At)> =
            taken.filter_map(|taken| Some((taken.time, lifted.step_of(taken.index)?.0))).collect();
        let (last, lane) = (steps.last().copied(), path.lanes.get(found.lane).copied());
        let slice = Slice::new(program, path, &kept, observe);
        let (Some((time, at)), Some(lane), Some(slice)) = (last, lane, slice) else { return Ok(None) };
        let registers = slice.loaded.iter().filter_map(|(reg, bits)| Some((*reg, *bits.get(found.lane)?)));
        let uniforms = slice.uniforms.iter().copied().filter(|(_, bits)| *bits != 0);
        let registers = registers.chain(uniforms).collect();
        let reduced = Reduced { registers, steps, of: position + 1, text: print_lifted(&slice.lifted) };
        let Observed { what, scalar, .. } = found.observed;
        Ok(Some(Located { lane, time, at, what, scalar, values: found.values, reduced }))
    }
}
