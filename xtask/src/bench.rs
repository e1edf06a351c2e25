//! `cargo xtask bench`: the figures, each as name, value, unit and what it is a ratio to.

use crate::vertices;
use naga::back::wgsl::{Writer, WriterFlags};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use serde_json::Value;
use shisa::agal::{AsmOptions, HEADER_BYTES, Sequencer, Words, token::TOKEN_BYTES};
use shisa::eval::{Batch, Column, NoEnvironment, NoObserver, Trace};
use shisa::ir::scalar::Numbers;
use shisa::ir::{Reg, Stage};
use shisa::maxwell::{self, bundle};
use shisa::pica200::container::Shbin;
use shisa::pica200::{self, picasso, word};
use shisa::rows::{Insn, Line, Printer};
use shisa::{ComputeOutput, ComputeRun, Isa, Listing, Lowered, Settings, agx};
use shisa_translate::{
    GlslVersion, Options, Program, ShaderModel, Source, SpirvVersion, Target, naga_module,
};
use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// Rounds of a measurement; a figure is their median.
const ROUNDS: usize = 31;
/// How long one round of one piece of work takes at least.
const ROUND: Duration = Duration::from_millis(8);
/// Tokens of the programs that translation is measured on: real programs have 14 on average.
const AVERAGE: std::ops::RangeInclusive<usize> = 10..=18;

/// Tokens of a program.
fn tokens_of(bytes: &[u8]) -> usize {
    bytes.len().saturating_sub(HEADER_BYTES) / TOKEN_BYTES
}

/// Measure speed, on one thread
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Figures whose names contain one of these; without any all
    names: Vec<String>,
    /// A folder with programs besides those of examples/
    #[arg(long, default_value = "../shared/oracle/agal/bin")]
    corpus: PathBuf,
    /// A folder with `ptx` of Maxwell
    #[arg(long, default_value = "../shared/oracle/maxwell")]
    maxwell: PathBuf,
    /// A folder with `bin` and `run` of PICA200
    #[arg(long, default_value = "../shared/oracle/pica200")]
    pica200: PathBuf,
    /// A folder with `links.jsonl` and `exec.jsonl` of AGX
    #[arg(long, default_value = "../shared/oracle/agx")]
    agx: PathBuf,
}

/// Seconds that one call of each piece of work takes: medians over rounds in which they take turns, so
/// that whatever else the machine does falls on all of them.
fn seconds<const N: usize>(work: [&mut dyn FnMut(); N]) -> [f64; N] {
    seconds_between(work, || {})
}

/// As [`seconds`], with `between` run after each call and not counted: what is made is dropped there.
fn seconds_between<const N: usize>(mut work: [&mut dyn FnMut(); N], mut between: impl FnMut()) -> [f64; N] {
    let mut time = |work: &mut dyn FnMut()| {
        let begun = Instant::now();
        work();
        let time = begun.elapsed();
        between();
        time
    };
    let calls: [u32; N] = std::array::from_fn(|i| {
        let (mut calls, mut total) = (0, Duration::ZERO);
        while total < ROUND {
            total += time(work[i]);
            calls += 1;
        }
        calls
    });
    let mut times: [Vec<f64>; N] = std::array::from_fn(|_| Vec::with_capacity(ROUNDS));
    for _ in 0..ROUNDS {
        for i in 0..N {
            let total: Duration = (0..calls[i]).map(|_| time(work[i])).sum();
            times[i].push(total.as_secs_f64() / f64::from(calls[i]));
        }
    }
    times.map(|mut t| {
        t.sort_by(f64::total_cmp);
        t[ROUNDS / 2]
    })
}

/// The programs that are measured, and what is made of them beforehand.
struct Inputs {
    programs: Vec<Vec<u8>>,
    /// Vertex shaders of PICA200 with their containers, of the kind found in games.
    shaders: Vec<Vec<u8>>,
    /// Code of Maxwell as a compiler writes it, for sm_53.
    code: Vec<u8>,
    /// Linked programs of AGX, one behind the other.
    linked: Vec<u8>,
    /// Compute programs of AGX with their memory.
    runs: Vec<ComputeRun>,
    settings: Settings,
}

