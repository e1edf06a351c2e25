//! What each word reads and writes, asked of its lift.

use crate::operand::{SourceBits, TEST, VERTEX};
use crate::{
    ADDRESS, BOOLEANS, CONSTANTS, FILES, FLAGS, INPUTS, INTEGERS, OUTPUTS, Options, Pica200, TEMPORARIES,
    sequencer, word,
};
use alloc::{vec, vec::Vec};
use shisa_ir::{Binary, Control, FileId, Lifted, Nodes, Op, Step, Ternary, Value};
use shisa_rows::Insn;

/// The bits of [`Effects::state_read`]: `a0.x`, `a0.y`, `aL`, `cmp.x`, `cmp.y`.
pub(super) const STATE: [&str; 5] = ["a0.x", "a0.y", "aL", "cmp.x", "cmp.y"];
const FIRST_FLAG: u16 = 3;

/// What decides a conditional instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// A boolean that must have this value.
    Boolean(u8, bool),
    /// Of the four pairs of flags those for which the condition holds: bit `x + 2 * y`.
    Flags(u8),
}

/// What a word reads and writes. Vector registers have four bits each, `x` of register 0 the lowest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Effects {
    /// Components of inputs that the result depends on.
    pub(super) inputs: u64,
    /// Components of temporaries that the result depends on.
    pub(super) temporaries: u64,
    /// Components of temporaries that are written.
    pub(super) sets: u64,
    /// Components of outputs that are written.
    pub(super) outputs: u64,
    /// See [`STATE`].
    pub(super) state_read: u8,
    /// See [`STATE`].
    pub(super) state_written: u8,
    /// Constants read by number.
    pub(super) constants: u128,
    /// Whether a constant is read by index.
    pub(super) indexed: bool,
    /// Integer vectors read.
    pub(super) integers: u8,
    /// Booleans read.
    pub(super) booleans: u16,
    /// What decides it, if something does.
    pub(super) test: Option<Test>,
    /// Whether it puts a vertex out.
    pub(super) emit: bool,
    /// Whether it chooses a vertex slot, and if so whether a triangle is completed.
    pub(super) setemit: Option<bool>,
}

/// All words of a program, lifted; those that have no meaning do nothing.
pub(super) struct Code {
    pub(super) insns: Vec<Option<Insn<Pica200>>>,
    pub(super) lifted: Lifted,
    pub(super) effects: Vec<Effects>,
}

impl Code {
    pub(super) fn new(words: &[u32], descriptors: &[u32]) -> Code {
        let mut lifted = Lifted::new(FILES);
        let mut insns = Vec::with_capacity(words.len());
        for (pc, &code) in (0u32..).zip(words) {
            let insn = Insn::decode(word::fuse(code, descriptors));
            let done =
                insn.is_some_and(|i| shisa_rows::lift(&mut lifted, i, &Options::DEFAULT, pc, pc + 1).is_ok());
            if !done {
                let nodes = lifted.nodes.list.len() as u32;
                let control = Control::default();
                let nodes = nodes..nodes;
                lifted.steps.push(Step { pc, next: pc + 1, nodes, guard: None, whole_wave: false, control });
            }
            insns.push(insn);
        }
        let effects =
            lifted.steps.iter().zip(&insns).map(|(step, insn)| effects(&lifted.nodes, step, insn)).collect();
        sequencer::implied(&mut lifted, Options::DEFAULT.al_width);
        Code { insns, lifted, effects }
    }

    /// The effects of a word; none behind the last.
    pub(super) fn effects(&self, pc: u32) -> Effects {
        self.effects.get(pc as usize).copied().unwrap_or_default()
    }

    /// What a word does to the flow of control.
    pub(super) fn control(&self, pc: u32) -> Control {
        self.lifted.steps.get(pc as usize).map_or_else(Control::default, |s| s.control)
    }

    /// The mnemonic of a word.
    pub(super) fn name(&self, pc: u32) -> &'static str {
        self.insns.get(pc as usize).copied().flatten().map_or("?", |i| i.form().name)
    }
}

/// The sources of an instruction.
pub(super) fn sources(insn: &Insn<Pica200>) -> impl Iterator<Item = SourceBits> {
    let word = insn.word;
    insn.form().operands.iter().filter_map(move |op| SourceBits::of(op, word))
}

/// The vertex slot that a `setemit` chooses.
pub(super) fn vertex_slot(insn: &Insn<Pica200>) -> u64 {
    insn.field(VERTEX)
}

/// Which components of the values of one step are needed.
struct Needs<'a> {
    nodes: &'a Nodes,
    start: u32,
    needed: Vec<u8>,
}

