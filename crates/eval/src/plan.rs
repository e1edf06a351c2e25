//! Plans a lifted program: decides where every value lies and which loop computes it.
//!
//! Constants, reads, swizzles, joins and changes of kind that keep the bits cost nothing: their values
//! are the planes they name. A read is copied only when its register is written before the value's last
//! use.

mod lifetime;
mod operations;
mod registers;
mod unused;

use crate::{
    Emission,
    micro::{Fast, Micro, P, Slow, TexPlan, Wide, ZERO},
    program::{Layout, Program, StepPlan},
    select,
};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Binary, Combine, Convert, File, FloatModel, FloatRule, Lifted, Node, Nodes, Op, Scalar, Step, Ternary,
    TexKind, Type, Unary, Value,
};
use std::collections::{BTreeMap, BTreeSet};

/// Plans every step.
pub(crate) fn program(lifted: &Lifted, model: FloatModel) -> Result<Program<'_>, Diagnostic> {
    let (constants, order) = constants(&lifted.nodes);
    let layout = Layout::new(lifted.files, order.len() as P, &named(lifted));
    let scratch = layout.end();
    let mut planner = Planner {
        nodes: &lifted.nodes,
        model,
        layout: &layout,
        constants,
        ops: Vec::new(),
        samples: Vec::new(),
        values: Vec::new(),
        first: 0,
        next: scratch,
    };
    let mut planes = scratch;
    let mut steps = Vec::with_capacity(lifted.steps.len() + lifted.implied.len());
    for step in lifted.steps.iter().chain(&lifted.implied) {
        planner.next = scratch;
        steps.push(planner.step(step)?);
        planes = planes.max(planner.next);
    }
    let Planner { ops, samples, .. } = planner;
    let written = ops.iter().filter_map(|op| match op {
        Micro::Write { reg, .. } => Some(*reg..*reg + 1),
        Micro::WriteHalves { reg, .. } => Some(*reg..*reg + 2),
        _ => None,
    });
    let written: Vec<P> = written.flatten().collect::<BTreeSet<P>>().into_iter().collect();
    let mut read = vec![false; scratch as usize];
    let mut look = |plane: P| {
        if let Some(slot) = read.get_mut(plane as usize) {
            *slot = true;
        }
    };
    ops.iter().for_each(|op| op.sources(&samples, &mut look));
    steps.iter().filter_map(|step| step.cond).for_each(look);
    Ok(Program {
        lifted,
        model,
        layout,
        constants: order,
        ops,
        samples,
        written,
        read,
        steps,
        planes: planes as usize,
    })
}

/// The constant planes: by bits, and in order.
fn constants(nodes: &Nodes) -> (BTreeMap<u32, P>, Vec<u32>) {
    // 31 takes the sign of a word.
    let mut order = vec![0, 31];
    let mut by_bits = BTreeMap::from([(0, ZERO), (31, 1)]);
    let bits = nodes.list.iter().filter_map(|n| match n.op {
        Op::Const(bits) => Some(low(n.ty.scalar, bits)),
        _ => None,
    });
    for half in bits.flat_map(|b| [b as u32, (b >> 32) as u32]) {
        by_bits.entry(half).or_insert_with(|| {
            order.push(half);
            order.len() as P - 1
        });
    }
    (by_bits, order)
}

/// Which units of each file the program names.
fn named(lifted: &Lifted) -> Vec<Vec<bool>> {
    let mut named: Vec<Vec<bool>> = lifted.files.iter().map(|f| vec![false; usize::from(f.units)]).collect();
    for node in &lifted.nodes.list {
        let (reg, scalar, components) = match node.op {
            Op::Read { reg, swizzle } => {
                let last = (0..node.ty.count.min(4)).map(|i| swizzle.get(i)).max();
                (reg, node.ty.scalar, last.map_or(0, |last| last + 1))
            }
            Op::Write { reg, mask, value } => {
                let Some(value) = lifted.nodes.list.get(value.index()) else { continue };
                (reg, value.ty.scalar, (u8::BITS - mask.0.leading_zeros()) as u8)
            }
            Op::ReadAt { file, .. } => {
                if let Some(all) = named.get_mut(usize::from(file.0)) {
                    all.fill(true);
                }
                continue;
            }
            _ => continue,
        };
        let Some(file) = lifted.files.get(usize::from(reg.file.0)) else { continue };
        let first = usize::from(reg.unit);
        let end = (first + usize::from(components) * usize::from(units(file, scalar))).min(file.units.into());
        if let Some(units) = named.get_mut(usize::from(reg.file.0)).and_then(|all| all.get_mut(first..end)) {
            units.fill(true);
        }
    }
    named
}

