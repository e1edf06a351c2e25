//! Maxwell: translation.

use super::dispatches::at;
use super::timing::seconds;
use super::{Figure, Inputs};
use crate::opened::first;
use shisa::Settings;
use shisa_translate::{Options, SpirvVersion, Target, Translator};
use std::error::Error;
use std::hint::black_box;
use std::time::Instant;

pub(super) const NAMES: [&str; 3] =
    ["maxwell/translate-spirv", "maxwell/translate-wgsl", "maxwell/translate-kernels"];

/// Instructions of the shader whose time is shown.
const INSTRUCTIONS: f64 = 200.0;
/// Instructions of the kernels that are about as long as that shader.
const LIKE: std::ops::Range<f64> = 150.0..250.0;
/// Translations of a single program, the fastest of which counts.
const ROUNDS: usize = 30;
/// Instructions of a bundle, and its bytes.
const BUNDLE: (f64, f64) = (3.0, 32.0);

impl Inputs {
    /// From the bytes to the code, one program after another with one translator: the time of 200 instructions. The
    /// compute shaders of uam have some 50 each, so that what each program costs counts four times. The kernels of CUDA
    /// have about 200 each, and go to SPIR-V.
    pub(super) fn lowering(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let settings = Settings::default();
        let to = |with: &mut Translator, file: &[u8], target| {
            first(file, &settings)
                .and_then(|program| program.translate_with(with, target, &Options::default()))
        };
        let [spirv, wgsl] = [Target::Spirv(SpirvVersion::V1_3), Target::Wgsl];
        let both = |file: &&Vec<u8>| {
            [spirv, wgsl].into_iter().all(|target| to(&mut Translator::new(), file, target).is_ok())
        };
        let instructions = |file: &Vec<u8>| {
            let program = first(file, &settings).and_then(|program| program.extract());
            program.map_or(0, |code| code.len()) as f64 / BUNDLE.1 * BUNDLE.0
        };
        let shaders: Vec<_> = self.dksh.iter().filter(both).collect();
        let like = self.cubins.iter().filter(|file| LIKE.contains(&instructions(file)));
        let kernels: Vec<_> = like.filter(both).collect();
        let all = |files, target| {
            let (files, to, mut with): (&Vec<&Vec<u8>>, _, _) = (files, &to, Translator::new());
            move || files.iter().for_each(|file| drop(black_box(to(&mut with, file, target))))
        };
        let times = seconds([&mut all(&shaders, spirv), &mut all(&shaders, wgsl), &mut all(&kernels, spirv)]);
        let figures = times.into_iter().zip([&shaders, &shaders, &kernels]).map(|(seconds, files)| {
            let sum: f64 = files.iter().map(|file| instructions(file)).sum();
            let text = format!("for {INSTRUCTIONS} instructions, of {} programs of {sum}", files.len());
            (seconds * 1e6 / sum.max(1.0) * INSTRUCTIONS, "µs", text)
        });
        let mut figures: Vec<Figure> = figures.collect();
        if let Some((.., text)) = figures.last_mut() {
            let mut with = Translator::new();
            let each = kernels.iter().map(|file| {
                let best = (0..ROUNDS).map(|_| {
                    let start = Instant::now();
                    drop(black_box(to(&mut with, file, spirv)));
                    start.elapsed().as_secs_f64()
                });
                best.fold(f64::INFINITY, f64::min) * 1e6 / instructions(file).max(1.0) * INSTRUCTIONS
            });
            let each: Vec<f64> = each.collect();
            let [low, middle, high] = [0.25, 0.5, 0.75].map(|share| at(&each, share));
            text.push_str(&format!(
                "; quartiles of the single programs' best times {low:.0}, {middle:.0}, {high:.0}"
            ));
        }
        Ok(figures)
    }
}
