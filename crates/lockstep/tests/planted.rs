//! Planted faults: an engine that computes one operation of one instruction otherwise.

use crate::programs::families;
use shisa::data::debug::Session;
use shisa::data::engines::{Choice, Engine as Kind, Invocation, Results};
use shisa::diag::{Diagnostic, Limits};
use shisa::ir::{At, Binary, Lifted, Node, Op, Step, Ternary, Unary, Value};
use shisa_lockstep::{Engine, Native, Verdict, lockstep};

/// An engine with a fault, wherever the instruction occurs.
struct Faulty {
    kind: Kind,
    /// The index of the instruction among the steps of the program, which its operations have as their origin.
    instruction: usize,
    /// Which of the operations of the instruction that can be changed.
    number: usize,
}

impl Engine for Faulty {
    fn name(&self) -> &str {
        "faulty"
    }

    fn run(&self, invocation: &dyn Invocation, limits: &Limits) -> Result<Results, Diagnostic> {
        let mut lifted = invocation.lifted().clone();
        self.spoil(&mut lifted);
        let choice = Choice { shortest: 1, ..Choice::new(self.kind, limits) };
        invocation.run(&lifted, &choice)
    }
}

impl Faulty {
    fn spoil(&self, lifted: &mut Lifted) {
        for step in &lifted.steps {
            spoil(
                &mut lifted.nodes.list[step.nodes.start as usize..step.nodes.end as usize],
                self.instruction,
                self.number,
            );
        }
    }
}

/// Changes one of the operations of an instruction that can be changed.
pub(crate) fn spoil(nodes: &mut [Node], instruction: usize, number: usize) {
    let own = nodes.iter_mut().filter(|node| node.origin as usize == instruction);
    if let Some((node, op)) = own.filter_map(|node| other(node.op).map(|op| (node, op))).nth(number) {
        node.op = op;
    }
}

/// Another operation of the same type.
pub(crate) fn other(op: Op) -> Option<Op> {
    Some(match op {
        Op::Unary { op, rule, a } => Op::Unary { op: other_unary(op)?, rule, a },
        Op::Binary { op, rule, a, b } => Op::Binary { op: other_binary(op)?, rule, a, b },
        Op::Ternary { op: Ternary::Fma, rule, a, b, c } => {
            Op::Ternary { op: Ternary::Fma, rule, a: c, b, c: a }
        }
        Op::Ternary { op: Ternary::Select, rule, a, b, c } => {
            Op::Ternary { op: Ternary::Select, rule, a, b: c, c: b }
        }
        _ => return None,
    })
}

fn other_unary(op: Unary) -> Option<Unary> {
    Some(match op {
        Unary::FNeg | Unary::FSat => Unary::FAbs,
        Unary::FAbs => Unary::FNeg,
        Unary::FFloor | Unary::FTrunc | Unary::FRound => Unary::FCeil,
        Unary::FCeil => Unary::FFloor,
        Unary::FSqrt | Unary::FRcp => Unary::FRsqrt,
        Unary::FRsqrt => Unary::FRcp,
        Unary::FExp2 => Unary::FLog2,
        Unary::FLog2 => Unary::FExp2,
        Unary::FSin => Unary::FCos,
        Unary::FCos => Unary::FSin,
        Unary::INeg => Unary::Not,
        Unary::Not => Unary::INeg,
        _ => return None,
    })
}

fn other_binary(op: Binary) -> Option<Binary> {
    Some(match op {
        Binary::FAdd => Binary::FSub,
        Binary::FSub | Binary::FMul => Binary::FAdd,
        Binary::FMin => Binary::FMax,
        Binary::FMax => Binary::FMin,
        Binary::FLt => Binary::FLe,
        Binary::FLe => Binary::FLt,
        Binary::FEq => Binary::FNe,
        Binary::FNe => Binary::FEq,
        Binary::IAdd => Binary::ISub,
        Binary::ISub | Binary::IMul => Binary::IAdd,
        Binary::And => Binary::Or,
        Binary::Or | Binary::Xor => Binary::And,
        Binary::Shl => Binary::LShr,
        Binary::LShr => Binary::Shl,
        Binary::SLt => Binary::SLe,
        Binary::ULt => Binary::ULe,
        Binary::IEq => Binary::INe,
        Binary::INe => Binary::IEq,
        _ => return None,
    })
}

