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