impl Bench {
    /// Measures and prints.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let settings = Settings::default();
        let entries = std::fs::read_dir(&self.corpus).into_iter().flatten().flatten();
        let read = entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "agalb"));
        let mut programs = shisa_fuzz_targets::examples();
        programs.extend(read.filter_map(|p| std::fs::read(p).ok()));
        let sound = |p: &Vec<u8>| shisa::check(p, &settings).is_ok_and(|found| found.is_empty());
        programs.retain(|p| sound(p) && Lowered::new(p, &settings).is_ok());
        let average = programs.iter().filter(|p| AVERAGE.contains(&tokens_of(p))).count();
        let (count, machine) = (programs.len(), machine());
        println!(
            "# {machine}; one thread; {count} programs; translate/*: the {average} of {AVERAGE:?} tokens"
        );
        let folder = std::fs::read_dir(self.pica200.join("bin")).into_iter().flatten().flatten();
        let named = folder.filter(|e| e.file_name().to_string_lossy().starts_with("real_")).map(|e| e.path());
        let shaders = named.filter(|p| p.extension().is_some_and(|e| e == "shbin"));
        let vertex = |bytes: &Vec<u8>| {
            let file = Shbin::read(bytes, &settings.limits);
            file.is_ok_and(|f| f.programs.iter().all(|p| p.stage() == Some(Stage::Vertex)))
        };
        let shaders = shaders.filter_map(|p| std::fs::read(p).ok()).filter(vertex).collect();
        let (code, (linked, runs)) = (self.code(&settings), self.agx());
        let inputs = Inputs { programs, shaders, code, linked, runs, settings };
        type Group = fn(&Inputs) -> Result<Vec<Figure>, Box<dyn Error>>;
        let groups: [(&[&str], Group); 6] = [
            (&["agal/decode-print", "agal/assemble", "agal/check"], Inputs::text),
            (&PICA200, Inputs::pica200),
            (&MAXWELL, Inputs::maxwell),
            (&AGX, Inputs::agx),
            (&["eval"], Inputs::eval),
            (&TRANSLATIONS, Inputs::translate),
        ];
        let wanted = |name: &str| self.names.is_empty() || self.names.iter().any(|n| name.contains(n));
        for (names, group) in groups {
            if !names.iter().any(|n| wanted(n)) {
                continue;
            }
            for (name, (value, unit, ratio)) in names.iter().zip(group(&inputs)?) {
                if wanted(name) {
                    println!("{name} {value:.2} {unit} {ratio}");
                }
            }
        }
        for (program, interpreter) in vertices::PROGRAMS {
            let models = [("f32", Numbers::F32), ("f24", Numbers::F24)];
            for (model, float) in models {
                let name = format!("pica200/eval/{program}/{model}");
                if wanted(&name) {
                    let options = pica200::Options { float, ..pica200::Options::default() };
                    let work = vertices::Work::read(&self.pica200, program)?;
                    let [time] = work.with(&options, |run| seconds([run]))?;
                    let speed = vertices::VERTICES as f64 / time / 1e6;
                    let ratio = speed / interpreter;
                    println!("{name} {speed:.2} M-vertices/s {ratio:.2} of Azahar's interpreter");
                }
            }
        }
        Ok(true)
    }
}

impl Bench {
    /// The code of all kernels compiled for sm_53.
    fn code(&self, settings: &Settings) -> Vec<u8> {
        let mut code = Vec::new();
        for level in ["O0", "O3"] {
            let path = self.maxwell.join(format!("ptx/kernels_sm_53-{level}.cubin.zst"));
            let Ok(bytes) = crate::oracle::maxwell::unpacked(&path) else { continue };
            if let Ok(cubin) = maxwell::container::Cubin::read(&bytes, &settings.limits) {
                cubin.functions.iter().for_each(|f| code.extend_from_slice(f.code));
            }
        }
        code
    }
}

