//! Random PICA200 programs on the library and on the plain interpreter: results, steps and state bit for bit, signs of
//! zeros included; all NaN count as equal. The other engines have the outputs and the emitted vertices of the evaluator, bit
//! for bit.

use super::{Leg, Outcome, Part, Worker, hex};
use crate::Random;
use crate::edges::EDGES;
use crate::plain::{End, Plain, STEPS, Vector};
use crate::targets::first;
use shisa::data::engines::Engine;
use shisa::pica200::container::{Descriptor, Dvle, Shbin};
use shisa::pica200::{Options, ShaderResult, ShaderRun, ShaderSet, ShaderTriangle};
use shisa::{RunOptions, Settings};

/// Inputs of each program.
const INPUTS: usize = 4;
/// Descriptors of each program; all instructions reach them.
const DESCRIPTORS: usize = 16;
/// The number of a program kind: geometry.
const GEOMETRY: u8 = 1;

pub(super) fn leg() -> Leg {
    Leg {
        name: "pica200/plain".into(),
        commit: 400,
        campaign: 10_000,
        parts: vec![Part::property("interpreter", 50), Part::property("engines", 30)],
        worker: Box::new(|_| Box::new(Programs::default())),
    }
}

/// A random program with its inputs.
#[derive(Debug, Default)]
struct Programs {
    file: Shbin,
    set: ShaderSet,
    /// How the engines run it.
    settings: Settings,
}

impl Worker for Programs {
    fn make(&mut self, number: u64, random: &mut Random) {
        self.settings = Settings::default();
        self.settings.limits.lane_steps = 2 * STEPS + 2;
        self.settings.engine = if number.is_multiple_of(2) { Engine::Batch } else { Engine::MachineCode };
        if number % 4 < 2 {
            self.settings.pica200.options = Options::emulators();
        }
        let kind = u8::from(random.below(4) == 0);
        let words = 4 + random.below(36);
        let mut code: Vec<u32> = (0..words).map(|at| word(random, at, words, kind == GEOMETRY)).collect();
        code.push(0x22 << 26);
        let descriptor = |_| Descriptor { bits: random.bits() as u32 & 0x7fff_ffff, flags: 0 };
        let descriptors = (0..DESCRIPTORS).map(descriptor).collect();
        let dvle = Dvle { kind, output_mask: 0xffff, ..Dvle::default() };
        self.file = Shbin { code, descriptors, programs: vec![dvle], ..Shbin::default() };
        self.set =
            ShaderSet { keep_registers: kind == GEOMETRY && random.below(2) == 0, ..ShaderSet::default() };
        let uniforms = &mut self.set.uniforms;
        uniforms.booleans = random.bits() as u16;
        uniforms.integers = [(); 4].map(|()| [4, 96, 4, 1].map(|below| random.below(below) as u8));
        uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = value(random));
        let mut run = || ShaderRun {
            inputs: (0..16).map(|n| (n, [(); 4].map(|()| value(random)))).collect(),
            ..ShaderRun::default()
        };
        self.set.runs = (0..INPUTS).map(|_| run()).collect();
    }

    fn test(&mut self, part: usize) -> Outcome {
        if part == 0 { self.interprets() } else { self.engines() }.into()
    }

    fn tested(&self) -> String {
        let bytes = self.file.write(&Settings::default().limits).unwrap_or_default();
        format!("{} {:?}", hex(&bytes), self.set)
    }
}

impl Programs {
    /// Whether an engine runs the program; panics if its result is not that of the evaluator.
    fn engines(&self) -> bool {
        let runs = || self.set.runs.clone();
        let mut evaluator = self.settings.clone();
        evaluator.engine = Engine::Evaluator;
        let Ok(expected) = self.run(runs(), &evaluator) else { return false };
        let results = self.run(runs(), &self.settings).unwrap_or_else(|e| panic!("the evaluator ends: {e}"));
        // Only the evaluator counts steps.
        if self.set.keep_registers || results.iter().any(|result| result.steps != 0) {
            return false;
        }
        for (n, (got, want)) in results.into_iter().zip(expected).enumerate() {
            let want = ShaderResult { address: [0; 3], flags: [false; 2], steps: 0, ..want };
            assert_eq!(got, want, "run {n} of {:08x?}, {:?}", self.file.code, self.settings.engine);
        }
        true
    }

