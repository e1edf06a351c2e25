//! Which registers each step of a program reads, and which it writes floats to.

use shisa_ir::{Component, Convert, Lifted, Nodes, Op, Reg, Scalar, Step, Value};
use std::collections::BTreeMap;

/// What the bits of a register unit are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bits {
    /// A binary16 value.
    Half,
    /// A binary32 value.
    Single,
    /// The upper 16 bits of a binary32 value.
    UpperHalf,
    /// Something without a NaN of its own.
    Other,
}

impl Bits {
    /// Whether a value is a NaN. The upper half of a NaN is recognised by a quiet bit or any other bit of its own.
    pub(crate) fn is_nan(self, bits: u32) -> bool {
        match self {
            Bits::Half => bits & 0x7fff > 0x7c00,
            Bits::Single => bits & 0x7fff_ffff > 0x7f80_0000,
            Bits::UpperHalf => bits & 0x7fff > 0x7f80,
            Bits::Other => false,
        }
    }
}

/// What a step reads and writes.
#[derive(Clone, Debug, Default)]
struct Access {
    reads: Vec<Reg>,
    /// The units that get floats.
    writes: BTreeMap<Reg, Bits>,
}

/// The registers of all steps of a program.
#[derive(Clone, Debug)]
pub(crate) struct Floats {
    steps: Vec<Access>,
}

impl Floats {
    pub(crate) fn of(lifted: &Lifted) -> Floats {
        let steps = lifted.steps.iter().chain(&lifted.implied);
        Floats { steps: steps.map(|step| access(lifted, step)).collect() }
    }

    /// The register units that a step reads directly.
    pub(crate) fn reads(&self, step: usize) -> impl Iterator<Item = Reg> + '_ {
        self.steps.get(step).into_iter().flat_map(|access| access.reads.iter().copied())
    }

    /// What a step writes to a unit.
    pub(crate) fn written(&self, step: usize, reg: Reg) -> Bits {
        let bits = self.steps.get(step).and_then(|access| access.writes.get(&reg).copied());
        bits.unwrap_or(Bits::Other)
    }
}

fn access(lifted: &Lifted, step: &Step) -> Access {
    let write = |(component, value, _): (Component, Value, u8)| {
        let last = component.units().next_back()?;
        Some((
            last,
            match (float(&lifted.nodes, value)?, component.count) {
                (Scalar::F16, 1) => Bits::Half,
                (Scalar::F32, 1) => Bits::Single,
                (Scalar::F32, 2) => Bits::UpperHalf,
                _ => return None,
            },
        ))
    };
    Access {
        reads: lifted.reads(step).flat_map(Component::units).collect(),
        writes: lifted.writes(step).filter_map(write).collect(),
    }
}

/// The kind of float that a value is, also if its bits are used as another type.
fn float(nodes: &Nodes, value: Value) -> Option<Scalar> {
    let scalar = nodes.ty(value).scalar;
    if matches!(scalar, Scalar::F16 | Scalar::F32 | Scalar::F64) {
        return Some(scalar);
    }
    match nodes.op(value) {
        Op::Convert { op: Convert::Bits, a, .. } | Op::Swizzle { a, .. } => float(nodes, a),
        Op::Join { parts: [first, ..] } => float(nodes, first),
        _ => None,
    }
}
