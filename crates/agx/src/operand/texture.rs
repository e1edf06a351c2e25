//! Operands of texture and image rows.

use super::fragment::{Either, within};
use super::list::{List, ahead, number};
use super::memory::{FORMATS, GROUPS, MASKS, Masked, named};
use super::{
    A, AgxLift, B, C, COMPARE, COMPONENTS, D, DETAIL, FLAGS, GATHERED, HEAP, SHAPE, Size, WAIT, X, exactly,
    expected, flag, operand, read_units,
};
use crate::{Agx, Ctx, Revision, Syntax};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Dim, Scalar, Value};
use shisa_rows::{Field, Insn, Kind, Line, OneOf, Operand, Registers, Scan, Word};

/// The registers that a texture read writes.
pub(crate) const SAMPLED: Operand<Agx> = operand(
    D,
    Field::at(9, 6).then(72, 2).then(8, 1),
    &Masked { size: 8, mask: SMP_MASK.field, written: true },
);
/// The uniforms that hold the address of the heap of texture descriptors.
pub(crate) const SMP_HEAP: Operand<Agx> = operand(HEAP, Field::at(64, 5), &Heap);
/// A texture.
pub(crate) const TEXTURE: Operand<Agx> =
    operand(A, Field::at(32, 6).then(78, 2).then(38, 2), &Reference { state: "ts", wide: true });
/// A sampler.
pub(crate) const SAMPLER: Operand<Agx> =
    operand(B, Field::at(56, 6).then(92, 2).then(62, 1), &Reference { state: "ss", wide: false });
/// The first register of the coordinates.
pub(crate) const COORD: Operand<Agx> = operand(
    C,
    Field::at(16, 6).then(74, 2).then(22, 1).then(47, 1),
    &Coordinates { dim: SMP_DIM.field, explicit: None },
);
/// What the level of detail comes from.
pub(crate) const LOD: Operand<Agx> = operand(X, Field::at(24, 6).then(76, 2), &Level);
/// What is compared with, and offsets.
pub(crate) const COMPARED: Operand<Agx> =
    operand(COMPARE, Field::at(80, 6).then(94, 2).then(23, 1).then(91, 1), &Comparison);
/// Whether there is a comparison.
pub(crate) const SHADOW: Operand<Agx> = operand(FLAGS[0], Field::NONE, &Shadow);
/// Whether the level is asked for, and not a texel.
pub(crate) const QUERY_LOD: Operand<Agx> = flag(FLAGS[1], 31, &OneOf::optional("name", &["", "query_lod"]));
/// Whether the texture is written, too.
pub(crate) const READ_WRITE: Operand<Agx> = flag(FLAGS[2], 43, &OneOf::optional("name", &["", "rw"]));
/// Whether several dies see one content.
pub(crate) const MULTI_DIE: Operand<Agx> = flag(FLAGS[3], 44, &OneOf::optional("name", &["", "coherent"]));
/// Whether it is told if the texels are there.
pub(crate) const SPARSE: Operand<Agx> = flag(FLAGS[4], 70, &OneOf::optional("name", &["", "sparse"]));
/// Whether helpers end.
pub(crate) const SMP_KILL: Operand<Agx> = flag(FLAGS[5], 69, &OneOf::optional("name", &["", "kill"]));
/// The shape of the texture.
pub(crate) const SMP_DIM: Operand<Agx> =
    operand(SHAPE, Field::at(40, 3).then(71, 1), &OneOf::new("name", DIMS));
/// The components that are written.
pub(crate) const SMP_MASK: Operand<Agx> = operand(COMPONENTS, Field::at(48, 4), &OneOf::new("name", MASKS));
/// Where the level of detail comes from.
pub(crate) const LOD_TYPE: Operand<Agx> = operand(DETAIL, Field::at(52, 4), &LevelType);
/// The component that is gathered from four texels.
pub(crate) const GATHER: Operand<Agx> = operand(
    GATHERED,
    Field::at(87, 4),
    &OneOf::optional("name", &["", "gather_r", "", "gather_g", "", "gather_b", "", "gather_a"]),
);
/// The group that waits for the texel.
pub(crate) const SMP_GROUP: Operand<Agx> = operand(WAIT, Field::at(63, 1), &OneOf::new("name", GROUPS));

