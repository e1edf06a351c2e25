//! `shisa explain`

mod options;
mod statuses;

use crate::options::{Format, Global};
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::explain::Explanation;
use shisa_verbs::{IsaName, explained};
use std::io::Write;

/// Explain an opcode, a modifier, a register, an error code, an option, a limit, an exit status or a concept
#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The word to explain
    #[arg(allow_hyphen_values = true)]
    word: String,
    /// Only this instruction set; by default all
    #[arg(long)]
    isa: Option<IsaName>,
}

impl Explain {
    /// Writes the meaning of the word.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let own = explain(&self.word);
        let found = match shisa::explain(&self.word, self.isa.map(|isa| isa.0)) {
            Ok(found) if self.isa.is_some() => found,
            Ok(found) => [found, own].concat(),
            Err(_) if !own.is_empty() => own,
            Err(e) => {
                let mut report = Report::new(global);
                report.named(&e.diagnostics, "", None);
                return Ok(report.status());
            }
        };
        let mut out = std::io::stdout().lock();
        for (i, e) in found.iter().enumerate() {
            match global.format {
                Format::Json => writeln!(out, "{}", explained(e))?,
                Format::Text => write!(out, "{}{e}", if i == 0 { "" } else { "\n" })?,
            }
        }
        Ok(Status::Fine)
    }
}

/// The explanations of what belongs to the command: its options and exit statuses.
fn explain(word: &str) -> Vec<Explanation> {
    let mut found = options::explain(word);
    found.extend(statuses::explain(word));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stop::Status;

    #[test]
    fn every_option_is_explained() {
        let mut seen = 0;
        for (_, option) in options::all() {
            let long = option.get_long().map(String::from);
            let dashed = option.get_long().map(|name| format!("--{name}"));
            let short = option.get_short().map(|name| format!("-{name}"));
            for word in [long, dashed, short].into_iter().flatten() {
                assert!(explain(&word).iter().any(|e| e.kind == "option"), "{word}");
                seen += 1;
            }
        }
        assert!(seen > 100, "options are found: {seen}");
    }

    #[test]
    fn every_exit_status_is_explained() {
        for status in Status::ALL {
            let found = explain(&status.number().to_string());
            assert!(found.iter().any(|e| e.kind == "exit status" && !e.summary.is_empty()), "{status:?}");
        }
        assert_eq!(explain("exit-status")[0].sections[0].lines.len(), Status::ALL.len());
    }
}
