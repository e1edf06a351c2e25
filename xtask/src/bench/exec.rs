//! Speed of the batch engine on vertex programs of PICA200, beside the evaluator and an emulator's compiled code.

use super::buffers::Buffers;
use super::device;
use super::timing::all_seconds;
use crate::vertices::{PEERS, Peer, VERTICES, Work, unlimited};
use shisa::data::batch::{Floats, HostLevel, Precision, Program, Runner, Start};
use shisa::pica200::{Options, Sequencer};
use shisa_translate::execute::Device;
use std::error::Error;
use std::path::Path;

/// Vertices of a small draw.
const DRAW: usize = 16;
/// Lanes of a chunk of machine code.
const CHUNK: usize = 16;

/// The inputs and outputs of the vertices of a program.
fn buffers(work: &Work) -> Buffers {
    let batch = work.batch();
    let inputs = batch.inputs.iter().map(|column| (column.reg, column.units)).collect();
    let vertex = |lane: usize| batch.inputs.iter().filter_map(move |column| column.lane(lane)).flatten();
    let data = (0..batch.lanes).flat_map(vertex).copied().collect();
    Buffers::new(inputs, batch.outputs.clone(), data, batch.lanes)
}

/// How a program runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Batch,
    Code(HostLevel),
}

impl Kind {
    /// All that this processor has, the best one last.
    fn available() -> impl Iterator<Item = Kind> {
        let levels = [HostLevel::Avx2, HostLevel::Avx512].into_iter().filter(|level| level.is_available());
        std::iter::once(Kind::Batch).chain(levels.map(Kind::Code))
    }

    fn name(self) -> &'static str {
        match self {
            Kind::Batch => "batch",
            Kind::Code(HostLevel::Avx512) => "jit-avx512",
            Kind::Code(_) => "jit-avx2",
        }
    }

    fn program(
        self,
        compile: &dyn Fn() -> Result<Program, Box<dyn Error>>,
    ) -> Result<Program, Box<dyn Error>> {
        let mut program = compile()?;
        if let Kind::Code(level) = self {
            program.add_machine_code_for(level, &unlimited())?;
        }
        Ok(program)
    }
}

/// The figures of an engine.
struct Engine {
    kind: Kind,
    /// Million vertices a second: all of them in one call, and in calls of [`DRAW`].
    whole: f64,
    draws: f64,
    /// Microseconds to compile the program, from the words of its file on.
    compilation: f64,
    /// Bytes of machine code, and the share of vertices that it leaves.
    bytes: usize,
    left: f64,
}

/// An engine that is measured: its runs of all vertices, and its runs of small draws.
struct Subject {
    kind: Kind,
    whole: (Runner, Buffers),
    draws: (Runner, Buffers),
    bytes: usize,
    left: f64,
}

impl Subject {
    fn new(work: &Work, kind: Kind, program: &Program) -> Result<Subject, Box<dyn Error>> {
        let runner = || {
            let mut runner = program.runner();
            runner.set_limits(unlimited());
            for (first, bits) in &work.batch().uniforms {
                runner.set_uniforms(*first, bits);
            }
            (runner, buffers(work))
        };
        let (mut whole, draws) = (runner(), runner());
        // A run that fails in a measurement failed here before.
        whole.1.run(&mut whole.0, VERTICES)?;
        let left = whole.0.left_chunks() as f64 * CHUNK as f64 / VERTICES as f64;
        Ok(Subject { kind, whole, draws, bytes: program.machine_code().unwrap_or(0), left })
    }
}

/// Measures all engines and the evaluator, alternating. Returns the engines, and million vertices a second of the evaluator.
fn speed(
    work: &Work,
    (options, precision): (&Options, Precision),
) -> Result<(Vec<Engine>, f64), Box<dyn Error>> {
    let limits = unlimited();
    let floats = Floats { model: options.float_model(), precision };
    let compile = || {
        let lifted = work.lifted(options)?;
        let start = Start { sequencer: &Sequencer, entry: work.batch().entry, words: lifted.files };
        Ok(Program::of_lifted(lifted, start, floats, &limits)?)
    };
    let mut subjects = Kind::available()
        .map(|kind| Subject::new(work, kind, &kind.program(&compile)?))
        .collect::<Result<Vec<_>, _>>()?;
    let (times, _) = work.with(options, |evaluator| {
        let mut pieces: Vec<Box<dyn FnMut() + '_>> = Vec::new();
        for Subject { kind, whole, draws, .. } in &mut subjects {
            pieces.push(Box::new(|| drop(whole.1.run(&mut whole.0, VERTICES))));
            pieces.push(Box::new(|| drop(draws.1.run(&mut draws.0, DRAW))));
            pieces.push(Box::new(|| drop(std::hint::black_box(kind.program(&compile)))));
        }
        let mut list: Vec<&mut dyn FnMut()> = pieces.iter_mut().map(|piece| &mut **piece as _).collect();
        list.push(evaluator);
        all_seconds(&mut list)
    })?;
    let million = |vertices: usize, seconds: f64| vertices as f64 / seconds / 1e6;
    let engines = subjects.iter().zip(times.chunks(3)).map(|(subject, times)| Engine {
        kind: subject.kind,
        whole: million(VERTICES, times[0]),
        draws: million(DRAW, times[1]),
        compilation: times[2] * 1e6,
        bytes: subject.bytes,
        left: subject.left,
    });
    Ok((engines.collect(), million(VERTICES, times[3 * subjects.len()])))
}

