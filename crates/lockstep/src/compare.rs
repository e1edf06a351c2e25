//! Comparisons of results.

use crate::bounds::{Bounds, Made};
use crate::difference::{Output, Slot};
use crate::engine::Engine;
use crate::observed::Observed;
use crate::slice::Slice;
use shisa_diag::{Diagnostic, Limits};
use shisa_engines::Results;
use shisa_eval::Outcome;
use shisa_ir::{File, Reg, Scalar};

/// Two engines.
pub(crate) struct Pair<'e> {
    pub(crate) reference: &'e dyn Engine,
    pub(crate) other: &'e dyn Engine,
    pub(crate) limits: &'e Limits,
}

/// A value of a slice that differs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) observed: Observed,
    /// The index of the lane in its path.
    pub(crate) lane: usize,
    /// The bits of both engines.
    pub(crate) values: [u64; 2],
}

/// The result of a slice on two engines.
pub(crate) enum Ran {
    Equal,
    Differs(Found),
    /// An engine does not take it.
    Refused,
}

impl Pair<'_> {
    /// How close their values must be.
    pub(crate) fn bounds(&self) -> Bounds {
        self.reference.bounds().max(self.other.bounds())
    }

    /// Runs a slice on both engines.
    ///
    /// # Errors
    /// `internal-…` for a fault of shisa.
    pub(crate) fn run(&self, slice: &Slice) -> Result<Ran, Diagnostic> {
        if slice.observed.is_empty() {
            return Ok(Ran::Equal);
        }
        let mut outcomes = Vec::new();
        for engine in [self.reference, self.other] {
            match engine.run(slice, self.limits) {
                Ok(outcome) => outcomes.push(outcome),
                Err(d) if d.code.starts_with("internal-") => return Err(d),
                Err(_) => return Ok(Ran::Refused),
            }
        }
        let [reference, other] = &outcomes[..] else { return Ok(Ran::Refused) };
        Ok(first_value(slice, self.bounds(), &reference.lanes, &other.lanes).map_or(Ran::Equal, Ran::Differs))
    }
}

/// The first value of a slice that differs.
fn first_value(slice: &Slice, bounds: Bounds, reference: &Outcome, other: &Outcome) -> Option<Found> {
    let (reference, other) = (reference.outputs.first()?, other.outputs.first()?);
    slice.observed.iter().find_map(|observed| {
        let bits = |lane: &[u32]| {
            let first = usize::from(observed.unit);
            let words = lane.get(first..first + usize::from(observed.words))?;
            Some(words.iter().rev().fold(0, |bits, word| bits << 32 | u64::from(*word)))
        };
        let lanes = reference.lanes().zip(other.lanes()).enumerate();
        lanes.filter_map(|(lane, (a, b))| Some((lane, [bits(a)?, bits(b)?]))).find_map(|(lane, values)| {
            let Observed { scalar, made, .. } = *observed;
            let close = bounds.allow(values, scalar, made);
            (!close).then_some(Found { observed: *observed, lane, values })
        })
    })
}

/// The first output of a run that differs: that of the first lane, or the first one in memory. Outputs of lanes that both
/// engines discarded are undefined. Registers hold scalars of the types of these files.
pub(crate) fn first_output(
    bounds: Bounds,
    files: &[File],
    reference: &Results,
    other: &Results,
) -> Option<Output> {
    first_of_lanes(bounds, files, &reference.lanes, &other.lanes)
        .or_else(|| first_of_memory(&reference.buffers, &other.buffers))
}

fn first_of_lanes(bounds: Bounds, files: &[File], reference: &Outcome, other: &Outcome) -> Option<Output> {
    let killed = reference.killed.iter().zip(&other.killed).enumerate();
    let scalar = |reg: Reg| match files.get(usize::from(reg.file.0)) {
        Some(file) => file.scalar,
        // A register without a file of its own is compared as bits.
        None => Scalar::I32,
    };
    killed.into_iter().find_map(|(lane, (a, b))| {
        if a != b {
            return Some(Output { slot: Slot::Discarded { lane }, values: [u32::from(*a), u32::from(*b)] });
        }
        let columns = reference.outputs.iter().zip(&other.outputs).filter(|_| !a);
        columns.into_iter().find_map(|(reference, other)| {
            let scalar = scalar(reference.reg);
            let units = (reference.reg.unit..).zip(reference.lane(lane)?.iter().zip(other.lane(lane)?));
            let close = |a: u32, b: u32| bounds.allow([a.into(), b.into()], scalar, Made::Approximated);
            let (unit, (a, b)) = units.into_iter().find(|(_, (a, b))| !close(**a, **b))?;
            let reg = Reg { unit, ..reference.reg };
            Some(Output { slot: Slot::Register { lane, reg }, values: [*a, *b] })
        })
    })
}

fn first_of_memory(reference: &[Vec<u8>], other: &[Vec<u8>]) -> Option<Output> {
    let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
    reference.iter().zip(other).enumerate().find_map(|(buffer, (a, b))| {
        let words = a.chunks(WORD).zip(b.chunks(WORD)).enumerate();
        let (index, (a, b)) = words.into_iter().find(|(_, (a, b))| a != b)?;
        Some(Output { slot: Slot::Memory { buffer, offset: index * WORD }, values: [word(a), word(b)] })
    })
}

/// Bytes of memory that are shown.
const WORD: usize = 4;
