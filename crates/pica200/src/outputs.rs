//! What output registers mean to the rasteriser.
//!
//! The registers that the output mask names are packed, in rising order, into up to seven slots; each
//! component of a slot has a semantic.

use crate::container::Dvle;

/// A component that nothing takes.
pub const NONE: u8 = 0x1f;

/// The semantics of the components of each slot, as the `OUTMAP` registers have them: 0–3 position, 4–7
/// quaternion, 8–11 colour, 12–13 texture coordinate 0, 14–15 coordinate 1, 16 the third component of
/// coordinate 0, 18–20 view, 22–23 coordinate 2, 31 none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputMap {
    /// A bit for each output register that is packed.
    pub mask: u16,
    /// By slot and component.
    pub semantics: [[u8; 4]; 7],
}

/// A vertex as the rasteriser takes it. What no register is mapped to is one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Vertex {
    /// Clip coordinates.
    pub position: [f32; 4],
    /// The rotation from the surface to the view.
    pub quaternion: [f32; 4],
    /// Red, green, blue, alpha: the magnitudes, at most one.
    pub color: [f32; 4],
    /// Texture coordinates 0, 1, 2.
    pub texcoord: [[f32; 2]; 3],
    /// The third component of texture coordinate 0.
    pub texcoord0_w: f32,
    /// From the surface to the viewer.
    pub view: [f32; 3],
}

impl OutputMap {
    /// As a container's output table says. Of two entries for one component the later one counts; what
    /// does not fit into the seven slots has no meaning.
    pub fn of(program: &Dvle) -> OutputMap {
        let mut map = OutputMap { mask: program.output_mask, semantics: [[NONE; 4]; 7] };
        for entry in &program.outputs {
            let first = match entry.kind {
                0 => 0,
                1 => 4,
                2 => 8,
                3 => 12,
                4 => 16,
                5 => 14,
                6 => 22,
                8 => 18,
                _ => continue,
            };
            let Some(slot) = map.slot(entry.register) else { continue };
            // Semantics follow the mask's components: the first that is set takes the first.
            let components = (0..4).filter(|c| entry.mask >> c & 1 != 0);
            for (component, semantic) in components.zip(first..) {
                if let Some(at) = map.semantics.get_mut(slot).and_then(|s| s.get_mut(component)) {
                    *at = semantic;
                }
            }
        }
        map
    }

    /// The slot that a register is packed into.
    pub fn slot(&self, register: u16) -> Option<usize> {
        let named = register < 16 && self.mask >> register & 1 != 0;
        named.then(|| (self.mask & ((1 << register) - 1)).count_ones() as usize)
    }

    /// The vertex of these output registers, patterns of binary32.
    pub fn vertex(&self, registers: &[[u32; 4]; 16]) -> Vertex {
        let mut values = [1.0; 32];
        let packed = (0..16).filter(|r| self.mask >> r & 1 != 0);
        for (semantics, register) in self.semantics.iter().zip(packed) {
            for (&semantic, &bits) in semantics.iter().zip(registers.get(register).unwrap_or(&[0; 4])) {
                if let Some(value) = values.get_mut(usize::from(semantic)) {
                    *value = f32::from_bits(bits);
                }
            }
        }
        let v = |n: usize| values[n];
        let four = |n: usize| [v(n), v(n + 1), v(n + 2), v(n + 3)];
        Vertex {
            position: four(0),
            quaternion: four(4),
            // A colour that is NaN stays so.
            color: four(8).map(|c| if c.abs() > 1.0 { 1.0 } else { c.abs() }),
            texcoord: [[v(12), v(13)], [v(14), v(15)], [v(22), v(23)]],
            texcoord0_w: v(16),
            view: [v(18), v(19), v(20)],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::container::OutputEntry;
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
        let vertex = map.vertex(&registers);
        assert_eq!(vertex.position, [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(
            (vertex.color[..3].to_vec(), vertex.color[3].is_nan()),
            (Vec::from([0.5, 1.0, 0.25]), true)
        );
        assert_eq!((vertex.texcoord[0], vertex.texcoord0_w), ([0.5, 0.75], 9.0));
        assert_eq!((vertex.texcoord[1], vertex.view), ([1.0; 2], [1.0; 3]), "what nothing is mapped to");
    }

    #[test]
    fn tables_of_any_content_have_a_map() {
        let many: Vec<_> = (0..40).map(|n| (n % 12, n, 0xffff)).collect();
        let map = map(0xffff, &many);
        assert_eq!(map.slot(15), Some(15));
        assert_eq!(map.vertex(&[[0; 4]; 16]).position, [0.0; 4]);
    }
}
