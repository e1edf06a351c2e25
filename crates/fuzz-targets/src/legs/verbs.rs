//! Mutated programs, passed to every verb.

use super::{Leg, Worker, hex};
use crate::{
    Binaries, Mutator, Random, TARGETS, Target, agx, agx_check, agx_graph, agx_listing, agx_run,
    agx_translate, maxwell, maxwell_check, maxwell_graph, maxwell_listing, maxwell_schedule, pica200_check,
    pica200_run, pica200_translate, shbin,
};

/// The targets that read PICA200 shader binaries.
const PICA200: &[(&str, Target)] =
    &[("listing", shbin), ("check", pica200_check), ("run", pica200_run), ("translate", pica200_translate)];

/// The targets that read raw Maxwell code.
const MAXWELL: &[(&str, Target)] = &[
    ("listing", maxwell_listing),
    ("check", maxwell_check),
    ("graph", maxwell_graph),
    ("schedule", maxwell_schedule),
];

/// The targets that read raw AGX code.
const AGX: &[(&str, Target)] = &[
    ("listing", agx_listing),
    ("check", agx_check),
    ("graph", agx_graph),
    ("run", agx_run),
    ("translate", agx_translate),
];

pub(super) fn legs() -> Vec<Leg> {
    let leg = |name: &str, targets: &[(&'static str, Target)], worker| Leg {
        name: name.into(),
        commit: 10_000,
        campaign: 10_000_000,
        least: 0,
        parts: targets.iter().map(|t| t.0).collect(),
        worker,
    };
    vec![
        leg("agal/verbs", TARGETS, |corpus| {
            let mut mutator = Mutator::new();
            mutator.add(corpus.iter().filter(|b| shisa::agal::Program::sniff(b)).cloned());
            mutated(TARGETS, move |random| mutator.next(random).to_vec())
        }),
        leg("pica200/verbs", PICA200, |corpus| {
            let mut binaries = Binaries::new();
            binaries.add(corpus.iter().cloned());
            mutated(PICA200, move |random| binaries.next(random))
        }),
        leg("maxwell/verbs", MAXWELL, |_| {
            let samples = maxwell::samples();
            mutated(MAXWELL, move |random| maxwell::mutated(&samples, random))
        }),
        leg("agx/verbs", AGX, |_| {
            let samples = agx::samples();
            mutated(AGX, move |random| agx::mutated(&samples, random))
        }),
    ]
}

/// A worker that passes the output of `make` to targets.
fn mutated(
    targets: &'static [(&'static str, Target)],
    make: impl FnMut(&mut Random) -> Vec<u8> + 'static,
) -> Box<dyn Worker> {
    Box::new(Mutated { make, targets, bytes: Vec::new() })
}

struct Mutated<M> {
    make: M,
    targets: &'static [(&'static str, Target)],
    bytes: Vec<u8>,
}

impl<M: FnMut(&mut Random) -> Vec<u8>> Worker for Mutated<M> {
    fn make(&mut self, _: u64, random: &mut Random) {
        self.bytes = (self.make)(random);
    }

    fn test(&mut self, part: usize) -> bool {
        self.targets.get(part).is_some_and(|(_, target)| target(&self.bytes))
    }

    fn tested(&self) -> String {
        hex(&self.bytes)
    }
}
