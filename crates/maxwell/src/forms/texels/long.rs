//! The long form: one vector of coordinates, one of everything else; the components go to registers in a row.

use super::{
    Vectors, check, chosen, clamp, field, found, has, offsets, read, refuse, shape, shift, texel, texture,
};
use crate::operand::{A, B, D, MaxwellLift, SHAPE, TABLE};
use alloc::vec::Vec;
use shisa_ir::{Lod, TexKind, TexOp, Value};
use shisa_rows::Field;

/// How many registers a vector has.
type Count = fn(&u128) -> u8;

fn vectors(l: &MaxwellLift<'_, '_>, [first, second]: [Count; 2]) -> Vectors {
    let word = l.insn.word;
    Vectors::new(l, [(A, first(&word)), (B, second(&word))])
}

/// Samples a texture.
pub(in crate::forms) fn sample(l: &mut MaxwellLift<'_, '_>, counts: [Count; 2]) {
    long(l, TexKind::Sample, counts);
}

/// Loads a texel.
pub(in crate::forms) fn fetch(l: &mut MaxwellLift<'_, '_>, counts: [Count; 2]) {
    if has(l, "CL") {
        refuse(l, "the effect of .CL is not public");
    }
    long(l, TexKind::Fetch, counts);
}

fn long(l: &mut MaxwellLift<'_, '_>, kind: TexKind, counts: [Count; 2]) {
    let (number, from) = (l.insn.field(SHAPE), vectors(l, counts));
    let op = read(l, kind, number, from);
    let bits = texel(l, op);
    finish(l, bits);
}

/// Gathers the component whose number the field has.
pub(in crate::forms) fn gather(l: &mut MaxwellLift<'_, '_>, component: Field, counts: [Count; 2]) {
    let component = component.get(&l.insn.word) as u8;
    let (number, mut from) = (l.insn.field(SHAPE), vectors(l, counts));
    let kind = TexKind::Gather(component);
    if has(l, "INVALIDBTOFF03") {
        refuse(l, "no kind of offset has this number");
    }
    if !has(l, "PTP") {
        let op = read(l, kind, number, from);
        let bits = texel(l, op);
        return finish(l, bits);
    }
    let shape = shape(l, number);
    let layer = shape.arrayed.then(|| from.bits(l));
    let layer = layer.map(|bits| field(l, bits, 0, 16));
    let coord = from.vector(l, shape.dim.coordinates(), false);
    let texture = texture(l, &mut from);
    let pairs = [from.bits(l), from.bits(l)];
    let compare = has(l, "DC").then(|| from.float(l));
    let op = TexOp { kind, texture, layer, compare, ..TexOp::sample(0, shape, coord, Lod::Zero) };
    let bits = four(l, op, pairs);
    finish(l, bits);
}

/// Each result is the texel that is not below or right of the position, at an offset of its own: a gather's last texel.
fn four(l: &mut MaxwellLift<'_, '_>, op: TexOp, pairs: [Value; 2]) -> Value {
    let places = pairs.into_iter().flat_map(|pair| [(pair, 0), (pair, 16)]);
    let parts: Vec<Value> = places
        .map(|(pair, lo)| {
            let offset = offsets(l, pair, (lo, 6, 8), op.shape.dim.coordinates());
            let op = TexOp { offset: Some(offset), ..op };
            check(l, &op);
            let bits = texel(l, op);
            l.component(bits, 3)
        })
        .collect();
    l.join(&parts)
}

/// Samples a texture with given derivatives. The register after the coordinates holds the layer, above it the offset and the
/// least level. yuzu: with a least level the layer has 12 bits, then come 8 bits of offset, then the level.
pub(in crate::forms) fn gradients(l: &mut MaxwellLift<'_, '_>, counts: [Count; 2]) {
    let (number, mut from) = (l.insn.field(SHAPE), vectors(l, counts));
    let (shape, clamped, shifted) = (shape(l, number), has(l, "LC"), has(l, "AOFFI"));
    let texture = texture(l, &mut from);
    let count = shape.dim.coordinates();
    let coord = from.vector(l, count, false);
    let packed = (shape.arrayed || clamped || shifted).then(|| from.bits(l));
    let each: Vec<[Value; 2]> = (0..count).map(|_| [from.float(l), from.float(l)]).collect();
    let [dx, dy] = [0, 1].map(|i| {
        let parts: Vec<Value> = each.iter().map(|pair| pair[i]).collect();
        l.join(&parts)
    });
    let mut op = TexOp { texture, ..TexOp::sample(0, shape, coord, Lod::Gradient(dx, dy)) };
    if let Some(packed) = packed {
        let layer_bits = if clamped { 12 } else { 16 };
        op.layer = shape.arrayed.then(|| field(l, packed, 0, layer_bits));
        op.least = clamped.then(|| clamp(l, packed, 20));
        if shifted {
            shift(l, &mut op, packed, layer_bits);
        }
        if shifted && clamped && count > 2 {
            refuse(l, "the position of three offsets beside a least level is not public");
        }
    }
    check(l, &op);
    let bits = texel(l, op);
    finish(l, bits);
}

/// Writes the chosen components and the predicate.
fn finish(l: &mut MaxwellLift<'_, '_>, bits: Value) {
    write(l, bits);
    found(l);
}

/// Writes the chosen components to registers in a row.
pub(super) fn write(l: &mut MaxwellLift<'_, '_>, bits: Value) {
    let parts: Vec<Value> = chosen(l.insn.field(TABLE)).map(|i| l.component(bits, i)).collect();
    if !parts.is_empty() {
        let all = l.join(&parts);
        l.set(D, all);
    }
}
