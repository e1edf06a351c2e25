//! Random programs, translated, judged and run on a device.

use crate::common::validator::judged;
use shisa_diag::Limits;
use shisa_ir::{BlockId, Op, Stmt, Value, Var, VarKind, map_operands};
use shisa_translate::execute::random::{self, Generated, Random, UNIFORMS, agree, program};
use shisa_translate::execute::{Device, judge_wgsl};
use shisa_translate::{
    Code, Form, GlslVersion, Options, Output, Program, ShaderModel, SpirvVersion, Target, translate,
};

fn translated(g: &Generated, target: Target, options: &Options) -> Output {
    let program = Program { func: &g.func, tree: &g.tree, interface: &g.interface, source: &[] };
    match translate(&program, target, options, &Limits::default()) {
        Ok(output) => output,
        Err(d) => panic!("{target:?}: {d:?}\n{:?}", g.tree.body),
    }
}

#[test]
fn random_programs_are_valid_spirv() {
    let mut judge = true;
    for seed in 0..150 {
        let g = program(&mut Random::new(seed));
        for form in [Form::Stage, Form::Compute] {
            let options = Options { form, ..Options::default() };
            let spirv = translated(&g, Target::Spirv(SpirvVersion::V1_3), &options);
            let Code::Words(words) = spirv.code else { panic!("text") };
            match judged(&words, "vulkan1.1") {
                Some(Err(text)) => panic!("seed {seed}: {text}"),
                None => judge = false,
                Some(Ok(())) => {}
            }
        }
    }
    if !judge {
        println!("skipped: spirv-val is not installed");
    }
}

/// Runs random programs on the device; returns how many lanes agree.
fn run(device: &Device, target: Target, seeds: std::ops::Range<u64>) -> usize {
    seeds.map(|seed| agree(device, target, seed).unwrap_or_else(|e| panic!("{e}"))).sum()
}

/// The first `if` of a text whose first list is empty.
fn empty_branch(text: &str) -> Option<&str> {
    let mut lines = text.lines().map(str::trim).zip(text.lines().map(str::trim).skip(1));
    lines.find(|(begin, next)| begin.starts_with("if") && next.starts_with('}')).map(|(begin, _)| begin)
}

#[test]
fn every_language_takes_random_programs() {
    for seed in 0..100 {
        let g = program(&mut Random::new(seed));
        for target in
            [Target::Wgsl, Target::Glsl(GlslVersion::Core450), Target::Hlsl(ShaderModel::V6_0), Target::Msl]
        {
            let form = if seed % 2 == 0 { Form::Stage } else { Form::Compute };
            let output =
                translated(&g, target, &Options { form, exact: seed % 3 == 0, ..Options::default() });
            let text = output.code.text().unwrap_or_default();
            assert_eq!(empty_branch(text), None, "{target:?} seed {seed}:\n{text}");
            if target == Target::Wgsl {
                judge_wgsl(text).unwrap_or_else(|said| panic!("seed {seed}: {said}\n{text}"));
            }
        }
    }
}

/// Damages a program.
fn damage(g: &mut Generated, random: &mut Random) {
    let count = g.func.nodes.list.len();
    let wild = |random: &mut Random| match random.below(3) {
        0 => Value(random.next() as u32),
        _ => Value(random.below(count) as u32),
    };
    let at = random.below(count);
    let other = g.func.nodes.list[random.below(count)];
    let node = &mut g.func.nodes.list[at];
    match random.below(8) {
        0 => node.ty = other.ty,
        1 => node.ty.count = random.next() as u8,
        2 => node.op = other.op,
        3 | 4 => map_operands(node, None, |v| if random.below(2) == 0 { wild(random) } else { v }),
        5 => node.op = Op::Texture(random.below(3) as u32),
        6 => match g.tree.vars.len() {
            0 => {}
            n => g.tree.vars[random.below(n)].1 = VarKind::Param(wild(random)),
        },
        _ => {
            let n = g.tree.body.len();
            let stmt = match random.below(5) {
                0 => Stmt::Block(BlockId(random.below(2 * g.func.blocks.len()) as u32)),
                1 => Stmt::Set(Var(random.below(2 * g.tree.vars.len() + 1) as u32), wild(random)),
                2 => Stmt::Switch(Var(random.below(g.tree.vars.len() + 1) as u32), Vec::new()),
                3 => Stmt::Break,
                _ => Stmt::Loop(vec![Stmt::Continue]),
            };
            g.tree.body[random.below(n)] = stmt;
        }
    }
}

#[test]
fn damaged_programs_are_refused_or_translated_but_never_panic() {
    let mut refused = 0;
    for seed in 0..3000 {
        let mut random = Random::new(seed);
        let mut g = program(&mut random);
        for _ in 0..=random.below(3) {
            damage(&mut g, &mut random);
        }
        let program = Program { func: &g.func, tree: &g.tree, interface: &g.interface, source: &[] };
        let form = if seed % 2 == 0 { Form::Stage } else { Form::Compute };
        let options = Options { form, ..Options::default() };
        let result = translate(&program, Target::Spirv(SpirvVersion::V1_4), &options, &Limits::default());
        if let Err(faults) = result {
            assert!(faults.iter().all(|d| d.code.starts_with("translate-")), "{faults:?}");
            refused += 1;
        }
        // Nothing catches a panic of our own code here. The builder finds values that no path makes.
        let result = translate(&program, Target::Wgsl, &options, &Limits::default());
        let known = |code: &str| code.starts_with("translate-") || code == "internal-translate";
        if let Err(faults) = result {
            assert!(faults.iter().all(|d| known(d.code)), "{faults:?}");
        }
    }
    assert!(refused > 300, "{refused}");
}

/// A device that accepts SPIR-V unchanged; if there is none, prints a note and returns `None`.
fn device() -> Option<Device> {
    let device = Device::open().and_then(|d| d.with_words(shisa_passthrough::module));
    device.map_err(|why| println!("skipped: {why}")).ok()
}

#[test]
fn spirv_on_a_device_does_what_the_program_says() {
    let Some(device) = device() else { return };
    assert!(run(&device, Target::Spirv(SpirvVersion::V1_3), 0..40) > 500);
    assert!(run(&device, Target::Spirv(SpirvVersion::V1_5), 40..60) > 250);
}

#[test]
fn programs_are_worth_running() {
    let (mut certain, mut killed, mut varied) = (0, 0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let g = program(&mut random);
        let uniforms: Vec<_> = (0..UNIFORMS).map(|_| random.register()).collect();
        let lanes: Vec<_> = (0..8)
            .map(|_| {
                let inputs: Vec<_> = (0..4).map(|_| random.register()).collect();
                random::run(&g, &inputs, &uniforms).expect("it ends")
            })
            .collect();
        certain += lanes.iter().filter(|l| !l.doubtful).count();
        killed += lanes.iter().filter(|l| l.killed).count();
        varied += usize::from(lanes.iter().any(|l| l.outputs != lanes[0].outputs));
    }
    assert!(certain > 500 && killed > 50 && varied > 100, "{certain} {killed} {varied}");
}

#[test]
fn wgsl_on_a_device_does_what_the_program_says() {
    let Some(device) = device() else { return };
    assert!(run(&device, Target::Wgsl, 0..40) > 200);
}
