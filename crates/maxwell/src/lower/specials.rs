//! Special registers.

use super::{INDEX, LANE};
use crate::launch::{Launch, Place};
use crate::registers::special::{CLOCKS, special_register, special_value};
use crate::{Drawing, SPECIALS, ShaderStage};
use alloc::{collections::BTreeSet, format, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Sink};
use shisa_ir::{Binding, Builder, Func, Io, Mask, Op, Reg, Scalar, Swizzle, Type, Value, WAVE};

/// Bits of a number of 32 lanes.
const LANE_BITS: i32 = WAVE.trailing_zeros() as i32;

/// The number of `SR_INVOCATION_ID`.
pub(super) const INVOCATION: u16 = 17;
/// The number of `SR_PRIM_TYPE`, and where the number of vertices of a patch is read from.
const PRIMITIVE_KIND: u16 = 16;
const PATCH_VERTICES: Reg = Reg::new(SPECIALS, 29);
/// Vertices of a primitive if nothing states their number.
const TRIANGLE: u8 = 3;
/// The first of three registers with the position in the block, and in the grid.
const THREAD: u16 = 33;
const BLOCK: u16 = 37;

/// Numbers that languages know.
const INPUTS: [(&str, Reg, u8, Binding); 5] = [
    ("patch_vertices", PATCH_VERTICES, 1, Binding::PatchVertices),
    ("invocation", Reg::new(SPECIALS, INVOCATION), 1, Binding::InvocationIndex),
    ("tid", Reg::new(SPECIALS, THREAD), 3, Binding::LocalId),
    ("ctaid", Reg::new(SPECIALS, BLOCK), 3, Binding::GroupId),
    ("index", INDEX, 1, Binding::LocalIndex),
];

/// The inputs that reads of these registers need.
pub(super) fn inputs(read: impl Iterator<Item = (Reg, Range<u16>)>) -> Vec<Io> {
    let mut used = [Mask(0); INPUTS.len()];
    for (reg, units) in read {
        for (mask, (_, first, count, _)) in used.iter_mut().zip(INPUTS).filter(|(_, i)| i.1.file == reg.file)
        {
            for unit in units.clone() {
                if let Some(i) = unit.checked_sub(first.unit).filter(|i| *i < count.into()) {
                    mask.0 |= 1 << i;
                }
            }
        }
    }
    let io = |((name, reg, count, binding), used): ((&'static str, Reg, u8, Binding), Mask)| Io {
        name: name.into(),
        reg,
        scalar: Scalar::I32,
        count,
        used,
        binding,
    };
    INPUTS.into_iter().zip(used).filter(|(_, used)| used.0 != 0).map(io).collect()
}

/// Computes special registers that follow from the thread's position, and replaces those that follow from the launch by
/// constants. Vertices, primitives and pixels have no position, and each is a warp of its own. `vertices` is the number of
/// vertices of a primitive.
///
/// # Errors
/// `translate-special` for each register that shows the time, which languages do not know.
pub(super) fn resolve(
    func: &mut Func,
    launch: &Launch,
    drawing: Option<&Drawing>,
    vertices: Option<u8>,
) -> Result<(), Vec<Diagnostic>> {
    let vertices = vertices.unwrap_or(TRIANGLE).into();
    let drawn = Place { y_direction: 1f32.to_bits(), vertices, ..Place::default() };
    let stage = drawing.map(|d| d.stage);
    let control = stage == Some(ShaderStage::TessellationControl);
    let repeated =
        control || stage == Some(ShaderStage::Geometry) && drawing.is_some_and(|d| d.invocations() > 1);
    let patches = control || stage == Some(ShaderStage::TessellationEvaluation);
    let mut unknown = BTreeSet::new();
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Read { reg, .. } if reg.file == SPECIALS => {
            if CLOCKS.iter().any(|clock| clock.low == reg || clock.high == Some(reg)) {
                unknown.insert(reg.unit);
            }
            match drawing {
                None => value(b, reg.unit, launch),
                // The lanes of a patch are its runs.
                Some(_) if reg == LANE && control => {
                    Some(b.read(Reg::new(SPECIALS, INVOCATION), Swizzle::IDENTITY, Type::I32))
                }
                // Compilers read the number of vertices of a patch from its second byte.
                Some(_) if reg.unit == PRIMITIVE_KIND && patches => {
                    let (count, bits) = (b.read(PATCH_VERTICES, Swizzle::IDENTITY, Type::I32), b.i32(8));
                    Some(b.shl(count, bits))
                }
                Some(_) if reg == LANE || repeated && reg.unit == INVOCATION => None,
                Some(_) => {
                    let bits = u8::try_from(reg.unit).map_or(0, |n| special_value(n, launch, &drawn));
                    Some(b.constant(Type::I32, bits.into()))
                }
            }
        }
        _ => None,
    });
    let mut faults = Sink::new(unknown.len());
    for number in unknown {
        let name = u8::try_from(number).ok().and_then(special_register).map_or("", |s| s.name);
        let text = format!("special register {name} has no counterpart in other languages");
        faults.push(Diagnostic::error("translate-special", text));
    }
    if faults.errors() > 0 { Err(faults.finish()) } else { Ok(()) }
}

/// The value of register `n`; `None` for a register that is an input.
fn value(b: &mut Builder<'_>, n: u16, launch: &Launch) -> Option<Value> {
    if (THREAD..THREAD + 3).contains(&n) || (BLOCK..BLOCK + 3).contains(&n) {
        return None;
    }
    let number = u8::try_from(n).ok()?;
    Some(match n {
        0 => lane(b),
        // SR_VIRTID: the lane, and the warp's number from bit 8 on.
        3 => {
            let (lane, index) = (lane(b), b.read(INDEX, Swizzle::IDENTITY, Type::I32));
            let (bits, at) = (b.i32(LANE_BITS), b.i32(8));
            let warp = b.lshr(index, bits);
            let warp = b.shl(warp, at);
            b.or(lane, warp)
        }
        // SR_TID: all three components.
        32 => {
            let mut all = b.read(Reg::new(SPECIALS, THREAD), Swizzle::IDENTITY, Type::I32);
            for (unit, at) in [(THREAD + 1, 16), (THREAD + 2, 26)] {
                let part = b.read(Reg::new(SPECIALS, unit), Swizzle::IDENTITY, Type::I32);
                let at = b.i32(at);
                let part = b.shl(part, at);
                all = b.or(all, part);
            }
            all
        }
        // Masks of lanes: this one, those below, both, those above, and those above with this one.
        56..=60 => {
            let (lane, one) = (lane(b), b.i32(1));
            let own = b.shl(one, lane);
            let below = b.isub(own, one);
            match n {
                56 => own,
                57 => below,
                58 => b.or(own, below),
                59 => {
                    let rest = b.or(own, below);
                    b.not(rest)
                }
                _ => b.not(below),
            }
        }
        _ => {
            let bits = special_value(number, launch, &Place::default());
            b.constant(Type::I32, bits.into())
        }
    })
}

/// The thread's number in its warp.
fn lane(b: &mut Builder<'_>) -> Value {
    let (index, last) = (b.read(INDEX, Swizzle::IDENTITY, Type::I32), b.i32(WAVE as i32 - 1));
    b.and(index, last)
}
