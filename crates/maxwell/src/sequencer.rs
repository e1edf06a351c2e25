//! Maxwell's control flow: a wave has one stack of tokens.
//!
//! A token has a kind, an address and the lanes that will continue there. `SSY` and `PBK` push one for all active
//! lanes; a divergent branch pushes one for the lanes that do not take it. `SYNC` and `BRK` send lanes to the nearest
//! token of their kind: the lanes wait, and are removed from the tokens above. When no lane is left, the top token is
//! popped, and its lanes continue at its address.

use alloc::{format, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{At, Control, ControlOp, Lanes};

/// The purpose of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Token {
    /// `SYNC`, pushed by `SSY`.
    Sync,
    /// `BRK`, pushed by `PBK`.
    Break,
    /// The other side of a branch.
    Divergence,
}

impl Token {
    /// What it is called in messages.
    const fn name(self) -> &'static str {
        match self {
            Token::Sync => "synchronization",
            Token::Break => "break",
            Token::Divergence => "divergence",
        }
    }
}

/// `SSY`.
pub const SSY: ControlOp = ControlOp::Push(Token::Sync as u8);
/// `SYNC`.
pub const SYNC: ControlOp = ControlOp::Pop(Token::Sync as u8);
/// `PBK`.
pub const PBK: ControlOp = ControlOp::Push(Token::Break as u8);
/// `BRK`.
pub const BRK: ControlOp = ControlOp::Pop(Token::Break as u8);
/// `BRA`.
pub const BRA: ControlOp = ControlOp::Branch;
/// `EXIT`.
pub const EXIT: ControlOp = ControlOp::Exit;

/// The largest number of tokens of a wave; the hardware spills to memory up to a size that the launch states.
const DEPTH: usize = 1024;

/// The sequencer of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequencer;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    kind: Token,
    pc: u32,
    lanes: Lanes,
}

/// The control state of a wave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pc: u32,
    active: Lanes,
    stack: Vec<Entry>,
}

impl State {
    fn push(&mut self, kind: Token, pc: u32, lanes: Lanes) -> Result<(), Diagnostic> {
        if self.stack.len() >= DEPTH {
            return Err(Diagnostic::error(
                "maxwell-run-stack",
                format!("more than {DEPTH} tokens are pushed"),
            ));
        }
        self.stack.push(Entry { kind, pc, lanes });
        Ok(())
    }

    /// Sends lanes to the nearest token of a kind.
    fn leave(&mut self, kind: Token, lanes: Lanes) -> Result<(), Diagnostic> {
        if lanes == 0 {
            return Ok(());
        }
        let nearest = self.stack.iter().rposition(|e| e.kind == kind);
        let above = nearest.ok_or_else(|| {
            let text = format!("lanes leave for a {} token, and the stack has none", kind.name());
            Diagnostic::error("maxwell-run-token", text)
        })? + 1;
        self.stack.iter_mut().skip(above).for_each(|e| e.lanes &= !lanes);
        self.active &= !lanes;
        self.refill();
        Ok(())
    }

    /// Pops tokens until some lane is active.
    fn refill(&mut self) {
        while self.active == 0
            && let Some(top) = self.stack.pop()
        {
            self.active = top.lanes;
            self.pc = top.pc;
        }
    }
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        State { pc: entry, active: lanes, stack: Vec::new() }
    }

    fn at(&self, s: &State) -> At {
        if s.active == 0 { At::Done } else { At::Step(s.pc) }
    }

    fn active(&self, s: &State) -> Lanes {
        s.active
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        let held = cond & s.active;
        s.pc = next;
        match control.op {
            SSY => s.push(Token::Sync, control.target, s.active)?,
            PBK => s.push(Token::Break, control.target, s.active)?,
            SYNC => s.leave(Token::Sync, held)?,
            BRK => s.leave(Token::Break, held)?,
            BRA if held == 0 => {}
            BRA => {
                if held != s.active {
                    s.push(Token::Divergence, next, s.active & !held)?;
                }
                s.active = held;
                s.pc = control.target;
            }
            EXIT => {
                s.active &= !held;
                s.stack.iter_mut().for_each(|e| e.lanes &= !held);
                s.refill();
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shisa_ir::Sequencer as _;
    use shisa_rows::testing::Random;

    const LANES: usize = 8;
    /// Instructions after which a run is cut off.
    const LONGEST: usize = 400;

    /// The instructions that each of `lanes` runs, in a wave of these lanes. A condition depends on the lane and on how
    /// many instructions it has run.
    fn traces(program: &[Control], seed: u64, lanes: Lanes) -> Result<[Vec<u32>; LANES], Diagnostic> {
        let mut traces = [const { Vec::new() }; LANES];
        let mut state = Sequencer.start(0, lanes);
        let mut ended = 0;
        for _ in 0..LONGEST {
            let At::Step(pc) = Sequencer.at(&state) else { break };
            assert_eq!(state.active & ended, 0, "lanes that have ended run {pc} of {program:?}");
            let mut cond = 0;
            for lane in (0..LANES).filter(|lane| state.active >> lane & 1 != 0) {
                let number = (LANES * traces[lane].len() + lane) as u64;
                // All end at the last instruction.
                let ends = pc as usize + 1 == program.len();
                cond |= (Random(seed ^ number << 32).bits() as u32 & 1 | u32::from(ends)) << lane;
                traces[lane].push(pc);
            }
            let control = &program[pc as usize];
            ended |= if control.op == EXIT { cond } else { 0 };
            Sequencer.step(&mut state, control, pc + 1, cond)?;
        }
        Ok(traces)
    }

    /// Lanes of a wave run what each of them runs alone, however they diverge, wait, leave and end.
    #[test]
    fn lanes_of_a_wave_run_what_they_run_alone() {
        let (mut compared, mut ended) = (0, 0);
        for seed in 0..20_000 {
            let mut random = Random(seed);
            let mut below = |n: usize| (random.bits() % n as u64) as usize;
            let length = 6 + below(14);
            let ops = [SSY, PBK, SSY, PBK, SYNC, BRK, BRA, BRA, EXIT];
            let mut program: Vec<Control> = (0..length)
                .map(|_| Control {
                    op: ops[below(9)],
                    target: below(length + 1) as u32,
                    ..Control::default()
                })
                .collect();
            // Tokens for those that leave more often than they push.
            let pushed =
                [SSY, PBK, SSY].map(|op| Control { op, target: length as u32, ..Control::default() });
            program.splice(0..0, pushed);
            program.resize(length + 4, Control { op: EXIT, ..Control::default() });
            let alone: Vec<_> = (0..LANES).map(|lane| traces(&program, seed, 1 << lane)).collect();
            if alone.iter().any(Result::is_err) {
                continue;
            }
            compared += 1;
            let together = traces(&program, seed, (1 << LANES) - 1).unwrap();
            for (lane, alone) in alone.into_iter().enumerate() {
                let (alone, together) = (&alone.unwrap()[lane], &together[lane]);
                // A wave is cut off sooner than a lane.
                let common = alone.len().min(together.len());
                assert_eq!(alone[..common], together[..common], "lane {lane} of {program:?}");
                let ends = alone.len() < LONGEST;
                assert!(
                    !ends || together.len() <= alone.len(),
                    "lane {lane} of {program:?} runs after its end"
                );
                ended += usize::from(alone.len() == together.len());
            }
        }
        assert!(compared > 1000 && ended > 1000, "{compared} programs, {ended} lanes to their end");
    }
}