    /// Whether the interpreter ends; panics if the result of the library differs.
    fn interprets(&self) -> bool {
        let descriptors: Vec<u32> = self.file.descriptors.iter().map(|d| d.bits).collect();
        let mut plain = Plain::new(&self.file.code, &descriptors);
        plain.b = self.set.uniforms.booleans;
        plain.i = self.set.uniforms.integers;
        plain.c = self.set.uniforms.floats.map(|c| c.map(f32::from_bits));
        let (mut ended, mut slots) = (Vec::new(), [[[0.0; 4]; 16]; 3]);
        for run in &self.set.runs {
            let mut this = plain.clone();
            for (&n, value) in &run.inputs {
                this.v[usize::from(n)] = value.map(f32::from_bits);
            }
            match (this.run(), self.set.keep_registers) {
                (End::Ended(steps), keep) => {
                    if !keep {
                        slots = [[[0.0; 4]; 16]; 3];
                    }
                    ended.push((run.clone(), expected(&this, steps, &mut slots)));
                    if keep {
                        plain = this.again();
                    }
                }
                // What follows a run that does not end is not known.
                (_, true) => break,
                (end, false) => self.refuses(run, end),
            }
        }
        let runs = ended.iter().map(|(run, _)| run.clone()).collect();
        let results = self.run(runs, &emulated()).unwrap_or_else(|e| panic!("the interpreter ends: {e}"));
        for (n, (got, (_, want))) in results.into_iter().zip(&ended).enumerate() {
            let code = &self.file.code;
            assert_eq!(canonical(got), *want, "run {n} of {code:08x?} with {descriptors:08x?}");
        }
        !ended.is_empty()
    }

    fn run(&self, runs: Vec<ShaderRun>, settings: &Settings) -> shisa::Result<Vec<ShaderResult>> {
        let bytes = self.file.write(&settings.limits)?;
        let set = ShaderSet { runs, ..self.set.clone() };
        let outputs = shisa::pica200::run(&first(&bytes, settings)?, &[set], RunOptions::new())?;
        Ok(outputs.into_iter().flat_map(|o| o.results).collect())
    }

    /// A run that does not end is refused for that reason.
    fn refuses(&self, run: &ShaderRun, end: End) {
        let code = if end == End::Hangs { "pica-run-break" } else { "limit-exceeded" };
        match self.run(vec![run.clone()], &emulated()) {
            Ok(results) => panic!("the interpreter does not end: {end:?}, {results:?}"),
            Err(e) => assert_eq!(e.diagnostics.first().map(|d| d.code), Some(code), "{e}"),
        }
    }
}

/// The settings with which the library computes as the interpreter does.
fn emulated() -> Settings {
    let mut settings = Settings::default();
    settings.pica200.options = Options::emulators();
    // The end of an iteration is a step of its own.
    settings.limits.lane_steps = 2 * STEPS + 2;
    settings
}

/// The result that the library should have; `slots` are the vertex slots.
fn expected(plain: &Plain<'_>, steps: u64, slots: &mut [[Vector; 16]; 3]) -> ShaderResult {
    let numbered = |o: &[Vector; 16]| (0u8..).zip(o.map(|v| v.map(f32::to_bits))).collect::<Vec<_>>();
    let mut result = ShaderResult {
        outputs: numbered(&plain.o[plain.bank]),
        address: plain.address,
        flags: plain.flags,
        steps,
        ..ShaderResult::default()
    };
    for (slot, primitive, flipped, outputs) in &plain.emitted {
        slots[*slot as usize] = *outputs;
        let emit = shisa::pica200::ShaderEmit {
            slot: *slot as u8,
            primitive: *primitive,
            flipped: *flipped,
            outputs: numbered(outputs),
        };
        result.emits.push(emit);
        if *primitive {
            let vertices = slots.each_ref().map(numbered);
            result.triangles.push(ShaderTriangle { vertices, flipped: *flipped });
        }
    }
    canonical(result)
}

/// The result with one NaN.
fn canonical(mut result: ShaderResult) -> ShaderResult {
    let emitted = result.emits.iter_mut().map(|e| &mut e.outputs);
    let assembled = result.triangles.iter_mut().flat_map(|t| &mut t.vertices);
    for (_, value) in emitted.chain(assembled).chain([&mut result.outputs]).flatten() {
        *value = value.map(|bits| if f32::from_bits(bits).is_nan() { f32::NAN.to_bits() } else { bits });
    }
    result
}

