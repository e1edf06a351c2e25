//! Products that need extra code to make `0 * infinity` 0.

use crate::{Options, Products};
use shisa_ir::{FloatRule, Func, Op, Scalar, Value};

/// Whether the product of `a` and `b` needs extra code under this rule. It does not if one of them is a constant that
/// is neither zero nor infinite, or if both are the same value.
pub(crate) fn needs_care(func: &Func, options: &Options, rule: FloatRule, a: Value, b: Value) -> bool {
    let harmless = |v: Value| match func.nodes.list.get(v.index()) {
        Some(n) => match n.op {
            Op::Const(bits) => {
                let sign = 1 << (n.ty.scalar.bits().max(1) - 1);
                let infinity = match n.ty.scalar {
                    Scalar::F16 => 0x7c00,
                    Scalar::F64 => 0x7ff0_0000_0000_0000,
                    _ => 0x7f80_0000,
                };
                let magnitude = bits & (sign - 1);
                magnitude != 0 && magnitude != infinity
            }
            _ => false,
        },
        None => false,
    };
    rule.zero_product && options.products == Products::Exact && a != b && !harmless(a) && !harmless(b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shisa_ir::{Builder, FileId, Nodes, Reg, Swizzle};

    #[test]
    fn products_with_zero_or_infinity_need_care() {
        for (scalar, bits, careful) in [
            (Scalar::F32, u64::from(2f32.to_bits()), false),
            (Scalar::F32, u64::from((-2f32).to_bits()), false),
            (Scalar::F32, 0, true),
            (Scalar::F32, u64::from((-0f32).to_bits()), true),
            (Scalar::F32, u64::from(f32::INFINITY.to_bits()), true),
            (Scalar::F32, u64::from(f32::NEG_INFINITY.to_bits()), true),
            (Scalar::F16, 0xbc00, false),
            (Scalar::F16, 0x8000, true),
            (Scalar::F16, 0xfc00, true),
            (Scalar::F64, (-2f64).to_bits(), false),
            (Scalar::F64, (-0f64).to_bits(), true),
            (Scalar::F64, f64::NEG_INFINITY.to_bits(), true),
        ] {
            let mut nodes = Nodes::default();
            let mut b = Builder::new(&mut nodes, 0);
            let x = b.read(Reg::new(FileId(0), 0), Swizzle::IDENTITY, scalar.by(1));
            let known = b.constant(scalar.by(1), bits);
            let func = Func { files: &[], nodes, blocks: Vec::new() };
            let rule = FloatRule { zero_product: true, ..FloatRule::IEEE };
            let needs = |rule, a, b, products| {
                needs_care(&func, &Options { products, ..Options::default() }, rule, a, b)
            };
            let both = [needs(rule, x, known, Products::Exact), needs(rule, known, x, Products::Exact)];
            assert_eq!(both, [careful; 2], "{scalar:?} {bits:x}");
            assert!(!needs(rule, x, x, Products::Exact) && !needs(rule, x, known, Products::Fast));
            assert!(!needs(FloatRule::IEEE, x, known, Products::Exact));
        }
    }
}
