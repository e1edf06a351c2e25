//! Operands of rows that write images.

use super::coordinates::{Coordinates, DIMS};
use super::reference::{Heap, Reference};
use crate::operand::list::List;
use crate::operand::listed::{Either, Half, Listed, Lists};
use crate::operand::memory::FORMATS;
use crate::operand::{A, AgxLift, C, COMPONENTS, D, EXPLICIT, FLAGS, HEAP, SHAPE, Size, X, flag, operand};
use crate::{Agx, Ctx};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Lod, Op, Scalar};
use shisa_rows::{Field, OneOf, Operand, Scan};

/// The registers that an image write stores.
pub(crate) const PIXEL: Operand<Agx> = operand(D, Field::at(9, 6).then(56, 2).then(8, 1), &Listed(Pixel));
/// The offset of a block in the tile.
pub(crate) const BLOCK: Operand<Agx> = operand(D, Field::at(9, 6).then(56, 2), &Listed(Half));
/// The uniforms that hold the address of the heap of image descriptors.
pub(crate) const IMAGE_HEAP: Operand<Agx> = operand(HEAP, Field::at(48, 5), &Listed(Heap));
/// An image.
pub(crate) const IMAGE: Operand<Agx> =
    operand(A, Field::at(32, 6).then(62, 2).then(38, 2), &Listed(Reference { state: "ts", wide: true }));
/// The first register of an image's coordinates.
pub(crate) const IMAGE_COORD: Operand<Agx> = operand(
    C,
    Field::at(16, 6).then(58, 2).then(22, 1).then(47, 1),
    &Listed(Coordinates { dim: IMAGE_DIM.field, explicit: None }),
);
/// The first register of a block's coordinates, if they are stated.
pub(crate) const BLOCK_COORD: Operand<Agx> =
    operand(C, IMAGE_COORD.field, &Listed(Coordinates { dim: IMAGE_DIM.field, explicit: Some(23) }));
/// The level of an image.
pub(crate) const IMAGE_LOD: Operand<Agx> =
    operand(X, Field::at(24, 6).then(60, 2).then(31, 1), &Listed(Either { register_at: 0, halves: 1 }));
/// The shape of an image.
pub(crate) const IMAGE_DIM: Operand<Agx> =
    operand(SHAPE, Field::at(40, 3).then(55, 1), &OneOf::new("name", DIMS));
/// Whether floats are rounded towards zero.
pub(crate) const IMAGE_RTZ: Operand<Agx> = flag(FLAGS[0], 53, &OneOf::optional("name", &["", "rtz"]));
/// Whether the position of a block is stated.
pub(crate) const BLOCK_EXPLICIT: Operand<Agx> =
    flag(EXPLICIT, 23, &OneOf::optional("name", &["", "explicit_coords"]));
/// The format of a block of a tile.
pub(crate) const BLOCK_FORMAT: Operand<Agx> =
    operand(COMPONENTS, Field::at(8, 1).then(64, 3), &OneOf::new("name", FORMATS));

/// Four consecutive registers, whose size the uppermost bit states.
#[derive(Debug)]
struct Pixel;

impl Lists for Pixel {
    fn describe(&self) -> &'static str {
        "four registers"
    }

    fn list(&self, op: &Operand<Agx>, word: u128, _: Ctx) -> Option<List> {
        let bits = op.field.get(&word);
        let size = if bits >> 8 != 0 { Size::Word } else { Size::Half };
        Some(List::of(bits as u16 & 0xff, size, 4))
    }

    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let half = text.rest().trim_start_matches(|c: char| c != 'l' && c != 'h' && c != ',' && c != '_');
        let half = half.starts_with(['l', 'h']);
        let size = if half { Size::Half } else { Size::Word };
        let unit = List::parse_within(List::of(0, size, 4), text)?;
        Ok(u64::from(unit) | u64::from(!half) << 8)
    }
}

/// The level of an image that a row writes.
pub(crate) fn image_level(l: &mut AgxLift<'_, '_>) -> Lod {
    let level = l.src(X);
    match l.nodes.op(level) {
        Op::Const(0) => Lod::Zero,
        _ => Lod::Level(l.convert(Convert::ZeroExtend, level, Scalar::I32)),
    }
}