impl Bench {
    /// The code of all linked programs of AGX, and the compute programs with their memory.
    fn agx(&self) -> (Vec<u8>, Vec<ComputeRun>) {
        let lines = |name: &str| std::fs::read_to_string(self.agx.join(name)).unwrap_or_default();
        let code = |line: &str| {
            let case: Value = serde_json::from_str(line).ok()?;
            shisa::rows::source::hex_bytes(case.get("linked")?.get("code")?.as_str()?)
        };
        let linked = lines("links.jsonl").lines().filter_map(code).flatten().collect();
        let runs = lines("exec.jsonl")
            .lines()
            .filter_map(|line| ComputeRun::from_json(line).ok())
            .flatten()
            .collect();
        (linked, runs)
    }
}

/// Value, unit, and what it is a ratio to (`-` for nothing).
type Figure = (f64, &'static str, String);

/// A figure that is a ratio to nothing.
fn plain(value: f64, unit: &'static str) -> Figure {
    (value, unit, "-".to_owned())
}

const PICA200: [&str; 5] = [
    "pica200/assemble",
    "pica200/decode-print",
    "pica200/translate/wgsl",
    "pica200/translate/spirv",
    "pica200/translate/average",
];

const MAXWELL: [&str; 5] =
    ["maxwell/decode", "maxwell/dis", "maxwell/listing", "maxwell/asm", "maxwell/image"];

const AGX: [&str; 5] = ["agx/decode", "agx/decode-print", "agx/run", "agx/run-traced", "agx/lift-plan"];

/// Steps that a trace keeps in `agx/run-traced`.
const TRACED: usize = 1000;

/// Bytes of the image of `maxwell/image`.
const IMAGE: usize = 9_600_000;

const TRANSLATIONS: [&str; 8] = [
    "translate/ours",
    "translate/naga",
    "translate/wgsl",
    "translate/glsl",
    "translate/hlsl",
    "translate/msl",
    "translate/spirv",
    "translate/all-targets",
];

/// The model of the processor, as the system tells it.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|(_, m)| m));
    model.unwrap_or("unknown processor").to_owned()
}