fn low(scalar: Scalar, bits: u64) -> u64 {
    bits & (u64::MAX >> (64 - scalar.bits()))
}

/// How many units of a file a component takes.
fn units(file: &File, scalar: Scalar) -> u16 {
    u16::from(scalar.bits()).div_ceil(u16::from(file.unit_bits.max(1)))
}

/// Where a value lies.
#[derive(Clone, Copy)]
struct Val {
    ty: Type,
    at: [Wide; 4],
}

impl Val {
    const NONE: Val = Val { ty: Type::NONE, at: [[ZERO; 2]; 4] };

    fn count(&self) -> usize {
        usize::from(self.ty.count)
    }
}

/// The refusal of an operation that does not fit.
type Checked<T> = Result<T, Diagnostic>;

fn malformed(node: &Node, why: &str) -> Diagnostic {
    Diagnostic::error("eval-malformed", format!("the lifted program is malformed: {why}"))
        .note(format!("in {:?} of type {}", node.op, node.ty))
}

fn not_truth(step: &Step) -> Diagnostic {
    let text = format!("the condition of step {:#x} is not a truth value", step.pc);
    Diagnostic::error("eval-malformed", text)
}

fn unsupported(what: &str) -> Diagnostic {
    Diagnostic::error("eval-unsupported", format!("the evaluator does not support {what}"))
}

struct Planner<'a> {
    nodes: &'a Nodes,
    model: FloatModel,
    layout: &'a Layout,
    constants: BTreeMap<u32, P>,
    ops: Vec<Micro>,
    samples: Vec<TexPlan>,
    /// Values of the current step.
    values: Vec<Val>,
    /// First node of the current step.
    first: u32,
    /// The next free plane.
    next: P,
}

