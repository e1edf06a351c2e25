//! Plans a lifted program: decides where every value lies and which loop computes it.
//!
//! Constants, reads, swizzles, joins and changes of kind that keep the bits cost nothing: their values
//! are the planes they name. A read is copied only when its register is written before the value's last
//! use.

use crate::{
    Emission,
    micro::{Fast, LodPlan, Micro, P, SamplePlan, Slow, Wide, ZERO},
    program::{Layout, Program, StepPlan},
    select,
};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Axis, Binary, Convert, File, FileId, FileKind, FloatRule, LaneOp, Lifted, Lod, Node, Nodes, Op, Reg,
    Scalar, Step, Ternary, TexOp, Type, Unary, Value, map_operands,
};
use std::collections::BTreeMap;

/// Plans every step.
pub(crate) fn program(lifted: &Lifted) -> Result<Program<'_>, Diagnostic> {
    let (constants, order) = constants(&lifted.nodes);
    let layout = Layout::new(lifted.files, order.len() as P);
    let scratch = layout.end();
    let mut planner = Planner {
        nodes: &lifted.nodes,
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
    Ok(Program { lifted, layout, constants: order, ops, samples, steps, planes: planes as usize })
}

/// The constant planes: by bits, and in order.
fn constants(nodes: &Nodes) -> (BTreeMap<u32, P>, Vec<u32>) {
    let mut order = vec![0];
    let mut by_bits = BTreeMap::from([(0, ZERO)]);
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
    layout: &'a Layout,
    constants: BTreeMap<u32, P>,
    ops: Vec<Micro>,
    samples: Vec<SamplePlan>,
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
        let last = self.last_uses(nodes, step.control.cond);
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
        Ok(StepPlan { ops: start..self.ops.len(), cond, whole_wave: step.whole_wave })
    }

    fn condition(&self, v: Value) -> Option<P> {
        let value = self.values.get(v.0.checked_sub(self.first)? as usize)?;
        (value.ty == Type::BOOL).then_some(value.at[0][0])
    }

    /// For each node the last one that looks at its planes, the step's condition being behind all.
    fn last_uses(&self, nodes: &[Node], cond: Option<Value>) -> Vec<usize> {
        let mut last: Vec<usize> = (0..nodes.len()).collect();
        let index = |v: Value| v.0.checked_sub(self.first).map(|i| i as usize);
        if let Some(slot) = cond.and_then(index).and_then(|i| last.get_mut(i)) {
            *slot = nodes.len();
        }
        for (i, node) in nodes.iter().enumerate().rev() {
            // A value that may lie in its operand's planes keeps them in use as long as itself.
            let until = match node.op {
                Op::Swizzle { .. } | Op::Join { .. } | Op::Convert { .. } => last[i],
                _ => i,
            };
            self.operands(node, |v| {
                if let Some(slot) = index(v).and_then(|i| last.get_mut(i)) {
                    *slot = until.max(*slot);
                }
            });
        }
        last
    }

    fn operands(&self, node: &Node, mut f: impl FnMut(Value)) {
        let mut node = *node;
        let mut texture = self.texture(&node).copied();
        map_operands(&mut node, texture.as_mut(), |v| {
            f(v);
            v
        });
    }

    fn texture(&self, node: &Node) -> Option<&TexOp> {
        match node.op {
            Op::Texture(t) => self.nodes.textures.get(t as usize),
            _ => None,
        }
    }

    /// Whether node `i` is a read of a register that is written behind it, up to node `last`.
    fn overwritten(&self, nodes: &[Node], i: usize, last: usize) -> bool {
        let Some(Node { op: Op::Read { reg, swizzle }, ty, .. }) = nodes.get(i) else { return false };
        let Some((file, _)) = self.layout.file(reg.file) else { return false };
        let span = |unit: u16, component: u8, scalar: Scalar| {
            let n = u32::from(units(file, scalar));
            let first = u32::from(unit) + u32::from(component) * n;
            first..first + n
        };
        nodes.iter().take(last + 1).skip(i + 1).any(|node| {
            let Op::Write { reg: to, mask, value } = node.op else { return false };
            let written = value.0.checked_sub(self.first).and_then(|v| nodes.get(v as usize));
            let Some(written) = written.filter(|_| to.file == reg.file) else { return false };
            mask.iter().any(|component| {
                let w = span(to.unit, component, written.ty.scalar);
                (0..ty.count).any(|i| {
                    let r = span(reg.unit, swizzle.get(i), ty.scalar);
                    r.start < w.end && w.start < r.end
                })
            })
        })
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

    /// An operation on one component with a result of kind `to`.
    fn compute(&mut self, op: Slow, to: Scalar, args: [Wide; 3]) -> Wide {
        if let Some(fast) = select::fast(op) {
            return [self.fast(fast, args.map(|a| a[0])), ZERO];
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
                let rule = if matches!(op, Unary::FNeg | Unary::FAbs) { FloatRule::IEEE } else { rule };
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
                out.at = pair(node, &a)?;
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

    /// The file of a register access; written ones must be writable.
    fn file(&self, node: &Node, file: FileId, written: bool) -> Checked<(&'static File, P)> {
        let (file, first) =
            self.layout.file(file).ok_or_else(|| malformed(node, "there is no such register file"))?;
        if !matches!(file.unit_bits, 1 | 16 | 32) {
            return Err(malformed(node, "register units have 1, 16 or 32 bits"));
        }
        if written && matches!(file.kind, FileKind::Input | FileKind::Uniform) {
            return Err(malformed(node, "the register file is never written"));
        }
        Ok((file, first))
    }

    /// The units of component `component` of a register: the first one's number, and how many.
    fn span(&self, node: &Node, file: &File, unit: u16, component: u8, scalar: Scalar) -> Checked<(P, P)> {
        let n = P::from(units(file, scalar));
        let first = P::from(unit) + P::from(component) * n;
        if first + n > P::from(file.units) {
            return Err(malformed(node, "the register is not in its file"));
        }
        Ok((first, n))
    }

    fn read(&mut self, node: &Node, reg: Reg, component: u8, copy: bool) -> Checked<Wide> {
        let (file, first) = self.file(node, reg.file, false)?;
        let (unit, n) = self.span(node, file, reg.unit, component, node.ty.scalar)?;
        let mut parts = Vec::with_capacity(n as usize);
        for plane in first + unit..first + unit + n {
            parts.push(if copy { self.fast(Fast::Copy, [plane, ZERO, ZERO]) } else { plane });
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    fn read_at(
        &mut self,
        node: &Node,
        file: FileId,
        (base, stride, index): (u16, u8, P),
        component: u8,
    ) -> Checked<Wide> {
        let (file, first) = self.file(node, file, false)?;
        let n = units(file, node.ty.scalar);
        let mut parts = Vec::with_capacity(usize::from(n));
        for k in 0..n {
            let offset = u32::from(base) + u32::from(component) * u32::from(n) + u32::from(k);
            let dst = self.alloc(1);
            let (units, stride) = (u32::from(file.units), u32::from(stride));
            self.ops.push(Micro::Gather { dst, first, units, offset, stride, index });
            parts.push(dst);
        }
        Ok(self.assemble(file, node.ty.scalar, &parts))
    }

    /// Puts a component together from its units, the lowest first.
    fn assemble(&mut self, file: &File, scalar: Scalar, parts: &[P]) -> Wide {
        let mut out = [ZERO; 2];
        for (k, &part) in parts.iter().enumerate() {
            let bit = k * usize::from(file.unit_bits);
            let (half, shift) = (bit / 32, (bit % 32) as u8);
            let Some(slot) = out.get_mut(half) else { break };
            let so_far = *slot;
            let joined =
                if shift == 0 { part } else { self.fast(Fast::Insert { shift }, [so_far, part, ZERO]) };
            out[half] = joined;
        }
        if scalar.bits() < file.unit_bits {
            let bits = scalar.bits();
            out[0] = self.fast(Fast::Extract { shift: 0, bits }, [out[0], ZERO, ZERO]);
        }
        out
    }

    fn write(&mut self, node: &Node, reg: Reg, component: u8, scalar: Scalar, value: Wide) -> Checked<()> {
        let (file, first) = self.file(node, reg.file, true)?;
        let (unit, n) = self.span(node, file, reg.unit, component, scalar)?;
        for k in 0..n {
            let bit = k * P::from(file.unit_bits);
            let src = value[(bit / 32) as usize & 1];
            let bits = file.unit_bits.min(scalar.bits());
            let whole = bits == 32 || (n == 1 && bits == scalar.bits());
            let shift = (bit % 32) as u8;
            let src = if whole { src } else { self.fast(Fast::Extract { shift, bits }, [src, ZERO, ZERO]) };
            self.ops.push(Micro::Write { reg: first + unit + k, src });
        }
        Ok(())
    }

    fn dot(&mut self, rule: FloatRule, a: Val, b: Val) -> Wide {
        let none = [ZERO; 2];
        let scalar = a.ty.scalar;
        let step = FloatRule { saturate: false, ..rule };
        let mut sum = none;
        for i in 0..a.count() {
            let product = [a.at[i], b.at[i], none];
            let product = self.compute(Slow::Binary(Binary::FMul, step, scalar), scalar, product);
            sum = match i {
                0 => product,
                _ => {
                    let add = Slow::Binary(Binary::FAdd, step, scalar);
                    self.compute(add, scalar, [sum, product, none])
                }
            };
        }
        if rule.saturate {
            sum = self.compute(Slow::Unary(Unary::FSat, step, scalar), scalar, [sum, none, none]);
        }
        sum
    }

    fn select(&mut self, scalar: Scalar, rule: FloatRule, cond: Wide, yes: Wide, no: Wide) -> Wide {
        if scalar.bits() == 64 {
            return self.compute(Slow::Ternary(Ternary::Select, rule, scalar), scalar, [cond, yes, no]);
        }
        [self.fast(Fast::Select, [cond[0], yes[0], no[0]]), ZERO]
    }

    fn convert(&mut self, op: Convert, rule: FloatRule, from: Scalar, to: Scalar, a: Wide) -> Wide {
        match op {
            // The same planes: bits stay, zeros above are there already.
            Convert::Bits if from.bits() == to.bits() => a,
            Convert::ZeroExtend if from.bits() <= to.bits() => a,
            Convert::Truncate if to.bits() == 32 && from.bits() >= 32 => [a[0], ZERO],
            Convert::Truncate if to.bits() < 32 => {
                [self.fast(Fast::Extract { shift: 0, bits: to.bits() }, [a[0], ZERO, ZERO]), ZERO]
            }
            _ => {
                self.saturating(rule, to, [a, [ZERO; 2], [ZERO; 2]], |rule| Slow::Convert(op, rule, from, to))
            }
        }
    }

    /// A derivative's operand in the second or the first of the two lanes it is taken between.
    fn neighbour(&mut self, axis: Axis, second: bool, a: Wide) -> Wide {
        a.map(|a| match a {
            ZERO => ZERO,
            a => {
                let dst = self.alloc(1);
                self.ops.push(Micro::Neighbour { axis, second, dst, a });
                dst
            }
        })
    }

    fn lane(&mut self, node: &Node, op: LaneOp, a: Value, b: Value, out: &mut Val) -> Checked<()> {
        let ty = node.ty;
        let votes = matches!(op, LaneOp::Any | LaneOp::All | LaneOp::Ballot);
        let result = match op {
            LaneOp::Any | LaneOp::All => Type::BOOL,
            LaneOp::Ballot => Type::I32,
            LaneOp::Shuffle | LaneOp::ShuffleXor => ty,
        };
        if result != ty {
            return Err(malformed(node, "the result has the wrong type"));
        }
        let a = self.typed(node, a, if votes { Type::BOOL } else { ty })?;
        let b = if votes { ZERO } else { self.typed(node, b, Type::I32)?.at[0][0] };
        let wide = ty.scalar.bits() == 64;
        for i in 0..out.count() {
            let dst = self.alloc(1 + P::from(wide));
            self.ops.push(Micro::Lane { op, dst, wide, a: a.at[i], b });
            out.at[i] = [dst, if wide { dst + 1 } else { ZERO }];
        }
        Ok(())
    }

    fn address(&self, node: &Node, v: Value) -> Checked<Wide> {
        let a = self.operand(node, v)?;
        if a.ty.count != 1 || a.ty.scalar.is_float() {
            return Err(malformed(node, "an address is one integer"));
        }
        Ok(a.at[0])
    }

    fn sample(&mut self, node: &Node, op: &TexOp) -> Checked<[Wide; 4]> {
        if node.ty != Scalar::F32.by(4) {
            return Err(unsupported("texture results other than four components of binary32"));
        }
        let coordinate = |p: &Self, v: Value| -> Checked<[P; 3]> {
            let v = p.operand(node, v)?;
            if v.ty != Scalar::F32.by(op.dim.coordinates()) {
                return Err(malformed(node, "a coordinate has the wrong type"));
            }
            Ok([v.at[0][0], v.at[1][0], v.at[2][0]])
        };
        let number = |p: &Self, v: Value| p.typed(node, v, Type::F32).map(|v| v.at[0][0]);
        let coord = coordinate(self, op.coord)?;
        let lod = match op.lod {
            Lod::Implicit => LodPlan::Implicit,
            Lod::Bias(v) => LodPlan::Bias(number(self, v)?),
            Lod::Level(v) => LodPlan::Level(number(self, v)?),
            Lod::Gradient(x, y) => LodPlan::Gradient(coordinate(self, x)?, coordinate(self, y)?),
        };
        let sample = self.samples.len() as u32;
        self.samples.push(SamplePlan { unit: op.unit, dim: op.dim, sampler: op.sampler, coord, lod });
        let dst = self.alloc(4);
        self.ops.push(Micro::Texture { dst, sample });
        Ok([0, 1, 2, 3].map(|i| [dst + i, ZERO]))
    }
}

/// [`Convert::Pair`] in either direction.
fn pair(node: &Node, a: &Val) -> Checked<[Wide; 4]> {
    let none = [ZERO; 2];
    let ty = node.ty;
    match (a.ty.scalar.bits(), a.ty.count, ty.scalar.bits(), ty.count) {
        (32, 2, 64, 1) => Ok([[a.at[0][0], a.at[1][0]], none, none, none]),
        (64, 1, 32, 2) => Ok([[a.at[0][0], ZERO], [a.at[0][1], ZERO], none, none]),
        _ => Err(malformed(node, "a pair is two components of 32 bits and one of 64")),
    }
}

#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
