//! Operands of rows that read textures.

use super::coordinates::{Coordinates, DIMS, floats};
use super::reference::{Heap, Reference};
use crate::operand::list::List;
use crate::operand::listed::{Listed, WordAndHalf};
use crate::operand::memory::{GROUPS, MASKS, Masked};
use crate::operand::{
    A, AgxLift, B, C, COMPARE, COMPONENTS, D, FLAGS, GATHERED, HEAP, SHAPE, Size, WAIT, expected, flag,
    operand,
};
use crate::{Agx, Ctx};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Scalar, Shape, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, OneOf, Operand, Scan, Word};

/// The registers that a texture read writes.
pub(crate) const SAMPLED: Operand<Agx> = operand(
    D,
    Field::at(9, 6).then(72, 2).then(8, 1),
    &Listed(Masked { size: 8, mask: SMP_MASK.field, another: Some(SPARSE_BIT), written: true }),
);
/// The uniforms that hold the address of the heap of texture descriptors.
pub(crate) const SMP_HEAP: Operand<Agx> = operand(HEAP, Field::at(64, 5), &Listed(Heap));
/// A texture.
pub(crate) const TEXTURE: Operand<Agx> =
    operand(A, Field::at(32, 6).then(78, 2).then(38, 2), &Listed(Reference { state: "ts", wide: true }));
/// A sampler.
pub(crate) const SAMPLER: Operand<Agx> =
    operand(B, Field::at(56, 6).then(92, 2).then(62, 1), &Listed(Reference { state: "ss", wide: false }));
/// The first register of the coordinates.
pub(crate) const COORD: Operand<Agx> = operand(
    C,
    Field::at(16, 6).then(74, 2).then(22, 1).then(47, 1),
    &Listed(Coordinates { dim: SMP_DIM.field, explicit: None }),
);
/// The reference value of a comparison, and offsets.
pub(crate) const COMPARED: Operand<Agx> = operand(
    COMPARE,
    Field::at(80, 6).then(94, 2).then(23, 1).then(91, 1),
    &Listed(WordAndHalf {
        describe: "reference value of the comparison, and offsets",
        expected: "a comparison has 32 bits, offsets 16, and both are three halves",
        announced: Some("shadow"),
    }),
);
/// Whether there is a comparison.
pub(crate) const SHADOW: Operand<Agx> = operand(FLAGS[0], Field::NONE, &Shadow);
/// Whether the level is queried instead of a texel.
pub(crate) const QUERY_LOD: Operand<Agx> = flag(FLAGS[1], 31, &OneOf::optional("name", &["", "query_lod"]));
/// Whether the texture is also written.
pub(crate) const READ_WRITE: Operand<Agx> = flag(FLAGS[2], 43, &OneOf::optional("name", &["", "rw"]));
/// Whether several dies see the same contents.
pub(crate) const MULTI_DIE: Operand<Agx> = flag(FLAGS[3], 44, &OneOf::optional("name", &["", "coherent"]));
const SPARSE_BIT: u8 = 70;
/// Whether one more register receives the residency of the texels.
pub(crate) const SPARSE: Operand<Agx> = flag(FLAGS[4], SPARSE_BIT, &OneOf::optional("name", &["", "sparse"]));
/// Whether helpers end.
pub(crate) const SMP_KILL: Operand<Agx> = flag(FLAGS[5], 69, &OneOf::optional("name", &["", "kill"]));
/// The shape of the texture.
pub(crate) const SMP_DIM: Operand<Agx> =
    operand(SHAPE, Field::at(40, 3).then(71, 1), &OneOf::new("name", DIMS));
/// The components that are written.
pub(crate) const SMP_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(48, 4), &OneOf::new("name", MASKS));
/// The component to gather from four texels.
pub(crate) const GATHER: Operand<Agx> = operand(
    GATHERED,
    Field::at(87, 4),
    &OneOf::optional("name", &["", "gather_r", "", "gather_g", "", "gather_b", "", "gather_a"]),
);
/// The group that waits for the texel.
pub(crate) const SMP_GROUP: Operand<Agx> = operand(WAIT, Field::at(63, 1), &OneOf::new("name", GROUPS));

/// States that there is a comparison; the registers before imply it.
#[derive(Debug)]
struct Shadow;

impl Kind<Agx> for Shadow {
    fn describe(&self) -> &'static str {
        "whether there is a comparison"
    }

    fn print(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text("shadow");
    }

    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if text.word() == "shadow" && word.get(23, 1) != 0 { Ok(()) } else { Err(expected("shadow", text)) }
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

impl Details<Agx> for Shadow {
    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, _: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        insn.word.get(23, 1) != 0
    }
}

impl Hints<Agx> for Shadow {
    fn decided_by(&self, _: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(1 << 23)
    }
}

/// The reference value of a row's comparison, and the offset of its texels: four bits each, signed.
pub(crate) fn compared(l: &mut AgxLift<'_, '_>, shape: Shape) -> (Option<Value>, Option<Value>) {
    let bits = l.insn.field(COMPARE);
    let (unit, compares, moves) = (bits as u16 & 0xff, bits >> 8 & 1 != 0, bits >> 9 & 1 != 0);
    let compare = compares.then(|| {
        let word = List::of(unit, Size::Word, 1).read(l);
        floats(l, word, Size::Word)
    });
    let offset = moves.then(|| {
        let half = List::of(unit + 2 * u16::from(compares), Size::Half, 1).read(l);
        let packed = l.convert(Convert::ZeroExtend, half, Scalar::I32);
        let down = l.i32(28);
        let parts: Vec<Value> = (0..shape.dim.coordinates())
            .map(|i| {
                let up = l.i32(28 - 4 * i32::from(i));
                let nibble = l.shl(packed, up);
                l.ashr(nibble, down)
            })
            .collect();
        l.join(&parts)
    });
    (compare, offset)
}
