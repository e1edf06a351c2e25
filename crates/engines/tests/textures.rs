//! Programs with textures and derivatives: quads of a grid, quads whose lanes take different branches, missing textures.

use shisa_diag::{Diagnostic, Limits, Severity};
use shisa_engines::{Choice, Engine, Lift, Program, Source};
use shisa_eval::{
    Batch, Column, Environment, Format, Grid, NoObserver, Outcome, Sampling, Texture, TextureSet,
};
use shisa_exec::{Attribute, Outputs, Slot};
use shisa_ir::scalar::Rounding;
use shisa_ir::{
    At, Control, ControlOp, Dim, File, FileId, FileKind, FloatModel, Lanes, Lifted, Reg, Scalar, Sequencer,
    parse_lifted,
};
use shisa_run::{TraceSink, TraceStep};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 8, scalar: Scalar::F32 }
}

static FILES: &[File] = &[file("v", FileKind::Input), file("o", FileKind::Output), file("t", FileKind::Temp)];

/// Conditions and one loop at a time. `pc` 9 is the end.
#[derive(Clone, Copy, Debug)]
struct Nested {
    /// Whether it states that a wave runs every step at most once.
    once: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    pc: u32,
    active: Lanes,
    outer: Vec<Lanes>,
}

impl Sequencer for Nested {
    type State = State;

    fn start(&self, pc: u32, active: Lanes) -> State {
        State { pc, active, outer: Vec::new() }
    }

    fn at(&self, state: &State) -> At {
        if state.pc < 9 { At::Step(state.pc) } else { At::Done }
    }

    fn active(&self, state: &State) -> Lanes {
        state.active
    }

    fn runs_steps_once(&self) -> bool {
        self.once
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        s.pc = next;
        match control.op {
            ControlOp::Push(_) => {
                s.outer.push(s.active);
                s.active &= cond;
            }
            ControlOp::Loop => s.outer.push(s.active),
            ControlOp::Again if s.active & cond != 0 => (s.pc, s.active) = (control.target, s.active & cond),
            ControlOp::Pop(_) | ControlOp::Again => s.active = s.outer.pop().unwrap_or_default(),
            _ => {}
        }
        Ok(())
    }
}

/// Reads a texture and takes derivatives, in step 8.
const READ: &str =
    "texture 0: unit 2 2d %90 implicit sampler linear mip linear wrap repeat mirror clamp anisotropy 2 bias 3
step 0x8 next 0x9:
  %90: f32x2 = read v:0 xyyy
  %91: f32x4 = texture 0
  %92: f32x2 = ddx %90
  %93: f32x2 = ddy %90
  %94: f32 = read t:0 xxxx
  %95 = write o:0 xyzw %91
  %96 = write o:4 xy %92
  %97 = write o:6 x %94
  next
";

/// Lanes whose `v:4` is less than a half change `t:0`.
const CONDITION: &str = "step 0x0 next 0x1:
  %0: f32 = read v:4 xxxx
  %1: f32 = const 0x3f000000
  %2: i1 = flt %0 %1
  push 0 if %2
step 0x1 next 0x2:
  %3: f32 = read v:5 xxxx
  %4 = write t:0 x %3
  next
step 0x2 next 0x8:
  pop 0
";

/// Lanes subtract a half of `v:4` until the rest is less.
const LOOP: &str = "step 0x0 next 0x1:
  %0: f32 = read v:4 xxxx
  %1 = write t:0 x %0
  loop
step 0x1 next 0x8:
  %2: f32 = read t:0 xxxx
  %3: f32 = const 0x3f000000
  %4: f32 = fsub %2 %3
  %5 = write t:0 x %4
  %6: i1 = fle %3 %4
  again if %6 to 0x1
";

/// A program whose values have consecutive numbers.
fn lifted(before: &str) -> Lifted {
    let (mut text, mut next) = (format!("{READ}{before}"), 0);
    // Textures come first.
    if let Some((texture, steps)) = READ.split_once('\n') {
        text = format!("{texture}\n{before}{steps}");
    }
    for number in 0..100 {
        let name = format!("%{number}:");
        let effect = format!("%{number} =");
        if text.contains(&name) || text.contains(&effect) {
            for end in [":", " ", "\n"] {
                text = text.replace(&format!("%{number}{end}"), &format!("%{next}{end}"));
            }
            next += 1;
        }
    }
    parse_lifted(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}\n{d:?}"))
}

