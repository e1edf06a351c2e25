//! Storage formats of texels.

use super::block;
use super::color::{BGR565_MAX, Color, bgr565};
use shisa_ir::{Convert, FloatRule, Round, Scalar, scalar};

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
    /// One binary32, little endian: red, or depth. Green and blue are 0, alpha is 1.
    R32F,
    /// Four binary32, little endian: red, green, blue, alpha.
    Rgba32F,
    /// One 32-bit integer without sign, little endian: red. Green and blue are 0, alpha is 1. Texels of integers are read
    /// one by one, as bits, and are not filtered.
    R32Ui,
    /// The same with a sign.
    R32I,
    /// Four 32-bit integers without sign, little endian: red, green, blue, alpha.
    Rgba32Ui,
    /// The same with a sign.
    Rgba32I,
    /// Blocks of 4 by 4 texels in 8 bytes (BC1); the third color of a three-color block is transparent
    /// black.
    Dxt1,
    /// Blocks of 4 by 4 texels in 16 bytes (BC3).
    Dxt5,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 13] = {
        use Format::*;
        [Rgba8, Bgra8, Bgr565, Bgra4444, Rgba16F, R32F, Rgba32F, R32Ui, R32I, Rgba32Ui, Rgba32I, Dxt1, Dxt5]
    };

    /// `rgba8`, `bgra8`, `bgr565`, `bgra4444`, `rgba16f`, `r32f`, `rgba32f`, `r32ui`, `r32i`, `rgba32ui`, `rgba32i`,
    /// `dxt1` or `dxt5`.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Rgba8 => "rgba8",
            Format::Bgra8 => "bgra8",
            Format::Bgr565 => "bgr565",
            Format::Bgra4444 => "bgra4444",
            Format::Rgba16F => "rgba16f",
            Format::R32F => "r32f",
            Format::Rgba32F => "rgba32f",
            Format::R32Ui => "r32ui",
            Format::R32I => "r32i",
            Format::Rgba32Ui => "rgba32ui",
            Format::Rgba32I => "rgba32i",
            Format::Dxt1 => "dxt1",
            Format::Dxt5 => "dxt5",
        }
    }

    /// The format of this name.
    pub fn from_name(name: &str) -> Option<Format> {
        Self::ALL.into_iter().find(|f| f.name() == name)
    }

    /// Size of an image in bytes; saturates at the largest number.
    pub const fn bytes(self, width: usize, height: usize) -> usize {
        let (units, each) = match self {
            Format::Rgba8 | Format::Bgra8 | Format::R32F | Format::R32Ui | Format::R32I => {
                (width.saturating_mul(height), 4)
            }
            Format::Bgr565 | Format::Bgra4444 => (width.saturating_mul(height), 2),
            Format::Rgba16F => (width.saturating_mul(height), 8),
            Format::Rgba32F | Format::Rgba32Ui | Format::Rgba32I => (width.saturating_mul(height), 16),
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
            Format::R32F => out.extend(words(data).map(|t: [u8; 4]| [f32::from_le_bytes(t), 0.0, 0.0, 1.0])),
            // As many bits as a float has: what reads the texel takes them as an integer.
            Format::R32Ui | Format::R32I => {
                out.extend(words(data).map(|t: [u8; 4]| [f32::from_le_bytes(t), 0.0, 0.0, ONE]))
            }
            Format::Rgba32F | Format::Rgba32Ui | Format::Rgba32I => {
                out.extend(words(data).map(|t: [u8; 16]| {
                    [0, 4, 8, 12].map(|i| f32::from_le_bytes([t[i], t[i + 1], t[i + 2], t[i + 3]]))
                }))
            }
            Format::Dxt1 => block::decode(words(data).map(block::bc1), width, height, out),
            Format::Dxt5 => block::decode(words(data).map(block::bc3), width, height, out),
        }
    }
}

