//! Arithmetic on vectors.

use super::{EACH, SCALAR, WHOLE, op};
use crate::attributes::{Attributes, Reads, Role};
use crate::operand::{
    A, B, CMP_X, CMP_Y, D, DESCRIPTOR, DEST, DEST_A0, INVERTED_SOURCE1, INVERTED_SOURCE2, PicaLift, SOURCE1,
    SOURCE2, X, Y, masked,
};
use crate::options::Compare67;
use crate::{FLAGS, Pica200};
use shisa_ir::{Convert, Mask, Reg, Scalar, Swizzle, Type, Value};
use shisa_rows::{Form, Operand};

const BINARY: &[Operand<Pica200>] = &[DEST, SOURCE1, SOURCE2, DESCRIPTOR];
const INVERTED: &[Operand<Pica200>] = &[DEST, INVERTED_SOURCE1, INVERTED_SOURCE2, DESCRIPTOR];
const UNARY: &[Operand<Pica200>] = &[DEST, SOURCE1, DESCRIPTOR];

const ALL: Reads = Reads::These(Mask::ALL);
const XY: Reads = Reads::These(Mask::first(2));
const XYZ: Reads = Reads::These(Mask::first(3));
const DOT3: Attributes = WHOLE.reads([XYZ; 3]).exchangeable();
const DOT4: Attributes = WHOLE.exchangeable();
const HOMOGENEOUS: Attributes = WHOLE.reads([XYZ, ALL, ALL]);
const ADDRESS: Attributes = Attributes::new(Role::Address).reads([Reads::Masked(Mask::first(2)); 3]);
/// picasso treats all of the second source as read, although only x and y are.
const COMPARE: Attributes = Attributes::new(Role::Compare).reads([XY, ALL, ALL]);

