//! PICA200: text and translation.

use super::timing::seconds;
use super::{Figure, Inputs, plain};
use crate::opened::first;
use shisa::Program;
use shisa::pica200::container::Shbin;
use shisa::pica200::{picasso, word};
use shisa::rows::Line;
use shisa_translate::{Options, SpirvVersion, Target, Translator};
use std::error::Error;
use std::hint::black_box;

pub(super) const NAMES: [&str; 5] = [
    "pica200/assemble",
    "pica200/decode-print",
    "pica200/translate/wgsl",
    "pica200/translate/spirv",
    "pica200/translate/average",
];

impl Inputs {
    /// A vertex shader of a hundred lines and some fifty words, with calls, a loop and branches: assembling
    /// it, its words as text, and its translation from the bytes of its container.
    pub(super) fn pica200(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        const TEXT: &str = include_str!("../../../examples/figure.v.pica");
        let source = picasso::Source { name: "figure.v.pica", text: TEXT };
        let options = picasso::Options::default();
        let assemble = || picasso::assemble(&[source], &options, &self.settings.limits);
        let done = assemble();
        let file = done.shbin.as_ref().ok_or("the example does not assemble")?;
        let descriptor = |code: u32| file.descriptors.get(word::descriptor(code)?).map(|d| d.bits);
        let words: Vec<_> = file.code.iter().map(|code| (*code, descriptor(*code).unwrap_or(0))).collect();
        let (shown, mut out) = (shisa::pica200::Words::default(), Vec::new());
        let bytes = file.write(&self.settings.limits)?;
        let translate =
            |bytes: &[u8], target| first(bytes, &self.settings)?.translate(target, &Options::default());
        let to = |target| translate(&bytes, target);
        to(Target::Wgsl)?;
        to(Target::Spirv(SpirvVersion::default()))?;
        let words_of = |b: &Vec<u8>| Shbin::read(b, &self.settings.limits).map_or(0, |f| f.code.len());
        let average: usize = self.shaders.iter().map(words_of).sum();
        let mut translator = Translator::new();
        let [time, print, wgsl, spirv, real, later] = seconds([
            &mut || drop(black_box(assemble())),
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                for (code, descriptor) in &words {
                    shown.print(*code, *descriptor, &mut line);
                    line.end();
                }
                drop(line);
                black_box(&out);
            },
            &mut || drop(black_box(to(Target::Wgsl))),
            &mut || drop(black_box(to(Target::Spirv(SpirvVersion::default())))),
            &mut || {
                for bytes in &self.shaders {
                    black_box(translate(bytes, Target::Wgsl).ok());
                }
            },
            &mut || {
                for bytes in &self.shaders {
                    let program = first(bytes, &self.settings);
                    let with =
                        |p: Program<'_>| p.translate_with(&mut translator, Target::Wgsl, &Options::default());
                    black_box(program.and_then(with).ok());
                }
            },
        ]);
        let about = format!("{} lines, {} words", TEXT.lines().count(), words.len());
        let micros = |seconds: f64| (seconds * 1e6, "us/shader", about.clone());
        let print = plain(words.len() as f64 / print / 1e6, "M-words/s");
        let of_fifty = |seconds: f64| seconds * 1e6 * 50.0 / average.max(1) as f64;
        let (shaders, later) = (self.shaders.len(), of_fifty(later));
        let kind = format!(
            "to WGSL, of {shaders} vertex shaders with {average} words; {later:.2} in the memory of those before"
        );
        let real = (of_fifty(real), "us/50 words", kind);
        Ok(vec![micros(time), print, micros(wgsl), micros(spirv), real])
    }
}
