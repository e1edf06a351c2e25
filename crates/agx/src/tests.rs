extern crate std;

use crate::*;
use alloc::{collections::BTreeMap, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoEnvironment, NoObserver, Paths, recovered};
use shisa_ir::{Lanes, Lifted, Reg, Space, Stage};
use shisa_rows::{Facts, Names, Scan, testing};
use shisa_translate::execute::{Device, Image, Resources, Triangle, passing};
use shisa_translate::{GlslVersion, Output, ShaderModel, SpirvVersion, Target};

#[test]
fn rows_are_sound() {
    // The same with a tile, and with what choices settle.
    let chosen = testing::Suite {
        ctx: |_| Ctx { imageblock: Some(Imageblock::default()), options: settled(), ..Ctx::default() },
        ..SUITE
    };
    for suite in [SUITE, chosen] {
        let report = suite.run();
        assert_eq!(report.faults, Vec::<String>::new());
        for lifted in &report.lifted {
            shisa_eval::Program::new(lifted, &Limits::default())
                .unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
        }
    }
}

/// The last value of every choice.
fn settled() -> Options {
    let mut options = Options::DEFAULT;
    for choice in Options::CHOICES {
        assert!(choice.values.last().is_some_and(|(value, _)| options.set(choice.key, value)));
    }
    options
}

#[test]
fn lengths_follow_from_row_and_bit() {
    for form in <Agx as shisa_rows::Isa>::table().forms() {
        for (text, word) in form.examples {
            let bytes = word.to_le_bytes();
            let insn = fetch(&bytes).unwrap();
            let n = length(&insn);
            assert!([2, 4, 6, 8, 10, 12].contains(&n));
            assert_eq!(fetch(&bytes[..n]), Some(insn));
            assert_eq!(fetch(&bytes[..n - 1]), None, "{text} is cut off");
        }
    }
    assert_eq!(fetch(&[]), None);
}

/// Mesa takes the high bits of numbers for changes of the value, and floats for integers.
#[test]
fn votes_on_floats_are_told_as_they_are() {
    let insn = fetch(&0x6000_01a4_4242_0522u64.to_le_bytes()).unwrap();
    let text = |syntax| testing::text(&insn, Ctx { syntax, ..Ctx::default() });
    assert_eq!(text(Syntax::Full), "ballot   r1, r1, r34.neg, quad, fltn");
    assert_eq!(text(Syntax::Mesa), "ballot   r1, r1, r2.abs, quad, ?3");
}

/// Code from text; `name:` makes a label, `{name}` stands for the distance to it.
pub(crate) fn assemble(lines: &[&str]) -> Program {
    let names = Names::<Agx>::new();
    let encode = |text: &str| {
        let mut scan = Scan::new(text, 0);
        let insn = shisa_rows::parse(&names, &mut scan, Ctx::default());
        assert!(insn.is_err() || scan.is_empty(), "{text}: {} is left", scan.rest());
        insn.unwrap_or_else(|d| panic!("{text}: {d}"))
    };
    let mut labels = BTreeMap::new();
    let mut at = 0i64;
    for line in lines {
        match line.strip_suffix(':') {
            Some(name) => {
                labels.insert(format!("{{{name}}}"), at);
            }
            // The length of a jump does not depend on its distance.
            None => at += length(&encode(line.split_once('{').map_or(line, |_| "jmp_any 0"))) as i64,
        }
    }
    let mut code: Vec<u8> = Vec::new();
    for line in lines.iter().filter(|l| !l.ends_with(':')) {
        let here = code.len() as i64;
        let text = labels
            .iter()
            .fold(String::from(*line), |t, (name, to)| t.replace(name, &format!("{}", to - here)));
        let insn = encode(&text);
        code.extend(&insn.word.to_le_bytes()[..length(&insn)]);
    }
    Program { workgroup: [32, 1, 1], ..Program::new(Stage::Compute, code, Options::DEFAULT) }
}

/// A loop in whose odd turns another loop runs, which ends by its condition or by a break out of a
/// condition; guarded and unguarded stores behind.
pub(crate) fn nested() -> Program {
    assemble(&[
        "mov r1, thread_in_grid_x",
        "ldimm r0l, 0",
        "ldimm r2, 0",
        "ldimm r3, 1",
        "outer:",
        "and r5, r2, 1",
        "if r5, 0, 1, ieq",
        "iadd r3, r3, 3",
        "else 0.0, 0.0, 1, feq",
        "ldimm r4, 0",
        "if 0.0, 0.0, 1, feq",
        "inner:",
        "iadd r4, r4, 1",
        "iadd r3, r3, r1",
        "iadd r3, r3, r4, lsl 2",
        "if r4, 5, 1, ugt",
        "ldimm r0l, 2",
        "update_exec",
        "pop_exec 1",
        "while r4, r2, 1, ult",
        "jmp_any {inner}",
        "pop_exec 1",
        "pop_exec 1",
        "iadd r2, r2, 1",
        "while r2, r1, 1, ult",
        "jmp_any {outer}",
        "pop_exec 1",
        "if r1, 16, 1, ult",
        "jmp_none {skip}",
        "store r3, du0, r1, i32, x, a",
        "skip:",
        "pop_exec 1",
        "iadd r6, r1, 32",
        "store r2, du0, r6, i32, x, a",
        "stop",
    ])
}

const BASE: u64 = 0x1_0000_0100;

struct Memory([u32; 64]);

impl Environment for Memory {
    fn load(&mut self, _: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        bytes.copy_from_slice(&self.0[((address - BASE) / 4) as usize].to_le_bytes());
        Ok(())
    }

    fn store(&mut self, _: Space, _: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.0[((address - BASE) / 4) as usize] = u32::from_le_bytes(bytes.try_into().unwrap());
        Ok(())
    }
}

