//! Shapes of textures, and the coordinates of a texel.

use crate::operand::list::{List, ahead};
use crate::operand::listed::Lists;
use crate::operand::{AgxLift, C, SHAPE, Size, exactly, read_units};
use crate::{Agx, Ctx, Syntax};
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Dim, Scalar, Shape, Value};
use shisa_rows::{Field, Line, Operand, Scan, Word};

/// Shapes by number.
pub(super) const DIMS: &[&str] =
    &["1d", "1d_array", "2d", "2d_array", "2d_ms", "3d", "cube", "cube_array", "2d_ms_array"];
/// The shape with samples and without layers.
const MULTISAMPLED: u64 = 4;
/// The number of coordinates of a shape, and of 16-bit numbers (layer, sample) after them.
pub(crate) const COORDINATES: &[(u16, u16)] =
    &[(1, 0), (1, 1), (2, 0), (2, 1), (2, 1), (3, 0), (3, 0), (3, 1), (2, 2)];

/// The same; an undefined shape has the most.
pub(super) fn coordinates(dim: u64) -> (u16, u16) {
    COORDINATES.get(dim as usize).copied().unwrap_or((2, 2))
}

/// Coordinates from a register: its number, whether this is their last use, and whether they have 16 bits. Mesa
/// writes the first register only.
#[derive(Debug)]
pub(super) struct Coordinates {
    pub(super) dim: Field,
    /// The bit without which there are no coordinates, though a register is written.
    pub(super) explicit: Option<u8>,
}

impl Coordinates {
    /// The registers for a shape.
    fn of(bits: u64, dim: u64) -> List {
        let unit = bits as u16 & 0xff;
        let (count, behind) = coordinates(dim);
        if bits >> 9 != 0 {
            List::of(unit, Size::Half, count + behind)
        } else {
            List { tail: behind, ..List::of(unit, Size::Word, count) }
        }
    }

    fn given(&self, word: u128) -> bool {
        self.explicit.is_none_or(|bit| word.get(u32::from(bit), 1) != 0)
    }
}

impl Lists for Coordinates {
    fn describe(&self) -> &'static str {
        "coordinates"
    }

    fn beside(&self) -> u128 {
        self.dim.mask::<u128>() | self.explicit.map_or(0, |bit| 1 << bit)
    }

    fn list(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> Option<List> {
        let list = Self::of(op.field.get(&word), self.dim.get(&word));
        let whole = ctx.syntax != Syntax::Mesa && self.given(word);
        Some(if whole { list } else { List { count: 1, tail: 0, ..list } })
    }

    /// Without coordinates only a layer is used.
    fn touched(&self, op: &Operand<Agx>, word: u128) -> Option<List> {
        let (bits, dim) = (op.field.get(&word), self.dim.get(&word));
        if self.given(word) {
            return Some(Self::of(bits, dim));
        }
        let behind = coordinates(dim).1;
        (behind > 0 && dim != MULTISAMPLED)
            .then(|| List::of((bits as u16 & 0xff) + behind - 1, Size::Half, 1))
    }

    fn print_before(&self, bits: u64, out: &mut Line<'_>) {
        out.text(if bits >> 8 & 1 != 0 { "^" } else { "" });
    }

    /// Either the first register or as many as the shape has.
    fn parse(&self, _: &Operand<Agx>, _: &mut u128, text: &mut Scan<'_>, _: Ctx) -> Result<u64, Diagnostic> {
        let last_use = u64::from(text.eat(b'^'));
        let at = text.pos();
        let dim = ahead(text, DIMS);
        let list = List::parse(text)?;
        let half = u64::from(list.size == Size::Half);
        let bits = u64::from(list.unit) | last_use << 8 | half << 9;
        let all = dim.map(|dim| Self::of(bits, dim as u64));
        let one = list.count == 1 && list.tail == 0;
        let refused = |what| Err(Diagnostic::error("asm-operand", what).at_text(text.since(at), ""));
        if list.letter != b'r' || list.size == Size::Double || !list.lies_within(256) {
            return refused("coordinates are registers of 16 or 32 bits");
        }
        if !one && all.is_some_and(|all| all != list) {
            return refused("a texture of this shape has other coordinates");
        }
        Ok(bits)
    }
}

/// The shape of a row's texture; `None` for undefined shapes.
pub(crate) fn shape(l: &AgxLift<'_, '_>) -> Option<Shape> {
    let (dim, arrayed, multisampled) = match l.insn.field(SHAPE) {
        0 => (Dim::D1, false, false),
        1 => (Dim::D1, true, false),
        2 => (Dim::D2, false, false),
        3 => (Dim::D2, true, false),
        4 => (Dim::D2, false, true),
        5 => (Dim::D3, false, false),
        6 => (Dim::Cube, false, false),
        7 => (Dim::Cube, true, false),
        8 => (Dim::D2, true, true),
        _ => return None,
    };
    Some(Shape { dim, arrayed, multisampled })
}

/// A position in a texture.
pub(crate) struct Place {
    /// As many 32-bit numbers as the shape has coordinates.
    pub(crate) coord: Value,
    /// The layer.
    pub(crate) layer: Option<Value>,
    /// The sample.
    pub(crate) sample: Option<Value>,
}

/// The position that a row reads, of integers or of floats. The coordinates are followed by the sample and then the
/// layer, of 16 bits each.
pub(crate) fn place(l: &mut AgxLift<'_, '_>, shape: Shape, integers: bool) -> Place {
    let list = Coordinates::of(l.insn.field(C), l.insn.field(SHAPE));
    let count = u16::from(shape.dim.coordinates());
    let bits = List { count, tail: 0, ..list }.read(l);
    let coord = match (list.size, integers) {
        (Size::Word, true) => bits,
        (_, true) => l.convert(Convert::ZeroExtend, bits, Scalar::I32),
        (size, false) => floats(l, bits, size),
    };
    let mut behind = list.unit + count * list.size.units();
    let mut next = |l: &mut AgxLift<'_, '_>, there: bool| {
        there.then(|| {
            let half = read_units(l, false, behind, Size::Half, 1);
            behind += 1;
            l.convert(Convert::ZeroExtend, half, Scalar::I32)
        })
    };
    let sample = next(l, shape.multisampled);
    Place { coord, sample, layer: next(l, shape.arrayed) }
}

/// 32-bit floats from the contents of registers.
pub(crate) fn floats(l: &mut AgxLift<'_, '_>, bits: Value, size: Size) -> Value {
    if size == Size::Word {
        return l.convert(Convert::Bits, bits, Scalar::F32);
    }
    let halves = l.convert(Convert::Bits, bits, Scalar::F16);
    exactly(l, |l| l.convert(Convert::Float, halves, Scalar::F32))
}
