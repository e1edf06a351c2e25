//! A small program on every engine: results, uniforms, names of registers, refusals.

use shisa_diag::{Diagnostic, Limits, Severity};
use shisa_engines::{Cache, Choice, Engine, Function, Lift, Precision, Program, Source, alone};
use shisa_eval::{Batch, Column, Environment, Grid, NoEnvironment, Outcome, Plane};
use shisa_exec::{Attribute, Outputs, Slot};
use shisa_ir::scalar::Rounding;
use shisa_ir::{
    At, Control, File, FileId, FileKind, FloatModel, Func, Lanes, Lifted, Nodes, Reg, Scalar, Sequencer,
    Tree, WAVE, parse_lifted,
};
use shisa_run::{TraceSink, TraceStep};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 8, scalar: Scalar::I32 }
}

static FILES: &[File] = &[
    file("v", FileKind::Input),
    file("c", FileKind::Uniform),
    file("o", FileKind::Output),
    file("t", FileKind::Temp),
];

const fn input(unit: u16) -> Reg {
    Reg::new(FileId(0), unit)
}
const fn uniform(unit: u16) -> Reg {
    Reg::new(FileId(1), unit)
}
const fn output(unit: u16) -> Reg {
    Reg::new(FileId(2), unit)
}

/// One instruction, then the end.
#[derive(Clone, Debug)]
struct Straight;

impl Sequencer for Straight {
    type State = (u32, Lanes);

    fn start(&self, entry: u32, lanes: Lanes) -> (u32, Lanes) {
        (entry, lanes)
    }

    fn at(&self, (pc, _): &(u32, Lanes)) -> At {
        if *pc < 6 { At::Step(*pc) } else { At::Done }
    }

    fn active(&self, (_, lanes): &(u32, Lanes)) -> Lanes {
        *lanes
    }

    fn step(&self, state: &mut (u32, Lanes), _: &Control, next: u32, _: Lanes) -> Result<(), Diagnostic> {
        state.0 = next;
        Ok(())
    }
}