fn run(lifted: &Lifted, lanes: Lanes, memory: &mut Memory, paths: &mut Paths) {
    let program = shisa_eval::Program::new(lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, lanes);
    for lane in 0..32 {
        machine.set_input(Reg::new(SPECIALS, 80), lane, lane as u32).unwrap();
    }
    for i in 0..4 {
        machine.set_uniform(Reg::new(UNIFORMS, i), (BASE >> (16 * i)) as u32 & 0xffff).unwrap();
    }
    paths.restart();
    machine.run(memory, paths, &Limits::default()).unwrap();
}

#[test]
fn nested_divergence_gives_what_the_text_says() {
    let lifted = lift(&nested()).unwrap();
    let mut want = [0u32; 64];
    for lane in 0..32u32 {
        let (mut sum, mut i) = (1, 0);
        loop {
            if i % 2 == 0 {
                sum += 3;
            } else {
                let mut j = 0;
                loop {
                    j += 1;
                    sum += lane + 4 * j;
                    if j > 5 || j >= i {
                        break;
                    }
                }
            }
            i += 1;
            if i >= lane {
                break;
            }
        }
        want[lane as usize] = if lane < 16 { sum } else { 0 };
        want[32 + lane as usize] = i;
    }
    let (mut together, mut apart) = (Memory([0; 64]), Memory([0; 64]));
    let mut paths = Paths::new(&lifted);
    run(&lifted, Lanes::MAX, &mut together, &mut paths);
    assert_eq!(together.0, want);
    (0..32).for_each(|lane| run(&lifted, 1 << lane, &mut apart, &mut paths));
    assert_eq!(apart.0, want);
    let func = shisa_ir::recover(&lifted, &Sequencer, 0, &Limits::default()).unwrap();
    let found = recovered(&lifted, &func);
    let missing: Vec<_> = paths.taken().difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(paths.taken().len() > 15, "{}", paths.taken().len());
    // While the counter is known no lane is followed through code that it does not run.
    assert!(func.blocks.len() < 20, "{}", func.blocks.len());
}

/// The counter of inactive lanes changes with the others', and a program may read it.
#[test]
fn the_nesting_counter_is_a_register() {
    let program = assemble(&[
        "mov r1, thread_in_grid_x",
        "if r1, 2, 1, ult",
        "if r1, 1, 2, ult",
        "mov r2l, r0l",
        "pop_exec 2",
        "pop_exec 2",
        "mov r3l, r0l",
        "stop",
    ]);
    let lifted = lift(&program).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 0b111);
    (0..3).for_each(|lane| machine.set_input(Reg::new(SPECIALS, 80), lane, lane as u32).unwrap());
    for _ in 0..3 {
        machine.step(&mut NoEnvironment, &mut NoObserver).unwrap();
    }
    let counter = |m: &Machine<'_, Sequencer>| [0, 1, 2].map(|lane| m.register(Reg::new(REGISTERS, 0), lane));
    assert_eq!((counter(&machine), machine.active()), ([0, 1, 3], 1));
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!(counter(&machine), [0, 0, 0]);
}

/// A counter that is computed is not known, and both outcomes are explored.
#[test]
fn a_computed_counter_is_asked() {
    let program =
        assemble(&["mov r0l, thread_in_grid_x", "update_exec", "ldimm r2, 7", "pop_exec 1", "stop"]);
    let lifted = lift(&program).unwrap();
    let func = shisa_ir::recover(&lifted, &Sequencer, 0, &Limits::default()).unwrap();
    let branches = func.blocks.iter().filter(|b| matches!(b.end, shisa_ir::End::Branch { .. })).count();
    assert!(branches >= 1, "{func:?}");
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 0b11);
    machine.set_input(Reg::new(SPECIALS, 80), 1, 1).unwrap();
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!([0, 1].map(|lane| machine.register(Reg::new(REGISTERS, 4), lane)), [7, 0]);
}

#[test]
fn facts_of_instructions() {
    let program = assemble(&["load r4_r5, du2, r1, i16, xy, a", "while r2, r3, 2, slt", "ldimm r0l, 0"]);
    let mut scratch = Lifted::new(FILES);
    let mut at = 0;
    let mut facts = |check: &dyn Fn(Facts<'_>)| {
        let insn = fetch(&program.code[at..]).unwrap();
        at += length(&insn);
        check(Facts::of(&mut scratch, insn, Ctx::default(), 0, 8).unwrap());
    };
    facts(&|f| {
        let reads: Vec<_> = f.reads().map(|a| (a.reg, a.units)).collect();
        assert_eq!(reads, [(Reg::new(UNIFORMS, 4), 4), (Reg::new(REGISTERS, 2), 2)]);
        let writes: Vec<_> = f.writes().map(|a| (a.reg, a.components.0, a.units)).collect();
        assert_eq!(writes, [(Reg::new(REGISTERS, 8), 3, 2)]);
        assert_eq!(f.memory().map(|m| m.bytes).sum::<u32>(), 4);
    });
    facts(&|f| assert_eq!((f.flow().op, f.flow().extra), (sequencer::WHILE, 2)));
    facts(&|f| assert_eq!((f.flow().op, f.flow().extra), (sequencer::SET, 0)));
}

pub(crate) fn kernel(program: Program) -> Staged {
    Staged { program, preamble: 0, constants: (0, Vec::new()), shared: 256, stack: 16, samples: 1 }
}

/// The program in a shading language.
pub(crate) fn translated(staged: &Staged, target: Target) -> Result<Output, Vec<Diagnostic>> {
    let (func, tree, interface, _) = staged.lower(&Limits::default())?;
    shisa_ir::verify(&func)?;
    let program = shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
    shisa_translate::translate(&program, target, &shisa_translate::Options::default(), &Limits::default())
}

