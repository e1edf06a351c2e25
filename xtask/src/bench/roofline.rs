//! How near machine code comes to what the processor can do: to the peak of its vector units, to the speed of a copy of the
//! same inputs and outputs, and on two threads to twice the speed on one.

use super::buffers::Buffers;
use super::timing::all_seconds;
use shisa::data::batch::{HostLevel, Precision, Program, Runner};
use shisa::diag::Limits;
use shisa::ir::Reg;
use shisa::pica200::CONSTANTS;
use shisa::{File, Settings};
use std::error::Error;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Vertices of a run: their attributes and results fit in the second-level cache.
const VERTICES: usize = 4096;
/// Components of a register.
const UNITS: u16 = 4;

/// Multiply-additions of registers in the program that measures the peak. Two registers have as many independent
/// components as two vector units start while one result is computed.
const STEPS: usize = 256;

const COPY: &str = ".in position v0\n.in normal v1\n.out p position\n.out n normalquat\n.proc main\n\
                    mov p, v0\nmov n, v1\nend\n.end\n";

/// A position by a matrix of four rows and a normal by three.
const TRANSFORM: &str = ".in position v0\n.in normal v1\n.out p position\n.out n normalquat\n.proc main\n\
                         dp4 p.x, c0, v0\ndp4 p.y, c1, v0\ndp4 p.z, c2, v0\ndp4 p.w, c3, v0\n\
                         dp3 n.x, c4, v1\ndp3 n.y, c5, v1\ndp3 n.z, c6, v1\nmov n.w, v1\nend\n.end\n";
/// Multiply-additions and multiplications of a vertex of it.
const TRANSFORM_STEPS: usize = 4 * 4 + 3 * 3;

/// Squares two registers and adds to them, again and again.
fn peak() -> String {
    let mut text = String::from(".in position v0\n.out p position\n.proc main\nmov r0, v0\nmov r1, v0\n");
    for _ in 0..STEPS / 2 {
        let _ = write!(text, "mad r0, r0, r0, c0\nmad r1, r1, r1, c0\n");
    }
    text + "add p, r0, r1\nend\n.end\n"
}

/// A program with its inputs and outputs.
struct Subject {
    runner: Runner,
    buffers: Buffers,
}

impl Subject {
    fn new(text: &str, level: HostLevel) -> Result<Subject, Box<dyn Error>> {
        let mut settings = Settings::new();
        settings.pica200.outputs = shisa::pica200::Outputs::Registers;
        let file = File::open(text.as_bytes(), &settings)?;
        let mut program: Program = file.program(1)?.lower()?.batch(Precision::Fast)?;
        program.add_machine_code_for(level, &Limits::default())?;
        // Registers are whole, in order.
        let registers = |units: Vec<Reg>| -> Vec<(Reg, u16)> {
            units.into_iter().filter(|reg| reg.unit % UNITS == 0).map(|reg| (reg, UNITS)).collect()
        };
        let (inputs, outputs) =
            (registers(program.inputs().collect()), registers(program.outputs().collect()));
        if inputs.is_empty() || outputs.is_empty() {
            return Err("a program of the roofline has no inputs or no outputs".into());
        }
        let mut runner = program.runner();
        runner.set_limits(crate::vertices::unlimited());
        runner.set_uniforms(Reg::new(CONSTANTS, 0), &[0.125f32.to_bits(); 7 * UNITS as usize]);
        let data = vec![0.25f32.to_bits(); VERTICES * inputs.len() * usize::from(UNITS)];
        let mut subject = Subject { runner, buffers: Buffers::new(inputs, outputs, data, VERTICES) };
        // A run that fails in a measurement failed here before.
        subject.buffers.run(&mut subject.runner, VERTICES)?;
        Ok(subject)
    }

    fn run(&mut self) {
        drop(self.buffers.run(&mut self.runner, VERTICES));
    }
}

/// Rounds of a measurement on threads; a figure is their median.
const ROUNDS: usize = 15;
/// Duration of a round.
const ROUND: Duration = Duration::from_millis(40);

/// Runs a second of all subjects together, each on a thread of its own.
fn together(subjects: &mut [Subject]) -> f64 {
    let rate = |subject: &mut Subject| {
        let (begun, mut runs) = (Instant::now(), 0u32);
        while begun.elapsed() < ROUND {
            subject.run();
            runs += 1;
        }
        f64::from(runs) / begun.elapsed().as_secs_f64()
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = subjects.iter_mut().map(|subject| scope.spawn(move || rate(subject))).collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).sum()
    })
}

/// How many times as fast two threads are as one: of the program that only computes, and of the transform. Rounds of all
/// four alternate.
fn two_threads(level: HostLevel) -> Result<[f64; 2], Box<dyn Error>> {
    let two = |text: &str| Ok::<_, Box<dyn Error>>([Subject::new(text, level)?, Subject::new(text, level)?]);
    let mut pairs = [two(&peak())?, two(TRANSFORM)?];
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (pair, ratios) in pairs.iter_mut().zip(&mut ratios) {
            ratios.push(together(pair) / together(&mut pair[..1]));
        }
    }
    Ok(ratios.map(|mut ratios| {
        ratios.sort_by(f64::total_cmp);
        ratios[ROUNDS / 2]
    }))
}

/// Measures and prints the figures of each level of this processor.
pub(super) fn print() -> Result<(), Box<dyn Error>> {
    for level in [HostLevel::Avx2, HostLevel::Avx512].into_iter().filter(|level| level.is_available()) {
        let mut peak = Subject::new(&peak(), level)?;
        let mut copy = Subject::new(COPY, level)?;
        let mut transform = Subject::new(TRANSFORM, level)?;
        let bytes = transform.buffers.bytes() as f64;
        let times = all_seconds(&mut [&mut || peak.run(), &mut || copy.run(), &mut || transform.run()]);
        let [of_peak, of_copy, of_transform] = [times[0], times[1], times[2]];
        let billion = |steps: usize, seconds: f64| (steps * VERTICES) as f64 / seconds / 1e9;
        let (reached, most) =
            (billion(TRANSFORM_STEPS, of_transform), billion(STEPS * usize::from(UNITS), of_peak));
        println!(
            "pica200/exec/roofline/{level:?} transform {reached:.2} G multiply-additions/s, {:.1} % of the peak of \
             {most:.2}; {:.2} GB/s, {:.1} % of the {:.2} of a copy of its attributes and results",
            100.0 * reached / most,
            bytes / of_transform / 1e9,
            100.0 * of_copy / of_transform,
            bytes / of_copy / 1e9,
        );
        let [most, reached] = two_threads(level)?;
        println!(
            "pica200/exec/roofline/{level:?} two threads {reached:.2} times as fast as one, {:.2} of what a program \
             without memory reaches ({most:.2})",
            reached / most
        );
    }
    Ok(())
}
