use crate::*;
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_eval::{Machine, NoEnvironment, NoObserver, Paths, recovered};
use shisa_ir::{End, Lifted, Op, Reg, Stage};
use shisa_rows::{Facts, Insn, Names, Scan};
use shisa_translate::testing::translated;

mod banks;
mod rings;

#[test]
fn rows_are_sound() {
    let report = SUITE.run();
    assert_eq!(report.faults, Vec::<String>::new());
    for lifted in &report.lifted {
        shisa_eval::Program::new(lifted, &Limits::default()).unwrap_or_else(|d| panic!("{d}: {lifted:?}"));
    }
}

/// Five nested loops with two iterations each: the first entry is overwritten, so its body runs once.
#[test]
fn the_fifth_loop_drops_the_data_of_the_first() {
    for (loops, counted) in [(4u32, 16.0), (5, 16.0)] {
        let mut lines: Vec<String> = (0..loops).map(|n| format!("for i0, {}", 2 * loops - 1 - n)).collect();
        lines.push("add r0.x, c0.x, r0.x".into());
        lines.extend((1..loops).map(|_| "nop".into()));
        lines.extend(["mov o0, r0".into(), "end".into()]);
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let lifted = lift(&assemble(&lines), &Options::default()).unwrap();
        let program = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
        let mut machine = Machine::new(&program, &Sequencer, 0, 1);
        machine.set_uniform(Reg::new(CONSTANTS, 0), 1f32.to_bits()).unwrap();
        machine.set_uniform(Reg::new(INTEGERS, 0), 1).unwrap();
        machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
        assert_eq!(
            f32::from_bits(machine.register(Reg::new(OUTPUTS, 0), 0).unwrap()),
            counted,
            "{loops} loops"
        );
    }
}

/// Words from text; descriptors are numbered in order of appearance.
pub(crate) fn assemble(lines: &[&str]) -> Program {
    let names = Names::<Pica200>::new();
    let (mut code, mut descriptors) = (Vec::new(), Vec::new());
    for line in lines {
        let mut insn = shisa_rows::parse(&names, &mut Scan::new(line, 0), &Options::DEFAULT)
            .unwrap_or_else(|d| panic!("{line}: {d}"));
        if word::descriptor(insn.word as u32).is_some() {
            insn.word |= descriptors.len() as u64;
            descriptors.push(word::split(insn.word).1);
        }
        code.push(word::split(insn.word).0);
    }
    Program { stage: Stage::Vertex, code, descriptors, entry: 0 }
}

/// A loop in a loop, a condition with both parts, a break from the inner loop, and a call of one procedure from two
/// words. A call may not end a block, or the end of the block has priority.
pub(crate) fn nested() -> Program {
    assemble(&[
        "mov r0, v0",
        "mov r1, c8",
        "for i0, 16",
        "add r1, c0[aL], r1",
        "for i1, 13",
        "add r0.x, c1.x, r0.x",
        "cmp c1.yy, lt, ge, r0.xy",
        "breakc cmp.x && cmp.y",
        "ifc cmp.x, 12, 1",
        "mul r1, c2, r1",
        "call 20, 2",
        "nop",
        "add r1.w, c1.y, r1.w",
        "max r1.y, c3.y, r1.y",
        "add r0.x, -c1.x, r0.x",
        "call 20, 2",
        "nop",
        "mov o0, r0",
        "mov o1, r1",
        "end",
        "add r1.z, c1.x, r1.z",
        "add r0.y, c1.z, r0.y",
    ])
}

/// An evaluator with the constants and the input of the nested program.
fn run(lifted: &Lifted, x: f32, counts: [u32; 2], mut paths: Option<&mut Paths>) -> [u32; 8] {
    let program = shisa_eval::Program::new(lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&program, &Sequencer, 0, 1);
    for unit in 0..384 {
        machine.set_uniform(Reg::new(CONSTANTS, unit), (unit as f32 * 0.25 - 3.0).to_bits()).unwrap();
    }
    for (i, n) in counts.into_iter().enumerate() {
        for (part, bits) in [n, 1, 2].into_iter().enumerate() {
            machine.set_uniform(Reg::new(INTEGERS, (4 * i + part) as u16), bits).unwrap();
        }
    }
    for unit in 0..4 {
        machine.set_input(Reg::new(INPUTS, unit), 0, (x + f32::from(unit)).to_bits()).unwrap();
    }
    match &mut paths {
        Some(p) => {
            p.restart();
            machine.run(&mut NoEnvironment, *p, &Limits::default()).unwrap();
        }
        None => machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap(),
    }
    core::array::from_fn(|i| machine.register(Reg::new(OUTPUTS, i as u16), 0).unwrap())
}

