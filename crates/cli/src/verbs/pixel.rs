//! Debugging a pixel of a picture.

use super::debug::{Beginning, documents_of, write};
use crate::input::Input;
use crate::options::Global;
use crate::report::Report;
use crate::stop::Stop;
use serde_json::Value;
use shisa::data::debug::{Captured, Saved, State};
use shisa::{Program, Settings};
use std::ffi::OsString;

/// The pixel of a picture that is debugged.
#[derive(Debug, clap::Args)]
pub(super) struct PixelArgs {
    /// Debug the pixel of a column and a row, from 0, instead of drawing: lanes 0 to 3 are the pixels of its quad, row by
    /// row. `shisa debug` describes the window and the commands
    #[arg(long, value_name = "X,Y", value_parser = pixel, conflicts_with_all = ["output", "heat"])]
    pub(super) pixel: Option<[usize; 2]>,
    /// A file of commands for --pixel, one in each line; - is standard input
    #[arg(long, value_name = "FILE", default_value = "-", requires = "pixel")]
    script: OsString,
}

/// The column and the row of a pixel.
fn pixel(text: &str) -> Result<[usize; 2], String> {
    let pixel =
        text.split_once(',').and_then(|(x, y)| Some([x.trim().parse().ok()?, y.trim().parse().ok()?]));
    pixel.ok_or_else(|| "expected a column and a row, such as 12,34".into())
}

/// The run of a pixel.
pub(super) struct PixelSession<'s> {
    /// The run.
    pub(super) run: Captured,
    /// The pixel's lane.
    pub(super) lane: usize,
    /// The session to save, at the beginning of the run.
    pub(super) saved: Saved,
    /// Which run it is, in words and as data.
    pub(super) which: Option<(String, Value)>,
    /// The file of the program.
    pub(super) input: &'s Input,
    /// The program.
    pub(super) program: Option<&'s Program<'s>>,
    /// How it was opened.
    pub(super) settings: &'s Settings,
}

impl PixelArgs {
    /// Debugs the run of a pixel, at its lane.
    pub(super) fn debug(
        &self,
        session: PixelSession<'_>,
        global: &Global,
        report: &mut Report,
    ) -> Result<(), Stop> {
        let PixelSession { run, lane, saved, which, input, program, settings } = session;
        Beginning {
            run,
            memory: Beginning::MEMORY,
            state: State { lane: Some(lane), ..State::default() },
            which,
            documents: &|session| documents_of(program, session),
            save: Box::new(move |file, state| write(&saved, file, state)),
            input,
            programs: std::slice::from_ref(input),
            settings,
        }
        .show(&self.script, false, global, report)
    }
}
