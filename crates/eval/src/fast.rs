//! The loops behind [`Fast`]. Each is bit-equal to `shisa_ir::scalar`, which the tests hold it to.

use crate::{micro::Fast, wave::Plane};
use shisa_ir::WAVE;

/// The NaN that every operation answers with.
const NAN: u32 = 0x7fc0_0000;
const SIGN: u32 = 0x8000_0000;
/// From here on every binary32 number is integral.
const INTEGRAL: f32 = 8_388_608.0;

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// The bits of a result, NaN made canonical.
fn bits(x: f32) -> u32 {
    if x.is_nan() { NAN } else { x.to_bits() }
}

/// The nearest integral number, ties to even, by adding and taking away 2^23: no call, no branch.
/// Larger numbers, infinities and NaN come back as they are.
fn round(x: f32) -> f32 {
    let nearest = (x.abs() + INTEGRAL) - INTEGRAL;
    if x.abs() < INTEGRAL { nearest.copysign(x) } else { x }
}

fn floor(x: f32) -> f32 {
    let r = round(x);
    if r > x { r - 1.0 } else { r }
}

fn ceil(x: f32) -> f32 {
    let r = round(x);
    // A negative number that rounds up to zero keeps its sign.
    if r < x { (r + 1.0).copysign(x) } else { r }
}

fn trunc(x: f32) -> f32 {
    floor(x.abs()).copysign(x)
}

fn saturate(x: f32) -> u32 {
    // Both tests are false for NaN; zero of either sign gives +0.
    if x >= 1.0 {
        1f32.to_bits()
    } else if x > 0.0 {
        x.to_bits()
    } else {
        0
    }
}

/// Minimum when `less(a, b)` means a < b; `tie` decides between equal operands (zeros of two signs).
fn choose(a: u32, b: u32, less: impl Fn(f32, f32) -> bool, tie: impl Fn(u32, u32) -> u32) -> u32 {
    let (x, y) = (float(a), float(b));
    let number = if less(x, y) {
        a
    } else if less(y, x) {
        b
    } else {
        tie(a, b)
    };
    match (x.is_nan(), y.is_nan()) {
        (false, false) => number,
        (true, false) => b,
        (false, true) => a,
        (true, true) => NAN,
    }
}

fn in_binary64(x: u32, f: impl Fn(f64) -> f64) -> u32 {
    bits(f(f64::from(float(x))) as f32)
}

#[inline(always)]
fn map1(dst: &mut Plane, a: &Plane, f: impl Fn(u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l]);
    }
}

#[inline(always)]
fn map2(dst: &mut Plane, a: &Plane, b: &Plane, f: impl Fn(u32, u32) -> u32) {
    for l in 0..WAVE {
        dst.0[l] = f(a.0[l], b.0[l]);
    }
}

