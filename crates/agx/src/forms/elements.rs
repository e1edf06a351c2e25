//! Elements of memory: how they lie there, and what they are in registers. Numbers in registers are integers, or
//! floats of 32 bits; those of halves are rounded once more.

use crate::operand::{AgxLift, COMPONENTS, D, SHAPE, Size, as_units, exactly};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Binary, Builder, Convert, FloatRule, NanRule, Op, Round, Scalar, Space, Type, Value};

/// How elements lie in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Integer(Scalar),
    Half,
    /// 0 to 1 in all bits.
    Unsigned(Scalar),
    /// -1 to 1 in all bits.
    Signed(Scalar),
    /// A byte on the curve of sRGB; the fourth element is linear.
    Srgb,
    /// Several in one word.
    Packed(Packing),
}

/// Several elements in a word of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Packing {
    /// Three of ten bits and one of two, 0 to 1.
    Tens,
    /// Positive floats of 11, 11 and 10 bits; whether they are cut off and not rounded.
    Floats(bool),
    /// Three of nine bits with one exponent; whether they are cut off and not rounded.
    Shared(bool),
}

impl Element {
    /// What the row's format says.
    fn of(l: &mut AgxLift<'_, '_>) -> Option<Element> {
        let known = Element::numbered(l.insn.field(SHAPE));
        if known.is_none() {
            l.refuse(Diagnostic::error("lift-format", "this memory format does not exist"));
        }
        known
    }

    /// What a format with this number says.
    fn numbered(format: u64) -> Option<Element> {
        Some(match format {
            0 => Element::Integer(Scalar::I8),
            1 => Element::Integer(Scalar::I16),
            2 => Element::Integer(Scalar::I32),
            3 => Element::Half,
            4 => Element::Unsigned(Scalar::I8),
            5 => Element::Signed(Scalar::I8),
            6 => Element::Unsigned(Scalar::I16),
            7 => Element::Signed(Scalar::I16),
            8 => Element::Packed(Packing::Tens),
            10 => Element::Srgb,
            n @ (12 | 14) => Element::Packed(Packing::Floats(n == 14)),
            n @ (13 | 15) => Element::Packed(Packing::Shared(n == 15)),
            _ => return None,
        })
    }

    /// What one element, or the word that holds several, is in memory.
    fn scalar(self) -> Scalar {
        match self {
            Element::Integer(scalar) | Element::Unsigned(scalar) | Element::Signed(scalar) => scalar,
            Element::Half => Scalar::I16,
            Element::Srgb => Scalar::I8,
            Element::Packed(_) => Scalar::I32,
        }
    }

    /// What the element with this number is.
    fn at(self, i: u64) -> Element {
        match self {
            Element::Srgb if i == 3 => Element::Unsigned(Scalar::I8),
            _ => self,
        }
    }
}

/// Finds the address of the first element, given how many bytes one has.
type Start = fn(&mut AgxLift<'_, '_>, u8) -> Value;

/// The numbers of the chosen elements.
fn chosen(l: &mut AgxLift<'_, '_>) -> impl Iterator<Item = u64> + use<> {
    let mask = l.insn.field(COMPONENTS);
    if mask == 0 {
        l.refuse(Diagnostic::error("lift-mask", "no element is chosen"));
    }
    (0..4).filter(move |i| mask >> i & 1 != 0)
}

/// The address of an element behind the first.
fn behind(l: &mut AgxLift<'_, '_>, start: Value, bytes: u64) -> Value {
    if bytes == 0 {
        return start;
    }
    let ty = l.ty(start);
    let bytes = l.constant(ty, bytes);
    l.iadd(start, bytes)
}

/// Loads the chosen elements into the registers of the row, which have this size.
pub(super) fn load(l: &mut AgxLift<'_, '_>, space: Space, start: Start, size: Size) {
    let mut first = None;
    read(l, size, |l, scalar, offset| {
        let first = *first.get_or_insert_with(|| start(l, scalar.bits() / 8));
        let address = behind(l, first, offset);
        l.load(space, address, scalar.by(1))
    });
}

