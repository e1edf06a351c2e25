//! Values of options: sizes, named numbers, corners.

use shisa::data::pictures::Corners;
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

/// Numbers for components of something with a name: `NAME=X,Y,Z,W`. `NAME.y` has its first number for the second
/// component.
#[derive(Clone, Debug)]
pub(crate) struct NamedNumbers {
    pub(crate) name: String,
    /// The component of the first number.
    pub(crate) first: usize,
    pub(crate) numbers: Vec<f32>,
}

impl FromStr for NamedNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedNumbers, String> {
        let (name, list) = text.split_once('=').ok_or("expected NAME=X,Y,Z,W")?;
        let (name, first) = component(name);
        Ok(NamedNumbers { name: name.into(), first, numbers: numbers(list)? })
    }
}

/// A component of something with a name: `NAME.y` is the second one, `NAME` the first one.
pub(crate) fn component(name: &str) -> (&str, usize) {
    let split = name.rsplit_once('.');
    let found = split
        .and_then(|(name, letter)| Some((name, ["x", "y", "z", "w"].iter().position(|c| *c == letter)?)));
    found.unwrap_or((name, 0))
}

fn numbers(list: &str) -> Result<Vec<f32>, String> {
    let number = |text: &str| text.trim().parse().map_err(|_| format!("`{text}` is not a number"));
    list.split(',').map(number).collect()
}

/// The values of an input at the corners of a picture: `NAME=A/B/C/D`, each with up to four numbers.
#[derive(Clone, Debug)]
pub(crate) struct NamedCorners {
    pub(crate) name: String,
    pub(crate) corners: Corners,
}

impl FromStr for NamedCorners {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedCorners, String> {
        let (name, list) = text.split_once('=').ok_or("expected NAME=A/B/C/D")?;
        let mut corners = [[0.0, 0.0, 0.0, 1.0]; 4];
        let parts: Vec<&str> = list.split('/').collect();
        if ![1, corners.len()].contains(&parts.len()) {
            let text = "expected one value, or four: upper left/upper right/lower left/lower right";
            return Err(text.into());
        }
        for (corner, part) in corners.iter_mut().zip(parts.iter().cycle()) {
            let numbers = numbers(part)?;
            if numbers.len() > corner.len() {
                return Err(format!("`{part}` has more than four numbers"));
            }
            corner.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        }
        Ok(NamedCorners { name: name.into(), corners })
    }
}
