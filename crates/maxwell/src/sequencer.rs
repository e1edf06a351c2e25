//! Maxwell's control flow: a wave has one stack of tokens.
//!
//! A token has a purpose, an address and the lanes that will continue there. `SSY`, `PBK`, `PCNT`, `PRET`, `PEXIT` and
//! `PLONGJMP` push one with a mark for all active lanes, and so does a call for its return; a divergent branch pushes
//! one without a mark for the lanes that go elsewhere. `SYNC`, `BRK`, `CONT`, `RET`, `EXIT` and `LONGJMP` send lanes to
//! the nearest token with their mark: the lanes wait, and are removed from the tokens above. When no lane is left, the
//! top token is popped, and its lanes continue at its address. `EXIT` without a token ends lanes.
//!
//! A branch through a register may have several targets. The lanes of the first active lane's target continue, and the
//! lanes of each other target wait with a token.
//!
//! Between `SAM` and `RAM` the other lanes of each quad that has an active lane run, too. They go where the wave goes:
//! they neither push tokens, nor leave, nor end.

use crate::mark::Mark;
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{At, Control, ControlOp, Frame, FrameKind, Lanes, Stack};

/// Pushes a mark.
pub const fn push(mark: Mark) -> ControlOp {
    ControlOp::Push(mark as u8)
}

/// Leaves to the nearest mark of a kind.
pub const fn pop(mark: Mark) -> ControlOp {
    match mark {
        Mark::Exit => EXIT,
        Mark::Return => RET,
        mark => ControlOp::Pop(mark as u8),
    }
}

/// `SSY`.
pub const SSY: ControlOp = push(Mark::Sync);
/// `SYNC`.
pub const SYNC: ControlOp = pop(Mark::Sync);
/// `PBK`.
pub const PBK: ControlOp = push(Mark::Break);
/// `BRK`.
pub const BRK: ControlOp = pop(Mark::Break);
/// `BRA`, `BRX`, `JMP` and `JMX`.
pub const BRA: ControlOp = ControlOp::Branch;
/// `CAL` and `JCAL`.
pub const CAL: ControlOp = ControlOp::Call;
/// `RET`.
pub const RET: ControlOp = ControlOp::Return;
/// `EXIT`.
pub const EXIT: ControlOp = ControlOp::Exit;
/// `SAM`.
pub const SAM: ControlOp = ControlOp::Push(HELPERS);
/// `RAM`.
pub const RAM: ControlOp = ControlOp::Pop(HELPERS);
/// Stops the program: the target is the number that the instruction holds, the second operand a [`Stop`].
pub const TRAP: ControlOp = ControlOp::Trap;

/// Not the number of a mark: the helper lanes of quads.
const HELPERS: u8 = Mark::ALL.len() as u8;

/// The largest number of tokens of a wave; the hardware spills to memory up to a size that the launch states.
const DEPTH: usize = 1024;

/// Why a program stops for the host, a debugger or the trap handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Stop {
    /// `BPT.DRAIN_ILLEGAL`.
    DrainIllegal,
    /// `BPT.CAL`.
    Call,
    /// `BPT.PAUSE`.
    Pause,
    /// `BPT.TRAP`.
    Trap,
    /// `BPT.INT`.
    Interrupt,
    /// `BPT.DRAIN`.
    Drain,
    /// `RTT`: no trap handler runs from which it could return.
    TrapReturn,
    /// OUT or AST with a damaged state of emission, by an option.
    DamagedState,
}

impl Stop {
    /// The modes of `BPT`, by number.
    pub(crate) const BREAKPOINTS: [Stop; 6] =
        [Stop::DrainIllegal, Stop::Call, Stop::Pause, Stop::Trap, Stop::Interrupt, Stop::Drain];

    /// What the program does, in messages.
    const fn text(self) -> &'static str {
        match self {
            Stop::DrainIllegal => "reports an illegal state (BPT.DRAIN_ILLEGAL)",
            Stop::Call => "calls the trap handler (BPT.CAL)",
            Stop::Pause => "pauses for a debugger (BPT.PAUSE)",
            Stop::Trap => "traps (BPT.TRAP), which compiled code does to report an error",
            Stop::Interrupt => "interrupts the host (BPT.INT)",
            Stop::Drain => "stops for the host (BPT.DRAIN)",
            Stop::TrapReturn => "returns from a trap handler (RTT), and none runs",
            Stop::DamagedState => "traps, since the register with the state of emission is damaged",
        }
    }

    fn diagnostic(control: &Control) -> Diagnostic {
        let all = Stop::BREAKPOINTS.into_iter().chain([Stop::TrapReturn, Stop::DamagedState]);
        let text = all.into_iter().find(|stop| *stop as u32 == control.extra).map_or("stops", Stop::text);
        let d = Diagnostic::error("maxwell-run-trap", format!("the program {text}"));
        if control.target == 0 {
            d
        } else {
            d.note(format!("the instruction's number is {:#x}", control.target))
        }
    }
}

/// The sequencer of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequencer;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    /// Who continues there; `None` for other targets of a branch.
    mark: Option<Mark>,
    pc: u32,
    lanes: Lanes,
}

/// The control state of a wave.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    pc: u32,
    /// The lanes that run and go on their own account.
    active: Lanes,
    /// Other lanes that run since `SAM`.
    helpers: Lanes,
    /// The lanes that the wave started with.
    started: Lanes,
    stack: Vec<Entry>,
}

