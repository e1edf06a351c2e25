//! Slices compute the values of the recording.

use crate::engine::{Engine, Native};
use crate::observed::{Observe, What};
use crate::path::{Path, Shape, groups};
use crate::slice::Slice;
use crate::straight::Straight;
use shisa::data::debug::{RECORDING_BYTES, Recorded, captured};
use shisa::{File, Settings};
use shisa_debug::{BatchRun, Recording};
use shisa_diag::Limits;
use shisa_eval::{Batch, BufferEnvironment, Column, Program};
use shisa_ir::{File as IrFile, FileId, FileKind, FloatModel, Reg, Scalar, Space, parse_lifted};
use std::collections::BTreeMap;

/// Compares the registers that slices of a path write with what later steps of the path read; returns how many.
fn compared(recorded: &dyn Recorded, path: &Path, length: usize) -> usize {
    let program = recorded.program();
    let reads = path.taken.iter().flat_map(|taken| &taken.reads);
    let read: BTreeMap<(Reg, u32), &Vec<u32>> =
        reads.map(|read| ((read.reg, read.version), &read.bits)).collect();
    let mut count = 0;
    for first in (0..path.taken.len()).step_by(length) {
        let kept: Vec<usize> = (first..path.taken.len().min(first + length)).collect();
        let slice = Slice::new(program, path, &kept, Observe::All).expect("a slice");
        let results = Native::default().run(&slice, &Limits::default()).unwrap();
        for observed in &slice.observed {
            let What::Register(reg) = observed.what else { continue };
            let taken = &path.taken[observed.position];
            let Some((_, version)) = taken.writes.iter().find(|(unit, _)| *unit == reg) else { continue };
            let Some(want) = read.get(&(reg, *version)) else { continue };
            let bits = program.lifted().files[usize::from(reg.file.0)].unit_bits;
            for (lane, want) in want.iter().enumerate() {
                let outputs = results.lanes.outputs[0].lane(lane).unwrap();
                let got = outputs[usize::from(observed.unit)] & u32::MAX >> (32 - bits);
                assert_eq!(got, *want, "{reg:?} of lane {lane} after step {}", taken.time);
                count += 1;
            }
        }
    }
    count
}

/// The registers that slices of a run write and later steps read, by the length of the slices.
fn all_compared(recorded: &dyn Recorded, length: usize) -> usize {
    let lifted = recorded.program().lifted();
    let steps = lifted.steps.iter().chain(&lifted.implied);
    let shapes: Vec<Shape> = steps.map(|step| Shape::of(lifted, step)).collect();
    let paths = groups(recorded).unwrap().into_iter();
    let paths = paths.map(|lanes| Path::of(recorded, &shapes, lanes).unwrap());
    paths.map(|path| compared(recorded, &path, length)).sum()
}

const FILES: &[IrFile] = &[
    file("v", FileKind::Input, 32, Scalar::I32),
    file("c", FileKind::Uniform, 32, Scalar::I32),
    file("r", FileKind::Temp, 32, Scalar::I32),
    file("h", FileKind::Temp, 16, Scalar::I16),
    file("p", FileKind::Temp, 1, Scalar::I1),
];

const fn file(name: &'static str, kind: FileKind, unit_bits: u8, scalar: Scalar) -> IrFile {
    IrFile { name, kind, unit_bits, units_per_register: 1, units: 8, scalar }
}

/// Registers of all widths, of which `h6` is never written, a step that reads what it has loaded from memory, and uniforms with computed numbers.
const WIDTHS: &str = "step 0x0 next 0x1:
  %0: i32 = read v:0 xxxx
  %1: i16 = truncate %0
  %2 = write h:0 x %1
  %3: i1 = truncate %0
  %4 = write p:0 x %3
  %5 = write r:0 x %0
  next
