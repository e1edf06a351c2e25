//! Writing pictures.

use super::png;
use crate::options::{Format, Global};
use crate::output::{Force, binary, json};
use crate::stop::Stop;
use clap::ValueEnum;
use serde_json::{Value, json};
use shisa::data::pictures::{Counts, Heat, Image, Picture};
use shisa::diag::escape;
use std::ffi::OsString;
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
    /// The PNG file for the picture; - is standard output
    #[arg(short, long, value_name = "OUT.png")]
    output: Option<OsString>,
    #[command(flatten)]
    force: Force,
    /// Show a map of each pixel in place of its colour, from black for 0 to white for the largest number
    #[arg(long, value_enum, value_name = "MAP")]
    heat: Option<HeatName>,
    /// Keep the alpha that the program outputs; otherwise pixels are opaque, and those without a colour are transparent
    #[arg(long)]
    alpha: bool,
}

impl PictureOut {
    /// Whether what pixels cost must be counted.
    pub(crate) fn counts(&self) -> bool {
        self.heat.is_some()
    }

    /// Refuses a call whose picture goes nowhere.
    ///
    /// # Errors
    /// Neither a file nor JSON is wanted.
    pub(crate) fn check(&self, global: &Global) -> Result<(), Stop> {
        match self.output.is_none() && global.format != Format::Json {
            true => Err(Stop::Failed(
                "-o OUT.png names the file for the picture; --json writes its numbers".into(),
            )),
            false => Ok(()),
        }
    }

    /// Writes a picture: the file, and to standard output a summary, or all numbers as JSON.
    pub(crate) fn write(&self, picture: &Picture, global: &Global) -> Result<(), Stop> {
        if let Some(name) = &self.output {
            binary(name, &png::written(&self.image(picture)?)?, &self.force)?;
        }
        match (global.format, &self.output) {
            (_, Some(name)) if name == "-" => Ok(()),
            (Format::Json, _) => json("-", &numbers(picture)),
            (Format::Text, Some(name)) => {
                let name = escape(&name.to_string_lossy()).to_string();
                Ok(writeln!(std::io::stdout().lock(), "{name}: {}", self.summary(picture))?)
            }
            (Format::Text, None) => Ok(()),
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
            parts.push("all of one colour".into());
        }
        if let Some((heat, counts)) = self.heat.zip(picture.counts.as_ref()) {
            parts.push(heat.summary(counts));
        }
        parts.join(", ")
    }
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
