//! PICA200 words without a container.

use crate::input::Input;
use crate::report::Report;
use crate::selected::Selected;
use crate::stop::Stop;
use shisa::Settings;
use shisa::ir::Stage;
use shisa::pica200::{Raw, raw};
use std::ffi::OsString;

/// Options for words without a container.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options for PICA200 without a container")]
pub(crate) struct RawOptions {
    /// The operand descriptors of raw words; FILE is these words, as emulators dump them
    #[arg(long, value_name = "FILE")]
    descriptors: Option<OsString>,
    /// The raw word that runs first, from 0
    #[arg(long, value_name = "N", default_value_t = 0, requires = "descriptors")]
    entry: u32,
    /// The raw words are a geometry program
    #[arg(long, requires = "descriptors")]
    geometry: bool,
}

/// Words without a container.
#[derive(Debug)]
pub(crate) struct RawWords {
    /// The file of operand descriptors.
    pub(crate) descriptors: Input,
    /// The word that runs first, from 0.
    pub(crate) entry: u32,
    /// Whether they are a geometry program.
    pub(crate) is_geometry: bool,
}

impl RawOptions {
    /// Whether the files are raw words.
    pub(crate) fn given(&self) -> bool {
        self.descriptors.is_some()
    }

    /// Reads the file of operand descriptors. `None` if the files are no raw words.
    pub(crate) fn read(&self, settings: &Settings) -> Result<Option<RawWords>, Stop> {
        let Some(name) = &self.descriptors else { return Ok(None) };
        let descriptors = Input::read(name, settings.limits.file)?;
        Ok(Some(RawWords { descriptors, entry: self.entry, is_geometry: self.geometry }))
    }

    /// Opens a file that may be raw words, and selects a program. With `whole`, the verb lists all of it: all
    /// programs, and zeros at the end of the words.
    pub(crate) fn open<'i>(
        &self,
        input: &'i Input,
        whole: bool,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        match self.read(settings)? {
            Some(words) => words.open(input, whole, program, settings, report),
            None if whole => input.open_all(program, settings, report),
            None => input.open(program, settings, report),
        }
    }
}

impl RawWords {
    /// Opens a file of these words.
    pub(crate) fn open<'i>(
        &self,
        input: &'i Input,
        whole: bool,
        program: Option<usize>,
        settings: &Settings,
        report: &mut Report,
    ) -> Result<Option<Selected<'i>>, Stop> {
        let stage = if self.is_geometry { Stage::Geometry } else { Stage::Vertex };
        let open = |code: &'i [u8], settings: &Settings| {
            let words = Raw { code, descriptors: &self.descriptors.bytes, stage, entry: self.entry };
            raw(&words, whole, settings)
        };
        input.opened(open, program, settings, report)
    }
}
