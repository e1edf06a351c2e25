//! A small machine for tests: runs whose programs are texts of lifted programs.

mod memory;
mod steps;

pub(crate) use memory::{BUFFER, Memory};

use crate::captured::Captured;
use crate::commands::{Answer, Commands, Reply};
use crate::run::BatchRun;
use crate::session::Session;
use crate::text::Line;
use shisa_diag::Limits;
use shisa_eval::{Batch, Column, Program};
use shisa_ir::{File, FileId, FileKind, FloatModel, Reg, Scalar, parse_lifted};
use steps::Steps;

const fn file(name: &'static str, kind: FileKind, scalar: Scalar) -> File {
    File { name, kind, unit_bits: 32, units_per_register: 1, units: 4, scalar }
}

pub(crate) static FILES: &[File] = &[
    file("v", FileKind::Input, Scalar::I32),
    file("c", FileKind::Uniform, Scalar::I32),
    file("r", FileKind::Temp, Scalar::I32),
    file("o", FileKind::Output, Scalar::F32),
];

/// A unit of a file.
pub(crate) const fn unit(file: u8, unit: u16) -> Reg {
    Reg::new(FileId(file), unit)
}

pub(crate) fn name_of(files: &'static [File], reg: Reg) -> String {
    format!("{}{}", files[usize::from(reg.file.0)].name, reg.unit)
}

/// A call of steps 6 to 9, and a loop of steps 3 and 4, which runs as often as the lane's number states, but at least once.
pub(crate) const FLOW: &str = "step 0x0 next 0x1:
  %0: i32 = read v:0 xxxx
  %1 = write r:0 x %0
  next
step 0x1 next 0x2:
  call to 0x6
step 0x2 next 0x3:
  loop
step 0x3 next 0x4:
  %2: i32 = read r:1 xxxx
  %3: i32 = const 1
  %4: i32 = iadd %2 %3
  %5 = write r:1 x %4
  next
step 0x4 next 0x5:
  %6: i32 = read r:1 xxxx
  %7: i32 = read v:0 xxxx
  %8: i1 = ult %6 %7
  again if %8 to 0x3
step 0x5 next 0x6:
  exit
step 0x6 next 0x7:
  %9: i32 = read r:0 xxxx
  %10: i32 = const 2
  %11: i1 = ult %9 %10
  push 0 if %11
step 0x7 next 0x8:
  %12: i32 = read c:0 xxxx
  %13 = write r:2 x %12
  next
step 0x8 next 0x9:
  pop 0
step 0x9 next 0xa:
  return
";

/// The run of a program in so many lanes. Each lane's `v0` is its number, and `c0` is 7.
pub(crate) fn captured(text: &str, lanes: usize) -> Captured {
    let limits = Limits::default();
    let lifted = parse_lifted(text, FILES, &limits).unwrap_or_else(|d| panic!("{d:?}"));
    let lines = lifted.steps.iter().map(|step| Line { counter: step.pc, text: format!(" op{} ", step.pc) });
    let lines = lines.collect();
    let numbers = Column { reg: unit(0, 0), units: 1, bits: (0..lanes as u32).collect() };
    let batch =
        Batch { lanes, inputs: vec![numbers], uniforms: vec![(unit(1, 0), vec![7])], ..Batch::default() };
    let program = Program::owning(lifted, FloatModel::F32, &limits).unwrap();
    let run = BatchRun { program, sequencer: Steps, batch, environment: Memory::default(), limits };
    Captured::new(run, name_of, lines)
}

/// A session at the start of such a run.
pub(crate) fn session(text: &str, lanes: usize) -> Session {
    captured(text, lanes).session(crate::RECORDING_BYTES)
}

/// The answer to a command.
pub(crate) fn answer(commands: &mut Commands, line: &str) -> Answer {
    match commands.run(line) {
        Ok(Reply::Answer(answer)) => answer,
        other => panic!("{line}: {other:?}"),
    }
}