/// Recovery and the passes leave nothing of the nesting counter, and of the sums of 64 bits that make
/// addresses only the low halves.
#[test]
fn nested_divergence_becomes_nested_statements() {
    for target in
        [Target::Wgsl, Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl]
    {
        let output = translated(&kernel(nested()), target).unwrap();
        let text = output.code.text().unwrap();
        let loops = text.matches("loop {").count() + text.matches("while(true)").count();
        assert_eq!((loops, text.contains("switch")), (2, false), "{text}");
        assert!(!text.contains("u[0].y") && !text.contains("[0].y"), "no high half: {text}");
    }
}

/// A register that was given a constant tells where a call goes: the function is part of the program.
#[test]
fn calls_of_constants_are_translated() {
    let lines = |target: u32| {
        let first = format!("ldimm r12, {target}");
        let rest =
            ["ldimm r8, 1", "call r12", "iadd r8, r8, 4", "store r8, du0, 0, i32, x, a", "wait a", "stop"];
        assemble(&[&[first.as_str()], &rest[..], &["iadd r8, r8, 2", "ret r1"]].concat())
    };
    let function = lines(0).code.len() as u32 - 10;
    let output = translated(&kernel(lines(function)), Target::Wgsl).unwrap();
    let text = output.code.text().unwrap();
    assert!(text.contains("= 7u;"), "{text}");
}

/// A device, unless there is none; then the test says so.
fn device() -> Option<Device> {
    let device = Device::open().and_then(|d| d.with_words(shisa_passthrough::module));
    device.map_err(|e| std::println!("skipped: {e}")).ok()
}

/// What memory holds after a kernel ran in so many workgroups.
fn run_on(
    device: &Device,
    output: &Output,
    resources: Resources<'_>,
    memory: Vec<u32>,
    groups: [u32; 3],
) -> Vec<u32> {
    let words = core::cell::RefCell::new(memory);
    device.compute(output, Resources { memory: Some(&words), ..resources }, groups).unwrap();
    words.into_inner()
}

/// A graphics device gives what the evaluator gives. Without one the test says so and passes.
#[test]
fn a_device_runs_nested_divergence() {
    let Some(device) = device() else { return };
    let lifted = lift(&nested()).unwrap();
    let mut want = Memory([0; 64]);
    run(&lifted, Lanes::MAX, &mut want, &mut Paths::new(&lifted));
    let uniforms = [Vec::from([[BASE as u32, (BASE >> 32) as u32, 0, 0]])];
    let resources = Resources { uniforms: &uniforms, ..Resources::default() };
    // The window begins at the 4 GiB below the base.
    let first = BASE as u32 as usize / 4;
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&kernel(nested()), target).unwrap();
        let memory = run_on(&device, &output, resources, alloc::vec![0; first + 64], [1, 1, 1]);
        assert_eq!(memory[first..], want.0, "{}", target.name());
        assert!(memory[..first].iter().all(|&w| w == 0));
    }
}

/// What a program that draws finds and leaves are inputs and outputs of its stage.
#[test]
fn programs_that_draw_become_stages() {
    let vertex = assemble(&[
        "fadd r0, r8, r10",
        "st_var r0, 0",
        "st_var r9, 1",
        "st_var r8, 2",
        "st_var r8, 3",
        "iadd r1l, u4l, 1",
        "st_var r9, r1l",
        "u32_to_f r2, r5, rte",
        "st_var r2, 9, last",
        "stop",
    ]);
    let fragment = assemble(&[
        "ldimm r0l, 0",
        "iter r8_r9_r10, cf1, cf0",
        "ldcf r4_r5_r6, cf5",
        "csel r11, u9l, 0, r6, r5, ieq",
        "if r11, 0.5, 1, flt",
        "sample_mask 255, 0",
        "pop_exec 1",
        "st_tile r8_r9_r10_r11, 0, 255, 0, u8norm, xyzw",
        "st_tile r11, 0, 255, 4, i32, x",
        "stop",
    ]);
    let stages = [(Stage::Vertex, vertex), (Stage::Fragment, fragment)];
    let told = |list: &[shisa_translate::Variable]| {
        let one = |v: &shisa_translate::Variable| format!("{} {} {:?}", v.name, v.used, v.location);
        list.iter().map(one).collect::<Vec<_>>().join(", ")
    };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let outputs = stages.clone().map(|(stage, program)| {
            assert_eq!(Staged::stage_of(&program.code), stage);
            translated(&kernel(Program { stage, ..program }), target).unwrap()
        });
        let [vertex, fragment] =
            outputs.each_ref().map(|o| (told(&o.reflection.inputs), told(&o.reflection.outputs)));
        assert_eq!(vertex.0, "attribute0 xyz Some(0), vertex x None");
        assert_eq!(vertex.1, "position xyzw None, varying1 y Some(1), varying2_u4l y Some(2)");
        assert_eq!(fragment.0, "cf1 xyz Some(0), cf5_flat x Some(1)");
        assert_eq!(fragment.1, "colour0 xyzw Some(0), colour1 x Some(1)");
        if let Some(text) = outputs[1].code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert!(text.contains("discard") && text.contains("@interpolate(flat)"), "{text}");
        }
    }
    let refused = |lines: &[&str]| {
        let program = Program { stage: Stage::Fragment, ..assemble(lines) };
        translated(&kernel(program), Target::Wgsl).unwrap_err()[0].code
    };
    let two = ["ld_tile r0, 0, 255, 0, i32, x", "ld_tile r1, 0, 255, 0, u8norm, x", "stop"];
    assert_eq!(refused(&two), "translate-tile");
    assert_eq!(refused(&["mov r1, u4", "imgwblk r1l, ts0, r0, 0, 2d, i32", "stop"]), "translate-tile");
    assert_eq!(refused(&["imgwblk r1l, ts0, r0, 0, 2d_ms, i32", "stop"]), "translate-texture");
    assert_eq!(refused(&["st_var r8, 0, last", "stop"]), "translate-stage");
    assert_eq!(
        refused(&["mov r0, core_index", "st_tile r0, 0, 255, 0, i32, x", "stop"]),
        "translate-special"
    );
}

