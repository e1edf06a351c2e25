//! Programs of many calls and branches, whose analyses must end.

use super::{Leg, Memory, Outcome, Part, Worker};
use crate::Random;
use crate::calls::{AGX, Family, MAXWELL, PICA200, schedule};

/// The legs; each states how many programs, in percent, must be analysed within the default limits.
pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, family: Family, least, memory, parts: &[&'static str]| Leg {
        name: name.into(),
        commit: 1_000,
        campaign: 1_000_000,
        parts: parts.iter().map(|name| Part::verb(name, least, 0).takes(memory)).collect(),
        worker: Box::new(move |_: &[Vec<u8>]| made(family)),
    };
    vec![
        leg("maxwell/calls", MAXWELL, 90, Memory::USUAL, &["check", "graph", "schedule"]),
        // Deeply nested calls have more states than a graph repeats instructions for.
        leg("pica200/calls", PICA200, 70, Memory::USUAL, &["check", "graph"]),
        // A graph needs to know what the register of each return holds.
        leg("agx/calls", AGX, 60, Memory::USUAL, &["check", "graph"]),
    ]
}

fn made(family: Family) -> Box<dyn Worker> {
    Box::new(Made { family, source: String::new(), bytes: None })
}

struct Made {
    family: Family,
    source: String,
    bytes: Option<Vec<u8>>,
}

impl Worker for Made {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.source = self.family.source(random);
        self.bytes = self.family.assembled(&self.source);
    }

    fn test(&mut self, part: usize) -> Outcome {
        let Some(bytes) = &self.bytes else { return false.into() };
        let done = match part {
            0 => self.family.check(bytes),
            1 => self.family.graph(bytes),
            _ => schedule(bytes),
        };
        done.into()
    }

    fn input(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or_default()
    }

    fn tested(&self) -> String {
        self.source.clone()
    }
}
