//! What IPA reads.
//!
//! The hardware interpolates attribute / w where the header states *perspective*, so that `IPA.PASS` yields it, and `IPA`
//! multiplies it by a factor for which compilers compute w. The input file holds the attribute itself, as other
//! languages have it.

use super::attributes::component;
use super::{SATURATE, WHERE, interpolation};
use crate::component::{FRONT_FACING, POSITION, RECIPROCAL_W};
use crate::container::sph::Interpolation as Stated;
use crate::drawing::COMPONENTS;
use crate::operand::{AT, B, C, D, MaxwellLift, PT, R, registers};
use crate::registers::ATTRIBUTES;
use crate::role::Interpolation;
use shisa_diag::Diagnostic;
use shisa_ir::{Axis, Convert, FloatRule, Op, Reg, Scalar, Swizzle, Type, Value};

/// Fractional bits of an offset within the pixel.
const OFFSET_BITS: u32 = 12;

/// What the hardware yields for a component before the instruction's own operation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Held {
    /// Nothing: the header has no such input.
    None,
    /// The attribute, as it is.
    Whole,
    /// The attribute divided by w.
    Divided,
    /// All bits where the front of the triangle is visible.
    Front,
}

/// What the hardware yields for a component. A program without a header shows by its instructions how an attribute is
/// interpolated; system values are integers, or vary in space as clip distances do.
fn held(l: &MaxwellLift<'_, '_>, component: u16, how: Interpolation) -> Held {
    let drawing = l.ctx.drawing;
    if drawing.is_some_and(|drawing| !drawing.reads(component)) {
        return Held::None;
    }
    let divided = how == Interpolation::Factor;
    match drawing.and_then(|drawing| drawing.interpolation(component)) {
        _ if component == FRONT_FACING => Held::Front,
        _ if (POSITION..=RECIPROCAL_W).contains(&component) || how == Interpolation::Constant => Held::Whole,
        Some(Stated::Unused) => Held::None,
        Some(Stated::Perspective) => Held::Divided,
        Some(Stated::Constant | Stated::Linear) => Held::Whole,
        None if divided || component >= VARYING_SYSTEM => Held::Divided,
        None => Held::Whole,
    }
}

/// The first component of system values that vary in space: clip distances and the values after them.
const VARYING_SYSTEM: u16 = 0x2c0 / 4;

/// Reads a component of the inputs as bits.
fn input(l: &mut MaxwellLift<'_, '_>, component: u16) -> Value {
    l.read(Reg::new(ATTRIBUTES, component), Swizzle::IDENTITY, Type::I32)
}

/// As a float.
fn float(l: &mut MaxwellLift<'_, '_>, bits: Value) -> Value {
    l.convert(Convert::Bits, bits, Scalar::F32)
}

/// Refuses operands that nothing public describes.
fn refused(l: &mut MaxwellLift<'_, '_>) -> bool {
    let text = if l.insn.field(R) != PT {
        "nothing public describes the predicate of IPA, which compilers leave at PT"
    } else if WHERE.field.get(&l.insn.word) == 3 {
        "this point of interpolation (.INVALID) does not exist"
    } else {
        return false;
    };
    l.refuse(Diagnostic::error("lift-interpolation", text));
    true
}

/// IPA of an attribute that the instruction names.
pub(super) fn fixed(l: &mut MaxwellLift<'_, '_>) {
    let Some(component) = component(l, 1) else { return };
    let how = interpolation(&l.insn.word);
    if refused(l) || !stated(l, &[component]) {
        return;
    }
    let bits = match held(l, component, how) {
        Held::None => l.i32(0),
        Held::Whole => input(l, component),
        Held::Front => {
            let front = input(l, component);
            l.ineg(front)
        }
        Held::Divided => {
            let [value, reciprocal] = [component, RECIPROCAL_W].map(|c| input(l, c));
            divided(l, value, reciprocal)
        }
    };
    finish(l, bits, how);
}

/// Refuses `.SC` without a header that states what the state is.
fn stated(l: &mut MaxwellLift<'_, '_>, components: &[u16]) -> bool {
    let open = interpolation(&l.insn.word) == Interpolation::State
        && components.iter().any(|c| l.ctx.drawing.and_then(|d| d.interpolation(*c)).is_none());
    if open {
        let text = "IPA.SC interpolates as a state determines, and no header states the interpolation";
        l.refuse(Diagnostic::error("lift-interpolation", text));
    }
    !open
}

/// attribute / w.
fn divided(l: &mut MaxwellLift<'_, '_>, value: Value, reciprocal: Value) -> Value {
    let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
    let (value, reciprocal) = (float(l, value), float(l, reciprocal));
    let divided = l.fmul(value, reciprocal);
    l.rule = rule;
    l.convert(Convert::Bits, divided, Scalar::I32)
}