impl Format {
    /// The value of a texel after a color is written to it; `None` for formats that cannot be written. Numbers are
    /// rounded to the nearest, or towards zero.
    pub(crate) fn stored(self, color: Color, towards_zero: bool) -> Option<Color> {
        match self {
            // The cast converts NaN to 0 and truncates the fraction.
            Format::Rgba8 | Format::Bgra8 => Some(color.map(|c| {
                let c = c.clamp(0.0, 1.0) * 255.0;
                f32::from(if towards_zero { c } else { c.round_ties_even() } as u8) / 255.0
            })),
            Format::Rgba16F => Some(color.map(|c| half(narrowed(c, towards_zero)))),
            Format::R32F => Some([color[0], 0.0, 0.0, 1.0]),
            Format::R32Ui | Format::R32I => Some([color[0], 0.0, 0.0, ONE]),
            Format::Rgba32F | Format::Rgba32Ui | Format::Rgba32I => Some(color),
            Format::Bgr565 | Format::Bgra4444 | Format::Dxt1 | Format::Dxt5 => None,
        }
    }

    /// Appends the bytes of a texel as [`Format::stored`] returns it; `None` for formats that cannot be written.
    pub(crate) fn encode(self, [r, g, b, a]: Color, out: &mut Vec<u8>) -> Option<()> {
        let byte = |c: f32| (c * 255.0).round() as u8;
        match self {
            Format::Rgba8 => out.extend([r, g, b, a].map(byte)),
            Format::Bgra8 => out.extend([b, g, r, a].map(byte)),
            Format::Rgba16F => out.extend([r, g, b, a].map(|c| narrowed(c, false).to_le_bytes()).concat()),
            Format::R32F | Format::R32Ui | Format::R32I => out.extend(r.to_le_bytes()),
            Format::Rgba32F | Format::Rgba32Ui | Format::Rgba32I => {
                out.extend([r, g, b, a].map(f32::to_le_bytes).concat())
            }
            Format::Bgr565 | Format::Bgra4444 | Format::Dxt1 | Format::Dxt5 => return None,
        }
        Some(())
    }
}

/// The integer 1, in the bits of a float.
const ONE: f32 = f32::from_bits(1);

/// A number as binary16.
fn narrowed(c: f32, towards_zero: bool) -> u16 {
    let round = if towards_zero { Round::Zero } else { Round::Nearest };
    let rule = FloatRule { round, ..FloatRule::IEEE };
    scalar::convert(Convert::Float, rule, Scalar::F32, Scalar::F16, c.to_bits().into()) as u16
}

/// The data split into arrays of `N` bytes.
fn words<const N: usize>(data: &[u8]) -> impl Iterator<Item = [u8; N]> {
    data.chunks_exact(N).map(|c| {
        let mut word = [0; N];
        word.copy_from_slice(c);
        word
    })
}

