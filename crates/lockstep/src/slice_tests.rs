//! Slices compute the values of the recording.

use crate::engine::{Engine, Native};
use crate::observed::{Observe, What};
use crate::path::{Path, Shape, groups};
use crate::slice::Slice;
use shisa::data::debug::{RECORDING_BYTES, Recorded, captured};
use shisa::{File, Settings};
use shisa_diag::Limits;
use shisa_ir::Reg;
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
        let recorded = session.recorded();
        let lifted = recorded.program().lifted();
        let steps = lifted.steps.iter().chain(&lifted.implied);
        let shapes: Vec<Shape> = steps.map(|step| Shape::of(lifted, step)).collect();
        for length in [crate::WINDOW, 1] {
            let paths = groups(recorded).unwrap().into_iter();
            let paths = paths.map(|lanes| Path::of(recorded, &shapes, lanes).unwrap());
            let count: usize = paths.map(|path| compared(recorded, &path, length)).sum();
            assert!(count >= 8, "{name}: {count}");
        }
    }
}
