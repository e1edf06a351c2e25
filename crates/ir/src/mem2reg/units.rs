//! The value of each unit at each point of a block, and the assembly of reads from these values.

use super::Pass;
use super::layout::for_units;
use crate::{Binary, Convert, FloatRule, Mask, Op, Reg, Scalar, Swizzle, Type, Value};
use alloc::vec::Vec;
use core::ops::Range;

/// The contents of a unit: piece `piece` (in units, from the low end) of component `component` of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Def {
    pub(super) value: Value,
    pub(super) component: u8,
    pub(super) piece: u8,
}

const NO_VALUE: Value = Value(u32::MAX);

impl Def {
    /// Never written.
    pub(super) const ZERO: Def = Def { value: NO_VALUE, component: 0, piece: 0 };

    pub(super) fn is_zero(self) -> bool {
        self.value == NO_VALUE
    }
}

/// The state of all slots in each block, and tables for sharing the created nodes.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    /// Indexed by the block's position and the slot.
    states: Vec<Def>,
    slots: usize,
    /// The first entry of the current block.
    base: usize,
    /// The value that replaces each old one.
    replaced: Vec<Value>,
    /// Components that were already extracted from each value in this block.
    components: Vec<[Value; 4]>,
    /// The values with extracted components.
    split: Vec<Value>,
}

impl Tracker {
    /// Before a function with so many operations, and a state of so many slots for each of its blocks.
    pub(super) fn begin(&mut self, nodes: usize, blocks: usize, slots: usize) {
        self.states.clear();
        self.states.resize(blocks * slots, Def::ZERO);
        (self.slots, self.base) = (slots, 0);
        self.replaced.clear();
        self.replaced.resize(nodes, Value(0));
        self.components.clear();
        self.split.clear();
    }

    /// The state of the block at a position.
    pub(super) fn state(&self, position: usize) -> &[Def] {
        &self.states[position * self.slots..(position + 1) * self.slots]
    }

    /// Moves to the block at a position, with the state at the end of another one.
    pub(super) fn enter(&mut self, position: usize, above: usize) {
        let from = above * self.slots;
        self.states.copy_within(from..from + self.slots, position * self.slots);
        self.at(position);
    }

    /// Moves to the block at a position, with its own state. Nodes of other blocks are no longer shared.
    pub(super) fn at(&mut self, position: usize) {
        self.base = position * self.slots;
        while let Some(v) = self.split.pop() {
            self.components[v.index()] = [NO_VALUE; 4];
        }
    }

    /// The definitions of consecutive slots.
    fn run(&self, slots: Range<usize>) -> &[Def] {
        &self.states[self.base + slots.start..self.base + slots.end]
    }

    fn run_mut(&mut self, slots: Range<usize>) -> &mut [Def] {
        &mut self.states[self.base + slots.start..self.base + slots.end]
    }

    fn get(&self, slot: usize) -> Def {
        self.states[self.base + slot]
    }

    fn set(&mut self, slot: usize, def: Def) {
        self.states[self.base + slot] = def;
    }

    pub(super) fn replace(&mut self, old: Value, new: Value) {
        self.replaced[old.index()] = new;
    }

    /// The new value of an old one whose operation was visited.
    pub(super) fn resolve(&self, v: Value) -> Value {
        self.replaced[v.index()]
    }

    /// The component of `a`, if it was already extracted.
    fn component(&self, a: Value, component: u8) -> Option<Value> {
        let v = self.components.get(a.index())?[usize::from(component)];
        (v != NO_VALUE).then_some(v)
    }

    fn remember_component(&mut self, a: Value, component: u8, picked: Value) {
        if self.components.len() <= a.index() {
            let room = self.replaced.len().max(a.index() + 1);
            self.components.resize(room, [NO_VALUE; 4]);
        }
        self.components[a.index()][usize::from(component)] = picked;
        self.split.push(a);
    }
}

/// The source of a component of a read.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Zero,
    /// A component of a value of the same width.
    Of(Value, u8),
    /// Bits of several values.
    Mixed,
}