const UNIT: u16 = 2;

fn textures(dim: Dim, unit: u16) -> TextureSet {
    let faces = if dim == Dim::Cube { 6 } else { 1 };
    let level = |size: usize| {
        vec![(0..size * size * 4).map(|n| (n * 37 + size * 11) as u8).collect::<Vec<u8>>(); faces]
    };
    let levels: Vec<Vec<Vec<u8>>> = [8, 4, 2].map(level).to_vec();
    let limits = Limits::default();
    let texture = Texture::new(Format::Rgba8, dim, 8, 8, &levels, &limits).unwrap_or_else(|d| panic!("{d}"));
    let mut set = TextureSet::new();
    set.bind(unit, texture, Sampling::default(), &limits).unwrap_or_else(|d| panic!("{d}"));
    set
}

/// Pixels whose `v:4` is `condition` of their coordinates.
fn batch(grid: (usize, usize), condition: fn(usize, usize) -> f32) -> Batch {
    let (width, height) = grid;
    let pixel = |n: usize| {
        let (x, y) = (n % width, n / width);
        let at = [x as f32 * 0.21 - 0.4, (y * y) as f32 * 0.03 + x as f32 * 0.01];
        [at[0], at[1], 0.0, 0.0, condition(x, y), n as f32].map(f32::to_bits)
    };
    Batch {
        lanes: width * height,
        grid: Some(Grid { width, height }),
        inputs: vec![Column {
            reg: Reg::new(FileId(0), 0),
            units: 6,
            bits: (0..width * height).flat_map(pixel).collect(),
        }],
        outputs: vec![(Reg::new(FileId(1), 0), 7)],
        ..Batch::default()
    }
}

#[derive(Default)]
struct Notes(Vec<Diagnostic>);

impl TraceSink for Notes {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}

    fn note(&mut self, note: Diagnostic) {
        assert_eq!(note.severity, Severity::Note);
        self.0.push(note);
    }
}

/// The outcome on the batch engine, and the codes of notes.
fn chosen(
    batch: &Batch,
    (lifted, sequencer): (&Lifted, Nested),
    environment: &mut impl Environment,
    limits: &Limits,
) -> (Option<Outcome>, Vec<&'static str>) {
    let mut notes = Notes::default();
    let choice = Choice::new(Engine::Batch, limits);
    let outcome = choice.run(batch, (lifted, &sequencer), FloatModel::F32, environment, &mut notes);
    (outcome.unwrap_or_else(|d| panic!("{d}")), notes.0.iter().map(|note| note.code).collect())
}

/// Compares the engines, if the batch engine runs the batch; returns the codes of notes if not.
fn compared(batch: &Batch, lifted: &Lifted, once: bool) -> Result<(), Vec<&'static str>> {
    let (sequencer, limits) = (Nested { once }, Limits::default());
    let (got, notes) = chosen(batch, (lifted, sequencer), &mut textures(Dim::D2, UNIT), &limits);
    let got = got.ok_or(notes)?;
    let plan = shisa_eval::Program::new(lifted, &limits).unwrap_or_else(|d| panic!("{d}"));
    let want = batch.run(&plan, &sequencer, &mut textures(Dim::D2, UNIT), &mut NoObserver, &limits);
    let want = want.unwrap_or_else(|d| panic!("{d}"));
    assert_eq!((got.outputs, got.killed), (want.outputs, want.killed), "{:?}", batch.grid);
    Ok(())
}

const GRIDS: [(usize, usize); 7] = [(2, 2), (1, 1), (3, 1), (7, 5), (16, 16), (18, 10), (33, 19)];

#[test]
fn quads_of_every_grid_have_the_evaluator_s_results() {
    let lifted = lifted("step 0x0 next 0x8:\n  next\n");
    for grid in GRIDS {
        let mut batch = batch(grid, |_, _| 0.0);
        assert_eq!(compared(&batch, &lifted, false), Ok(()));
        // Without a grid the same lanes have no neighbours.
        batch.grid = None;
        assert_eq!(compared(&batch, &lifted, false), Ok(()));
    }
}