/// The registers that an image write stores.
pub(crate) const PIXEL: Operand<Agx> = operand(D, Field::at(9, 6).then(56, 2).then(8, 1), &Pixel);
/// The offset of a block in the tile.
pub(crate) const BLOCK: Operand<Agx> = operand(D, Field::at(9, 6).then(56, 2), &Half);
/// The uniforms that hold the address of the heap of image descriptors.
pub(crate) const IMAGE_HEAP: Operand<Agx> = operand(HEAP, Field::at(48, 5), &Heap);
/// An image.
pub(crate) const IMAGE: Operand<Agx> =
    operand(A, Field::at(32, 6).then(62, 2).then(38, 2), &Reference { state: "ts", wide: true });
/// The first register of an image's coordinates.
pub(crate) const IMAGE_COORD: Operand<Agx> = operand(
    C,
    Field::at(16, 6).then(58, 2).then(22, 1).then(47, 1),
    &Coordinates { dim: IMAGE_DIM.field, explicit: None },
);
/// The first register of a block's coordinates, where they are given.
pub(crate) const BLOCK_COORD: Operand<Agx> =
    operand(C, IMAGE_COORD.field, &Coordinates { dim: IMAGE_DIM.field, explicit: Some(23) });
/// The level of an image.
pub(crate) const IMAGE_LOD: Operand<Agx> =
    operand(X, Field::at(24, 6).then(60, 2).then(31, 1), &Either { register_at: 0, halves: 1 });
/// The shape of an image.
pub(crate) const IMAGE_DIM: Operand<Agx> =
    operand(SHAPE, Field::at(40, 3).then(55, 1), &OneOf::new("name", DIMS));
/// Whether floats are rounded towards zero.
pub(crate) const IMAGE_RTZ: Operand<Agx> = flag(FLAGS[0], 53, &OneOf::optional("name", &["", "rtz"]));
/// Whether the place of a block is given.
pub(crate) const BLOCK_EXPLICIT: Operand<Agx> =
    flag(FLAGS[1], 23, &OneOf::optional("name", &["", "explicit_coords"]));
/// What lies in a block of a tile.
pub(crate) const BLOCK_FORMAT: Operand<Agx> =
    operand(COMPONENTS, Field::at(8, 1).then(64, 3), &OneOf::new("name", FORMATS));

/// A texture state register.
pub(crate) const TEXTURE_STATE: Operand<Agx> = operand(D, Field::at(8, 7), &State("ts"));
/// A sampler state register.
pub(crate) const SAMPLER_STATE: Operand<Agx> = operand(D, Field::at(8, 7), &State("ss"));
/// The uniforms that hold the address of the heap of states.
pub(crate) const STATE_HEAP: Operand<Agx> = operand(A, Field::at(59, 5), &StateHeap);
/// Where in the heap the state lies.
pub(crate) const STATE_OFFSET: Operand<Agx> = operand(B, Field::at(26, 31).then(58, 1), &StateOffset);
/// The group that waits for the state.
pub(crate) const STATE_GROUP: Operand<Agx> = operand(WAIT, Field::at(16, 1), &OneOf::new("name", GROUPS));

const DIMS: &[&str] =
    &["1d", "1d_array", "2d", "2d_array", "2d_ms", "3d", "cube", "cube_array", "2d_ms_array"];
const LOD_TYPES: &[&str] = &[
    "auto_lod",
    "auto_lod_bias",
    "lod_min",
    "",
    "lod_grad",
    "auto_lod_bias",
    "lod_min",
    "",
    "",
    "auto_lod_bias_min",
    "",
    "",
    "lod_grad_min",
    "auto_lod_bias_min",
];

