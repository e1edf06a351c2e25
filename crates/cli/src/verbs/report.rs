//! `shisa report`

use crate::input::Input;
use crate::options::{Format, Global};
use crate::reading::Reading;
use crate::report::Report as Findings;
use crate::stop::{Status, Stop};
use shisa::diag::escape;
use std::io::Write;

/// Estimate the cost of programs: registers, occupancy, cycles of each unit, waits (AGX)
#[derive(Debug, clap::Args)]
pub(crate) struct Report {
    /// Files; - is standard input. FILE#N and FILE#NAME are one of a file's programs
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Which program, from 1, of files that contain several; by default all
    #[arg(long, value_name = "N")]
    program: Option<usize>,
    #[command(flatten)]
    reading: Reading,
}

impl Report {
    /// Reports on every program of every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = self.reading.settings(global.settings()?);
        let mut findings = Findings::new(global);
        let mut out = std::io::stdout().lock();
        let mut first = true;
        for name in &self.files {
            let input = Input::read(name, settings.limits.file)?;
            let Some(selected) = input.open(self.program, &settings, &mut findings)? else { continue };
            for program in selected.programs() {
                let report = match program.report() {
                    Ok(report) => report,
                    Err(e) => {
                        findings.all(&e.diagnostics, &input)?;
                        break;
                    }
                };
                match global.format {
                    Format::Json => {
                        let mut line = report.json;
                        line["file"] = input.name.as_str().into();
                        writeln!(out, "{line}")?;
                    }
                    Format::Text => {
                        if !std::mem::take(&mut first) {
                            writeln!(out)?;
                        }
                        match report.name.as_str() {
                            "" => writeln!(out, "{}:", escape(&input.name))?,
                            name => writeln!(out, "{}, {}:", escape(&input.name), escape(name))?,
                        }
                        write!(out, "{report}")?;
                    }
                }
            }
        }
        Ok(findings.status())
    }
}
