//! Kernels: the function of one lane of each instruction, and the loop over lanes that is made from it.

use crate::fast;
use crate::float24;
use crate::host::Level;
use crate::memory::{Chunk, LANES, Operand, Slabs};
use shisa_ir::scalar::sinc;
use shisa_ir::scalar::word::{
    SIGN, bits, ceil, choose, float, floor, flush, from_half, fused, fused_half, in_binary64, mul_zero,
    round, saturate, select, to_half, trunc,
};

/// Declares kernels with their functions: an enumeration, and a function that runs a kernel over slabs.
macro_rules! kernels {
    ($(#[$doc:meta])* $set:ident, $run:ident, $map:ident, $count:literal, $args:pat_param => $($name:ident = $result:expr;)+) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum $set { $($name),+ }

        /// Runs a kernel over the slabs.
        #[inline(always)]
        pub(crate) fn $run<L: Level>(
            kernel: $set,
            slabs: &mut Slabs<'_>,
            dst: Operand,
            args: [Operand; $count],
        ) {
            match kernel { $($set::$name => slabs.$map(dst, args, |$args| $result),)+ }
        }
    };
}

kernels! {
    /// Of one operand.
    One, run_one, map1, 1, [x] =>
    Copy = x;
    Flush = flush(x);
    FNeg = x ^ SIGN;
    FAbs = x & !SIGN;
    FSat = saturate(float(x));
    FFloor = bits(floor(float(x)));
    FCeil = bits(ceil(float(x)));
    FTrunc = bits(trunc(float(x)));
    FRound = bits(round(float(x)));
    FSqrt = bits(float(x).sqrt());
    // Rounding twice yields the correctly rounded result for every binary32 operand.
    FRsqrt = bits((1.0 / f64::from(float(x)).sqrt()) as f32);
    FRcp = bits(1.0 / float(x));
    FExp2 = in_binary64(x, libm::exp2);
    FLog2 = in_binary64(x, libm::log2);
    FSin = in_binary64(x, libm::sin);
    FCos = in_binary64(x, libm::cos);
    FSinc = in_binary64(x, sinc);
    INeg = x.wrapping_neg();
    Not = !x;
    NotBit = x ^ 1;
    PopCount = x.count_ones();
    LeadingZeros = x.leading_zeros();
    ReverseBits = x.reverse_bits();
    FloatToSigned = float(x) as i32 as u32;
    FloatToUnsigned = float(x) as u32;
    SignedToFloat = (x as i32 as f32).to_bits();
    UnsignedToFloat = (x as f32).to_bits();
    SignExtend8 = x as u8 as i8 as u32;
    SignExtend16 = x as u16 as i16 as u32;
    FromHalf = from_half(x);
    ToHalf = to_half(x);
    Flush24 = float24::flush(x);
    UnsignedZero = float24::unsigned_zero(x);
    Rcp24 = float24::reciprocal(x);
    Floor24 = float24::floor(x);
    Exp24 = float24::power_of_two(x);
    Log24 = float24::logarithm(x);
    FastRsqrt = bits(1.0 / float(x).sqrt());
    FastExp2 = fast::power_of_two::<L>(x);
    FastLog2 = fast::logarithm::<L>(x);
    FastSin = fast::sine::<L>(x, false);
    FastCos = fast::sine::<L>(x, true);
}

kernels! {
    /// Of two operands.
    Two, run_two, map2, 2, [x, y] =>
    FAdd = bits(float(x) + float(y));
    FSub = bits(float(x) - float(y));
    FMul = bits(float(x) * float(y));
    FMulZero = mul_zero(x, y);
    FDiv = bits(float(x) / float(y));
    FMinSecond = if float(x) < float(y) { x } else { y };
    FMaxSecond = if float(x) > float(y) { x } else { y };
    FMin = choose(x, y, |x, y| x < y, |x, y| x | y);
    FMax = choose(x, y, |x, y| x > y, |x, y| x & y);
    FEq = (float(x) == float(y)).into();
    FNe = (float(x) != float(y)).into();
    FLt = (float(x) < float(y)).into();
    FLe = (float(x) <= float(y)).into();
    IAdd = x.wrapping_add(y);
    ISub = x.wrapping_sub(y);
    IMul = x.wrapping_mul(y);
    UMulHi = ((u64::from(x) * u64::from(y)) >> 32) as u32;
    SMulHi = ((i64::from(x as i32) * i64::from(y as i32)) >> 32) as u32;
    UMin = x.min(y);
    UMax = x.max(y);
    SMin = (x as i32).min(y as i32) as u32;
    SMax = (x as i32).max(y as i32) as u32;
    And = x & y;
    Or = x | y;
    Xor = x ^ y;
    Shl = if y < 32 { x << (y & 31) } else { 0 };
    LShr = if y < 32 { x >> (y & 31) } else { 0 };
    AShr = ((x as i32) >> y.min(31)) as u32;
    IEq = (x == y).into();
    INe = (x != y).into();
    ULt = (x < y).into();
    ULe = (x <= y).into();
    SLt = ((x as i32) < y as i32).into();
    SLe = (x as i32 <= y as i32).into();
    Add24 = float24::add(x, y);
    Sub24 = float24::add(x, y ^ SIGN);
    Mul24 = float24::mul::<L>(x, y);
    MulZero24 = float24::mul_zero::<L>(x, y);
}

kernels! {
    /// Of three operands.
    Three, run_three, map3, 3, [x, y, z] =>
    Select = select(x, y, z);
    Fma = fused(float(x), float(y), float(z));
    FmaHalf = fused_half(x, y, z);
    MulAdd = bits(float(bits(float(x) * float(y))) + float(z));
    MulAddZero = bits(float(mul_zero(x, y)) + float(z));
    MulAddZero24 = float24::add(float24::mul_zero::<L>(x, y), z);
    FastMulAdd = L::multiply_add(float(x), float(y), float(z)).to_bits();
    FastMulAddZero = fast::multiply_add_zero::<L>(x, y, z);
}

/// How the steps of a sum of products are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sum {
    /// IEEE products.
    Plain,
    /// Zero times infinity is zero.
    Zero,
    /// As [`Sum::Zero`], in float24.
    Zero24,
    /// As [`Sum::Plain`] and [`Sum::Zero`], without rounding each product.
    Fast,
    FastZero,
}

