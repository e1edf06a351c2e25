//! Filters within a level.

use super::color::Color;
use super::image::Level;
use shisa_ir::{Filter, Wrap};

/// The comparison of the reference value with a texel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Compare {
    /// Never holds.
    Never,
    /// The reference value is less.
    Less,
    /// Both are equal.
    Equal,
    /// The reference value is less or equal.
    #[default]
    LessEqual,
    /// The reference value is greater.
    Greater,
    /// They differ.
    NotEqual,
    /// The reference value is greater or equal.
    GreaterEqual,
    /// Always holds.
    Always,
}

impl Compare {
    /// Whether a reference value compares so with a stored one.
    pub fn holds(self, reference: f32, texel: f32) -> bool {
        match self {
            Compare::Never => false,
            Compare::Less => reference < texel,
            Compare::Equal => reference == texel,
            Compare::LessEqual => reference <= texel,
            Compare::Greater => reference > texel,
            Compare::NotEqual => reference != texel,
            Compare::GreaterEqual => reference >= texel,
            Compare::Always => true,
        }
    }
}

/// The texel at index `i` of a row of `size` texels.
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

/// A coordinate in texels converted to an index: NaN becomes 0, and coordinates far outside are clamped.
fn indexable(x: f32) -> f32 {
    const FAR: f32 = (1u64 << 40) as f32;
    if x.is_nan() { 0.0 } else { x.clamp(-FAR, FAR) }
}

/// Linear interpolation from `a` to `b`; exact at both ends and if the two are equal.
pub(crate) fn blend(a: Color, b: Color, weight: f32) -> Color {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * weight)
}

/// How texels are selected and weighted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taps {
    pub(crate) filter: Filter,
    pub(crate) wraps: [Wrap; 3],
    /// Offset in texels added to each coordinate.
    pub(crate) offset: [i64; 3],
    /// The first slice; 0 for a volume.
    pub(crate) slice: usize,
    /// Whether the slices are the depth slices of a volume.
    pub(crate) volume: bool,
    /// The comparison of a texel's first component, and the reference value.
    pub(crate) compare: Option<(Compare, f32)>,
}

impl Taps {
    fn texel(&self, level: &Level, [x, y, z]: [i64; 3]) -> Option<Color> {
        let at = |i: i64, axis: usize, size| wrap(i + self.offset[axis], size, self.wraps[axis]);
        let slice = if self.volume { at(z, 2, level.slices) } else { self.slice };
        let texel = level.texel(slice, at(x, 0, level.width), at(y, 1, level.height))?;
        Some(match self.compare {
            Some((compare, reference)) => [f32::from(compare.holds(reference, texel[0])); 4],
            None => texel,
        })
    }

    /// The filtered texels of a flat level, or of one slice of a volume.
    fn flat(&self, level: &Level, x: f32, y: f32, z: i64) -> Option<Color> {
        let (x, y) = (indexable(x - 0.5), indexable(y - 0.5));
        let (left, top) = (x.floor(), y.floor());
        let (i, j) = (left as i64, top as i64);
        let texel = |i, j| self.texel(level, [i, j, z]);
        let upper = blend(texel(i, j)?, texel(i + 1, j)?, x - left);
        let lower = blend(texel(i, j + 1)?, texel(i + 1, j + 1)?, x - left);
        Some(blend(upper, lower, y - top))
    }

    /// Samples a level; `None` if a texel does not exist.
    pub(crate) fn sample(&self, level: &Level, [s, t, r]: [f32; 3]) -> Option<Color> {
        let depth = if self.volume { level.slices as f32 } else { 0.0 };
        let (x, y, z) = (s * level.width as f32, t * level.height as f32, r * depth);
        let whole = |x: f32| indexable(x).floor() as i64;
        match self.filter {
            Filter::Nearest => self.texel(level, [whole(x), whole(y), whole(z)]),
            Filter::Linear if !self.volume => self.flat(level, x, y, 0),
            Filter::Linear => {
                let z = indexable(z - 0.5);
                let front = z.floor();
                let k = front as i64;
                Some(blend(self.flat(level, x, y, k)?, self.flat(level, x, y, k + 1)?, z - front))
            }
        }
    }

    /// One component of the four texels that a linear filter uses: lower left, lower right, upper right, upper left.
    /// `None` if a texel or the component does not exist.
    pub(crate) fn gather(&self, level: &Level, [s, t, _]: [f32; 3], component: usize) -> Option<Color> {
        let (x, y) = (indexable(s * level.width as f32 - 0.5), indexable(t * level.height as f32 - 0.5));
        let (i, j) = (x.floor() as i64, y.floor() as i64);
        let texel = |i, j| self.texel(level, [i, j, 0])?.get(component).copied();
        Some([texel(i, j + 1)?, texel(i + 1, j + 1)?, texel(i + 1, j)?, texel(i, j)?])
    }
}
