//! Operand kinds: the meaning of the bits of destinations, sources and samplers. Their text is in `text`.

mod sampler;

pub(crate) use sampler::SamplerKind;

use crate::options::{Index, Offset};
use crate::shape::{Shape, Want, Wants};
use crate::{Agal, Ctx, Dest, RegType, SamplerBits, Source, Yields};
use alloc::format;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, FileKind, Mask, Op, Scalar, Swizzle, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Lift, Line, Operand, Part, Scan, Slot};

/// The destination.
pub(crate) const D: Slot = Slot(0);
/// The first source.
pub(crate) const A: Slot = Slot(1);
/// The second source or the sampler.
pub(crate) const B: Slot = Slot(2);

/// A register that is written, with a mask.
#[derive(Debug)]
pub(crate) struct DestKind;

/// A register that is read, with a swizzle, possibly indexed.
#[derive(Debug)]
pub(crate) struct SourceKind(pub(crate) Shape);

/// An operand of a row, with its shape if it is a source of values.
#[derive(Clone, Copy)]
pub(crate) struct RowOperand {
    pub(crate) operand: Operand<Agal>,
    pub(crate) shape: Option<Shape>,
}

/// The operands of a row.
#[derive(Clone, Copy)]
pub(crate) struct Operands {
    pub(crate) list: &'static [Operand<Agal>],
    pub(crate) shapes: &'static [(Slot, Option<Shape>)],
}

/// The operands with these names.
macro_rules! operands {
    ($($name:ident),*) => {
        $crate::operand::Operands {
            list: &[$($name.operand),*],
            shapes: &[$(($name.operand.slot, $name.shape)),*],
        }
    };
}
pub(crate) use operands;

impl Operands {
    /// What a row with these operands and this result requires of them.
    pub(crate) const fn wants(self, yields: Yields) -> Wants {
        let (mut wants, mut i) = (Wants::NOTHING, 0);
        while i < self.shapes.len() {
            let (slot, shape) = self.shapes[i];
            i += 1;
            if slot.0 == D.0 {
                wants.dest = true;
                continue;
            }
            let want = match shape {
                Some(Shape::Matrix(rows, _)) => {
                    wants.width = rows;
                    Want::Matrix(rows)
                }
                Some(Shape::First(1)) => Want::Scalar,
                Some(Shape::First(n)) => {
                    wants.width = if matches!(yields, Yields::Vector) { n } else { 4 };
                    Want::Vector
                }
                Some(Shape::Each) => Want::Vector,
                Some(Shape::Coordinate) => Want::Coordinate,
                None => Want::Sampler,
            };
            if slot.0 == A.0 {
                wants.a = want;
            } else {
                wants.b = want;
            }
        }
        wants
    }
}

const fn source_a(kind: &'static SourceKind) -> RowOperand {
    let operand = Operand { slot: A, field: crate::token::SOURCE1_FIELD, kind };
    RowOperand { operand, shape: Some(kind.0) }
}

const fn source_b(kind: &'static SourceKind) -> RowOperand {
    let operand = Operand { slot: B, field: crate::token::SOURCE2_FIELD, kind };
    RowOperand { operand, shape: Some(kind.0) }
}

const fn other(slot: Slot, field: Field, kind: &'static dyn Kind<Agal>) -> RowOperand {
    RowOperand { operand: Operand { slot, field, kind }, shape: None }
}

/// A destination.
pub(crate) const DEST: RowOperand = other(D, crate::token::DEST_FIELD, &DestKind);
/// A first source of one value for each component written.
pub(crate) const EACH_A: RowOperand = source_a(&SourceKind(Shape::Each));
/// A second source of one value for each component written.
pub(crate) const EACH_B: RowOperand = source_b(&SourceKind(Shape::Each));
/// A first source of one component.
pub(crate) const SCALAR_A: RowOperand = source_a(&SourceKind(Shape::First(1)));
/// A second source of one component.
pub(crate) const SCALAR_B: RowOperand = source_b(&SourceKind(Shape::First(1)));
/// A first source of three components.
pub(crate) const VEC3_A: RowOperand = source_a(&SourceKind(Shape::First(3)));
/// A second source of three components.
pub(crate) const VEC3_B: RowOperand = source_b(&SourceKind(Shape::First(3)));
/// A first source of four components.
pub(crate) const VEC4_A: RowOperand = source_a(&SourceKind(Shape::First(4)));
/// A second source of four components.
pub(crate) const VEC4_B: RowOperand = source_b(&SourceKind(Shape::First(4)));
/// A matrix of three rows of three.
pub(crate) const MAT33_B: RowOperand = source_b(&SourceKind(Shape::Matrix(3, 3)));
/// A matrix of three rows of four.
pub(crate) const MAT34_B: RowOperand = source_b(&SourceKind(Shape::Matrix(3, 4)));
/// A matrix of four rows of four.
pub(crate) const MAT44_B: RowOperand = source_b(&SourceKind(Shape::Matrix(4, 4)));
/// Texture coordinates.
pub(crate) const COORD_A: RowOperand = source_a(&SourceKind(Shape::Coordinate));
/// A sampler.
pub(crate) const SAMPLER_B: RowOperand = other(B, crate::token::SOURCE2_FIELD, &SamplerKind);

