//! The meaning of output registers to the rasteriser.
//!
//! The registers that the header's mask or the output table names are packed, in ascending order, into up to seven slots; each component of a slot
//! has a semantic.

use crate::container::{Dvle, OutputEntry};

/// A component that is not used.
pub const NONE: u8 = 0x1f;

/// What the rasteriser reads of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Semantic {
    /// Clip space. z runs from -w (far) to 0.
    Position,
    /// The rotation from the surface to the view.
    Quaternion,
    /// Red, green, blue, alpha: the magnitudes, at most one.
    Color,
    /// The first texture coordinate; z is the divisor of projected textures.
    Texcoord0,
    /// The second texture coordinate.
    Texcoord1,
    /// The third texture coordinate.
    Texcoord2,
    /// From the surface to the viewer.
    View,
}

impl Semantic {
    /// All of them, the position first.
    pub const ALL: [Semantic; 7] = [
        Semantic::Position,
        Semantic::Quaternion,
        Semantic::Color,
        Semantic::Texcoord0,
        Semantic::Texcoord1,
        Semantic::Texcoord2,
        Semantic::View,
    ];

    /// Its name in code and reflection.
    pub const fn name(self) -> &'static str {
        match self {
            Semantic::Position => "position",
            Semantic::Quaternion => "quaternion",
            Semantic::Color => "color",
            Semantic::Texcoord0 => "texcoord0",
            Semantic::Texcoord1 => "texcoord1",
            Semantic::Texcoord2 => "texcoord2",
            Semantic::View => "view",
        }
    }

    /// The numbers of its components in the `OUTMAP` registers, which are below 24 or [`NONE`].
    pub const fn numbers(self) -> &'static [u8] {
        match self {
            Semantic::Position => &[0, 1, 2, 3],
            Semantic::Quaternion => &[4, 5, 6, 7],
            Semantic::Color => &[8, 9, 10, 11],
            Semantic::Texcoord0 => &[12, 13, 16],
            Semantic::Texcoord1 => &[14, 15],
            Semantic::Texcoord2 => &[22, 23],
            Semantic::View => &[18, 19, 20],
        }
    }
}

/// The semantics of the components of each slot, in the encoding of the `OUTMAP` registers ([`Semantic::numbers`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputMap {
    /// A bit for each output register that is packed.
    pub mask: u16,
    /// By slot and component.
    pub semantics: [[u8; 4]; 7],
}

impl OutputMap {
    /// The map in a container's output table. If two entries set one component, the later one wins; components that
    /// do not fit into the seven slots have no meaning.
    pub fn of(program: &Dvle) -> OutputMap {
        let mut map = OutputMap { mask: program.enabled_outputs(), semantics: [[NONE; 4]; 7] };
        for entry in &program.outputs {
            let Some(slot) = map.slot(entry.register) else { continue };
            for (component, number) in OutputMap::numbers(entry) {
                if let Some(at) = map.semantics.get_mut(slot).and_then(|s| s.get_mut(component)) {
                    *at = number;
                }
            }
        }
        map
    }

    /// The components that an entry of the output table names, each with its number in the `OUTMAP` registers. Numbers
    /// count up with the mask's components, into the next semantic if there are many.
    pub fn numbers(entry: &OutputEntry) -> impl Iterator<Item = (usize, u8)> {
        let first = match entry.kind {
            0 => Some((Semantic::Position, 0)),
            1 => Some((Semantic::Quaternion, 0)),
            2 => Some((Semantic::Color, 0)),
            3 => Some((Semantic::Texcoord0, 0)),
            4 => Some((Semantic::Texcoord0, 2)),
            5 => Some((Semantic::Texcoord1, 0)),
            6 => Some((Semantic::Texcoord2, 0)),
            8 => Some((Semantic::View, 0)),
            _ => None,
        };
        let mask = entry.mask;
        first.into_iter().flat_map(move |(semantic, component)| {
            let components = (0..4).filter(move |c| mask >> c & 1 != 0);
            components.zip(semantic.numbers()[component]..)
        })
    }

