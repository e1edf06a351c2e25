//! `shisa preview`

use super::pixel::{PixelArgs, PixelSession};
use crate::input::Input;
use crate::options::{Format, Global};
use crate::picture::{Inputs, PictureOut, Pixels};
use crate::report::Report;
use crate::saved;
use crate::stop::{Status, Stop};
use shisa::data::pictures::{Preview as Rectangle, Shader, preview, preview_quad};
use shisa::diag::Limit;
use shisa_verbs::{NamedCorners, Reading, component, set_defaults};
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
    /// Draw so many frames for --time: an animated PNG, or with a % in the name of the output a file for each frame
    #[arg(long, value_name = "N", requires = "time", conflicts_with = "pixel", value_parser = clap::value_parser!(u16).range(1..))]
    frames: Option<u16>,
    /// The constant that gets the time of each frame in seconds, such as fc0 or fc0.x
    #[arg(long, value_name = "NAME", requires = "frames")]
    time: Option<String>,
    /// How long all frames last
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, value_parser = seconds)]
    seconds: f32,
    #[command(flatten)]
    pixel: PixelArgs,
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
}

/// Bytes of a pixel of a picture that waits until all frames are drawn.
const FRAME_BYTES: usize = 48;

/// A time, in which each frame is shown for at most a minute.
fn seconds(text: &str) -> Result<f32, String> {
    let seconds: Option<f32> = text.parse().ok().filter(|seconds| (0.0..=60.0).contains(seconds));
    seconds.ok_or_else(|| "expected a number of seconds from 0 to 60".into())
}

impl Preview {
    /// Draws the picture.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        if self.pixel.pixel.is_none() {
            self.output.check(global)?;
        }
        if self.file == "-" && self.inputs.is_standard() {
            return Err(Stop::Failed("only one of program and input can be standard input".into()));
        }
        if self.frames.is_some() && global.format == Format::Json {
            return Err(Stop::Failed(
                "frames are for a file: --json writes the numbers of one picture".into(),
            ));
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
            format: self.output.target_format(),
            counts: self.output.counts(),
        };
        if let Some(pixel) = self.pixel.pixel {
            let quad = given.set(&mut [&mut shader]).and_then(|()| {
                let note = set_defaults(&mut shader)?;
                Ok((preview_quad(&mut shader, &rectangle, pixel)?, note))
            });
            return match quad {
                Ok(((run, lane), note)) => {
                    report.all(note.as_slice(), &input);
                    let program = selected.first().ok();
                    let (program, input, settings) = (program.as_ref(), &input, &settings);
                    let picture = shader.picture().clone();
                    let selected = (input, self.program);
                    let saved = saved::of_picture(selected, given.text(), picture, settings, global)?;
                    let session = PixelSession { run, lane, saved, which: None, input, program, settings };
                    self.pixel.debug(session, global, &mut report)?;
                    Ok(report.status())
                }
                Err(e) => {
                    report.all(&e.diagnostics, &input);
                    Ok(report.status())
                }
            };
        }
        let frames = usize::from(self.frames.unwrap_or(1));
        let bytes = self.size.0.into_iter().fold(FRAME_BYTES * frames, usize::saturating_mul);
        if self.frames.is_some()
            && let Err(fault) = settings.limits.check(Limit::Memory, "bytes of frames", bytes)
        {
            report.all(&[fault], &input);
            return Ok(report.status());
        }
        let drawn = given.set(&mut [&mut shader]).and_then(|()| {
            // A constant that has the time needs no default.
            self.time.iter().try_for_each(|name| self.set_time(&mut shader, name, 0))?;
            let note = set_defaults(&mut shader)?;
            let frames = (0..self.frames.unwrap_or(1)).map(|frame| {
                self.time.iter().try_for_each(|name| self.set_time(&mut shader, name, frame))?;
                Ok(preview(&mut shader, &rectangle, &settings.limits)?)
            });
            Ok((frames.collect::<shisa::Result<Vec<_>>>()?, note))
        });
        match drawn {
            Ok((frames, note)) => {
                report.all(note.as_slice(), &input);
                match (&frames[..], self.frames) {
                    ([picture], None) => self.output.write(picture, global)?,
                    _ => self.output.write_frames(&frames, self.seconds)?,
                }
            }
            Err(e) => report.all(&e.diagnostics, &input),
        }
        Ok(report.status())
    }

    /// Sets the constant with the time of a frame.
    fn set_time(&self, shader: &mut dyn Shader, name: &str, frame: u16) -> shisa::Result<()> {
        let seconds = f32::from(frame) / f32::from(self.frames.unwrap_or(1)) * self.seconds;
        let (name, first) = component(name);
        Ok(shader.set_constant(name, first, &[seconds])?)
    }
}
