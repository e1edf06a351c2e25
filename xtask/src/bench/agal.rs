//! AGAL: text, checks, and the evaluator.

use super::timing::seconds;
use super::{Figure, Inputs, plain};
use shisa::agal::{Sequencer, Words};
use shisa::eval::{Batch, Column, NoEnvironment, NoObserver};
use shisa::ir::{Reg, Stage};
use shisa::rows::Line;
use shisa::{File, Language, Listing};
use std::error::Error;
use std::hint::black_box;

pub(super) const TEXT: [&str; 3] = ["agal/decode-print", "agal/assemble", "agal/check"];

impl Inputs {
    pub(super) fn text(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let mut words = Words::new(2, Stage::Fragment);
        let read = |p: &Vec<u8>| shisa::agal::Program::read(p, &self.settings.limits).map(|p| p.tokens);
        let tokens: Vec<_> = self.programs.iter().filter_map(|p| read(p).ok()).flatten().collect();
        let listing = Listing::default();
        let texts = self.programs.iter().map(|p| File::open(p, &self.settings)?.listing(&listing));
        let texts = texts.collect::<Result<Vec<_>, _>>()?;
        let lines: usize = texts.iter().map(|t| t.lines().count()).sum();
        let mut out = Vec::new();
        let [print, assemble, check] = seconds([
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                for t in &tokens {
                    words.print(t, &mut line);
                    line.end();
                }
                drop(line);
                black_box(&out);
            },
            &mut || {
                texts.iter().for_each(|t| {
                    black_box(shisa::assemble(t, Language::Agal, &self.settings).ok());
                });
            },
            &mut || {
                self.programs.iter().for_each(|p| {
                    black_box(File::open(p, &self.settings).and_then(|file| file.check()).ok());
                });
            },
        ]);
        Ok(vec![
            plain(tokens.len() as f64 / print / 1e6, "M-tokens/s"),
            plain(lines as f64 / assemble / 1e6, "M-lines/s"),
            plain(check * 1e6 / self.programs.len() as f64, "µs/program"),
        ])
    }

    /// The evaluator on a vertex program without tracing; a component operation is one operation on one
    /// component of one lane.
    pub(super) fn eval(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let settings = &self.settings;
        const LANES: usize = 4096;
        // Multiplies and additions on whole vectors: each instruction is four component operations.
        let mut source = String::from("// agal 1 vertex\nmov vt0, va0\n");
        for _ in 0..32 {
            source += "mul vt0, vt0, vc0\nadd vt0, vt0, va0\n";
        }
        source += "mov op, vt0\n";
        let program = shisa::assemble(&source, Language::Agal, settings)?;
        let program = shisa::agal::Program::read(&program.bytes, &settings.limits)?;
        let lifted = shisa::agal::lift(&program, &settings.agal).map_err(shisa::Error::from)?;
        let plan = shisa::eval::Program::new(&lifted, &settings.limits)?;
        let sequencer = Sequencer::new(&program, &settings.limits);
        let file = |kind: shisa::agal::RegType| Reg::new(kind.file(), 0);
        let batch = Batch {
            lanes: LANES,
            inputs: vec![Column {
                reg: file(shisa::agal::RegType::ATTRIBUTE),
                units: 4,
                bits: (0..4 * LANES).map(|i| (i as f32 * 0.001).to_bits()).collect(),
            }],
            uniforms: vec![(file(shisa::agal::RegType::CONSTANT), vec![0.5f32.to_bits(); 4])],
            outputs: vec![(file(shisa::agal::RegType::OUTPUT), 4)],
            ..Batch::default()
        };
        let [time] = seconds([&mut || {
            let ran = batch.run(&plan, &sequencer, &mut NoEnvironment, &mut NoObserver, &settings.limits);
            black_box(ran.ok());
        }]);
        let operations = (program.tokens.len() * 4 * LANES) as f64;
        Ok(vec![plain(operations / time / 1e6, "M-component-operations/s")])
    }
}
