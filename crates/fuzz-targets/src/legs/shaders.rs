//! PICA200 vertex programs bit for bit: many runs in waves, each run alone, the translators' input,
//! and the batch engine.

use super::engines::{Alone, LANES};
use super::{Leg, Outcome, Part, Worker, hex, tree};
use crate::batch::{self, Path};
use crate::edges::EDGES;
use crate::targets::first;
use crate::{Binaries, Random, pica200_row_programs};
use shisa::ir::{File, Reg, Stage};
use shisa::pica200::container::Shbin;
use shisa::pica200::upload::stored;
use shisa::pica200::{Options, Outputs};
use shisa::pica200::{ShaderResult, ShaderRun, ShaderSet};
use shisa::{RunOptions, Settings};

/// Each row with pairs of edge values, then mutated programs.
pub(super) fn leg() -> Leg {
    Leg {
        name: "pica200/engines".into(),
        commit: 500,
        campaign: 1_000_000,
        parts: vec![Part::property("waves and lanes", 20), Part::property("statements", 20)],
        worker: Box::new(|corpus| {
            let mut binaries = Binaries::new();
            binaries.add(corpus.iter().cloned());
            let rows = pica200_row_programs().into_iter().map(|r| r.1).collect();
            let (settings, set) = (Settings::default(), ShaderSet::default());
            let alone = Alone::ALL;
            Box::new(Shaders { binaries, rows, bytes: Vec::new(), paths: Vec::new(), alone, set, settings })
        }),
    }
}

struct Shaders {
    binaries: Binaries,
    rows: Vec<Vec<u8>>,
    bytes: Vec<u8>,
    /// The paths of the batch engine that run it: all for a row.
    paths: Vec<Path>,
    alone: Alone,
    set: ShaderSet,
    settings: Settings,
}

impl Worker for Shaders {
    fn make(&mut self, number: u64, random: &mut Random) {
        self.settings = Settings::default();
        self.settings.limits.lane_steps = 2_000;
        if number.is_multiple_of(2) {
            self.settings.pica200.options = Options::emulators();
        }
        self.set = ShaderSet::default();
        // Every row in both float models.
        let row = usize::try_from(number / 2).ok().and_then(|n| self.rows.get(n));
        if let Some(row) = row {
            self.bytes.clone_from(row);
            (self.paths, self.alone) = (Path::ALL.to_vec(), Alone::ALL);
            let edge = |i: usize| EDGES[i % EDGES.len()];
            let four = |first: usize| [0, 1, 2, 3].map(|i| edge(first + i));
            let run = |l: usize| ShaderRun {
                inputs: [(0, four(l)), (1, four(l / EDGES.len()))].into(),
                ..ShaderRun::default()
            };
            self.set.runs = (0..LANES).map(run).collect();
            return;
        }
        self.bytes = self.binaries.next(random);
        self.paths = Path::of(number / 2);
        self.alone = Alone::some(number);
        let uniforms = &mut self.set.uniforms;
        uniforms.booleans = random.bits() as u16;
        uniforms.integers = [(); 4].map(|()| [4, 96, 4, 1].map(|below| random.below(below) as u8));
        uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = value(random));
        let mut run = || ShaderRun {
            inputs: (0..4).map(|n| (n, [(); 4].map(|()| value(random)))).collect(),
            ..ShaderRun::default()
        };
        self.set.runs = (0..LANES).map(|_| run()).collect();
    }

    fn test(&mut self, part: usize) -> Outcome {
        self.holds(part).into()
    }

    fn tested(&self) -> String {
        format!("{} with the choices of {:?}", hex(&self.bytes), self.settings.pica200.options)
    }
}

fn value(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => EDGES[random.below(EDGES.len())],
        1 => random.bits() as u32,
        _ => (random.below(41) as f32 / 4.0 - 5.0).to_bits(),
    }
}

impl Shaders {
    /// Whether the piece is in the range of a part; panics if the property does not hold.
    fn holds(&mut self, part: usize) -> bool {
        let Ok(file) = Shbin::read(&self.bytes, &self.settings.limits) else { return false };
        if file.programs.first().is_none_or(|d| d.stage() != Some(Stage::Vertex)) {
            return false;
        }
        match self.run(std::slice::from_ref(&self.set)).as_deref() {
            Some([results]) if part == 0 => self.lanes(results),
            Some([results]) => self.statements(&file, results),
            _ => false,
        }
    }

    /// The results of each set.
    fn run(&self, sets: &[ShaderSet]) -> Option<Vec<Vec<ShaderResult>>> {
        let program = first(&self.bytes, &self.settings);
        let outputs = program.and_then(|p| shisa::pica200::run(&p, sets, RunOptions::new()));
        Some(outputs.ok()?.into_iter().map(|o| o.results).collect())
    }

    /// Compares with each run alone.
    fn lanes(&self, all: &[ShaderResult]) -> bool {
        let alone = |run: &ShaderRun| ShaderSet {
            program: self.set.program,
            uniforms: self.set.uniforms.clone(),
            keep_registers: false,
            runs: vec![run.clone()],
        };
        let sets: Vec<ShaderSet> = self.alone.lanes().map(|n| alone(&self.set.runs[n])).collect();
        let ones = self.run(&sets).expect("a run ends where all runs end");
        for (n, one) in self.alone.lanes().zip(&ones) {
            assert_eq!(one.first(), all.get(n), "run {n}");
        }
        true
    }

    /// Compares with the statements that translators read.
    fn statements(&self, file: &Shbin, all: &[ShaderResult]) -> bool {
        let mut settings = self.settings.clone();
        settings.pica200.outputs = Outputs::Registers;
        let lowered = first(&self.bytes, &settings).and_then(|program| program.lower());
        let Ok(lowered) = lowered else { return false };
        let options = &self.settings.pica200.options;
        let mut uniforms = self.set.uniforms.clone();
        uniforms.floats.iter_mut().flatten().for_each(|bits| *bits = stored(*bits, options));
        file.programs.iter().take(1).for_each(|dvle| uniforms.load(dvle, options));
        let given = |n: usize, f: &File, unit: u16| {
            let (register, component) = (usize::from(unit / 4), usize::from(unit % 4));
            match f.name {
                "v" => self.set.runs[n]
                    .inputs
                    .get(&(register as u8))
                    .map_or(0, |v| stored(v[component], options)),
                "c" => uniforms.floats[register][component],
                "i" => uniforms.integers[register][component].into(),
                "b" => (uniforms.booleans >> unit & 1).into(),
                name => panic!("unexpected register file {name}"),
            }
        };
        let batches = batch::run(&lowered, all.len(), &self.paths, given);
        for (n, result) in all.iter().enumerate() {
            let alone = tree::run(&lowered, options.float_model(), |file, unit| given(n, file, unit));
            for ((number, values), io) in result.outputs.iter().zip(&lowered.interface.outputs) {
                for (bits, unit) in values.iter().zip(io.reg.unit..) {
                    let reg = Reg { unit, ..io.reg };
                    let other = alone.unit(reg);
                    assert_eq!(*bits, other, "o{number} of run {n}: {bits:x} {other:x}");
                    for batch in &batches {
                        let (fast, path) = (batch.unit(n, reg), batch.path);
                        assert_eq!(*bits, fast, "o{number} of run {n} on {path:?}: {bits:x} {fast:x}");
                    }
                }
            }
        }
        true
    }
}
