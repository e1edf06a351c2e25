//! Where tessellation control programs keep their outputs.

use crate::{Binary, Nodes, Op, PATCH_BYTES, Value};

/// What an address of [`crate::Space::Shared`] is in a tessellation control program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchPlace {
    /// A component of the patch, by its unit.
    Patch(u16),
    /// A component of a vertex of the output patch.
    Vertex(PatchVertex, u16),
}

/// A vertex of the output patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchVertex {
    /// The vertex with this number.
    Fixed(u32),
    /// The vertex with a computed number.
    Computed(Value),
}

/// Operations of an address that are followed.
const STEPS: u32 = 16;

/// What an address is; `None` for a component with a computed number.
pub fn patch_place(nodes: &Nodes, address: Value) -> Option<PatchPlace> {
    let (mut address, mut offset) = (address, 0u32);
    let fixed = |v: Value| match nodes.list.get(v.index())?.op {
        Op::Const(bits) => u32::try_from(bits).ok(),
        _ => None,
    };
    let mut steps = 0;
    let vertex = loop {
        // Folded programs have one sum; a program that is not valid may be without end.
        steps += 1;
        if steps > STEPS {
            return None;
        }
        match nodes.list.get(address.index())?.op {
            Op::Const(bits) => {
                offset = offset.wrapping_add(u32::try_from(bits).ok()?);
                let Some(of_vertices) = offset.checked_sub(PATCH_BYTES) else {
                    return Some(PatchPlace::Patch((offset / 4) as u16));
                };
                offset = of_vertices % PATCH_BYTES;
                break PatchVertex::Fixed(of_vertices / PATCH_BYTES);
            }
            Op::Binary { op: Binary::IAdd, a, b, .. } => {
                (address, offset) = match (fixed(a), fixed(b)) {
                    (_, Some(more)) => (a, offset.wrapping_add(more)),
                    (Some(more), _) => (b, offset.wrapping_add(more)),
                    _ => return None,
                };
            }
            Op::Binary { op: Binary::Shl, a, b, .. } if fixed(b) == Some(PATCH_BYTES.trailing_zeros()) => {
                offset = offset.checked_sub(PATCH_BYTES)?;
                break PatchVertex::Computed(a);
            }
            Op::Binary { op: Binary::IMul, a, b, .. } if fixed(b) == Some(PATCH_BYTES) => {
                offset = offset.checked_sub(PATCH_BYTES)?;
                break PatchVertex::Computed(a);
            }
            _ => return None,
        }
    };
    (offset < PATCH_BYTES).then_some(PatchPlace::Vertex(vertex, (offset / 4) as u16))
}

#[cfg(test)]
mod tests;
