//! The fields of a header.

use super::{SPH_BYTES, Sph, bits};
use crate::ShaderStage;
use core::ops::Range;

/// The maps that a header has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Maps {
    /// Those of vertex, tessellation and geometry programs.
    Vtg,
    /// Those of pixel programs.
    Pixel,
    /// Not known, since the type of the header is neither.
    Unknown,
}

/// The format of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// A number in hexadecimal.
    Hex,
    /// 0 or 1.
    Flag,
    /// A number, some of which have names.
    Named(&'static [(u32, &'static str)]),
    /// Names of bits, from the lowest; a bit without a name is `bitN`.
    Set(&'static [&'static str]),
    /// Components, a bit each, x the lowest.
    Components,
    /// How each component is interpolated, two bits each, x the lowest.
    Interpolation,
}

/// The names of the values of [`Kind::Interpolation`].
pub(super) const INTERPOLATIONS: [&str; 4] = ["unused", "constant", "perspective", "screen-linear"];

/// A field, or several consecutive fields of the same form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// NVIDIA's documented name.
    pub name: &'static str,
    /// Its lowest bit, counted from the header's first bit.
    pub bit: u16,
    /// Bits of an element.
    pub width: u16,
    /// The number of elements.
    pub count: u16,
    /// The format of its values.
    pub kind: Kind,
    /// The headers that have it; all, if `None`.
    pub maps: Option<Maps>,
    /// The stages that it applies to; all, if empty. In headers of others it is zero.
    pub stages: &'static [ShaderStage],
    /// Its meaning.
    pub meaning: &'static str,
}

impl Field {
    /// The value of an element.
    pub fn get(&self, sph: &Sph, number: u16) -> u32 {
        bits(&sph.0, self.bit + number * self.width, self.width)
    }

    /// Changes an element; bits past its width are left out.
    pub fn set(&self, sph: &mut Sph, number: u16, value: u32) {
        let first = self.bit + number * self.width;
        for n in 0..self.width {
            let at = usize::from(first + n);
            if let Some(byte) = sph.0.get_mut(at / 8) {
                let bit = 1 << (at % 8);
                *byte = if value >> n & 1 == 1 { *byte | bit } else { *byte & !bit };
            }
        }
    }

    /// Its bytes, if the header is at an offset of a file.
    pub(crate) fn place(&self, at: usize) -> Range<usize> {
        let end = self.bit + self.width * self.count;
        at + usize::from(self.bit / 8)..at + usize::from(end.div_ceil(8))
    }

    /// Whether it has no meaning, so that it should be zero.
    pub fn reserved(&self) -> bool {
        self.name.starts_with("Reserved") || self.name.ends_with("Reserved")
    }

    /// Whether it is within a header.
    pub(super) const fn fits(&self) -> bool {
        self.bit + self.width * self.count <= SPH_BYTES as u16 * 8 && self.width <= 32
    }
}