/// The role of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A register that is written.
    Destination,
    /// A register that is read.
    Source,
    /// A texture with its sampling options.
    Sampler,
}

impl Role {
    /// The role of an operand of a row.
    pub fn of(operand: &Operand<Agal>) -> Role {
        let kind: &dyn core::any::Any = operand.kind;
        match (kind.is::<DestKind>(), kind.is::<SamplerKind>()) {
            (true, _) => Role::Destination,
            (_, true) => Role::Sampler,
            _ => Role::Source,
        }
    }
}

/// The destination of an instruction, if its row has one.
pub fn destination(insn: &Insn<Agal>) -> Option<Dest> {
    insn.form().operand(D).map(|_| Dest::of(&insn.word))
}

/// The lift of a row.
pub(crate) type AgalLift<'a, 'c> = Lift<'a, 'c, Agal>;

/// `count` components of register `source`, selected by `swizzle`.
#[inline]
pub(crate) fn read_source(l: &mut AgalLift<'_, '_>, source: Source, swizzle: Swizzle, count: u8) -> Value {
    let index = read_index(l, source);
    read_row(l, source, index, 0, swizzle, count)
}

/// As [`read_source`], for the register `row` after the named one.
#[inline(always)]
fn read_row(
    l: &mut AgalLift<'_, '_>,
    source: Source,
    index: Option<Value>,
    row: u8,
    swizzle: Swizzle,
    count: u8,
) -> Value {
    let ty = Scalar::F32.by(count);
    let kind = source.kind();
    if let Some(index) = index {
        let index = register_at(l, source, index, row);
        return l.push(Op::ReadAt { file: kind.file(), base: 0, stride: 4, index, swizzle }, ty);
    }
    if kind == RegType::INSTANCE {
        // A register of one component: every component of a vector reads it.
        let reg = l.reg(kind.file(), u32::from(source.number()), 1);
        let number = l.read(reg, Swizzle::IDENTITY, ty.with_count(1));
        return l.splat(number, count);
    }
    let units = if kind == RegType::DEPTH { 1 } else { 4 };
    let reg = l.reg(kind.file(), (u32::from(source.number()) + u32::from(row)) * units, units);
    if kind == RegType::DEPTH {
        let depth = l.read(reg, Swizzle::IDENTITY, ty.with_count(1));
        return l.splat(depth, count);
    }
    l.read(reg, swizzle, ty)
}

/// The integer in the index register of an indirect source.
#[inline]
fn read_index(l: &mut AgalLift<'_, '_>, source: Source) -> Option<Value> {
    source.indirect().then(|| read_index_register(l, source))
}

fn read_index_register(l: &mut AgalLift<'_, '_>, source: Source) -> Value {
    let reg = l.reg(source.index_kind().file(), u32::from(source.number()) * 4, 4);
    let at = l.read(reg, Swizzle::splat(source.index_component()), Scalar::F32.by(1));
    let at = match l.ctx.options.index {
        Index::Trunc => at,
        Index::Round => l.fround(at),
        Index::Floor => l.ffloor(at),
    };
    l.convert(Convert::FloatToSigned, at, Scalar::I32)
}

/// The register number that an indirect source selects, clamped to the registers that exist.
fn register_at(l: &mut AgalLift<'_, '_>, source: Source, index: Value, row: u8) -> Value {
    let offset = match l.ctx.options.offset {
        Offset::Unsigned => i32::from(source.offset()),
        Offset::Signed => i32::from(source.offset() as i8),
    };
    let offset = offset + i32::from(row);
    // Only constants may be indexed; for other kinds that exist, the evaluator reads the register.
    let kind = source.kind();
    l.reg(kind.file(), 0, 4);
    let last = kind.count(l.ctx.version, l.ctx.stage).max(1) as i32 - 1;
    // Clamped before the offset is added, so that a large index cannot wrap around.
    let (low, high) = (l.i32(-offset), l.i32(last - offset));
    let index = l.smax(index, low);
    let index = l.smin(index, high);
    let offset = l.i32(offset);
    l.iadd(index, offset)
}

/// The matrix in slot [`B`].
pub(crate) struct Matrix {
    source: Source,
    index: Option<Value>,
}

impl Matrix {
    /// Reads its index, if it has one; all rows share the index.
    pub(crate) fn read(l: &mut AgalLift<'_, '_>) -> Matrix {
        let source = Source(l.insn.word[2]);
        Matrix { source, index: read_index(l, source) }
    }

    /// Some components of a row.
    pub(crate) fn row(&self, l: &mut AgalLift<'_, '_>, row: u8, columns: u8) -> Value {
        read_row(l, self.source, self.index, row, Swizzle::IDENTITY, columns)
    }
}

