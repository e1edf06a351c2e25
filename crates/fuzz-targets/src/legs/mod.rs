//! Long random tests in numbered pieces. `cargo campaign` runs them; the tests below run a few pieces.
//!
//! A [`Leg`] tests one property of one family. A new family adds its lines to [`all`].

mod calls;
mod containers;
pub(crate) mod engines;
mod kinds;
mod long;
mod plain;
mod shaders;
mod shares;
mod threads;
mod tree;
mod waves;
mod words;

pub use shares::{Outcome, Shares};

use crate::Random;
use std::path::Path;

/// One kind of random test.
pub struct Leg {
    /// The family and the property, such as `agal/words`.
    pub name: String,
    /// Number of pieces run for each commit.
    pub commit: u64,
    /// Number of pieces run in a campaign.
    pub campaign: u64,
    /// The tests of each piece.
    pub parts: Vec<Part>,
    /// Creates a worker; it may mutate these programs in addition to its own.
    pub worker: Box<Begin>,
}

impl std::fmt::Debug for Leg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leg").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Creates a worker.
pub type Begin = dyn Fn(&[Vec<u8>]) -> Box<dyn Worker> + Send + Sync;

/// A test of each piece, counted separately.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// Its name.
    pub name: &'static str,
    /// The shares of its inputs that it must accept and refuse.
    pub shares: Shares,
    /// For the work of one verb on [`Worker::input`], whose time and memory are bounded: the memory that it may take.
    pub memory: Option<Memory>,
}

/// The memory that a verb may take: so many times its input, and so many bytes besides.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// How many times the input.
    pub times: u64,
    /// Bytes besides.
    pub besides: u64,
}

impl Memory {
    /// The bound of every verb that states no other.
    pub const USUAL: Memory = Memory { times: 16, besides: 64 << 20 };
}

impl Part {
    /// A verb that must accept and refuse at least these shares of its inputs, in percent.
    pub const fn verb(name: &'static str, accepted: u64, refused: u64) -> Part {
        Part { name, shares: Shares::new(accepted, refused), memory: Some(Memory::USUAL) }
    }

    /// The same with another bound of its memory.
    pub const fn takes(self, memory: Memory) -> Part {
        Part { memory: Some(memory), ..self }
    }

    /// A property that must hold for at least this share of the inputs, in percent; the others are outside of its range.
    pub const fn property(name: &'static str, accepted: u64) -> Part {
        Part { name, shares: Shares::new(accepted, 0), memory: None }
    }
}

/// Generates pieces and tests them.
pub trait Worker {
    /// Generates the piece of this number.
    fn make(&mut self, number: u64, random: &mut Random);

    /// How many inputs of the piece the part of this number accepts and refuses. Panics if a documented property does not
    /// hold.
    fn test(&mut self, part: usize) -> Outcome;

    /// The bytes of the piece, if it is one input.
    fn input(&self) -> &[u8] {
        &[]
    }

    /// The latest tested input, for the report if it panics.
    fn tested(&self) -> String {
        hex(self.input())
    }
}

/// All legs. Words come in pieces of a thousand.
pub fn all() -> Vec<Leg> {
    use shisa_agx::Agx;
    use shisa_maxwell::Maxwell;
    use shisa_pica200::Pica200;
    let mut legs = words::legs::<shisa::agal::Agal>("agal", Shares::new(65, 30), 15);
    legs.extend(words::legs::<Pica200>("pica200", Shares::new(75, 5), 50));
    legs.push(words::every());
    legs.extend(words::legs::<Maxwell>("maxwell", Shares::new(60, 10), 20));
    legs.extend(words::legs::<Agx>("agx", Shares::new(25, 40), 25));
    legs.extend(containers::legs());
    legs.extend([engines::leg(), shaders::leg(), plain::leg(), threads::leg(), waves::leg()]);
    legs.extend(kinds::legs());
    legs.extend(calls::legs());
    legs.extend(long::legs());
    legs
}

/// The generator of a piece: each piece has its own, so that it can be repeated alone.
pub fn random(seed: u64, piece: u64) -> Random {
    Random::new(seed ^ piece.wrapping_mul(0x9e37_79b9))
}

/// The bytes as hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// The root folder of this repository.
fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A part that may accept nothing and refuse nothing tests nothing.
    #[test]
    fn every_part_states_a_share() {
        for leg in all() {
            for Part { name, shares, .. } in leg.parts {
                assert_ne!(shares, Shares::new(0, 0), "{} {name}", leg.name);
            }
        }
    }

    /// Every leg accepts the shares that it states, of few pieces from all over it.
    #[test]
    fn every_leg_holds() {
        let mut faults = Vec::new();
        for leg in all() {
            let mut worker = (leg.worker)(&[]);
            let pieces = match leg.name.split_once('/') {
                // Words come in pieces of a thousand, those of a prefix are alike.
                Some((_, "words-by-prefix")) => 20,
                Some((_, what)) if what.contains("word") => 3,
                Some((_, "long")) => 6,
                _ => 20,
            };
            let mut outcomes = vec![Outcome::default(); leg.parts.len()];
            // No period of the pieces divides the distances.
            for number in (0..pieces).map(|n| n * (leg.commit / pieces) + n) {
                let mut random = Random::new(number);
                worker.make(number, &mut random);
                for (part, outcome) in outcomes.iter_mut().enumerate() {
                    *outcome += worker.test(part);
                }
            }
            for (part, outcome) in leg.parts.iter().zip(&outcomes) {
                println!("{} {} {outcome:?}", leg.name, part.name);
                // A few pieces need not contain the rarer outcome.
                let Shares { accepted, .. } = part.shares;
                let fault = Shares::new(accepted / 2, 0).fault(outcome);
                faults.extend(fault.map(|fault| format!("{} {} {fault}", leg.name, part.name)));
            }
        }
        assert_eq!(faults, [""; 0]);
    }
}
