//! What PRMT computes.

use super::set;
use crate::operand::{A, B, C, D, MaxwellLift};
use shisa_diag::Diagnostic;
use shisa_ir::Value;

/// For each mode and each value of the second source's lowest two bits, the bytes of the first and third source that
/// the result consists of, from the lowest. PTX's `prmt` defines them; ptxas compiles each of its modes to one of these.
const MODES: [(&str, [[i32; 4]; 4]); 6] = [
    (".F4E", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
    (".B4E", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
    (".RC8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
    (".ECL", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]]),
    (".ECR", [[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
    (".RC16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
];

/// Four bits for each byte of the result: which of the eight bytes of the first and the third source, and whether only
/// its sign is taken.
pub(super) fn prmt(l: &mut MaxwellLift<'_, '_>) {
    let (a, which, c) = (l.src(A), choices(l), l.src(C));
    let (mut value, zero) = (l.i32(0), l.i32(0));
    for byte in 0..4 {
        let at = l.i32(4 * byte);
        let choice = l.lshr(which, at);
        let [other, place, sign] = [4, 3, 8].map(|bits| {
            let bits = l.i32(bits);
            l.and(choice, bits)
        });
        let other = l.ine(other, zero);
        let source = l.select(other, c, a);
        let three = l.i32(3);
        let begin = l.shl(place, three);
        // The byte uppermost, so that its sign is the number's.
        let low = l.lshr(source, begin);
        let upper = l.i32(24);
        let high = l.shl(low, upper);
        let spread = l.i32(31);
        let signs = l.ashr(high, spread);
        let only_sign = l.ine(sign, zero);
        let taken = l.select(only_sign, signs, high);
        let (back, up) = (l.i32(24), l.i32(8 * byte));
        let taken = l.lshr(taken, back);
        let taken = l.shl(taken, up);
        value = l.or(value, taken);
    }
    l.set(D, value);
}

/// The choices of the second source, or those that its lowest two bits stand for.
fn choices(l: &mut MaxwellLift<'_, '_>) -> Value {
    let which = l.src(B);
    if set(l, "") {
        return which;
    }
    let Some((_, tables)) = MODES.iter().find(|(name, _)| set(l, name)) else {
        l.refuse(Diagnostic::error("lift-permute", "this mode of a permutation is undefined"));
        return which;
    };
    let [first, second, third, fourth] = tables.map(|bytes| {
        let packed = bytes.iter().rev().fold(0, |all, byte| all << 4 | byte);
        l.i32(packed)
    });
    let (one, two, zero) = (l.i32(1), l.i32(2), l.i32(0));
    let (low, high) = (l.and(which, one), l.and(which, two));
    let (odd, upper) = (l.ine(low, zero), l.ine(high, zero));
    let (below, above) = (l.select(odd, second, first), l.select(odd, fourth, third));
    l.select(upper, above, below)
}
