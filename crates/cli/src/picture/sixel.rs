//! Sixel graphics: bands of six rows, each written once for every colour in it.

use shisa::data::pictures::Image;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Rows of a band.
const ROWS: usize = 6;
/// Steps of red, green and blue.
const STEPS: usize = 6;
/// The character for no pixel of a column; a bit for each row is added.
const NONE: u8 = b'?';

/// The number of the nearest colour of the palette; `None` for a pixel that is more than half transparent.
fn color(pixel: &[u8]) -> Option<usize> {
    let [red, green, blue, alpha] = *pixel else { return None };
    let step = |value: u8| (usize::from(value) * (STEPS - 1) + 127) / 255;
    (alpha > 127).then(|| (step(red) * STEPS + step(green)) * STEPS + step(blue))
}

/// An image as sixels.
pub(super) fn written(image: &Image) -> Vec<u8> {
    let mut text = String::from("\x1bPq");
    // A palette is stated in hundredths.
    for number in 0..STEPS * STEPS * STEPS {
        let [red, green, blue] =
            [number / STEPS / STEPS, number / STEPS % STEPS, number % STEPS].map(|n| n * 100 / (STEPS - 1));
        let _ = write!(text, "#{number};2;{red};{green};{blue}");
    }
    for band in image.bytes().chunks((image.width() * 4 * ROWS).max(1)) {
        // For each colour the pixels of each column.
        let mut columns: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
        for (n, pixel) in band.chunks(4).enumerate() {
            let (row, column) = (n / image.width(), n % image.width());
            let Some(color) = color(pixel) else { continue };
            let own = columns.entry(color).or_insert_with(|| vec![0; image.width()]);
            if let Some(bits) = own.get_mut(column) {
                *bits |= 1 << row;
            }
        }
        for (color, columns) in columns {
            let _ = write!(text, "#{color}");
            for run in columns.chunk_by(|a, b| a == b) {
                let bits = run.iter().take(1).fold(NONE, |none, bits| none + bits);
                let _ = write!(text, "!{}{}", run.len(), char::from(bits));
            }
            // Back to the start of the band.
            text.push('$');
        }
        text.push('-');
    }
    text.push_str("\x1b\\");
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::written;
    use shisa::data::pictures::Image;
    use shisa::diag::Limits;

    #[test]
    fn bands_have_a_line_for_each_colour() {
        // Red over blue in the first column, a transparent pixel beside them.
        let bytes = [[255, 0, 0, 255], [0; 4], [0, 0, 255, 255], [0, 0, 255, 255]].concat();
        let image = Image::new(2, 2, bytes, &Limits::default()).unwrap();
        let text = String::from_utf8(written(&image)).unwrap();
        assert!(text.contains("#180;2;100;0;0") && text.contains("#5;2;0;0;100"), "{text}");
        assert!(text.ends_with("#5!2A$#180!1@!1?$-\x1b\\"), "{text}");
    }
}
