//! Block compression. Colors between the end points are the exact ones, rounded to binary32; hardware may differ by a
//! few 8-bit steps.

use super::color::{BGR565_MAX, Color, bgr565};

/// The sixteen texels of a block, row by row.
pub(crate) type Block = [Color; 16];

/// Assembles blocks into an image, row by row; texels beyond its edges are dropped.
pub(crate) fn decode(blocks: impl Iterator<Item = Block>, width: usize, height: usize, out: &mut Vec<Color>) {
    let blocks: Vec<Block> = blocks.collect();
    for y in 0..height {
        for row in blocks.chunks(width.div_ceil(4)).skip(y / 4).take(1) {
            let texels = row.iter().flat_map(|b| b.iter().skip(y % 4 * 4).take(4));
            out.extend(texels.take(width));
        }
    }
}

/// The `i`-th of `steps` steps from `a` to `b`, both in the range 0 to `max`. The weighted sum is an exact integer, so
/// only the division rounds.
fn between(a: u16, b: u16, i: u16, steps: u16, max: u16) -> f32 {
    f32::from(a * (steps - i) + b * i) / f32::from(steps * max)
}

/// The colors that eight bytes encode; `three` allows blocks of three colors and transparent black.
fn colors(data: [u8; 8], three: bool) -> Block {
    let [a, b] = [u16::from_le_bytes([data[0], data[1]]), u16::from_le_bytes([data[2], data[3]])];
    let (x, y) = (bgr565(a), bgr565(b));
    let color = |i: u16, steps: u16| {
        let [r, g, b] = [0, 1, 2].map(|c| between(x[c], y[c], i, steps, BGR565_MAX[c]));
        [r, g, b, 1.0]
    };
    let palette = if a > b || !three {
        [color(0, 3), color(3, 3), color(1, 3), color(2, 3)]
    } else {
        [color(0, 2), color(2, 2), color(1, 2), [0.0; 4]]
    };
    let bits = u32::from_le_bytes([data[4], data[5], data[6], data[7]]);
    std::array::from_fn(|i| palette[(bits >> (2 * i) & 3) as usize])
}

/// A block of BC1.
pub(crate) fn bc1(data: [u8; 8]) -> Block {
    colors(data, true)
}

/// A block of BC3: alpha, then colors.
pub(crate) fn bc3(data: [u8; 16]) -> Block {
    let [a, b] = [data[0], data[1]].map(u16::from);
    let alpha = |code: u64| match (code as u16, a > b) {
        (0, _) => between(a, b, 0, 1, 255),
        (1, _) => between(a, b, 1, 1, 255),
        (code, true) => between(a, b, code - 1, 7, 255),
        (6, false) => 0.0,
        (7, false) => 1.0,
        (code, false) => between(a, b, code - 1, 5, 255),
    };
    let codes = u64::from_le_bytes([data[2], data[3], data[4], data[5], data[6], data[7], 0, 0]);
    let mut color = [0; 8];
    color.copy_from_slice(&data[8..]);
    let mut block = colors(color, false);
    for (i, texel) in block.iter_mut().enumerate() {
        texel[3] = alpha(codes >> (3 * i) & 7);
    }
    block
}
