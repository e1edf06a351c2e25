//! How texels lie in memory.

use super::{Color, block};
use shisa_ir::{Convert, FloatRule, Scalar, scalar};

/// A texel format. Normalised numbers decode as n / (2^bits − 1), rounded once to binary32.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Four bytes: red, green, blue, alpha.
    Rgba8,
    /// Four bytes: blue, green, red, alpha.
    Bgra8,
    /// 16 bits, little endian: 5 blue (lowest), 6 green, 5 red; alpha is 1.
    Bgr565,
    /// 16 bits, little endian: 4 each of blue (lowest), green, red, alpha.
    Bgra4444,
    /// Four binary16, little endian: red, green, blue, alpha.
    Rgba16F,
    /// Blocks of 4 by 4 texels in 8 bytes (BC1); the third color of a three-color block is transparent
    /// black.
    Dxt1,
    /// Blocks of 4 by 4 texels in 16 bytes (BC3).
    Dxt5,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 7] = {
        use Format::*;
        [Rgba8, Bgra8, Bgr565, Bgra4444, Rgba16F, Dxt1, Dxt5]
    };

    /// `rgba8`, `bgra8`, `bgr565`, `bgra4444`, `rgba16f`, `dxt1` or `dxt5`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Rgba8 => "rgba8",
            Format::Bgra8 => "bgra8",
            Format::Bgr565 => "bgr565",
            Format::Bgra4444 => "bgra4444",
            Format::Rgba16F => "rgba16f",
            Format::Dxt1 => "dxt1",
            Format::Dxt5 => "dxt5",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Bytes of an image; the largest number when it would be larger still.
    pub const fn bytes(self, width: usize, height: usize) -> usize {
        let (units, each) = match self {
            Format::Rgba8 | Format::Bgra8 => (width.saturating_mul(height), 4),
            Format::Bgr565 | Format::Bgra4444 => (width.saturating_mul(height), 2),
            Format::Rgba16F => (width.saturating_mul(height), 8),
            Format::Dxt1 => (width.div_ceil(4).saturating_mul(height.div_ceil(4)), 8),
            Format::Dxt5 => (width.div_ceil(4).saturating_mul(height.div_ceil(4)), 16),
        };
        units.saturating_mul(each)
    }

    /// Appends the texels of an image, row by row.
    pub(crate) fn decode(self, data: &[u8], width: usize, height: usize, out: &mut Vec<Color>) {
        let byte = |v: u8| f32::from(v) / 255.0;
        match self {
            Format::Rgba8 => out.extend(words(data).map(|t: [u8; 4]| t.map(byte))),
            Format::Bgra8 => out.extend(words(data).map(|[b, g, r, a]| [r, g, b, a].map(byte))),
            Format::Bgr565 => out.extend(words(data).map(|t| {
                let v = bgr565(u16::from_le_bytes(t));
                let [r, g, b] = [0, 1, 2].map(|i| f32::from(v[i]) / f32::from(BGR565_MAX[i]));
                [r, g, b, 1.0]
            })),
            Format::Bgra4444 => out.extend(words(data).map(|t| {
                let v = u16::from_le_bytes(t);
                [8, 4, 0, 12].map(|shift| f32::from(v >> shift & 15) / 15.0)
            })),
            Format::Rgba16F => out.extend(
                words(data)
                    .map(|t: [u8; 8]| [0, 2, 4, 6].map(|i| half(u16::from_le_bytes([t[i], t[i + 1]])))),
            ),
            Format::Dxt1 => block::decode(words(data).map(block::bc1), width, height, out),
            Format::Dxt5 => block::decode(words(data).map(block::bc3), width, height, out),
        }
    }
}

/// The data cut into words of `N` bytes.
fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|c| {
        let mut word = [0; N];
        word.copy_from_slice(c);
        word
    })
}

/// The largest red, green, blue of a packed word.
pub(crate) const BGR565_MAX: [u16; 3] = [31, 63, 31];

/// Red, green, blue of a packed word.
pub(crate) const fn bgr565(v: u16) -> [u16; 3] {
    [v >> 11, v >> 5 & 63, v & 31]
}

fn half(bits: u16) -> f32 {
    let bits = scalar::convert(Convert::Float, FloatRule::IEEE, Scalar::F16, Scalar::F32, bits.into());
    f32::from_bits(bits as u32)
}
