//! Writing pictures.

use super::png;
use super::terminal::Protocol;
use crate::options::{Format, Global};
use crate::output::{Force, OutputFiles, binary, json};
use crate::stop::Stop;
use clap::ValueEnum;
use serde_json::{Value, json};
use shisa::data::pictures::{Counts, Heat, Image, Picture};
use shisa::diag::escape;
use shisa::eval::TargetFormat;
use std::ffi::{OsStr, OsString};
use std::io::Write;

/// What a map of pixels shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum HeatName {
    /// Instructions that each pixel executed
    Cost,
    /// Instructions that other pixels of its wave executed while it was masked off
    Divergence,
    /// Instructions that made a NaN of numbers
    Nan,
}

impl HeatName {
    fn of_library(self) -> Heat {
        match self {
            HeatName::Cost => Heat::Cost,
            HeatName::Divergence => Heat::Divergence,
            HeatName::Nan => Heat::Nan,
        }
    }

    /// Its numbers in the summary.
    fn summary(self, counts: &Counts) -> String {
        let numbers = self.of_library().numbers(counts);
        let (least, most) = (numbers.iter().min(), numbers.iter().max());
        let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
        match self {
            HeatName::Cost if least == most => format!("{most} instructions a pixel"),
            HeatName::Cost => format!("{least} to {most} instructions a pixel"),
            HeatName::Divergence => {
                let masked = numbers.iter().filter(|number| **number > 0).count();
                format!("{masked} pixels masked off for up to {most} instructions")
            }
            HeatName::Nan => {
                let pixels = numbers.iter().filter(|number| **number > 0).count();
                format!("{pixels} pixels made NaNs, each up to {most}")
            }
        }
    }
}

/// Where a picture is written, and what it shows.
#[derive(Debug, clap::Args)]
pub(crate) struct PictureOut {
    /// The PNG file for the picture; - is standard output. Terminals with the graphics of Kitty, iTerm2 or Sixel show it
    /// without a file
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<OsString>,
    #[command(flatten)]
    force: Force,
    /// Show a map of each pixel in place of its colour, from black for 0 to white for the largest number
    #[arg(long, value_enum, value_name = "MAP")]
    heat: Option<HeatName>,
    /// The format of the colours, such as rgba8 or rgba16f: the picture has what it holds of them. By default the program's floats
    #[arg(long, value_name = "FORMAT", value_parser = target_format)]
    target_format: Option<TargetFormat>,
    /// Keep the alpha that the program outputs; otherwise pixels are opaque, and those without a colour are transparent
    #[arg(long)]
    alpha: bool,
}

/// A format of targets by its name.
fn target_format(name: &str) -> Result<TargetFormat, String> {
    shisa::eval::Format::from_name(name).and_then(TargetFormat::new).ok_or_else(|| {
        let names: Vec<&str> = TargetFormat::formats().map(|format| format.name()).collect();
        format!("the formats of colours are {}", names.join(", "))
    })
}

impl PictureOut {
    /// The format of the colours.
    pub(crate) fn target_format(&self) -> Option<TargetFormat> {
        self.target_format
    }

    /// Whether what pixels cost must be counted.
    pub(crate) fn counts(&self) -> bool {
        self.heat.is_some()
    }

    /// Refuses a call whose picture goes nowhere: on terminals that show pictures it needs no file.
    ///
    /// # Errors
    /// Neither a file nor JSON is wanted, and standard output is no terminal that shows pictures.
    pub(crate) fn check(&self, global: &Global) -> Result<(), Stop> {
        let is_shown = || global.format == Format::Json || Protocol::of_output().is_some();
        match self.output.is_some() || is_shown() {
            true => Ok(()),
            false => {
                let text = "-o OUT.png names the file for the picture, which this output does not show; --json writes its numbers";
                Err(Stop::Failed(text.into()))
            }
        }
    }