impl Needs<'_> {
    fn add(&mut self, v: Value, components: u8) {
        let components = match self.nodes.ty(v).count {
            0 | 1 => u8::from(components != 0),
            count => components & ((1 << count) - 1),
        };
        if let Some(slot) = v.0.checked_sub(self.start).and_then(|i| self.needed.get_mut(i as usize)) {
            *slot |= components;
        }
    }

    fn of(&self, v: u32) -> u8 {
        v.checked_sub(self.start).and_then(|i| self.needed.get(i as usize)).copied().unwrap_or(0)
    }

    /// What the operands of `v` must give for these components of it.
    fn operands(&mut self, v: u32, components: u8) {
        match self.nodes.op(Value(v)) {
            Op::Write { value, .. } => self.add(value, 0xf),
            Op::ReadAt { index, .. } => self.add(index, 1),
            Op::Swizzle { a, swizzle } => {
                self.add(
                    a,
                    (0..4).filter(|i| components >> i & 1 != 0).fold(0, |m, i| m | 1 << swizzle.get(i)),
                );
            }
            Op::Join { parts } => {
                let used = parts.iter().enumerate().filter(|(i, _)| components >> i & 1 != 0);
                used.for_each(|(_, &part)| self.add(part, 1));
            }
            Op::Binary { op: Binary::FDot, a, b, .. } => [a, b].iter().for_each(|&v| self.add(v, 0xf)),
            Op::Ternary { op: Ternary::Select, a, b, c, .. } => {
                [a, b, c].iter().for_each(|&v| self.add(v, components));
            }
            _ => {
                let nodes = self.nodes;
                nodes.operands(Value(v), |operand| self.add(operand, components));
            }
        }
    }
}

fn effects(nodes: &Nodes, step: &Step, insn: &Option<Insn<Pica200>>) -> Effects {
    let mut found = Effects::default();
    let mut needs = Needs { nodes, start: step.nodes.start, needed: vec![0; step.nodes.len()] };
    if let Some(cond) = step.control.cond {
        needs.add(cond, 1);
    }
    // From the last operation back to the first, so that what is needed of each is known.
    for v in step.nodes.clone().rev() {
        let op = nodes.op(Value(v));
        let components = if op.has_effect() { 0xf } else { needs.of(v) };
        if components == 0 {
            continue;
        }
        needs.operands(v, components);
        match op {
            Op::Read { reg, swizzle } => {
                let units =
                    (0..4).filter(|i| components >> i & 1 != 0).map(|i| reg.unit + u16::from(swizzle.get(i)));
                units.for_each(|unit| found.reads(reg.file, unit));
            }
            Op::ReadAt { .. } => found.indexed = true,
            Op::Write { reg, mask, .. } => {
                mask.iter().for_each(|i| found.writes(reg.file, reg.unit + u16::from(i)))
            }
            Op::Emit => found.emit = true,
            Op::SetEmit { primitive, .. } => found.setemit = Some(primitive),
            _ => {}
        }
    }
    if step.control.op == sequencer::LOOP {
        // It keeps the aL of before, and does not care what that is.
        found.state_read = 0;
    }
    if step.control.cond.is_some() {
        found.test = insn.as_ref().and_then(|i| test(i, found.booleans != 0));
    }
    found
}

impl Effects {
    fn reads(&mut self, file: FileId, unit: u16) {
        match file {
            INPUTS => self.inputs |= 1 << unit,
            TEMPORARIES => self.temporaries |= 1 << unit,
            CONSTANTS => self.constants |= 1 << (unit / 4),
            INTEGERS => self.integers |= 1 << (unit / 4),
            BOOLEANS => self.booleans |= 1 << unit,
            ADDRESS => self.state_read |= 1 << unit,
            FLAGS => self.state_read |= 1 << (FIRST_FLAG + unit),
            _ => {}
        }
    }

    fn writes(&mut self, file: FileId, unit: u16) {
        match file {
            TEMPORARIES => self.sets |= 1 << unit,
            OUTPUTS => self.outputs |= 1 << unit,
            ADDRESS => self.state_written |= 1 << unit,
            FLAGS => self.state_written |= 1 << (FIRST_FLAG + unit),
            _ => {}
        }
    }
}

/// What a conditional instruction asks.
fn test(insn: &Insn<Pica200>, boolean: bool) -> Option<Test> {
    let op = insn.form().operand(TEST)?;
    let bits = op.field.get(&insn.word);
    if !boolean {
        let holds = |pair: u8| {
            let (x, y) = (pair & 1 == (bits >> 3 & 1) as u8, pair >> 1 == (bits >> 2 & 1) as u8);
            match bits & 3 {
                0 => x || y,
                1 => x && y,
                2 => x,
                _ => y,
            }
        };
        return Some(Test::Flags((0..4).filter(|p| holds(*p)).fold(0, |m, p| m | 1 << p)));
    }
    Some(Test::Boolean((bits & 15) as u8, bits & 16 == 0))
}
