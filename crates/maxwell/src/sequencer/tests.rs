use super::*;
use alloc::vec;
use shisa_ir::{Sequencer as _, Value};
use shisa_rows::testing::Random;

const LANES: usize = 8;
/// Instructions after which a run is cut off.
const LONGEST: usize = 400;
/// A program is its control operations; this one's targets are computed.
const COMPUTED: Option<Value> = Some(Value(0));

const PCNT: ControlOp = push(Mark::Continue);
const CONT: ControlOp = pop(Mark::Continue);
const PRET: ControlOp = push(Mark::Return);
const PEXIT: ControlOp = push(Mark::Exit);
const PLONGJMP: ControlOp = push(Mark::LongJump);
const LONGJMP: ControlOp = pop(Mark::LongJump);

fn control(op: ControlOp, target: u32) -> Control {
    Control { op, target, ..Control::default() }
}

/// What a lane decides at its next instruction: whether the condition holds, and the computed target. All end at the
/// last instruction.
fn decision(program: &[Control], seed: u64, lane: usize, pc: u32, ran: usize) -> (bool, u32) {
    let bits = Random(seed ^ ((LANES * ran + lane) as u64) << 32).bits();
    let target = bits >> 8 & 3 | bits >> 16 & 8;
    (bits & 1 != 0 || pc as usize + 1 == program.len(), (target % program.len() as u64) as u32)
}

/// The instructions that each of `lanes` runs, in a wave of these lanes.
fn traces(program: &[Control], seed: u64, lanes: Lanes) -> Result<[Vec<u32>; LANES], Diagnostic> {
    let mut traces = [const { Vec::new() }; LANES];
    let mut state = Sequencer.start(0, lanes);
    for _ in 0..LONGEST {
        let At::Step(pc) = Sequencer.at(&state) else { break };
        let (mut cond, mut targets) = (0, Vec::<(u32, Lanes)>::new());
        let mut control = program[pc as usize];
        for lane in (0..LANES).filter(|lane| state.active >> lane & 1 != 0) {
            let (held, target) = decision(program, seed, lane, pc, traces[lane].len());
            traces[lane].push(pc);
            // A call has no condition.
            if !held && control.op != CAL {
                continue;
            }
            cond |= 1 << lane;
            match targets.iter_mut().find(|(known, _)| *known == target) {
                Some((_, lanes)) => *lanes |= 1 << lane,
                None => targets.push((target, 1 << lane)),
            }
        }
        if control.place.is_some() && targets.len() > 1 {
            Sequencer.scatter(&mut state, &control, pc + 1, &targets)?;
            continue;
        }
        if control.place.is_some() {
            control.target = targets.first().map_or(0, |(target, _)| *target);
        }
        Sequencer.step(&mut state, &control, pc + 1, cond)?;
    }
    Ok(traces)
}

/// The instructions that one lane runs, by a stack of marks alone; `None` if a mark is missing.
fn plain(program: &[Control], seed: u64, lane: usize) -> Option<Vec<u32>> {
    let (mut trace, mut pc, mut stack) = (Vec::new(), 0, Vec::<(Mark, u32)>::new());
    while trace.len() < LONGEST {
        let control = program[pc as usize];
        let (held, computed) = decision(program, seed, lane, pc, trace.len());
        let target = if control.place.is_some() { computed } else { control.target };
        trace.push(pc);
        pc += 1;
        let left = match control.op {
            SYNC => Mark::Sync,
            BRK => Mark::Break,
            CONT => Mark::Continue,
            LONGJMP => Mark::LongJump,
            RET => Mark::Return,
            EXIT => Mark::Exit,
            BRA => {
                pc = if held { target } else { pc };
                continue;
            }
            CAL => {
                stack.push((Mark::Return, pc));
                pc = target;
                continue;
            }
            op => {
                let made =
                    [(SSY, Mark::Sync), (PBK, Mark::Break), (PCNT, Mark::Continue), (PRET, Mark::Return)]
                        .into_iter()
                        .chain([(PEXIT, Mark::Exit), (PLONGJMP, Mark::LongJump)])
                        .find(|(push, _)| *push == op);
                stack.push((made.unwrap().1, target));
                continue;
            }
        };
        if !held {
            continue;
        }
        match stack.iter().rposition(|(mark, _)| *mark == left) {
            Some(at) => {
                pc = stack[at].1;
                stack.truncate(at);
            }
            None if left == Mark::Exit => return Some(trace),
            None => return None,
        }
    }
    Some(trace)
}

fn random_program(seed: u64) -> Vec<Control> {
    let mut random = Random(seed);
    let mut below = |n: usize| (random.bits() % n as u64) as usize;
    let length = 6 + below(14);
    // Most programs have few kinds of marks, so that lanes meet.
    let kinds =
        [(SSY, SYNC), (PBK, BRK), (PCNT, CONT), (PRET, RET), (CAL, RET), (PLONGJMP, LONGJMP), (PEXIT, EXIT)];
    let chosen = [kinds[below(7)], kinds[below(7)]];
    let mut program = Vec::new();
    for _ in 0..length {
        let (make, leave) = chosen[below(2)];
        let (op, place) = match below(9) {
            0..3 => (make, None),
            3..5 => (leave, None),
            5 => (EXIT, None),
            6 => (BRA, COMPUTED),
            _ => (BRA, None),
        };
        program.push(Control { place, ..control(op, below(length + 1) as u32) });
    }
    // Tokens for those that leave more often than they push; not of exits, or some lanes would never end.
    let end = length as u32;
    let first = [chosen[0].0, chosen[1].0, SSY].map(|op| if op == CAL { PRET } else { op });
    program.splice(0..0, first.map(|op| control(if op == PEXIT { PBK } else { op }, end)));
    program.resize(length + 4, control(EXIT, 0));
    program
}