    /// Writes a picture: the file, and to standard output a summary, or all numbers as JSON. Without a file the terminal
    /// shows it.
    pub(crate) fn write(&self, picture: &Picture, global: &Global) -> Result<(), Stop> {
        let image = self.image(picture)?;
        if let Some(name) = &self.output {
            binary(name, &png::written(std::slice::from_ref(&image), None)?, &self.force)?;
        }
        match (global.format, &self.output) {
            (_, Some(name)) if name == "-" => Ok(()),
            (Format::Json, _) => json("-", &numbers(picture)),
            (Format::Text, Some(name)) => summarise(name, &self.summary(picture)),
            (Format::Text, None) => {
                Protocol::of_output().map_or(Ok(()), |protocol| protocol.show(&image))?;
                Ok(writeln!(std::io::stdout().lock(), "{}", self.summary(picture))?)
            }
        }
    }

    /// Writes the frames of an animation, which together last for so many seconds: one file, or one for each frame if the
    /// name has a `%`, in place of which it has the number.
    ///
    /// # Errors
    /// There is no file, or it cannot be written.
    pub(crate) fn write_frames(&self, pictures: &[Picture], seconds: f32) -> Result<(), Stop> {
        let Some(name) = &self.output else {
            return Err(Stop::Failed("-o OUT.png names the file for the frames".into()));
        };
        let images = pictures.iter().map(|picture| self.image(picture)).collect::<Result<Vec<_>, Stop>>()?;
        let text = name.to_string_lossy();
        let mut files = OutputFiles::default();
        match text.split_once('%') {
            Some((before, after)) => {
                let digits = images.len().saturating_sub(1).to_string().len();
                for (n, image) in images.iter().enumerate() {
                    let bytes = png::written(std::slice::from_ref(image), None)?;
                    files.add(format!("{before}{n:0digits$}{after}"), &bytes)?;
                }
            }
            None => {
                let each = seconds / images.len().max(1) as f32;
                files.binary(name, &png::written(&images, Some(each))?, &self.force)?;
            }
        }
        files.write()?;
        match (name == "-", pictures.first()) {
            (false, Some(first)) => {
                summarise(name, &format!("{} frames of {}x{}", pictures.len(), first.width, first.height))
            }
            _ => Ok(()),
        }
    }

    /// What the picture shows, as bytes.
    fn image(&self, picture: &Picture) -> Result<Image, Stop> {
        match self.heat {
            None => Ok(picture.image(self.alpha)),
            Some(heat) => {
                heat.of_library().map(picture).ok_or_else(|| Stop::Failed("nothing was counted".into()))
            }
        }
    }

    /// A line on a picture.
    fn summary(&self, picture: &Picture) -> String {
        let Picture { width, height, executed, .. } = picture;
        let mut parts = vec![format!("{width}x{height}"), format!("{executed} instructions")];
        let without = picture.drawn.iter().filter(|drawn| !**drawn).count();
        for (count, what) in [(without, "without a colour"), (picture.not_finite(), "not finite")] {
            if count > 0 {
                parts.push(format!("{count} pixels {what}"));
            }
        }
        if picture.is_uniform() {
            let is_drawn = picture.drawn.iter().any(|drawn| *drawn);
            parts.push(if is_drawn { "all of one colour" } else { "nothing visible" }.into());
        }
        if let Some((heat, counts)) = self.heat.zip(picture.counts.as_ref()) {
            parts.push(heat.summary(counts));
        }
        parts.join(", ")
    }
}

/// Writes a line on a file.
fn summarise(name: &OsStr, summary: &str) -> Result<(), Stop> {
    let name = escape(&name.to_string_lossy()).to_string();
    Ok(writeln!(std::io::stdout().lock(), "{name}: {summary}")?)
}

/// The numbers of a picture, in the form of `docs/schema/picture.schema.json`.
fn numbers(picture: &Picture) -> Value {
    let pixel = |(color, drawn): (&[f32; 4], &bool)| match drawn {
        true => Value::from(color.map(|value| format!("{:08x}", value.to_bits())).join(" ")),
        false => "-".into(),
    };
    let mut all = json!({
        "version": 1, "width": picture.width, "height": picture.height,
        "pixels": picture.pixels.iter().zip(&picture.drawn).map(pixel).collect::<Vec<_>>(),
        "executed": picture.executed,
    });
    if let (Some(counts), Some(all)) = (&picture.counts, all.as_object_mut()) {
        let counts = json!({ "cost": counts.steps, "divergence": counts.waits, "nan": counts.nans });
        all.insert("counts".into(), counts);
    }
    all
}
