//! What must hold for any bytes.
//!
//! Each function takes bytes and panics when something that was promised does not hold. The fuzz targets
//! of `fuzz/` and `cargo xtask campaign` call them, and so do the tests below, on a thousand inputs each.

mod mutate;
mod picasso;
mod random;
mod shape;
mod shbin;
mod targets;

pub use mutate::{Mutator, examples};
pub use picasso::picasso;
pub use random::Random;
pub use shape::program;
pub use shbin::shbin;
pub use targets::{asm, check, dis_roundtrip, pica200_run, run, swf, translate};

/// Answers whether the input was accepted; panics when something promised does not hold.
pub type Target = fn(&[u8]) -> bool;

/// Every target with its name.
pub const TARGETS: &[(&str, Target)] = &[
    ("dis_roundtrip", dis_roundtrip),
    ("asm", asm),
    ("check", check),
    ("run", run),
    ("translate", translate),
    ("swf", swf),
    ("picasso", picasso),
    ("pica200_run", pica200_run),
    ("shbin", shbin),
];

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the inputs are noise, half are mutated programs.
    fn inputs(target: Target) {
        let mut random = Random::new(1);
        let mut mutator = Mutator::new();
        for i in 0..1_000 {
            if i % 2 == 0 {
                let len = random.below(600);
                let noise: Vec<u8> = (0..len).map(|_| random.bits() as u8).collect();
                target(&noise);
            } else {
                target(mutator.next(&mut random));
            }
        }
    }

    #[test]
    fn dis_roundtrip_holds() {
        inputs(dis_roundtrip);
    }

    #[test]
    fn asm_holds() {
        inputs(asm);
        let mut random = Random::new(2);
        for _ in 0..1_000 {
            asm(mutate::text(&mut random).as_bytes());
        }
    }

    #[test]
    fn check_holds() {
        inputs(check);
    }

    #[test]
    fn run_holds() {
        inputs(run);
    }

    #[test]
    fn translate_holds() {
        inputs(translate);
    }

    #[test]
    fn swf_holds() {
        inputs(swf);
    }

    #[test]
    fn pica200_run_holds() {
        inputs(pica200_run);
        let mut random = Random::new(4);
        let bytes = || (0..8 * 6).map(|_| random.bits() as u8).collect::<Vec<_>>();
        let ran = std::iter::repeat_with(bytes).take(200).filter(|data| pica200_run(data)).count();
        assert!(ran > 50, "programs that nothing accepts test little: {ran}");
    }

    #[test]
    fn mutated_programs_often_run() {
        let (mut random, mut mutator) = (Random::new(3), Mutator::new());
        let settings = shisa::Settings::default();
        let ran = (0..200).filter(|_| {
            let bytes = mutator.next(&mut random);
            shisa::Lowered::new(bytes, &settings).is_ok()
        });
        assert!(ran.count() > 50, "mutations that nothing accepts test little");
    }
}
