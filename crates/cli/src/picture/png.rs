//! PNG images.

use crate::input::Input;
use crate::stop::Stop;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use shisa::data::pictures::Image;
use shisa::diag::{Limit, Limits, escape};
use std::io::Cursor;

/// Delays of frames are in parts of a second, of which there are so many.
const DELAYS: f32 = 1000.0;

/// Reads an image: components of 8 bits, those of 16 bits rounded down.
///
/// # Errors
/// Files that are no PNG images or damaged, and larger ones than the limit `memory`.
pub(crate) fn read(input: &Input, limits: &Limits) -> Result<Image, Stop> {
    let fault = |e: &dyn std::fmt::Display| {
        Stop::File(format!("{} is not read as a PNG image: {e}", escape(&input.name)))
    };
    let mut decoder =
        Decoder::new_with_limits(Cursor::new(&input.bytes), png::Limits { bytes: limits.memory });
    decoder.set_transformations(Transformations::EXPAND | Transformations::STRIP_16);
    let mut reader = decoder.read_info().map_err(|e| fault(&e))?;
    let size = reader.output_buffer_size().unwrap_or(usize::MAX);
    limits.check(Limit::Memory, "bytes of an image", size).map_err(|d| fault(&d))?;
    let mut bytes = vec![0; size];
    let frame = reader.next_frame(&mut bytes).map_err(|e| fault(&e))?;
    bytes.truncate(frame.buffer_size());
    let rgba: Vec<u8> = match frame.color_type {
        ColorType::Rgba => bytes,
        other => bytes.chunks_exact(other.samples()).flat_map(pixel).collect(),
    };
    let image = Image::new(frame.width as usize, frame.height as usize, rgba, limits);
    image.map_err(|all| fault(&shisa::Error::from(all)))
}

/// A pixel of other components as red, green, blue and alpha.
fn pixel(components: &[u8]) -> [u8; 4] {
    match *components {
        [gray] => [gray, gray, gray, u8::MAX],
        [gray, alpha] => [gray, gray, gray, alpha],
        [red, green, blue, ..] => [red, green, blue, u8::MAX],
        [] => [0; 4],
    }
}

/// The bytes of a PNG image, or of an animated one, whose frames have the same size and are shown for so many seconds each,
/// again and again.
///
/// # Errors
/// Images that are too large for the format.
pub(crate) fn written(frames: &[Image], seconds: Option<f32>) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let fault = |e: &dyn std::fmt::Display| Stop::Failed(format!("the picture is not written as PNG: {e}"));
    let first = frames.first().ok_or_else(|| fault(&"there are no frames"))?;
    let [width, height] =
        [first.width(), first.height()].map(|size| u32::try_from(size).map_err(|e| fault(&e)));
    let mut encoder = Encoder::new(&mut bytes, width?, height?);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    if let Some(seconds) = seconds {
        let count = u32::try_from(frames.len()).map_err(|e| fault(&e))?;
        encoder.set_animated(count, 0).map_err(|e| fault(&e))?;
        // A float is converted to the nearest delay that exists.
        let delay = (seconds * DELAYS).round() as u16;
        encoder.set_frame_delay(delay, DELAYS as u16).map_err(|e| fault(&e))?;
    }
    let mut writer = encoder.write_header().map_err(|e| fault(&e))?;
    for frame in frames {
        writer.write_image_data(frame.bytes()).map_err(|e| fault(&e))?;
    }
    writer.finish().map_err(|e| fault(&e))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{read, written};
    use crate::input::Input;
    use shisa::data::pictures::Image;
    use shisa::diag::Limits;

    #[test]
    fn frames_are_one_file() {
        let limits = Limits::default();
        let image = |byte: u8| Image::new(2, 1, vec![byte; 8], &limits).unwrap();
        let bytes = written(&[image(1), image(2), image(3)], Some(0.25)).unwrap();
        // The number of frames, and the delay of each as a fraction of a second.
        let chunk =
            |name: &[u8]| bytes.windows(4).position(|window| window == name).map(|at| &bytes[at + 4..]);
        assert_eq!(chunk(b"acTL").unwrap()[..8], [0, 0, 0, 3, 0, 0, 0, 0]);
        assert_eq!(chunk(b"fcTL").unwrap()[20..24], [0, 250, 3, 232]);
        assert_eq!(bytes.windows(4).filter(|window| *window == b"fcTL").count(), 3);
        let input = Input { name: "a.png".into(), which: None, bytes, found: false };
        assert_eq!(read(&input, &limits).unwrap(), image(1));
        assert!(written(&[], None).is_err());
    }
}