impl State {
    /// The lanes that have not ended: those that run, and those that wait with a token.
    pub fn living(&self) -> Lanes {
        self.stack.iter().fold(self.active, |lanes, entry| lanes | entry.lanes)
    }

    fn push(&mut self, mark: Option<Mark>, pc: u32, lanes: Lanes) -> Result<(), Diagnostic> {
        if self.stack.len() >= DEPTH {
            return Err(Diagnostic::error(
                "maxwell-run-stack",
                format!("more than {DEPTH} tokens are pushed"),
            ));
        }
        self.stack.push(Entry { mark, pc, lanes });
        Ok(())
    }

    /// Sends lanes to the nearest token with a mark. The hardware, too, reports an error if there is none: Linux's
    /// nouveau driver lists `STACK_ERROR` and `RET_EMPTY_STACK_ERROR`.
    fn leave(&mut self, mark: Mark, lanes: Lanes) -> Result<(), Diagnostic> {
        if lanes == 0 {
            return Ok(());
        }
        let nearest = self.stack.iter().rposition(|e| e.mark == Some(mark));
        let above = match (nearest, mark) {
            (Some(nearest), _) => nearest + 1,
            (None, Mark::Exit) => 0,
            (None, _) => {
                let text = format!("lanes leave for a {} token, and the stack has none", mark.name());
                return Err(Diagnostic::error("maxwell-run-token", text));
            }
        };
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

    /// Sends active lanes to targets, each with its lanes; the others continue at `next`.
    fn branch(&mut self, next: u32, targets: &[(u32, Lanes)]) -> Result<(), Diagnostic> {
        let active = self.active;
        let mut going =
            targets.iter().map(|(pc, lanes)| (*pc, lanes & active)).filter(|(_, lanes)| *lanes != 0);
        let Some((pc, lanes)) = going.next() else { return Ok(()) };
        let mut waiting: Vec<(u32, Lanes)> = going.collect();
        waiting.reverse();
        let staying = waiting.iter().fold(active & !lanes, |staying, (_, lanes)| staying & !lanes);
        if staying != 0 {
            self.push(None, next, staying)?;
        }
        waiting.into_iter().try_for_each(|(pc, lanes)| self.push(None, pc, lanes))?;
        (self.active, self.pc) = (lanes, pc);
        Ok(())
    }
}

/// All lanes of the quads that have some of these lanes.
fn quads(lanes: Lanes) -> Lanes {
    (0..Lanes::BITS).step_by(4).map(|first| 0xf << first).filter(|quad| quad & lanes != 0).sum()
}

impl shisa_ir::Sequencer for Sequencer {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        State { pc: entry, active: lanes, helpers: 0, started: lanes, stack: Vec::new() }
    }

    fn restart(&self, s: &mut State, entry: u32, lanes: Lanes) {
        s.stack.clear();
        *s = State { stack: core::mem::take(&mut s.stack), ..self.start(entry, lanes) };
    }

    fn at(&self, s: &State) -> At {
        if s.active == 0 { At::Done } else { At::Step(s.pc) }
    }

    fn active(&self, s: &State) -> Lanes {
        s.active | s.helpers
    }

    fn stacks(&self, s: &State) -> Vec<Stack> {
        let frame = |entry: &Entry| Frame {
            kind: match entry.mark {
                Some(Mark::Return) => FrameKind::Call,
                Some(Mark::Break | Mark::Continue) => FrameKind::Loop,
                Some(Mark::Sync) => FrameKind::Condition,
                Some(Mark::Exit | Mark::LongJump) | None => FrameKind::Other,
            },
            target: Some(entry.pc),
            lanes: Some(entry.lanes),
            text: entry.mark.map_or("other lanes", Mark::name).into(),
        };
        vec![Stack { name: "tokens", room: None, frames: s.stack.iter().map(frame).collect() }]
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        let held = cond & s.active;
        s.pc = next;
        let mark = |number: u8| Mark::ALL.get(usize::from(number)).copied();
        match control.op {
            SAM => s.helpers = quads(s.active) & s.started,
            RAM => s.helpers = 0,
            BRA => s.branch(next, &[(control.target, held)])?,
            CAL => {
                s.push(Some(Mark::Return), next, s.active)?;
                s.branch(next, &[(control.target, held)])?;
            }
            RET => s.leave(Mark::Return, held)?,
            EXIT => s.leave(Mark::Exit, held)?,
            TRAP if held != 0 => return Err(Stop::diagnostic(control)),
            ControlOp::Invalid => {
                return Err(Diagnostic::error(
                    "maxwell-run-word",
                    "the word that runs next is no instruction",
                ));
            }
            ControlOp::Push(number) => {
                if let Some(mark) = mark(number) {
                    s.push(Some(mark), control.target, s.active)?;
                }
            }
            ControlOp::Pop(number) => {
                if let Some(mark) = mark(number) {
                    s.leave(mark, held)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn scatter(
        &self,
        s: &mut State,
        control: &Control,
        next: u32,
        targets: &[(u32, Lanes)],
    ) -> Result<(), Diagnostic> {
        s.pc = next;
        if control.op == CAL {
            s.push(Some(Mark::Return), next, s.active)?;
        }
        s.branch(next, targets)
    }
}

#[cfg(test)]
mod tests;
