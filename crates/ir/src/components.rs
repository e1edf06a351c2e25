//! The components of registers that a step names.

use crate::{Lifted, Op, Reg, Scalar, Step, Value};

/// A component of a register: one or several consecutive units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Component {
    /// Its first unit, which has its lowest bits.
    pub reg: Reg,
    /// How many units it takes.
    pub count: u16,
    /// Bits of a unit.
    pub unit_bits: u8,
    /// What an operation reads it as, or writes it from.
    pub scalar: Scalar,
}

impl Component {
    /// Its units, that with the lowest bits first.
    pub fn units(self) -> impl DoubleEndedIterator<Item = Reg> {
        (self.reg.unit..self.reg.unit.saturating_add(self.count)).map(move |unit| Reg { unit, ..self.reg })
    }
}

impl Lifted {
    /// A component of a register of this type; `None` if there is no such file or unit.
    fn component(&self, reg: Reg, scalar: Scalar, number: u8) -> Option<Component> {
        let file = self.files.get(usize::from(reg.file.0))?;
        let count = u16::from(file.units_of(scalar));
        let unit = reg.unit.checked_add(u16::from(number).checked_mul(count)?)?;
        Some(Component { reg: Reg { unit, ..reg }, count, unit_bits: file.unit_bits, scalar })
    }

    /// The component that a component of a value reads; `None` unless the value is [`Op::Read`].
    pub fn read(&self, value: Value, number: u8) -> Option<Component> {
        match self.nodes.op(value) {
            Op::Read { reg, swizzle } => {
                self.component(reg, self.nodes.ty(value).scalar, swizzle.get(number))
            }
            _ => None,
        }
    }

    /// The components that a step reads, without those of computed numbers.
    pub fn reads<'l>(&'l self, step: &Step) -> impl Iterator<Item = Component> + use<'l> {
        step.nodes.clone().map(Value).flat_map(move |value| {
            (0..self.nodes.ty(value).count).filter_map(move |number| self.read(value, number))
        })
    }

    /// The components that a step writes, each with the value and the number of its component there.
    pub fn writes<'l>(&'l self, step: &Step) -> impl Iterator<Item = (Component, Value, u8)> + use<'l> {
        step.nodes
            .clone()
            .map(Value)
            .filter_map(|write| match self.nodes.op(write) {
                Op::Write { reg, mask, value } => Some((reg, mask, value)),
                _ => None,
            })
            .flat_map(move |(reg, mask, value)| {
                let scalar = self.nodes.ty(value).scalar;
                (0..).zip(mask.iter()).filter_map(move |(number, slot)| {
                    Some((self.component(reg, scalar, slot)?, value, number))
                })
            })
    }
}
