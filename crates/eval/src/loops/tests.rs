use super::Loop;
use crate::plan::micro::Micro;
use crate::testing::{self, Code, edges, input};
use crate::wave::Plane;
use shisa_ir::scalar::Arithmetic;
use shisa_ir::{
    Binary, Convert, FloatModel, FloatRule, Mask, NanRule, Round, Scalar, Swizzle, Ternary, Unary, WAVE,
    scalar,
};

/// The loop of an operation that must have one.
fn plain(op: Arithmetic) -> Loop {
    Loop::of(op, FloatModel::F32).unwrap_or_else(|| panic!("{op:?} has no loop"))
}

/// Compares a loop with the scalar semantics on all pairs of edge values, 32 at a time.
fn agrees(op: Arithmetic, width: u8) {
    let fast = plain(op);
    let mask = u32::MAX >> (32 - width);
    let values: Vec<u32> = edges().iter().map(|v| v & mask).chain(0..40).map(|v| v & mask).collect();
    for &b in &values {
        for chunk in values.chunks(WAVE) {
            let mut a = Plane::ZERO;
            a.0[..chunk.len()].copy_from_slice(chunk);
            let (b, c) = (Plane::splat(b), Plane::splat(b ^ 0x0055_aa55 & mask));
            let mut got = Plane::ZERO;
            fast.run(&mut got, [&a, &b, &c]);
            for l in 0..WAVE {
                let [x, y, z] = [&a, &b, &c].map(|p| u64::from(p.0[l]));
                let want = match op {
                    Arithmetic::Unary(op, rule, kind) => scalar::unary(op, rule, kind, x),
                    Arithmetic::Binary(op, rule, kind) => scalar::binary(op, rule, kind, x, y),
                    Arithmetic::Ternary(op, rule, kind) => scalar::ternary(op, rule, kind, x, y, z),
                    Arithmetic::Convert(op, rule, from, to) => scalar::convert(op, rule, from, to, x),
                };
                assert_eq!(u64::from(got.0[l]), want, "{op:?} of {x:#x}, {y:#x}, {z:#x}");
            }
        }
    }
}

/// Every binary16 number converts to the equal binary32 number, and binary32 numbers near and between binary16 numbers
/// convert to the nearest.
#[test]
fn halves_are_converted_exactly() {
    let rule = FloatRule::IEEE;
    let of = |from, to| plain(Arithmetic::Convert(Convert::Float, rule, from, to));
    let (from_half, to_half) = (of(Scalar::F16, Scalar::F32), of(Scalar::F32, Scalar::F16));
    let mut dst = Plane::ZERO;
    for base in (0..0x10000u32).step_by(WAVE) {
        let half = Plane(std::array::from_fn(|l| base + l as u32));
        from_half.run(&mut dst, [&half; 3]);
        for (half, got) in half.0.iter().zip(dst.0) {
            let want = scalar::convert(Convert::Float, rule, Scalar::F16, Scalar::F32, u64::from(*half));
            assert_eq!(u64::from(got), want, "{half:#x}");
        }
        let exact = dst;
        for by in [0, 1, u32::MAX, 0xfff, 0x1000, 0x1001, 0x800] {
            let near = Plane(exact.0.map(|x| x.wrapping_add(by)));
            to_half.run(&mut dst, [&near; 3]);
            for (near, got) in near.0.iter().zip(dst.0) {
                let want = scalar::convert(Convert::Float, rule, Scalar::F32, Scalar::F16, u64::from(*near));
                assert_eq!(u64::from(got), want, "{near:#x}");
            }
        }
    }
}

const RULES: [FloatRule; 5] = {
    let ieee = FloatRule::IEEE;
    [
        ieee,
        FloatRule { nan: NanRule::Number, ..ieee },
        FloatRule { nan: NanRule::Second, ..ieee },
        FloatRule { zero_product: true, ..ieee },
        FloatRule { round: Round::Up, ..ieee },
    ]
};

/// Every loop that the planner can choose yields the bits of the scalar semantics.
#[test]
fn every_loop_equals_the_scalar_semantics() {
    let narrow = [Scalar::I1, Scalar::I8, Scalar::I16, Scalar::I32, Scalar::F16, Scalar::F32];
    let mut checked = 0;
    let mut check = |op: Arithmetic, width: u8| {
        if Loop::of(op, FloatModel::F32).is_some() {
            agrees(op, width);
            checked += 1;
        }
    };
    for kind in narrow {
        for rule in RULES {
            Unary::ALL.iter().for_each(|&op| check(Arithmetic::Unary(op, rule, kind), kind.bits()));
            Binary::ALL.iter().for_each(|&op| check(Arithmetic::Binary(op, rule, kind), kind.bits()));
        }
        check(Arithmetic::Ternary(Ternary::Select, FloatRule::IEEE, kind), kind.bits());
        check(Arithmetic::Ternary(Ternary::Fma, FloatRule::IEEE, kind), kind.bits());
        for to in narrow {
            for op in [
                Convert::SignExtend,
                Convert::Float,
                Convert::FloatToSigned,
                Convert::FloatToUnsigned,
                Convert::SignedToFloat,
                Convert::UnsignedToFloat,
            ] {
                check(Arithmetic::Convert(op, FloatRule::IEEE, kind, to), kind.bits());
            }
        }
    }
    assert!(checked > 150, "only {checked} loops were reached");
}

