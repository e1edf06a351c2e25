//! AGAL bit for bit: many lanes in waves, each lane alone, the translators' input, and the batch engine, in quads too.

use super::{Leg, Outcome, Part, Worker, hex, tree};
use crate::batch::{self, Path};
use crate::edges::{EDGES, value};
use crate::targets::first;
use crate::{Mutator, Random, row_programs};
use shisa::agal::{RunInput, RunOutput, TextureInput};
use shisa::data::engines::Engine;
use shisa::eval::Grid;
use shisa::ir::Dim;
use shisa::ir::{File, FloatModel, Reg};
use shisa::{RunOptions, Settings};

pub(super) const LANES: usize = 256;

/// The lanes that also run alone.
#[derive(Clone, Copy)]
pub(super) struct Alone {
    first: usize,
    step: usize,
}

impl Alone {
    /// All lanes, as for a row.
    pub(super) const ALL: Alone = Alone { first: 0, step: 1 };

    /// A sixteenth of them, which the number of a random program selects.
    pub(super) fn some(number: u64) -> Alone {
        Alone { first: (number % 16) as usize, step: 16 }
    }

    pub(super) fn lanes(self) -> impl Iterator<Item = usize> + Clone {
        (self.first..LANES).step_by(self.step)
    }
}

/// Each row with pairs of edge values, then mutated programs.
pub(super) fn leg() -> Leg {
    Leg {
        name: "agal/engines".into(),
        commit: 400,
        campaign: 1_000_000,
        parts: vec![
            Part::property("waves and lanes", 20),
            Part::property("statements", 20),
            Part::property("quads", 20),
        ],
        worker: Box::new(|corpus| {
            let mut mutator = Mutator::new();
            mutator.add(corpus.iter().filter(|b| shisa::agal::Program::sniff(b)).cloned());
            let rows = row_programs().into_iter().map(|r| r.1).collect();
            Box::new(Engines {
                mutator,
                rows,
                bytes: Vec::new(),
                paths: Vec::new(),
                alone: Alone::ALL,
                values: Vec::new(),
            })
        }),
    }
}

struct Engines {
    mutator: Mutator,
    rows: Vec<Vec<u8>>,
    bytes: Vec<u8>,
    /// The paths of the batch engine that run it: all for a row.
    paths: Vec<Path>,
    alone: Alone,
    /// Input components, lane by lane.
    values: Vec<[u32; 8]>,
}

impl Worker for Engines {
    fn make(&mut self, number: u64, random: &mut Random) {
        self.bytes.clear();
        self.values.clear();
        let row = usize::try_from(number).ok().and_then(|n| self.rows.get(n));
        if let Some(row) = row {
            // Every edge value next to every other, in both sources.
            self.bytes.clone_from(row);
            (self.paths, self.alone) = (Path::ALL.to_vec(), Alone::ALL);
            let edge = |i: usize| EDGES[i % EDGES.len()];
            let lane = |l: usize| std::array::from_fn(|i| if i < 4 { edge(l + i) } else { edge(l / 16 + i) });
            self.values.extend((0..LANES).map(lane));
            return;
        }
        self.bytes.extend_from_slice(self.mutator.next(random));
        self.paths = Path::of(number);
        self.alone = Alone::some(number);
        self.values.extend((0..LANES).map(|_| std::array::from_fn(|_| value(random))));
    }

    fn test(&mut self, part: usize) -> Outcome {
        self.holds(part).into()
    }

    fn tested(&self) -> String {
        hex(&self.bytes)
    }
}

impl Engines {
    /// Whether the piece is in the range of a part; panics if the property does not hold.
    fn holds(&mut self, part: usize) -> bool {
        let values = &self.values;
        let of = |first: usize| move |l: usize, i: usize| values[first + l][i];
        match part {
            1 => return statements(&self.bytes, &self.paths, &of(0)),
            2 => return quads(&self.bytes, &of(0)),
            _ => {}
        }
        let Some(all) = run(&self.bytes, LANES, of(0)) else { return false };
        for lane in self.alone.lanes() {
            let one = run(&self.bytes, 1, of(lane)).expect("a lane runs where all lanes run");
            assert_eq!(all.killed.get(lane), one.killed.first(), "lane {lane} is killed");
            if one.killed == [true] {
                continue;
            }
            for (many, alone) in all.outputs.iter().zip(&one.outputs) {
                assert_eq!(many.lanes.get(lane), alone.lanes.first(), "{} of lane {lane}", many.name);
            }
        }
        true
    }
}

/// What a unit holds.
enum Unit<'a> {
    /// A component of these values of each lane.
    Lanes(&'a [Vec<u32>], usize),
    /// The same in all lanes.
    All(u32),
}