impl Planner<'_> {
    fn step(&mut self, step: &Step) -> Checked<StepPlan> {
        let start = self.ops.len();
        let range = step.nodes.start as usize..step.nodes.end as usize;
        let nodes = self.nodes.list.get(range).ok_or_else(|| {
            Diagnostic::error(
                "eval-malformed",
                format!("step {:#x} names operations that are not there", step.pc),
            )
        })?;
        self.first = step.nodes.start;
        self.values.clear();
        let last = self.last_uses(nodes, &step.control);
        for (i, node) in nodes.iter().enumerate() {
            if node.ty.count > 4 {
                return Err(malformed(node, "more than four components"));
            }
            let copy = self.overwritten(nodes, i, last[i]);
            let value = self.node(node, copy)?;
            self.values.push(value);
            if step.guard.is_some_and(|guard| guard.0.checked_sub(self.first) == Some(i as u32)) {
                let cond = step.guard.and_then(|guard| self.condition(guard));
                self.ops.push(Micro::Guard { cond: cond.ok_or_else(|| not_truth(step))? });
            }
        }
        if step.guard.is_some_and(|guard| self.condition(guard).is_none()) {
            return Err(not_truth(step));
        }
        let cond = match step.control.cond {
            None => None,
            Some(v) => Some(self.condition(v).ok_or_else(|| not_truth(step))?),
        };
        let place = match step.control.place {
            None => None,
            Some(v) => Some(self.scalar(v, Type::I32).ok_or_else(|| {
                let text = format!("the place where step {:#x} goes is not an i32 of it", step.pc);
                Diagnostic::error("eval-malformed", text)
            })?),
        };
        self.remove_unused(start, [cond, place]);
        Ok(StepPlan { ops: start..self.ops.len(), cond, place, whole_wave: step.whole_wave })
    }

    fn condition(&self, v: Value) -> Option<P> {
        self.scalar(v, Type::BOOL)
    }

    /// The plane of a value of the step that has this type.
    fn scalar(&self, v: Value, ty: Type) -> Option<P> {
        let value = self.values.get(v.0.checked_sub(self.first)? as usize)?;
        (value.ty == ty).then_some(value.at[0][0])
    }

    fn operand(&self, node: &Node, v: Value) -> Checked<Val> {
        let value = v.0.checked_sub(self.first).and_then(|i| self.values.get(i as usize));
        match value {
            Some(v) if v.ty.count > 0 => Ok(*v),
            _ => Err(malformed(node, "an operand is not an earlier value of its instruction")),
        }
    }

    /// An operand that must have this type.
    fn typed(&self, node: &Node, v: Value, ty: Type) -> Checked<Val> {
        let value = self.operand(node, v)?;
        if value.ty != ty {
            return Err(malformed(node, "an operand has the wrong type"));
        }
        Ok(value)
    }

    fn alloc(&mut self, planes: P) -> P {
        let at = self.next;
        self.next += planes;
        at
    }

    fn fast(&mut self, op: Fast, args: [P; 3]) -> P {
        let dst = self.alloc(1);
        self.ops.push(Micro::Fast { op, dst, args });
        dst
    }

    /// A number without denormals.
    fn flush(&mut self, a: P) -> P {
        let constant = self.constants.iter().find(|(_, p)| **p == a).map(|(&bits, _)| bits);
        match constant {
            Some(bits) if bits & 0x7f80_0000 != 0 || bits & 0x7fff_ffff == 0 => a,
            _ => self.fast(Fast::Flush, [a, ZERO, ZERO]),
        }
    }

    /// An operation on one component with a result of kind `to`.
    fn compute(&mut self, op: Slow, to: Scalar, args: [Wide; 3]) -> Wide {
        if let Slow::Unary(Unary::FRsqrt, rule, kind) = op
            && rule.model
            && !self.model.is_f24(rule, kind)
        {
            // As emulators have it: the reciprocal of the rounded root.
            let root = self.compute(Slow::Unary(Unary::FSqrt, rule, kind), to, args);
            return self.compute(Slow::Unary(Unary::FRcp, rule, kind), to, [root, args[1], args[2]]);
        }
        if let Some(fast) = select::fast(op, self.model) {
            return [self.fast(fast, args.map(|a| a[0])), ZERO];
        }
        if let Some((plain, result)) = select::unflushed(op)
            && let Some(fast) = select::fast(plain, self.model)
        {
            let args = args.map(|a| self.flush(a[0]));
            let v = self.fast(fast, args);
            return [if result { self.fast(Fast::Flush, [v, ZERO, ZERO]) } else { v }, ZERO];
        }
        if let Some(halves) = self.halves(op, args) {
            return halves;
        }
        if let Some(v) = self.narrow(op, args.map(|a| a[0])) {
            return [v, ZERO];
        }
        let wide = to.bits() == 64;
        let dst = self.alloc(1 + P::from(wide));
        self.ops.push(Micro::Slow { op, dst, wide, args });
        [dst, if wide { dst + 1 } else { ZERO }]
    }

    /// As [`Self::compute`]; saturation, where the rule asks for it, is an operation of its own.
    fn saturating(
        &mut self,
        rule: FloatRule,
        to: Scalar,
        args: [Wide; 3],
        op: impl Fn(FloatRule) -> Slow,
    ) -> Wide {
        let step = FloatRule { saturate: false, ..rule };
        let at = self.compute(op(step), to, args);
        if rule.saturate && to.is_float() {
            return self.compute(Slow::Unary(Unary::FSat, step, to), to, [at, [ZERO; 2], [ZERO; 2]]);
        }
        at
    }

    fn node(&mut self, node: &Node, copy: bool) -> Checked<Val> {
        let ty = node.ty;
        let mut out = Val { ty, at: [[ZERO; 2]; 4] };
        let count = out.count();
        if count == 0 && !node.op.has_effect() {
            return Err(malformed(node, "a value without components"));
        }
        let none = [ZERO; 2];
        match node.op {
            Op::Const(bits) => {
                let bits = low(ty.scalar, bits);
                let plane = |half: u32| self.constants.get(&half).copied().unwrap_or(ZERO);
                out.at = [[plane(bits as u32), plane((bits >> 32) as u32)]; 4];
            }
            Op::Param => return Err(malformed(node, "a block parameter outside of a block")),
            Op::Read { reg, swizzle } => {
                for i in 0..count {
                    out.at[i] = self.read(node, reg, swizzle.get(i as u8), copy)?;
                }
            }
            Op::ReadAt { file, base, stride, index, swizzle } => {
                let index = self.typed(node, index, Type::I32)?.at[0][0];
                for i in 0..count {
                    out.at[i] = self.read_at(node, file, (base, stride, index), swizzle.get(i as u8))?;
                }
            }
            Op::Write { reg, mask, value } => {
                let value = self.operand(node, value)?;
                if usize::from(mask.count()) != value.count() {
                    return Err(malformed(node, "the mask does not fit the value"));
                }
                for (i, component) in mask.iter().enumerate() {
                    self.write(node, reg, component, value.ty.scalar, value.at[i])?;
                }
                return Ok(Val::NONE);
            }
            Op::Unary { op, rule, a } => {
                let a = self.typed(node, a, ty)?;
                // Signs change under no rule but that of a format without negative zero.
                let rule = match op {
                    Unary::FNeg | Unary::FAbs => FloatRule { model: rule.model, ..FloatRule::IEEE },
                    _ => rule,
                };
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], none, none], |rule| {
                        Slow::Unary(op, rule, ty.scalar)
                    });
                }
            }
            Op::Binary { op: Binary::FDot, rule, a, b } => {
                let a = self.operand(node, a)?;
                let b = self.typed(node, b, a.ty)?;
                if ty != a.ty.with_count(1) {
                    return Err(malformed(node, "a dot product is a scalar"));
                }
                out.at[0] = self.dot(rule, a, b);
            }
            Op::Binary { op, rule, a, b } => {
                let a = self.operand(node, a)?;
                let b = self.typed(node, b, a.ty)?;
                if ty != op.result(a.ty) {
                    return Err(malformed(node, "the result has the wrong type"));
                }
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], b.at[i], none], |rule| {
                        Slow::Binary(op, rule, a.ty.scalar)
                    });
                }
            }
            Op::Ternary { op: Ternary::Select, rule, a, b, c } => {
                let (cond, b, c) =
                    (self.operand(node, a)?, self.typed(node, b, ty)?, self.typed(node, c, ty)?);
                if cond.ty.scalar != Scalar::I1 || !matches!(cond.count(), n if n == 1 || n == count) {
                    return Err(malformed(node, "the condition does not fit"));
                }
                for i in 0..count {
                    let cond = cond.at[i.min(cond.count() - 1)];
                    out.at[i] = self.select(ty.scalar, rule, cond, b.at[i], c.at[i]);
                }
            }
            Op::Ternary { op, rule, a, b, c } => {
                let (a, b, c) =
                    (self.typed(node, a, ty)?, self.typed(node, b, ty)?, self.typed(node, c, ty)?);
                for i in 0..count {
                    out.at[i] = self.saturating(rule, ty.scalar, [a.at[i], b.at[i], c.at[i]], |rule| {
                        Slow::Ternary(op, rule, ty.scalar)
                    });
                }
            }
            Op::Convert { op: Convert::Pair, a, .. } => {
                let a = self.operand(node, a)?;
                out.at = operations::pair(node, &a)?;
            }
            Op::Convert { op, rule, a } => {
                let a = self.operand(node, a)?;
                if a.ty.count != ty.count {
                    return Err(malformed(node, "a conversion keeps the number of components"));
                }
                for i in 0..count {
                    out.at[i] = self.convert(op, rule, a.ty.scalar, ty.scalar, a.at[i]);
                }
            }
            Op::Swizzle { a, swizzle } => {
                let a = self.operand(node, a)?;
                for i in 0..count {
                    let from = usize::from(swizzle.get(i as u8));
                    if from >= a.count() || a.ty.scalar != ty.scalar {
                        return Err(malformed(node, "the swizzle does not fit its operand"));
                    }
                    out.at[i] = a.at[from];
                }
            }
            Op::Join { parts } => {
                for (at, part) in out.at.iter_mut().zip(parts).take(count) {
                    *at = self.typed(node, part, ty.with_count(1))?.at[0];
                }
            }
            Op::Texture(_) => {
                let op = *self.texture(node).ok_or_else(|| malformed(node, "no such texture operation"))?;
                out.at = self.sample(node, &op)?;
            }
            Op::TextureStore(_) => {
                let op = *self.texture(node).ok_or_else(|| malformed(node, "no such texture operation"))?;
                if !matches!(op.kind, TexKind::Store(_)) {
                    return Err(malformed(node, "a texture operation writes nothing"));
                }
                let sample = self.texture_plan(node, &op)?;
                self.ops.push(Micro::TextureStore { sample });
                return Ok(Val::NONE);
            }
            Op::Derivative { axis, a } => {
                let a = self.typed(node, a, ty)?;
                if !ty.scalar.is_float() {
                    return Err(malformed(node, "a derivative of no float"));
                }
                for i in 0..count {
                    let [from, to] = [false, true].map(|second| self.neighbour(axis, second, a.at[i]));
                    let subtract = Slow::Binary(Binary::FSub, FloatRule::IEEE, ty.scalar);
                    out.at[i] = self.compute(subtract, ty.scalar, [to, from, none]);
                }
            }
            Op::Lane { op, a, b } => self.lane(node, op, a, b, &mut out)?,
            Op::Combine { combine, rule, a } => {
                let a = self.typed(node, a, ty)?;
                let start = Combine::neutral(combine.op, ty.scalar);
                let start = start.ok_or_else(|| malformed(node, "an operation that combines nothing"))?;
                let wide = ty.scalar.bits() == 64;
                let Combine { op, quad, before } = combine;
                let op = Slow::Binary(op, rule, ty.scalar);
                for i in 0..count {
                    let dst = self.alloc(1 + P::from(wide));
                    self.ops.push(Micro::Combine { op, quad, before, start, dst, wide, a: a.at[i] });
                    out.at[i] = [dst, if wide { dst + 1 } else { ZERO }];
                }
            }
            Op::Atomic { op, space, address, value, expected } => {
                let address = self.address(node, address)?;
                let [value, expected] = [self.typed(node, value, ty)?, self.typed(node, expected, ty)?];
                let wide = ty.scalar.bits() == 64;
                if count != 1 || ty.scalar.is_float() || !matches!(ty.scalar.bits(), 32 | 64) {
                    return Err(malformed(node, "an atomic operation is of one integer of 32 or 64 bits"));
                }
                let dst = self.alloc(1 + P::from(wide));
                let (value, expected) = (value.at[0], expected.at[0]);
                self.ops.push(Micro::Atomic { op, space, address, dst, scalar: ty.scalar, value, expected });
                out.at[0] = [dst, if wide { dst + 1 } else { ZERO }];
            }
            Op::Load { space, address } => {
                let address = self.address(node, address)?;
                let wide = P::from(ty.scalar.bits() == 64);
                let dst = self.alloc((1 + wide) * P::from(ty.count));
                self.ops.push(Micro::Load { space, dst, address, scalar: ty.scalar, count: ty.count });
                for (i, at) in out.at.iter_mut().take(count).enumerate() {
                    let low = dst + (1 + wide) * i as P;
                    *at = [low, if wide != 0 { low + 1 } else { ZERO }];
                }
            }
            Op::Store { space, address, value } => {
                let (address, value) = (self.address(node, address)?, self.operand(node, value)?);
                let scalar = value.ty.scalar;
                for (i, &value) in value.at.iter().take(value.count()).enumerate() {
                    let offset = scalar.bits().div_ceil(8) * i as u8;
                    self.ops.push(Micro::Store { space, address, offset, scalar, value });
                }
                return Ok(Val::NONE);
            }
            Op::Kill { cond } => {
                let cond = self.typed(node, cond, Type::BOOL)?.at[0][0];
                self.ops.push(Micro::Kill { cond });
                return Ok(Val::NONE);
            }
            Op::SetEmit { vertex, primitive, flip } => {
                self.ops.push(Micro::SetEmit(Emission { vertex, primitive, flip }));
                return Ok(Val::NONE);
            }
            Op::Emit => {
                self.ops.push(Micro::Emit);
                return Ok(Val::NONE);
            }
            Op::Barrier => {
                self.ops.push(Micro::Barrier);
                return Ok(Val::NONE);
            }
        }
        Ok(out)
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
