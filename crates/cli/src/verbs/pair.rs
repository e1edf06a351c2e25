//! A vertex and a fragment program together.

use crate::input::Input;
use crate::report::Report;
use crate::stop::{Status, Stop};
use shisa::Settings;
use shisa::ir::Stage;

/// A program as given and its bytes.
pub(super) type Given<'a> = (&'a Input, &'a [u8]);

/// Reports what keeps two programs from going together.
pub(super) fn check(
    vertex: Given<'_>,
    fragment: Given<'_>,
    settings: &Settings,
    report: &mut Report,
) -> Result<Status, Stop> {
    match shisa::check_pair(vertex.1, fragment.1, settings) {
        Ok(found) => {
            for f in found {
                let (input, _) = if f.program == Stage::Fragment { fragment } else { vertex };
                report.all(&[f.diagnostic], input)?;
            }
        }
        Err(e) => report.all(&e.diagnostics, vertex.0)?,
    }
    Ok(report.status())
}
