//! `shisa report`

use super::isa::{IsaName, doubt};
use crate::input::Input;
use crate::options::{Format, Global};
use crate::report::Report as Findings;
use crate::stop::{Status, Stop};
use shisa::diag::{Diagnostic, escape};
use shisa::{AgxReport, Isa};
use std::io::Write;

/// Tell what programs take: registers, threads at a time, cycles of each unit, waits (AGX)
#[derive(Debug, clap::Args)]
pub(crate) struct Report {
    /// Files; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// The instruction set; without it the content tells it. With one, bytes of no known kind are code of it
    #[arg(long, value_enum)]
    isa: Option<IsaName>,
    /// Which program, from 1, of files that hold several; without it all
    #[arg(long, value_name = "N")]
    program: Option<usize>,
}

impl Report {
    /// Reports on every program of every file.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let mut settings = global.settings()?;
        let mut findings = Findings::new(global);
        let mut out = std::io::stdout().lock();
        let mut first = true;
        for name in &self.files {
            let input = Input::read(name, settings.limits.file)?;
            let Some(bytes) = input.program(None, &settings, &mut findings)? else { continue };
            settings.isa = input.taken_for(self.isa.map(Into::into));
            doubt(&input, self.isa, &settings, &mut findings)?;
            if let Some(d) = refused(settings.isa.or_else(|| shisa::identify(&bytes, &settings).isa)) {
                findings.all(&[d], &input)?;
                continue;
            }
            let reports = match shisa::report_agx(&bytes, self.program, &settings) {
                Ok(reports) => reports,
                Err(e) => {
                    findings.all(&e.diagnostics, &input)?;
                    continue;
                }
            };
            for report in &reports {
                match global.format {
                    Format::Json => {
                        let mut line = report.to_json();
                        line["file"] = name.as_str().into();
                        writeln!(out, "{line}")?;
                    }
                    Format::Text => {
                        if !std::mem::take(&mut first) {
                            writeln!(out)?;
                        }
                        text(&mut out, name, report)?;
                    }
                }
            }
        }
        Ok(findings.status())
    }
}

/// The refusal of what is not told of an instruction set.
fn refused(isa: Option<Isa>) -> Option<Diagnostic> {
    let refuse = |text: String| Diagnostic::error("report-isa", text);
    match isa {
        Some(Isa::Agx) => None,
        Some(other) => {
            Some(refuse(format!("what programs take is told of AGX, and this is {}", other.name())))
        }
        None => Some(
            refuse("this is no AGX program that can be recognised".into())
                .help("--isa agx takes any bytes as code"),
        ),
    }
}

fn text(out: &mut impl Write, file: &str, report: &AgxReport) -> std::io::Result<()> {
    match report.name.as_str() {
        "" => writeln!(out, "{}:", escape(file))?,
        name => writeln!(out, "{}, {}:", escape(file), escape(name))?,
    }
    write!(out, "{}", report.report)
}