/// The name of a figure.
fn name(model: &str, peer: &Peer) -> String {
    format!("pica200/exec/{}/{model}", peer.program)
}

/// Measures and prints the wanted programs in one model of floats and one precision, then the geometric means of their ratios.
pub(super) fn print(
    dir: &Path,
    model: &str,
    (options, precision): (&Options, Precision),
    device: Option<&Device>,
    wanted: impl Fn(&str) -> bool,
) -> Result<(), Box<dyn Error>> {
    let kinds: Vec<Kind> = Kind::available().collect();
    // For each kind, its ratios to the peer, the evaluator and the device, and that of compilation to the device.
    let mut ratios: Vec<Vec<[f64; 4]>> = vec![Vec::new(); kinds.len()];
    for peer in PEERS.iter().filter(|peer| wanted(&name(model, peer))) {
        let work = Work::read(dir, peer.program)?;
        let (engines, evaluator) = speed(&work, (options, precision))?;
        let of_device = device.map(|device| device::measure(device, &work)).transpose()?;
        let best = engines.last().map_or(f64::NAN, |engine| engine.whole);
        for (engine, ratios) in engines.iter().zip(&mut ratios) {
            let of_peer = engine.whole / peer.jit;
            print!(
                "{}/{} {:.2} M-vertices/s, {:.2} in draws of {DRAW}; compiled in {:.1} µs; {of_peer:.2} of Azahar's \
                 x86-64 code, measured elsewhere ({:.2})",
                name(model, peer),
                engine.kind.name(),
                engine.whole,
                engine.draws,
                engine.compilation,
                peer.jit
            );
            match engine.kind {
                Kind::Batch => println!("; {:.2} of the evaluator", engine.whole / evaluator),
                Kind::Code(_) => println!(
                    "; {:.2} of {}; {} bytes of code, {:.1} % of vertices left",
                    engine.whole / best,
                    kinds.last().map_or("", |kind| kind.name()),
                    engine.bytes,
                    engine.left * 100.0
                ),
            }
            let of_device = of_device.as_ref().map_or((f64::NAN, f64::NAN), |d| {
                (engine.whole / d.speed, d.compilation / engine.compilation)
            });
            ratios.push([of_peer, engine.whole / evaluator, of_device.0, of_device.1]);
        }
        if let (Some(device), Some(engine)) = (of_device, engines.last()) {
            println!(
                "{}/device {:.2} M-vertices/s, compiled in {:.0} µs; {}: {:.2} of its speed, and it compiles {:.0} times as \
                 long",
                name(model, peer),
                device.speed,
                device.compilation,
                engine.kind.name(),
                engine.whole / device.speed,
                device.compilation / engine.compilation
            );
        }
    }
    let mean = |ratios: &[[f64; 4]], of: usize| {
        (ratios.iter().map(|r| r[of].ln()).sum::<f64>() / ratios.len() as f64).exp()
    };
    for (kind, ratios) in kinds.iter().zip(&ratios).filter(|(_, ratios)| !ratios.is_empty()) {
        println!(
            "pica200/exec/{model} {} {:.2} of Azahar's x86-64 code, {:.2} of the evaluator: geometric means of {} \
             programs, on {:?}",
            kind.name(),
            mean(ratios, 0),
            mean(ratios, 1),
            ratios.len(),
            HostLevel::best()
        );
        if device.is_some() {
            println!(
                "pica200/exec/{model} {} {:.2} of the device, which compiles {:.0} times as long: geometric means",
                kind.name(),
                mean(ratios, 2),
                mean(ratios, 3)
            );
        }
    }
    Ok(())
}
