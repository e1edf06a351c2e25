//! Checks a vertex and a fragment program together.

use crate::input::Input;
use crate::report::Report;
use crate::stop::Status;
use shisa::Program;
use shisa::agal::check_pair;
use shisa::ir::Stage;

/// A program, and the file that contains it.
pub(super) type Given<'a> = (&'a Input, &'a Program<'a>);

/// Reports what keeps two programs from being linked.
pub(super) fn check(vertex: Given<'_>, fragment: Given<'_>, report: &mut Report) -> Status {
    match check_pair(vertex.1, fragment.1) {
        Ok(found) => {
            for f in found {
                let (input, _) = if f.program == Stage::Fragment { fragment } else { vertex };
                report.all(&[f.diagnostic], input);
            }
        }
        Err(e) => report.all(&e.diagnostics, vertex.0),
    }
    report.status()
}