/// Stores the registers of the row as the chosen elements.
pub(super) fn store(l: &mut AgxLift<'_, '_>, space: Space, start: Start) {
    let mut first = None;
    write(l, |l, offset, v| {
        let bytes = l.ty(v).scalar.bits() / 8;
        let first = *first.get_or_insert_with(|| start(l, bytes));
        let address = behind(l, first, offset);
        l.store(space, address, v);
    });
}

/// Reads the chosen elements into the registers of the row, which have this size. `get` reads what lies so many
/// bytes behind the first element.
pub(super) fn read(
    l: &mut AgxLift<'_, '_>,
    size: Size,
    mut get: impl FnMut(&mut AgxLift<'_, '_>, Scalar, u64) -> Value,
) {
    let Some(element) = Element::of(l) else { return };
    let scalar = element.scalar();
    let bytes = scalar.bits() / 8;
    let chosen: Vec<u64> = chosen(l).collect();
    let mut parts = Vec::new();
    if let Element::Packed(packing) = element {
        let word = get(l, Scalar::I32, 0);
        parts = exactly(l, |l| unpack(l, packing, word).into());
        parts.truncate(chosen.len());
    } else {
        for i in chosen {
            let v = get(l, scalar, u64::from(bytes) * i);
            parts.push(exactly(l, |l| number(l, element.at(i), v, size)));
        }
    }
    let parts: Vec<Value> = parts.into_iter().map(|v| as_units(l, v, size)).collect();
    if !parts.is_empty() {
        let v = l.join(&parts);
        l.set(D, v);
    }
}