impl Pass<'_> {
    #[inline(always)]
    pub(super) fn write(&mut self, reg: Reg, mask: Mask, value: Value) {
        let (ty, held) = (self.func.nodes.ty(value), self.layout.held(reg.file));
        let is_unit = self.units_of(reg, ty.scalar) == 1;
        if is_unit && ty.count == 1 && mask.count() == 1 {
            let unit = u32::from(reg.unit) + mask.0.trailing_zeros();
            if let Some(slot) = self.layout.slot_of(held, unit) {
                self.tracker.set(slot, Def { value, component: 0, piece: 0 });
            }
            return;
        }
        if is_unit && let Some(run) = self.layout.run(reg) {
            let run = self.tracker.run_mut(run);
            let mut component = 0;
            let mut define = |unit: u8, def: &mut Def| {
                if mask.has(unit) && component < ty.count {
                    *def = Def { value, component, piece: 0 };
                    component += 1;
                }
            };
            match run.first_chunk_mut::<4>() {
                Some([x, y, z, w]) => {
                    [x, y, z, w].into_iter().zip(0..).for_each(|(def, unit)| define(unit, def))
                }
                None => run.iter_mut().zip(0..4).for_each(|(def, unit)| define(unit, def)),
            }
            return;
        }
        for_units(self.func, &Op::Write { reg, mask, value }, ty, |component, piece, unit| {
            if let Some(slot) = self.layout.slot_of(held, unit) {
                self.tracker.set(slot, Def { value, component, piece });
            }
        });
    }

    /// The value of a read.
    #[inline(always)]
    pub(super) fn read(
        &mut self,
        reg: Reg,
        swizzle: Swizzle,
        ty: Type,
        origin: u32,
        body: &mut Vec<Value>,
    ) -> Value {
        let step = self.units_of(reg, ty.scalar);
        let mut make = Make { origin, body };
        let Some((value, swizzle)) = self.whole(reg, swizzle, step, ty) else {
            return self.read_apart(reg, swizzle, ty, &mut make);
        };
        let picked = self.pick(value, swizzle, ty.count.clamp(1, 4), &mut make);
        self.cast(picked, ty.scalar, &mut make)
    }

    /// The value of a read whose components come from several values.
    #[inline(never)]
    fn read_apart(&mut self, reg: Reg, swizzle: Swizzle, ty: Type, make: &mut Make<'_>) -> Value {
        let (step, count) = (self.units_of(reg, ty.scalar), ty.count.clamp(1, 4));
        let mut parts = [Part::Zero; 4];
        for i in 0..count {
            let unit = u32::from(reg.unit) + u32::from(swizzle.get(i)) * step;
            parts[i as usize] = self.part(reg, unit, step, ty.scalar);
        }
        let parts = &parts[..count as usize];
        if parts.iter().all(|&p| p == Part::Zero) {
            return self.node(Op::Const(0), ty, make);
        }
        let mut scalars = [NO_VALUE; 4];
        for i in 0..count {
            let unit = u32::from(reg.unit) + u32::from(swizzle.get(i)) * step;
            scalars[i as usize] = match parts[i as usize] {
                Part::Zero => self.node(Op::Const(0), ty.scalar.by(1), make),
                Part::Of(v, c) => {
                    let picked = self.pick(v, Swizzle::splat(c), 1, make);
                    self.cast(picked, ty.scalar, make)
                }
                Part::Mixed => self.assemble(reg, unit, step, ty.scalar, make),
            };
        }
        if count == 1 {
            return scalars[0];
        }
        (count..4).for_each(|i| scalars[i as usize] = scalars[count as usize - 1]);
        let vector = self.node(Op::Join { parts: scalars }, ty, make);
        // Later reads find the whole vector. A part narrower than the unit's contents would lose bits.
        let exact = step * u32::from(self.unit_bits(reg)) == u32::from(ty.scalar.bits());
        if exact && parts.iter().all(|&p| p != Part::Mixed) {
            for component in 0..count {
                let unit = u32::from(reg.unit) + u32::from(swizzle.get(component)) * step;
                for piece in 0..step {
                    if let Some(slot) = self.layout.slot(reg.file, unit + piece) {
                        self.tracker.set(slot, Def { value: vector, component, piece: piece as u8 });
                    }
                }
            }
        }
        vector
    }

    /// The value that all components of a read come from, and which of its components they are.
    #[inline(always)]
    fn whole(&self, reg: Reg, swizzle: Swizzle, step: u32, ty: Type) -> Option<(Value, Swizzle)> {
        if step == 1 && ty.count == 1 {
            return self.whole_unit(reg, swizzle, ty);
        }
        let run = if step == 1 { self.layout.run(reg) } else { None };
        match run.and_then(|run| self.tracker.run(run).first_chunk()) {
            Some(register) => self.whole_register(register, swizzle, ty),
            None => self.whole_units(reg, swizzle, step, ty),
        }
    }

    /// As [`Pass::whole`], of one unit.
    #[inline(always)]
    fn whole_unit(&self, reg: Reg, swizzle: Swizzle, ty: Type) -> Option<(Value, Swizzle)> {
        let Def { value, component, piece } = self.def(reg, u32::from(reg.unit) + u32::from(swizzle.get(0)));
        let is_whole =
            value != NO_VALUE && piece == 0 && self.func.nodes.ty(value).scalar.bits() == ty.scalar.bits();
        is_whole.then(|| (value, Swizzle::splat(component)))
    }

    /// As [`Pass::whole`], unit by unit.
    #[inline(never)]
    fn whole_units(&self, reg: Reg, swizzle: Swizzle, step: u32, ty: Type) -> Option<(Value, Swizzle)> {
        let held = self.layout.held(reg.file);
        let slot = |unit: u32| self.layout.slot_of(held, u32::from(reg.unit) + unit);
        let def = |unit: u32| slot(unit).map_or(Def::ZERO, |s| self.tracker.get(s));
        let unit = |i: u8| u32::from(swizzle.get(i)) * step;
        let Def { value, .. } = def(unit(0));
        if value == NO_VALUE || self.func.nodes.ty(value).scalar.bits() != ty.scalar.bits() {
            return None;
        }
        let mut chosen = [0; 4];
        let chosen = &mut chosen[..usize::from(ty.count.clamp(1, 4))];
        for (i, component) in (0..).zip(chosen.iter_mut()) {
            let first = def(unit(i));
            let follows = |u: u32| def(unit(i) + u) == Def { piece: u as u8, ..first };
            if first.value != value || first.piece != 0 || !(1..step).all(follows) {
                return None;
            }
            *component = first.component;
        }
        Some((value, Swizzle::from_slice(chosen)))
    }

    /// As [`Pass::whole`], of four units, each of which holds a component.
    #[inline(always)]
    fn whole_register(&self, register: &[Def; 4], swizzle: Swizzle, ty: Type) -> Option<(Value, Swizzle)> {
        let last = ty.count.clamp(1, 4) - 1;
        let def = |i: u8| register[usize::from(swizzle.get(i.min(last)))];
        let value = def(0).value;
        let [x, y, z, w] = [def(0), def(1), def(2), def(3)];
        let same = [x, y, z, w].iter().all(|d| d.value == value && d.piece == 0);
        if !same || value == NO_VALUE || self.func.nodes.ty(value).scalar.bits() != ty.scalar.bits() {
            return None;
        }
        Some((value, Swizzle(x.component | y.component << 2 | z.component << 4 | w.component << 6)))
    }

    fn units_of(&self, reg: Reg, scalar: Scalar) -> u32 {
        self.func.files.get(reg.file.0 as usize).map_or(1, |f| f.units_of(scalar).into())
    }

    fn unit_bits(&self, reg: Reg) -> u8 {
        self.func.files.get(reg.file.0 as usize).map_or(32, |f| f.unit_bits)
    }

    fn def(&self, reg: Reg, unit: u32) -> Def {
        self.layout.slot(reg.file, unit).map_or(Def::ZERO, |s| self.tracker.get(s))
    }

    fn part(&self, reg: Reg, unit: u32, step: u32, scalar: Scalar) -> Part {
        let first = self.def(reg, unit);
        if first.is_zero() {
            let zero = (1..step).all(|u| self.def(reg, unit + u).is_zero());
            return if zero { Part::Zero } else { Part::Mixed };
        }
        let whole = first.piece == 0
            && self.func.nodes.ty(first.value).scalar.bits() == scalar.bits()
            && (1..step).all(|u| self.def(reg, unit + u) == Def { piece: u as u8, ..first });
        if whole { Part::Of(first.value, first.component) } else { Part::Mixed }
    }

    fn node(&mut self, op: Op, ty: Type, make: &mut Make<'_>) -> Value {
        let v = self.func.nodes.push(op, ty, make.origin);
        self.append(v, make.body)
    }

    /// The value as another kind of the same width.
    #[inline]
    fn cast(&mut self, a: Value, scalar: Scalar, make: &mut Make<'_>) -> Value {
        let ty = self.func.nodes.ty(a);
        if ty.scalar == scalar {
            return a;
        }
        self.convert(Convert::Bits, a, scalar.by(ty.count), make)
    }

    fn convert(&mut self, op: Convert, a: Value, ty: Type, make: &mut Make<'_>) -> Value {
        self.node(Op::Convert { op, rule: FloatRule::IEEE, a }, ty, make)
    }

    /// `count` components of a value; looks through swizzles and joins.
    #[inline(always)]
    fn pick(&mut self, mut a: Value, mut swizzle: Swizzle, count: u8, make: &mut Make<'_>) -> Value {
        match &self.func.nodes.list[a.index()].op {
            Op::Swizzle { a: inner, swizzle: first } => (a, swizzle) = (*inner, first.then(swizzle)),
            Op::Join { parts } if count == 1 => return parts[usize::from(swizzle.get(0))],
            _ => {}
        }
        let ty = self.func.nodes.ty(a);
        if ty.count == count && swizzle.keeps(count) {
            return a;
        }
        let component = swizzle.get(0);
        if count == 1
            && let Some(known) = self.tracker.component(a, component)
        {
            return known;
        }
        let picked = self.node(Op::Swizzle { a, swizzle }, ty.with_count(count), make);
        if count == 1 {
            self.tracker.remember_component(a, component, picked);
        }
        picked
    }

    /// A scalar from units that hold pieces of several values.
    fn assemble(&mut self, reg: Reg, unit: u32, step: u32, scalar: Scalar, make: &mut Make<'_>) -> Value {
        if scalar.bits() == 64 {
            let half = step / 2;
            let low = self.gather(reg, unit, half, Scalar::I32, make);
            let high = self.gather(reg, unit + half, half, Scalar::I32, make);
            let both = self.node(Op::Join { parts: [low, high, high, high] }, Scalar::I32.by(2), make);
            return self.convert(Convert::Pair, both, scalar.by(1), make);
        }
        let bits = self.gather(reg, unit, step, scalar.as_int(), make);
        self.cast(bits, scalar, make)
    }

    /// An integer from `step` units starting at `unit`, lowest first.
    fn gather(&mut self, reg: Reg, unit: u32, step: u32, int: Scalar, make: &mut Make<'_>) -> Value {
        let unit_bits = self.unit_bits(reg);
        let mut sum = None;
        let mut at = 0;
        while at < step {
            let def = self.def(reg, unit + at);
            // Units that hold one value are read at once, others unit by unit.
            let follows = |u| self.def(reg, unit + u) == Def { piece: def.piece + u as u8, ..def };
            let take = if at == 0 && !def.is_zero() && (1..step).all(follows) { step } else { 1 };
            if !def.is_zero() {
                let piece = self.piece(def, unit_bits, (take * u32::from(unit_bits)) as u8, int, make);
                let shift = u64::from(at) * u64::from(unit_bits);
                let term = if shift == 0 {
                    piece
                } else {
                    let by = self.node(Op::Const(shift), int.by(1), make);
                    self.integer(Binary::Shl, piece, by, make)
                };
                sum = Some(match sum {
                    Some(sum) => self.integer(Binary::Or, sum, term, make),
                    None => term,
                });
            }
            at += take;
        }
        match sum {
            Some(sum) => sum,
            None => self.node(Op::Const(0), int.by(1), make),
        }
    }

    fn integer(&mut self, op: Binary, a: Value, b: Value, make: &mut Make<'_>) -> Value {
        let ty = self.func.nodes.ty(a);
        self.node(Op::Binary { op, rule: FloatRule::IEEE, a, b }, ty, make)
    }

    /// `width` bits starting at the definition's piece, as `int`, zero-extended.
    fn piece(&mut self, def: Def, unit_bits: u8, width: u8, int: Scalar, make: &mut Make<'_>) -> Value {
        let picked = self.pick(def.value, Swizzle::splat(def.component), 1, make);
        let kind = self.func.nodes.ty(picked).scalar;
        let mut value = self.cast(picked, kind.as_int(), make);
        let mut kind = kind.as_int();
        let mut shift = u64::from(def.piece) * u64::from(unit_bits);
        if kind.bits() == 64 && int.bits() < 64 && shift % 32 + u64::from(width) <= 32 {
            let halves = self.convert(Convert::Pair, value, Scalar::I32.by(2), make);
            value = self.pick(halves, Swizzle::splat((shift / 32) as u8), 1, make);
            (kind, shift) = (Scalar::I32, shift % 32);
        }
        if shift > 0 {
            let by = self.node(Op::Const(shift), kind.by(1), make);
            value = self.integer(Binary::LShr, value, by, make);
        }
        if kind.bits() > int.bits() {
            value = self.convert(Convert::Truncate, value, int.by(1), make);
        } else if kind.bits() < int.bits() {
            value = self.convert(Convert::ZeroExtend, value, int.by(1), make);
        }
        let left = u64::from(kind.bits()) - shift;
        if u64::from(width) < left && width < int.bits() {
            let mask = self.node(Op::Const((1 << width) - 1), int.by(1), make);
            value = self.integer(Binary::And, value, mask, make);
        }
        value
    }
}

/// The destination of new nodes.
struct Make<'a> {
    origin: u32,
    body: &'a mut Vec<Value>,
}
