//! Diagnostics on the error output.

use crate::input::Input;
use crate::options::{Format, Global};
use crate::stop::{Status, Stop};
use shisa::Program;
use shisa::diag::{self, Diagnostic, Severity, Source};
use shisa_verbs::as_json;
use std::io::Write;

/// Writes diagnostics, and records whether there was an error.
#[derive(Debug)]
pub(crate) struct Report {
    format: Format,
    colour: bool,
    status: Status,
    /// The findings, if they are not written.
    collected: Option<Vec<Diagnostic>>,
}

impl Report {
    /// A report with the format and colours of the options.
    pub(crate) fn new(global: &Global) -> Report {
        Report { colour: global.colour_errors(), ..Report::plain(global.format) }
    }

    /// A report without colours.
    pub(crate) fn plain(format: Format) -> Report {
        Report { format, colour: false, status: Status::Fine, collected: None }
    }

    /// A report that writes nothing.
    pub(crate) fn collecting() -> Report {
        Report { collected: Some(Vec::new()), ..Report::plain(Format::Text) }
    }

    /// The first error that a report collected.
    pub(crate) fn first_error(self) -> Option<Diagnostic> {
        self.collected.into_iter().flatten().find(|d| d.severity == Severity::Error)
    }

    /// Writes the findings about a file.
    pub(crate) fn all(&mut self, list: &[Diagnostic], input: &Input) {
        self.named(list, &input.name, std::str::from_utf8(&input.bytes).ok());
    }

    /// Writes findings about a program of a file; labels count from its first byte.
    pub(crate) fn program(&mut self, list: &[Diagnostic], program: &Program<'_>, input: &Input) {
        let text = std::str::from_utf8(&input.bytes).ok();
        self.named(list, &program.path(&input.name), text);
    }

    /// Writes findings about something with a name, and its source text if it has one.
    pub(crate) fn named(&mut self, list: &[Diagnostic], name: &str, source: Option<&str>) {
        if let Some(collected) = &mut self.collected {
            collected.extend_from_slice(list);
            return;
        }
        let mut out = std::io::stderr().lock();
        let source = source.filter(|_| !list.is_empty()).map(Source::new);
        let source = source.as_ref();
        for d in list {
            if d.severity == Severity::Error {
                self.status = self.status.max(Status::Faults);
            }
            // The findings count, whether or not they can be written.
            let _ = match self.format {
                Format::Text => writeln!(out, "{}", diag::render_in(d, name, source, self.colour)),
                Format::Json => writeln!(out, "{}", as_json(d, name, source)),
            };
        }
    }

    /// Writes why the command could not do its work.
    pub(crate) fn stopped(&mut self, stop: &Stop) {
        let (code, text) = match stop {
            Stop::Closed => return,
            Stop::Failed(text) => ("usage", text),
            Stop::File(text) => ("io", text),
        };
        self.named(&[Diagnostic::error(code, text)], "", None);
        self.status = Status::Failed;
    }

    /// Writes why a file is passed over; what concerns more than this file is returned.
    pub(crate) fn passed_over(&mut self, stop: Stop) -> Result<(), Stop> {
        if !matches!(stop, Stop::File(_)) {
            return Err(stop);
        }
        self.stopped(&stop);
        Ok(())
    }

    /// The worst status of what was written.
    pub(crate) fn status(&self) -> Status {
        self.status
    }
}
