//! Dispatches: what the batch engine leaves in memory, and what it leaves to the evaluator.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use shisa_diag::{Diagnostic, Limits, Severity};
use shisa_engines::{Choice, Engine, Registers, Start};
use shisa_eval::{Batch, Dispatch, Machine, NoObserver, Plane, Wave, Waves, Workspace};
use shisa_ir::{
    At, Control, ControlOp, File, FileId, FileKind, FloatModel, Lanes, Lifted, Reg, Scalar, Sequencer, WAVE,
    parse_lifted,
};
use shisa_run::{TraceSink, TraceStep};

const fn file(name: &'static str, kind: FileKind) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 4, units: 4, scalar: Scalar::I32 }
}

static FILES: &[File] =
    &[file("v", FileKind::Input), file("c", FileKind::Uniform), file("o", FileKind::Output)];

/// The number of the thread in its workgroup, and that of the workgroup.
const THREAD: Reg = Reg::new(FileId(0), 0);
const GROUP: Reg = Reg::new(FileId(0), 1);
const UNIFORM: Reg = Reg::new(FileId(1), 0);
/// The address of the buffer, and its size in bytes: a word for each thread.
const BUFFER: u64 = 0x1000;
const BYTES: usize = 4 * 160;

/// One step after the other; a condition of step 0 skips step 1.
#[derive(Clone, Debug)]
struct Straight;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    pc: u32,
    active: Lanes,
    all: Lanes,
}

impl Sequencer for Straight {
    type State = State;

    fn start(&self, pc: u32, active: Lanes) -> State {
        State { pc, active, all: active }
    }

    fn at(&self, state: &State) -> At {
        if state.pc < 4 { At::Step(state.pc) } else { At::Done }
    }

    fn active(&self, state: &State) -> Lanes {
        state.active
    }

    fn step(&self, state: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        state.pc = next;
        match control.op {
            ControlOp::Push(_) => state.active &= cond,
            ControlOp::Pop(_) => state.active = state.all,
            _ => {}
        }
        Ok(())
    }
}

/// Each thread stores its number and a uniform, waits, and adds what thread `number ^ 32` stored to its word of the buffer.
const EXCHANGE: &str = "step 0x0 next 0x1:
  %0: i32 = read v:0 xxxx
  %1: i32 = read c:0 xxxx
  %2: i32 = iadd %0 %1
  %3: i32 = const 4
  %4: i32 = imul %0 %3
  %5 = store shared %4 %2
  next
step 0x1 next 0x2:
  %6 = barrier
  next
step 0x2 next 0x4:
  %7: i32 = read v:0 xxxx
  %8: i32 = const 32
  %9: i32 = xor %7 %8
  %10: i32 = const 4
  %11: i32 = imul %9 %10
  %12: i32 = load shared %11
  %13: i32 = read v:1 xxxx
  %14: i32 = const 256
  %15: i32 = imul %13 %14
  %16: i32 = imul %7 %10
  %17: i32 = iadd %15 %16
  %18: i32 = const 4096
  %19: i32 = iadd %17 %18
  %20: i32 = atomic_iadd global %19 %12
  next
";

/// Lanes with an odd number run step 1, an operation between lanes.
const DIVIDED: &str = "step 0x0 next 0x1:
  %0: i32 = read v:0 xxxx
  %1: i1 = truncate %0
  push 0 if %1
step 0x1 next 0x2:
  %2: i1 = const 1
  %3: i32 = const 0
  %4: i32 = ballot %2 %3
  %5: i32 = const 4096
  %6 = store global %5 %4
  next
step 0x2 next 0x4:
  pop 0
";

fn lifted(text: &str) -> Lifted {
    parse_lifted(text, FILES, &Limits::default()).unwrap_or_else(|d| panic!("{d:?}"))
}

#[derive(Default)]
struct Notes(Vec<Diagnostic>);

impl TraceSink for Notes {
    fn needs_steps(&self) -> bool {
        false
    }

    fn step(&mut self, _: TraceStep) {}

    fn note(&mut self, note: Diagnostic) {
        self.0.push(note);
    }
}

fn input(reg: Reg, wave: &Wave) -> Option<[u32; WAVE]> {
    match reg {
        THREAD => Some(std::array::from_fn(|lane| wave.number * WAVE as u32 + lane as u32)),
        GROUP => Some([wave.group[0]; WAVE]),
        _ => None,
    }
}