/// Whether the rounding of devices explains the difference.
fn close(got: u32, want: f32) -> bool {
    (f32::from_bits(got) - want).abs() < 1e-4
}

/// How a coefficient changes, which side of the triangle is seen, what was drawn before where nothing is stored, and the
/// first sample of those that a loop shades, on a graphics device.
#[test]
fn a_device_draws_pixels() {
    let Some(device) = device() else { return };
    let program = assemble(&[
        "ldimm r0l, 0",
        "ldimm r1l, 1",
        "next:",
        "ldcf r2_r3_r4, cf2",
        "ffs r8l, r1l",
        "iter r5, cf1, cf0, r8l, sample",
        "mov r6, thread_in_grid_x",
        "and r7l, r6, r1l",
        "mov r6, backfacing",
        "st_tile r2_r3_r4_r5, 0, r1l, 0, i32, xyzw",
        "st_tile r6, 0, r7l, 16, i32, x",
        "iadd r1l, 0, r1l, lsl 1",
        "while r1l, 3, 1, ult",
        "jmp_any {next}",
        "pop_exec 1",
        "stop",
    ]);
    let program = Program { stage: Stage::Fragment, ..program };
    let before = Image {
        unit: 65,
        shape: shisa_ir::Dim::D2.into(),
        size: [4, 4, 1],
        levels: alloc::vec![alloc::vec![[f32::from_bits(7); 4]; 16]],
        sampler: shisa_ir::Sampler::default(),
    };
    // cf2 is 1 + x / 2 + y / 4, cf1 x / 2.
    let corner = |x: f32, y: f32| -> Vec<[u32; 4]> {
        let place = [x / 4.0 - 1.0, 1.0 - y / 4.0, 0.5, 1.0];
        let plane = [1.0 + x / 2.0 + y / 4.0, 0.0, 0.0, 0.0];
        [place, plane, [x / 2.0, 0.0, 0.0, 0.0]].map(|r| r.map(f32::to_bits)).into()
    };
    let front = [corner(0.0, 0.0), corner(0.0, 8.0), corner(8.0, 0.0)];
    let [first, second, third] = front.clone();
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&kernel(program.clone()), target).unwrap();
        assert_eq!(output.reflection.textures.len(), 1, "only of what is not always stored");
        let vertex = passing(&output.reflection);
        for (backfacing, corners) in [(0, front.clone()), (1, [first.clone(), third.clone(), second.clone()])]
        {
            let textures = [before.clone()];
            let drawn = Triangle {
                vertex: &vertex,
                fragment: &output,
                resources: [Resources::default(), Resources { textures: &textures, ..Resources::default() }],
                corners: &corners,
                size: [8, 8],
                samples: 1,
                drawn: [4, 4],
            };
            let pixels = device.triangle(&drawn).unwrap().pixels;
            for (i, lane) in pixels.iter().enumerate().filter(|(i, _)| i % 8 < 4 && *i < 32) {
                let (x, [plane, other]) = ((i % 8) as f32, [lane.outputs[0], lane.outputs[1]]);
                let want = [0.5, 0.25, 1.0, (x + 0.5) / 2.0];
                assert!(plane.iter().zip(want).all(|(g, w)| close(*g, w)), "{i}: {plane:x?}");
                assert_eq!(other[0], if i % 2 == 0 { 7 } else { backfacing }, "{i}");
            }
        }
    }
}

/// Depth and stencil values of some pixels only: others keep the depth of the triangle, and have the stencil value 0. Languages
/// without an output for stencil values say which have one.
#[test]
fn depth_and_stencil_of_some_pixels() {
    let program = assemble(&[
        "ldimm r0l, 0",
        "mov r1, thread_in_grid_x",
        "and r1, r1, 1",
        "if r1, 0, 1, ieq",
        "ldimm r2, 1048576000",
        "ldimm r3l, 263",
        "zs_emit 255, r2l_r2h_r3l",
        "pop_exec 1",
        "st_tile r1, 0, 255, 0, i32, x",
        "stop",
    ]);
    let staged = kernel(Program { stage: Stage::Fragment, ..program });
    for target in [Target::Wgsl, Target::Glsl(GlslVersion::Es310)] {
        let refused = translated(&staged, target).unwrap_err();
        assert_eq!(refused[0].code, "translate-unsupported");
        assert!(refused[0].help.iter().any(|h| h.contains("SPIR-V")), "{refused:?}");
    }
    for (target, said) in [
        (Target::Glsl(GlslVersion::Core330), "gl_FragStencilRefARB = int("),
        (Target::Glsl(GlslVersion::Core450), "gl_FragStencilRefARB = int("),
        (Target::Hlsl(ShaderModel::V5_1), "uint stencil : SV_StencilRef;"),
        (Target::Msl, "uint stencil [[stencil]];"),
    ] {
        let output = translated(&staged, target).unwrap();
        let text = output.code.text().unwrap();
        assert!(text.contains(said) && !text.contains("location1"), "{text}");
    }
    let Some(device) = device() else { return };
    let output = translated(&staged, Target::Spirv(SpirvVersion::V1_3)).unwrap();
    let vertex = passing(&output.reflection);
    let corner = |x: f32, y: f32| alloc::vec![[x, y, 0.75, 1.0].map(f32::to_bits)];
    let drawn = Triangle {
        vertex: &vertex,
        fragment: &output,
        resources: [Resources::default(); 2],
        corners: &[corner(-1.0, 1.0), corner(-1.0, -1.0), corner(1.0, 1.0)],
        size: [8, 8],
        samples: 1,
        drawn: [4, 4],
    };
    let pixels = device.triangle(&drawn).unwrap().pixels;
    for (i, lane) in pixels.iter().enumerate().filter(|(i, _)| i % 8 < 4 && *i < 32) {
        let (depth, stencil) = if i % 2 == 0 { (0.25f32, 7) } else { (0.75, 0) };
        let got = [0, 1, 2].map(|n| lane.outputs[n][0]);
        assert_eq!(got, [i as u32 % 2, depth.to_bits(), stencil], "{i}");
    }
}

