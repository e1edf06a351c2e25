//! Writing files and standard output.

use crate::staged::{Staged, direct};
use crate::stop::Stop;
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::io::{self, IsTerminal, Write};

/// Permission to write bytes to a terminal.
#[derive(Debug, clap::Args)]
pub(crate) struct Force {
    /// Write binary output even to a terminal
    #[arg(long)]
    force: bool,
}

/// The output of a verb that writes a program.
#[derive(Debug, clap::Args)]
pub(crate) struct ProgramOut {
    /// The output file for the program; - is standard output
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    output: OsString,
    #[command(flatten)]
    force: Force,
}

impl ProgramOut {
    /// Adds the program to the outputs.
    pub(crate) fn add(&self, bytes: &[u8], outputs: &mut OutputFiles) -> Result<(), Stop> {
        outputs.binary(&self.output, bytes, &self.force)
    }

    /// Writes the program.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Stop> {
        binary(&self.output, bytes, &self.force)
    }
}

/// The outputs of a command. No file changes before all of them are written, and then all of them do.
#[derive(Debug, Default)]
pub(crate) struct OutputFiles {
    files: Vec<Staged>,
    /// Standard output and devices.
    direct: Vec<(OsString, Vec<u8>)>,
}

impl OutputFiles {
    /// Adds text, or bytes for a file; `-` is standard output.
    pub(crate) fn add(&mut self, name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), Stop> {
        let name = name.as_ref();
        if direct(name) {
            self.direct.push((name.to_owned(), bytes.to_owned()));
        } else {
            self.files.push(Staged::new(name, bytes).map_err(|e| Stop::file("write", name, &e))?);
        }
        Ok(())
    }

    /// Adds bytes that are not for a terminal, unless it is forced.
    pub(crate) fn binary(
        &mut self,
        name: impl AsRef<OsStr>,
        bytes: &[u8],
        force: &Force,
    ) -> Result<(), Stop> {
        if name.as_ref() == "-" && !force.force && io::stdout().is_terminal() {
            let text =
                "the output is binary, and goes to a terminal: -o names a file, --force writes it anyway";
            return Err(Stop::Failed(text.into()));
        }
        self.add(name, bytes)
    }

    /// Adds JSON, indented, with a line end after it.
    pub(crate) fn json(&mut self, name: impl AsRef<OsStr>, value: &Value) -> Result<(), Stop> {
        let mut text = serde_json::to_vec_pretty(value)?;
        text.push(b'\n');
        self.add(name, &text)
    }

    /// Writes everything: if one file cannot be written, none is.
    pub(crate) fn write(mut self) -> Result<(), Stop> {
        let mut closed = false;
        for (name, bytes) in &self.direct {
            match to_device(name, bytes) {
                // Its reader needs no more, but the files are wanted all the same.
                Err(Stop::Closed) => closed = true,
                done => done?,
            }
        }
        let several = self.files.len() > 1;
        for n in 0..self.files.len() {
            let Err(e) = self.files[n].publish(several) else { continue };
            self.files[..n].iter_mut().rev().for_each(Staged::undo);
            return Err(Stop::file("write", self.files[n].target(), &e));
        }
        if closed { Err(Stop::Closed) } else { Ok(()) }
    }
}

fn to_device(name: &OsStr, bytes: &[u8]) -> Result<(), Stop> {
    if name == "-" {
        let mut out = io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).map_err(Stop::from);
    }
    std::fs::write(name, bytes).map_err(|e| Stop::file("write", name, &e))
}

/// Writes text; `-` is standard output.
pub(crate) fn write(name: impl AsRef<OsStr>, bytes: &[u8]) -> Result<(), Stop> {
    if direct(name.as_ref()) {
        return to_device(name.as_ref(), bytes);
    }
    let mut outputs = OutputFiles::default();
    outputs.add(name, bytes)?;
    outputs.write()
}

/// Writes bytes that are not for a terminal.
pub(crate) fn binary(name: impl AsRef<OsStr>, bytes: &[u8], force: &Force) -> Result<(), Stop> {
    let mut outputs = OutputFiles::default();
    outputs.binary(name, bytes, force)?;
    outputs.write()
}

/// Writes JSON, indented, with a line end after it.
pub(crate) fn json(name: impl AsRef<OsStr>, value: &Value) -> Result<(), Stop> {
    let mut outputs = OutputFiles::default();
    outputs.json(name, value)?;
    outputs.write()
}