/// How many coordinates a shape has, and how many numbers of 16 bits (layer, sample) behind them.
const fn coordinates(dim: u64) -> (u16, u16) {
    match dim {
        0 => (1, 0),
        1 => (1, 1),
        2 => (2, 0),
        3 | 4 => (2, 1),
        5 | 6 => (3, 0),
        7 => (3, 1),
        _ => (2, 2),
    }
}

/// A numbered register of some state.
#[derive(Debug)]
struct State(&'static str);

impl Kind<Agx> for State {
    fn describe(&self) -> &'static str {
        "state register"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        out.text(self.0);
        out.dec(op.field.get(&insn.word));
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        if !text.eat_str(self.0) {
            return Err(expected(&format!("a state register such as {}0", self.0), text));
        }
        let n = number(text, op.field.width())?;
        op.field.set(word, n);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// The bit that says that there is a heap, the uppermost of the reference behind.
const HEAP_BIT: u32 = 39;

/// Four uniforms with the address of a heap, if there is one.
#[derive(Debug)]
struct Heap;

impl Heap {
    fn list(op: &Operand<Agx>, word: u128) -> Option<List> {
        let unit = op.field.get(&word) as u16 * 4;
        (word.get(HEAP_BIT, 1) != 0).then(|| List { letter: b'u', ..List::of(unit, Size::Double, 1) })
    }
}

impl Kind<Agx> for Heap {
    fn describe(&self) -> &'static str {
        "address of a heap"
    }

    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | 1 << HEAP_BIT)
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        if let Some(list) = Self::list(op, insn.word) {
            list.print(out);
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let n = heap(text, op.field.width())?;
        op.field.set(word, n);
        word.set(HEAP_BIT, 1, 1);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).is_some() || op.field.get(&insn.word) == 0
    }

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).is_some()
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::list(op, insn.word).map(|list| named(list, false))
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        match Self::list(op, l.insn.word) {
            Some(list) => read_units(l, true, list.unit, Size::Double, 1),
            None => l.no_value(),
        }
    }
}

/// Reads four uniforms, of which every fourth half can be the first, as a number of so many bits.
fn heap(text: &mut Scan<'_>, bits: u32) -> Result<u64, Diagnostic> {
    let at = text.pos();
    let unit = List::parse_like(List { letter: b'u', ..List::of(0, Size::Double, 1) }, text)?;
    let n = u64::from(unit / 4);
    if unit % 4 != 0 || n >> bits != 0 {
        let text_of = format!("the address of a heap lies in an even du up to du{}", (2 << bits) - 2);
        return Err(Diagnostic::error("asm-operand", text_of).at_text(text.since(at), ""));
    }
    Ok(n)
}

/// A texture or sampler: by the bits above the number a state register, one whose number a register holds,
/// or, with a heap, a number or the offset that a register of 32 bits holds.
#[derive(Debug)]
struct Reference {
    state: &'static str,
    /// Whether there are two bits above the number.
    wide: bool,
}

impl Reference {
    fn list(op: &Operand<Agx>, word: u128) -> Option<List> {
        let bits = op.field.get(&word);
        let unit = bits as u16 & 0xff;
        match bits >> 8 {
            1 => Some(List::of(unit, Size::Half, 1)),
            3 => Some(List::of(unit, Size::Word, 1)),
            _ => None,
        }
    }
}

