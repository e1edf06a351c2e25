//! `cargo xtask bench`: the figures, each as name, value, unit and what it is a ratio to.

use naga::back::wgsl::{Writer, WriterFlags};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use shisa::agal::{AsmOptions, Sequencer, Words};
use shisa::eval::{Batch, Column, NoEnvironment, NoObserver};
use shisa::ir::{Reg, Stage};
use shisa::{Isa, Listing, Lowered, Settings};
use shisa_translate::{Options, Program, Source, Target, naga_module};
use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long each figure is measured.
const TIME: Duration = Duration::from_millis(400);

/// Measure speed, on one thread
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Figures whose names contain one of these; without any all
    names: Vec<String>,
}

/// Seconds that one call takes: the best of several rounds, which other work on the machine disturbs least.
fn seconds(mut f: impl FnMut()) -> f64 {
    f();
    let begun = Instant::now();
    let mut best = f64::INFINITY;
    while begun.elapsed() < TIME {
        let round = Instant::now();
        let mut calls = 0u32;
        while round.elapsed() < TIME / 20 {
            f();
            calls += 1;
        }
        best = best.min(round.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let settings = Settings::default();
        let programs = shisa_fuzz_targets::examples();
        let tokens: usize = programs.iter().map(|p| (p.len() - 7) / 24).sum();
        if self.wants("print") {
            self.print(&programs);
        }
        if self.wants("assemble") {
            let listing = Listing { isa: Some(Isa::Agal), ..Listing::default() };
            let texts = programs.iter().map(|p| shisa::disassemble(p, &listing, &settings));
            let texts = texts.collect::<Result<Vec<_>, _>>()?;
            let time = seconds(|| {
                texts.iter().for_each(|t| {
                    black_box(shisa::assemble(t, &AsmOptions::default(), &settings).ok());
                });
            });
            println!("agal-assemble {:.2} M-lines/s -", tokens as f64 / time / 1e6);
        }
        if self.wants("eval") {
            eval(&settings)?;
        }
        if self.wants("translate") {
            translate(&programs, tokens, &settings)?;
        }
        Ok(true)
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| name.contains(n.as_str()) || n.contains(name))
    }

    fn print(&self, programs: &[Vec<u8>]) {
        let words = Words::new(2, Stage::Fragment);
        let read = |p: &Vec<u8>| shisa::agal::Program::read(p, &Default::default()).map(|p| p.tokens);
        let tokens: Vec<_> = programs.iter().filter_map(|p| read(p).ok()).flatten().collect();
        let mut out = Vec::new();
        let time = seconds(|| {
            out.clear();
            for t in &tokens {
                words.print(t, &mut out);
                out.push(b'\n');
            }
            black_box(&out);
        });
        println!("agal-decode-print {:.1} M-tokens/s -", tokens.len() as f64 / time / 1e6);
    }
}

/// The evaluator on a vertex program without tracing; a component operation is one operation on one
/// component of one lane.
fn eval(settings: &Settings) -> Result<(), Box<dyn Error>> {
    const LANES: usize = 4096;
    // Multiplies and additions on whole vectors: each instruction is four component operations.
    let mut source = String::from("// agal 1 vertex\nmov vt0, va0\n");
    for _ in 0..32 {
        source += "mul vt0, vt0, vc0\nadd vt0, vt0, va0\n";
    }
    source += "mov op, vt0\n";
    let program = shisa::assemble(&source, &AsmOptions::default(), settings)?;
    let program = shisa::agal::Program::read(&program.bytes, &settings.limits)?;
    let lifted = shisa::agal::lift(&program, &settings.agal).map_err(shisa::Error::from)?;
    let plan = shisa::eval::Program::new(&lifted, &settings.limits)?;
    let sequencer = Sequencer { end: program.tokens.len() as u32 };
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
    let time = seconds(|| {
        let ran = batch.run(&plan, &sequencer, &mut NoEnvironment, &mut NoObserver, &settings.limits);
        black_box(ran.ok());
    });
    let operations = (program.tokens.len() * 4 * LANES) as f64;
    println!("agal-eval {:.0} M-component-operations/s -", operations / time / 1e6);
    Ok(())
}

/// Our share of a translation beside naga's, in the same run.
fn translate(programs: &[Vec<u8>], tokens: usize, settings: &Settings) -> Result<(), Box<dyn Error>> {
    let options = Options::default();
    let module = |bytes: &Vec<u8>| -> Result<naga::Module, shisa::Error> {
        let lowered = Lowered::new(bytes, settings)?;
        let results = lowered.results();
        let source: Vec<Source<'_>> = results.iter().map(|result| Source { text: "", result }).collect();
        let program = Program {
            func: &lowered.func,
            tree: &lowered.tree,
            interface: &lowered.interface,
            source: &source,
        };
        Ok(naga_module::build(&program, Target::Wgsl, &options, &settings.limits)?)
    };
    let modules = programs.iter().map(module).collect::<Result<Vec<_>, _>>()?;
    let ours = seconds(|| {
        programs.iter().for_each(|p| {
            black_box(module(p).ok());
        });
    });
    let mut text = String::new();
    let nagas = seconds(|| {
        for m in &modules {
            let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
            let Ok(info) = validator.validate(m) else { continue };
            text.clear();
            black_box(Writer::new(&mut text, WriterFlags::empty()).write(m, &info).ok());
        }
    });
    let programs = programs.len() as f64;
    let average = tokens as f64 / programs;
    let micros = |s: f64| s * 1e6 / programs;
    println!("naga-validate-wgsl {:.1} µs/program -", micros(nagas));
    println!("agal-to-naga-module {:.1} µs/program {:.2}×naga-validate-wgsl", micros(ours), ours / nagas);
    let total = (ours + nagas) * 1e6 / tokens as f64 * 14.0;
    println!("agal-to-wgsl-14-tokens {total:.1} µs - (from programs of {average:.1} tokens)");
    Ok(())
}
