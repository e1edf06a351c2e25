//! `shisa explain`

use crate::options::{Format, Global};
use crate::reading::IsaName;
use crate::report::Report;
use crate::stop::{Status, Stop};
use serde_json::json;
use std::io::Write;

/// Explain an opcode, a modifier, a register, an error code, an option or a concept
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The word to explain
    word: String,
    /// Only this instruction set; by default all
    #[arg(long)]
    isa: Option<IsaName>,
}

impl Explain {
    /// Writes the meaning of the word.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let found = match shisa::explain(&self.word, self.isa.map(|isa| isa.0)) {
            Ok(found) => found,
            Err(e) => {
                let mut report = Report::new(global);
                report.named(&e.diagnostics, "", None)?;
                return Ok(report.status());
            }
        };
        let mut out = std::io::stdout().lock();
        for (i, e) in found.iter().enumerate() {
            match global.format {
                Format::Json => {
                    let (word, kind, summary) = (&e.word, e.kind, &e.summary);
                    let line = json!({
                        "version": 1, "word": word, "kind": kind, "summary": summary, "sections": e.sections,
                    });
                    writeln!(out, "{line}")?;
                }
                Format::Text => write!(out, "{}{e}", if i == 0 { "" } else { "\n" })?,
            }
        }
        Ok(Status::Fine)
    }
}
