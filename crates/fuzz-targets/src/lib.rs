//! Properties that must hold for any bytes.
//!
//! Each target takes bytes and panics if a documented property does not hold. Three callers use them: the fuzz targets
//! of `fuzz/`; `cargo campaign`, with large amounts of random input ([`legs`]); and the tests below, with small
//! amounts and with all inputs that once failed (`crashers/`).

mod agx;
mod batch;
mod binaries;
mod calls;
mod compiled;
mod debugging;
mod edges;
mod inputs;
mod kinds;
mod language_server;
pub mod legs;
mod maxwell;
mod mutate;
mod pica200;
mod picasso;
mod plain;
mod random;
mod rows;
mod shape;
mod shbin;
mod targets;
mod thread;

pub use agx::{agx_check, agx_graph, agx_listing, agx_part, agx_run, agx_text, agx_translate};
pub use binaries::{Binaries, binaries};
pub use compiled::{agx_compiled, compiled, ir_compiled, maxwell_compiled, pica200_compiled};
pub use debugging::{debug_adapter, debug_script, debug_session};
pub use inputs::Inputs;
pub use kinds::{KINDS, Kind};
pub use language_server::lsp_server;
pub use maxwell::{
    maxwell_check, maxwell_container, maxwell_graph, maxwell_input, maxwell_listing, maxwell_run,
    maxwell_schedule, maxwell_text, maxwell_translate,
};
pub use mutate::{Mutator, examples};
pub use pica200::{pica200_check, pica200_run, pica200_translate};
pub use picasso::picasso;
pub use random::Random;
pub use rows::{pica200_row_programs, row_programs};
pub use shape::program;
pub use shbin::shbin;
pub use targets::{asm, check, dis_roundtrip, ir_text, macros, run, swf, translate};

/// Returns whether the input was accepted; panics if a documented property does not hold.
pub type Target = fn(&[u8]) -> bool;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::legs::Outcome;
    use std::path::Path;
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// The targets of a kind whose shares of 150 inputs are not those that they state. Targets also take noise.
    fn faults(kind: &Kind) -> Vec<String> {
        let (mut random, mut inputs) = (Random::new(1), (kind.inputs)(&[]));
        let made: Vec<Vec<u8>> = (0..150).map(|_| inputs(&mut random)).collect();
        let mut faults = Vec::new();
        for (part, target) in kind.targets {
            let mut outcome = Outcome::default();
            made.iter().for_each(|input| outcome += target(input).into());
            println!("{} {} {outcome:?}", kind.name, part.name);
            let fault = part.shares.fault(&outcome);
            faults.extend(fault.map(|fault| format!("{} {} {fault}", kind.name, part.name)));
            for _ in 0..50 {
                let noise: Vec<u8> = (0..random.below(600)).map(|_| random.bits() as u8).collect();
                target(&noise);
            }
        }
        faults
    }

    #[test]
    fn every_target_holds_for_hundreds_of_inputs() {
        let next = AtomicUsize::new(0);
        let work = || {
            let kinds = std::iter::from_fn(|| KINDS.get(next.fetch_add(1, Relaxed)));
            kinds.flat_map(faults).collect::<Vec<String>>()
        };
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
        let found: Vec<String> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(found, [""; 0]);
    }

    /// Inputs that once failed, in one folder for each target.
    #[test]
    fn past_crashers_are_answered() {
        for (part, target) in KINDS.iter().flat_map(|kind| kind.targets) {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crashers").join(part.name);
            for file in std::fs::read_dir(folder).into_iter().flatten() {
                target(&std::fs::read(file.unwrap().path()).unwrap());
            }
        }
    }

    #[test]
    fn pica200_run_often_runs() {
        let mut random = Random::new(4);
        let bytes = || (0..8 * 6).map(|_| random.bits() as u8).collect::<Vec<_>>();
        let ran = std::iter::repeat_with(bytes).take(200).filter(|data| pica200_run(data)).count();
        assert!(ran > 50, "programs that are never accepted test little: {ran}");
    }

    #[test]
    fn mutated_programs_often_run() {
        let (mut random, mut mutator) = (Random::new(3), Mutator::new());
        let settings = shisa::Settings::default();
        let ran = (0..200).filter(|_| {
            let bytes = mutator.next(&mut random);
            targets::first(bytes, &settings).is_ok_and(|p| p.lower().is_ok())
        });
        assert!(ran.count() > 50, "mutations that are never accepted test little");
    }
}