/// Compares a loop of fused products with the scalar semantics on numbers made of random bits.
fn fused(kind: Scalar, make: fn(u32) -> u32) {
    let run = plain(Arithmetic::Ternary(Ternary::Fma, FloatRule::IEEE, kind));
    let mut state = 1u32;
    let mut random = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        make(state)
    };
    for _ in 0..2000 {
        let planes: [Plane; 3] = std::array::from_fn(|_| Plane(std::array::from_fn(|_| random())));
        let mut got = Plane::ZERO;
        run.run(&mut got, planes.each_ref());
        for l in 0..WAVE {
            let [a, b, c] = planes.each_ref().map(|p| u64::from(p.0[l]));
            let want = scalar::ternary(Ternary::Fma, FloatRule::IEEE, kind, a, b, c);
            assert_eq!(u64::from(got.0[l]), want, "{a:#x} * {b:#x} + {c:#x}");
        }
    }
}

/// Sums near the midpoint between two numbers are rounded once. Few significant bits and close exponents make them
/// likely.
#[test]
fn fused_products_are_rounded_once() {
    fused(Scalar::F16, |bits| (bits >> 8 & 0xfc07) | (bits >> 3 & 0x380 & bits));
    fused(Scalar::F32, |bits| {
        let exponent = 100 + (bits >> 9) % 56;
        bits & 0x8000_0000 | exponent << 23 | (bits >> 3 & 0x7) << 20 | bits >> 30 & 1
    });
}

/// With the IEEE rule, every binary32 operation has a loop.
#[test]
fn binary32_has_loops() {
    for op in Unary::ALL.iter().copied().filter(|op| op.is_float()) {
        assert!(
            Loop::of(Arithmetic::Unary(op, FloatRule::IEEE, Scalar::F32), FloatModel::F32).is_some(),
            "{op:?}"
        );
    }
    for op in Binary::ALL.iter().copied().filter(|op| op.is_float()) {
        assert!(
            Loop::of(Arithmetic::Binary(op, FloatRule::IEEE, Scalar::F32), FloatModel::F32).is_some(),
            "{op:?}"
        );
    }
}

/// Operations with rules that no loop implements run lane by lane.
#[test]
fn other_rules_have_no_loops() {
    for rule in [
        FloatRule { flush: true, ..FloatRule::IEEE },
        FloatRule { round: Round::Zero, ..FloatRule::IEEE },
        FloatRule { saturate: true, ..FloatRule::IEEE },
    ] {
        assert!(Loop::of(Arithmetic::Binary(Binary::FAdd, rule, Scalar::F32), FloatModel::F32).is_none());
        assert!(Loop::of(Arithmetic::Unary(Unary::FSqrt, rule, Scalar::F32), FloatModel::F32).is_none());
    }
}

/// The reciprocal square root computed in binary64, for all significands and both parities of the exponent; other
/// exponents scale exactly.
#[test]
fn reciprocal_root_is_rounded_once() {
    let run = plain(Arithmetic::Unary(Unary::FRsqrt, FloatRule::IEEE, Scalar::F32));
    for base in (0x3f80_0000u32..0x4080_0000).step_by(WAVE) {
        let a = Plane(std::array::from_fn(|l| base + l as u32));
        let mut dst = Plane::ZERO;
        run.run(&mut dst, [&a; 3]);
        for (a, got) in a.0.iter().zip(dst.0) {
            let want = scalar::unary(Unary::FRsqrt, FloatRule::IEEE, Scalar::F32, u64::from(*a));
            assert_eq!(u64::from(got), want, "{a:#x}");
        }
    }
}

/// Saturation is a separate operation, and a dot product is a chain of loops: both equal the scalar semantics.
#[test]
fn saturation_and_dot_products_in_programs() {
    let mut code = Code::new();
    let ty = Scalar::F32.by(4);
    code.op(|b| {
        b.rule = FloatRule { saturate: true, ..FloatRule::IEEE };
        let (x, y) = (b.read(input(0), Swizzle::IDENTITY, ty), b.read(input(4), Swizzle::IDENTITY, ty));
        let sum = b.fadd(x, y);
        b.write(testing::r(0), Mask::ALL, sum);
        let dot = b.fdot(x, y);
        b.write(testing::r(4), Mask::first(1), dot);
        b.rule = FloatRule::IEEE;
        let dot = b.fdot(x, y);
        b.write(testing::r(5), Mask::first(1), dot);
    });
    let program = code.program();
    assert!(program.ops.iter().all(|m| matches!(m, Micro::Loop { .. } | Micro::Write { .. })));
    let mut m = testing::machine(&program);
    let values = edges();
    for unit in 0..8u16 {
        for lane in 0..WAVE {
            let bits = values[(lane * 7 + usize::from(unit) * 13) % values.len()];
            m.set_input(input(unit), lane, bits).unwrap();
        }
    }
    m.step(&mut crate::NoEnvironment, &mut crate::NoObserver).unwrap();
    let saturate = FloatRule { saturate: true, ..FloatRule::IEEE };
    for lane in 0..WAVE {
        let at = |unit| u64::from(testing::register(&m, input(unit), lane));
        for i in 0..4 {
            let want = scalar::binary(Binary::FAdd, saturate, Scalar::F32, at(i), at(i + 4));
            assert_eq!(u64::from(testing::register(&m, testing::r(i), lane)), want);
        }
        let (a, b) = ([0, 1, 2, 3].map(at), [4, 5, 6, 7].map(at));
        for (unit, rule) in [(4, saturate), (5, FloatRule::IEEE)] {
            let want = scalar::dot(rule, Scalar::F32, &a, &b);
            assert_eq!(u64::from(testing::register(&m, testing::r(unit), lane)), want, "{a:x?} {b:x?}");
        }
    }
}