/// The sum of `start` and `N` products, from the first to the last.
#[inline(always)]
pub(crate) fn run_dot<L: Level, const N: usize>(
    kernel: Sum,
    slabs: &mut Slabs<'_>,
    dst: Operand,
    start: Option<Operand>,
    args: [[Operand; N]; 2],
) {
    let add = |x, y| bits(float(x) + float(y));
    let mul = |x, y| bits(float(x) * float(y));
    match kernel {
        Sum::Plain => {
            sum(slabs, dst, start, args, &Steps { first: mul, next: |sum, x, y| add(sum, mul(x, y)) })
        }
        Sum::Zero => sum_or_exact(
            slabs,
            (dst, start, args),
            &Steps { first: mul, next: |sum, x, y| add(sum, mul(x, y)) },
            &Steps { first: mul_zero, next: |sum, x, y| add(sum, mul_zero(x, y)) },
        ),
        Sum::Zero24 => {
            let (mul, mul_zero) = (float24::mul::<L>, float24::mul_zero::<L>);
            sum_or_exact(
                slabs,
                (dst, start, args),
                &Steps { first: mul, next: |sum, x, y| float24::add(sum, mul(x, y)) },
                &Steps { first: mul_zero, next: |sum, x, y| float24::add(sum, mul_zero(x, y)) },
            );
        }
        Sum::Fast => {
            let next = |sum, x, y| L::multiply_add(float(x), float(y), float(sum)).to_bits();
            sum(slabs, dst, start, args, &Steps { first: mul, next });
        }
        Sum::FastZero => {
            let next = |sum, x, y| L::multiply_add(float(x), float(y), float(sum)).to_bits();
            sum_or_exact(
                slabs,
                (dst, start, args),
                &Steps { first: mul, next },
                &Steps { first: mul_zero, next: |sum, x, y| fast::multiply_add_zero::<L>(x, y, sum) },
            );
        }
    }
}

/// The functions of a sum of products: the first product, and the sum of a partial sum and a product.
struct Steps<First, Next> {
    first: First,
    next: Next,
}

/// The sum in which zero times infinity is zero. The IEEE steps are the cheaper ones: NaN passes through every addition, so
/// a chunk whose IEEE sums are all numbers has no product of zero and infinity. Other chunks take the exact steps.
#[inline(always)]
fn sum_or_exact<const N: usize>(
    slabs: &mut Slabs<'_>,
    (dst, start, args): (Operand, Option<Operand>, [[Operand; N]; 2]),
    ieee: &Steps<impl Fn(u32, u32) -> u32, impl Fn(u32, u32, u32) -> u32>,
    exact: &Steps<impl Fn(u32, u32) -> u32, impl Fn(u32, u32, u32) -> u32>,
) {
    for c in slabs.first..slabs.end {
        let mut to = sum_of_chunk(slabs, c, start, args, ieee);
        if to.0.iter().fold(false, |nan, x| nan | float(*x).is_nan()) {
            to = sum_of_chunk(slabs, c, start, args, exact);
        }
        slabs.chunks[dst.chunk(c)] = to;
    }
}

/// The sums of all chunks, with the same steps.
#[inline(always)]
fn sum<const N: usize>(
    slabs: &mut Slabs<'_>,
    dst: Operand,
    start: Option<Operand>,
    args: [[Operand; N]; 2],
    steps: &Steps<impl Fn(u32, u32) -> u32, impl Fn(u32, u32, u32) -> u32>,
) {
    for c in slabs.first..slabs.end {
        let to = sum_of_chunk(slabs, c, start, args, steps);
        slabs.chunks[dst.chunk(c)] = to;
    }
}

/// The sums of the lanes of a chunk. A sum without a start begins with the first product.
#[inline(always)]
fn sum_of_chunk<const N: usize>(
    slabs: &Slabs<'_>,
    c: usize,
    start: Option<Operand>,
    [a, b]: [[Operand; N]; 2],
    Steps { first, next }: &Steps<impl Fn(u32, u32) -> u32, impl Fn(u32, u32, u32) -> u32>,
) -> Chunk {
    let x: [&Chunk; N] = std::array::from_fn(|i| &slabs.chunks[a[i].chunk(c)]);
    let y: [&Chunk; N] = std::array::from_fn(|i| &slabs.chunks[b[i].chunk(c)]);
    let from = start.map(|s| &slabs.chunks[s.chunk(c)]);
    let mut to = Chunk::ZERO;
    for lane in 0..LANES {
        let (x0, y0) = (x[0].0[lane], y[0].0[lane]);
        let mut sum = match from {
            Some(start) => next(start.0[lane], x0, y0),
            None => first(x0, y0),
        };
        for i in 1..N {
            sum = next(sum, x[i].0[lane], y[i].0[lane]);
        }
        to.0[lane] = sum;
    }
    to
}
