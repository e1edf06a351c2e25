//! Programs of any bytes on the batch engine and as machine code.

use crate::batch::{Path, of_kind, slots};
use crate::edges::value;
use crate::targets::{accepted, choice, first, settings, settings_for};
use crate::{Random, agx, maxwell, pica200, program};
use shisa::agx::ComputeCode;
use shisa::data::NoTrace;
use shisa::data::batch::{
    Attribute, Coding, Emitting, Environment, Floats, MemoryAccess, Outputs, Precision, Program, Runner,
    Sample,
};
use shisa::data::engines::Engine;
use shisa::diag::{Diagnostic, Limits};
use shisa::ir::scalar::lanes::Words;
use shisa::ir::{Emission, File, FileKind, FloatModel, Reg, WAVE};
use shisa::{Isa, Lowered};

/// The largest number of lanes: slabs that are whole, and one that is not.
const LANES: usize = 300;
/// Words before and after the results, which no run may write.
const AROUND: usize = 64;
const UNTOUCHED: u32 = 0x5a17_c0de;

/// A program of AGAL, compiled for each path of the host, exactly and with small errors, ends or reports why it does not;
/// it writes its results only, which are the same on every path if they are exact.
pub fn compiled(data: &[u8]) -> bool {
    let bytes = program(data);
    let lowered = accepted(first(&bytes, &settings()).and_then(|p| p.lower()));
    lowered.is_some_and(|lowered| lowered_holds(&bytes, &lowered, FloatModel::F32))
}

/// As [`compiled`], for a shader of PICA200.
pub fn pica200_compiled(data: &[u8]) -> bool {
    let bytes = pica200::file(data);
    let settings = pica200::choices(&bytes);
    let lowered = accepted(first(&bytes, &settings).and_then(|p| p.lower()));
    lowered.is_some_and(|lowered| lowered_holds(&bytes, &lowered, settings.pica200.options.float_model()))
}

/// As [`compiled`], for the text of a function.
pub fn ir_compiled(data: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(data) else { return false };
    let (files, limits) = (shisa::agal::FRAGMENT_FILES, settings().limits);
    let Ok(mut func) = shisa::ir::parse_func(text, files, &limits) else { return false };
    if shisa::ir::verify(&func).is_err() {
        return false;
    }
    let Ok(tree) = shisa::ir::structurise(&mut func, &limits) else { return false };
    holds(choice(data), files, FloatModel::F32, |floats, limits| Program::new(&func, &tree, floats, limits))
}

fn lowered_holds(bytes: &[u8], Lowered { func, tree, .. }: &Lowered, model: FloatModel) -> bool {
    holds(choice(bytes), func.files, model, |floats, limits| Program::new(func, tree, floats, limits))
}

/// Runs what `compile` makes for each path; returns whether any of the runs ended.
fn holds(
    seed: usize,
    files: &[File],
    model: FloatModel,
    compile: impl Fn(Floats, &Limits) -> Result<Program, Diagnostic>,
) -> bool {
    let limits = Limits { lane_steps: 2_000, ..settings().limits };
    let run = Run::new(files, &mut Random::new(seed as u64));
    let mut any = false;
    for precision in [Precision::Exact, Precision::Fast] {
        let compiled = compile(Floats { model, precision }, &limits);
        let Some(program) = accepted(compiled.map_err(shisa::Error::from)) else { return false };
        let results = Path::ALL.iter().filter_map(|path| run.on(&program, *path, &limits));
        let mut results = results.peekable();
        any |= results.peek().is_some();
        if precision == Precision::Exact {
            let first = results.next();
            results.for_each(|other| assert!(Some(&other) == first.as_ref(), "results differ between paths"));
        } else {
            results.for_each(drop);
        }
    }
    any
}

/// What a program runs with.
struct Run<'a> {
    files: &'a [File],
    lanes: usize,
    quads: bool,
    uniforms: Vec<(Reg, Vec<u32>)>,
    vertices: Vec<u32>,
}

