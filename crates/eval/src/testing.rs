//! A small machine for tests: registers of every unit width and structured control flow.

use crate::{Machine, Program};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{
    At, Builder, Control, ControlOp, File, FileId, FileKind, Lanes, Lifted, Reg, Scalar, Sequencer, Step,
    Value,
};

const fn file(name: &'static str, kind: FileKind, unit_bits: u8, units: u16, scalar: Scalar) -> File {
    File { name, kind, unit_bits, units_per_register: 4, units, scalar }
}

pub(crate) const FILES: &[File] = &[
    file("r", FileKind::Temp, 32, 64, Scalar::F32),
    file("in", FileKind::Input, 32, 16, Scalar::F32),
    file("c", FileKind::Uniform, 32, 32, Scalar::F32),
    file("o", FileKind::Output, 32, 8, Scalar::F32),
    file("h", FileKind::Temp, 16, 16, Scalar::I16),
    file("p", FileKind::Temp, 1, 40, Scalar::I1),
    file("id", FileKind::Input, 32, 1, Scalar::I32),
];

pub(crate) const fn r(unit: u16) -> Reg {
    Reg::new(FileId(0), unit)
}
pub(crate) const fn input(unit: u16) -> Reg {
    Reg::new(FileId(1), unit)
}
pub(crate) const fn uniform(unit: u16) -> Reg {
    Reg::new(FileId(2), unit)
}
pub(crate) const fn output(unit: u16) -> Reg {
    Reg::new(FileId(3), unit)
}
pub(crate) const fn h(unit: u16) -> Reg {
    Reg::new(FileId(4), unit)
}
pub(crate) const fn p(unit: u16) -> Reg {
    Reg::new(FileId(5), unit)
}
pub(crate) const ID: Reg = Reg::new(FileId(6), 0);

/// Control operations of [`Structured`].
pub(crate) const IF: ControlOp = ControlOp::Push(0);
pub(crate) const ELSE: ControlOp = ControlOp::Push(1);
pub(crate) const END: ControlOp = ControlOp::Pop(0);

/// Collects instructions, each at the next program counter.
pub(crate) struct Code(pub(crate) Lifted);

impl Code {
    pub(crate) fn new() -> Self {
        Code(Lifted::new(FILES))
    }

    /// An instruction; `ops` returns the condition.
    pub(crate) fn control(
        &mut self,
        op: ControlOp,
        target: u32,
        ops: impl FnOnce(&mut Builder<'_>) -> Option<Value>,
    ) -> &mut Self {
        let pc = self.0.steps.len() as u32;
        let start = self.0.nodes.list.len() as u32;
        let cond = ops(&mut Builder::new(&mut self.0.nodes, pc));
        let nodes = start..self.0.nodes.list.len() as u32;
        let control = Control { op, cond, target, ..Control::default() };
        self.0.steps.push(Step { pc, next: pc + 1, nodes, guard: None, whole_wave: false, control });
        self
    }

    /// An instruction that continues with the next one.
    pub(crate) fn op(&mut self, ops: impl FnOnce(&mut Builder<'_>)) -> &mut Self {
        self.control(ControlOp::Next, 0, |b| {
            ops(b);
            None
        })
    }

    /// A control operation without other operations.
    pub(crate) fn plain(&mut self, op: ControlOp) -> &mut Self {
        self.control(op, 0, |_| None)
    }

    pub(crate) fn here(&self) -> u32 {
        self.0.steps.len() as u32
    }

    pub(crate) fn program(&self) -> Program<'_> {
        Program::new(&self.0, &Limits::default()).expect("a well-formed program")
    }
}

/// Structured control flow: if, else, end; a loop repeats while the condition of [`ControlOp::Again`] holds.
pub(crate) struct Structured;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct State {
    pc: u32,
    active: Lanes,
    alive: Lanes,
    /// The lanes to restore, and the lanes that wait for `else`.
    stack: Vec<(Lanes, Lanes)>,
}

impl Sequencer for Structured {
    type State = State;

    fn start(&self, entry: u32, lanes: Lanes) -> State {
        State { pc: entry, active: lanes, alive: lanes, stack: Vec::new() }
    }

    fn at(&self, state: &State) -> At {
        if state.alive == 0 { At::Done } else { At::Step(state.pc) }
    }

    fn active(&self, state: &State) -> Lanes {
        state.active
    }

    fn step(&self, s: &mut State, control: &Control, next: u32, cond: Lanes) -> Result<(), Diagnostic> {
        s.pc = next;
        let empty = || Diagnostic::error("test-stack", "nothing is open");
        match control.op {
            IF => {
                s.stack.push((s.active, s.active & !cond));
                s.active &= cond;
            }
            ELSE => s.active = s.stack.last().ok_or_else(empty)?.1,
            END => s.active = s.stack.pop().ok_or_else(empty)?.0 & s.alive,
            ControlOp::Loop => s.stack.push((s.active, 0)),
            ControlOp::Again => {
                s.active &= cond;
                if s.active != 0 {
                    s.pc = control.target;
                } else {
                    s.active = s.stack.pop().ok_or_else(empty)?.0 & s.alive;
                }
            }
            ControlOp::Exit => {
                s.alive &= !(s.active & cond);
                s.active &= s.alive;
            }
            _ => {}
        }
        Ok(())
    }
}

/// A machine of all lanes.
pub(crate) fn machine<'a>(program: &'a Program<'a>) -> Machine<'a, Structured> {
    Machine::new(program, &Structured, 0, Lanes::MAX)
}

/// A unit and a lane that must exist.
pub(crate) fn register(machine: &Machine<'_, Structured>, reg: Reg, lane: usize) -> u32 {
    machine.register(reg, lane).unwrap_or_else(|d| panic!("{d} in lane {lane}"))
}

pub(crate) fn bits(x: f32) -> u32 {
    x.to_bits()
}

/// Float bit patterns at which rounding, signs and classes change, and ordinary ones.
pub(crate) fn edges() -> Vec<u32> {
    let mut all = Vec::new();
    for positive in [
        0,
        1,
        2,
        0x7f_ffff,
        0x80_0000,
        0x80_0001,
        0x3380_0000,
        0x3eff_ffff,
        0x3f00_0000,
        0x3f00_0001,
        0x3f7f_ffff,
        0x3f80_0000,
        0x3f80_0001,
        0x3fc0_0000,
        0x4000_0000,
        0x4020_0000,
        0x4049_0fdb,
        0x4060_0000,
        0x4aff_ffff,
        0x4b00_0000,
        0x4b00_0001,
        0x4b7f_ffff,
        0x4f00_0000,
        0x4eff_ffff,
        0x4f80_0000,
        0x5f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7f80_0001,
        0x7fbf_ffff,
        0x7fc0_0000,
        0x7fff_ffff,
    ] {
        all.extend([positive, positive | 0x8000_0000]);
    }
    // A linear congruential sequence adds arbitrary patterns.
    let mut x = 12345u32;
    for _ in 0..96 {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        all.push(x ^ x >> 15);
    }
    all
}
