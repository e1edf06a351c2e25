//! What a value depends on within its step.

use shisa_ir::{Binary, Component, Convert, FileId, LaneOp, Lifted, Op, Reg, Step, Value};
use std::collections::BTreeSet;

/// Lanes whose values are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum From {
    /// The own lane.
    Own,
    /// The lanes whose bytes overlap those of the own lane in an atomic operation, by the operation's number from 0: they ran
    /// one after the other.
    Atomic(usize),
    /// The lanes of the own quad.
    Quad,
    /// All lanes of the wave.
    Wave,
}

/// Something that a value depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// A unit of a register before the step.
    Register(Reg, From),
    /// A register of a file whose number the step computes.
    File(FileId),
    /// What an operation on memory of the step reads, by its number from 0.
    Memory(usize, From),
    /// A texture.
    Texture,
    /// What other waves contributed to a barrier.
    Barrier,
}

/// Collects sources.
struct Collector<'l> {
    lifted: &'l Lifted,
    step: &'l Step,
    found: BTreeSet<Source>,
    /// What has been collected: an operation may be used often.
    seen: BTreeSet<(u32, u8, From)>,
}

/// The sources of what a step writes to a unit of a register; `None` if it does not write it.
pub(crate) fn of_register(lifted: &Lifted, step: &Step, reg: Reg) -> Option<BTreeSet<Source>> {
    let mut collector = Collector::new(lifted, step);
    let mut written = false;
    for (component, value, number) in lifted.writes(step) {
        if component.units().any(|unit| unit == reg) {
            written = true;
            collector.value(value, number, From::Own);
        }
    }
    // A guard decides whether the new value or the old one is there.
    if let Some(guard) = step.guard.filter(|_| written) {
        collector.value(guard, 0, From::Own);
    }
    written.then_some(collector.found)
}

/// The unit whose bits a step copies to a unit of a register, unchanged; `None` if it computes them.
pub(crate) fn copied(lifted: &Lifted, step: &Step, reg: Reg) -> Option<Reg> {
    let (index, mut value, mut number) = lifted.writes(step).find_map(|(component, value, number)| {
        Some((component.units().position(|unit| unit == reg)?, value, number))
    })?;
    while step.nodes.contains(&value.0) {
        match lifted.nodes.op(value) {
            Op::Read { .. } => return lifted.read(value, number)?.units().nth(index),
            Op::Swizzle { a, swizzle } => (value, number) = (a, swizzle.get(number)),
            Op::Join { parts } => (value, number) = (*parts.get(usize::from(number))?, 0),
            Op::Convert { op: Convert::Bits, a, .. } => {
                let bits = |value| lifted.nodes.ty(value).scalar.bits();
                if bits(a) != bits(value) {
                    return None;
                }
                value = a;
            }
            _ => return None,
        }
    }
    None
}

/// The sources of the effects of a step that count: of its stores, say, addresses and values, and of kills the conditions.
pub(crate) fn of_effects(lifted: &Lifted, step: &Step, counts: impl Fn(Op) -> bool) -> BTreeSet<Source> {
    let mut collector = Collector::new(lifted, step);
    for value in step.nodes.clone().map(Value) {
        let op = lifted.nodes.op(value);
        match op {
            _ if !counts(op) => {}
            // What it stores depends on what it reads.
            Op::Atomic { .. } => collector.value(value, 0, From::Own),
            _ => lifted.nodes.operands(value, |operand| collector.all(operand, From::Own)),
        }
    }
    if let Some(guard) = step.guard {
        collector.value(guard, 0, From::Own);
    }
    collector.found
}

/// The sources of the condition and of the computed target with which a step decides where lanes go.
pub(crate) fn of_control(lifted: &Lifted, step: &Step) -> BTreeSet<Source> {
    let mut collector = Collector::new(lifted, step);
    for value in step.control.cond.into_iter().chain(step.control.place) {
        collector.value(value, 0, From::Own);
    }
    collector.found
}