#[test]
fn nested_loops_run_only_where_recovery_leads() {
    let program = nested();
    let lifted = lift(&program, &Options::default()).unwrap();
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 0, &Limits::default()).unwrap();
    let mut paths = Paths::new(&lifted);
    for x in [-9.0, -3.0, -2.75, -2.5, 0.0, 4.0] {
        for counts in [[0, 0], [1, 3], [4, 2]] {
            run(&lifted, x, counts, Some(&mut paths));
        }
    }
    let found = recovered(&lifted, &func);
    let missing: Vec<_> = paths.taken().difference(&found).collect();
    assert!(missing.is_empty(), "{missing:?}");
    assert!(paths.taken().len() > 20, "the inputs take many paths: {}", paths.taken().len());
}

/// The program, step by step in plain Rust.
#[test]
fn nested_loops_give_what_the_text_says() {
    let lifted = lift(&nested(), &Options::default()).unwrap();
    for (x, counts) in [(-9.0f32, [1, 3]), (-2.75, [2, 2]), (4.0, [0, 1])] {
        let c = |n: usize| [0, 1, 2, 3].map(|i| (4 * n + i) as f32 * 0.25 - 3.0);
        let mut r0 = [x, x + 1.0, x + 2.0, x + 3.0];
        let mut r1 = c(8);
        let procedure = |r0: &mut [f32; 4], r1: &mut [f32; 4]| {
            r1[2] += c(1)[0];
            r0[1] += c(1)[2];
        };
        for outer in 0..=counts[0] {
            // The inner loop restores the aL with which it began.
            let row = c(1 + 2 * outer.min(1) as usize);
            (0..4).for_each(|i| r1[i] += row[i]);
            for _ in 0..=counts[1] {
                r0[0] += c(1)[0];
                let (less, not_less) = (c(1)[1] < r0[0], c(1)[1] >= r0[1]);
                if less && not_less {
                    break;
                }
                if less {
                    (0..4).for_each(|i| r1[i] *= c(2)[i]);
                    procedure(&mut r0, &mut r1);
                } else {
                    r1[3] += c(1)[1];
                }
                r1[1] = if c(3)[1] > r1[1] { c(3)[1] } else { r1[1] };
            }
            r0[0] -= c(1)[0];
            procedure(&mut r0, &mut r1);
        }
        let want: Vec<f32> = r0.into_iter().chain(r1).collect();
        let got = run(&lifted, x, counts.map(|t: u32| t), None).map(f32::from_bits);
        assert_eq!(got.to_vec(), want, "{x} {counts:?}");
    }
}

/// Words with an unknown opcode do no harm if no path reaches them.
#[test]
fn unknown_words_are_refused_where_the_program_comes_to_them() {
    let limits = Limits::default();
    let with_unknown = |lines: &[&str], at: usize| {
        let mut program = assemble(lines);
        program.code[at] = 0x11 << 26;
        lift(&program, &Options::default()).unwrap()
    };
    let ran = |lifted: &Lifted, boolean: u32| {
        let plan = shisa_eval::Program::new(lifted, &limits).unwrap();
        let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
        machine.set_uniform(Reg::new(BOOLEANS, 0), boolean).unwrap();
        machine.run(&mut NoEnvironment, &mut NoObserver, &limits).map_err(|d| d.code)
    };
    let recovered = |lifted: &Lifted| {
        shisa_ir::recover(lifted.clone(), &Sequencer, 0, &limits).map(|f| f.blocks.len()).map_err(|d| d.code)
    };
    let behind = with_unknown(&["mov o0, v0", "end", "nop"], 2);
    assert_eq!((ran(&behind, 0), recovered(&behind)), (Ok(()), Ok(1)));
    let between = with_unknown(&["jmpu b0, 2", "nop", "mov o0, v0", "end"], 1);
    assert_eq!((ran(&between, 1), ran(&between, 0)), (Ok(()), Err("lift-opcode")));
    assert_eq!(recovered(&between), Err("lift-opcode"));
}