/// What a program reads of the pixel that it draws over is a texel of a texture, in every language.
#[test]
fn what_was_drawn_before_is_a_texture() {
    let program = assemble(&[
        "iter r0_r1_r2_r3, cf1, cf0",
        "ld_tile r4_r5_r6_r7, 0, 255, 0, u8norm, xyzw",
        "ffma r0, r0, r3, r4",
        "mov r8, thread_in_grid_x",
        "u32_to_f r1, r8, rte",
        "st_tile r0_r1_r2_r3, 0, 255, 0, u8norm, xyzw",
        "ld_tile r9, 0, 255, 8, rg11b10f, x",
        "ld_tile r10l_r10h, 0, 255, 4, i16, xy",
        "st_tile r10l_r10h, 0, 255, 4, i16, xy",
        "s32_to_f r11l, r9, rte",
        "st_tile r11l, 0, 255, 12, f16, x",
        "stop",
    ]);
    let program = Program { stage: Stage::Fragment, ..program };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let output = translated(&kernel(program.clone()), target).unwrap();
        let names = |list: &[shisa_translate::Variable]| {
            list.iter().map(|v| format!("{}", v.name)).collect::<Vec<_>>()
        };
        assert_eq!(names(&output.reflection.inputs), ["cf1", "pixel"]);
        let textures = output.reflection.textures.iter();
        assert_eq!(
            textures.map(|t| (&*t.name, t.unit)).collect::<Vec<_>>(),
            [("tile0", 64), ("tile1", 65), ("tile3", 67)]
        );
        if let Some(text) = output.code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert!(
                text.contains("textureLoad(tile0, ") && text.contains("tile1: texture_2d<u32>"),
                "{text}"
            );
        }
    }
}

/// Each line leaves a word in `r8`, from the lane's number in `r2`, a word that differs wildly in `r3`, a float in `r5` and
/// halves in `r6` and `r7`.
const TOGETHER: &[&str] = &[
    "simd r8, r3, iadd",
    "simd r8, r3, umin",
    "simd r8, r3, smax",
    "simd r8l, r3l, smin",
    "simd r8, r3, prefix, iadd",
    "simd r8l, r3l, prefix, smin",
    "simd r8, r5, prefix, fadd",
    "simd r8l, r6l, fmul",
    "quad r8, r3, xor",
    "quad r8, r3, prefix, iadd",
    "quad r8l, r6l, fmax",
    "shuffle r8, r3, 37",
    "shuffle r8, r3, r2, xor",
    "shuffle r8, r3, 3, up",
    "shuffle r8, r3, 1, quad, xor",
    "shuffle r8l, r3h, 2, quad, xor",
    "ballot r8, r3, 0, sgt",
    "ballot r8, r5, 0.5, quad, flt",
    "mov r8, active_thread_index_in_quadgroup",
    "mov r8, total_active_threads_in_simdgroup",
    "mov r8, thread_index_in_threadgroup",
    "mov r8, simdgroup_index_in_threadgroup",
    "mov r8, threadgroup_in_grid_x",
    "mov r8, thread_in_threadgroup_y",
    "mov r8, dispatch_threads_per_threadgroup_x",
    "hfma r8l, r6l, r6h, r7l",
    "hadd r8l, r6l, r7h, sat",
    "fadd r8l, r5, r3",
];

/// What the evaluator gives: the words that threads store at four times their number.
fn evaluated(program: &Program, groups: u32, uniforms: &[u32], memory: &[u32]) -> Vec<u32> {
    let bytes = memory.iter().flat_map(|w| w.to_le_bytes()).collect();
    let lifted = lift(program).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let shared = program.imageblock.and_then(|tile| tile.memory(&program.code)).unwrap_or(256);
    let mut space = shisa_eval::Workspace::new(shared as usize, 16, 0, &Limits::default()).unwrap();
    space.add(0x1_0000_0000, bytes).unwrap();
    let [x, y, z] = program.workgroup;
    let dispatch = shisa_eval::Dispatch { entry: 0, threads: [x * groups, y, z], workgroup: [x, y, z] };
    let load = |machine: &mut Machine<'_, Sequencer>, wave: &shisa_eval::Wave| {
        for (i, word) in (0..).zip(uniforms) {
            machine.set_uniform(Reg::new(UNIFORMS, 2 * i), word & 0xffff)?;
            machine.set_uniform(Reg::new(UNIFORMS, 2 * i + 1), word >> 16)?;
        }
        machine.set_uniform(Reg::new(SPECIALS, 53), wave.number)?;
        for (i, n) in (0..3).zip(0..) {
            machine.set_uniform(Reg::new(SPECIALS, n), wave.group[i])?;
            machine.set_uniform(Reg::new(SPECIALS, 8 + n), wave.size[i])?;
            for lane in 0..32u32 {
                machine.set_input(Reg::new(SPECIALS, 48 + n), lane as usize, wave.thread(lane)[i])?;
                machine.set_input(Reg::new(SPECIALS, 80 + n), lane as usize, wave.place(lane)[i])?;
            }
        }
        for lane in 0..32u32 {
            machine.set_input(Reg::new(SPECIALS, 52), lane as usize, lane)?;
            machine.set_input(Reg::new(SPECIALS, 51), lane as usize, 32 * wave.number + lane)?;
        }
        Ok(())
    };
    let limits = Limits::default();
    let mut waves = shisa_eval::Waves::new(&plan, &Sequencer);
    dispatch.run(&mut waves, &mut space, &mut NoObserver, &limits, load).unwrap();
    let bytes = space.buffer(0x1_0000_0000).unwrap();
    bytes.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// What lanes do together, and what they are numbered, is the same in workgroups of several waves and of parts of one.