#[rustfmt::skip]
pub(super) const ROWS: &[Form<Pica200>] = &[
    op("add",  0x00, BINARY, EACH.exchangeable(), add).says("Adds.")
        .examples(&[("add r1, r1, -v0.zyxw, d13", 0x0024_e36f_0221_100d)]),
    op("dp3",  0x01, BINARY, DOT3, dp3).says("Takes the dot product of the first three components.")
        .examples(&[("dp3 r3.x, c0, r2.xyz, d2", 0x0006_8368_0662_0902)]),
    op("dp4",  0x02, BINARY, DOT4, dp4).says("Takes the dot product of all components.")
        .examples(&[("dp4 r2.y, c8, r0, d2", 0x0006_c364_0a42_8802)]),
    op("dph",  0x03, BINARY, HOMOGENEOUS, dph).says("Takes the dot product with 1 in place of the first source's w.")
        .examples(&[("dph r3.w, c0.xyzx, r2, d5", 0x0006_c301_0e62_0905)]),
    op("dst",  0x04, BINARY, WHOLE, dst).says("Makes a distance vector: 1, the product of the y, z of the first source, w of the second.")
        .examples(&[("dst o0.y, c0.y, v0.y, d1", 0x0015_4aa4_1002_0001)]),
    op("ex2",  0x05, UNARY, SCALAR, ex2).says("Raises 2 to the power of the source's x.")
        .examples(&[("ex2 r2.x, -r2.x, d7", 0x0000_0018_1641_2007)]),
    op("lg2",  0x06, UNARY, SCALAR, lg2).says("Takes the base-2 logarithm of the source's x.")
        .examples(&[("lg2 o0.zw, c0.z, d2", 0x0000_1543_1802_0002)]),
    op("litp", 0x07, UNARY, WHOLE, litp).says("Prepares lighting: negative x and w become 0, y is clamped, z is 0; the flags are true where x and w are not negative.")
        .examples(&[("litp o0.yz, -v0, d1", 0x0000_0376_1c00_0001)]),
    op("mul",  0x08, BINARY, EACH.exchangeable(), mul).says("Multiplies.")
        .examples(&[("mul r2.y, c95.z, r2.y, d5", 0x0015_5544_2247_f905)]),
    op("sge",  0x09, BINARY, EACH, sge).says("Gives 1 where the first source is greater or equal, else 0.")
        .examples(&[("sge r5, c4[a0.x], r0, d1", 0x0006_c36f_26aa_4801)]),
    op("slt",  0x0a, BINARY, EACH, slt).says("Gives 1 where the first source is smaller, else 0.")
        .examples(&[("slt o1.zw, v0.zzwz, r0.w, d2", 0x003f_d5c3_2820_0802)]),
    op("flr",  0x0b, UNARY, EACH, flr).says("Rounds down to an integer.")
        .examples(&[("flr r6, c1[a0.x], d1", 0x0000_036f_2eca_1001)]),
    op("max",  0x0c, BINARY, EACH, max).says("Takes the larger; the second source where either is NaN.")
        .examples(&[("max r1, r1.yzxw, -r0.wxzy, d41", 0x0032_6c6f_3221_1829)]),
    op("min",  0x0d, BINARY, EACH, min).says("Takes the smaller; the second source where either is NaN.")
        .examples(&[("min o1.xyz, c95.y, r5, d15", 0x0006_caae_3427_fa8f)]),
    op("rcp",  0x0e, UNARY, SCALAR, rcp).says("Takes the reciprocal of the source's x.")
        .examples(&[("rcp r1, -c0.yxzw, d3", 0x0000_097f_3a22_0003)]),
    op("rsq",  0x0f, UNARY, SCALAR, rsq).says("Takes the reciprocal of the square root of the source's x.")
        .examples(&[("rsq r4.z, r3.x, d6", 0x0000_0002_3e81_3006)]),
    op("mova", 0x12, &[DEST_A0, SOURCE1, DESCRIPTOR], ADDRESS, mova).says("Truncates to integers for the address registers.")
        .examples(&[("mova a0.xy, r0.wzyx, d1", 0x0000_1c8c_4801_0001)]),
    op("mov",  0x13, UNARY, EACH, mov).says("Copies the source.")
        .examples(&[("mov o1.x, r7.x, d4", 0x0000_0008_4c21_7004)]),
    op("dphi", 0x18, INVERTED, HOMOGENEOUS.twin("dph"), dph).says("Takes the dot product with 1 in place of the first source's w.")
        .examples(&[("dphi r0.w, v0.yzxw, -c1, d3", 0x0006_ec61_6200_1083)]),
    op("dsti", 0x19, INVERTED, WHOLE.twin("dst"), dst).says("Makes a distance vector: 1, the product of the y, z of the first source, w of the second.")
        .examples(&[("dsti r1, r0.yxwz, -c0, d1", 0x0006_e9cf_6624_1001)]),
    op("sgei", 0x1a, INVERTED, EACH.twin("sge"), sge).says("Gives 1 where the first source is greater or equal, else 0.")
        .examples(&[("sgei r1, r0.wzyx, -c0, d1", 0x0006_fc8f_6a24_1001)]),
    op("slti", 0x1b, INVERTED, EACH.twin("slt"), slt).says("Gives 1 where the first source is smaller, else 0.")
        .examples(&[("slti r5.zw, r0, c4[a0.y], d7", 0x0006_c363_6eb4_1207)]),
    Form::new("cmp", 0x2e << 26, 0xf800_0000, &[SOURCE1, CMP_X, CMP_Y, SOURCE2, DESCRIPTOR], COMPARE, cmp)
        .says("Compares the x and the y components for the two flags.")
        .examples(&[("cmp r0.wwwy, gt, gt, r3.x, d8", 0x0000_1fa0_bc81_0988)]),
];

fn add(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let sum = l.fadd(a, b);
    l.set(D, sum);
}

fn mul(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let product = l.fmul(a, b);
    l.set(D, product);
}

fn dp3(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let (a, b) = (l.swizzle(a, Swizzle::IDENTITY, 3), l.swizzle(b, Swizzle::IDENTITY, 3));
    let dot = l.fdot(a, b);
    l.set(D, dot);
}

fn dp4(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let dot = l.fdot(a, b);
    l.set(D, dot);
}

fn dph(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let [x, y, z] = [0, 1, 2].map(|i| l.component(a, i));
    let one = l.f32(1.0, 1);
    let a = l.join(&[x, y, z, one]);
    let dot = l.fdot(a, b);
    l.set(D, dot);
}

