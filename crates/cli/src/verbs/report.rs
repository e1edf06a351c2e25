//! `shisa report`

use crate::files::Files;
use crate::options::{Format, Global};
use crate::report::Report as Findings;
use crate::stop::{Status, Stop};
use shisa::diag::escape;
use shisa_verbs::Reading;
use std::io::Write;

/// Estimate the cost of programs: instructions, registers, textures, cycles, occupancy
#[derive(Debug, clap::Args)]
pub(crate) struct Report {
    #[command(flatten)]
    files: Files,
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
        self.files.each(&settings.limits, &mut findings, |input, findings| {
            let Some(selected) = input.open_all(self.program, &settings, findings)? else { return Ok(()) };
            for program in selected.programs() {
                let report = match program.report() {
                    Ok(report) => report,
                    Err(e) => {
                        findings.all(&e.diagnostics, input);
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
            Ok(())
        })?;
        Ok(findings.status())
    }
}