/// Lanes of a wave run what each of them runs alone, however they diverge, wait, leave and end.
#[test]
fn lanes_of_a_wave_run_what_they_run_alone() {
    let (mut compared, mut ended, mut scattered) = (0, 0, 0);
    for seed in 0..5_000 {
        let program = random_program(seed);
        let alone: Vec<_> = (0..LANES).map(|lane| plain(&program, seed, lane)).collect();
        for (lane, alone) in alone.iter().enumerate() {
            let single = traces(&program, seed, 1 << lane).ok().map(|traces| traces[lane].clone());
            assert_eq!(&single, alone, "lane {lane} alone in {program:?}");
        }
        if alone.iter().any(Option::is_none) {
            continue;
        }
        compared += 1;
        scattered += usize::from(program.iter().any(|c| c.place.is_some()));
        let together = traces(&program, seed, (1 << LANES) - 1).unwrap();
        for (lane, alone) in alone.into_iter().enumerate() {
            let (alone, together) = (alone.unwrap(), &together[lane]);
            // A wave is cut off sooner than a lane.
            let common = alone.len().min(together.len());
            assert_eq!(alone[..common], together[..common], "lane {lane} of {program:?}");
            let ends = alone.len() < LONGEST;
            assert!(!ends || together.len() <= alone.len(), "lane {lane} of {program:?} runs after its end");
            ended += usize::from(alone.len() == together.len());
        }
    }
    assert!(compared > 850 && ended > 1700 && scattered > 170, "{compared}, {ended}, {scattered}");
}

fn stepped(state: &mut State, op: ControlOp, target: u32, cond: Lanes) {
    Sequencer.step(state, &control(op, target), 1, cond).unwrap();
}

/// Lanes wait at each other target, and lanes whose condition fails continue after the branch.
#[test]
fn targets_of_a_computed_branch_run_one_after_the_other() {
    let mut state = Sequencer.start(0, 0b1_1111);
    let branch = Control { place: COMPUTED, ..control(BRA, 0) };
    Sequencer.scatter(&mut state, &branch, 1, &[(9, 0b0_0101), (7, 0b0_1000)]).unwrap();
    let mut found = Vec::new();
    while let At::Step(pc) = Sequencer.at(&state) {
        found.push((pc, Sequencer.active(&state)));
        stepped(&mut state, EXIT, 0, !0);
    }
    assert_eq!(found, [(9, 0b0_0101), (7, 0b0_1000), (1, 0b1_0010)]);
}

/// Between SAM and RAM the quads of active lanes are complete, except for lanes that the wave does not have. The helpers
/// neither wait nor end.
#[test]
fn helpers_run_along() {
    let mut state = Sequencer.start(0, 0xfff7);
    stepped(&mut state, EXIT, 0, 0x0f00);
    stepped(&mut state, SSY, 50, !0);
    stepped(&mut state, BRA, 20, 0x0021);
    assert_eq!(Sequencer.active(&state), 0x0021);
    stepped(&mut state, SAM, 0, !0);
    assert_eq!(Sequencer.active(&state), 0x00f7);
    // The conditions of helpers do not count.
    stepped(&mut state, BRA, 30, 0x00d6);
    assert_eq!(Sequencer.at(&state), At::Step(1));
    stepped(&mut state, RAM, 0, !0);
    assert_eq!(Sequencer.active(&state), 0x0021);
    stepped(&mut state, SYNC, 0, !0);
    assert_eq!((Sequencer.at(&state), Sequencer.active(&state)), (At::Step(1), 0xf0d6));
    stepped(&mut state, SYNC, 0, !0);
    assert_eq!((Sequencer.at(&state), Sequencer.active(&state)), (At::Step(50), 0xf0f7));
}

#[test]
fn stops_and_missing_tokens_are_errors() {
    let fault = |control: Control| {
        let mut state = Sequencer.start(0, 3);
        Sequencer.step(&mut state, &control, 1, 1).unwrap_err()
    };
    for (mark, name) in
        [(Mark::Return, "return"), (Mark::LongJump, "long jump"), (Mark::Continue, "continue")]
    {
        let d = fault(control(pop(mark), 0));
        assert_eq!(d.code, "maxwell-run-token");
        assert!(d.message.contains(name), "{}", d.message);
    }
    let trap = fault(Control { extra: Stop::Trap as u32, ..control(TRAP, 1) });
    assert_eq!(trap.code, "maxwell-run-trap");
    assert!(trap.message.contains("BPT.TRAP"), "{}", trap.message);
    let mut state = Sequencer.start(0, 1);
    let calls = vec![control(CAL, 0); DEPTH];
    calls.iter().for_each(|call| Sequencer.step(&mut state, call, 1, 1).unwrap());
    assert_eq!(Sequencer.step(&mut state, &calls[0], 1, 1).unwrap_err().code, "maxwell-run-stack");
}