/// Three workgroups of 64 threads, of which the last has 16 fewer.
fn dispatch() -> Dispatch {
    Dispatch { entry: 0, threads: [176, 1, 1], workgroup: [64, 1, 1] }
}

fn memory(bytes: usize) -> Workspace {
    let mut space = Workspace::new(256, 0, 0, &Limits::default()).unwrap();
    space.add(BUFFER, vec![1; bytes]).unwrap();
    space
}

/// Whether the batch engine ran a dispatch, the memory after it, and the notes; the same with machine code.
fn fast(text: &str, limits: &Limits, bytes: usize) -> (Result<bool, Diagnostic>, Vec<u8>, Vec<Diagnostic>) {
    let batch = fast_on(Engine::Batch, text, limits, bytes);
    let (ran, memory, notes) = fast_on(Engine::MachineCode, text, limits, bytes);
    // Not every processor has machine code.
    let codes = |notes: &[Diagnostic]| {
        let other = notes.iter().filter(|d| !d.message.contains("machine code"));
        other.map(|d| d.code).collect::<Vec<_>>()
    };
    assert_eq!(codes(&notes), codes(&batch.2), "{notes:?}");
    assert_eq!(memory, batch.1);
    assert_eq!(ran.map_err(|d| d.code), batch.0.as_ref().map(|ran| *ran).map_err(|d| d.code));
    batch
}

fn fast_on(
    engine: Engine,
    text: &str,
    limits: &Limits,
    bytes: usize,
) -> (Result<bool, Diagnostic>, Vec<u8>, Vec<Diagnostic>) {
    let (lifted, choice) = (lifted(text), Choice::new(engine, limits));
    let start = Start { sequencer: &Straight, entry: 0, words: FILES };
    let mut compute = choice.compute(&lifted, start, FloatModel::F32, true).unwrap();
    let (mut space, mut notes) = (memory(bytes), Notes::default());
    // Twice: the second run has another uniform, and begins with new memory.
    for uniform in [3, 5] {
        space = memory(bytes);
        notes = Notes::default();
        let uniforms = [(UNIFORM, vec![uniform])];
        let registers = Registers { uniforms: &uniforms, input: &input };
        match compute.run(&dispatch(), &registers, &mut space, &mut notes) {
            Ok(true) => {}
            other => return (other, Vec::new(), notes.0),
        }
    }
    (Ok(true), space.buffer(BUFFER).unwrap().to_vec(), notes.0)
}

/// The memory after the evaluator.
fn evaluated(text: &str, bytes: usize) -> Result<Vec<u8>, Diagnostic> {
    let (lifted, limits) = (lifted(text), Limits::default());
    let plan = shisa_eval::Program::new(&lifted, &limits)?;
    let (mut waves, mut space) = (Waves::new(&plan, &Straight), memory(bytes));
    let load = |machine: &mut Machine<'_, _>, wave: &Wave| {
        for reg in [THREAD, GROUP] {
            if let (Some(plane), Some(words)) = (machine.plane_mut(reg), input(reg, wave)) {
                *plane = Plane(words);
            }
        }
        match plan.reads(UNIFORM) {
            true => machine.set_uniform(UNIFORM, 5),
            false => Ok(()),
        }
    };
    dispatch().run(&mut waves, &mut space, &mut NoObserver, &limits, load)?;
    Ok(space.buffer(BUFFER).unwrap().to_vec())
}

#[test]
fn waves_exchange_values_as_on_the_evaluator() {
    let bytes = 4 * 192;
    let (ran, got, notes) = fast(EXCHANGE, &Limits::default(), bytes);
    assert!(ran.unwrap() && notes.is_empty(), "{notes:?}");
    assert_eq!(got, evaluated(EXCHANGE, bytes).unwrap());
    // Thread 1 of the second workgroup adds what thread 33 stored: 33 + 5.
    let word = u32::from_le_bytes(*got[4 * 65..].first_chunk().unwrap());
    assert_eq!(word, 0x0101_0101 + 38);
    // Threads 48 to 63 of the last workgroup do not exist.
    assert!(got[4 * 176..].iter().all(|byte| *byte == 1));
}