fn value(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => EDGES[random.below(EDGES.len())],
        1 => random.bits() as u32,
        _ => (random.below(41) as f32 / 4.0 - 5.0).to_bits(),
    }
}

/// A word at an address of a program with this many words before its last `end`.
fn word(random: &mut Random, at: usize, words: usize, geometry: bool) -> u32 {
    const ONE_SOURCE: [u32; 8] = [0x05, 0x06, 0x07, 0x0b, 0x0e, 0x0f, 0x12, 0x13];
    const TWO_SOURCES: [u32; 15] =
        [0x00, 0x01, 0x02, 0x03, 0x04, 0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x18, 0x19, 0x1a, 0x1b, 0x2e];
    let bits = random.bits() as u32;
    let descriptor = random.below(DESCRIPTORS) as u32;
    let mut below = |n: usize| random.below(n) as u32;
    // Few registers, so that results reach others.
    let narrow = below(2) << 4 | below(4);
    let other = below(2) << 4 | below(4);
    let wide = if below(2) == 0 { narrow } else { 0x20 + below(96) };
    let destination = if below(3) == 0 { below(4) } else { 0x10 + below(4) };
    let index = if below(2) == 0 { below(4) } else { 0 };
    // Blocks that end after the word, and few jumps back.
    let ahead = at + 1 + below(8) as usize;
    let to = if below(12) == 0 { below(words + 2) } else { ahead.min(words) as u32 };
    let flow = |opcode: u32, low: u32| opcode << 26 | bits & 0xf << 22 | to << 10 | low;
    match below(if geometry { 24 } else { 20 }) {
        0 => flow(0x24 + below(3), below(5)),
        1 | 2 => flow(0x27 + below(2), below(5)),
        3 | 4 => flow(0x29, 0),
        5 => flow(0x2c + below(2), below(2)),
        6 => flow(if below(4) == 0 { 0x20 } else { 0x23 }, 0),
        7 if below(4) == 0 => 0x22 << 26,
        7 => 0x21 << 26,
        8..=10 => {
            let (form, sources) = match below(2) {
                0 => (6, wide << 5 | other << 12),
                _ => (7, wide << 10 | other << 5),
            };
            form << 29 | destination << 24 | index << 22 | narrow << 17 | sources | descriptor
        }
        11..=13 => {
            let opcode = ONE_SOURCE[below(ONE_SOURCE.len()) as usize];
            opcode << 26 | destination << 21 | index << 19 | wide << 12 | descriptor
        }
        14..=19 => {
            let opcode = TWO_SOURCES[below(TWO_SOURCES.len()) as usize];
            let sources = match matches!(opcode, 0x18..=0x1b) {
                true => narrow << 14 | wide << 7,
                false => wide << 12 | narrow << 7,
            };
            // The bits of the destination and above it are comparisons.
            let destination = if opcode == 0x2e { bits & 0x3f << 21 } else { destination << 21 };
            opcode << 26 | destination | index << 19 | sources | descriptor
        }
        20 | 21 => 0x2b << 26 | below(3) << 24 | bits & 3 << 22,
        _ => 0x2a << 26,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Most programs end, and every opcode occurs.
    #[test]
    fn programs_run_as_on_the_plain_interpreter() {
        let mut worker = Programs::default();
        let (mut ended, mut opcodes) = (0, std::collections::BTreeSet::new());
        for number in 0..120 {
            worker.make(number, &mut Random::new(number));
            // The two opcodes of three sources have three bits.
            opcodes
                .extend(worker.file.code.iter().map(|w| if w >> 30 == 3 { w >> 29 << 3 } else { w >> 26 }));
            ended += u32::from(worker.interprets());
        }
        assert!(ended >= 84, "{ended} of 120 programs end");
        let known = (0..0x30).filter(|n| !matches!(n, 0x10 | 0x11 | 0x14..=0x17 | 0x1c..=0x1f));
        let known = known.chain([0x30, 0x38]);
        let missing: Vec<u32> = known.filter(|n| !opcodes.contains(n)).collect();
        assert!(missing.is_empty(), "no program has the opcodes {missing:x?}");
    }
}
