//! Levels of detail.

use super::coordinates::{DIMS, coordinates, floats};
use super::sample::SMP_DIM;
use crate::operand::list::{List, ahead};
use crate::operand::listed::{Listed, Lists};
use crate::operand::{AgxLift, DETAIL, SHAPE, Size, X, expected, operand};
use crate::{Agx, Ctx, Syntax};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Convert, Lod, Scalar, Shape, Value};
use shisa_rows::{Details, Field, Hints, Insn, Kind, Line, Operand, Scan};

/// The operand of the level of detail.
pub(crate) const LOD: Operand<Agx> = operand(X, Field::at(24, 6).then(76, 2), &Listed(Level));
/// The source of the level of detail.
pub(crate) const LOD_TYPE: Operand<Agx> = operand(DETAIL, Field::at(52, 4), &LevelType);

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

/// The operand of the level of detail: depending on its type nothing, uniforms, or registers. Mesa writes some types
/// with fewer registers than there are.
#[derive(Debug)]
struct Level;

impl Level {
    /// The registers of a type; `None` for 0 and for undefined types.
    fn of(kind: u64, unit: u16, dim: u64, mesa: bool) -> Option<List> {
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
}

impl Lists for Level {
    fn describe(&self) -> &'static str {
        "level of detail"
    }

    fn beside(&self) -> u128 {
        LOD_TYPE.field.mask::<u128>() | SMP_DIM.field.mask::<u128>()
    }

    fn list(&self, op: &Operand<Agx>, word: u128, ctx: Ctx) -> Option<List> {
        let (kind, dim) = (LOD_TYPE.field.get(&word), SMP_DIM.field.get(&word));
        Self::of(kind, op.field.get(&word) as u16, dim, ctx.syntax == Syntax::Mesa)
    }

    fn print_other(&self, bits: u64, out: &mut Line<'_>) {
        out.dec(bits);
    }

    /// The type follows in the text. Among types with its name, the one that accepts this operand is selected.
    fn parse(
        &self,
        _: &Operand<Agx>,
        word: &mut u128,
        text: &mut Scan<'_>,
        ctx: Ctx,
    ) -> Result<u64, Diagnostic> {
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
            same && Self::of(*kind as u64, unit, dim as u64, mesa) == given
        };
        let Some(kind) = (0..LOD_TYPES.len()).find(fits).filter(|_| given.is_none_or(|l| l.lies_within(256)))
        else {
            return Err(Diagnostic::error("asm-operand", "this type of level takes something else")
                .at_text(text.since(at), "")
                .help("auto_lod takes 0, a gradient registers, the others uniform halves or halves of registers"));
        };
        LOD_TYPE.field.set(word, kind as u64);
        Ok(u64::from(unit))
    }
}

/// The level of detail that a row reads, and the least one; `None` for undefined types. Texel reads have integer
/// levels. Gradients are ordered by coordinate, each along x and then along y.
pub(crate) fn level(l: &mut AgxLift<'_, '_>, shape: Shape, integers: bool) -> Option<(Lod, Option<Value>)> {
    let kind = l.insn.field(DETAIL);
    let list = Level::of(kind, l.insn.field(X) as u16, l.insn.field(SHAPE), false);
    let half = |l: &mut AgxLift<'_, '_>, behind: u16| {
        let list = List { size: Size::Half, count: 1, tail: 0, ..list? };
        let half = List { unit: list.unit + behind, ..list }.read(l);
        Some(match integers {
            true => l.convert(Convert::ZeroExtend, half, Scalar::I32),
            false => floats(l, half, Size::Half),
        })
    };
    let axes = shape.dim.coordinates();
    let gradient = |l: &mut AgxLift<'_, '_>, axis: u8| {
        let list = list?;
        let parts: Vec<Value> = (0..axes)
            .map(|i| {
                let unit = list.unit + 2 * u16::from(2 * i + axis);
                let bits = List { unit, count: 1, tail: 0, ..list }.read(l);
                floats(l, bits, Size::Word)
            })
            .collect();
        Some(l.join(&parts))
    };
    Some(match (kind, integers) {
        (0, true) => (Lod::Zero, None),
        (0, false) => (Lod::Implicit, None),
        (2 | 6, _) => (Lod::Level(half(l, 0)?), None),
        (1 | 5, false) => (Lod::Bias(half(l, 0)?), None),
        (9 | 13, false) => (Lod::Bias(half(l, 0)?), half(l, 1)),
        (4, false) => (Lod::Gradient(gradient(l, 0)?, gradient(l, 1)?), None),
        (12, false) => {
            let least = half(l, 4 * u16::from(axes));
            (Lod::Gradient(gradient(l, 0)?, gradient(l, 1)?), least)
        }
        _ => return None,
    })
}

/// The type of a level of detail, which the level operand has set already.
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

impl Details<Agx> for LevelType {}

impl Hints<Agx> for LevelType {}