#[test]
fn a_device_runs_what_lanes_do_together() {
    let Some(device) = device() else { return };
    let begin = [
        "mov r2, thread_index_in_simdgroup",
        "mov r4, threadgroup_in_grid_x",
        "mov r9, thread_index_in_threadgroup",
        "imadd r4, r4, 64, r9",
        "ldimm r3, 2654435769",
        "imul r3, r3, r4",
        "u32_to_f r5, r2, rte",
        "fmul r5, r5, 0.125",
        "fadd r6l, r5, 1.0",
        "fmul r6h, r5, 0.046875",
        "fadd r7l, r6h, -3.0",
        "fadd r7h, r7l, 2.5",
    ];
    for workgroup in [[64, 1, 1], [20, 2, 1], [32, 1, 1]] {
        for line in TOGETHER {
            let lines = [&begin[..], &["ldimm r8, 0", line, "store r8, du0, r4, i32, x, a", "stop"]].concat();
            let program = Program { workgroup, ..assemble(&lines) };
            let memory = alloc::vec![0; 128];
            let want = evaluated(&program, 2, &[0, 1], &memory);
            for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
                let output = translated(&kernel(program.clone()), target).unwrap();
                let uniforms = [Vec::from([[0, 1, 0, 0]])];
                let resources = Resources { uniforms: &uniforms, ..Resources::default() };
                let got = run_on(&device, &output, resources, memory.clone(), [2, 1, 1]);
                assert_eq!(got, want, "{line} in workgroups of {workgroup:?} as {}", target.name());
            }
        }
    }
}

/// What nothing published settles is refused, and the refusal names the choice that settles it.
#[test]
fn choices_settle_what_nothing_published_does() {
    for (line, choice) in [
        ("doorbell 49", "driver-ops=ignore"),
        ("jmp_if_skipping_doorbell 4", "driver-ops=ignore"),
        ("map r11, 0, 3", "driver-ops=ignore"),
        ("unmap r9, 0, 3", "driver-ops=ignore"),
        ("uniform_store_unk r0, r1.sx, i32, x, a", "uniform-elements=memory"),
        ("smpf r0, du54, 5, ss0, r4_r5, 0, 2d, x, auto_lod, a", "heap-numbers=bytes"),
        ("imgw r12_r13_r14_r15, du0, 1, r16_r17, 0, 2d", "heap-numbers=bytes"),
    ] {
        let program = assemble(&[line, "stop"]);
        let refused = lift(&program).unwrap_err();
        assert_eq!((refused.len(), refused[0].code), (1, "lift-unstated"), "{line}");
        assert!(refused[0].help[0].contains(choice), "{line}: {:?}", refused[0].help);
        let (key, value) = choice.split_once('=').unwrap();
        let mut options = Options::DEFAULT;
        assert!(options.set(key, value));
        let lifted = lift(&Program { options, ..program }).unwrap();
        shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    }
}

/// Driver programs go on behind what is ignored: doorbells are not skipped, and nothing is mapped.
#[test]
fn ignored_operations_leave_all_but_a_register() {
    let mut options = Options::DEFAULT;
    assert!(options.set("driver-ops", "ignore"));
    let program = assemble(&[
        "ldimm r9, 7",
        "ldimm r10, 8",
        "jmp_if_skipping_doorbell 10",
        "doorbell 49",
        "ldimm r10, 9",
        "map r10, 0, 3",
        "unmap r9, 0, 3",
        "stop",
    ]);
    let lifted = lift(&Program { options, ..program }).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!([9, 10].map(|n| machine.register(Reg::new(REGISTERS, 2 * n), 0)), [0, 9]);
}

/// Every thread of a workgroup stores to the tile, one loads what another stored, and one writes all of it to an image.
const TILED: &[&str] = &[
    "ldimm r0l, 0",
    "mov r1, thread_in_threadgroup_x",
    "mov r2, thread_in_threadgroup_y",
    "mov r3l, r1l",
    "mov r3h, r2l",
    "u32_to_f r4, r1, rte",
    "u32_to_f r5, r2, rte",
    "ffma r4, r4, 0.015625, r5",
    "fadd r5, r5, 0.5",
    "st_tile r4_r5, r3l_r3h, 1, 4, explicit_coords, i32, xy",
    "barrier",
    "xor r6l, r3l, 31",
    "mov r6h, r3h",
    "ld_tile r7l, r6l_r6h, 1, 4, f16, x",
    "ld_tile r8, r6l_r6h, 1, 8, i32, x",
    "ldimm r7h, 0",
    "iadd r8, r8, r7",
    "iadd r9, r1, r2, lsl 4",
    "iadd r9, r9, r2, lsl 4",
    "store r8, du0, r9, i32, x, a",
    "ldimm r5, 3",
    "ldimm r6, 2",
    "ldimm r7l, 4",
    "if r9, 0, 1, ieq",
    "imgwblk r7l, ts0, r5_r6, 0, explicit_coords, 2d, i32",
    "pop_exec 1",
    "stop",
];

