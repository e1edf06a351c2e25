//! Which registers each step of a program reads, and which it writes floats to.

use shisa_ir::{Convert, FileId, Lifted, Nodes, Op, Reg, Scalar, Step, Value};
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
    let mut access = Access::default();
    let units = |file: FileId, scalar: Scalar| {
        let file = lifted.files.get(usize::from(file.0));
        file.map_or(1, |file| u16::from(file.units_of(scalar)))
    };
    for node in step.nodes.clone().filter_map(|n| lifted.nodes.list.get(n as usize)) {
        match node.op {
            Op::Read { reg, swizzle } => {
                let size = units(reg.file, node.ty.scalar);
                for component in 0..node.ty.count {
                    let first = reg.unit + u16::from(swizzle.get(component)) * size;
                    access.reads.extend((first..first + size).map(|unit| Reg { unit, ..reg }));
                }
            }
            Op::Write { reg, mask, value } => {
                let (scalar, size) =
                    (float(&lifted.nodes, value), units(reg.file, lifted.nodes.ty(value).scalar));
                for component in mask.iter() {
                    let first = reg.unit + u16::from(component) * size;
                    match (scalar, size) {
                        (Some(Scalar::F16), 1) => {
                            access.writes.insert(Reg { unit: first, ..reg }, Bits::Half);
                        }
                        (Some(Scalar::F32), 1) => {
                            access.writes.insert(Reg { unit: first, ..reg }, Bits::Single);
                        }
                        (Some(Scalar::F32), 2) => {
                            access.writes.insert(Reg { unit: first + 1, ..reg }, Bits::UpperHalf);
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
    access
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
