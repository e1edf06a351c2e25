//! Filters within a level.

use super::{Color, Level};
use shisa_ir::{Filter, Wrap};

/// The texel that index `i` means in a row of `size`.
fn wrap(i: i64, size: usize, mode: Wrap) -> usize {
    let n = size as i64;
    let i = match mode {
        Wrap::Clamp => i.clamp(0, n - 1),
        Wrap::Repeat => i.rem_euclid(n),
        Wrap::Mirror => {
            let i = i.rem_euclid(2 * n);
            if i < n { i } else { 2 * n - 1 - i }
        }
    };
    i as usize
}

/// A place in texels that has an index: NaN is 0, what is too far is as far as it goes.
fn place(x: f32) -> f32 {
    const FAR: f32 = (1u64 << 40) as f32;
    if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) }
}

/// From `a` to `b`; both exactly at the ends, and wherever they are equal.
pub(crate) fn blend(a: Color, b: Color, weight: f32) -> Color {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * weight)
}

/// Samples a face of a level.
pub(crate) fn sample(
    level: &Level,
    face: usize,
    [s, t]: [f32; 2],
    filter: Filter,
    wraps: [Wrap; 2],
) -> Color {
    let texel =
        |x: i64, y: i64| level.texel(face, wrap(x, level.width, wraps[0]), wrap(y, level.height, wraps[1]));
    let (x, y) = (s * level.width as f32, t * level.height as f32);
    match filter {
        Filter::Nearest => texel(place(x).floor() as i64, place(y).floor() as i64),
        Filter::Linear => {
            let (x, y) = (place(x - 0.5), place(y - 0.5));
            let (left, top) = (x.floor(), y.floor());
            let (i, j) = (left as i64, top as i64);
            let upper = blend(texel(i, j), texel(i + 1, j), x - left);
            let lower = blend(texel(i, j + 1), texel(i + 1, j + 1), x - left);
            blend(upper, lower, y - top)
        }
    }
}