/// The first elements of a format, as floats, or as integers of their size. `get` reads what lies so many bytes behind
/// the first.
pub(crate) fn numbers(
    b: &mut Builder<'_>,
    format: u64,
    count: u8,
    mut get: impl FnMut(&mut Builder<'_>, Scalar, u64) -> Value,
) -> Option<Vec<Value>> {
    let element = Element::numbered(format)?;
    if let Element::Packed(packing) = element {
        let word = get(b, Scalar::I32, 0);
        return Some(unpack(b, packing, word).into_iter().take(count.into()).collect());
    }
    let scalar = element.scalar();
    let one = |i| {
        let v = get(b, scalar, u64::from(scalar.bits() / 8) * i);
        number(b, element.at(i), v, Size::Word)
    };
    Some((0..u64::from(count)).map(one).collect())
}

/// Whether the row's format is a word that holds several elements.
pub(super) fn in_words(l: &AgxLift<'_, '_>) -> bool {
    matches!(Element::numbered(l.insn.field(SHAPE)), Some(Element::Packed(_)))
}

/// What the elements of a format are in registers of 32 bits: floats or integers.
pub(crate) fn kind(format: u64) -> Scalar {
    match Element::numbered(format) {
        Some(Element::Integer(_)) => Scalar::I32,
        _ => Scalar::F32,
    }
}

/// Numbers, of this [`kind`], as the first elements of a format: each that is stored, with how many bytes it lies behind
/// the first.
pub(crate) fn packed(b: &mut Builder<'_>, format: u64, numbers: Value) -> Option<Vec<(u64, Value)>> {
    let element = Element::numbered(format)?;
    let bits = match b.ty(numbers).scalar {
        Scalar::F32 => b.convert(Convert::Bits, numbers, Scalar::I32),
        _ => numbers,
    };
    match element {
        Element::Packed(packing) => Some([(0, pack(b, packing, bits))].into()),
        _ => {
            let bytes = u64::from(element.scalar().bits() / 8);
            let count = b.ty(numbers).count;
            let one = |i: u8| {
                let v = b.component(bits, i);
                (bytes * u64::from(i), stored(b, element.at(i.into()), v))
            };
            Some((0..count).map(one).collect())
        }
    }
}

/// Writes the registers of the row as the chosen elements. `put` writes a value so many bytes behind the first
/// element.
pub(super) fn write(l: &mut AgxLift<'_, '_>, mut put: impl FnMut(&mut AgxLift<'_, '_>, u64, Value)) {
    let Some(element) = Element::of(l) else { return };
    let bytes = element.scalar().bits() / 8;
    let values = l.src(D);
    let chosen: Vec<u64> = chosen(l).collect();
    if let Element::Packed(packing) = element {
        let word = exactly(l, |l| pack(l, packing, values));
        return put(l, 0, word);
    }
    for (n, i) in (0..).zip(chosen) {
        let v = l.component(values, n);
        let v = exactly(l, |l| stored(l, element.at(i), v));
        put(l, u64::from(bytes) * i, v);
    }
}

/// What an element is in a register of this size.
fn number(l: &mut Builder<'_>, element: Element, v: Value, size: Size) -> Value {
    match element {
        // As it is, whatever NaN it may be.
        Element::Half if size == Size::Half => v,
        Element::Half => {
            let half = l.convert(Convert::Bits, v, Scalar::F16);
            l.convert(Convert::Float, half, Scalar::F32)
        }
        Element::Unsigned(scalar) => {
            let v = l.convert(Convert::UnsignedToFloat, v, Scalar::F32);
            scaled(l, v, u64::MAX >> (64 - scalar.bits()))
        }
        Element::Signed(scalar) => {
            let v = l.convert(Convert::SignedToFloat, v, Scalar::F32);
            let v = scaled(l, v, u64::MAX >> (65 - scalar.bits()));
            let least = l.f32(-1.0, 1);
            l.fmax(v, least)
        }
        Element::Srgb => {
            let v = number(l, Element::Unsigned(Scalar::I8), v, size);
            linear(l, v)
        }
        _ => v,
    }
}

/// A float divided by a whole number.
fn scaled(l: &mut Builder<'_>, v: Value, by: u64) -> Value {
    let by = l.f32(by as f32, 1);
    l.fdiv(v, by)
}

/// A register as a float of 32 bits.
fn float(l: &mut Builder<'_>, v: Value) -> Value {
    if l.ty(v).scalar == Scalar::I16 {
        let half = l.convert(Convert::Bits, v, Scalar::F16);
        return l.convert(Convert::Float, half, Scalar::F32);
    }
    l.convert(Convert::Bits, v, Scalar::F32)
}

/// What a register becomes in memory.
fn stored(l: &mut Builder<'_>, element: Element, v: Value) -> Value {
    let to = element.scalar();
    match element {
        Element::Half if l.ty(v).scalar == Scalar::I16 => v,
        Element::Half => {
            let v = float(l, v);
            let half = l.convert(Convert::Float, v, Scalar::F16);
            l.convert(Convert::Bits, half, Scalar::I16)
        }
        Element::Unsigned(_) => {
            let v = float(l, v);
            let v = unsigned(l, v, to.bits());
            l.convert(Convert::Truncate, v, to)
        }
        Element::Signed(_) => {
            let v = float(l, v);
            let (least, most) = (l.f32(-1.0, 1), l.f32(1.0, 1));
            l.rule.nan = NanRule::Number;
            let v = l.fmax(v, least);
            let v = l.fmin(v, most);
            let by = l.f32((u64::MAX >> (65 - to.bits())) as f32, 1);
            let v = l.fmul(v, by);
            let v = l.fround(v);
            let v = l.convert(Convert::FloatToSigned, v, Scalar::I32);
            l.convert(Convert::Truncate, v, to)
        }
        Element::Srgb => {
            let v = float(l, v);
            let v = curved(l, v);
            let v = unsigned(l, v, to.bits());
            l.convert(Convert::Truncate, v, to)
        }
        _ => {
            let from = l.ty(v).scalar;
            match from.bits().cmp(&to.bits()) {
                core::cmp::Ordering::Greater => l.convert(Convert::Truncate, v, to),
                core::cmp::Ordering::Less => l.convert(Convert::ZeroExtend, v, to),
                core::cmp::Ordering::Equal => v,
            }
        }
    }
}

/// A float from 0 to 1 in so many bits, rounded; NaN is 0.
fn unsigned(l: &mut Builder<'_>, v: Value, bits: u8) -> Value {
    let v = l.fsat(v);
    let by = l.f32((u64::MAX >> (64 - bits)) as f32, 1);
    let v = l.fmul(v, by);
    let v = l.fround(v);
    l.convert(Convert::FloatToUnsigned, v, Scalar::I32)
}

/// So many bits of a word from a bit on.
fn bits(l: &mut Builder<'_>, word: Value, from: u32, count: u32) -> Value {
    let by = l.i32(from as i32);
    let v = l.lshr(word, by);
    let mask = l.constant(Type::I32, (1 << count) - 1);
    l.and(v, mask)
}

/// A word with bits put in from a bit on.
fn put(l: &mut Builder<'_>, word: Value, v: Value, at: u32) -> Value {
    let by = l.i32(at as i32);
    let v = l.shl(v, by);
    l.or(word, v)
}

/// The elements of a word as floats.
fn unpack(l: &mut Builder<'_>, packing: Packing, word: Value) -> [Value; 4] {
    let one = l.f32(1.0, 1);
    match packing {
        Packing::Tens => [(0, 10), (10, 10), (20, 10), (30, 2)].map(|(from, count)| {
            let v = bits(l, word, from, count);
            let v = l.convert(Convert::UnsignedToFloat, v, Scalar::F32);
            scaled(l, v, (1 << count) - 1)
        }),
        Packing::Floats(_) => {
            let [x, y, z] = [(0, 11), (11, 11), (22, 10)].map(|(from, count)| {
                let v = bits(l, word, from, count);
                let by = l.i32(15 - count as i32);
                let v = l.shl(v, by);
                let v = l.convert(Convert::Truncate, v, Scalar::I16);
                let v = l.convert(Convert::Bits, v, Scalar::F16);
                l.convert(Convert::Float, v, Scalar::F32)
            });
            [x, y, z, one]
        }
        Packing::Shared(_) => {
            let exponent = bits(l, word, 27, 5);
            let scale = power(l, exponent, 103);
            let [x, y, z] = [0, 9, 18].map(|from| {
                let v = bits(l, word, from, 9);
                let v = l.convert(Convert::UnsignedToFloat, v, Scalar::F32);
                l.fmul(v, scale)
            });
            [x, y, z, one]
        }
    }
}

/// Two to the power of a number less 127, to which `more` is added first.
fn power(l: &mut Builder<'_>, n: Value, more: i32) -> Value {
    let (more, by) = (l.i32(more), l.i32(23));
    let n = l.iadd(n, more);
    let n = l.shl(n, by);
    l.convert(Convert::Bits, n, Scalar::F32)
}

/// Registers as the elements of a word. What is not there is 0.
fn pack(l: &mut Builder<'_>, packing: Packing, values: Value) -> Value {
    let count = l.ty(values).count;
    let zero = l.f32(0.0, 1);
    let parts = [0, 1, 2, 3].map(|i| {
        if i >= count {
            return zero;
        }
        let v = l.component(values, i);
        float(l, v)
    });
    let places: &[u32] = match packing {
        Packing::Tens => &[0, 10, 20, 30],
        Packing::Floats(_) => &[0, 11, 22],
        Packing::Shared(_) => &[0, 9, 18],
    };
    let mut word = l.constant(Type::I32, 0);
    let scale = match packing {
        Packing::Shared(cut) => {
            let (exponent, scale) = shared(l, parts, cut);
            word = put(l, word, exponent, 27);
            Some(scale)
        }
        _ => None,
    };
    for (i, (&at, &v)) in places.iter().zip(&parts).enumerate() {
        let v = match packing {
            Packing::Tens => unsigned(l, v, if i < 3 { 10 } else { 2 }),
            Packing::Floats(cut) => short_float(l, v, if i < 2 { 11 } else { 10 }, cut),
            Packing::Shared(cut) => {
                let v = clamped(l, v);
                let v = scale.map_or(v, |scale| l.fmul(v, scale));
                whole(l, v, cut)
            }
        };
        word = put(l, word, v, at);
    }
    word
}

/// A value of the curve of sRGB as a linear one.
fn linear(l: &mut Builder<'_>, v: Value) -> Value {
    let [low, slope, offset, scale, exponent] = [0.04045, 12.92, 0.055, 1.055, 2.4].map(|x| l.f32(x, 1));
    let straight = l.fdiv(v, slope);
    let sum = l.fadd(v, offset);
    let base = l.fdiv(sum, scale);
    let power = l.fpow(base, exponent);
    let below = l.fle(v, low);
    l.select(below, straight, power)
}

/// The other way round.
fn curved(l: &mut Builder<'_>, v: Value) -> Value {
    let v = l.fsat(v);
    let [low, slope, offset, scale, exponent] =
        [0.003_130_8, 12.92, 0.055, 1.055, 1.0 / 2.4].map(|x| l.f32(x, 1));
    let straight = l.fmul(v, slope);
    let power = l.fpow(v, exponent);
    let power = l.fmul(power, scale);
    let power = l.fsub(power, offset);
    let below = l.fle(v, low);
    l.select(below, straight, power)
}

/// A positive float of so many bits, five of them an exponent as a half has it. Negative numbers are 0, and
/// finite ones stay finite.
fn short_float(l: &mut Builder<'_>, v: Value, width: u32, cut: bool) -> Value {
    let drop = 15 - width;
    let (zero, infinity) = (l.f32(0.0, 1), l.f32(f32::INFINITY, 1));
    let number = l.feq(v, v);
    let negative = l.flt(v, zero);
    let v = l.select(negative, zero, v);
    // The half below, with its last bit set where something was cut off: rounding that rounds `v`.
    let rule = core::mem::replace(&mut l.rule, FloatRule { round: Round::Zero, ..FloatRule::IEEE });
    let half = l.convert(Convert::Float, v, Scalar::F16);
    l.rule = rule;
    let back = l.convert(Convert::Float, half, Scalar::F32);
    let inexact = l.fne(back, v);
    let half = l.convert(Convert::Bits, half, Scalar::I16);
    let half = l.convert(Convert::ZeroExtend, half, Scalar::I32);
    let sign = l.constant(Type::I32, 0x7fff);
    let half = l.and(half, sign);
    let by = l.i32(drop as i32);
    let short = if cut {
        l.lshr(half, by)
    } else {
        let (one, none) = (l.i32(1), l.i32(0));
        let sticky = l.select(inexact, one, none);
        let odd = l.or(half, sticky);
        let kept = l.lshr(odd, by);
        let even = l.and(kept, one);
        let almost = l.i32((1 << (drop - 1)) - 1);
        let sum = l.iadd(odd, almost);
        let sum = l.iadd(sum, even);
        l.lshr(sum, by)
    };
    let largest = l.i32(0x7bff >> drop);
    let short =
        l.push(Op::Binary { op: Binary::UMin, rule: FloatRule::IEEE, a: short, b: largest }, Type::I32);
    let (endless, nan) = (l.i32(0x7c00 >> drop), l.i32(0x7e00 >> drop));
    let is_endless = l.feq(v, infinity);
    let short = l.select(is_endless, endless, short);
    l.select(number, short, nan)
}

/// A number that fits elements with one exponent.
fn clamped(l: &mut Builder<'_>, v: Value) -> Value {
    let (zero, most) = (l.f32(0.0, 1), l.f32(65408.0, 1));
    let positive = l.flt(zero, v);
    let v = l.select(positive, v, zero);
    let above = l.flt(most, v);
    l.select(above, most, v)
}

/// A positive number as an integer, cut off or rounded with halves upwards.
fn whole(l: &mut Builder<'_>, v: Value, cut: bool) -> Value {
    let v = if cut {
        v
    } else {
        let half = l.f32(0.5, 1);
        l.fadd(v, half)
    };
    l.convert(Convert::FloatToUnsigned, v, Scalar::I32)
}

/// The exponent that the largest of three numbers needs, and what they are multiplied by under it.
fn shared(l: &mut Builder<'_>, parts: [Value; 4], cut: bool) -> (Value, Value) {
    let [x, y, z] = [0, 1, 2].map(|i| clamped(l, parts[i]));
    let most = l.fmax(x, y);
    let most = l.fmax(most, z);
    let word = l.convert(Convert::Bits, most, Scalar::I32);
    let (by, least) = (l.i32(23), l.i32(111));
    let exponent = l.lshr(word, by);
    let small = l.ult(exponent, least);
    let exponent = l.select(small, least, exponent);
    let exponent = l.isub(exponent, least);
    let scale_of = |l: &mut Builder<'_>, exponent: Value| {
        let zero = l.i32(0);
        let negative = l.isub(zero, exponent);
        power(l, negative, 151)
    };
    let scale = scale_of(l, exponent);
    let largest = l.fmul(most, scale);
    let largest = whole(l, largest, cut);
    let (limit, one) = (l.i32(512), l.i32(1));
    let over = l.ieq(largest, limit);
    let next = l.iadd(exponent, one);
    let exponent = l.select(over, next, exponent);
    (exponent, scale_of(l, exponent))
}
