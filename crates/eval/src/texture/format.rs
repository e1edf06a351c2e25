//! Storage formats of texels.

#[cfg(test)]
mod tests;

use super::block;
use super::color::{BGR565_MAX, Color, bgr565};
use super::layout::{Layout, Number};

/// Lists the formats whose components are numbers of equal size: documentation, name, components, bytes of each, kind.
macro_rules! formats {
    ($($doc:literal $variant:ident $name:literal $components:literal $bytes:literal $number:ident;)*) => {
        /// A texel format. Normalised numbers decode as n / (2^bits − 1), with a sign as n / (2^(bits − 1) − 1), rounded once
        /// to binary32. Texels of integers are read one by one, as bits, and are not filtered. Missing components are 0,
        /// missing alpha is 1.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Format {
            $(#[doc = $doc] $variant,)*
            /// Four bytes: blue, green, red, alpha.
            Bgra8,
            /// 16 bits, little endian: 5 blue (lowest), 6 green, 5 red; alpha is 1.
            Bgr565,
            /// 16 bits, little endian: 4 each of blue (lowest), green, red, alpha.
            Bgra4444,
            /// Blocks of 4 by 4 texels in 8 bytes (BC1); the third color of a three-color block is transparent
            /// black.
            Dxt1,
            /// Blocks of 4 by 4 texels in 16 bytes (BC3).
            Dxt5,
        }

        impl Format {
            /// All formats.
            pub const ALL: &[Format] = &[
                $(Format::$variant,)*
                Format::Bgra8,
                Format::Bgr565,
                Format::Bgra4444,
                Format::Dxt1,
                Format::Dxt5,
            ];

            /// The name in inputs: as in GLSL where that has one, such as `rgba8`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Format::$variant => $name,)*
                    Format::Bgra8 => "bgra8",
                    Format::Bgr565 => "bgr565",
                    Format::Bgra4444 => "bgra4444",
                    Format::Dxt1 => "dxt1",
                    Format::Dxt5 => "dxt5",
                }
            }

            /// The components; none of a format whose components differ.
            const fn layout(self) -> Option<Layout> {
                match self {
                    $(Format::$variant => {
                        Some(Layout { components: $components, bytes: $bytes, number: Number::$number })
                    })*
                    _ => None,
                }
            }
        }
    };
}

formats! {
    "8 bits, normalised." R8 "r8" 1 1 Unsigned;
    "8 bits, normalised with a sign." R8Snorm "r8_snorm" 1 1 Signed;
    "8 bits, an integer without sign." R8Ui "r8ui" 1 1 Integer;
    "8 bits, an integer with a sign." R8I "r8i" 1 1 SignedInteger;
    "Two times 8 bits, normalised." Rg8 "rg8" 2 1 Unsigned;
    "Two times 8 bits, normalised with a sign." Rg8Snorm "rg8_snorm" 2 1 Signed;
    "Two times 8 bits, integers without sign." Rg8Ui "rg8ui" 2 1 Integer;
    "Two times 8 bits, integers with a sign." Rg8I "rg8i" 2 1 SignedInteger;
    "Four times 8 bits, normalised." Rgba8 "rgba8" 4 1 Unsigned;
    "Four times 8 bits, normalised with a sign." Rgba8Snorm "rgba8_snorm" 4 1 Signed;
    "Four times 8 bits, integers without sign." Rgba8Ui "rgba8ui" 4 1 Integer;
    "Four times 8 bits, integers with a sign." Rgba8I "rgba8i" 4 1 SignedInteger;
    "16 bits, little endian, normalised." R16 "r16" 1 2 Unsigned;
    "16 bits, little endian, normalised with a sign." R16Snorm "r16_snorm" 1 2 Signed;
    "16 bits, little endian, binary16." R16F "r16f" 1 2 Float;
    "16 bits, little endian, an integer without sign." R16Ui "r16ui" 1 2 Integer;
    "16 bits, little endian, an integer with a sign." R16I "r16i" 1 2 SignedInteger;
    "Two times 16 bits, little endian, normalised." Rg16 "rg16" 2 2 Unsigned;
    "Two times 16 bits, little endian, normalised with a sign." Rg16Snorm "rg16_snorm" 2 2 Signed;
    "Two times 16 bits, little endian, binary16." Rg16F "rg16f" 2 2 Float;
    "Two times 16 bits, little endian, integers without sign." Rg16Ui "rg16ui" 2 2 Integer;
    "Two times 16 bits, little endian, integers with a sign." Rg16I "rg16i" 2 2 SignedInteger;
    "Four times 16 bits, little endian, normalised." Rgba16 "rgba16" 4 2 Unsigned;
    "Four times 16 bits, little endian, normalised with a sign." Rgba16Snorm "rgba16_snorm" 4 2 Signed;
    "Four times 16 bits, little endian, binary16." Rgba16F "rgba16f" 4 2 Float;
    "Four times 16 bits, little endian, integers without sign." Rgba16Ui "rgba16ui" 4 2 Integer;
    "Four times 16 bits, little endian, integers with a sign." Rgba16I "rgba16i" 4 2 SignedInteger;
    "32 bits, little endian, binary32." R32F "r32f" 1 4 Float;
    "32 bits, little endian, an integer without sign." R32Ui "r32ui" 1 4 Integer;
    "32 bits, little endian, an integer with a sign." R32I "r32i" 1 4 SignedInteger;
    "Two times 32 bits, little endian, binary32." Rg32F "rg32f" 2 4 Float;
    "Two times 32 bits, little endian, integers without sign." Rg32Ui "rg32ui" 2 4 Integer;
    "Two times 32 bits, little endian, integers with a sign." Rg32I "rg32i" 2 4 SignedInteger;
    "Four times 32 bits, little endian, binary32." Rgba32F "rgba32f" 4 4 Float;
    "Four times 32 bits, little endian, integers without sign." Rgba32Ui "rgba32ui" 4 4 Integer;
    "Four times 32 bits, little endian, integers with a sign." Rgba32I "rgba32i" 4 4 SignedInteger;
}

