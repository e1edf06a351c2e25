//! Lowered programs on the batch engine and as machine code, on each level of the host.

use shisa::Lowered;
use shisa::data::batch::{Attribute, Coding, HostLevel, Outputs, Precision, Slot};
use shisa::ir::{File, FileId, FileKind, Reg};

/// The outputs of all lanes.
pub(crate) struct Batch {
    /// The path that computed them.
    pub(crate) path: Path,
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
    pub(crate) fn unit(&self, lane: usize, reg: Reg) -> u32 {
        let start = self.starts.iter().find(|(file, _)| *file == reg.file).expect("an output file").1;
        self.data[lane * self.copies * self.stride + start + usize::from(reg.unit)]
    }
}

/// The vector units that run a program, with or without machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Path {
    pub(crate) level: HostLevel,
    pub(crate) machine_code: bool,
}

impl Path {
    const fn new(level: HostLevel, machine_code: bool) -> Path {
        Path { level, machine_code }
    }

    /// All paths. A processor without the units of one runs it on its own.
    pub(crate) const ALL: [Path; 5] = [
        Path::new(HostLevel::Base, false),
        Path::new(HostLevel::Avx2, false),
        Path::new(HostLevel::Avx512, false),
        Path::new(HostLevel::Avx2, true),
        Path::new(HostLevel::Avx512, true),
    ];

    /// The paths of a random program, which its number selects: one without machine code and one with it.
    pub(crate) fn of(number: u64) -> Vec<Path> {
        let one = |machine_code| {
            let paths: Vec<Path> =
                Path::ALL.into_iter().filter(|path| path.machine_code == machine_code).collect();
            paths[(number % paths.len() as u64) as usize]
        };
        vec![one(false), one(true)]
    }
}

/// The slots of all files of a kind, interleaved, and the number of units of a lane.
pub(crate) fn slots(files: &[File], kind: FileKind) -> (Vec<Slot>, usize) {
    let mut stride = 0;
    let mut list = Vec::new();
    for (id, file) in of_kind(files, kind) {
        list.push(Slot { reg: Reg::new(id, 0), units: file.units, offset: stride, stride: 0, step: 1 });
        stride += usize::from(file.units);
    }
    list.iter_mut().for_each(|slot| slot.stride = stride);
    (list, stride)
}

/// The files of a kind with their numbers.
pub(crate) fn of_kind(files: &[File], kind: FileKind) -> impl Iterator<Item = (FileId, &File)> + Clone {
    (0..).map(FileId).zip(files).filter(move |(_, f)| f.kind == kind)
}

/// Runs a program for lanes with these units of inputs and uniforms on each of the paths; nothing if the engine lacks an
/// operation of it.
pub(crate) fn run(
    lowered: &Lowered,
    lanes: usize,
    paths: &[Path],
    given: impl Fn(usize, &File, u16) -> u32,
) -> Vec<Batch> {
    match lowered.batch(Precision::Exact) {
        Ok(program) => {
            let on = |path: &Path| on_path(lowered.func.files, program.clone(), lanes, *path, &given);
            paths.iter().map(on).collect()
        }
        Err(e) => {
            assert!(e.diagnostics.iter().all(|d| d.code == "exec-unsupported"), "{e}");
            Vec::new()
        }
    }
}

fn on_path(
    files: &[File],
    mut program: shisa::data::batch::Program,
    lanes: usize,
    path: Path,
    given: &impl Fn(usize, &File, u16) -> u32,
) -> Batch {
    let copies = if path.machine_code { TOGETHER } else { 1 };
    let lanes = lanes * copies;
    if path.machine_code {
        // Not every processor can run it.
        program
            .add_machine_code_for(Coding { level: path.level, shortest: 1 }, &shisa::diag::Limits::default())
            .ok();
    }
    let mut runner = program.runner();
    if !path.machine_code {
        runner.set_level(path.level);
    }
    for (id, file) in of_kind(files, FileKind::Uniform) {
        let units: Vec<u32> = (0..file.units).map(|unit| given(0, file, unit)).collect();
        runner.set_uniforms(Reg::new(id, 0), &units);
    }
    let (inputs, _) = slots(files, FileKind::Input);
    let lane = |lane| {
        of_kind(files, FileKind::Input).flat_map(move |(_, f)| (0..f.units).map(move |u| (lane, f, u)))
    };
    let vertices: Vec<u32> =
        (0..lanes).flat_map(lane).map(|(lane, file, unit)| given(lane / copies, file, unit)).collect();
    let attributes: Vec<Attribute<'_>> =
        inputs.into_iter().map(|slot| Attribute { slot, data: &vertices }).collect();
    let (results, stride) = slots(files, FileKind::Output);
    let mut data = vec![0; stride * lanes];
    let mut outputs = Outputs { slots: &results, data: &mut data };
    runner.run(lanes, &attributes, &mut outputs, &mut []).expect("the engine ends where the statements end");
    let starts = results.iter().map(|s| (s.reg.file, s.offset)).collect();
    Batch { path, starts, stride, copies, data }
}