impl Run<'_> {
    fn new<'a>(files: &'a [File], random: &mut Random) -> Run<'a> {
        let lanes = 1 + random.below(LANES);
        let mut units = |count: usize| (0..count).map(|_| value(random)).collect::<Vec<u32>>();
        let uniforms = of_kind(files, FileKind::Uniform)
            .map(|(id, file)| (Reg::new(id, 0), units(file.units.into())))
            .collect();
        let vertices = units(lanes * slots(files, FileKind::Input).1);
        Run { files, lanes, quads: random.below(2) == 0, uniforms, vertices }
    }

    /// The results, then a sum of what each lane emitted, and the killed lanes; `None` if the processor lacks the path, or the run did not end.
    fn on(&self, program: &Program, path: Path, limits: &Limits) -> Option<(Vec<u32>, Vec<bool>)> {
        let mut program = program.clone();
        if path.machine_code
            && program.add_machine_code_for(Coding { level: path.level, shortest: 1 }, limits).is_err()
        {
            return None;
        }
        let mut runner: Runner = program.runner();
        if !path.machine_code && !runner.set_level(path.level) {
            return None;
        }
        runner.set_limits(limits.clone());
        runner.set_quads(self.quads);
        for (first, units) in &self.uniforms {
            runner.set_uniforms(*first, units);
        }
        let (inputs, _) = slots(self.files, FileKind::Input);
        let attributes: Vec<Attribute<'_>> =
            inputs.into_iter().map(|slot| Attribute { slot, data: &self.vertices }).collect();
        let (slots, stride) = slots(self.files, FileKind::Output);
        let mut all = vec![UNTOUCHED; stride * self.lanes + 2 * AROUND];
        let end = all.len() - AROUND;
        let mut outputs = Outputs { slots: &slots, data: &mut all[AROUND..end] };
        let mut killed = vec![false; self.lanes];
        let outputs_of = slots.iter().map(|slot| (slot.reg, usize::from(slot.units))).collect();
        let mut noise = Noise { outputs: outputs_of, emitted: vec![0; self.lanes] };
        let ran = runner.run_with(self.lanes, &attributes, &mut outputs, &mut killed, &mut noise);
        let mut around = all[..AROUND].iter().chain(&all[end..]);
        assert!(around.all(|word| *word == UNTOUCHED), "a run on {path:?} writes outside of its results");
        match ran {
            Ok(()) => Some(([&all[AROUND..end], &noise.emitted].concat(), killed)),
            Err(d) => {
                assert!(matches!(d.code, "limit-exceeded" | "exec-divergent" | "exec-environment"), "{d}");
                None
            }
        }
    }
}

/// Textures and memory that have any bits, which depend on a lane's operands alone.
struct Noise {
    /// The output files with their units.
    outputs: Vec<(Reg, usize)>,
    /// For each lane a sum of what it emitted, which depends on the order.
    emitted: Vec<u32>,
}

impl Noise {
    fn add(&mut self, lanes: &Emitting<'_>, word: impl Fn(usize) -> u32) {
        for lane in (0..WAVE).filter(|lane| lanes.lanes >> lane & 1 != 0) {
            let sum = &mut self.emitted[lanes.first + lane];
            let mut add = |bits: u32| *sum = sum.wrapping_mul(31).rotate_left(5) ^ bits;
            add(word(lane));
            for (first, units) in &self.outputs {
                let mut bits = vec![0; *units];
                lanes.outputs(*first, lane, &mut bits);
                bits.into_iter().for_each(&mut add);
            }
        }
    }
}

impl Environment for Noise {
    fn sample(&mut self, read: &Sample<'_>, texels: &mut [Words; 4]) -> Result<(), Diagnostic> {
        let mut sums = [0u32; WAVE];
        read.op.map(|waves| {
            for wave in waves {
                let bits = wave.iter().copied().flatten();
                sums.iter_mut().zip(bits).for_each(|(sum, bits)| *sum = sum.wrapping_mul(31) ^ bits);
            }
        });
        for (texels, n) in texels.iter_mut().zip(0..) {
            texels.iter_mut().zip(sums).for_each(|(texel, sum)| *texel = sum.rotate_left(8 * n));
        }
        Ok(())
    }

    fn load(&mut self, access: &MemoryAccess<'_>, values: &mut [Words]) -> Result<(), Diagnostic> {
        values.iter_mut().for_each(|value| *value = *access.address[0]);
        Ok(())
    }

    fn emit(&mut self, lanes: &Emitting<'_>, settings: &[Emission; WAVE]) -> Result<(), Diagnostic> {
        self.add(lanes, |lane| settings[lane].word());
        Ok(())
    }

    fn emit_vertex(
        &mut self,
        lanes: &Emitting<'_>,
        vertex: &Words,
        stream: &Words,
    ) -> Result<(), Diagnostic> {
        self.add(lanes, |lane| vertex[lane] ^ stream[lane] << 16);
        Ok(())
    }

    fn end_strip(&mut self, lanes: &Emitting<'_>, vertex: &Words) -> Result<(), Diagnostic> {
        self.add(lanes, |lane| !vertex[lane]);
        Ok(())
    }
}

/// A kernel of Maxwell that runs as machine code, on the batch engine, or on the evaluator, terminates, and does not change the size of
/// its memory.
pub fn maxwell_compiled(data: &[u8]) -> bool {
    let mut settings = settings_for(Isa::Maxwell);
    settings.engine = Engine::MachineCode;
    maxwell::runs(data, settings)
}

/// As [`maxwell_compiled`], for a kernel of AGX.
pub fn agx_compiled(data: &[u8]) -> bool {
    let mut settings = settings();
    settings.limits.lane_steps = 500;
    settings.engine = Engine::MachineCode;
    let run = agx::kernel(data);
    let code = accepted(ComputeCode::new(&run.program, &settings));
    let ran = code.and_then(|code| {
        let plan = accepted(code.plan(&settings))?;
        accepted(plan.compile(&settings).and_then(|mut fast| fast.run(&run, &mut NoTrace, &settings)))?
    });
    ran.is_some_and(|output| {
        let sizes = run.buffers.iter().map(|(_, bytes)| bytes.len());
        assert!(output.buffers.iter().map(Vec::len).eq(sizes), "buffers keep their sizes");
        true
    })
}
