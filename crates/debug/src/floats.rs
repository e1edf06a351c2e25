//! The floating-point results of each step.

use crate::event::Event;
use shisa_eval::{RegisterWrite, each_lane};
use shisa_ir::{Component, Convert, Lanes, Lifted, Op, Reg, Scalar, Step, Ternary, Value};

/// What each step computes in floating point, and the registers that it reads.
#[derive(Debug, Default)]
pub(crate) struct Floats {
    steps: Vec<OfStep>,
}

#[derive(Debug, Default)]
struct OfStep {
    results: Vec<Component>,
    operands: Vec<Component>,
}

impl Floats {
    /// Those of a program.
    pub(crate) fn new(lifted: &Lifted) -> Floats {
        let steps = lifted.steps.iter().chain(&lifted.implied).map(|step| of_step(lifted, step)).collect();
        Floats { steps }
    }

    /// The lanes in which a step made a NaN or an infinity, and the register: its result is not finite, and all operands of
    /// the step were.
    pub(crate) fn not_finite(&self, event: &Event<'_>) -> Option<(Reg, Lanes)> {
        let step = self.steps.get(event.index)?;
        step.results.iter().find_map(|result| {
            let made = |lane: &usize| {
                let bits = written(result, event.writes, *lane);
                bits.is_some_and(|bits| !is_finite(bits, result.scalar))
                    && step.operands.iter().all(|operand| {
                        let before = before(operand, event, *lane);
                        before.is_none_or(|bits| is_finite(bits, operand.scalar))
                    })
            };
            let lanes = each_lane(event.active).filter(made);
            let lanes = lanes.fold(0, |lanes, lane| lanes | 1 << lane);
            (lanes != 0).then_some((result.reg, lanes))
        })
    }
}

/// The floats that a step writes as results of floating-point operations, and all values that it reads.
fn of_step(lifted: &Lifted, step: &Step) -> OfStep {
    let result = |(component, value, _)| Some(Component { scalar: computed(lifted, value)?, ..component });
    // The bits of an integer register may be a float.
    let operand = |component: Component| match component.scalar {
        Scalar::I32 => Component { scalar: Scalar::F32, ..component },
        Scalar::I64 => Component { scalar: Scalar::F64, ..component },
        _ => component,
    };
    OfStep {
        results: lifted.writes(step).filter_map(result).collect(),
        operands: lifted.reads(step).map(operand).collect(),
    }
}

/// The type of a value that an operation in floating point computed; its bits may have been given another type since.
fn computed(lifted: &Lifted, value: Value) -> Option<Scalar> {
    let node = lifted.nodes.list.get(value.index())?;
    match node.op {
        Op::Unary { op, .. } if op.is_float() => Some(node.ty.scalar),
        Op::Binary { op, .. } if op.is_float() && !op.compares() => Some(node.ty.scalar),
        Op::Ternary { op: Ternary::Fma, .. } | Op::Convert { op: Convert::Float, .. } => Some(node.ty.scalar),
        Op::Convert { op: Convert::Bits, a, .. } | Op::Swizzle { a, .. } => computed(lifted, a),
        Op::Join { parts } => parts.into_iter().find_map(|part| computed(lifted, part)),
        _ => None,
    }
}

/// The bits of a component from those of its units.
fn joined(component: &Component, bits: impl Fn(Reg) -> Option<u32>) -> Option<u64> {
    let mut units = component.units().rev();
    units.try_fold(0u64, |all, unit| Some(all << component.unit_bits | u64::from(bits(unit)?)))
}

/// The bits of a component that a step wrote.
fn written(component: &Component, writes: &[RegisterWrite], lane: usize) -> Option<u64> {
    joined(component, |reg| {
        let write = writes.iter().rev().find(|write| write.reg == reg && write.lanes >> lane & 1 != 0)?;
        write.new.get(lane)
    })
}

/// The bits of a component before a step.
fn before(component: &Component, event: &Event<'_>, lane: usize) -> Option<u64> {
    joined(component, |reg| {
        let write = event.writes.iter().find(|write| write.reg == reg);
        write.map_or_else(|| event.after.register(reg), |write| Some(&write.old))?.get(lane)
    })
}

fn is_finite(bits: u64, scalar: Scalar) -> bool {
    match scalar {
        Scalar::F16 => bits & 0x7c00 != 0x7c00,
        Scalar::F32 => bits & 0x7f80_0000 != 0x7f80_0000,
        Scalar::F64 => bits & 0x7ff0_0000_0000_0000 != 0x7ff0_0000_0000_0000,
        Scalar::I1 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => true,
    }
}