#[test]
fn endless_recursion_is_refused() {
    // Rings drop their oldest entries, so even this has finitely many states.
    let program = assemble(&["nop", "call 0, 3", "end"]);
    let lifted = lift(&program, &Options::default()).unwrap();
    let func = shisa_ir::recover(lifted.clone(), &Sequencer, 0, &Limits::default()).unwrap();
    assert!(func.blocks.iter().all(|b| b.end != End::Exit), "it never ends");
    let few = Limits { structure_growth: 0, ..Limits::default() };
    let long: Vec<&str> = core::iter::repeat_n("nop", 20).chain(["end"]).collect();
    let lifted = lift(&assemble(&long), &Options::default()).unwrap();
    assert_eq!(shisa_ir::recover(lifted.clone(), &Sequencer, 0, &few).unwrap_err().code, "flow-states");
}

#[test]
fn facts_of_an_instruction() {
    let program = assemble(&["add r1.xz, c4[a0.y], -r2.yyzw", "ifu b3, 12, 4"]);
    let fused =
        |i: usize| Insn::<Pica200>::decode(word::fuse(program.code[i], &program.descriptors)).unwrap();
    let mut scratch = Lifted::new(FILES);
    let facts = Facts::of(&mut scratch, fused(0), &Options::DEFAULT, 0, 1).unwrap();
    let reads: Vec<_> = facts.reads().map(|a| (a.reg, a.components.0, a.indexed)).collect();
    assert_eq!(
        reads,
        [
            (Reg::new(ADDRESS, 1), 1, false),
            (Reg::new(CONSTANTS, 0), 15, true),
            (Reg::new(TEMPORARIES, 8), 0b0110, false)
        ]
    );
    let writes: Vec<_> = facts.writes().map(|a| (a.reg, a.components.0)).collect();
    assert_eq!(writes, [(Reg::new(TEMPORARIES, 4), 0b0101)]);
    assert!(!facts.samples() && facts.memory().next().is_none());
    let flow = Facts::of(&mut scratch, fused(1), &Options::DEFAULT, 1, 2).unwrap().flow();
    assert_eq!((flow.op, flow.target, flow.extra, flow.cond.is_some()), (sequencer::IF, 12, 16, true));
}

#[test]
fn the_interface_lists_what_is_used() {
    let program = nested();
    let lifted = lift(&program, &Options::default()).unwrap();
    let i = interface(&program, &lifted);
    assert_eq!(
        i.inputs.iter().map(|io| format!("{}:{:?}", io.name, io.used)).collect::<Vec<_>>(),
        ["v0:xyzw"]
    );
    assert_eq!(i.outputs.len(), 2);
    assert!(i.uniforms[0].indirect && i.uniforms[0].registers == 96);
    assert!(lifted.nodes.list.iter().any(|n| matches!(n.op, Op::ReadAt { .. })));
}

#[test]
fn nested_loops_translate() {
    let program = nested();
    let lifted = lift(&program, &Options::default()).unwrap();
    // The container has the meaning of outputs, so no position is known: run over lanes.
    let how = shisa_translate::Options { form: shisa_translate::Form::Compute, ..Default::default() };
    let interface = interface(&program, &lifted);
    let of = (&lifted, &Sequencer, 0);
    let output = translated(of, &interface, |_| Ok(()), (shisa_translate::Target::Wgsl, &how)).unwrap();
    let code = output.code.text().unwrap();
    // Two loops, and one that runs once: it joins the two exits of the inner one.
    assert_eq!(code.matches("loop {").count(), 3, "{code}");
    assert!(!code.contains("switch"), "nested as it was written: {code}");
}