impl<'l> Collector<'l> {
    fn new(lifted: &'l Lifted, step: &'l Step) -> Collector<'l> {
        Collector { lifted, step, found: BTreeSet::new(), seen: BTreeSet::new() }
    }

    /// All components of a value.
    fn all(&mut self, value: Value, from: From) {
        (0..self.lifted.nodes.ty(value).count).for_each(|component| self.value(value, component, from));
    }

    /// A component of an operand; one of a single component belongs to all.
    fn same(&mut self, value: Value, component: u8, from: From) {
        let last = self.lifted.nodes.ty(value).count.saturating_sub(1);
        self.value(value, component.min(last), from);
    }

    /// The number of an operation among the step's operations on memory.
    fn operation(&self, value: Value) -> usize {
        let before = self.step.nodes.start..value.0;
        let on_memory = |index: &u32| {
            matches!(
                self.lifted.nodes.op(Value(*index)),
                Op::Load { .. } | Op::Store { .. } | Op::Atomic { .. }
            )
        };
        before.filter(on_memory).count()
    }

    fn value(&mut self, value: Value, component: u8, from: From) {
        if !self.step.nodes.contains(&value.0) || !self.seen.insert((value.0, component, from)) {
            return;
        }
        let nodes = &self.lifted.nodes;
        match nodes.op(value) {
            Op::Const(_) | Op::Param => {}
            Op::Reduced => drop(self.found.insert(Source::Barrier)),
            Op::Read { .. } => {
                let units = self.lifted.read(value, component).into_iter().flat_map(Component::units);
                self.found.extend(units.map(|unit| Source::Register(unit, from)));
            }
            Op::ReadAt { file, index, .. } => {
                self.found.insert(Source::File(file));
                self.all(index, from);
            }
            Op::Unary { a, .. } => self.same(a, component, from),
            Op::Convert { op: Convert::Pair, a, .. } => self.all(a, from),
            Op::Convert { a, .. } => self.same(a, component, from),
            Op::Binary { op: Binary::FDot, a, b, .. } => {
                self.all(a, from);
                self.all(b, from);
            }
            Op::Binary { a, b, .. } => {
                self.same(a, component, from);
                self.same(b, component, from);
            }
            Op::Ternary { a, b, c, .. } => [a, b, c].into_iter().for_each(|v| self.same(v, component, from)),
            Op::Swizzle { a, swizzle } => self.value(a, swizzle.get(component), from),
            Op::Join { parts } => {
                if let Some(part) = parts.get(usize::from(component)) {
                    self.value(*part, 0, from);
                }
            }
            Op::Derivative { a, .. } => self.same(a, component, from.max(From::Quad)),
            Op::Lane { op, a, b } => {
                let lanes = if op == LaneOp::QuadOr { From::Quad } else { From::Wave };
                self.same(a, component, from.max(lanes));
                self.all(b, from);
            }
            Op::Combine { combine, a, .. } => {
                let lanes = if combine.quad { From::Quad } else { From::Wave };
                self.same(a, component, from.max(lanes));
            }
            Op::Load { address, .. } => {
                self.found.insert(Source::Memory(self.operation(value), from));
                self.all(address, from);
            }
            Op::Atomic { address, value: new, expected, .. } => {
                let operation = self.operation(value);
                self.found.insert(Source::Memory(operation, from));
                let from = from.max(From::Atomic(operation));
                [address, new, expected].into_iter().for_each(|v| self.all(v, from));
            }
            Op::Texture(_) | Op::TextureAtomic(_) => {
                self.found.insert(Source::Texture);
                // Neighbours decide the level of detail.
                let from = from.max(From::Quad);
                let mut operands = Vec::new();
                nodes.operands(value, |operand| operands.push(operand));
                operands.into_iter().for_each(|operand| self.all(operand, from));
            }
            _ => {}
        }
    }
}

/// Whether a step reads a register, or may read it by a computed number.
pub(crate) fn reads(lifted: &Lifted, step: &Step, regs: &[Reg]) -> bool {
    let computed = |index: u32| match lifted.nodes.op(Value(index)) {
        Op::ReadAt { file, .. } => regs.iter().any(|reg| reg.file == file),
        _ => false,
    };
    lifted.reads(step).flat_map(Component::units).any(|unit| regs.contains(&unit))
        || step.nodes.clone().any(computed)
}