fn half(bits: u16) -> f32 {
    let bits = scalar::convert(Convert::Float, FloatRule::IEEE, Scalar::F16, Scalar::F32, bits.into());
    f32::from_bits(bits as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(format: Format, width: usize, height: usize, data: &[u8]) -> Vec<Color> {
        assert_eq!(format.bytes(width, height), data.len());
        let mut out = Vec::new();
        format.decode(data, width, height, &mut out);
        out
    }

    #[test]
    fn stored_texels_decode_from_their_bytes() {
        let color = [0.375, 1.0, 0.0, 0.7];
        for format in Format::ALL {
            for towards_zero in [false, true] {
                let Some(kept) = format.stored(color, towards_zero) else { continue };
                let mut bytes = Vec::new();
                format.encode(kept, &mut bytes).unwrap();
                assert_eq!(decode(format, 1, 1, &bytes), [kept], "{}", format.name());
            }
        }
        // 0.7 of 255 is 178.5, 0.375 of 255 is 95.625, and 0.7 is between two binary16 numbers.
        let ends =
            |format: Format, i: usize| [false, true].map(|zero| format.stored(color, zero).unwrap()[i]);
        assert_eq!(ends(Format::Rgba8, 3).map(|c| c * 255.0), [178.0, 178.0]);
        assert_eq!(ends(Format::Rgba8, 0).map(|c| (c * 255.0).round()), [96.0, 95.0]);
        assert_eq!(ends(Format::Rgba16F, 3).map(|c| c * 2048.0), [1434.0, 1433.0]);
    }

    #[test]
    fn formats_are_found_by_their_names() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
        assert_eq!(Format::from_name("rgb9e5"), None);
    }

    #[test]
    fn plain_formats() {
        let fine = |n: f32| n / 255.0;
        let bytes = [10, 20, 30, 40];
        assert_eq!(decode(Format::Rgba8, 1, 1, &bytes), [[10.0, 20.0, 30.0, 40.0].map(fine)]);
        assert_eq!(decode(Format::Bgra8, 1, 1, &bytes), [[30.0, 20.0, 10.0, 40.0].map(fine)]);
        let packed = (21u16 << 11 | 42 << 5 | 7).to_le_bytes();
        assert_eq!(decode(Format::Bgr565, 1, 1, &packed), [[21.0 / 31.0, 42.0 / 63.0, 7.0 / 31.0, 1.0]]);
        // Blue is in the lowest four bits, alpha in the highest.
        let packed = 0xa321u16.to_le_bytes();
        let fifteenths = [3.0, 2.0, 1.0, 10.0].map(|n: f32| n / 15.0);
        assert_eq!(decode(Format::Bgra4444, 1, 1, &packed), [fifteenths]);
        let halves = [0x3c00u16, 0xc100, 0x0001, 0x7bff].map(u16::to_le_bytes).concat();
        assert_eq!(decode(Format::Rgba16F, 1, 1, &halves), [[1.0, -2.5, 2f32.powi(-24), 65504.0]]);
    }

    /// End points red (31) and blue (31), and a code for each texel.
    fn color_block(first: u16, second: u16, codes: [u8; 4]) -> Vec<u8> {
        [&first.to_le_bytes()[..], &second.to_le_bytes(), &codes].concat()
    }

    const RED: u16 = 31 << 11;
    const BLUE: u16 = 31;

    #[test]
    fn color_blocks() {
        // Codes 0, 1, 2, 3 in every row.
        let codes = [0b11_10_01_00; 4];
        let four = decode(Format::Dxt1, 4, 4, &color_block(RED, BLUE, codes));
        let (third, two) = (31.0 / 93.0, 62.0 / 93.0);
        let row =
            [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [two, 0.0, third, 1.0], [third, 0.0, two, 1.0]];
        assert_eq!(four, row.repeat(4));
        let three = decode(Format::Dxt1, 4, 4, &color_block(BLUE, RED, codes));
        let row = [[0.0, 0.0, 1.0, 1.0], [1.0, 0.0, 0.0, 1.0], [0.5, 0.0, 0.5, 1.0], [0.0; 4]];
        assert_eq!(three, row.repeat(4));
    }

    #[test]
    fn alpha_blocks() {
        // Codes 0 to 7, twice: three bits each, the first one lowest.
        let codes = (0..16u64).map(|i| (i % 8) << (3 * i)).sum::<u64>().to_le_bytes();
        let block = |a: u8, b: u8| {
            let mut data = vec![a, b];
            data.extend_from_slice(&codes[..6]);
            // In BC3 the order of the colors does not matter.
            data.extend(color_block(BLUE, RED, [0b11_10_01_00; 4]));
            decode(Format::Dxt5, 4, 4, &data)
        };
        let alphas =
            |texels: &[Color]| texels.iter().map(|t| (t[3] * 255.0).round() as u8).collect::<Vec<_>>();
        let eight = block(210, 0);
        assert_eq!(alphas(&eight[..8]), [210, 0, 180, 150, 120, 90, 60, 30]);
        assert_eq!(eight[..8], eight[8..]);
        assert_eq!(alphas(&block(0, 200)[..8]), [0, 200, 40, 80, 120, 160, 0, 255]);
        assert_eq!(alphas(&block(77, 77)[..8]), [77, 77, 77, 77, 77, 77, 0, 255]);
        let third = 31.0 / 93.0;
        assert_eq!(eight[3][..3], [62.0 / 93.0, 0.0, third]);
    }

    #[test]
    fn blocks_are_cut_at_the_edges() {
        let block = |color: u16| color_block(color, 0, [0; 4]);
        let data: Vec<u8> = [RED, BLUE, RED | BLUE, 63 << 5].into_iter().flat_map(block).collect();
        let texels = decode(Format::Dxt1, 6, 5, &data);
        assert_eq!(texels.len(), 30);
        let at = |x: usize, y: usize| texels[y * 6 + x][..3].iter().map(|c| *c as u8).collect::<Vec<_>>();
        assert_eq!([at(3, 3), at(4, 3), at(3, 4), at(5, 4)].concat(), [1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0]);
        assert_eq!(decode(Format::Dxt5, 1, 1, &[0; 16]).len(), 1);
    }
}
