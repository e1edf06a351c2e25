//! The fast forms against the definitions, which have tests against the host and an exact search.

use super::*;
use crate::scalar;
use crate::{Convert, FloatRule, Scalar, Ternary, Unary};
use alloc::vec::Vec;

/// Zeros, denormals, numbers around integers and around 2^23, the largest, infinities, NaN; then noise.
fn floats() -> Vec<u32> {
    let list = [
        0.0f32,
        1e-45,
        1e-40,
        1.17e-38,
        1.175_494_4e-38,
        0.25,
        0.499_999_97,
        0.5,
        0.500_000_06,
        0.999_999_94,
        1.0,
        1.000_000_1,
        1.5,
        2.5,
        3.0,
        4_194_303.5,
        4_194_304.5,
        8_388_607.5,
        8_388_608.0,
        8_388_609.0,
        1e30,
        f32::MAX,
        f32::INFINITY,
        f32::NAN,
    ];
    let mut random = crate::testing::Random::new(3);
    let signed = list.into_iter().flat_map(|x| [x.to_bits(), x.to_bits() | SIGN]);
    signed.chain((0..40).map(|_| random.bits() as u32)).collect()
}

#[test]
fn rounding_is_that_of_the_definitions() {
    type Form = fn(f32) -> f32;
    let forms: [(Form, Unary); 4] =
        [(round, Unary::FRound), (floor, Unary::FFloor), (ceil, Unary::FCeil), (trunc, Unary::FTrunc)];
    for (form, op) in forms {
        for x in floats() {
            let defined = scalar::unary(op, FloatRule::IEEE, Scalar::F32, x.into()) as u32;
            assert_eq!(bits(form(float(x))), defined, "{op:?} of {x:#x}");
        }
    }
    for x in floats() {
        let defined = scalar::unary(Unary::FSat, FloatRule::IEEE, Scalar::F32, x.into()) as u32;
        assert_eq!(saturate(float(x)), defined, "clamped {x:#x}");
    }
}

#[test]
fn multiply_add_is_rounded_once() {
    let list = floats();
    for &a in &list {
        for &b in &list {
            for &c in &list {
                let [x, y, z] = [a, b, c].map(u64::from);
                let defined = scalar::ternary(Ternary::Fma, FloatRule::IEEE, Scalar::F32, x, y, z) as u32;
                assert_eq!(fused(float(a), float(b), float(c)), defined, "{a:#x} * {b:#x} + {c:#x}");
            }
        }
    }
}

#[test]
fn multiply_add_of_halves_is_rounded_once() {
    let mut random = crate::testing::Random::new(4);
    let edges = [0u32, 1, 0x3ff, 0x400, 0x3bff, 0x3c00, 0x3c01, 0x7bff, 0x7c00, 0x7e00];
    let list: Vec<u32> = edges
        .into_iter()
        .flat_map(|x| [x, x | 0x8000])
        .chain((0..40).map(|_| random.bits() as u32 & 0xffff))
        .collect();
    for &a in &list {
        for &b in &list {
            for &c in &list {
                let [x, y, z] = [a, b, c].map(u64::from);
                let defined = scalar::ternary(Ternary::Fma, FloatRule::IEEE, Scalar::F16, x, y, z) as u32;
                assert_eq!(fused_half(a, b, c), defined, "{a:#x} * {b:#x} + {c:#x}");
            }
        }
    }
}

#[test]
fn halves_convert_both_ways() {
    let convert =
        |from, to, x: u32| scalar::convert(Convert::Float, FloatRule::IEEE, from, to, x.into()) as u32;
    for x in 0..0x1_0000 {
        assert_eq!(from_half(x), convert(Scalar::F16, Scalar::F32, x), "{x:#x}");
    }
    for x in floats().into_iter().chain((0..0x1_0000).map(|x| from_half(x) ^ 0x1000)) {
        assert_eq!(to_half(x), convert(Scalar::F32, Scalar::F16, x), "{x:#x}");
    }
}

#[test]
fn a_choice_prefers_numbers() {
    let less = |x: f32, y: f32| x < y;
    let chosen = |a: f32, b: f32| choose(a.to_bits(), b.to_bits(), less, |_, _| 7f32.to_bits());
    assert_eq!(float(chosen(1.0, 2.0)), 1.0);
    assert_eq!(float(chosen(2.0, 1.0)), 1.0);
    assert_eq!(float(chosen(f32::NAN, 2.0)), 2.0);
    assert_eq!(float(chosen(2.0, f32::NAN)), 2.0);
    assert_eq!(chosen(f32::NAN, -f32::NAN), NAN);
    assert_eq!(float(chosen(0.0, -0.0)), 7.0, "the tie decides");
    assert_eq!(float(choose(0, SIGN, less, |a, b| a | b)), -0.0);
}

#[test]
fn words_are_flushed_and_selected() {
    let words = [0, 1, 0x007f_ffff, 0x0080_0000, SIGN, 0x8000_0001, 0x8080_0000, 0x7f80_0000, 0xff80_0000];
    let flushed = [0, 0, 0, 0x0080_0000, SIGN, SIGN, 0x8080_0000, 0x7f80_0000, 0xff80_0000];
    assert_eq!(words.map(flush), flushed);
    assert_eq!([0, 1, 2, 3].map(|cond| select(cond, 0b1100, 0b1010)), [0b1010, 0b1100, 0b1010, 0b1100]);
    assert_eq!(mul_zero(0, 0x7f80_0000), 0);
    assert_eq!(mul_zero(0, NAN), NAN);
    assert_eq!(mul_zero(NAN, 0), NAN);
    assert_eq!(mul_zero(2f32.to_bits(), 3f32.to_bits()), 6f32.to_bits());
    assert_eq!(in_binary64(9f32.to_bits(), |x| x / 3.0), 3f32.to_bits());
    assert_eq!(in_binary64(0xffc0_0001, |x| x), NAN);
}
