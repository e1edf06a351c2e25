//! Which registers hold which inputs and outputs, and the types of inputs and outputs.

use crate::Program;
use shisa_ir::{Binding, File, FileId, Interface, Io, Scalar, Type};
use spirv::BuiltIn;

/// For each register unit of a file: the input or output that it belongs to, and the component.
pub(super) struct Slots(Vec<Vec<Option<(u16, u8)>>>);

impl Slots {
    /// The inputs and outputs of a program.
    pub(super) fn new(program: &Program) -> Slots {
        let mut table = vec![Vec::new(); program.func.files.len()];
        let Interface { inputs, outputs, .. } = program.interface;
        for list in [inputs, outputs] {
            for (number, io) in (0..=u16::MAX).zip(list) {
                let file = usize::from(io.reg.file.0);
                let (Some(units), Some(file)) = (table.get_mut(file), program.func.files.get(file)) else {
                    continue;
                };
                let width = units_per_component(file, io.scalar);
                for component in 0..io.count.min(4) {
                    let unit = usize::from(io.reg.unit) + usize::from(component) * width;
                    if units.len() <= unit {
                        units.resize(unit + 1, None);
                    }
                    units[unit] = Some((number, component));
                }
            }
        }
        Slots(table)
    }

    /// The index of the input or output that has a register unit, and the component.
    pub(super) fn find(&self, file: FileId, unit: usize) -> Option<(usize, u8)> {
        let (number, component) = self.0.get(usize::from(file.0))?.get(unit).copied().flatten()?;
        Some((usize::from(number), component))
    }
}

/// Register units of a file that a component occupies.
pub(super) fn units_per_component(file: &File, scalar: Scalar) -> usize {
    usize::from(scalar.bits() / file.unit_bits.max(1)).max(1)
}

/// The type of an element of a uniform array: four components of 32 bits.
pub(super) fn element(file: &File) -> Type {
    if file.scalar == Scalar::F32 { Scalar::F32.by(4) } else { Scalar::I32.by(4) }
}

/// Type of an input or output inside the program.
pub(super) fn value_type(io: &Io) -> Type {
    io.scalar.by(io.count.clamp(1, 4))
}

/// Type of an element of the buffer of a uniform file.
pub(super) fn uniform_element(file: Option<&File>) -> Type {
    file.map_or(Scalar::F32.by(4), element)
}

/// The built-in array of levels.
pub(super) fn levels(binding: Binding) -> Option<(BuiltIn, u32)> {
    match binding {
        Binding::OuterLevel => Some((BuiltIn::TessLevelOuter, 4)),
        Binding::InnerLevel => Some((BuiltIn::TessLevelInner, 2)),
        _ => None,
    }
}
