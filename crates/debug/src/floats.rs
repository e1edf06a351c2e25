//! The special floating-point values that each step makes: NaN and infinity.

use shisa_eval::{RegisterWrite, each_lane};
use shisa_ir::{Component, Convert, Lanes, Lifted, Op, Reg, Scalar, Step, Ternary, Value};

/// What each step computes in floating point, and the registers that it reads.
#[derive(Clone, Debug, Default)]
pub struct Floats {
    steps: Vec<OfStep>,
}

#[derive(Clone, Debug, Default)]
struct OfStep {
    results: Vec<Component>,
    operands: Vec<Component>,
}

/// The values that a step makes if its result is one and none of its operands is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Special {
    /// A NaN.
    Nan,
    /// A NaN or an infinity.
    NotFinite,
}

impl Special {
    /// Whether bits are such a value; those of integers are not.
    fn is(self, bits: u64, scalar: Scalar) -> bool {
        let (sign, infinity) = match scalar {
            Scalar::F16 => (1 << 15, 0x7c00),
            Scalar::F32 => (1 << 31, 0x7f80_0000),
            Scalar::F64 => (1 << 63, 0x7ff0_0000_0000_0000),
            Scalar::I1 | Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 => return false,
        };
        match self {
            Special::Nan => bits & !sign > infinity,
            Special::NotFinite => bits & !sign >= infinity,
        }
    }
}

impl Floats {
    /// Those of a program.
    pub fn new(lifted: &Lifted) -> Floats {
        let steps = lifted.steps.iter().chain(&lifted.implied).map(|step| of_step(lifted, step)).collect();
        Floats { steps }
    }

    /// The registers in which a step made a special value, each with the lanes: its result is one, and no operand of the step
    /// was. `index` is that of the step in the program; implied steps come after the instructions. `unwritten` has the units
    /// that the step did not write; a unit that it does not know counts as no special value.
    pub fn made<'m>(
        &'m self,
        special: Special,
        (index, active): (usize, Lanes),
        writes: &'m [RegisterWrite],
        unwritten: impl Fn(Reg, usize) -> Option<u32> + 'm,
    ) -> impl Iterator<Item = (Reg, Lanes)> + 'm {
        let before = move |reg: Reg, lane: usize| {
            let write = writes.iter().find(|write| write.reg == reg);
            write.map_or_else(|| unwritten(reg, lane), |write| write.old.get(lane))
        };
        self.steps
            .get(index)
            .into_iter()
            .flat_map(|step| step.results.iter().map(move |result| (step, result)))
            .filter_map(move |(step, result)| {
                let made = |lane: &usize| {
                    let bits = written(result, writes, *lane);
                    bits.is_some_and(|bits| special.is(bits, result.scalar))
                        && !step.operands.iter().any(|operand| {
                            let bits = joined(operand, |reg| before(reg, *lane));
                            bits.is_some_and(|bits| special.is(bits, operand.scalar))
                        })
                };
                let lanes = each_lane(active).filter(made).fold(0, |lanes, lane| lanes | 1 << lane);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest finite number, infinity and the smallest NaN of each format, with both signs.
    #[test]
    fn special_values_differ_from_numbers_at_their_edges() {
        for (scalar, infinity, sign) in [
            (Scalar::F16, 0x7c00, 0x8000),
            (Scalar::F32, 0x7f80_0000, 0x8000_0000),
            (Scalar::F64, 0x7ff0_0000_0000_0000, 1 << 63),
        ] {
            for bits in [0, sign] {
                let all = [infinity - 1, infinity, infinity + 1].map(|magnitude| bits | magnitude);
                assert_eq!(all.map(|bits| Special::Nan.is(bits, scalar)), [false, false, true], "{scalar:?}");
                assert_eq!(
                    all.map(|bits| Special::NotFinite.is(bits, scalar)),
                    [false, true, true],
                    "{scalar:?}"
                );
            }
        }
        for scalar in [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64] {
            assert!(!Special::NotFinite.is(u64::MAX, scalar), "{scalar:?}");
        }
    }
}