/// The tile of a workgroup is memory that its threads share, in every language, and a block of it a loop.
#[test]
fn tiles_of_workgroups_are_shared_memory() {
    let tile = Imageblock::new([32, 16], 1, 16).unwrap();
    let program = Program { workgroup: [32, 16, 1], imageblock: Some(tile), ..assemble(TILED) };
    assert_eq!(Staged::stage_of(&program.code), Stage::Compute);
    let staged = Staged { shared: 0, ..kernel(program.clone()) };
    for target in
        [Target::Wgsl, Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl]
    {
        let output = translated(&staged, target).unwrap();
        let text = output.code.text().unwrap();
        assert_eq!(text.matches("loop {").count() + text.matches("while(true)").count(), 1, "{text}");
        if target == Target::Wgsl {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert_eq!(text.matches("textureStore(").count(), 1, "{text}");
        }
    }
    let both = translated(&kernel(program.clone()), Target::Wgsl).unwrap_err();
    assert_eq!(both[0].code, "translate-tile");
    let line = "imgwblk r7l, ts1, r5_r6_r7l_r7h, 0, explicit_coords, 2d_ms_array, i32";
    let samples = [&[line], TILED].concat();
    let samples = Staged { program: Program { code: assemble(&samples).code, ..program }, ..staged };
    assert_eq!(translated(&samples, Target::Wgsl).unwrap_err()[0].code, "translate-texture");
}

/// Programs that compute have instructions on a tile where their compiler says how large it is.
#[test]
fn parts_that_compute_may_have_a_tile() {
    let stage_faults = |imageblock_stride| {
        let code = assemble(TILED).code;
        let (stage, main_size) = (Stage::Compute, code.len() as u32);
        let meta = part::Meta { stage, main_size, imageblock_stride, ..part::Meta::default() };
        let found = abi::check_part(&part::Part { code, meta }, &Limits::default());
        found.iter().filter(|d| d.code == "agx-abi-stage" || d.code == "agx-abi-flag").count()
    };
    assert_eq!([stage_faults(16), stage_faults(0)], [0, 3]);
}

/// A graphics device leaves the memory and the texels that the evaluator leaves.
#[test]
fn a_device_writes_blocks() {
    let Some(device) = device() else { return };
    let tile = Imageblock::new([32, 16], 1, 16).unwrap();
    let program = Program { workgroup: [32, 16, 1], imageblock: Some(tile), ..assemble(TILED) };
    let memory = alloc::vec![0; 512];
    // The evaluator has no images here.
    let lines: Vec<&str> = TILED.iter().copied().filter(|line| !line.starts_with("imgwblk")).collect();
    let loads = Program { code: assemble(&lines).code, ..program.clone() };
    let want = evaluated(&loads, 1, &[0, 1], &memory);
    assert!(want.iter().any(|w| *w != 0));
    let image = Image {
        unit: 0,
        shape: shisa_ir::Dim::D2.into(),
        size: [40, 20, 1],
        levels: Vec::from([alloc::vec![[0.0; 4]; 800]]),
        sampler: shisa_ir::Sampler::default(),
    };
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&Staged { shared: 0, ..kernel(program.clone()) }, target).unwrap();
        let (uniforms, words) = ([Vec::from([[0, 1, 0, 0]])], core::cell::RefCell::new(memory.clone()));
        let resources = Resources {
            uniforms: &uniforms,
            textures: core::slice::from_ref(&image),
            memory: Some(&words),
            ..Resources::default()
        };
        let texels = device.compute(&output, resources, [1, 1, 1]).unwrap().remove(0);
        assert_eq!(words.into_inner(), want, "{}", target.name());
        for (i, texel) in texels.iter().enumerate() {
            let (x, y) = (i % 40, i / 40);
            let inside = (3..35).contains(&x) && (2..18).contains(&y);
            let (column, row) = (x as f32 - 3.0, y as f32 - 2.0);
            let pair = if inside { [row + column / 64.0, row + 0.5] } else { [0.0; 2] };
            assert_eq!(texel[..2], pair, "({x}, {y}) as {}", target.name());
        }
    }
}

/// Texels of what the host has bound as `ts3`; of what the program has loaded there, and means by another number, and by the
/// address; and, as a filter finds them, of what was loaded into `ts5` by code that runs before.
const LOADING: (&[&str], &[&str]) = (
    &["ldimm r1, 64", "load ts5, du4, r1, a", "wait a", "stop"],
    &[
        "ldimm r1, 24",
        "ldimm r2, 1",
        "ldimm r3, 0",
        "smpi r8, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "load ts3, du4, r1, a",
        "wait a",
        "smpi r9, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "ldimm r4l, 3",
        "ldimm r2, 2",
        "smpi r10, r4l, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "smpi r11, du4, r1, r5l, r2_r3, 0, 2d, x, auto_lod, a",
        "ldimm r6, 48",
        "load ss2, du4, r6, a",
        "ldimm r2, 1056964608",
        "ldimm r4l, 0",
        "wait a",
        "smpf r12, ts5, ss2, r2_r3, r4l, 2d, x, lod_min, a",
        "wait a",
        "ldimm r0, 0",
        "store r8_r9_r10_r11, du0, 0, i32, xyzw, a",
        "store r12, du0, 4, i32, x, a",
        "wait a",
        "stop",
    ],
);

