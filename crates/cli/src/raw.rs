//! PICA200 words without a container.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::Settings;
use shisa::diag::Diagnostic;
use shisa::ir::Stage;
use shisa::pica200::container::Raw;
use shisa::pica200::rules;

/// What to know of words without a container.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for PICA200 without a container")]
pub(crate) struct RawOptions {
    /// The operand descriptors of raw words; FILE is these words, as emulators dump them
    #[arg(long, value_name = "FILE")]
    descriptors: Option<String>,
    /// The raw word that runs first, from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "descriptors")]
    entry: u32,
    /// The raw words are a geometry program
    #[arg(long, requires = "descriptors")]
    geometry: bool,
}

impl RawOptions {
    /// Whether files are raw words.
    pub(crate) fn given(&self) -> bool {
        self.descriptors.is_some()
    }

    /// Reads a file; of raw words the shader binary that holds them, without the zeros at their end unless
    /// all are `kept`. `None` when they are none, which has been reported.
    pub(crate) fn read(
        &self,
        name: &str,
        kept: bool,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Input>, Stop> {
        let input = Input::read(name, settings.limits.file)?;
        let binary = |raw: Raw<'_>| {
            let raw = if kept { raw } else { raw.loaded() };
            raw.linked(&settings.limits)?.write(&settings.limits)
        };
        match self.with(&input, settings, binary)? {
            None => Ok(Some(input)),
            Some(Ok(bytes)) => Ok(Some(Input { bytes, ..input })),
            Some(Err(d)) => report.all(&[d], &input).map(|()| None),
        }
    }

    /// What is wrong with raw words.
    pub(crate) fn check(&self, input: &Input, settings: &Settings, report: &mut Report) -> Result<(), Stop> {
        let check = |raw: Raw<'_>| rules::check_raw(&raw.loaded(), &settings.limits);
        match self.with(input, settings, check)? {
            None => Ok(()),
            Some(found) => report.all(&found.unwrap_or_else(|d| vec![d]), input),
        }
    }

    /// Calls `f` with the words of the file if they are raw.
    fn with<T>(
        &self,
        input: &Input,
        settings: &Settings,
        f: impl FnOnce(Raw<'_>) -> Result<T, Diagnostic>,
    ) -> Result<Option<Result<T, Diagnostic>>, Stop> {
        let Some(name) = &self.descriptors else { return Ok(None) };
        let descriptors = Input::read(name, settings.limits.file)?;
        let stage = if self.geometry { Stage::Geometry } else { Stage::Vertex };
        let raw = Raw { code: &input.bytes, descriptors: &descriptors.bytes, stage, entry: self.entry };
        Ok(Some(f(raw)))
    }
}