/// Whether an instruction computes with registers only.
pub(crate) fn computes(lifted: &Lifted, step: &Step) -> bool {
    step.nodes.clone().all(|n| {
        matches!(
            lifted.nodes.op(Value(n)),
            Op::Const(_)
                | Op::Read { .. }
                | Op::ReadAt { .. }
                | Op::Write { .. }
                | Op::Unary { .. }
                | Op::Binary { .. }
                | Op::Ternary { .. }
                | Op::Convert { .. }
                | Op::Swizzle { .. }
                | Op::Join { .. }
                | Op::Kill { .. }
        )
    })
}

/// Whether all outputs are equal, but for those of lanes that both discarded.
fn same(a: &Results, b: &Results) -> bool {
    let lanes = |(n, killed): (usize, &bool)| {
        let columns = a.lanes.outputs.iter().zip(&b.lanes.outputs);
        *killed || columns.into_iter().all(|(a, b)| a.lane(n) == b.lane(n))
    };
    a.lanes.killed == b.lanes.killed && a.lanes.killed.iter().enumerate().all(lanes) && a.buffers == b.buffers
}

/// Numbers that look random, the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// The fastest engine that runs the program of a session.
fn fastest(session: &Session, numbers: &mut Numbers, limits: &Limits) -> Option<Kind> {
    let invocation = session.recorded().invocation()?;
    let takes = |kind: &&Kind| Native { kind: **kind, ..Native::default() }.run(invocation, limits).is_ok();
    let first = numbers.below(Kind::ALL.len());
    Kind::ALL[..=first].iter().rev().find(takes).copied()
}

/// The instructions that a program has for the test.
const INSTRUCTIONS: usize = 12;

/// Plants faults in runs of a family that change an output until there are `count`, and asserts that each is found.
fn find(family: &str, runs: &[(String, Session)], count: usize, seed: u64) {
    let (mut numbers, limits) = (Numbers(seed), Limits::default());
    let (mut planted, mut engines) = (0, [0; 3]);
    for _ in 0..count * 400 {
        let (name, session) = &runs[numbers.below(runs.len())];
        let lifted = session.recorded().program().lifted();
        if lifted.steps.len() < INSTRUCTIONS {
            continue;
        }
        let instruction = numbers.below(lifted.steps.len());
        let step = &lifted.steps[instruction];
        let able = step.nodes.clone().filter(|n| other(lifted.nodes.op(Value(*n))).is_some()).count();
        if able == 0 || !computes(lifted, step) {
            continue;
        }
        let Some(kind) = fastest(session, &mut numbers, &limits) else {
            continue;
        };
        let faulty = Faulty { kind, instruction, number: numbers.below(able) };
        let reference = Native::default();
        let invocation = session.recorded().invocation().unwrap();
        let expected = reference.run(invocation, &limits).expect(name);
        // A fault that changes no output, or that makes the program run forever, is none that a comparison can see.
        let Ok(got) = faulty.run(invocation, &limits) else {
            continue;
        };
        if same(&expected, &got) {
            continue;
        }
        let compared = lockstep(session, &[&reference, &faulty], false, &limits).expect(name);
        let at = At::Step(step.pc);
        let text = compared[0].text("evaluator", session);
        let Verdict::Differs(difference) = &compared[0].verdict else { panic!("{name} at {at}: {text}") };
        let located = difference.located.as_ref().unwrap_or_else(|| panic!("{name} at {at}: {text}"));
        assert_eq!(located.at, at, "{name}: {text}");
        let reduced = located.reduced.steps.len();
        assert!(reduced * 4 <= lifted.steps.len(), "{name} at {at}: {text}");
        assert!(reduced * 4 <= located.reduced.of || reduced == 1, "{name} at {at}: {text}");
        assert_eq!(located.reduced.steps.last().map(|(_, at)| *at), Some(at), "{name}: {text}");
        engines[kind as usize] += 1;
        planted += 1;
        if planted == count {
            println!("{family}: {planted} of {count} faults found; engines {engines:?}");
            return;
        }
    }
    panic!("only {planted} faults of {family} change an output; engines {engines:?}");
}

/// 50 planted faults, each found at its instruction, in a program of a quarter of the size or less.
#[test]
fn planted_faults_are_found() {
    for ((family, count), seed) in families().into_iter().zip([13, 13, 12, 12]).zip(1..) {
        find(family.name, &family.runs.collect::<Vec<_>>(), count, seed);
    }
}