step 0x1 next 0x2:
  %6: i32 = const 0x1000
  %7: i32 = load global %6
  %8 = write r:0 x %7
  %9: i32 = read r:0 xxxx
  %10: i32 = const 1
  %11: i32 = iadd %9 %10
  %12 = write r:1 x %11
  next
step 0x2 next 0x3:
  %13: i32 = read r:0 xxxx
  %14: i32 = read r:1 xxxx
  %15: i32 = iadd %13 %14
  %16 = write r:2 x %15
  %17: i16 = read h:0 xxxx
  %18: i16 = const 3
  %19: i16 = iadd %17 %18
  %20 = write h:7 x %19
  %21: i1 = read p:0 xxxx
  %22: i1 = not %21
  %23 = write p:1 x %22
  next
step 0x3 next 0x4:
  %24: i32 = read v:0 xxxx
  %25: i32 = read_at c:1 + %24 * 1 xxxx
  %26 = write r:3 x %25
  %27: i16 = read h:6 xxxx
  %28: i16 = read h:7 xxxx
  %29: i16 = iadd %27 %28
  %30 = write h:1 x %29
  next
step 0x4 next 0x5:
  %31: i32 = read r:2 xxxx
  %32: i32 = read r:3 xxxx
  %33: i16 = read h:1 xxxx
  %34: i1 = read p:1 xxxx
  %35: i32 = iadd %31 %32
  %36 = write r:4 x %35
  exit
";

/// What depends on memory has no copy. Of the registers that later steps read, these have one: `h0`, `p0` and `r0` of the first
/// step, `r2`, `h7`, `p1`, `r3` and `h1`.
#[test]
fn slices_have_registers_of_all_widths() {
    let limits = Limits::default();
    let lifted = parse_lifted(WIDTHS, FILES, &limits).unwrap();
    let register = |file, unit| Reg::new(FileId(file), unit);
    let numbers = Column { reg: register(0, 0), units: 1, bits: (0..4).collect() };
    let uniforms = vec![(register(1, 0), (10..18).collect())];
    let batch = Batch { lanes: 4, inputs: vec![numbers], uniforms, ..Batch::default() };
    let mut environment = BufferEnvironment::default();
    environment.add(Space::Global, 0x1000, &[40, 0, 0, 0], &limits).unwrap();
    let program = Program::owning(lifted, FloatModel::F32, &limits).unwrap();
    let run = BatchRun { program, sequencer: Straight, batch, environment, limits };
    let recording = Recording::new(run, RECORDING_BYTES);
    for length in [crate::WINDOW, 1] {
        assert_eq!(all_compared(&recording, length), 8 * 4, "{length}");
    }
}

/// Whole windows, and slices of one instruction.
#[test]
fn slices_compute_what_was_recorded() {
    let cases: [(&str, &[u8], &str); 4] = [
        (
            "fog.frag.agal",
            include_bytes!("../../../examples/fog.frag.agal"),
            include_str!("../../../examples/fog.json"),
        ),
        (
            "flat.v.pica",
            include_bytes!("../../../examples/flat.v.pica"),
            include_str!("../../../examples/flat.json"),
        ),
        (
            "saxpy.maxwell",
            include_bytes!("../../../examples/saxpy.maxwell"),
            include_str!("../../../examples/saxpy.json"),
        ),
        (
            "collatz.agx",
            include_bytes!("../../../examples/collatz.agx"),
            include_str!("../../../examples/collatz.json"),
        ),
    ];
    for (name, bytes, input) in cases {
        let mut settings = Settings::new();
        settings.name = Some(name.into());
        let file = File::open(bytes, &settings).expect(name);
        let runs = captured(|trace| file.run_traced(input, trace)).expect(name);
        let session = runs.into_iter().next().expect(name).session(RECORDING_BYTES);
        for length in [crate::WINDOW, 1] {
            let count = all_compared(session.recorded(), length);
            assert!(count >= 8, "{name}: {count}");
        }
    }
}