/// IPA of the attribute whose address a register holds.
pub(super) fn indexed(l: &mut MaxwellLift<'_, '_>) {
    let how = interpolation(&l.insn.word);
    let varying: alloc::vec::Vec<u16> = (0..COMPONENTS).filter(|c| held(l, *c, how) != Held::None).collect();
    if refused(l) || !stated(l, &varying) {
        return;
    }
    let (address, two) = (l.src(AT), l.i32(2));
    let index = l.lshr(address, two);
    let swizzle = Swizzle::IDENTITY;
    let mut bits = l.push(Op::ReadAt { file: ATTRIBUTES, base: 0, stride: 1, index, swizzle }, Type::I32);
    let reciprocal = input(l, RECIPROCAL_W);
    let over = divided(l, bits, reciprocal);
    let is_divided = in_set(l, index, |l, c| held(l, c, how) == Held::Divided);
    let is_none = in_set(l, index, |l, c| held(l, c, how) == Held::None);
    bits = l.select(is_divided, over, bits);
    let none = l.i32(0);
    bits = l.select(is_none, none, bits);
    finish(l, bits, how);
}

/// Whether a set has a computed component.
fn in_set(
    l: &mut MaxwellLift<'_, '_>,
    index: Value,
    has: impl Fn(&MaxwellLift<'_, '_>, u16) -> bool,
) -> Value {
    let words: alloc::vec::Vec<u32> = (0..COMPONENTS / 32)
        .map(|word| (0..32).filter(|bit| has(l, 32 * word + bit)).fold(0, |set, bit| set | 1 << bit))
        .collect();
    let (five, last, one) = (l.i32(5), l.i32(31), l.i32(1));
    let number = l.lshr(index, five);
    let mut word = l.i32(0);
    for (n, bits) in (0..).zip(words).filter(|(_, bits)| *bits != 0) {
        let (n, bits) = (l.i32(n), l.i32(bits as i32));
        let here = l.ieq(number, n);
        word = l.select(here, bits, word);
    }
    let bit = l.and(index, last);
    let shifted = l.lshr(word, bit);
    let bit = l.and(shifted, one);
    l.ieq(bit, one)
}

/// Moves the point within the pixel, multiplies by the factor, and writes the result.
fn finish(l: &mut MaxwellLift<'_, '_>, mut bits: Value, how: Interpolation) {
    if WHERE.field.get(&l.insn.word) == 2 && how != Interpolation::Constant {
        bits = moved(l, bits);
    }
    let factor = match how {
        Interpolation::Factor => true,
        Interpolation::State => !flat(l),
        Interpolation::Pass | Interpolation::Constant => false,
    };
    if factor || SATURATE.field.get(&l.insn.word) != 0 {
        let factor = if factor { l.src(B) } else { l.i32(1f32.to_bits() as i32) };
        let (value, factor) = (float(l, bits), float(l, factor));
        let product = l.fmul(value, factor);
        bits = l.convert(Convert::Bits, product, Scalar::I32);
    }
    l.set(D, bits);
}

/// Whether the header has the attribute of `.SC` constant.
fn flat(l: &MaxwellLift<'_, '_>) -> bool {
    let component = crate::operand::fixed_attribute(&l.insn).map(|address| address / 4);
    let stated = component.and_then(|c| l.ctx.drawing?.interpolation(c));
    stated == Some(Stated::Constant)
}

/// The value at an offset from the point: what varies is linear on the screen.
fn moved(l: &mut MaxwellLift<'_, '_>, bits: Value) -> Value {
    let n = l.insn.field(C);
    let offset = registers(l, n, 1);
    let rule = core::mem::replace(&mut l.rule, FloatRule::IEEE);
    let mut value = float(l, bits);
    let first = value;
    for (axis, unused) in [(Axis::X, 32 - OFFSET_BITS), (Axis::Y, 16 - OFFSET_BITS)] {
        let (left, right) = (l.i32(unused as i32), l.i32(32 - OFFSET_BITS as i32));
        let high = l.shl(offset, left);
        let steps = l.ashr(high, right);
        let steps = l.convert(Convert::SignedToFloat, steps, Scalar::F32);
        let step = l.f32(1.0 / (1 << OFFSET_BITS) as f32, 1);
        let distance = l.fmul(steps, step);
        let slope = l.derivative(axis, first);
        value = l.fma(slope, distance, value);
    }
    l.rule = rule;
    l.convert(Convert::Bits, value, Scalar::I32)
}