fn dst(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let (ay, by) = (l.component(a, 1), l.component(b, 1));
    let (one, y, z, w) = (l.f32(1.0, 1), l.fmul(ay, by), l.component(a, 2), l.component(b, 3));
    let distance = l.join(&[one, y, z, w]);
    l.set(D, distance);
}

/// The largest lighting exponent of the hardware.
const EXPONENT: f32 = 127.996_09;

fn litp(l: &mut PicaLift<'_, '_>) {
    let a = l.src(A);
    let [x, y, w] = [0, 1, 3].map(|i| l.component(a, i));
    let (zero, top, bottom) = (l.f32(0.0, 1), l.f32(EXPONENT, 1), l.f32(-EXPONENT, 1));
    let flags = [x, w].map(|v| l.fle(zero, v));
    let (x, w, y) = (l.fmax(x, zero), l.fmax(w, zero), l.fmin(y, top));
    let y = l.fmax(y, bottom);
    let lit = l.join(&[x, y, zero, w]);
    let flags = l.join(&flags);
    l.set(D, lit);
    l.write(Reg::new(FLAGS, 0), Mask::first(2), flags);
}

/// The x component of the first source.
fn first(l: &mut PicaLift<'_, '_>) -> Value {
    let a = l.src(A);
    l.component(a, 0)
}

fn ex2(l: &mut PicaLift<'_, '_>) {
    let x = first(l);
    let power = l.fexp2(x);
    l.set(D, power);
}

fn lg2(l: &mut PicaLift<'_, '_>) {
    let x = first(l);
    let logarithm = l.flog2(x);
    l.set(D, logarithm);
}

fn rcp(l: &mut PicaLift<'_, '_>) {
    let x = first(l);
    let reciprocal = l.frcp(x);
    l.set(D, reciprocal);
}

fn rsq(l: &mut PicaLift<'_, '_>) {
    let x = first(l);
    let root = l.frsqrt(x);
    l.set(D, root);
}

fn flr(l: &mut PicaLift<'_, '_>) {
    let a = masked(l, A);
    let whole = l.ffloor(a);
    l.set(D, whole);
}

fn max(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let larger = l.fmax(a, b);
    l.set(D, larger);
}

fn min(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let smaller = l.fmin(a, b);
    l.set(D, smaller);
}

/// 1 where `cond` holds, else 0.
fn truth(l: &mut PicaLift<'_, '_>, cond: Value) -> Value {
    let count = l.ty(cond).count;
    let (one, zero) = (l.f32(1.0, count), l.f32(0.0, count));
    l.select(cond, one, zero)
}

fn sge(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let cond = l.fle(b, a);
    let value = truth(l, cond);
    l.set(D, value);
}

fn slt(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (masked(l, A), masked(l, B));
    let cond = l.flt(a, b);
    let value = truth(l, cond);
    l.set(D, value);
}

fn mov(l: &mut PicaLift<'_, '_>) {
    let a = masked(l, A);
    l.set(D, a);
}

fn mova(l: &mut PicaLift<'_, '_>) {
    let a = masked(l, A);
    let whole = l.convert(Convert::FloatToSigned, a, Scalar::I32);
    l.set(D, whole);
}

fn cmp(l: &mut PicaLift<'_, '_>) {
    let (a, b) = (l.src(A), l.src(B));
    let reserved = u64::from(l.ctx.cmp_6_7 == Compare67::Always);
    let [x, y] = [(X, 0), (Y, 1)].map(|(slot, i)| {
        let (a, b) = (l.component(a, i), l.component(b, i));
        match l.insn.field(slot) {
            0 => l.feq(a, b),
            1 => l.fne(a, b),
            2 => l.flt(a, b),
            3 => l.fle(a, b),
            4 => l.flt(b, a),
            5 => l.fle(b, a),
            _ => l.constant(Type::BOOL, reserved),
        }
    });
    let flags = l.join(&[x, y]);
    l.write(Reg::new(FLAGS, 0), Mask::first(2), flags);
}
