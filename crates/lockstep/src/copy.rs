//! Copies of the operations of a step.

use crate::blocks::Blocks;
use crate::files::OUT;
use crate::observed::{Outputs, What};
use shisa_ir::{
    Builder, Component, Convert, FloatRule, Lifted, Mask, Op, Reg, Scalar, Step, Type, Value, map_operands,
};
use std::collections::{BTreeMap, BTreeSet};

/// Copies one step of a program into a slice.
pub(crate) struct Copier<'c, 'b> {
    pub(crate) source: &'c Lifted,
    pub(crate) blocks: &'c Blocks,
    pub(crate) builder: Builder<'b>,
    /// The index of the step in its path.
    pub(crate) position: usize,
    /// Where compared values go; `None` if those of this step are not compared.
    pub(crate) observed: Option<&'c mut Outputs>,
    /// The copies of values. Values that depend on memory, textures or other lanes have none.
    copies: BTreeMap<Value, Value>,
    /// Registers whose write has no copy.
    missing: BTreeSet<Reg>,
    /// Registers whose write has a copy.
    written: BTreeSet<Reg>,
}

/// A slice has no room for the step.
pub(crate) struct Full;

impl<'c, 'b> Copier<'c, 'b> {
    pub(crate) fn new(
        source: &'c Lifted,
        blocks: &'c Blocks,
        builder: Builder<'b>,
        position: usize,
        observed: Option<&'c mut Outputs>,
    ) -> Self {
        let (copies, missing, written) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        Copier { source, blocks, builder, position, observed, copies, missing, written }
    }

    /// Copies the step. Returns the copy of its guard and the registers that the copy writes.
    ///
    /// # Errors
    /// [`Full`].
    pub(crate) fn step(mut self, step: &Step) -> Result<(Option<Value>, BTreeSet<Reg>), Full> {
        // The recording has the result of a guard that cannot be copied.
        let copies_guard = |copier: &Self| step.guard.is_none_or(|guard| copier.copies.contains_key(&guard));
        for index in step.nodes.clone() {
            let value = Value(index);
            match self.source.nodes.op(value) {
                Op::Write { reg, mask, value } => match self.copies.get(&value).copied() {
                    Some(copy) if copies_guard(&self) => self.write(reg, mask, copy)?,
                    _ => {
                        let scalar = self.source.nodes.ty(value).scalar;
                        self.missing.extend(self.components(reg, mask, scalar).into_iter().flatten());
                    }
                },
                Op::Read { .. } if !self.reads_missing(value) => self.pure(value, |blocks, op| match op {
                    Op::Read { reg, swizzle } => Some(Op::Read { reg: blocks.of(reg)?, swizzle }),
                    _ => None,
                }),
                Op::ReadAt { file, .. } if self.blocks.is_indexed(file) => {
                    self.pure(value, |blocks, op| match op {
                        Op::ReadAt { file, base, stride, index, swizzle } => {
                            let Reg { file, unit: base } = blocks.of(Reg::new(file, base))?;
                            Some(Op::ReadAt { file, base, stride, index, swizzle })
                        }
                        _ => None,
                    });
                }
                Op::Read { .. } | Op::Param => {}
                Op::Const(_)
                | Op::Unary { .. }
                | Op::Binary { .. }
                | Op::Ternary { .. }
                | Op::Convert { .. }
                | Op::Swizzle { .. }
                | Op::Join { .. } => self.pure(value, |_, op| Some(op)),
                _ => self.operands(value)?,
            }
        }
        for (value, what) in [(step.control.cond, What::Condition), (step.control.place, What::Target)] {
            if let Some(copy) = value.and_then(|value| self.copies.get(&value).copied()) {
                self.observe(copy, |_| Some(what))?;
            }
        }
        let guard = step.guard.and_then(|guard| self.copies.get(&guard).copied());
        Ok((guard, self.written))
    }

    /// The units of each component that a write of this type writes.
    fn components(&self, reg: Reg, mask: Mask, scalar: Scalar) -> Vec<Vec<Reg>> {
        let file = self.source.files.get(usize::from(reg.file.0));
        let count = file.map_or(1, |file| u16::from(file.units_of(scalar)));
        let units = |slot: u8| {
            let first = reg.unit.saturating_add(u16::from(slot) * count);
            (first..first.saturating_add(count)).map(|unit| Reg { unit, ..reg }).collect()
        };
        mask.iter().map(units).collect()
    }

    fn reads_missing(&self, value: Value) -> bool {
        let count = self.source.nodes.ty(value).count;
        let components = (0..count).filter_map(|number| self.source.read(value, number));
        components.flat_map(Component::units).any(|unit| self.missing.contains(&unit))
    }

    /// Copies an operation that depends on nothing but registers and its operands, if these have copies.
    fn pure(&mut self, value: Value, change: impl FnOnce(&Blocks, Op) -> Option<Op>) {
        let Some(mut node) = self.source.nodes.list.get(value.index()).copied() else { return };
        let mut complete = true;
        map_operands(&mut node, None, |operand| match self.copies.get(&operand) {
            Some(copy) => *copy,
            None => {
                complete = false;
                operand
            }
        });
        if let Some(op) = change(self.blocks, node.op).filter(|_| complete) {
            let copy = self.builder.push(op, node.ty);
            self.copies.insert(value, copy);
        }
    }

    fn write(&mut self, reg: Reg, mask: Mask, copy: Value) -> Result<(), Full> {
        let to = self.blocks.of(reg).ok_or(Full)?;
        self.builder.write(to, mask, copy);
        let components = self.components(reg, mask, self.builder.ty(copy).scalar);
        for unit in components.iter().flatten() {
            self.written.insert(*unit);
            self.missing.remove(unit);
        }
        self.observe(copy, |number| components.get(number)?.first().copied().map(What::Register))
    }

    /// Compares the operands of an operation that is not copied.
    fn operands(&mut self, value: Value) -> Result<(), Full> {
        let mut operands = BTreeSet::new();
        self.source.nodes.operands(value, |operand| operands.extend([operand]));
        for operand in operands {
            let constant = matches!(self.source.nodes.op(operand), Op::Const(_));
            if let Some(copy) = self.copies.get(&operand).copied().filter(|_| !constant) {
                self.observe(copy, |_| Some(What::Operand))?;
            }
        }
        Ok(())
    }

    /// Outputs the components of a value.
    fn observe(&mut self, value: Value, what: impl Fn(usize) -> Option<What>) -> Result<(), Full> {
        let Some(observed) = &mut self.observed else { return Ok(()) };
        let ty = self.builder.ty(value);
        for number in 0..ty.count {
            let Some(what) = what(usize::from(number)) else { continue };
            let component = self.builder.component(value, number);
            let (bits, words) = as_words(&mut self.builder, component, ty.scalar);
            let unit = observed.add(self.position, what, ty.scalar, words).ok_or(Full)?;
            self.builder.write(Reg::new(OUT, unit), Mask::first(words), bits);
        }
        Ok(())
    }
}

/// A scalar as one or two 32-bit integers.
fn as_words(b: &mut Builder<'_>, value: Value, scalar: Scalar) -> (Value, u8) {
    let integer = match scalar.is_float() {
        true => b.convert(Convert::Bits, value, scalar.as_int()),
        false => value,
    };
    match scalar.bits() {
        64 => {
            let op = Op::Convert { op: Convert::Pair, rule: FloatRule::IEEE, a: integer };
            (b.push(op, Scalar::I32.by(2)), 2)
        }
        32 => (integer, 1),
        _ => (b.convert(Convert::ZeroExtend, integer, Type::I32.scalar), 1),
    }
}
