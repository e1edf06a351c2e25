//! Engines compared on a recorded run.

use crate::compare::{Pair, first_output};
use crate::engine::Engine;
use crate::path::{Path, Shape, groups};
use crate::reduce::{Reduction, TRIALS};
use crate::search::{Search, Shown};
use crate::slice::{Observed, Slice, What};
use shisa_debug::{Recorded, Session, Time};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{At, Reg, Scalar, print_lifted};

/// An engine compared with the reference.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// The name of the engine.
    pub engine: String,
    /// The result.
    pub verdict: Verdict,
}

/// The result of a comparison.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The outputs of all lanes are equal.
    Outputs {
        /// The number of lanes.
        lanes: usize,
    },
    /// The values of all instructions that the lanes ran are equal.
    Values {
        /// The number of lanes.
        lanes: usize,
        /// The number of instructions that were compared, over all lanes.
        steps: usize,
        /// Those that were not, because the engine does not take them.
        unchecked: usize,
    },
    /// The engine does not take the program or its inputs.
    Refused(Diagnostic),
    /// A value differs.
    Differs(Box<Difference>),
}

/// A difference between two engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// The first output that differs; `None` if no outputs were compared.
    pub output: Option<Output>,
    /// The first instruction whose value differs; `None` if none does outside of memory, textures and exchange of lanes.
    pub located: Option<Located>,
}

/// An output that differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// The lane of the run.
    pub lane: usize,
    /// The unit of the output register; `None` if only one engine discarded the lane.
    pub reg: Option<Reg>,
    /// The bits of the reference and of the other engine; for a discarded lane 1, otherwise 0.
    pub values: [u32; 2],
}

/// An instruction whose value differs.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// The lane of the run.
    pub lane: usize,
    /// The number of steps of the run before the instruction.
    pub time: Time,
    /// The instruction.
    pub at: At,
    /// Which of its values differs.
    pub what: What,
    /// The type of the value.
    pub scalar: Scalar,
    /// The bits of the reference and of the other engine.
    pub values: [u64; 2],
    /// The smallest program that shows the difference.
    pub reduced: Reduced,
}

/// A program reduced to what a difference needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Reduced {
    /// Its instructions with the numbers of steps before them. The last one is the instruction whose value differs.
    pub steps: Vec<(Time, At)>,
    /// The registers that they read before they write them, with their bits. Uniforms that are missing are zero.
    pub registers: Vec<(Reg, u32)>,
    /// The number of instructions that the lane ran up to the last one.
    pub of: usize,
    /// The program in intermediate representation, as the engines ran it.
    pub text: String,
}

/// Compares engines with the first one on a recorded run, each up to its first difference. With `values`, or if only the
/// evaluator repeats the run as a whole, the values of all instructions are compared, too.
///
/// # Errors
/// `debug-empty` if nothing ran; the reference's error if it does not run the program; `internal-…` for a fault of shisa.
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
        let run = Lockstep { recorded, shapes: &shapes, pair };
        let mut output = None;
        let mut verdict = None;
        if let Some((invocation, expected)) = &whole {
            match other.run(*invocation, limits) {
                Ok(outcome) => {
                    output = first_output(expected, &outcome)
                        .map(|d| Output { lane: d.lane, reg: d.reg, values: d.values });
                    verdict = Some(Verdict::Outputs { lanes: outcome.killed.len() });
                }
                Err(d) if d.code.starts_with("internal-") => return Err(d),
                Err(d) => verdict = Some(Verdict::Refused(d)),
            }
        }
        let verdict = match (output, verdict) {
            (Some(output), _) => {
                let located = run.locate(output.lane)?;
                Verdict::Differs(Box::new(Difference { output: Some(output), located }))
            }
            (None, Some(refused @ Verdict::Refused(_))) => refused,
            (None, Some(equal)) if !values => equal,
            (None, _) => run.every_value()?,
        };
        Ok(Compared { engine: other.name().to_owned(), verdict })
    };
    others.iter().map(one).collect()
}

/// Two engines on a recorded run.
struct Lockstep<'l> {
    recorded: &'l dyn Recorded,
    shapes: &'l [Shape],
    pair: Pair<'l>,
}

impl Lockstep<'_> {
    fn path(&self, lanes: Vec<usize>) -> Result<Path, Diagnostic> {
        Path::of(self.recorded, self.shapes, lanes)
    }

    fn search<'s>(&'s self, path: &'s Path) -> Search<'s> {
        Search { program: self.recorded.program(), path, pair: &self.pair, unchecked: 0 }
    }

    /// The first instruction of a lane whose value differs.
    fn locate(&self, lane: usize) -> Result<Option<Located>, Diagnostic> {
        let path = self.path(vec![lane])?;
        let mut search = self.search(&path);
        let shown = match search.every_value()? {
            None => search.last_values()?,
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
                let lane = path.lanes.get(shown.found.lane).copied();
                let located = lane.map(|lane| self.locate(lane)).transpose()?.flatten();
                return Ok(Verdict::Differs(Box::new(Difference { output: None, located })));
            }
            lanes += path.lanes.len();
            steps += (path.taken.len() - search.unchecked) * path.lanes.len();
            unchecked += search.unchecked * path.lanes.len();
        }
        Ok(Verdict::Values { lanes, steps, unchecked })
    }

    fn reduced(&self, path: &Path, shown: &Shown) -> Result<Option<Located>, Diagnostic> {
        let (program, position) = (self.recorded.program(), shown.found.observed.position);
        let (pair, observe) = (&self.pair, shown.observe);
        let reduction = Reduction { program, path, pair, observe, position, left: TRIALS };
        let (kept, found) = reduction.run(shown)?;
        let lifted = program.lifted();
        let at = |index: usize| match lifted.steps.get(index) {
            Some(step) => At::Step(step.pc),
            None => At::Implied((index - lifted.steps.len()) as u32),
        };
        let steps = kept.iter().filter_map(|step| path.taken.get(*step)).map(|taken| (taken.time, at(taken.index)));
        let steps: Vec<(Time, At)> = steps.collect();
        let slice = Slice::new(program, path, &kept, observe);
        let Some((((time, at), slice), lane)) = steps.last().copied().zip(slice).zip(path.lanes.get(found.lane).copied())
        else {
            return Ok(None);
        };
        let registers = slice.loaded.iter().filter_map(|(reg, bits)| Some((*reg, *bits.get(found.lane)?)));
        let uniforms = slice.uniforms.iter().copied().filter(|(_, bits)| *bits != 0);
        let reduced = Reduced {
            registers: registers.chain(uniforms).collect(),
            steps,
            of: position + 1,
            text: print_lifted(&slice.lifted),
        };
        let Observed { what, scalar, .. } = found.observed;
        Ok(Some(Located { lane, time, at, what, scalar, values: found.values, reduced }))
    }
}
