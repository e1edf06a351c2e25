//! Mutated programs through every verb.

use super::{Leg, Worker, hex};
use crate::{Mutator, Random, TARGETS};

pub(super) fn leg() -> Leg {
    Leg {
        name: "agal/verbs".into(),
        commit: 10_000,
        campaign: 10_000_000,
        parts: TARGETS.iter().map(|t| t.0).collect(),
        worker: |corpus| {
            let mut mutator = Mutator::new();
            mutator.add(corpus.iter().cloned());
            Box::new(Mutated { mutator, bytes: Vec::new() })
        },
    }
}

struct Mutated {
    mutator: Mutator,
    bytes: Vec<u8>,
}

impl Worker for Mutated {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.bytes.clear();
        self.bytes.extend_from_slice(self.mutator.next(random));
    }

    fn test(&mut self, part: usize) -> bool {
        TARGETS.get(part).is_some_and(|(_, target)| target(&self.bytes))
    }

    fn tested(&self) -> String {
        hex(&self.bytes)
    }
}
