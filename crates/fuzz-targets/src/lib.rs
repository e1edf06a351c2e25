//! Properties that must hold for any bytes.
//!
//! Each target takes bytes and panics if a documented property does not hold. Three callers use them: the fuzz targets
//! of `fuzz/`; `cargo xtask campaign`, with large amounts of random input ([`legs`]); and the tests below, with small
//! amounts and with all inputs that once failed (`crashers/`).

mod agx;
mod binaries;
mod calls;
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
pub use maxwell::{
    maxwell_check, maxwell_container, maxwell_graph, maxwell_listing, maxwell_schedule, maxwell_text,
};
pub use mutate::{Mutator, examples};
pub use pica200::{pica200_check, pica200_run, pica200_translate};
pub use picasso::picasso;
pub use random::Random;
pub use rows::{pica200_row_programs, row_programs};
pub use shape::program;
pub use shbin::shbin;
pub use targets::{asm, check, dis_roundtrip, ir_text, macros, run, swf, translate};

use targets::container;

/// Returns whether the input was accepted; panics if a documented property does not hold.
pub type Target = fn(&[u8]) -> bool;

/// All targets with their names.
pub const TARGETS: &[(&str, Target)] = &[
    ("dis_roundtrip", dis_roundtrip),
    ("asm", asm),
    ("macros", macros),
    ("check", check),
    ("run", run),
    ("translate", translate),
    ("swf", swf),
    ("picasso", picasso),
    ("pica200_check", pica200_check),
    ("pica200_run", pica200_run),
    ("pica200_translate", pica200_translate),
    ("shbin", shbin),
    ("maxwell_container", maxwell_container),
    ("maxwell_listing", maxwell_listing),
    ("maxwell_check", maxwell_check),
    ("maxwell_graph", maxwell_graph),
    ("maxwell_schedule", maxwell_schedule),
    ("maxwell_text", maxwell_text),
    ("agx_text", agx_text),
    ("agx_listing", agx_listing),
    ("agx_check", agx_check),
    ("agx_graph", agx_graph),
    ("agx_run", agx_run),
    ("agx_translate", agx_translate),
    ("agx_part", agx_part),
    ("ir_text", ir_text),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    /// The text of functions lowered from programs, with a few words replaced.
    fn functions(random: &mut Random) -> String {
        let settings = shisa::Settings::default();
        let function = |bytes: Vec<u8>| targets::first(&bytes, &settings).and_then(|p| p.lower()).ok();
        let texts: Vec<String> =
            examples().into_iter().filter_map(function).map(|l| shisa::ir::print_func(&l.func)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let words = "%0 %7 %9 b0 b1: f32x4 i1 = fadd read branch exit @3 xyzw xyz 0x3f800000 ( , unused: \n ";
        let words: Vec<&str> = words.split_inclusive(' ').collect();
        mutate::text(random, &texts, &words)
    }

    /// Half of the inputs are noise, half are mutated programs, or mutated texts for targets that read text.
    #[test]
    fn every_target_holds_for_a_thousand_inputs() {
        for (name, target) in TARGETS {
            let (mut random, mut mutator) = (Random::new(1), Mutator::new());
            let mut accepted = 0;
            for i in 0..1_000 {
                let mutated = i % 2 == 1;
                let input = match *name {
                    "asm" if mutated => mutate::text(&mut random, mutate::SOURCES, mutate::WORDS).into(),
                    "macros" if mutated => mutate::text(&mut random, mutate::MACROS, mutate::WORDS).into(),
                    "picasso" if mutated => {
                        mutate::text(&mut random, &picasso::EXAMPLES, picasso::WORDS).into()
                    }
                    "maxwell_text" if mutated => {
                        mutate::text(&mut random, maxwell::SOURCES, maxwell::WORDS).into()
                    }
                    "agx_text" if mutated => mutate::text(&mut random, agx::SOURCES, agx::WORDS).into(),
                    "ir_text" if mutated => functions(&mut random).into(),
                    _ if mutated => mutator.next(&mut random).to_vec(),
                    _ => (0..random.below(600)).map(|_| random.bits() as u8).collect(),
                };
                accepted += u32::from(target(&input));
            }
            assert!(accepted > 0, "{name} accepts no input");
        }
    }

    /// Inputs that once failed, in one folder for each target.
    #[test]
    fn past_crashers_are_answered() {
        for (name, target) in TARGETS {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("crashers").join(name);
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