impl Kind<Agx> for Reference {
    fn describe(&self) -> &'static str {
        if self.wide { "texture" } else { "sampler" }
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let bits = op.field.get(&insn.word);
        match Self::list(op, insn.word) {
            Some(list) => list.print(out),
            None => {
                out.text(if bits >> 8 == 0 { self.state } else { "" });
                out.dec(bits & 0xff);
            }
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        // A heap before has set its bit.
        let heap = self.wide && word.get(HEAP_BIT, 1) != 0;
        let bits = if heap && text.peek().is_some_and(|b| b.is_ascii_digit()) {
            number(text, 8)? | 2 << 8
        } else if heap {
            u64::from(within(List::of(0, Size::Word, 1), text)?) | 3 << 8
        } else if text.eat_str(self.state) {
            number(text, 8)?
        } else {
            u64::from(within(List::of(0, Size::Half, 1), text)?) | 1 << 8
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).is_none_or(|list| list.lies_within(256))
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::list(op, insn.word).map(|list| named(list, false))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Coordinates from a register on: its number, whether this is their last use, and whether they have 16 bits.
/// Mesa writes the first register only.
#[derive(Debug)]
struct Coordinates {
    dim: Field,
    /// The bit without which there are none, though a register is written.
    explicit: Option<u8>,
}

impl Coordinates {
    /// The registers for a shape.
    fn list(bits: u64, dim: u64) -> List {
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

    fn written(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> List {
        let list = Self::list(op.field.get(&word), self.dim.get(&word));
        let whole = ctx.syntax != Syntax::Mesa && self.given(word);
        if whole { list } else { List { count: 1, tail: 0, ..list } }
    }
}

impl Kind<Agx> for Coordinates {
    fn describe(&self) -> &'static str {
        "coordinates"
    }

    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        let explicit = self.explicit.map_or(0, |bit| 1 << bit);
        Some(op.field.mask::<u128>() | self.dim.mask::<u128>() | explicit)
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        out.text(if op.field.get(&insn.word) >> 8 & 1 != 0 { "^" } else { "" });
        self.written(op, insn.word, ctx).print(out);
    }

    /// Either the first register or as many as the shape has.
    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let last_use = u64::from(text.eat(b'^'));
        let at = text.pos();
        let dim = ahead(text, DIMS);
        let list = List::parse(text)?;
        let half = u64::from(list.size == Size::Half);
        let bits = u64::from(list.unit) | last_use << 8 | half << 9;
        let all = dim.map(|dim| Self::list(bits, dim as u64));
        let one = list.count == 1 && list.tail == 0;
        if list.letter != b'r' || list.size == Size::Double || !list.lies_within(256) {
            return Err(Diagnostic::error("asm-operand", "coordinates are registers of 16 or 32 bits")
                .at_text(text.since(at), ""));
        }
        if !one && all.is_some_and(|all| all != list) {
            return Err(Diagnostic::error("asm-operand", "a texture of this shape has other coordinates")
                .at_text(text.since(at), ""));
        }
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        self.written(op, insn.word, ctx).lies_within(256)
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let list = Self::list(op.field.get(&insn.word), self.dim.get(&insn.word));
        self.given(insn.word).then(|| named(list, false))
    }

    /// As many floats of 32 bits as the texture has coordinates.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let list = Self::list(op.field.get(&l.insn.word), self.dim.get(&l.insn.word));
        let count = coordinates(self.dim.get(&l.insn.word)).0 as u8;
        let bits = read_units(l, false, list.unit, list.size, count);
        if list.size == Size::Word {
            return l.convert(Convert::Bits, bits, Scalar::F32);
        }
        let halves = l.convert(Convert::Bits, bits, Scalar::F16);
        exactly(l, |l| l.convert(Convert::Float, halves, Scalar::F32))
    }
}

/// What the level of detail comes from: by its type nothing, uniforms, or registers. Mesa writes some types
/// with fewer registers than there are.
#[derive(Debug)]
struct Level;

impl Level {
    /// What a type takes; nothing for 0 and for types that do not exist.
    fn list(kind: u64, unit: u16, dim: u64, mesa: bool) -> Option<List> {
        let axes = 2 * coordinates(dim).0;
        let uniform = |count| Some(List { letter: b'u', ..List::of(unit, Size::Half, count) });
        let register = |count| Some(List::of(unit, Size::Half, count));
        match kind {
            1 | 2 => uniform(1),
            9 => uniform(2),
            5 | 6 => register(1),
            13 => register(2),
            4 => Some(List::of(unit, Size::Word, if mesa { 2 } else { axes })),
            12 if mesa => register(5),
            12 => Some(List { tail: 1, ..List::of(unit, Size::Word, axes) }),
            _ => None,
        }
    }

