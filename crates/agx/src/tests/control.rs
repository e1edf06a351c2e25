//! Conditions, loops and calls.

use super::{assemble, device, kernel, run_on, translated};
use crate::*;
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::{Environment, Machine, NoEnvironment, NoObserver, Paths, recovered};
use shisa_ir::{Lanes, Lifted, Reg, Space};
use shisa_translate::execute::Resources;
use shisa_translate::{GlslVersion, ShaderModel, SpirvVersion, Target};

/// A loop with another loop in its odd iterations, which ends by its condition or by a break out of a condition;
/// guarded and unguarded stores follow.
fn nested() -> Program {
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
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 0, &Limits::default()).unwrap();
    let found = recovered(&lifted, &func);
    let missing: Vec<_> = paths.taken().difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(paths.taken().len() > 15, "{}", paths.taken().len());
    // While the counter is known, no lane is followed through code that it does not run.
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
    let counter =
        |m: &Machine<'_, Sequencer>| [0, 1, 2].map(|lane| m.register(Reg::new(REGISTERS, 0), lane).unwrap());
    assert_eq!((counter(&machine), machine.active()), ([0, 1, 3], 1));
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!(counter(&machine), [0, 0, 0]);
}

/// The counter of a lone lane, which the sequencer follows by number, is what the instructions compute in `r0l`:
/// instructions at random, with conditions that hold or not, many levels deep.
#[test]
fn the_counter_of_a_lone_lane_is_what_is_computed() {
    let counter = Reg::new(REGISTERS, 0);
    let (mut deepest, mut masked) = (0, 0);
    for seed in 0..200 {
        let mut random = shisa_rows::testing::Random(seed);
        let mut below = |n: u64| random.bits() % n;
        let lines: Vec<_> = (0..60)
            .map(|_| {
                let (held, n) = (below(2), below(4));
                match below(6) {
                    0 | 1 => format!("if 0, {held}, {n}, ieq"),
                    2 => format!("else 0, {held}, {n}, ieq"),
                    3 => format!("while 0, {held}, {n}, ieq"),
                    4 => format!("pop_exec {n}"),
                    _ => "update_exec".into(),
                }
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(|line| &**line).chain(["stop"]).collect();
        let lifted = lift(&assemble(&lines)).unwrap();
        let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
        let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
        for line in &lines[..60] {
            machine.step(&mut NoEnvironment, &mut NoObserver).unwrap();
            let computed = machine.register(counter, 0).unwrap();
            let state = &machine.position().state;
            let known = shisa_ir::Sequencer::known(&Sequencer, state).map(|(_, _, level)| level);
            assert_eq!(known, Some(computed.into()), "after {line} in {lines:?}");
            assert_eq!(machine.active(), Lanes::from(computed == 0), "after {line} in {lines:?}");
            deepest = deepest.max(computed);
            masked += usize::from(computed > 1);
        }
    }
    assert!(deepest > 5 && masked > 1000, "{deepest} levels, {masked} steps with more than one");
}

/// A counter that is computed is not known, and both outcomes are explored.
#[test]
fn a_computed_counter_is_asked() {
    let program =
        assemble(&["mov r0l, thread_in_grid_x", "update_exec", "ldimm r2, 7", "pop_exec 1", "stop"]);
    let lifted = lift(&program).unwrap();
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 0, &Limits::default()).unwrap();
    let branches = func.blocks.iter().filter(|b| matches!(b.end, shisa_ir::End::Branch { .. })).count();
    assert!(branches >= 1, "{func:?}");
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 0b11);
    machine.set_input(Reg::new(SPECIALS, 80), 1, 1).unwrap();
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    assert_eq!([0, 1].map(|lane| machine.register(Reg::new(REGISTERS, 4), lane).unwrap()), [7, 0]);
}

/// After recovery and the passes, nothing of the nesting counter remains, and only the low halves of the 64-bit sums
/// that compute addresses.
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

/// A register with a constant determines where a call goes: the function is part of the program.
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

/// A loop that lanes leave by a selection: after it all lanes exchange values.
const BREAK: [&str; 15] = [
    "mov r1, thread_in_grid_x",
    "ldimm r2, 0",
    "ldimm r3, 5",
    "ldimm r0l, 0",
    "if 0, 0, 1, ieq",
    "head:",
    "iadd r2, r2.sx, r1.sx",
    "csel r0l, r2, 7, 1, r0l, ugt",
    "update_exec",
    "isub r3, r3, 1",
    "while r3, 0, 1, ugt",
    "jmp_any {head}",
    "pop_exec 1",
    "shuffle r4, r2, 3",
    "store r4, du0, r1, i32, x, a",
];

/// A selection between numbers and the counter itself keeps the counter known, so the exchange is in uniform control
/// flow.
#[test]
fn breaks_by_selection_keep_the_counter_known() {
    for selection in
        ["csel r0l, r2, 7, 1, r0l, ugt", "csel r0l, r2, 8, $r0l, 1, ult", "csel r0l, r2, 7, 1, 0, ugt"]
    {
        let mut lines = BREAK.to_vec();
        lines[7] = selection;
        let program = assemble(&[&lines[..], &["stop"]].concat());
        for target in [Target::Wgsl, Target::Msl] {
            let output = translated(&kernel(program.clone()), target);
            let output = output.unwrap_or_else(|faults| panic!("{selection}: {faults:?}"));
            let text = output.code.text().unwrap();
            assert!(text.contains("break"), "{text}");
        }
        let lifted = lift(&program).unwrap();
        let mut want = [0; 64];
        let sum = |lane: u32| (1..=5).map(|n| n * lane).find(|sum| *sum > 7).unwrap_or(5 * lane);
        (0..32).for_each(|lane| want[lane] = sum(3));
        let mut memory = Memory([0; 64]);
        run(&lifted, Lanes::MAX, &mut memory, &mut Paths::new(&lifted));
        assert_eq!(memory.0, want, "{selection}");
    }
    // A selection of a computed value is not known.
    let mut lines = BREAK.to_vec();
    lines[7] = "csel r0l, r2, 7, r1l, r0l, ugt";
    let program = assemble(&[&lines[..], &["stop"]].concat());
    let faults = translated(&kernel(program), Target::Wgsl).unwrap_err();
    assert_eq!(faults.iter().map(|d| d.code).collect::<Vec<_>>(), ["exchange-divergent"]);
}

/// A graphics device yields the evaluator's results. Without one the test says so and passes.
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