/// Compares with the statements that translators read.
fn statements(bytes: &[u8], paths: &[Path], value: &impl Fn(usize, usize) -> u32) -> bool {
    let Ok(lowered) = first(bytes, &Settings::new()).and_then(|program| program.lower()) else {
        return false;
    };
    if !tree::alone(&lowered) {
        return false;
    }
    let Some(all) = run(bytes, LANES, value) else { return false };
    let input = input(bytes, LANES, value);
    let units = |file: &File| -> Vec<Unit<'_>> {
        let unit = |unit| {
            let (name, component) = (format!("{}{}", file.name, unit / 4), usize::from(unit % 4));
            match input.inputs.get(&name) {
                Some(lanes) => Unit::Lanes(lanes, component),
                None => Unit::All(input.constants.get(&name).map_or(0, |c| c[component])),
            }
        };
        (0..file.units).map(unit).collect()
    };
    let files: Vec<_> = lowered.func.files.iter().map(|file| (file.name, units(file))).collect();
    let given = |lane: usize, file: &File, unit: u16| {
        let (_, units) = files.iter().find(|(name, _)| *name == file.name).expect("a file of the program");
        match units[usize::from(unit)] {
            Unit::Lanes(lanes, component) => lanes[lane][component],
            Unit::All(bits) => bits,
        }
    };
    let batches = batch::run(&lowered, LANES, paths, given);
    for lane in (0..LANES).filter(|l| !all.killed[*l]) {
        let alone = tree::run(&lowered, FloatModel::F32, |file, unit| given(lane, file, unit));
        for (io, column) in lowered.interface.outputs.iter().zip(&all.outputs) {
            for (bits, unit) in column.lanes[lane].iter().zip(io.reg.unit..) {
                let reg = Reg { unit, ..io.reg };
                let other = alone.unit(reg);
                assert!(bits.is_none_or(|b| b == other), "{} of lane {lane}: {bits:x?} {other:x}", io.name);
                for batch in &batches {
                    let (fast, path) = (batch.unit(lane, reg), batch.path);
                    assert_eq!(other, fast, "{} of lane {lane} on {path:?}: {other:x} {fast:x}", io.name);
                }
            }
        }
    }
    true
}

/// Compares the evaluator with the batch engine and with machine code, which leave some quads that divide to the evaluator;
/// returns whether these engines ran the program.
fn quads(bytes: &[u8], value: &impl Fn(usize, usize) -> u32) -> bool {
    // Rows of 15 pixels have helper lanes.
    let grid = Grid { width: 15, height: LANES / 15 };
    let input = RunInput { grid: Some(grid), ..input(bytes, grid.width * grid.height, value) };
    let [want, batch, code] = Engine::ALL.map(|engine| {
        let mut settings = Settings::new();
        settings.engine = engine;
        let program = first(bytes, &settings).ok()?;
        shisa::agal::run(&program, &input, RunOptions::new()).ok()
    });
    let ran = [batch, code].map(|got| {
        let (Some(want), Some(got)) = (&want, &got) else {
            assert_eq!(want.is_some(), got.is_some(), "a run ends where it ends on the evaluator");
            return false;
        };
        assert_eq!(want.killed, got.killed, "killed lanes in quads");
        for (want_of, got_of) in want.outputs.iter().zip(&got.outputs) {
            for lane in (0..input.lanes).filter(|lane| !want.killed[*lane]) {
                let (a, b) = (&want_of.lanes[lane], &got_of.lanes[lane]);
                assert_eq!(a, b, "{} of lane {lane} in quads", want_of.name);
            }
        }
        // The other engines do not count instructions.
        got.executed == 0 && want.executed > 0
    });
    ran == [true; 2]
}

fn run(bytes: &[u8], lanes: usize, value: impl Fn(usize, usize) -> u32) -> Option<RunOutput> {
    let program = first(bytes, &Settings::new()).ok()?;
    shisa::agal::run(&program, &input(bytes, lanes, value), RunOptions::new()).ok()
}

/// An input with two registers of these components, some constants, and some textures of both shapes with two
/// levels.
pub(crate) fn input(bytes: &[u8], lanes: usize, value: impl Fn(usize, usize) -> u32) -> RunInput {
    let vertex = bytes.get(6) == Some(&0);
    let (name, constant, sampler) = if vertex { ("va", "vc", "vs") } else { ("v", "fc", "fs") };
    let mut input = RunInput::new(lanes);
    for n in 0..8 {
        let lane = |l: usize| (0..4).map(|i| value(l, n % 2 * 4 + i)).collect();
        input.inputs.insert(format!("{name}{n}"), (0..lanes).map(lane).collect());
    }
    for n in 0..16 {
        let n = n as f32;
        input = input.constant(&format!("{constant}{n}"), [0.5, -1.0 - n, 2.0, 1.0]);
    }
    for n in 0..4 {
        let (dim, faces) = if n % 2 == 0 { (Dim::D2, 1) } else { (Dim::Cube, 6) };
        let texels: Vec<u8> = (0..16).map(|i| i * 16 + n).collect();
        let smallest = vec![200, 100, 50, 25 * n];
        let texture = TextureInput {
            dim,
            width: 2,
            height: 2,
            format: shisa::eval::Format::Rgba8,
            levels: vec![vec![texels; faces], vec![smallest; faces]],
            sampler: TextureInput::PLAIN_SAMPLER,
        };
        input.textures.insert(format!("{sampler}{n}"), texture);
    }
    input
}
