//! The bits of a header for an attribute, by its address.

use super::{Field, Maps, Sph};

/// Addresses from `start`, and the header's bits for each four bytes.
struct Run {
    start: u16,
    end: u16,
    bit: u16,
    width: u16,
}

const fn run(start: u16, end: u16, bit: u16, width: u16) -> Run {
    Run { start, end, bit, width }
}

/// Inputs of pixel programs: system values, generic attributes, colours, system values, texture coordinates.
const PIXEL: &[Run] = &[
    run(0, 0x80, 160, 1),
    run(0x80, 0x280, 192, 2),
    run(0x280, 0x2a0, 448, 2),
    run(0x2c0, 0x300, 464, 1),
    run(0x300, 0x3a0, 480, 2),
];
/// Inputs of the other programs.
const INPUTS: &[Run] = &[run(0, 0x3a0, 160, 1)];
/// Outputs of the other programs; last the mask of viewports.
const OUTPUTS: &[Run] = &[run(0, 0x3a4, 400, 1)];

/// The bits of a header for an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mapped {
    /// The field that has the bits.
    pub field: &'static Field,
    /// The value of the bits: whether the attribute is used or, for most inputs of pixel programs, a number of
    /// [`Interpolation`].
    pub value: u32,
}

/// How the hardware interpolates an input of a pixel program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The program has no such input.
    Unused,
    /// The value of one vertex.
    Constant,
    /// Linear in space: linear on the screen once divided by w.
    Perspective,
    /// Linear on the screen.
    Linear,
}

impl Mapped {
    /// The interpolation, if the header states one: the fields of system values do not.
    pub fn interpolation(&self) -> Option<Interpolation> {
        let kinds = [
            Interpolation::Unused,
            Interpolation::Constant,
            Interpolation::Perspective,
            Interpolation::Linear,
        ];
        (!self.field.name.starts_with("ImapSystem")).then(|| kinds.get(self.value as usize).copied())?
    }
}

impl Sph {
    /// The bits for the input at an address; `None` if no map has the address.
    pub fn input(&self, address: u16) -> Option<Mapped> {
        match self.maps() {
            Maps::Pixel => self.mapped(PIXEL, address),
            Maps::Vtg => self.mapped(INPUTS, address),
            Maps::Unknown => None,
        }
    }

    /// The bits for the output at an address; `None` if no map has the address.
    pub fn output(&self, address: u16) -> Option<Mapped> {
        (self.maps() == Maps::Vtg).then(|| self.mapped(OUTPUTS, address))?
    }

    fn mapped(&self, runs: &[Run], address: u16) -> Option<Mapped> {
        let run = runs.iter().find(|r| (r.start..r.end).contains(&address))?;
        let bit = run.bit + (address - run.start) / 4 * run.width;
        let field = self.fields().find(|f| (f.bit..f.bit + f.width * f.count).contains(&bit))?;
        let inside = bit - field.bit;
        let value = field.get(self, inside / field.width) >> (inside % field.width);
        Some(Mapped { field, value: value & ((1 << run.width) - 1) })
    }
}
