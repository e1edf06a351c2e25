//! What formats keep of colors.

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
    for &format in Format::ALL {
        for towards_zero in [false, true] {
            let Some(kept) = format.stored(color, towards_zero) else { continue };
            let mut bytes = Vec::new();
            format.encode(kept, &mut bytes).unwrap();
            assert_eq!(decode(format, 1, 1, &bytes), [kept], "{}", format.name());
        }
    }
    // 0.7 of 255 is 178.5, 0.375 of 255 is 95.625, and 0.7 is between two binary16 numbers.
    let ends = |format: Format, i: usize| [false, true].map(|zero| format.stored(color, zero).unwrap()[i]);
    assert_eq!(ends(Format::Rgba8, 3).map(|c| c * 255.0), [178.0, 178.0]);
    assert_eq!(ends(Format::Rgba8, 0).map(|c| (c * 255.0).round()), [96.0, 95.0]);
    assert_eq!(ends(Format::Rgba16F, 3).map(|c| c * 2048.0), [1434.0, 1433.0]);
}

#[test]
fn formats_are_found_by_their_names() {
    for &format in Format::ALL {
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
    let row = [[1.0, 0.0, 0.0, 1.0], [0.0, 0.0, 1.0, 1.0], [two, 0.0, third, 1.0], [third, 0.0, two, 1.0]];
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
    let alphas = |texels: &[Color]| texels.iter().map(|t| (t[3] * 255.0).round() as u8).collect::<Vec<_>>();
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

#[test]
fn components_of_each_size_and_kind() {
    let one = |format: Format, data: &[u8]| decode(format, 1, 1, data)[0];
    assert_eq!(one(Format::R8Snorm, &[0x81]), [-1.0, 0.0, 0.0, 1.0]);
    assert_eq!(one(Format::R8Snorm, &[0x80]), [-1.0, 0.0, 0.0, 1.0]);
    assert_eq!(one(Format::Rg16, &[0xff, 0xff, 0, 0x80]), [1.0, 32768.0 / 65535.0, 0.0, 1.0]);
    assert_eq!(one(Format::R16F, &[0, 0xc1]), [-2.5, 0.0, 0.0, 1.0]);
    let bits = |format: Format, data: &[u8]| one(format, data).map(f32::to_bits);
    assert_eq!(bits(Format::Rg8I, &[0xff, 3]), [!0, 3, 0, 1]);
    assert_eq!(bits(Format::Rgba16Ui, &[1, 2, 0xff, 0xff, 0, 0, 3, 0]), [0x201, 0xffff, 0, 3]);
    let stored = |format: Format, c: u32| format.stored([f32::from_bits(c); 4], false).unwrap()[0].to_bits();
    assert_eq!([stored(Format::R8Ui, 256), stored(Format::R16Ui, !0)], [255, 65535]);
    assert_eq!([stored(Format::R8I, 200), stored(Format::R16I, 0x8000_0000)], [127, -32768i32 as u32]);
    assert_eq!(stored(Format::R8Snorm, (-0.5f32).to_bits()), (-64.0f32 / 127.0).to_bits());
}
