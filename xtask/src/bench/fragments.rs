//! Speed of fragment programs of AGAL on the batch engine and as machine code, with textures whose reads cost little.

use super::buffers::Buffers;
use super::timing::all_seconds;
use shisa::data::batch::{Environment, HostLevel, Precision, Program, Runner, Sample};
use shisa::diag::{Diagnostic, Limits};
use shisa::ir::scalar::lanes::Words;
use shisa::ir::{FileId, FileKind, Reg};
use shisa::{File, Settings};
use std::error::Error;

/// Programs without a texture, with one, and with derivatives and two textures.
const PROGRAMS: [(&str, &str); 3] = [
    ("fog", include_str!("../../../examples/fog.frag.agal")),
    ("lit", include_str!("../../../examples/lit.frag.agal")),
    ("bump", include_str!("../../../examples/bump.frag.agal")),
];

/// Pixels of a draw, in quads.
const PIXELS: usize = 4096;
/// Texels of a row, and of a column.
const SIDE: usize = 64;

/// A texture of which each lane gets the nearest texel.
struct Nearest(Vec<[u32; 4]>);

impl Environment for Nearest {
    fn sample(&mut self, read: &Sample<'_>, texels: &mut [Words; 4]) -> Result<(), Diagnostic> {
        let [x, y, ..] = read.op.coord;
        let mut left = read.lanes;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            let [x, y] =
                [x, y].map(|wave| (f32::from_bits(wave[lane / 16][lane % 16]) * SIDE as f32) as usize);
            let texel = self.0[y % SIDE * SIDE + x % SIDE];
            texels.iter_mut().zip(texel).for_each(|(to, bits)| to[lane] = bits);
        }
        Ok(())
    }
}

/// A program on an engine.
struct Subject {
    name: &'static str,
    runner: Runner,
    buffers: Buffers,
}

/// Prints million pixels a second of each program on each engine.
pub(super) fn print(wanted: impl Fn(&str) -> bool) -> Result<(), Box<dyn Error>> {
    for (program, source) in PROGRAMS {
        let name = format!("agal/exec/{program}");
        if wanted(&name) {
            let settings = Settings::new();
            let lowered = File::open(source.as_bytes(), &settings)?.program(1)?.lower()?;
            measure(&name, &lowered.batch(Precision::Exact)?)?;
        }
    }
    Ok(())
}

fn measure(name: &str, program: &Program) -> Result<(), Box<dyn Error>> {
    // Numbers between 0 and 1, of which none is zero and no derivative depends on another.
    let number = |pixel: usize, unit: usize| {
        let n = ((pixel * 64 + unit) as u32 + 1).wrapping_mul(0x9e37_79b9) >> 19;
        ((n + 1) as f32 / 8193.0).to_bits()
    };
    let units = program.inputs().count();
    let data = || (0..PIXELS).flat_map(|pixel| (0..units).map(move |unit| number(pixel, unit))).collect();
    let buffers = || Buffers::new(registers(program.inputs()), registers(program.outputs()), data(), PIXELS);
    let mut subjects = Vec::new();
    for (batch, code, level) in
        [("batch-avx2", "jit-avx2", HostLevel::Avx2), ("batch-avx512", "jit-avx512", HostLevel::Avx512)]
    {
        let mut runner = program.runner();
        if runner.set_level(level) {
            subjects.push(Subject { name: batch, runner, buffers: buffers() });
        }
        let mut coded = program.clone();
        if level.is_available() && coded.add_machine_code_for(level, &Limits::default()).is_ok() {
            subjects.push(Subject { name: code, runner: coded.runner(), buffers: buffers() });
        }
    }
    let constants: Vec<u32> = (0..64).map(|n| (n as f32 / 16.0).to_bits()).collect();
    let uniforms: Vec<FileId> = (0..)
        .map(FileId)
        .zip(program.files())
        .filter(|(_, f)| f.kind == FileKind::Uniform)
        .map(|(id, _)| id)
        .collect();
    for subject in &mut subjects {
        subject.runner.set_quads(true);
        uniforms.iter().for_each(|id| subject.runner.set_uniforms(Reg::new(*id, 0), &constants));
    }
    let mut texture = Nearest((0..SIDE * SIDE).map(|n| [0, 1, 2, 3].map(|c| number(n, c))).collect());
    let mut run =
        |Subject { runner, buffers, .. }: &mut Subject| buffers.run_with(runner, PIXELS, &mut texture);
    subjects.iter_mut().try_for_each(&mut run)?;
    let run = std::cell::RefCell::new(run);
    let mut pieces: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for subject in &mut subjects {
        pieces.push(Box::new(|| drop(run.borrow_mut()(subject))));
    }
    let mut list: Vec<&mut dyn FnMut()> = pieces.iter_mut().map(|piece| &mut **piece as _).collect();
    let times = all_seconds(&mut list);
    drop(pieces);
    for (subject, time) in subjects.iter().zip(&times) {
        println!(
            "{name}/{} {:.2} M-pixels/s; {:.2} times the speed of {}; {} instructions, {} chunks left",
            subject.name,
            PIXELS as f64 / time / 1e6,
            times[0] / time,
            subjects[0].name,
            program.size().1,
            subject.runner.left_chunks()
        );
    }
    Ok(())
}

/// Units as registers of up to four.
fn registers(units: impl Iterator<Item = Reg>) -> Vec<(Reg, u16)> {
    let mut list: Vec<(Reg, u16)> = Vec::new();
    for unit in units {
        match list.last_mut() {
            Some((reg, count)) if reg.file == unit.file && reg.unit / 4 == unit.unit / 4 => *count += 1,
            _ => list.push((unit, 1)),
        }
    }
    list
}