/// `dst = op(a, b, c)` in every lane; operations of fewer operands ignore the rest.
#[inline]
pub(crate) fn run(op: Fast, dst: &mut Plane, [a, b, c]: [&Plane; 3]) {
    macro_rules! unary {
        ($f:expr) => {
            map1(dst, a, $f)
        };
    }
    macro_rules! binary {
        ($f:expr) => {
            map2(dst, a, b, $f)
        };
    }
    match op {
        Fast::Copy => *dst = *a,
        Fast::FNeg => unary!(|x| x ^ SIGN),
        Fast::FAbs => unary!(|x| x & !SIGN),
        Fast::FSat => unary!(|x| saturate(float(x))),
        Fast::FFloor => unary!(|x| bits(floor(float(x)))),
        Fast::FCeil => unary!(|x| bits(ceil(float(x)))),
        Fast::FTrunc => unary!(|x| bits(trunc(float(x)))),
        Fast::FRound => unary!(|x| bits(round(float(x)))),
        Fast::FSqrt => unary!(|x| bits(float(x).sqrt())),
        // Rounding twice gives the correctly rounded result for every binary32 operand.
        Fast::FRsqrt => unary!(|x| bits((1.0 / f64::from(float(x)).sqrt()) as f32)),
        Fast::FRcp => unary!(|x| bits(1.0 / float(x))),
        Fast::FExp2 => unary!(|x| in_binary64(x, libm::exp2)),
        Fast::FLog2 => unary!(|x| in_binary64(x, libm::log2)),
        Fast::FSin => unary!(|x| in_binary64(x, libm::sin)),
        Fast::FCos => unary!(|x| in_binary64(x, libm::cos)),
        Fast::FAdd => binary!(|x, y| bits(float(x) + float(y))),
        Fast::FSub => binary!(|x, y| bits(float(x) - float(y))),
        Fast::FMul => binary!(|x, y| bits(float(x) * float(y))),
        Fast::FDiv => binary!(|x, y| bits(float(x) / float(y))),
        Fast::FMin => binary!(|x, y| choose(x, y, |x, y| x < y, |x, y| x | y)),
        Fast::FMax => binary!(|x, y| choose(x, y, |x, y| x > y, |x, y| x & y)),
        Fast::FMinSecond => binary!(|x, y| if float(x) < float(y) { x } else { y }),
        Fast::FMaxSecond => binary!(|x, y| if float(x) > float(y) { x } else { y }),
        Fast::FPow => binary!(|x, y| in_binary64(x, |x| libm::exp2(f64::from(float(y)) * libm::log2(x)))),
        Fast::FEq => binary!(|x, y| (float(x) == float(y)).into()),
        Fast::FNe => binary!(|x, y| (float(x) != float(y)).into()),
        Fast::FLt => binary!(|x, y| (float(x) < float(y)).into()),
        Fast::FLe => binary!(|x, y| (float(x) <= float(y)).into()),
        Fast::INeg => unary!(u32::wrapping_neg),
        Fast::Not => unary!(|x: u32| !x),
        Fast::LogicalNot => unary!(|x| x ^ 1),
        Fast::IAdd => binary!(u32::wrapping_add),
        Fast::ISub => binary!(u32::wrapping_sub),
        Fast::IMul => binary!(u32::wrapping_mul),
        Fast::UMin => binary!(|x, y| x.min(y)),
        Fast::UMax => binary!(|x, y| x.max(y)),
        Fast::SMin => binary!(|x, y| (x as i32).min(y as i32) as u32),
        Fast::SMax => binary!(|x, y| (x as i32).max(y as i32) as u32),
        Fast::And => binary!(|x, y| x & y),
        Fast::Or => binary!(|x, y| x | y),
        Fast::Xor => binary!(|x, y| x ^ y),
        Fast::Shl => binary!(|x, y| if y < 32 { x << (y & 31) } else { 0 }),
        Fast::LShr => binary!(|x, y| if y < 32 { x >> (y & 31) } else { 0 }),
        Fast::AShr => binary!(|x, y| ((x as i32) >> y.min(31)) as u32),
        Fast::IEq => binary!(|x, y| (x == y).into()),
        Fast::INe => binary!(|x, y| (x != y).into()),
        Fast::ULt => binary!(|x, y| (x < y).into()),
        Fast::ULe => binary!(|x, y| (x <= y).into()),
        Fast::SLt => binary!(|x, y| ((x as i32) < y as i32).into()),
        Fast::SLe => binary!(|x, y| (x as i32 <= y as i32).into()),
        Fast::Select => {
            for l in 0..WAVE {
                let mask = 0u32.wrapping_sub(a.0[l] & 1);
                dst.0[l] = (b.0[l] & mask) | (c.0[l] & !mask);
            }
        }
        Fast::FloatToSigned => unary!(|x| float(x) as i32 as u32),
        Fast::FloatToUnsigned => unary!(|x| float(x) as u32),
        Fast::SignedToFloat => unary!(|x| (x as i32 as f32).to_bits()),
        Fast::UnsignedToFloat => unary!(|x| (x as f32).to_bits()),
        Fast::Insert { shift } => binary!(|x, y| x | y << (shift & 31)),
        Fast::Extract { shift, bits } => {
            let mask = u32::MAX >> (32 - u32::from(bits.clamp(1, 32)));
            unary!(|x| (x >> (shift & 31)) & mask);
        }
    }
}