/// Textures and samplers that a program loads are those of their addresses, as if it named these itself.
#[test]
fn loaded_states_are_handles() {
    let [before, main] = [LOADING.0, LOADING.1].map(|lines| assemble(lines).code);
    let preamble = before.len();
    let program = Program { code: [before, main].concat(), workgroup: [1; 3], ..assemble(&["stop"]) };
    let staged = Staged { preamble, ..kernel(program) };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V6_0),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let output = translated(&staged, target).unwrap();
        let textures = output.reflection.textures.iter().map(|t| (&*t.name, &*t.handle));
        let first = "IAdd(u4_u5, 0x18)";
        let want = [("ts3", ""), ("texture0", first), ("texture1", "IAdd(u4_u5, 0x40)")];
        assert_eq!(textures.collect::<Vec<_>>(), want);
        let samplers = output.reflection.samplers.iter().map(|s| (&*s.name, &*s.handle));
        assert_eq!(samplers.collect::<Vec<_>>(), [("sampler0", "address IAdd(u4_u5, 0x30)")]);
        if let Some(text) = output.code.text().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(text).unwrap();
            assert_eq!(text.matches("textureLoad(texture0, ").count(), 3, "{text}");
        }
    }
    let Some(device) = device() else { return };
    let image = |unit, first: f32| Image {
        unit,
        shape: shisa_ir::Dim::D2.into(),
        size: [4, 1, 1],
        levels: alloc::vec![(0..4).map(|i| [first + i as f32; 4]).collect()],
        sampler: shisa_ir::Sampler::default(),
    };
    let textures = [image(3, 10.0), image(64, 20.0), image(65, 30.0)];
    let linear = shisa_ir::Sampler { filter: shisa_ir::Filter::Linear, ..shisa_ir::Sampler::default() };
    let resources = Resources { textures: &textures, samplers: &[(8, linear)], ..Resources::default() };
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&staged, target).unwrap();
        let memory = run_on(&device, &output, resources, alloc::vec![0; 8], [1, 1, 1]);
        let got = [0, 1, 2, 3, 4].map(|i| f32::from_bits(memory[i]));
        assert_eq!(got, [11.0, 21.0, 22.0, 22.0, 31.5], "{}", target.name());
    }
}

/// Which of two textures a state register has may not depend on the way that led there.
#[test]
fn states_of_several_ways_are_refused() {
    let lines = [
        "ldimm r1, 24",
        "ldimm r2, 0",
        "ldimm r3, 0",
        "ldimm r0l, 0",
        "mov r4, thread_in_grid_x",
        "if r4, 0, 1, ieq",
        "load ts3, du4, r1, a",
        "wait a",
        "pop_exec 1",
        "smpi r8, ts3, ss0, r2_r3, 0, 2d, x, auto_lod, a",
        "wait a",
        "store r8, du0, 0, i32, x, a",
        "stop",
    ];
    let refused = translated(&kernel(assemble(&lines)), Target::Wgsl).unwrap_err();
    assert_eq!(refused[0].code, "translate-bindless");
}

/// A block of the tile is a texel of each pixel: what the program has stored there, or what was drawn before.
#[test]
fn blocks_of_pixels_are_texels() {
    let program = assemble(&[
        "ldimm r0l, 0",
        "ldimm r1l, 0",
        "ldimm r1h, 17",
        "mov r6, thread_in_grid_x",
        "mov r7, thread_in_grid_y",
        "u32_to_f r2, r6, rte",
        "u32_to_f r3, r7, rte",
        "st_tile r2_r3_r4_r5, 0, 255, 0, i32, xyzw",
        "imgwblk r1l, ts0, r0, 0, 2d, i32",
        "imgwblk r1h, ts1, r0, 0, 2d, u8norm",
        "stop",
    ]);
    let staged = kernel(Program { stage: Stage::Fragment, ..program });
    let nothing_else = assemble(&["imgwblk r1l, ts0, r0, 0, 2d, i16", "stop"]);
    assert_eq!(Staged::stage_of(&nothing_else.code), Stage::Fragment);
    let alone = kernel(Program { stage: Stage::Fragment, ..nothing_else });
    let of = |output: &Output| {
        let textures = output.reflection.textures.iter();
        textures.map(|t| format!("{} {}", t.name, t.access)).collect::<Vec<_>>()
    };
    for target in [
        Target::Wgsl,
        Target::Glsl(GlslVersion::Core450),
        Target::Hlsl(ShaderModel::V5_1),
        Target::Msl,
        Target::Spirv(SpirvVersion::V1_3),
    ] {
        let outputs = [&staged, &alone].map(|staged| translated(staged, target).unwrap());
        assert_eq!(of(&outputs[0]), ["ts0 written", "ts1 written", "tile1 read"]);
        assert_eq!(of(&outputs[1]), ["ts0 written", "tile0 read"]);
        for output in outputs.iter().filter(|_| target == Target::Wgsl) {
            shisa_translate::execute::judge_wgsl(output.code.text().unwrap()).unwrap();
        }
    }
    let Some(device) = device() else { return };
    let image = |unit, texel: [f32; 4]| Image {
        unit,
        shape: shisa_ir::Dim::D2.into(),
        size: [8, 8, 1],
        levels: alloc::vec![alloc::vec![texel; 64]],
        sampler: shisa_ir::Sampler::default(),
    };
    let drawn_before = [0.2, 0.4, 0.6, 1.0];
    let textures = [image(0, [0.0; 4]), image(1, [0.0; 4]), image(65, drawn_before)];
    let corner = |x: f32, y: f32| alloc::vec![[x, y, 0.5, 1.0].map(f32::to_bits)];
    for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
        let output = translated(&staged, target).unwrap();
        let vertex = passing(&output.reflection);
        let drawn = Triangle {
            vertex: &vertex,
            fragment: &output,
            resources: [Resources::default(), Resources { textures: &textures, ..Resources::default() }],
            corners: &[corner(-1.0, 1.0), corner(-1.0, -3.0), corner(3.0, 1.0)],
            size: [8, 8],
            samples: 1,
            drawn: [4, 4],
        };
        let written = device.triangle(&drawn).unwrap().written;
        for (i, (stored, before)) in written[0].iter().zip(&written[1]).enumerate() {
            let (x, y) = (i % 8, i / 8);
            if x < 4 && y < 4 {
                assert_eq!(*stored, [x as f32, y as f32, 0.0, 0.0], "{}", target.name());
                let near = before.iter().zip(drawn_before).all(|(got, want)| close(got.to_bits(), want));
                assert!(near, "({x}, {y}): {before:?}");
            } else {
                assert_eq!([*stored, *before], [[0.0; 4]; 2], "({x}, {y}) is not drawn");
            }
        }
    }
}