    fn of(op: &Operand<Agx>, word: u128, mesa: bool) -> Option<List> {
        let unit = op.field.get(&word) as u16;
        Self::list(LOD_TYPE.field.get(&word), unit, SMP_DIM.field.get(&word), mesa)
    }
}

impl Kind<Agx> for Level {
    fn describe(&self) -> &'static str {
        "level of detail"
    }

    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | LOD_TYPE.field.mask::<u128>() | SMP_DIM.field.mask::<u128>())
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        match Self::of(op, insn.word, ctx.syntax == Syntax::Mesa) {
            Some(list) => list.print(out),
            None => out.dec(op.field.get(&insn.word)),
        }
    }

    /// The type is written further on. Of those with its name that is meant which takes what is written here.
    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let (name, dim) = (ahead(text, LOD_TYPES), ahead(text, DIMS));
        let (Some(name), Some(dim)) = (name, dim) else {
            return Err(expected("the shape of the texture and the type of the level further on", text));
        };
        let given = if text.eat(b'0') { None } else { Some(List::parse(text)?) };
        let unit = given.map_or(0, |list| list.unit);
        let mesa = ctx.syntax == Syntax::Mesa;
        let fits = |kind: &usize| {
            let same = LOD_TYPES.get(*kind) == LOD_TYPES.get(name);
            same && Self::list(*kind as u64, unit, dim as u64, mesa) == given
        };
        let Some(kind) = (0..LOD_TYPES.len()).find(fits).filter(|_| given.is_none_or(|l| l.lies_within(256)))
        else {
            return Err(Diagnostic::error("asm-operand", "this type of level takes something else")
                .at_text(text.since(at), "")
                .help("auto_lod takes 0, a gradient registers, the others uniform halves or halves of registers"));
        };
        op.field.set(word, u64::from(unit));
        LOD_TYPE.field.set(word, kind as u64);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        match Self::of(op, insn.word, ctx.syntax == Syntax::Mesa) {
            Some(list) => list.lies_within(256),
            None => op.field.get(&insn.word) == 0,
        }
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::of(op, insn.word, false).map(|list| named(list, false))
    }

    /// One number, as a float of 32 bits.
    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        match Self::of(op, l.insn.word, false) {
            Some(List { letter, unit, size: Size::Half, .. }) => {
                let bits = read_units(l, letter == b'u', unit, Size::Half, 1);
                let half = l.convert(Convert::Bits, bits, Scalar::F16);
                exactly(l, |l| l.convert(Convert::Float, half, Scalar::F32))
            }
            _ => l.no_value(),
        }
    }
}

/// The type of a level of detail, which the level has set already.
#[derive(Debug)]
struct LevelType;

