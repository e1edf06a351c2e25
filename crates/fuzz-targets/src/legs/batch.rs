//! The batch engine on a program that other engines have run.

use shisa::Lowered;
use shisa::data::batch::{Attribute, HostLevel, Outputs, Precision, Slot};
use shisa::ir::{File, FileId, FileKind, Reg};

/// The outputs of all lanes.
pub(super) struct Batch {
    /// The output files with the index of their first unit, and the number of units of all.
    starts: Vec<(FileId, usize)>,
    stride: usize,
    /// Lanes of the engine for each lane.
    copies: usize,
    data: Vec<u32>,
}

/// Lanes of which machine code leaves all if one is in doubt: each lane runs as often, so that the others count.
const TOGETHER: usize = 16;

impl Batch {
    /// A unit of an output file.
    pub(super) fn unit(&self, lane: usize, reg: Reg) -> u32 {
        let start = self.starts.iter().find(|(file, _)| *file == reg.file).expect("an output file").1;
        self.data[lane * self.copies * self.stride + start + usize::from(reg.unit)]
    }
}

/// How a program runs: on a level of the batch engine, or as machine code for a level.
const ENGINES: [(HostLevel, bool); 5] = [
    (HostLevel::Base, false),
    (HostLevel::Avx2, false),
    (HostLevel::Avx512, false),
    (HostLevel::Avx2, true),
    (HostLevel::Avx512, true),
];

/// Runs a program for lanes with these units of inputs and uniforms, on the engine that `number` selects; `None` if the
/// engine lacks an operation of it.
pub(super) fn run(
    lowered: &Lowered,
    lanes: usize,
    number: usize,
    given: impl Fn(usize, &File, u16) -> u32,
) -> Option<Batch> {
    let mut program = match lowered.batch(Precision::Exact) {
        Ok(program) => program,
        Err(e) => {
            assert!(e.diagnostics.iter().all(|d| d.code == "exec-unsupported"), "{e}");
            return None;
        }
    };
    let files = || (0..).map(FileId).zip(lowered.func.files);
    let of_kind = |kind: FileKind| files().filter(move |(_, f)| f.kind == kind);
    let slots = |kind: FileKind| {
        let mut stride = 0;
        let mut list = Vec::new();
        for (id, file) in of_kind(kind) {
            list.push(Slot { reg: Reg::new(id, 0), units: file.units, offset: stride, stride: 0, step: 1 });
            stride += usize::from(file.units);
        }
        list.iter_mut().for_each(|slot| slot.stride = stride);
        (list, stride)
    };
    let (level, machine_code) = ENGINES[number % ENGINES.len()];
    let copies = if machine_code { TOGETHER } else { 1 };
    let lanes = lanes * copies;
    if machine_code {
        // Not every processor can run it.
        program.add_machine_code_for(level, &shisa::diag::Limits::default()).ok();
    }
    let mut runner = program.runner();
    if !machine_code {
        runner.set_level(level);
    }
    for (id, file) in of_kind(FileKind::Uniform) {
        let units: Vec<u32> = (0..file.units).map(|unit| given(0, file, unit)).collect();
        runner.set_uniforms(Reg::new(id, 0), &units);
    }
    let (inputs, _) = slots(FileKind::Input);
    let lane =
        |lane| of_kind(FileKind::Input).flat_map(move |(_, f)| (0..f.units).map(move |u| (lane, f, u)));
    let vertices: Vec<u32> =
        (0..lanes).flat_map(lane).map(|(lane, file, unit)| given(lane / copies, file, unit)).collect();
    let attributes: Vec<Attribute<'_>> =
        inputs.into_iter().map(|slot| Attribute { slot, data: &vertices }).collect();
    let (results, stride) = slots(FileKind::Output);
    let mut data = vec![0; stride * lanes];
    let mut outputs = Outputs { slots: &results, data: &mut data };
    runner.run(lanes, &attributes, &mut outputs, &mut []).expect("the engine ends where the statements end");
    Some(Batch { starts: results.iter().map(|s| (s.reg.file, s.offset)).collect(), stride, copies, data })
}
