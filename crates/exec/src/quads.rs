//! Quads: lanes 4k to 4k + 3 of a slab, two rows of two pixels.
//!
//! The evaluator runs derivatives on the registers of all lanes of a quad, also of those that do not run. The batch
//! engine has no registers of lanes that do not run, so a quad must run as a whole: then the components of its lanes are
//! what their registers hold. Lanes that took different branches may run a later block at other times than in the
//! evaluator, unless the program's control is known to bring them together.

use crate::memory::{Chunk, Lanes, Operand, Slabs};
use shisa_ir::Axis;

/// The first lane of each quad.
const FIRST: Lanes = Lanes::MAX / 0xf;

/// The quads that have a lane in the set: their first lanes.
const fn any(set: Lanes) -> Lanes {
    (set | set >> 1 | set >> 2 | set >> 3) & FIRST
}

/// Whether each quad has all or none of its lanes in the set.
pub(crate) const fn are_whole(set: Lanes) -> bool {
    any(set) == set & set >> 1 & set >> 2 & set >> 3 & FIRST
}

/// All lanes of the quads that have lanes in both sets.
pub(crate) const fn divided(a: Lanes, b: Lanes) -> Lanes {
    (any(a) & any(b)) * 0xf
}

/// For each lane the value of the second or the first of the two lanes of its quad between which a derivative is taken;
/// zero if lanes are no quads.
#[inline(always)]
pub(crate) fn neighbour(
    slabs: &mut Slabs<'_>,
    dst: Operand,
    a: Operand,
    (axis, second): (Axis, bool),
    quads: bool,
) {
    let bit = match axis {
        Axis::X => 1,
        Axis::Y => 2,
    };
    for c in slabs.first..slabs.end {
        let x = slabs.chunks[a.chunk(c)];
        slabs.chunks[dst.chunk(c)] = match (quads, second) {
            (false, _) => Chunk::ZERO,
            (true, false) => Chunk(std::array::from_fn(|lane| x.0[lane & !bit])),
            (true, true) => Chunk(std::array::from_fn(|lane| x.0[lane | bit])),
        };
    }
}