#[test]
fn quads_that_stay_together_run_on_the_batch_engine() {
    for before in [CONDITION, LOOP] {
        // Helper lanes have extrapolated inputs, which may lead them elsewhere.
        for grid in GRIDS.into_iter().filter(|(width, height)| width % 2 == 0 && height % 2 == 0) {
            let batch = batch(grid, |x, y| (x / 2 * 3 + y / 2) as f32 % 4.0);
            assert_eq!(compared(&batch, &lifted(before), false), Ok(()));
        }
    }
}

/// A program that comes to every step at most once brings the lanes of a quad together again. Other programs may do so
/// later than the batch engine.
#[test]
fn divided_quads_are_the_evaluator_s_unless_steps_run_once() {
    for (before, once, is_left) in [(CONDITION, false, true), (CONDITION, true, false), (LOOP, false, true)] {
        for grid in GRIDS.into_iter().filter(|grid| *grid != (1, 1)) {
            let batch = batch(grid, |x, _| x as f32 % 3.0);
            let want = if is_left { Err(vec!["exec-divergent"]) } else { Ok(()) };
            assert_eq!(compared(&batch, &lifted(before), once), want, "{grid:?}");
            // Lanes without neighbours do not need each other.
            assert_eq!(compared(&Batch { grid: None, ..batch }, &lifted(before), once), Ok(()), "{grid:?}");
        }
    }
}

