//! The processor: its vector units, and what they do differently.

/// What the code of a level does differently.
pub(crate) trait Level {
    /// The exact `x * y` minus `product`, which is `x * y` rounded to nearest; only its sign matters.
    fn product_error(x: f32, y: f32, product: f32) -> f32;

    /// `x * y + z`, rounded once if an instruction does so, otherwise twice.
    fn multiply_add(x: f32, y: f32, z: f32) -> f32;
}

/// Without fused multiplication: products are exact in binary64.
pub(crate) struct Separate;

impl Level for Separate {
    #[inline(always)]
    fn product_error(x: f32, y: f32, product: f32) -> f32 {
        (f64::from(x) * f64::from(y) - f64::from(product)) as f32
    }

    #[inline(always)]
    fn multiply_add(x: f32, y: f32, z: f32) -> f32 {
        x * y + z
    }
}

/// With an instruction that multiplies and adds with one rounding.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Fused;

#[cfg(target_arch = "x86_64")]
impl Level for Fused {
    #[inline(always)]
    fn product_error(x: f32, y: f32, product: f32) -> f32 {
        x.mul_add(y, -product)
    }

    #[inline(always)]
    fn multiply_add(x: f32, y: f32, z: f32) -> f32 {
        x.mul_add(y, z)
    }
}

/// The vector units that a [`crate::Runner`] uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HostLevel {
    /// What every processor of the target has: SSE2 on x86-64, NEON on ARM, simd128 if the build enables it on
    /// WebAssembly.
    Base,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F, VL, BW and DQ.
    Avx512,
}

impl HostLevel {
    /// All levels, the narrowest first.
    pub const ALL: [HostLevel; 3] = [HostLevel::Base, HostLevel::Avx2, HostLevel::Avx512];

    /// Whether this processor has the level.
    pub fn is_available(self) -> bool {
        match self {
            HostLevel::Base => true,
            #[cfg(target_arch = "x86_64")]
            HostLevel::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            HostLevel::Avx512 => {
                HostLevel::Avx2.is_available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512dq")
            }
            #[cfg(not(target_arch = "x86_64"))]
            HostLevel::Avx2 | HostLevel::Avx512 => false,
        }
    }

    /// The widest available level.
    pub fn best() -> HostLevel {
        HostLevel::ALL.into_iter().rev().find(|l| l.is_available()).unwrap_or(HostLevel::Base)
    }
}

/// Rows as columns.
#[inline(always)]
#[cfg_attr(target_feature = "sse2", allow(unsafe_code))]
pub(crate) fn transpose(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    // SAFETY: the build target has SSE2.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    return unsafe { transpose_sse2(rows) };
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    [0, 1, 2, 3].map(|column| rows.map(|row| row[column]))
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[target_feature(enable = "sse2")]
fn transpose_sse2(rows: [[u32; 4]; 4]) -> [[u32; 4]; 4] {
    use core::arch::x86_64::{
        __m128i, _mm_unpackhi_epi32, _mm_unpackhi_epi64, _mm_unpacklo_epi32, _mm_unpacklo_epi64,
    };
    let [a, b, c, d]: [__m128i; 4] = bytemuck::must_cast(rows);
    let (ab, cd) = (_mm_unpacklo_epi32(a, b), _mm_unpacklo_epi32(c, d));
    let (ab_high, cd_high) = (_mm_unpackhi_epi32(a, b), _mm_unpackhi_epi32(c, d));
    bytemuck::must_cast([
        _mm_unpacklo_epi64(ab, cd),
        _mm_unpackhi_epi64(ab, cd),
        _mm_unpacklo_epi64(ab_high, cd_high),
        _mm_unpackhi_epi64(ab_high, cd_high),
    ])
}