impl Kind<Agx> for LevelType {
    fn describe(&self) -> &'static str {
        "type of the level of detail"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        let n = op.field.get(&insn.word);
        match LOD_TYPES.get(n as usize) {
            Some(name) if !name.is_empty() => out.text(name),
            _ => {
                out.byte(b'?');
                out.dec(n);
            }
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let set = LOD_TYPES.get(op.field.get(word) as usize).copied();
        if Some(text.word()) == set { Ok(()) } else { Err(expected("the type of the level of detail", text)) }
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        LOD_TYPES.get(op.field.get(&insn.word) as usize).is_some_and(|name| !name.is_empty())
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// What is compared with (32 bits), offsets (16 bits), both behind each other, or neither, as the bits above
/// the number say.
#[derive(Debug)]
struct Comparison;

impl Comparison {
    fn list(op: &Operand<Agx>, word: u128) -> Option<List> {
        List::word_and_half(op.field.get(&word))
    }
}

impl Kind<Agx> for Comparison {
    fn describe(&self) -> &'static str {
        "what is compared with, and offsets"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        if let Some(list) = Self::list(op, insn.word) {
            list.print(out);
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let shadow = ahead(text, &["shadow"]).is_some();
        let list = List::parse(text)?;
        let kind = match (list.letter, list.size, list.count, list.tail, shadow) {
            (b'r', Size::Word, 1, 0, true) => 1,
            (b'r', Size::Half, 1, 0, false) => 2,
            (b'r', Size::Half, 3, 0, true) => 3,
            _ => {
                let text_of = "a comparison has 32 bits, offsets 16, and both are three halves";
                return Err(Diagnostic::error("asm-operand", text_of).at_text(text.since(at), ""));
            }
        };
        if !list.lies_within(256) {
            return Err(
                Diagnostic::error("asm-operand", "there is no such register").at_text(text.since(at), "")
            );
        }
        op.field.set(word, u64::from(list.unit) | kind << 8);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        match Self::list(op, insn.word) {
            Some(list) => list.lies_within(256),
            None => op.field.get(&insn.word) == 0,
        }
    }

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).is_some()
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Self::list(op, insn.word).map(|list| named(list, false))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Says that there is a comparison; the registers before have told.
#[derive(Debug)]
struct Shadow;

impl Kind<Agx> for Shadow {
    fn describe(&self) -> &'static str {
        "whether there is a comparison"
    }

    fn decided_by(&self, _: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(1 << 23)
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

    fn optional(&self) -> bool {
        true
    }

    fn shown(&self, _: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        insn.word.get(23, 1) != 0
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// Four registers in a row, whose size the uppermost bit tells.
#[derive(Debug)]
struct Pixel;

impl Pixel {
    fn list(op: &Operand<Agx>, word: u128) -> List {
        let bits = op.field.get(&word);
        let size = if bits >> 8 != 0 { Size::Word } else { Size::Half };
        List::of(bits as u16 & 0xff, size, 4)
    }
}

impl Kind<Agx> for Pixel {
    fn describe(&self) -> &'static str {
        "four registers"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        Self::list(op, insn.word).print(out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let half = text.rest().trim_start_matches(|c: char| c != 'l' && c != 'h' && c != ',' && c != '_');
        let half = half.starts_with(['l', 'h']);
        let size = if half { Size::Half } else { Size::Word };
        let unit = within(List::of(0, size, 4), text)?;
        op.field.set(word, u64::from(unit) | u64::from(!half) << 8);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx) -> bool {
        Self::list(op, insn.word).lies_within(256)
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Some(named(Self::list(op, insn.word), false))
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let list = Self::list(op, l.insn.word);
        read_units(l, false, list.unit, list.size, 4)
    }
}

/// A half of a register.
#[derive(Debug)]
struct Half;

impl Half {
    fn list(op: &Operand<Agx>, word: u128) -> List {
        List::of(op.field.get(&word) as u16, Size::Half, 1)
    }
}

impl Kind<Agx> for Half {
    fn describe(&self) -> &'static str {
        "register of 16 bits"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, _: Ctx, out: &mut Line<'_>) {
        Self::list(op, insn.word).print(out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        _: Ctx,
    ) -> Result<(), Diagnostic> {
        let unit = within(List::of(0, Size::Half, 1), text)?;
        op.field.set(word, u64::from(unit));
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Some(named(Self::list(op, insn.word), false))
    }

    fn read(&self, op: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        let list = Self::list(op, l.insn.word);
        read_units(l, false, list.unit, Size::Half, 1)
    }
}

/// The bit that both readings of a store of a state give another meaning: the lowest of the heap's number
/// in Mesa 25.2, in Mesa 26 whether the offset is a number.
const STATE_BIT: u32 = 58;

/// Four uniforms with the address of a heap. Mesa 25.2 takes one more bit of their number from the operand
/// behind.
#[derive(Debug)]
struct StateHeap;

impl StateHeap {
    fn list(op: &Operand<Agx>, word: u128, revision: Revision) -> List {
        let fine = if revision == Revision::Mesa25_2 { word.get(STATE_BIT, 1) } else { 0 };
        let unit = (op.field.get(&word) * 4 + fine * 2) as u16;
        List { letter: b'u', ..List::of(unit, Size::Double, 1) }
    }
}

impl Kind<Agx> for StateHeap {
    fn describe(&self) -> &'static str {
        "address of a heap"
    }

    fn decided_by(&self, op: &Operand<Agx>, _: Ctx) -> Option<u128> {
        Some(op.field.mask::<u128>() | 1 << STATE_BIT)
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        Self::list(op, insn.word, ctx.revision).print(out);
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let n = if ctx.revision == Revision::Mesa25_2 {
            let at = text.pos();
            let unit = List::parse_like(List { letter: b'u', ..List::of(0, Size::Double, 1) }, text)?;
            if unit >= 128 {
                return Err(Diagnostic::error(
                    "asm-operand",
                    "the address of a heap lies in a du up to du63",
                )
                .at_text(text.since(at), ""));
            }
            word.set(STATE_BIT, 1, u64::from(unit / 2));
            u64::from(unit / 4)
        } else {
            heap(text, op.field.width())?
        };
        op.field.set(word, n);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Agx>, _: &Insn<Agx>, _: Ctx) -> bool {
        true
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        Some(named(Self::list(op, insn.word, Revision::Mesa26), false))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// An offset into a heap: a register of 32 bits or, in Mesa 26, a number where the uppermost bit is set.
#[derive(Debug)]
struct StateOffset;

impl StateOffset {
    fn list(op: &Operand<Agx>, word: u128, revision: Revision) -> Option<List> {
        let bits = op.field.get(&word);
        match revision {
            Revision::Mesa25_2 => Some(List::of(bits as u16 & 0xfe, Size::Word, 1)),
            Revision::Mesa26 if bits >> 31 == 0 => Some(List::of(bits as u16 & 0x1ff, Size::Word, 1)),
            Revision::Mesa26 => None,
        }
    }
}

impl Kind<Agx> for StateOffset {
    fn describe(&self) -> &'static str {
        "offset into a heap"
    }

    fn print(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx, out: &mut Line<'_>) {
        match Self::list(op, insn.word, ctx.revision) {
            Some(list) => list.print(out),
            None => out.dec(op.field.get(&insn.word) & 0x7fff_ffff),
        }
    }

    fn parse(
        &self,
        op: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<(), Diagnostic> {
        let old = ctx.revision == Revision::Mesa25_2;
        let bits = if !old && text.peek().is_some_and(|b| b.is_ascii_digit()) {
            number(text, 31)? | 1 << 31
        } else {
            let unit = u64::from(within(List::of(0, Size::Word, 1), text)?);
            // The heap before has set the bit.
            unit | if old { word.get(STATE_BIT, 1) << 31 } else { 0 }
        };
        op.field.set(word, bits);
        Ok(())
    }

    fn faithful(&self, op: &Operand<Agx>, insn: &Insn<Agx>, ctx: Ctx) -> bool {
        let bits = op.field.get(&insn.word);
        let register = bits & 0x7fff_ff01 == 0;
        match ctx.revision {
            Revision::Mesa25_2 => register,
            Revision::Mesa26 => bits >> 31 != 0 || register,
        }
    }

    fn registers(&self, op: &Operand<Agx>, insn: &Insn<Agx>) -> Option<Registers> {
        let list = Self::list(op, insn.word, Revision::Mesa26)?;
        list.lies_within(256).then(|| named(list, false))
    }

    fn read(&self, _: &Operand<Agx>, l: &mut AgxLift<'_, '_>) -> Value {
        l.no_value()
    }
}

/// The shape of the texture that a row reads, if the texture unit knows it.
pub(crate) fn dimension(l: &AgxLift<'_, '_>) -> Option<Dim> {
    match l.insn.field(SHAPE) {
        2 => Some(Dim::D2),
        5 => Some(Dim::D3),
        6 => Some(Dim::Cube),
        _ => None,
    }
}
