//! `shisa preview`

use crate::input::Input;
use crate::options::Global;
use crate::picture::{Inputs, NamedCorners, PictureOut, Pixels, set_defaults};
use crate::reading::Reading;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::data::pictures::{Preview as Rectangle, preview};
use std::ffi::OsString;

/// Run a fragment program over a rectangle, and write the picture as PNG
///
/// Varyings are linear between the corners. By default the first component grows from 0 to 1 to the right, the second
/// one downwards, and the others are 0 and 1.
#[derive(Debug, clap::Args)]
pub(crate) struct Preview {
    /// The program; - is standard input. FILE#N and FILE#NAME are one of a file's programs
    #[arg(value_name = "FILE", default_value = "-")]
    file: OsString,
    /// Which program, from 1, of a file that contains several; by default the first
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    #[command(flatten)]
    output: PictureOut,
    /// The size in pixels
    #[arg(long, value_name = "WxH", default_value = "256x256")]
    size: Pixels,
    /// The values of a varying at the corners, such as v0=0,0/1,0/0,1/1,1: upper left, upper right, lower left, lower
    /// right. One value is for all of them. Missing components are 0, 0, 1
    #[arg(long = "varying", value_name = "NAME=A/B/C/D")]
    varyings: Vec<NamedCorners>,
    /// The number of the colour that is shown, of a program that outputs several
    #[arg(long, value_name = "N", default_value_t = 0)]
    target: u32,
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
}

impl Preview {
    /// Draws the picture.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        self.output.check(global)?;
        if self.file == "-" && self.inputs.is_standard() {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        let settings = self.reading.settings(global.settings()?);
        let mut report = Report::new(global);
        let given = self.inputs.read(&settings.limits)?;
        let input = Input::programs(&self.file, &settings.limits)?;
        let Some(selected) = input.open(self.program, &settings, &mut report)? else {
            return Ok(report.status());
        };
        let Some(mut shader) = given.shader(selected.first(), &input, &mut report) else {
            return Ok(report.status());
        };
        let rectangle = Rectangle {
            size: self.size.0,
            corners: self.varyings.iter().map(|one| (one.name.clone(), one.corners)).collect(),
            target: self.target,
            counts: self.output.counts(),
        };
        let drawn = given.set(&mut [&mut *shader]).and_then(|()| {
            let note = set_defaults(&mut *shader)?;
            Ok((preview(&mut *shader, &rectangle, &settings.limits)?, note))
        });
        match drawn {
            Ok((picture, note)) => {
                report.all(note.as_slice(), &input);
                self.output.write(&picture, global)?;
            }
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }
}