#[test]
fn an_access_without_memory_is_the_evaluators() {
    let (ran, _, notes) = fast(EXCHANGE, &Limits::default(), BYTES);
    assert!(!ran.unwrap() && notes.is_empty(), "the evaluator states where: {notes:?}");
    let refused = evaluated(EXCHANGE, BYTES).unwrap_err();
    assert_eq!(refused.code, "eval-memory-outside");
}

#[test]
fn divided_lanes_are_the_evaluators() {
    let (ran, _, notes) = fast(DIVIDED, &Limits::default(), BYTES);
    assert!(!ran.unwrap());
    assert_eq!(
        notes.iter().map(|d| (d.code, d.severity)).collect::<Vec<_>>(),
        [("exec-divergent", Severity::Note)]
    );
    let got = evaluated(DIVIDED, BYTES).unwrap();
    // The last wave has 16 threads.
    assert_eq!(got[..4], 0xaaaa_u32.to_le_bytes());
}

#[test]
fn registers_that_only_the_evaluator_has_are_named() {
    let text = EXCHANGE.replace("read v:1", "read v:3");
    let (ran, _, notes) = fast(&text, &Limits::default(), BYTES);
    assert!(!ran.unwrap());
    assert!(
        matches!(&notes[..], [note] if note.code == "exec-unsupported" && note.message.contains("register 3 of the file `v`")),
        "{notes:?}"
    );
}

#[test]
fn the_limit_counts_the_lanes_of_all_waves() {
    let limits = Limits { run_steps: 1000, ..Limits::default() };
    let (ran, _, _) = fast(EXCHANGE, &limits, 4 * 192);
    assert_eq!(ran.unwrap_err().code, "limit-exceeded");
}

#[test]
fn the_limit_of_memory_is_that_of_all_waves_of_a_workgroup() {
    let (lifted, usual) = (lifted(EXCHANGE), Limits::default());
    let start = || Start { sequencer: &Straight, entry: 0, words: FILES };
    let program = shisa_exec::Program::of_lifted(lifted, start(), FloatModel::F32, &usual).unwrap();
    // A workgroup has two waves.
    let needed = 2 * program.working_set();
    for (memory, fits) in [(needed - 1, false), (needed, true), (needed + 1, true)] {
        let limits = Limits { memory, ..Limits::default() };
        match fast(EXCHANGE, &limits, 4 * 192).0 {
            Ok(ran) => assert!(ran && fits, "{memory}"),
            Err(d) => assert!(!fits && d.code == "limit-exceeded" && d.message.contains("waves"), "{d}"),
        }
    }
}

#[test]
fn other_choices_are_the_evaluators() {
    let (lifted, limits) = (lifted(EXCHANGE), Limits::default());
    for (engine, is_fast) in [(Engine::Evaluator, false), (Engine::MachineCode, true)] {
        let choice = Choice::new(engine, &limits);
        let start = Start { sequencer: &Straight, entry: 0, words: FILES };
        let mut compute = choice.compute(&lifted, start, FloatModel::F32, true).unwrap();
        let (mut space, mut notes) = (memory(4 * 192), Notes::default());
        let registers = Registers { uniforms: &[], input: &input };
        assert_eq!(compute.run(&dispatch(), &registers, &mut space, &mut notes).unwrap(), is_fast);
        // Not every processor has machine code.
        assert!(notes.0.iter().all(|note| note.message.contains("machine code")), "{:?}", notes.0);
        assert_eq!(choice.is_fast(&mut notes), is_fast);
    }
}

#[test]
fn batches_that_change_memory_are_the_evaluators() {
    let text = "step 0x0 next 0x4:
  %0: i32 = const 4096
  %1 = store global %0 %0
  %2 = write o:0 x %0
  next
";
    let (lifted, limits, mut notes) = (lifted(text), Limits::default(), Notes::default());
    let batch = Batch { lanes: 3, outputs: vec![(Reg::new(FileId(2), 0), 1)], ..Batch::default() };
    let mut space = memory(BYTES);
    let ran = Choice::new(Engine::Batch, &limits).run(
        &batch,
        (&lifted, &Straight),
        FloatModel::F32,
        &mut space,
        &mut notes,
    );
    assert!(ran.unwrap().is_none());
    assert!(matches!(&notes.0[..], [note] if note.message.contains("change memory")), "{:?}", notes.0);
    assert!(space.buffer(BUFFER).unwrap().iter().all(|byte| *byte == 1));
}