impl Kind<Agal> for SourceKind {
    fn describe(&self) -> &'static str {
        match self.0 {
            Shape::Each => "source",
            Shape::First(1) => "scalar source",
            Shape::First(3) => "three-component source",
            Shape::First(_) => "four-component source",
            Shape::Matrix(..) => "matrix of consecutive registers",
            Shape::Coordinate => "texture coordinate",
        }
    }

    fn print(&self, op: &Operand<Agal>, insn: &Insn<Agal>, ctx: Ctx<'_>, out: &mut Line<'_>) {
        crate::text::print_source(Source(op.field.get(&insn.word)), ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Agal>,
        word: &mut [u64; 3],
        text: &mut Scan<'_>,
        ctx: Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        crate::text::parse_source(text, ctx).map(|s| op.field.set(word, s.0))
    }

    fn faithful(&self, op: &Operand<Agal>, insn: &Insn<Agal>, _: Ctx<'_>) -> bool {
        crate::text::source_is_faithful(Source(op.field.get(&insn.word)))
    }

    fn read(&self, op: &Operand<Agal>, l: &mut AgalLift<'_, '_>) -> Value {
        let source = Source(op.field.get(&l.insn.word));
        let mask = match self.0 {
            Shape::Each => Dest::of(&l.insn.word).mask(),
            Shape::First(n) | Shape::Matrix(_, n) => Mask::first(n),
            Shape::Coordinate => Mask::first(coordinates(l)),
        };
        let swizzle = source.swizzle().under(mask);
        read_source(l, source, swizzle, mask.count().max(1))
    }
}

impl Details<Agal> for SourceKind {
    fn parts(&self) -> &'static [Part] {
        const {
            &[
                Part::new(0, 16, "register number"),
                Part::new(16, 8, "offset after the index"),
                Part::new(24, 8, "swizzle"),
                Part::new(32, 4, "register kind"),
                Part::new(40, 4, "kind of the index register"),
                Part::new(48, 2, "component of the index register"),
                Part::new(63, 1, "indirect"),
            ]
        }
    }
}

impl Hints<Agal> for SourceKind {}

/// The number of coordinates of a `tex` token's texture.
fn coordinates(l: &AgalLift<'_, '_>) -> u8 {
    SamplerBits(l.insn.word[2]).dim().map_or(2, |d| d.coordinates())
}

impl Kind<Agal> for DestKind {
    fn describe(&self) -> &'static str {
        "destination"
    }

    fn print(&self, _: &Operand<Agal>, insn: &Insn<Agal>, ctx: Ctx<'_>, out: &mut Line<'_>) {
        crate::text::print_dest(Dest::of(&insn.word), ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Agal>,
        word: &mut [u64; 3],
        text: &mut Scan<'_>,
        ctx: Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        crate::text::parse_dest(text, ctx).map(|d| op.field.set(word, u64::from(d.0)))
    }

    fn faithful(&self, _: &Operand<Agal>, insn: &Insn<Agal>, _: Ctx<'_>) -> bool {
        crate::text::dest_is_faithful(Dest::of(&insn.word))
    }

    fn read(&self, _: &Operand<Agal>, l: &mut AgalLift<'_, '_>) -> Value {
        l.refuse(Diagnostic::error("lift-operand", "a destination is not read"));
        l.f32(0.0, 1)
    }

    /// `value` has one component for each bit of the mask, or is one scalar for all of them, or a whole vector of
    /// which the mask selects components; the row's [`crate::Yields`] states which.
    fn write(&self, _: &Operand<Agal>, l: &mut AgalLift<'_, '_>, value: Value) {
        let dest = Dest::of(&l.insn.word);
        let (kind, count) = (dest.kind(), l.ty(value).count);
        let file = crate::files(l.ctx.stage).get(usize::from(kind.0));
        if !file.is_some_and(|f| matches!(f.kind, FileKind::Temp | FileKind::Output)) {
            let name = kind.name(l.ctx.stage).unwrap_or("an unknown register");
            return l.refuse(Diagnostic::error("lift-destination", format!("{name} cannot be written")));
        }
        let width = if kind == RegType::DEPTH || kind == RegType::INSTANCE { 1 } else { 4 };
        let mask = match l.insn.form().attr.yields {
            Yields::Vector => Mask(dest.mask().0 & Mask::first(count).0 & Mask::first(width).0),
            _ => Mask(dest.mask().0 & Mask::first(width).0),
        };
        if mask.0 == 0 {
            return;
        }
        let value = match l.insn.form().attr.yields {
            Yields::Vector => l.swizzle(value, Swizzle::IDENTITY.under(mask), mask.count()),
            Yields::Scalar => l.splat(value, mask.count()),
            Yields::Each => l.swizzle(value, Swizzle::IDENTITY, mask.count()),
        };
        let reg = l.reg(kind.file(), u32::from(dest.number()) * width as u32, u32::from(width));
        l.write(reg, mask, value);
    }
}

impl Details<Agal> for DestKind {
    fn parts(&self) -> &'static [Part] {
        const {
            &[
                Part::new(0, 16, "register number"),
                Part::new(16, 4, "mask"),
                Part::new(24, 4, "register kind"),
            ]
        }
    }
}

impl Hints<Agal> for DestKind {}
