//! PNG images.

use crate::input::Input;
use crate::stop::Stop;
use png::{BitDepth, ColorType, Decoder, Encoder, Transformations};
use shisa::data::pictures::Image;
use shisa::diag::{Limit, Limits, escape};
use std::io::Cursor;

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

/// The bytes of a PNG image.
///
/// # Errors
/// Images that are too large for the format.
pub(crate) fn written(image: &Image) -> Result<Vec<u8>, Stop> {
    let mut bytes = Vec::new();
    let fault = |e: &dyn std::fmt::Display| Stop::Failed(format!("the picture is not written as PNG: {e}"));
    let [width, height] =
        [image.width(), image.height()].map(|size| u32::try_from(size).map_err(|e| fault(&e)));
    let mut encoder = Encoder::new(&mut bytes, width?, height?);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|e| fault(&e))?;
    writer.write_image_data(image.bytes()).map_err(|e| fault(&e))?;
    writer.finish().map_err(|e| fault(&e))?;
    Ok(bytes)
}