    /// The slot that a register is packed into.
    pub fn slot(&self, register: u16) -> Option<usize> {
        let named = register < 16 && self.mask >> register & 1 != 0;
        named.then(|| (self.mask & ((1 << register) - 1)).count_ones() as usize)
    }

    /// The unit of an output register that each number comes from. Numbers without one read 1.
    pub fn sources(&self) -> [Option<u16>; 32] {
        let mut sources = [None; 32];
        let packed = (0..16).filter(|r| self.mask >> r & 1 != 0);
        for (semantics, register) in self.semantics.iter().zip(packed) {
            for (&number, component) in semantics.iter().zip(0..).filter(|(n, _)| **n != NONE) {
                sources[usize::from(number) % 32] = Some(4 * register + component);
            }
        }
        sources
    }

    /// The rasteriser's value from these output registers, which are bit patterns of binary32. Components that no
    /// register is mapped to are one.
    pub fn value(&self, semantic: Semantic, registers: &[[u32; 4]; 16]) -> [f32; 4] {
        let sources = self.sources();
        let mut value = [1.0; 4];
        for (value, &number) in value.iter_mut().zip(semantic.numbers()) {
            if let Some(unit) = sources[usize::from(number)].map(usize::from) {
                *value = f32::from_bits(registers[unit / 4][unit % 4]);
            }
        }
        match semantic {
            // NaN colours stay NaN.
            Semantic::Color => value.map(|c| if c.abs() > 1.0 { 1.0 } else { c.abs() }),
            _ => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn map(mask: u16, entries: &[(u16, u16, u16)]) -> OutputMap {
        let outputs: Vec<_> = entries
            .iter()
            .map(|&(kind, register, mask)| OutputEntry { kind, register, mask, unknown: 0 })
            .collect();
        OutputMap::of(&Dvle { output_mask: mask, outputs, ..Dvle::default() })
    }

    #[test]
    fn registers_are_packed_and_components_have_meanings() {
        let map = map(0b1011, &[(0, 0, 15), (2, 1, 15), (3, 3, 3), (4, 3, 4)]);
        assert_eq!((map.slot(3), map.slot(2), map.slot(16)), (Some(2), None, None));
        let mut registers = [[0; 4]; 16];
        registers[0] = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits);
        registers[1] = [-0.5f32, -3.0, 0.25, f32::NAN].map(f32::to_bits);
        registers[3] = [0.5f32, 0.75, 9.0, 8.0].map(f32::to_bits);
        let value = |semantic| map.value(semantic, &registers);
        assert_eq!(value(Semantic::Position), [1.0, 2.0, 3.0, 4.0]);
        let color = value(Semantic::Color);
        assert_eq!((&color[..3], color[3].is_nan()), (&[0.5, 1.0, 0.25][..], true));
        assert_eq!(value(Semantic::Texcoord0), [0.5, 0.75, 9.0, 1.0]);
        assert_eq!(value(Semantic::View), [1.0; 4], "a semantic that nothing is mapped to");
    }

    /// Entries past the components of their semantic continue in the semantic whose numbers follow.
    #[test]
    fn numbers_count_up_with_components() {
        let map = map(1, &[(3, 0, 15)]);
        let mut registers = [[0; 4]; 16];
        registers[0] = [1.0f32, 2.0, 3.0, 4.0].map(f32::to_bits);
        assert_eq!(map.value(Semantic::Texcoord0, &registers), [1.0, 2.0, 1.0, 1.0]);
        assert_eq!(map.value(Semantic::Texcoord1, &registers), [3.0, 4.0, 1.0, 1.0]);
    }

    #[test]
    fn tables_of_any_content_have_a_map() {
        let many: Vec<_> = (0..40).map(|n| (n % 12, n, 0xffff)).collect();
        let map = map(0xffff, &many);
        assert_eq!(map.slot(15), Some(15));
        assert_eq!(map.value(Semantic::Position, &[[0; 4]; 16]), [0.0; 4]);
    }
}