impl Inputs {
    /// A vertex shader of a hundred lines and some fifty words, with calls, a loop and branches: assembling
    /// it, its words as text, and its translation from the bytes of its container.
    fn pica200(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        const TEXT: &str = include_str!("../../examples/figure.v.pica");
        let source = picasso::Source { name: "figure.v.pica", text: TEXT };
        let options = picasso::Options::default();
        let assemble = || shisa::assemble_picasso(&[source], &options, &self.settings);
        let done = assemble();
        let file = done.shbin.as_ref().ok_or("the example does not assemble")?;
        let descriptor = |code: u32| file.descriptors.get(word::descriptor(code)?).map(|d| d.bits);
        let words: Vec<_> = file.code.iter().map(|code| (*code, descriptor(*code).unwrap_or(0))).collect();
        let (shown, mut out) = (shisa::pica200::Words::default(), Vec::new());
        let bytes = file.write(&self.settings.limits)?;
        let to = |target| shisa::translate(&bytes, target, &Options::default(), &self.settings);
        to(Target::Wgsl)?;
        to(Target::Spirv(SpirvVersion::default()))?;
        let words_of = |b: &Vec<u8>| Shbin::read(b, &self.settings.limits).map_or(0, |f| f.code.len());
        let average: usize = self.shaders.iter().map(words_of).sum();
        let [time, print, wgsl, spirv, real] = seconds([
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
                    let options = Options::default();
                    black_box(shisa::translate(bytes, Target::Wgsl, &options, &self.settings).ok());
                }
            },
        ]);
        let about = format!("{} lines, {} words", TEXT.lines().count(), words.len());
        let micros = |seconds: f64| (seconds * 1e6, "us/shader", about.clone());
        let print = plain(words.len() as f64 / print / 1e6, "M-words/s");
        let kind = format!("to WGSL, of {} vertex shaders with {average} words", self.shaders.len());
        let real = (real * 1e6 * 50.0 / average.max(1) as f64, "us/50 words", kind);
        Ok(vec![micros(time), print, micros(wgsl), micros(spirv), real])
    }

    /// Instructions of compiled kernels: decoding alone, to nvdisasm's text, as default listings, and from those
    /// back; and an image of 9.6 MB as nvdisasm prints it.
    fn maxwell(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.code.is_empty() {
            return Err("there is no code of Maxwell".into());
        }
        let (chip, limits) = (maxwell::Chip::Sm53, &self.settings.limits);
        let ctx = maxwell::Ctx { chip, ..maxwell::Ctx::default() };
        let words: Vec<u128> = self
            .code
            .chunks_exact(bundle::BUNDLE_BYTES)
            .flat_map(|b| bundle::fuse(bundle::words(b)))
            .collect();
        let image: Vec<u8> = self.code.iter().copied().cycle().take(IMAGE / 32 * 32).collect();
        let layout = maxwell::text::Layout::raw(chip, self.code.len());
        let list = || maxwell::text::disassemble(&self.code, &layout, &Default::default(), limits);
        let options = maxwell::text::NvdisasmOptions { novliw: true, hex: false };
        let listing = list()?;
        let assemble = || maxwell::text::assemble(&listing, &Default::default(), limits);
        let (mut printer, mut out) = (Printer::new(), Vec::new());
        let [decode, dis, listed, asm, whole] = seconds([
            &mut || {
                black_box(words.iter().filter(|w| maxwell::decode(**w, ctx).is_ok()).count());
            },
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                for insn in words.iter().filter_map(|w| maxwell::decode(*w, ctx).ok()) {
                    printer.print(&insn, ctx, &mut line);
                    line.end();
                }
                drop(line);
                black_box(&out);
            },
            &mut || drop(black_box(list())),
            &mut || drop(black_box(assemble())),
            &mut || drop(black_box(maxwell::text::nvdisasm(&image, chip, &options, limits))),
        ]);
        let speed = |seconds: f64| {
            let speed = words.len() as f64 / seconds / 1e6;
            (speed, "M-instructions/s", format!("{:.2} of maxwell/decode", decode / seconds))
        };
        let size = format!("of {} MB", image.len() as f64 / 1e6);
        Ok(vec![speed(decode), speed(dis), speed(listed), speed(asm), (whole * 1e3, "ms", size)])
    }

    fn agx(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        if self.linked.is_empty() || self.runs.is_empty() {
            return Err("there is no code of AGX".into());
        }
        let ctx = agx::Ctx { syntax: agx::Syntax::Mesa, ..agx::Ctx::default() };
        let each = |f: &mut dyn FnMut(&Insn<agx::Agx>)| {
            let mut at = 0;
            while let Some(insn) = self.linked.get(at..).and_then(agx::fetch) {
                at += agx::length(&insn);
                f(&insn);
            }
        };
        let mut count = 0usize;
        each(&mut |_| count += 1);
        let (mut printer, mut out) = (Printer::new(), Vec::new());
        let [decode, print] = seconds([
            &mut || {
                let mut count = 0usize;
                each(&mut |_| count += 1);
                black_box(count);
            },
            &mut || {
                out.clear();
                let mut line = Line::new(&mut out);
                each(&mut |insn| {
                    printer.print(insn, ctx, &mut line);
                    line.end();
                });
                drop(line);
                black_box(&out);
            },
        ]);
        // A run is a whole dispatch: memory made and filled, the preamble, all groups. Lifting and planning are done
        // once for each program.
        let [mut untraced, mut traced, mut plans] = [const { Vec::new() }; 3];
        for run in &self.runs {
            let begun = Instant::now();
            let code = shisa::ComputeCode::new(&run.program, &self.settings)?;
            let plan = code.plan(&self.settings)?;
            plans.push(begun.elapsed().as_secs_f64() * 1e6);
            let mut waves = plan.waves();
            untraced.push(Self::dispatches(|| plan.run(&mut waves, run, &mut NoObserver, &self.settings))?);
            let mut trace = Trace::new(TRACED);
            traced.push(Self::dispatches(|| plan.run(&mut waves, run, &mut trace, &self.settings))?);
        }
        let median = |mut figures: Vec<f64>| {
            figures.sort_by(f64::total_cmp);
            figures.get(figures.len() / 2).copied().unwrap_or_default()
        };
        let [untraced, traced, plan] = [untraced, traced, plans].map(median);
        let speed = |seconds: f64| {
            let ratio = format!("{:.2} of agx/decode", decode / seconds);
            (count as f64 / seconds / 1e6, "M-instructions/s", ratio)
        };
        let note = format!("dispatches of planned programs, median of {}", self.runs.len());
        let kept = format!("the latest {TRACED} steps kept");
        Ok(vec![
            speed(decode),
            speed(print),
            (untraced, "M-lane-instructions/s", note),
            (traced, "M-lane-instructions/s", kept),
            plain(plan, "µs/program"),
        ])
    }

    /// Millions of lane-instructions a second, of dispatches one behind the other.
    fn dispatches(mut run: impl FnMut() -> Result<ComputeOutput, shisa::Error>) -> Result<f64, shisa::Error> {
        let (begun, mut executed) = (Instant::now(), 0);
        while begun.elapsed() < ROUND {
            executed += black_box(run()?).executed;
        }
        Ok(executed as f64 / begun.elapsed().as_secs_f64() / 1e6)
    }

    fn text(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let mut words = Words::new(2, Stage::Fragment);
        let read = |p: &Vec<u8>| shisa::agal::Program::read(p, &self.settings.limits).map(|p| p.tokens);
        let tokens: Vec<_> = self.programs.iter().filter_map(|p| read(p).ok()).flatten().collect();
        let listing = Listing { isa: Some(Isa::Agal), ..Listing::default() };
        let texts = self.programs.iter().map(|p| shisa::disassemble(p, &listing, &self.settings));
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
                    black_box(shisa::assemble(t, &AsmOptions::default(), &self.settings).ok());
                });
            },
            &mut || {
                self.programs.iter().for_each(|p| {
                    black_box(shisa::check(p, &self.settings).ok());
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
    fn eval(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let settings = &self.settings;
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

    /// Our share of a translation (bytes to naga module) beside naga's (validation, WGSL), and whole
    /// translations to each language.
    fn translate(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let (settings, options) = (&self.settings, &Options::default());
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
            Ok(naga_module::build(&program, Target::Wgsl, options, &settings.limits)?)
        };
        let programs: Vec<_> = self.programs.iter().filter(|p| AVERAGE.contains(&tokens_of(p))).collect();
        let modules = programs.iter().map(|p| module(p)).collect::<Result<Vec<_>, _>>()?;
        let mut text = String::new();
        let to = |target| {
            let programs = &programs;
            move || {
                programs.iter().for_each(|p| {
                    black_box(shisa::translate(p, target, options, settings).ok());
                });
            }
        };
        let (made, checked) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let work: [&mut dyn FnMut(); 7] = [
            &mut || made.borrow_mut().extend(programs.iter().map(|p| module(p).ok())),
            &mut || {
                for m in &modules {
                    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
                    let Ok(info) = validator.validate(m) else { continue };
                    text.clear();
                    black_box(Writer::new(&mut text, WriterFlags::empty()).write(m, &info).ok());
                    checked.borrow_mut().push(info);
                }
            },
            &mut to(Target::Wgsl),
            &mut to(Target::Glsl(GlslVersion::default())),
            &mut to(Target::Hlsl(ShaderModel::default())),
            &mut to(Target::Msl),
            &mut to(Target::Spirv(SpirvVersion::default())),
        ];
        let [ours, naga, wgsl, glsl, hlsl, msl, spirv] = seconds_between(work, || {
            made.borrow_mut().clear();
            checked.borrow_mut().clear();
        });
        let micros = |s: f64| s * 1e6 / programs.len().max(1) as f64;
        let one = |s: f64| plain(micros(s), "µs/program");
        let of_naga = |s: f64| (micros(s), "µs/program", format!("{:.2} of translate/naga", s / naga));
        let mut figures = vec![of_naga(ours), one(naga), of_naga(wgsl)];
        figures.extend([glsl, hlsl, msl, spirv, wgsl + glsl + hlsl + msl + spirv].map(one));
        Ok(figures)
    }
}
