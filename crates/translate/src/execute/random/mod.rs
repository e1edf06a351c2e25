//! Random programs, their expected results, and whether a device computes them.

mod generate;
mod interpret;

pub use generate::{Generated, UNIFORMS, program};
pub use interpret::{Outcome, run};

use super::{Device, Resources};
use crate::{Form, Options, Program, Target};
use shisa_diag::Limits;

/// Lanes that each program runs on.
const LANES: usize = 64;

/// Generates the program of a seed, runs its translation on the device and compares bit for bit, except for the
/// payload of NaN and the sign of zero. Returns how many lanes agree. Lanes about which targets guarantee less
/// ([`Outcome::doubtful`]; in text languages also [`Outcome::infinite`]) are left out.
///
/// # Errors
/// What the translator or the device refuses; the first lane that differs.
pub fn agree(device: &Device, target: Target, seed: u64) -> Result<usize, String> {
    let mut random = Random::new(seed);
    let generated = program(&mut random);
    let uniforms: Vec<_> = (0..UNIFORMS).map(|_| random.register()).collect();
    let lanes: Vec<Vec<_>> = (0..LANES).map(|_| (0..4).map(|_| random.register()).collect()).collect();
    let options = Options { form: Form::Compute, exact: true, ..Options::default() };
    let Generated { func, tree, interface } = &generated;
    let output = crate::translate(
        &Program { func, tree, interface, source: &[] },
        target,
        &options,
        &Limits::default(),
    );
    let output = output.map_err(|d| format!("seed {seed}: {d:?}"))?;
    let resources = Resources { uniforms: std::slice::from_ref(&uniforms), ..Resources::default() };
    let results = device.lanes(&output, resources, &lanes)?;
    let text = !matches!(target, Target::Spirv(_));
    let mut certain = 0;
    for (lane, (input, result)) in lanes.iter().zip(&results).enumerate() {
        let expected = run(&generated, input, &uniforms).ok_or("a program does not end")?;
        if expected.doubtful || text && expected.infinite {
            continue;
        }
        let mut outputs = expected.outputs.iter().flatten().zip(result.outputs.iter().flatten());
        if !outputs.all(|(&a, &b)| same(a, b)) || result.killed != expected.killed {
            return Err(format!(
                "{target:?} seed {seed} lane {lane}: expected {expected:x?}, got {result:x?}"
            ));
        }
        certain += 1;
    }
    Ok(certain)
}

/// Equal, or both NaN, or both zero.
pub fn same(a: u32, b: u32) -> bool {
    let nan = |x: u32| x & 0x7fff_ffff > 0x7f80_0000;
    a == b || nan(a) && nan(b) || (a | b) & 0x7fff_ffff == 0
}

/// A small random number generator.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The generator for a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678_9abc_def1)
    }

    /// The next number.
    #[expect(clippy::should_implement_trait, reason = "it never ends and is no iterator")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 ^ (self.0 >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 3
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 7) as usize % n.max(1)
    }

    /// An element of a list that is not empty.
    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A register: plain numbers, small integers, special values, noise.
    pub fn register(&mut self) -> [u32; 4] {
        core::array::from_fn(|_| {
            let noise = self.next() as u32;
            match self.below(8) {
                0 => noise,
                1 => noise % 64,
                2 => self.pick(&[0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x7f7f_ffff]),
                _ => ((noise as i32 >> 16) as f32 / 64.0).to_bits(),
            }
        })
    }
}