/// Instruction 5, with which the program begins: `o.x = v.x + c.z`, `o.z = v.y`; lanes whose `v.y` is not zero end.
fn lifted() -> Lifted {
    let text = "step 0x5 next 0x6:
  %0: i32 = read v:0 xxxx
  %1: i32 = read v:1 xxxx
  %2: i32 = read c:2 xxxx
  %3: i32 = iadd %0 %2
  %4 = write o:0 x %3
  %5 = write o:2 x %1
  %6: i32 = const 0
  %7: i1 = ine %1 %6
  %8 = kill %7
  next
";
    parse_lifted(text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

fn lift(model: FloatModel) -> Lift<Straight> {
    Lift {
        lifted: lifted(),
        sequencer: Straight,
        entry: 5,
        model,
        upload: Rounding::Truncate,
        constants: vec![(uniform(1), vec![7, 1000])],
    }
}

fn program(wanted: Engine) -> Program {
    Program::new(Box::new(lift(FloatModel::F32)), Choice::new(wanted, &Limits::default()))
        .unwrap_or_else(|d| panic!("{d}"))
}

/// The engines of this build and host.
fn engines() -> impl Iterator<Item = Engine> {
    Engine::ALL.into_iter().filter(|wanted| program(*wanted).engine() == *wanted)
}

const LANES: usize = 70;

/// Inputs in an array with other elements between them: `v.x` is the lane's number, `v.y` is 9 in each third lane.
fn inputs() -> Vec<u32> {
    let lane = |lane: u32| [0xbad, lane, 0xbad, if lane.is_multiple_of(3) { 9 } else { 0 }, 0xbad];
    (0..LANES as u32).flat_map(lane).collect()
}

const INPUTS: Slot = Slot { reg: input(0), units: 2, offset: 1, stride: 5, step: 2 };
/// Units 0 to 2 of the output, unit by unit, after an element that is no output.
const OUTPUTS: Slot = Slot { reg: output(0), units: 3, offset: 1, stride: 1, step: LANES };

#[test]
fn all_engines_have_the_same_results() {
    assert!(engines().count() >= 2, "the evaluator and the batch engine run on every host");
    for engine in engines() {
        let program = program(engine);
        assert_eq!(program.code_size() > 1, engine == Engine::MachineCode, "{engine:?}");
        assert!(program.refused().is_empty());
        let mut session = program.session();
        assert_eq!(session.program().engine(), engine);
        for addend in [1000, 50] {
            let (mut data, mut killed) = (vec![77; 1 + 3 * LANES], vec![false; LANES]);
            let attribute = Attribute { slot: INPUTS, data: &inputs() };
            let mut outputs = Outputs { slots: &[OUTPUTS], data: &mut data };
            session.run(LANES, &[attribute], &mut outputs, &mut killed).unwrap();
            assert_eq!(data[0], 77, "{engine:?}: no output is there");
            for lane in 0..LANES {
                let is_third = lane % 3 == 0;
                assert_eq!(killed[lane], is_third, "{engine:?} lane {lane}");
                let units = [1, 1 + LANES, 1 + 2 * LANES].map(|unit| data[unit + lane]);
                let expected = [lane as u32 + addend, 0, if is_third { 9 } else { 0 }];
                assert_eq!(units, expected, "{engine:?} lane {lane}");
            }
            // The second run has another uniform; the one before it keeps the value that the program states.
            session.set_uniforms(uniform(2), &[50]).unwrap();
        }
    }
}

/// Results of several threads are those of one, also where lanes do not fill the last part, and for separate arrays, which one
/// thread runs.
#[test]
fn threads_have_the_results_of_one() {
    const MOST: usize = 1_000;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let data: Vec<u32> = (0..MOST as u32).flat_map(|lane| [lane, lane % 3]).collect();
    let attribute = Attribute { slot: Slot { offset: 0, stride: 2, step: 1, ..INPUTS }, data: &data };
    let rows = Slot { offset: 1, stride: 5, step: 1, ..OUTPUTS };
    let arrays = Slot { offset: 0, stride: 1, step: MOST, ..OUTPUTS };
    // The last unit of a lane is the first element of the next lane's row.
    let beyond = Slot { offset: 1, stride: 3, step: 1, ..OUTPUTS };
    for engine in engines() {
        let program = program(engine);
        let mut session = program.session();
        let mut threads = pool.install(|| program.threads());
        for (lanes, slot, addend) in [
            (MOST, rows, 3),
            (MOST, arrays, 4),
            (257, rows, 5),
            (128, rows, 6),
            (1, rows, 7),
            (0, rows, 8),
            (MOST, beyond, 9),
        ] {
            let [mut one, mut all] = [(), ()].map(|()| (vec![77; 5 * MOST], vec![false; lanes]));
            session.set_uniforms(uniform(2), &[addend]).unwrap();
            threads.set_uniforms(uniform(2), &[addend]).unwrap();
            let outputs = &mut Outputs { slots: &[slot], data: &mut one.0 };
            session.run(lanes, &[attribute], outputs, &mut one.1).unwrap();
            let outputs = &mut Outputs { slots: &[slot], data: &mut all.0 };
            pool.install(|| threads.run(lanes, &[attribute], outputs, &mut all.1)).unwrap();
            assert_eq!(one, all, "{engine:?} {lanes} lanes of {slot:?}");
        }
        let outputs = &mut Outputs { slots: &[rows], data: &mut [0; 10] };
        let found = pool.install(|| threads.run(MOST, &[attribute], outputs, &mut [])).unwrap_err();
        assert_eq!(found.code, "exec-attribute");
        assert!(threads.set_uniforms(input(0), &[1]).is_err());
    }
}

#[test]
fn only_units_of_uniforms_can_be_set() {
    for engine in engines() {
        let mut session = program(engine).session();
        assert!(session.set_uniforms(uniform(0), &[0; 8]).is_ok());
        for (first, count) in [(uniform(0), 9), (uniform(7), 2), (uniform(9), 1), (input(0), 1)] {
            let found = session.set_uniforms(first, &vec![0; count]).unwrap_err();
            assert_eq!(found.code, "exec-attribute", "{engine:?} {first:?}");
        }
    }
}

#[test]
fn memory_of_a_run_is_limited() {
    let limits = Limits { memory: 559, ..Limits::default() };
    let source = Box::new(lift(FloatModel::F32));
    let program = Program::new(source, Choice::new(Engine::Evaluator, &limits)).unwrap();
    let data = inputs();
    let run = |lanes: usize| {
        let (mut data, attribute) = (vec![0; 1 + 3 * LANES], Attribute { slot: INPUTS, data: &data });
        let mut outputs = Outputs { slots: &[Slot { units: 1, ..OUTPUTS }], data: &mut data };
        program.session().run(lanes, &[attribute], &mut outputs, &mut [])
    };
    // Two 32-bit inputs each: 560 bytes.
    assert_eq!(run(LANES).unwrap_err().code, "limit-exceeded");
    assert!(run(1).is_ok());
}

#[test]
fn registers_of_the_interface_have_names() {
    let program = program(Engine::Evaluator);
    assert_eq!(program.files().len(), 4);
    for (name, expected) in [
        ("v0", Some((input(0), 4))),
        ("v", Some((input(0), 4))),
        ("v1", Some((input(4), 4))),
        ("v2", None),
        ("v65535", None),
        ("v65536", None),
        ("c1", Some((uniform(4), 4))),
        ("o1", Some((output(4), 4))),
        ("t0", None),
        ("x0", None),
        ("", None),
    ] {
        assert_eq!(program.register(name), expected, "{name}");
    }
}

#[test]
fn numbers_are_stored_in_the_program_s_format() {
    let stored = |model, bits: u32| {
        Program::new(Box::new(lift(model)), Choice::new(Engine::Evaluator, &Limits::default()))
            .unwrap()
            .stored(bits)
    };
    assert_eq!(stored(FloatModel::F32, 0x3f80_0001), 0x3f80_0001);
    // A float24 has 16 bits of fraction, 7 less than a binary32.
    assert_eq!(stored(FloatModel::F24, 0x3f80_01ff), 0x3f80_0180);
    let func = Func { files: FILES, nodes: Nodes::default(), blocks: Vec::new() };
    let tree = Tree { vars: Vec::new(), body: Vec::new() };
    let function = Function { func, tree, model: FloatModel::F32 };
    assert_eq!((function.stored(0x3f80_01ff), function.constants().len()), (0x3f80_01ff, 0));
    assert_eq!(function.files().len(), 4);
    let refused = function.evaluate(Batch::default(), &mut NoEnvironment, &Limits::default()).unwrap_err();
    assert_eq!(refused.code, "exec-unsupported");
}

/// A program that no engine but the evaluator takes, for a reason of this code.
struct Refused(&'static str);

impl Source for Refused {
    fn files(&self) -> &'static [File] {
        FILES
    }

    fn compile(&self, _: Precision, _: &Limits) -> Result<shisa_exec::Program, Diagnostic> {
        Err(Diagnostic::error(self.0, "no engine"))
    }

    fn evaluate(
        &self,
        batch: Batch,
        environment: &mut dyn Environment,
        limits: &Limits,
    ) -> Result<Outcome, Diagnostic> {
        lift(FloatModel::F32).evaluate(batch, environment, limits)
    }
}

#[test]
fn a_refused_program_is_the_evaluator_s_and_a_fault_of_shisa_is_an_error() {
    let new = |code, wanted| Program::new(Box::new(Refused(code)), Choice::new(wanted, &Limits::default()));
    for wanted in [Engine::Batch, Engine::MachineCode] {
        let program = new("exec-unsupported", wanted).unwrap();
        assert_eq!((program.engine(), program.code_size()), (Engine::Evaluator, 0));
        assert_eq!(program.refused().iter().map(|d| d.code).collect::<Vec<_>>(), ["exec-unsupported"]);
        assert_eq!(new("internal-test", wanted).err().unwrap().code, "internal-test");
    }
    let program = new("internal-test", Engine::Evaluator).unwrap();
    assert!(program.refused().is_empty(), "nothing is compiled for the evaluator");
}

/// Collects notes.
#[derive(Default)]
struct Notes {
    notes: Vec<Diagnostic>,
    needs_steps: bool,
}

impl TraceSink for Notes {
    fn needs_steps(&self) -> bool {
        self.needs_steps
    }

    fn step(&mut self, _: TraceStep) {}

    fn note(&mut self, note: Diagnostic) {
        self.notes.push(note);
    }
}

/// What a batch of the evaluator returns on the batch engine, and the notes.
fn chosen(wanted: Engine, batch: &Batch, needs_steps: bool) -> (Option<Outcome>, Vec<Diagnostic>) {
    let limits = Limits::default();
    let mut sink = Notes { needs_steps, ..Notes::default() };
    let choice = Choice::new(wanted, &limits);
    let outcome = choice.run(batch, (&lifted(), &Straight), FloatModel::F32, &mut NoEnvironment, &mut sink);
    let outcome = outcome.unwrap_or_else(|d| panic!("{d}"));
    assert!(sink.notes.iter().all(|note| note.severity == Severity::Note));
    (outcome, sink.notes)
}

/// A batch of two columns, a uniform and two results.
fn batch() -> Batch {
    let bits = (0..LANES as u32).collect();
    Batch {
        entry: 5,
        lanes: LANES,
        inputs: vec![Column { reg: input(0), units: 1, bits }],
        uniforms: vec![(uniform(2), vec![5]), (input(1), vec![0])],
        outputs: vec![(output(0), 1), (output(2), 2)],
        ..Batch::default()
    }
}

#[test]
fn a_batch_of_the_evaluator_runs_on_the_batch_engine() {
    let (outcome, notes) = chosen(Engine::Batch, &batch(), false);
    let expected = lift(FloatModel::F32).evaluate(batch(), &mut NoEnvironment, &Limits::default()).unwrap();
    assert!(notes.is_empty());
    let outcome = outcome.unwrap();
    assert_eq!(outcome.outputs[0].bits, (5..5 + LANES as u32).collect::<Vec<_>>());
    assert_eq!(outcome.outputs.len(), expected.outputs.len());
    for (batch, evaluator) in outcome.outputs.iter().zip(&expected.outputs) {
        assert_eq!((batch.reg, batch.units, &batch.bits), (evaluator.reg, evaluator.units, &evaluator.bits));
    }
    assert_eq!(outcome.killed, vec![false; LANES]);
    let plane = Plane(std::array::from_fn(|lane| lane as u32 % 2));
    let by_lane = vec![(input(1), plane)];
    let uniforms = vec![(uniform(2), vec![5])];
    let (outcome, _) = chosen(Engine::Batch, &Batch { by_lane, uniforms, ..batch() }, false);
    let killed: Vec<bool> = (0..LANES).map(|lane| lane % WAVE % 2 == 1).collect();
    assert_eq!(outcome.unwrap().killed, killed, "by the number of the lane in its wave");
}

#[test]
fn memory_of_a_batch_s_results_is_limited() {
    // Each lane has three 32-bit results and a byte that states whether it was killed.
    let lanes = 100_000;
    let inputs = vec![Column { reg: input(0), units: 1, bits: vec![0; lanes] }];
    let batch = Batch { lanes, inputs, ..batch() };
    for (memory, is_refused) in [(lanes * 13, false), (lanes * 13 - 1, true)] {
        let limits = Limits { memory, ..Limits::default() };
        let choice = Choice::new(Engine::Batch, &limits);
        let result = choice.run(
            &batch,
            (&lifted(), &Straight),
            FloatModel::F32,
            &mut NoEnvironment,
            &mut Notes::default(),
        );
        assert!(!matches!(result, Ok(None)), "the batch engine takes the program");
        assert_eq!(result.is_err_and(|d| d.code == "limit-exceeded"), is_refused, "{memory} bytes");
    }
}

/// Without another engine to fall back to, the reason why an engine does not take a batch is the error.
#[test]
fn the_wanted_engine_runs_alone() {
    let limits = Limits::default();
    let only = |wanted, batch: &Batch| {
        let lifted = lifted();
        let program = (&lifted, &Straight);
        Choice::new(wanted, &limits).only(batch, program, FloatModel::F32, &mut NoEnvironment)
    };
    let helpers = Batch { helpers: vec![true; LANES], ..batch() };
    assert_eq!(
        only(Engine::Batch, &batch()).unwrap().outputs,
        only(Engine::Evaluator, &batch()).unwrap().outputs
    );
    assert!(only(Engine::Evaluator, &helpers).is_ok());
    let refused = only(Engine::Batch, &helpers).unwrap_err();
    assert_eq!((refused.code, refused.severity), ("exec-unsupported", Severity::Error));
    assert!(refused.message.contains("helper lanes"), "{refused}");
    let needs_steps = alone(|sink| Ok::<_, Diagnostic>(Some(sink.needs_steps())));
    assert_eq!(needs_steps, Ok(false));
    let unexplained = alone(|_| Ok::<Option<()>, Diagnostic>(None));
    assert_eq!(unexplained.unwrap_err().code, "exec-unsupported");
}

#[test]
fn a_batch_in_other_registers_is_the_evaluator_s() {
    let temp = Reg::new(FileId(3), 0);
    let column = |reg| Column { reg, units: 1, bits: vec![0; LANES] };
    let varying = Plane(std::array::from_fn(|lane| u32::from(lane == WAVE - 1)));
    let same = Plane([3; WAVE]);
    let grid = Some(Grid { width: 10, height: 7 });
    for (what, batch, is_refused) in [
        ("nothing else", batch(), false),
        ("an input in a temporary register", Batch { inputs: vec![column(temp)], ..batch() }, true),
        ("an input in a uniform", Batch { inputs: vec![column(uniform(0))], ..batch() }, true),
        ("a uniform in an output", Batch { uniforms: vec![(output(0), vec![0])], ..batch() }, true),
        ("a result in an input", Batch { outputs: vec![(input(0), 1)], ..batch() }, true),
        ("no unit of a result in an input", Batch { outputs: vec![(input(0), 0)], ..batch() }, true),
        ("lanes that differ in quads", Batch { by_lane: vec![(input(1), varying)], grid, ..batch() }, true),
        ("lanes that differ", Batch { by_lane: vec![(input(1), varying)], ..batch() }, false),
        ("equal lanes in quads", Batch { by_lane: vec![(input(1), same)], grid, ..batch() }, false),
        ("lanes that nothing reads", Batch { by_lane: vec![(input(3), varying)], grid, ..batch() }, false),
    ] {
        let (outcome, notes) = chosen(Engine::Batch, &batch, false);
        assert_eq!(outcome.is_none(), is_refused, "{what}: {notes:?}");
        let codes: Vec<&str> = notes.iter().map(|note| note.code).collect();
        assert_eq!(codes, vec!["exec-unsupported"; is_refused.into()], "{what}");
    }
}

#[test]
fn traces_are_the_evaluator_s() {
    let (outcome, notes) = chosen(Engine::Batch, &batch(), true);
    assert!(outcome.is_none());
    assert_eq!(notes.len(), 1);
    assert!(notes[0].message.contains("traces"), "{}", notes[0].message);
    let (outcome, notes) = chosen(Engine::Evaluator, &batch(), true);
    assert!(outcome.is_none() && notes.is_empty(), "nothing is refused if the evaluator is wanted");
}

#[test]
fn a_cache_is_empty_before_its_first_program() {
    let mut cache = Cache::new(2);
    assert!(cache.is_empty());
    assert_eq!(cache.get(&[&[1]], || Ok::<_, ()>(1)), Ok(&mut 1));
    assert!(!cache.is_empty());
}

/// A run that emits vertices could not be repeated by the evaluator, so a program that may end with `exec-divergent` is the
/// evaluator's from the start.
#[test]
fn programs_that_emit_do_not_need_lanes_together() {
    let on = |ty: &str, between: &str| {
        let text = format!(
            "step 0x5 next 0x6:
  %0: {ty} = read v:0 xxxx
  %1: {ty} = {between}
  %2 = write o:0 x %1
  %3 = emit
  next
"
        );
        let lifted =
            parse_lifted(&text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        let lift = Lift { lifted, ..lift(FloatModel::F32) };
        Program::new(Box::new(lift), Choice::new(Engine::Batch, &Limits::default())).unwrap()
    };
    assert_eq!(on("i32", "iadd %0 %0").engine(), Engine::Batch);
    let evaluated = on("f32", "ddx %0");
    assert_eq!(evaluated.engine(), Engine::Evaluator);
    let [reason] = evaluated.refused() else { panic!("{:?}", evaluated.refused()) };
    assert_eq!(reason.code, "exec-unsupported");
    assert!(reason.message.contains("emit vertices"), "{reason}");
}
