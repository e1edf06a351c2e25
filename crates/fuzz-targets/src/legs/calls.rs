//! Programs of many calls and branches, whose analyses must end.

use super::{Leg, Worker};
use crate::Random;
use crate::calls::{AGX, Family, MAXWELL, PICA200, schedule};

/// The legs; each states how many programs, in percent, must be analysed within the default limits.
pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, least, parts, worker| Leg {
        name: name.into(),
        commit: 2_000,
        campaign: 1_000_000,
        least,
        parts,
        worker,
    };
    vec![
        leg("maxwell/calls", 90, vec!["check", "graph", "schedule"], |_| made(MAXWELL)),
        // Deeply nested calls have more states than a graph repeats instructions for.
        leg("pica200/calls", 70, vec!["check", "graph"], |_| made(PICA200)),
        // A graph needs to know what the register of each return holds.
        leg("agx/calls", 60, vec!["check", "graph"], |_| made(AGX)),
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

    fn test(&mut self, part: usize) -> bool {
        let Some(bytes) = &self.bytes else { return false };
        match part {
            0 => self.family.check(bytes),
            1 => self.family.graph(bytes),
            _ => schedule(bytes),
        }
    }

    fn tested(&self) -> String {
        self.source.clone()
    }
}