/// The evaluator reports what is missing, and where.
#[test]
fn a_batch_without_its_texture_is_the_evaluator_s() {
    let program = lifted("step 0x0 next 0x8:\n  next\n");
    let (batch, sequencer) = (batch((2, 2), |_, _| 0.0), Nested { once: false });
    for (dim, unit) in [(Dim::D2, UNIT + 1), (Dim::Cube, UNIT)] {
        let mut environment = textures(dim, unit);
        let (outcome, notes) = chosen(&batch, (&program, sequencer), &mut environment, &Limits::default());
        assert_eq!((outcome, notes), (None, vec![]));
    }
    // The number of the second texture is computed: only a run finds out that there is none.
    let numbered = "texture 0: numbered %0 2d %1 zero
step 0x0 next 0x9:
  %0: i32 = const 5
  %1: f32x2 = read v:0 xyyy
  %2: f32x4 = texture 0
  %3 = write o:0 xyzw %2
  next
";
    for (number, is_there) in [("5", false), ("2", true)] {
        let text = numbered.replace("const 5", &format!("const {number}"));
        let program = parse_lifted(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"));
        let (outcome, notes) =
            chosen(&batch, (&program, sequencer), &mut textures(Dim::D2, UNIT), &Limits::default());
        assert_eq!((outcome.is_some(), notes), (is_there, vec![]), "texture {number}");
    }
}

#[test]
fn inputs_in_quads_have_a_limit() {
    let lifted = lifted("step 0x0 next 0x8:\n  next\n");
    // 1023 pixels make 1024 lanes of six units; results have 29 bytes a lane.
    let batch = Batch { outputs: vec![(Reg::new(FileId(1), 0), 1)], ..batch((33, 31), |_, _| 0.0) };
    let bytes = 34 * 32 * 6 * 4;
    for (memory, is_left) in [(bytes, false), (bytes - 1, true)] {
        let limits = Limits { memory, ..Limits::default() };
        let mut environment = textures(Dim::D2, UNIT);
        let (outcome, notes) = chosen(&batch, (&lifted, Nested { once: false }), &mut environment, &limits);
        let want: &[&str] = if is_left { &["limit-exceeded"] } else { &[] };
        assert_eq!((outcome.is_none(), notes.as_slice()), (is_left, want), "{memory} bytes");
    }
}

#[test]
fn a_grid_that_does_not_match_its_lanes_is_an_error() {
    let lifted = lifted("step 0x0 next 0x8:\n  next\n");
    let batch = Batch { grid: Some(Grid { width: 3, height: 1 }), ..batch((2, 2), |_, _| 0.0) };
    let limits = Limits::default();
    let choice = Choice::new(Engine::Batch, &limits);
    let mut environment = textures(Dim::D2, UNIT);
    let run = choice.run(
        &batch,
        (&lifted, &Nested { once: false }),
        FloatModel::F32,
        &mut environment,
        &mut Notes::default(),
    );
    assert_eq!(run.map(|_| ()).map_err(|d| d.code), Err("eval-batch"));
}

fn slot(file: u8, units: u16) -> Slot {
    Slot { reg: Reg::new(FileId(file), 0), units, offset: 0, stride: units.into(), step: 1 }
}

fn program(before: &str, once: bool, wanted: Engine) -> Program {
    let source: Box<dyn Source> = Box::new(Lift {
        lifted: lifted(before),
        sequencer: Nested { once },
        entry: 0,
        model: FloatModel::F32,
        upload: Rounding::Truncate,
        constants: Vec::new(),
    });
    Program::new(source, Choice::new(wanted, &Limits::default())).unwrap_or_else(|d| panic!("{d}"))
}

/// Sessions on every engine read textures as a batch of the evaluator does, also where it must run quads that divide.
#[test]
fn sessions_read_textures_on_every_engine() {
    let straight = "step 0x0 next 0x8:\n  next\n";
    for (before, once) in [(straight, false), (CONDITION, true), (CONDITION, false), (LOOP, false)] {
        // Quads that follow each other are a column of two pixels' width.
        let batch = batch((2, 74), |x, y| (x + y / 3) as f32 % 3.0);
        for quads in [true, false] {
            let lifted = lifted(before);
            let plan =
                shisa_eval::Program::new(&lifted, &Limits::default()).unwrap_or_else(|d| panic!("{d}"));
            let batch = Batch { grid: batch.grid.filter(|_| quads), ..batch.clone() };
            let (sequencer, mut set) = (Nested { once }, textures(Dim::D2, UNIT));
            let want = batch.run(&plan, &sequencer, &mut set, &mut NoObserver, &Limits::default());
            let want = want.unwrap_or_else(|d| panic!("{d}"));
            for wanted in Engine::ALL {
                let mut session = program(before, once, wanted).session();
                session.set_quads(quads);
                let (mut results, mut killed) = (vec![0; 7 * batch.lanes], vec![true; batch.lanes]);
                let attribute = Attribute { slot: slot(0, 6), data: &batch.inputs[0].bits };
                // The second run has the memory of the first.
                for _ in 0..2 {
                    let mut outputs = Outputs { slots: &[slot(1, 7)], data: &mut results };
                    let ran =
                        session.run_with(batch.lanes, &[attribute], &mut outputs, &mut killed, &mut set);
                    ran.unwrap_or_else(|d| panic!("{wanted:?}: {d}"));
                    let got = (&results, &killed);
                    assert_eq!(got, (&want.outputs[0].bits, &want.killed), "{wanted:?} {before}");
                    results.fill(7);
                }
            }
        }
    }
}

#[test]
fn quads_of_a_session_have_four_lanes() {
    for wanted in Engine::ALL {
        let mut session = program("step 0x0 next 0x8:\n  next\n", false, wanted).session();
        for (quads, lanes, fits) in
            [(true, 3, false), (true, 4, true), (true, 5, false), (false, 5, true), (true, 0, true)]
        {
            session.set_quads(quads);
            let (data, mut results) = (vec![0; 6 * lanes], vec![0; 7 * lanes]);
            let mut outputs = Outputs { slots: &[slot(1, 7)], data: &mut results };
            let attribute = Attribute { slot: slot(0, 6), data: &data };
            let mut set = textures(Dim::D2, UNIT);
            let ran = session.run_with(lanes, &[attribute], &mut outputs, &mut [], &mut set);
            let want = if fits { Ok(()) } else { Err("exec-attribute") };
            assert_eq!(ran.map_err(|d| d.code), want, "{wanted:?}: {lanes} lanes");
        }
    }
}

/// A program that reads a texture in a session without one fails on every engine with the same code.
#[test]
fn a_session_may_have_no_textures() {
    for wanted in Engine::ALL {
        let program = program("step 0x0 next 0x8:\n  next\n", false, wanted);
        // Not every processor has machine code.
        let without = program.refused().first().map(|d| d.code);
        assert_eq!(without, (program.engine() != wanted).then_some("exec-unsupported"));
        let (data, mut results) = ([0; 4], [0; 7]);
        let mut outputs = Outputs { slots: &[slot(1, 7)], data: &mut results };
        let attribute = Attribute { slot: slot(0, 4), data: &data };
        let run = program.session().run(1, &[attribute], &mut outputs, &mut []);
        assert_eq!(run.map_err(|d| d.code), Err("eval-no-environment"), "{wanted:?}");
    }
}
