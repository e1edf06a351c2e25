//! Inputs of each kind, passed to the targets that read them.

use super::{Leg, Outcome, Worker};
use crate::inputs::Inputs;
use crate::kinds::{KINDS, Kind};
use crate::{Random, Target};

pub(super) fn legs() -> Vec<Leg> {
    KINDS.iter().map(leg).collect()
}

fn leg(kind: &'static Kind) -> Leg {
    let is_text = kind.name.ends_with("text");
    Leg {
        name: kind.name.into(),
        commit: if is_text { 20_000 } else { 5_000 },
        campaign: 10_000_000,
        parts: kind.targets.iter().map(|(part, _)| *part).collect(),
        worker: Box::new(move |corpus: &[Vec<u8>]| -> Box<dyn Worker> {
            Box::new(Made { inputs: (kind.inputs)(corpus), targets: kind.targets, bytes: Vec::new() })
        }),
    }
}

struct Made {
    inputs: Inputs,
    targets: &'static [(super::Part, Target)],
    bytes: Vec<u8>,
}

impl Worker for Made {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.bytes = (self.inputs)(random);
    }

    fn test(&mut self, part: usize) -> Outcome {
        self.targets.get(part).is_some_and(|(_, target)| target(&self.bytes)).into()
    }

    fn input(&self) -> &[u8] {
        &self.bytes
    }

    fn tested(&self) -> String {
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => format!("{text:?}"),
            Err(_) => super::hex(&self.bytes),
        }
    }
}
