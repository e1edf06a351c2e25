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

#[cfg(test)]
mod tests {
    use super::{Output, Slot, first_output};
    use crate::bounds::Bounds;
    use shisa_engines::Results;
    use shisa_eval::{Column, Outcome};
    use shisa_ir::{File, FileId, FileKind, Reg, Scalar};

    const FILES: &[File] = &[File {
        name: "o",
        kind: FileKind::Output,
        unit_bits: 32,
        units_per_register: 1,
        units: 8,
        scalar: Scalar::F32,
    }];

    /// Two lanes with units 2 and 3, of which the second lane may be discarded, and two buffers.
    fn results(bits: [u32; 4], killed: bool, buffers: [&[u8]; 2]) -> Results {
        let outputs = vec![Column { reg: Reg::new(FileId(0), 2), units: 2, bits: bits.into() }];
        let lanes = Outcome { outputs, killed: vec![false, killed], executed: 0 };
        Results { lanes, buffers: buffers.map(<[u8]>::to_vec).into() }
    }

    #[test]
    fn the_first_difference_is_that_of_the_first_lane_or_buffer() {
        let buffers: [&[u8]; 2] = [&[0; 5], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]];
        let expected = results([1, 2, 3, 4], false, buffers);
        let register = |lane, unit| Slot::Register { lane, reg: Reg::new(FileId(0), unit) };
        let memory = |buffer, offset| Slot::Memory { buffer, offset };
        for (other, slot, values) in [
            (results([1, 9, 9, 4], false, buffers), register(0, 3), [2, 9]),
            (results([1, 2, 9, 4], false, [&[1; 5], buffers[1]]), register(1, 2), [3, 9]),
            (results([1, 2, 9, 4], true, buffers), Slot::Discarded { lane: 1 }, [0, 1]),
            (results([1, 2, 3, 4], false, [&[0, 0, 0, 0, 7], buffers[1]]), memory(0, 4), [0, 7]),
            (
                results([1, 2, 3, 4], false, [buffers[0], &[1, 2, 3, 4, 5, 6, 7, 0x80, 9, 0]]),
                memory(1, 4),
                [0x0807_0605, 0x8007_0605],
            ),
            (
                results([1, 2, 3, 4], false, [buffers[0], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 0]]),
                memory(1, 8),
                [0x0a09, 9],
            ),
        ] {
            let found = first_output(Bounds::Bits, FILES, &expected, &other);
            assert_eq!(found, Some(Output { slot, values }));
        }
        assert_eq!(first_output(Bounds::Bits, FILES, &expected, &expected), None);
        // Both lanes are discarded: their outputs are undefined.
        let [a, b] = [3, 9].map(|bits| results([1, 2, bits, 4], true, buffers));
        assert_eq!(first_output(Bounds::Bits, FILES, &a, &b), None);
    }
}
