//! Elements of memory: their layout, and their values in registers. Numbers in registers are integers, or floats of
//! 32 bits; those of halves are rounded again.

use super::numbers::{curved, float, linear, scaled, unsigned};
use super::packing::{Packing, pack, unpack};
use crate::operand::{AgxLift, COMPONENTS, D, SHAPE, Size, as_units, exactly};
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_ir::{Builder, Convert, NanRule, Scalar, Space, Value};

/// The layout of elements in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    Integer(Scalar),
    Half,
    /// 0 to 1 in all bits.
    Unsigned(Scalar),
    /// -1 to 1 in all bits.
    Signed(Scalar),
    /// An sRGB-encoded byte; the fourth element is linear.
    Srgb,
    /// Several in one word.
    Packed(Packing),
}

impl Element {
    /// The element of the row's format.
    fn of(l: &mut AgxLift<'_, '_>) -> Option<Element> {
        let known = Element::numbered(l.insn.field(SHAPE));
        if known.is_none() {
            l.refuse(Diagnostic::error("lift-format", "this memory format does not exist"));
        }
        known
    }

    /// The element of a format with this number.
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

    /// The memory type of one element, or of the word that holds several.
    fn scalar(self) -> Scalar {
        match self {
            Element::Integer(scalar) | Element::Unsigned(scalar) | Element::Signed(scalar) => scalar,
            Element::Half => Scalar::I16,
            Element::Srgb => Scalar::I8,
            Element::Packed(_) => Scalar::I32,
        }
    }

    /// The element with this number.
    fn at(self, i: u64) -> Element {
        match self {
            Element::Srgb if i == 3 => Element::Unsigned(Scalar::I8),
            _ => self,
        }
    }
}

/// Finds the address of the first element, given how many bytes one has.
type Start = fn(&mut AgxLift<'_, '_>, u8) -> Value;

/// The numbers of the selected elements.
fn chosen(l: &mut AgxLift<'_, '_>) -> impl Iterator<Item = u64> + use<> {
    let mask = l.insn.field(COMPONENTS);
    if mask == 0 {
        l.refuse(Diagnostic::error("lift-mask", "no element is chosen"));
    }
    (0..4).filter(move |i| mask >> i & 1 != 0)
}

/// The address of an element after the first.
fn behind(l: &mut AgxLift<'_, '_>, start: Value, bytes: u64) -> Value {
    if bytes == 0 {
        return start;
    }
    let ty = l.ty(start);
    let bytes = l.constant(ty, bytes);
    l.iadd(start, bytes)
}

/// Loads the selected elements into the registers of the row, which have this size.
pub(super) fn load(l: &mut AgxLift<'_, '_>, space: Space, start: Start, size: Size) {
    let mut first = None;
    read(l, size, |l, scalar, offset| {
        let first = *first.get_or_insert_with(|| start(l, scalar.bits() / 8));
        let address = behind(l, first, offset);
        l.load(space, address, scalar.by(1))
    });
}

/// Stores the registers of the row as the selected elements.
pub(super) fn store(l: &mut AgxLift<'_, '_>, space: Space, start: Start) {
    let mut first = None;
    write(l, |l, offset, v| {
        let bytes = l.ty(v).scalar.bits() / 8;
        let first = *first.get_or_insert_with(|| start(l, bytes));
        let address = behind(l, first, offset);
        l.store(space, address, v);
    });
}

/// Reads the selected elements into the registers of the row, which have this size. `get` reads at a
/// distance in bytes from the first element.
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

/// The first elements of a format, as floats, or as integers of their size. `get` reads at a distance in
/// bytes from the first.
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

/// The kind of a format's elements in registers of 32 bits: floats or integers.
pub(crate) fn kind(format: u64) -> Scalar {
    match Element::numbered(format) {
        Some(Element::Integer(_)) => Scalar::I32,
        _ => Scalar::F32,
    }
}

/// Numbers, of this [`kind`], as the first elements of a format: each stored value, with its distance in bytes from
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

/// Writes the registers of the row as the selected elements. `put` writes a value at a distance
/// in bytes from the first element.
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

/// The value of an element in a register of this size.
fn number(l: &mut Builder<'_>, element: Element, v: Value, size: Size) -> Value {
    match element {
        // Unchanged, whatever NaN it may be.
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

/// The memory value of a register.
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
