//! Long random tests in numbered pieces. `cargo xtask campaign` runs them; the tests below run a few pieces.
//!
//! A [`Leg`] tests one property of one family. A new family adds its lines to [`all`].

mod batch;
mod calls;
mod containers;
pub(crate) mod engines;
mod plain;
mod shaders;
mod texts;
mod threads;
mod tree;
mod verbs;
mod words;

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
    /// The share of pieces, in percent, that each part must accept.
    pub least: u64,
    /// The tests of each piece, counted separately.
    pub parts: Vec<&'static str>,
    /// Creates a worker; it may mutate these programs in addition to its own.
    pub worker: fn(&[Vec<u8>]) -> Box<dyn Worker>,
}

impl Leg {
    /// Whether a part accepted as large a share of the pieces as it must.
    pub const fn is_enough(&self, accepted: u64, pieces: u64) -> bool {
        accepted * 100 >= self.least * pieces
    }
}

impl std::fmt::Debug for Leg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leg").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Generates pieces and tests them.
pub trait Worker {
    /// Generates the piece of this number.
    fn make(&mut self, number: u64, random: &mut Random);

    /// Whether the part of this number accepts the piece. Panics if a documented property does not hold.
    fn test(&mut self, part: usize) -> bool;

    /// The latest tested input, for the report if it panics.
    fn tested(&self) -> String;
}

/// All legs. Words come in pieces of a thousand.
pub fn all() -> Vec<Leg> {
    use shisa_agx::Agx;
    use shisa_maxwell::Maxwell;
    use shisa_pica200::Pica200;
    let mut legs = words::legs::<shisa::agal::Agal>("agal");
    legs.extend(words::legs::<Pica200>("pica200"));
    legs.push(words::every());
    legs.extend(words::legs::<Maxwell>("maxwell"));
    legs.extend(words::legs::<Agx>("agx"));
    legs.extend(containers::legs());
    legs.extend(texts::legs());
    legs.extend([engines::leg(), shaders::leg(), plain::leg(), threads::leg()]);
    legs.extend(verbs::legs());
    legs.extend(calls::legs());
    legs
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

    #[test]
    fn every_leg_holds() {
        for leg in all() {
            let mut worker = (leg.worker)(&[]);
            // A piece of words has a thousand words; few prefixes are valid.
            let pieces = match leg.name.split_once('/') {
                Some((_, what)) if what.contains("word") => 3,
                _ => 100,
            };
            let mut accepted = vec![0; leg.parts.len()];
            for number in 0..pieces {
                let mut random = Random::new(number);
                worker.make(number, &mut random);
                for (part, accepted) in accepted.iter_mut().enumerate() {
                    *accepted += u64::from(worker.test(part));
                }
            }
            for (part, accepted) in leg.parts.iter().zip(&accepted) {
                let enough = leg.is_enough(*accepted, pieces);
                assert!(enough, "{} {part} accepts {accepted} of {pieces}", leg.name);
            }
            assert!(
                accepted.iter().sum::<u64>() > 0 || leg.name.ends_with("prefix"),
                "{} tests only rejected input",
                leg.name
            );
        }
    }
}
