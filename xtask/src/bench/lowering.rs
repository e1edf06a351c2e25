//! Maxwell: translation.

use super::timing::seconds;
use super::{Figure, Inputs};
use crate::opened::first;
use shisa::Settings;
use shisa_translate::{Options, SpirvVersion, Target, Translator};
use std::error::Error;
use std::hint::black_box;

pub(super) const NAMES: [&str; 2] = ["maxwell/translate-spirv", "maxwell/translate-wgsl"];

/// Instructions of the shader whose time is shown.
const INSTRUCTIONS: f64 = 200.0;
/// Instructions of a bundle, and its bytes.
const BUNDLE: (f64, f64) = (3.0, 32.0);

impl Inputs {
    /// The compute shaders of uam, from the bytes to the code, one after another with one translator: the time of 200
    /// instructions.
    pub(super) fn lowering(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let settings = Settings::default();
        let to = |with: &mut Translator, dksh: &[u8], target| {
            first(dksh, &settings)
                .and_then(|program| program.translate_with(with, target, &Options::default()))
        };
        let [spirv, wgsl] = [Target::Spirv(SpirvVersion::V1_3), Target::Wgsl];
        let both = |dksh: &&Vec<u8>| {
            [spirv, wgsl].into_iter().all(|target| to(&mut Translator::new(), dksh, target).is_ok())
        };
        let shaders: Vec<_> = self.dksh.iter().filter(both).collect();
        let bytes = |dksh: &Vec<u8>| {
            let program = first(dksh, &settings).and_then(|program| program.extract());
            program.map_or(0, |code| code.len())
        };
        let code: usize = shaders.iter().map(|dksh| bytes(dksh)).sum();
        let all = |target| {
            let (shaders, to, mut with) = (&shaders, &to, Translator::new());
            move || shaders.iter().for_each(|dksh| drop(black_box(to(&mut with, dksh, target))))
        };
        let times = seconds([&mut all(spirv), &mut all(wgsl)]);
        let instructions = code as f64 / BUNDLE.1 * BUNDLE.0;
        let text = format!("for {INSTRUCTIONS} instructions, of {} shaders", shaders.len());
        Ok(times.map(|s| (s * 1e6 / instructions.max(1.0) * INSTRUCTIONS, "µs", text.clone())).into())
    }
}