impl Format {
    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.iter().copied().find(|f| f.name() == name)
    }

    /// Size of an image in bytes; saturates at the largest number.
    pub const fn bytes(self, width: usize, height: usize) -> usize {
        let texels = width.saturating_mul(height);
        let (units, each) = match (self.layout(), self) {
            (Some(layout), _) => (texels, layout.size()),
            (None, Format::Dxt1) => (width.div_ceil(4).saturating_mul(height.div_ceil(4)), 8),
            (None, Format::Dxt5) => (width.div_ceil(4).saturating_mul(height.div_ceil(4)), 16),
            (None, Format::Bgra8) => (texels, 4),
            (None, _) => (texels, 2),
        };
        units.saturating_mul(each)
    }

    /// Appends the texels of an image, row by row.
    pub(crate) fn decode(self, data: &[u8], width: usize, height: usize, out: &mut Vec<Color>) {
        match (self.layout(), self) {
            (Some(layout), _) => out.extend(data.chunks_exact(layout.size()).map(|t| layout.decode(t))),
            (None, Format::Dxt1) => block::decode(words(data).map(block::bc1), width, height, out),
            (None, Format::Dxt5) => block::decode(words(data).map(block::bc3), width, height, out),
            (None, Format::Bgr565) => out.extend(words(data).map(|t| {
                let v = bgr565(u16::from_le_bytes(t));
                let [r, g, b] = [0, 1, 2].map(|i| f32::from(v[i]) / f32::from(BGR565_MAX[i]));
                [r, g, b, 1.0]
            })),
            (None, Format::Bgra4444) => out.extend(words(data).map(|t| {
                let v = u16::from_le_bytes(t);
                [8, 4, 0, 12].map(|shift| f32::from(v >> shift & 15) / 15.0)
            })),
            (None, _) => out.extend(data.chunks_exact(4).map(|t| exchanged(RGBA8.decode(t)))),
        }
    }

    /// The components of a texel that is written, in whatever order; `None` for formats that cannot be written.
    pub(super) const fn written(self) -> Option<Layout> {
        match (self.layout(), self) {
            (None, Format::Bgra8) => Some(RGBA8),
            (layout, _) => layout,
        }
    }

    /// The value of a texel after a color is written to it; `None` for formats that cannot be written. Numbers are
    /// rounded to the nearest, or towards zero.
    pub(crate) fn stored(self, color: Color, towards_zero: bool) -> Option<Color> {
        self.written().map(|layout| layout.stored(color, towards_zero))
    }

    /// Appends the bytes of a texel as [`Format::stored`] returns it; `None` for formats that cannot be written.
    pub(crate) fn encode(self, color: Color, out: &mut Vec<u8>) -> Option<()> {
        match (self.layout(), self) {
            (Some(layout), _) => layout.encode(color, false, out),
            (None, Format::Bgra8) => RGBA8.encode(exchanged(color), false, out),
            (None, _) => return None,
        }
        Some(())
    }
}

/// The components of [`Format::Bgra8`], in another order.
const RGBA8: Layout = Layout { components: 4, bytes: 1, number: Number::Unsigned };

/// Red and blue exchanged.
fn exchanged([r, g, b, a]: Color) -> Color {
    [b, g, r, a]
}

/// The data split into arrays of `N` bytes.
fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|c| {
        let mut word = [0; N];
        word.copy_from_slice(c);
        word
    })
}
