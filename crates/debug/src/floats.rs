//! The floating-point results of each step.

use crate::event::Event;
use shisa_eval::RegisterWrite;
use shisa_ir::{Convert, Lanes, Lifted, Op, Reg, Scalar, Step, Ternary, Value, WAVE};

/// A component of a float in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Float {
    /// Its first unit.
    reg: Reg,
    /// Number of units, the lowest bits first.
    units: u16,
    /// Bits of a unit.
    bits: u8,
    scalar: Scalar,
}

/// What each step computes in floating point, and the registers that it reads.
#[derive(Debug, Default)]
pub(crate) struct Floats {
    steps: Vec<OfStep>,
}

#[derive(Debug, Default)]
struct OfStep {
    results: Vec<Float>,
    operands: Vec<Float>,
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
            let lanes = (0..WAVE).filter(|lane| event.active >> lane & 1 != 0).filter(made);
            let lanes = lanes.fold(0, |lanes, lane| lanes | 1 << lane);
            (lanes != 0).then_some((result.reg, lanes))
        })
    }
}

/// The floats that a step writes as results of floating-point operations, and all values that it reads.
fn of_step(lifted: &Lifted, step: &Step) -> OfStep {
    let mut of = OfStep::default();
    let float = |reg: Reg, scalar: Scalar, component: u8| {
        let file = lifted.files.get(usize::from(reg.file.0))?;
        let units = u16::from(file.units_of(scalar));
        let unit = reg.unit.checked_add(u16::from(component) * units)?;
        Some(Float { reg: Reg { unit, ..reg }, units, bits: file.unit_bits, scalar })
    };
    for node in step.nodes.clone() {
        let Some(node) = lifted.nodes.list.get(node as usize) else { continue };
        match node.op {
            Op::Write { reg, mask, value } => {
                if let Some(scalar) = computed(lifted, value) {
                    of.results.extend(mask.iter().filter_map(|component| float(reg, scalar, component)));
                }
            }
            Op::Read { reg, swizzle } => {
                // The bits of an integer register may be a float.
                let scalar = match node.ty.scalar {
                    Scalar::I32 => Scalar::F32,
                    Scalar::I64 => Scalar::F64,
                    scalar => scalar,
                };
                let components = (0..node.ty.count).map(|component| swizzle.get(component));
                of.operands.extend(components.filter_map(|component| float(reg, scalar, component)));
            }
            _ => {}
        }
    }
    of
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

/// The bits of a float from the writes of a step.
fn written(float: &Float, writes: &[RegisterWrite], lane: usize) -> Option<u64> {
    (0..float.units).rev().try_fold(0u64, |bits, by| {
        let reg = Reg { unit: float.reg.unit.checked_add(by)?, ..float.reg };
        let write = writes.iter().rev().find(|write| write.reg == reg && write.lanes >> lane & 1 != 0)?;
        Some(bits << float.bits | u64::from(write.new.get(lane)?))
    })
}

/// The bits of a float before a step.
fn before(float: &Float, event: &Event<'_>, lane: usize) -> Option<u64> {
    (0..float.units).rev().try_fold(0u64, |bits, by| {
        let reg = Reg { unit: float.reg.unit.checked_add(by)?, ..float.reg };
        let write = event.writes.iter().find(|write| write.reg == reg);
        let plane = write.map_or_else(|| event.after.register(reg), |write| Some(&write.old))?;
        Some(bits << float.bits | u64::from(plane.get(lane)?))
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
