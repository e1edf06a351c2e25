//! Sizes of pictures.

use std::str::FromStr;

/// A size in pixels, written as `WIDTHxHEIGHT` or as the side of a square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pixels(pub(crate) [usize; 2]);

impl FromStr for Pixels {
    type Err = String;

    fn from_str(text: &str) -> Result<Pixels, String> {
        let (width, height) = text.split_once('x').unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|n| (1..=u32::MAX as usize).contains(n));
        let size = number(width).zip(number(height));
        size.map(|(width, height)| Pixels([width, height]))
            .ok_or_else(|| "expected WIDTHxHEIGHT, such as 256x256".into())
    }
}
